"""What runs where?  A model on a system binds every symbol to a number."""

from dataclasses import dataclass, replace
from functools import cached_property

from roofline import symbols
from roofline.facts import Fact, fact, usable
from roofline.models import Model
from roofline.systems import System, precision
from roofline.text import Text, escaped
from roofline.units import Quantity, near

_ORIGIN = {
    "context": "chosen",
    "chips": "chosen",
    "bytes_per_weight": "the number format",
    "bytes_per_element": "the number format",
    "dispatch_bytes": "the number format",
    "combine_bytes": "the number format",
}


def _element(name):
    """Bytes of one element of a message in a number format."""
    return Quantity(precision(name).bytes, "B/element")


class CapacityError(ValueError):
    """A capacity was asked of a deployment that does not fit."""


@dataclass(frozen=True, eq=False)
class Deployment:
    """A model on a system at given precisions, context, chips and price.

    ``weights`` and ``kv`` are precisions (bf16, fp8, fp4, mxfp4, nvfp4);
    ``compute`` is the precision of the multiply-adds, that of the weights
    unless given; ``attention`` that of attention's own multiply-adds, that of
    the KV cache unless given or unknown to the chip. ``context`` is in
    tokens, ``chips`` a count (all chips of the system unless given),
    ``chip_hour_price`` in dollars; ``dispatch`` and ``combine`` are the
    precisions of messages to experts and back. Building one always works;
    ``fits`` and ``shortfall`` tell whether it can be.
    """

    model: Model
    system: System
    weights: str = "fp8"
    kv: str = "fp8"
    compute: str | None = None
    context: float | None = None
    chips: int | None = None
    chip_hour_price: float | None = None
    attention: str | None = None
    dispatch: str = "fp8"
    combine: str = "bf16"

    def __post_init__(self):
        precision(self.weights)
        precision(self.kv)
        self.system.peak_compute(self.compute or self.weights)
        self.system.peak_compute(self.attention_precision)
        for name in ("context", "chips"):
            if getattr(self, name) is not None:
                s = symbols.SYMBOLS[name]
                s.check(float(getattr(self, name)))

    def but(self, **changes):
        """The same deployment with some choices changed."""
        for name in changes:
            if name not in self.__dataclass_fields__:
                known = list(self.__dataclass_fields__)
                raise TypeError(f'no choice "{name}"{near(name, known)}')
        return replace(self, **changes)

    @property
    def attention_precision(self):
        """The number format in which attention multiplies."""
        if self.attention is not None:
            return self.attention
        if self.kv in self.system.precisions:
            return self.kv
        return self.compute or self.weights

    @property
    def label(self):
        words = [f"{self.model.label} on {self.system.label}, {self.weights}"]
        if self.kv != self.weights:
            words.append(f"{self.kv} KV")
        if self.attention not in (None, self.kv):
            words.append(f"{self.attention} core")
        return ", ".join(words)

    def __repr__(self):
        return (
            f"{self.model.label} on {self.system.label}: {self.weights} "
            f"weights, {self.kv} KV, {self.values['context']} of context"
        )

    @cached_property
    def values(self):
        """{symbol name: Quantity} for every symbol that this fixes."""
        system, model = self.system, self.model
        context = self.context
        if context is None:
            context = fact("lecture.reference_context")
        chips = usable(system.chips)
        if self.chips is not None:
            chips = Quantity(self.chips, "chip")
        rent = fact("lecture.chip_hour_price")
        if self.chip_hour_price is not None:
            unit = rent.unit
            rent = Quantity(self.chip_hour_price * unit.factor, unit)
        bound = {
            "context": Quantity(context, "token"),
            "kv_bytes_per_token": model.kv_bytes_per_token(context, self.kv),
            "bytes_per_weight": precision(self.weights).bytes,
            "total_parameters": usable(model.facts["total_parameters"]),
            "active_parameters": usable(model.facts["active_parameters"]),
            "chips": chips,
            "peak_compute": system.peak_compute(self.compute or self.weights),
            "hbm_bandwidth": usable(system.hbm_bandwidth),
            "hbm_capacity": usable(system.hbm_capacity),
            "chip_hour_price": rent,
        }
        return bound | self._routing | self._links | self._attention

    @property
    def _attention(self):
        """Layer shapes and attention's arithmetic, where they are known."""
        peak = self.system.peak_compute(self.attention_precision)
        each = Quantity(precision(self.kv).bytes, "B/element")
        bound = {"attention_peak": peak, "bytes_per_element": each}
        if self.model.blocks is None:
            return bound
        context = self.context
        if context is None:
            context = fact("lecture.reference_context")
        work = self.model.attention_multiply_adds(context)
        shape = {
            name: Quantity(count, symbols.SYMBOLS[name].unit)
            for name, count in self.model.shape.items()
        }
        prompt = self.model.attention_multiply_adds(context, unfolded=True)
        bound |= {"attention_multiply_adds": work}
        return bound | {"prompt_multiply_adds": prompt} | shape

    @property
    def _routing(self):
        """Expert counts, for models that have experts and known shapes."""
        model = self.model
        if not model.routed:
            return {}
        counts = {
            "experts": Quantity(model.experts, "expert"),
            "experts_per_token": Quantity(model.experts_per_token, "expert"),
            "expert_layers": Quantity(model.expert_layers, "layer"),
        }
        return counts | {
            "expert_parameters": model.expert_parameters,
            "unrouted_parameters": model.unrouted_parameters,
            "dispatch_bytes": _element(self.dispatch),
            "combine_bytes": _element(self.combine),
        }

    @property
    def _links(self):
        """Speeds of the links, and the vector that travels over them."""
        links = {
            name: usable(f)
            for name, f in self.system.facts.items()
            if name in ("scaleup_bandwidth", "scaleout_bandwidth")
        }
        if self.model.blocks is None:
            return links
        return links | {"hidden_size": Quantity(self.model.hidden, "element")}

    def show(self, *equations):
        """Bound symbols with value and source, as a table.

        With ``equations``, only the symbols that those need.
        """
        wanted = {s.name for e in equations for s in e.inputs}
        lines = ["| symbol | value | meaning | from |", "| :-- " * 4 + "|"]
        plain = []
        for name, value in self.values.items():
            if wanted and name not in wanted:
                continue
            s = symbols.SYMBOLS[name]
            if isinstance(value, Fact):
                origin = f"{{cite:t}}`{value.source}`"
            else:
                origin = _ORIGIN.get(name, "counted from layer shapes")
            shown = escaped(str(value))
            lines.append(f"| ${s.latex}$ | {shown} | {s.says} | {origin} |")
            source = getattr(value, "source", origin)
            plain.append(f"{name} = {value} [{source}]")
        return Text("\n".join(lines), "\n".join(plain))

    # Does it fit?

    @property
    def hbm_bytes(self):
        """Bytes of HBM on all chips together."""
        v = self.values
        return Quantity(v["chips"] * v["hbm_capacity"], "B")

    @property
    def weight_bytes(self):
        """Bytes that the weights occupy, stored once over all chips."""
        v = self.values
        return Quantity(v["bytes_per_weight"] * v["total_parameters"], "B")

    @property
    def sequence_bytes(self):
        """Bytes of KV cache that one sequence occupies at its context."""
        v = self.values
        return Quantity(v["context"] * v["kv_bytes_per_token"], "B")

    def shortfall(self, batch=0):
        """Bytes missing for the weights and a batch's KV cache; 0 if none."""
        needed = self.weight_bytes + batch * self.sequence_bytes
        return Quantity(max(0.0, needed - self.hbm_bytes), "B")

    def fits(self, batch=0):
        """Whether weights and the KV cache of a batch fit in HBM."""
        return self.shortfall(batch) == 0

    @property
    def largest_batch(self):
        """Most sequences whose KV cache fits beside the weights.

        Raises CapacityError where the weights alone do not fit.
        """
        if not self.fits():
            raise CapacityError(
                f"{self.label}: weights of {self.weight_bytes} do not fit in "
                f"{self.hbm_bytes} of HBM ({self.shortfall()} short)"
            )
        if not self.sequence_bytes:
            raise CapacityError(f"{self.label}: no context, so no limit")
        room = self.hbm_bytes - self.weight_bytes
        return Quantity(room // self.sequence_bytes, "sequence")
