"""When does each stage of a pipeline work, and when does it wait?

Nothing here knows a formula for idle time. A schedule says in which order
each stage takes its tasks; the tasks start as soon as the stage is free and
what they need has arrived; then the gaps are counted.
"""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from roofline.stepper import Grid
from roofline.units import Quantity

KINDS = {
    "gpipe": "GPipe",
    "1f1b": "1F1B",
    "interleaved": "interleaved 1F1B",
    "zero-bubble": "zero-bubble",
    "decode": "decode",
}


class ScheduleError(ValueError):
    """A schedule that cannot be built as asked."""


@dataclass(frozen=True)
class Cell:
    """One box of the picture: a stage busy with one micro-batch.

    ``kind`` is forward, backward or weights; ``chunk`` counts the slices of
    the model that one stage holds; ``turn`` counts the tokens of a decode.
    """

    stage: int
    start: object
    duration: object
    micro_batch: int
    kind: str
    chunk: int = 0
    turn: int = 0

    @property
    def end(self):
        return self.start + self.duration


@dataclass(frozen=True)
class Schedule:
    """Cells of one training step, or of some turns of decoding.

    ``forward`` and ``backward`` are the times of one micro-batch on one
    stage; ``weights`` is the part of ``backward`` that makes the gradients
    of the weights, which "zero-bubble" does later; half unless given.
    ``chunks`` slices each stage ("interleaved"); ``turns`` counts the tokens
    that "decode" writes. Times are whole numbers, fractions, or SymPy
    expressions in positive symbols.

    >>> Schedule("gpipe", stages=4, micro_batches=4).idle_share
    Fraction(3, 7)
    """

    kind: str
    stages: int
    micro_batches: int
    forward: object = 1
    backward: object = 2
    weights: object = None
    chunks: int = 1
    turns: int = 1

    def __post_init__(self):
        if self.kind not in KINDS:
            raise ScheduleError(
                f'no schedule "{self.kind}" (there are {", ".join(KINDS)})'
            )
        for name in ("stages", "micro_batches", "chunks", "turns"):
            value = getattr(self, name)
            if not isinstance(value, int) or value < 1:
                raise ScheduleError(
                    f"{name} must be a whole number of at least 1; "
                    f"got {value!r}"
                )
        if self.chunks > 1 and self.kind != "interleaved":
            raise ScheduleError(f"{self.kind} has one chunk a stage")
        if self.turns > 1 and self.kind != "decode":
            raise ScheduleError("only decode takes turns")
        if self.chunks > 1 and self.micro_batches % self.stages:
            raise ScheduleError(
                f"interleaving needs micro-batches in groups of {self.stages} "
                f"stages; got {self.micro_batches}"
            )

    def __repr__(self):
        return f"{self.label}\n{self.drawing()}"

    @property
    def label(self):
        """What it is in words: ``1F1B, 4 stages, 8 micro-batches``."""
        counted = [Quantity(self.stages, "stage"),
                   Quantity(self.micro_batches, "micro-batch")]  # fmt: skip
        if self.chunks > 1:
            counted.append(Quantity(self.chunks, "chunk"))
        return ", ".join([KINDS[self.kind], *map(str, counted)])

    # Which tasks a stage takes, in which order

    def _orders(self):
        """[tasks of each stage in turn]; a task is (kind, i, chunk, turn)."""
        lay = {
            "gpipe": self._all_forward_first,
            "1f1b": self._one_forward_one_backward,
            "interleaved": self._interleaved,
            "zero-bubble": self._one_forward_one_backward,
            "decode": self._decode,
        }[self.kind]
        return [lay(stage) for stage in range(self.stages)]

    def _all_forward_first(self, stage):
        every = range(self.micro_batches)
        return [(kind, i, 0, 0) for kind in ("forward", "backward")
                for i in every]  # fmt: skip

    def _one_forward_one_backward(self, stage):
        every = range(self.micro_batches)
        forward = [("forward", i, 0, 0) for i in every]
        backward = [("backward", i, 0, 0) for i in every]
        return _alternated(forward, backward, self.stages - 1 - stage)

    def _interleaved(self, stage):
        p, v, n = self.stages, self.chunks, self.micro_batches * self.chunks
        if v == 1:
            return self._one_forward_one_backward(stage)

        def task(kind, j):
            i, chunk = j // (p * v) * p + j % p, j // p % v
            return kind, i, chunk if kind == "forward" else v - 1 - chunk, 0

        forward = [task("forward", j) for j in range(n)]
        backward = [task("backward", j) for j in range(n)]
        ahead = 2 * (p - 1 - stage) + (v - 1) * p
        return _alternated(forward, backward, ahead)

    def _decode(self, stage):
        every = range(self.micro_batches)
        return [("forward", i, 0, t) for t in range(self.turns) for i in every]

    # What a task waits for, and how long it takes

    def _needs(self, stage, task):
        """The (stage, task) that has to end first, or None."""
        kind, i, chunk, turn = task
        last, top = self.stages - 1, self.chunks - 1
        if kind == "forward":
            if stage > 0:
                return stage - 1, task
            if chunk > 0:
                return last, (kind, i, chunk - 1, turn)
            return (last, (kind, i, top, turn - 1)) if turn else None
        if kind == "weights":
            return stage, ("backward", i, chunk, turn)
        if stage < last:
            return stage + 1, task
        if chunk < top:
            return 0, (kind, i, chunk + 1, turn)
        return stage, ("forward", i, chunk, turn)

    def _duration(self, kind):
        backward, weights = self.backward, 0
        if self.kind == "zero-bubble":
            weights = self.weights
            if weights is None:
                weights = _over(backward, 2)
            backward = backward - weights
        times = {"forward": self.forward, "backward": backward}
        return _over((times | {"weights": weights})[kind], self.chunks)

    # The simulation

    @cached_property
    def cells(self):
        """Every Cell, laid out task by task, in order of start."""
        waiting = [list(reversed(order)) for order in self._orders()]
        free, ends, found = [0] * self.stages, {}, []
        held = [[] for _ in waiting]  # backward done, weights not
        inside = [0] * self.stages  # forward done, weights not

        def put(stage, task, ready):
            kind, i, chunk, turn = task
            start = _latest(free[stage], ready)
            cell = Cell(stage, start, self._duration(kind), i, kind, chunk,
                        turn)  # fmt: skip
            free[stage] = ends[stage, task] = cell.end
            found.append(cell)

        def late(stage, task, ready):
            """Gradients of weights that come before this task."""
            while held[stage]:
                room = inside[stage] < self.stages
                gap = ready - free[stage]
                fits = _later(gap, self._duration("weights"))
                if not fits and (task[0] != "forward" or room):
                    return
                put(stage, held[stage].pop(0), 0)
                inside[stage] -= 1

        while any(waiting):
            before = len(found)
            for stage, tasks in enumerate(waiting):
                while tasks:
                    task, need = tasks[-1], self._needs(stage, tasks[-1])
                    if need is not None and need not in ends:
                        break
                    ready = 0 if need is None else ends[need]
                    if self.kind == "zero-bubble":
                        late(stage, task, ready)
                        if task[0] == "forward":
                            inside[stage] += 1
                        else:
                            held[stage].append(("weights", *task[1:]))
                    put(stage, tasks.pop(), ready)
            if len(found) == before:
                raise ScheduleError(f"{self.kind}: every stage waits")
        for stage, tasks in enumerate(held):
            for task in tasks:
                put(stage, task, 0)
        return tuple(found)

    # What is counted

    @cached_property
    def step_time(self):
        """From the first start to the last end."""
        return _latest(*(c.end for c in self.cells))

    def busy(self, stage):
        """Time in which a stage works."""
        return sum(c.duration for c in self.cells if c.stage == stage)

    def idle(self, stage):
        """Time of the step in which a stage waits."""
        return self.step_time - self.busy(stage)

    @property
    def idle_share(self):
        """Part of all stage-time that is spent waiting."""
        total = self.stages * self.step_time
        return _over(sum(map(self.idle, range(self.stages))), total)

    @property
    def idle_over_useful(self):
        """Time spent waiting over time spent working."""
        every = range(self.stages)
        return _over(sum(map(self.idle, every)), sum(map(self.busy, every)))

    def between(self, begin, end):
        """The idle share of a window, for schedules that never end."""
        busy = sum(
            max(0, min(c.end, end) - max(c.start, begin)) for c in self.cells
        )
        return 1 - _over(busy, self.stages * (end - begin))

    def in_flight(self, stage):
        """Most chunks of micro-batches whose activations a stage holds."""
        events = Counter()
        last = "weights" if self.kind == "zero-bubble" else "backward"
        for c in self.cells:
            if c.stage == stage and c.kind == "forward":
                events[c.start] += 1
            elif c.stage == stage and c.kind == last:
                events[c.end] -= 1
        most = now = 0
        for _, change in sorted(events.items()):
            now += change
            most = max(most, now)
        return most

    @property
    def counted(self):
        """The idle time in one sentence."""
        if self.kind == "decode":
            begin, end = self.stages, max(self.stages, self.micro_batches)
            share = Quantity(float(self.between(begin, begin + end)), "%")
            return f"Once it is full, {share} of all stage time is idle."
        share = Quantity(float(self.idle_share), "%")
        ratio = Quantity(float(self.idle_over_useful), "%")
        return f"Idle: {share} of the step, {ratio} of the useful time."

    # How it is drawn in plain text

    def drawing(self):
        """One line a stage, one character a unit of time; dots are idle.

        Forward cells print the micro-batch, backward cells a letter, late
        gradients of weights a plus sign.
        """
        unit = _unit([c.start for c in self.cells] +
                     [c.duration for c in self.cells])  # fmt: skip
        if unit is None:
            return f"{len(self.cells)} cells"
        width = int(self.step_time / unit)
        lines = [["."] * width for _ in range(self.stages)]
        for c in self.cells:
            begin = int(c.start / unit)
            for x in range(begin, begin + int(c.duration / unit)):
                lines[c.stage][x] = _mark(c)
        return "\n".join(
            f"stage {i + 1:>2}  {''.join(line)}"
            for i, line in enumerate(lines)
        )


_DIGITS = "1234567890"
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def _mark(cell):
    if cell.kind == "weights":
        return "+"
    marks = _DIGITS if cell.kind == "forward" else _LETTERS
    return marks[cell.micro_batch % len(marks)]


def _alternated(forward, backward, ahead):
    """Some forwards first, then one and one, then what is left."""
    ahead = min(ahead, len(forward))
    order = forward[:ahead]
    for one, other in zip(forward[ahead:], backward, strict=False):
        order += [one, other]
    return order + backward[len(forward) - ahead :]


def _over(value, by):
    """A quotient that stays exact for whole numbers."""
    if isinstance(value, int) and isinstance(by, int):
        value = Fraction(value, by)
        return int(value) if value.denominator == 1 else value
    return value / by


def _later(one, other):
    """Whether one time is at least the other, whatever the symbols are."""
    gap = one - other
    if hasattr(gap, "free_symbols"):
        return bool(gap.is_nonnegative)
    return gap >= 0


def _latest(*times):
    """The time that no other exceeds; symbols may leave that open."""
    front = []
    for t in times:
        if any(_later(other, t) for other in front):
            continue
        front = [other for other in front if not _later(t, other)] + [t]
    if len(front) > 1:
        raise ScheduleError(f"which of {front} is last depends on the symbols")
    return front[0]


def _unit(times):
    """The largest time that divides all, or None for symbols."""
    unit = Fraction(0)
    for t in times:
        if hasattr(t, "free_symbols"):
            return None
        unit = _common(unit, Fraction(t))
    return unit


def _common(one, other):
    while other:
        one, other = other, one % other
    return one


def played(kind, stages, micro_batches, **more):
    """A Schedule as a Grid to step through, or why there is none.

    Interleaving takes two chunks, decoding three turns, unless given.
    """
    usual = {"interleaved": {"chunks": 2}, "decode": {"turns": 3}}
    more = usual.get(kind, {}) | more
    try:
        laid = Schedule(kind, stages, micro_batches, **more)
    except ScheduleError as error:
        return str(error)
    return Grid.schedule(laid, laid.counted)
