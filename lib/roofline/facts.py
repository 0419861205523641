"""Where does a number come from?  A fact cannot exist without its source.

Facts live in ``data/*.toml``, one table an object, one sub-table a fact.
"""

import tomllib
from dataclasses import dataclass
from datetime import date
from importlib import resources

from roofline.units import Quantity, near, unit

KINDS = ("specification", "measured", "reported", "estimate", "assumption")
FILES = (
    "hardware",
    "models",
    "assumptions",
    "volumes",
    "rents",
    "prices",
    "scaling",
    "training",
    "pipelines",
    "measurements",
    "experts",
    "tiers",
)
_COMPULSORY = ("value", "unit", "kind", "source", "where", "as_of")
_OPTIONAL = ("note", "range", "others", "because", "verified")
_NOT_FACTS = ("label", "config")


class FactError(ValueError):
    """A fact that is incomplete, unknown, or not fit for a result."""


@dataclass(frozen=True)
class Other:
    """What another source says of the same figure."""

    value: Quantity
    source: str
    where: str
    as_of: date
    note: str = ""


class Fact(Quantity):
    """A Quantity with name, kind, source, place, date, and what disagrees.

    ``source`` is a key of references.bib; ``range`` a pair in base units or
    None; ``others`` the rows of sources that differ, ``because`` why this one
    stands. An unverified fact prints with a dagger and enters no result.
    """

    def __new__(cls, name, row):
        for key in _COMPULSORY:
            if key not in row:
                raise FactError(f"{name} has no {key}")
        for key in row:
            if key not in _COMPULSORY + _OPTIONAL:
                raise FactError(
                    f'{name}: unknown field "{key}"'
                    f"{near(key, _COMPULSORY + _OPTIONAL)}"
                )
        u = unit(row["unit"])
        self = super().__new__(cls, row["value"] * u.factor, u)
        self.name = name
        self.kind = row["kind"]
        self.source, self.where = row["source"], row["where"]
        self.as_of = row["as_of"]
        self.note = row.get("note", "")
        self.verified = row.get("verified", True)
        self.because = row.get("because", "")
        span = row.get("range")
        self.range = span and tuple(x * u.factor for x in span)
        self.others = tuple(
            Other(
                Quantity(
                    o["value"] * unit(o.get("unit", u)).factor,
                    o.get("unit", u),
                ),
                o["source"],
                o["where"],
                o["as_of"],
                o.get("note", ""),
            )
            for o in row.get("others", ())
        )
        if self.kind not in KINDS:
            raise FactError(f'{name}: kind "{self.kind}" is none of {KINDS}')
        if self.others and not self.because:
            raise FactError(f"{name}: sources differ; say why this one stands")
        return self

    def __format__(self, spec):
        return super().__format__(spec) + ("" if self.verified else "†")

    def __reduce__(self):
        return fact, (self.name,)


def _load():
    tables = {}
    for file in FILES:
        path = resources.files(__package__) / "data" / f"{file}.toml"
        for name, rows in tomllib.loads(path.read_text("utf-8")).items():
            if name in tables:
                raise FactError(f'"{name}" stands in two data files')
            tables[name] = rows | {"file": file}
    return tables


TABLES = _load()
FACTS = {
    f"{table}.{key}": Fact(f"{table}.{key}", row)
    for table, rows in TABLES.items()
    for key, row in rows.items()
    if key not in (*_NOT_FACTS, "file")
}


def fact(name):
    """The Fact of that name, such as ``gb200_nvl72.hbm_bandwidth``."""
    if name not in FACTS:
        raise FactError(f'no fact "{name}"{near(name, FACTS)}')
    return FACTS[name]


def facts_of(table):
    """{name: Fact} of one object, without the object's own name."""
    start = table + "."
    return {
        name.removeprefix(start): f
        for name, f in FACTS.items()
        if name.startswith(start)
    }


def usable(f):
    """The fact itself, if it may enter a result; refuses unverified ones."""
    if not f.verified:
        raise FactError(f"{f.name} = {f} is unverified and enters no result")
    return f
