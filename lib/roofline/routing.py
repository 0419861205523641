"""Who sends to whom?  Tokens that draw their experts, counted one by one.

Nothing here knows a formula: scores are drawn, the best experts taken, and
copies counted chip by chip.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from roofline.stepper import Grid
from roofline.units import Quantity

SEED = 2026
SKEWS = {"uniform": 0.0, "skewed": 0.7}


@dataclass(frozen=True)
class Routing:
    """One layer's routing of a batch, drawn from a fixed seed.

    ``experts`` lie in equal blocks on ``chips``, chips in equal blocks in
    ``racks``; each of ``tokens`` starts on a chip in turn and goes to
    ``per_token`` different experts. An expert's popularity falls with its
    rank to the power ``skew`` (0 is uniform); ranks are shuffled. Raises
    ValueError where blocks are not equal.
    """

    chips: int
    experts: int
    per_token: int
    tokens: int
    skew: float = 0.0
    racks: int = 1
    seed: int = SEED

    def __post_init__(self):
        if self.experts % self.chips or self.chips % self.racks:
            raise ValueError(
                f"{self.experts} experts on {self.chips} chips in "
                f"{self.racks} rack{'s' * (self.racks > 1)} are no equal "
                "blocks"
            )
        if not 1 <= self.per_token <= self.experts:
            raise ValueError(
                f"a token cannot choose {self.per_token} of {self.experts}"
            )

    @cached_property
    def choices(self):
        """The experts of each token, shape (tokens, per_token)."""
        random = np.random.default_rng(self.seed)
        ranks = 1 + random.permutation(self.experts)
        luck = random.gumbel(size=(self.tokens, self.experts))
        scores = luck - self.skew * np.log(ranks)
        return np.argsort(-scores, axis=1)[:, : self.per_token]

    @property
    def homes(self):
        """The chip on which each token starts."""
        return np.arange(self.tokens) % self.chips

    @property
    def visits(self):
        """The chip of each chosen expert, shape (tokens, per_token)."""
        return self.choices // (self.experts // self.chips)

    @cached_property
    def copies(self):
        """Copies from each chip (row) to each chip (column)."""
        counts = np.zeros((self.chips, self.chips), dtype=int)
        for home, visits in zip(self.homes, self.visits, strict=True):
            for chip in visits:
                counts[home, chip] += 1
        return counts

    def rack_of(self, chip):
        return chip // (self.chips // self.racks)

    @property
    def chips_reached(self):
        """Chips that hold a token's experts, on average over tokens."""
        each = [len(set(row.tolist())) for row in self.visits]
        return Quantity(float(np.mean(each)), "chip")

    @property
    def experts_hit(self):
        """Different experts that the batch touches."""
        return Quantity(float(len(np.unique(self.choices))), "expert")

    @property
    def share_at_home(self):
        """Copies whose expert stands on the token's own chip."""
        share = np.trace(self.copies) / self.copies.sum()
        return Quantity(float(share), "%")

    @property
    def share_across(self):
        """Copies that leave the rack of their token."""
        racks = self.rack_of(np.arange(self.chips))
        apart = racks[:, None] != racks[None, :]
        return Quantity(float((self.copies * apart).sum()
                              / self.copies.sum()), "%")  # fmt: skip

    @property
    def busiest(self):
        """What the busiest chip receives, over the average chip."""
        received = self.copies.sum(axis=0)
        return Quantity(float(received.max() / received.mean()), "1")

    def grid(self, counts, says):
        """A table of copies: sender in the row, receiver in the column."""
        most = max(int(counts.max()), 1)
        cells = [
            [
                (int(n) or "", self._role(i, j) if n else None,
                 n / most if n else None)
                for j, n in enumerate(row)
            ]
            for i, row in enumerate(counts)
        ]  # fmt: skip
        legend = {"network": "inside a rack", "compute": "on its own chip"}
        if self.racks > 1:
            legend["limit"] = "across racks"
        names = [f"chip {i + 1}" for i in range(self.chips)]
        heads = [str(i + 1) for i in range(self.chips)]
        return Grid(cells, says, names, heads, legend)

    def _role(self, one, other):
        if one == other:
            return "compute"
        inside = self.rack_of(one) == self.rack_of(other)
        return "network" if inside else "limit"


def steps(routing="uniform", tokens_per_chip=8, racks=1):
    """Three tables of a small rack: one token, all out, all back.

    Sixteen chips hold four experts each, and a token goes to eight.
    """
    chips = 16
    whole = Routing(chips, 64, 8, chips * tokens_per_chip, SKEWS[routing],
                    racks)  # fmt: skip
    one = Routing(chips, 64, 8, 1, SKEWS[routing], racks)
    total = f"{whole.copies.sum():,} copies"
    crossing = (
        f", {whole.share_across} of them across racks" if racks > 1 else ""
    )
    most = int(whole.copies.sum(axis=0).argmax()) + 1
    return [
        one.grid(
            one.copies,
            f"One token of chip 1 goes out to eight experts, on "
            f"{one.chips_reached}.",
        ),
        whole.grid(
            whole.copies,
            f"All tokens go out: {total}{crossing}. Chip {most} receives "
            f"most, {whole.busiest} times the average.",
        ),
        whole.grid(
            whole.copies.T,
            f"All come back the way they went: {total}. Chip {most} sends "
            f"most, and the others wait for it.",
        ),
    ]
