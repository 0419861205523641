"""What is the machine?  Chips, their memory, and the links between them."""

from dataclasses import dataclass, field
from fractions import Fraction

from roofline.facts import TABLES, FactError, facts_of, usable
from roofline.units import Quantity, near


@dataclass(frozen=True)
class Precision:
    """A number format: bits of an element, and scale bits per block."""

    name: str
    bits: int
    peak: str
    scale_bits: int = 0
    block: int = 1

    @property
    def bytes(self):
        """Bytes of one element, scales included."""
        bits = self.bits + Fraction(self.scale_bits, self.block)
        return Quantity(float(bits / 8), "B/weight")


PRECISIONS = {
    p.name: p
    for p in (
        Precision("bf16", 16, "bf16"),
        Precision("fp8", 8, "fp8"),
        Precision("fp4", 4, "fp4"),
        # OCP MX: one 8-bit scale for 32 elements; NVFP4: one for 16.
        Precision("mxfp4", 4, "fp4", scale_bits=8, block=32),
        Precision("nvfp4", 4, "fp4", scale_bits=8, block=16),
    )
}


def precision(name):
    """The Precision of that name; an error lists what there is."""
    if name not in PRECISIONS:
        raise FactError(
            f'no precision "{name}"{near(name, PRECISIONS)} '
            f"(there are {', '.join(PRECISIONS)})"
        )
    return PRECISIONS[name]


@dataclass(frozen=True, eq=False)
class System:
    """Chips of one kind in one scale-up domain, as a vendor sells them.

    Every figure is a Fact and per chip: ``hbm_bandwidth``, ``hbm_capacity``,
    ``scaleup_bandwidth`` and ``scaleout_bandwidth`` (one direction),
    ``dense_bf16_compute`` and its kin (dense peaks). ``chips`` counts them.
    """

    name: str
    label: str
    facts: dict = field(repr=False)

    def __getattr__(self, name):
        facts = self.__dict__.get("facts", {})
        if name.startswith("__") or not facts:
            raise AttributeError(name)
        if name not in facts:
            raise AttributeError(
                f'{self.label} has no fact "{name}"{near(name, facts)}'
            )
        return facts[name]

    @property
    def precisions(self):
        """Number formats that the chip multiplies at a peak of its own."""
        return tuple(
            p
            for p in PRECISIONS
            if f"dense_{PRECISIONS[p].peak}_compute" in self.facts
        )

    def peak_compute(self, name):
        """Dense FLOP/s of one chip in a precision; refuses what it lacks."""
        key = f"dense_{precision(name).peak}_compute"
        if key not in self.facts:
            raise FactError(
                f"{self.label} has no {name} arithmetic; it has "
                f"{', '.join(self.precisions)}"
            )
        return usable(self.facts[key])


def _system(name):
    return System(name, TABLES[name]["label"], facts_of(name))


SYSTEMS = {
    name: _system(name)
    for name, rows in TABLES.items()
    if rows["file"] == "hardware"
}


def system(name):
    """The System of that name; an error suggests near ones."""
    if name not in SYSTEMS:
        raise FactError(f'no system "{name}"{near(name, SYSTEMS)}')
    return SYSTEMS[name]
