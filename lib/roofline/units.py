"""What is a number without its unit?  Dimensions and the one formatter.

Five base units carry dimensions: second, byte, FLOP, dollar, joule. Counts
(sequences, tokens, parameters, chips, ...) are labels without dimension, so
``B/token`` and ``B`` have the same dimension and print differently.
"""

import difflib
import math
import re
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

BASE = ("second", "byte", "flop", "dollar", "joule")

_S, _B, _F, _D, _J = (
    tuple(int(i == j) for j in range(len(BASE))) for i in range(len(BASE))
)
_NONE = (0,) * len(BASE)
_W = (-1, 0, 0, 0, 1)

# name: (factor to the base unit, dimension). SI prefixes apply to PREFIXED.
ATOMS = {
    "1": (1.0, _NONE),
    "%": (0.01, _NONE),
    "s": (1.0, _S),
    "min": (60.0, _S),
    "h": (3600.0, _S),
    "day": (86400.0, _S),
    "month": (365.25 / 12 * 86400.0, _S),
    "B": (1.0, _B),
    "bit": (0.125, _B),
    "KiB": (2.0**10, _B),
    "MiB": (2.0**20, _B),
    "GiB": (2.0**30, _B),
    "TiB": (2.0**40, _B),
    "FLOP": (1.0, _F),
    "$": (1.0, _D),
    "J": (1.0, _J),
    "W": (1.0, _W),
    "Mtoken": (1e6, _NONE),
}
BINARY = ("TiB", "GiB", "MiB", "KiB")
PREFIXED = ("s", "B", "FLOP", "J", "W", "bit")
PREFIXES = {
    "n": 1e-9,
    "u": 1e-6,
    "µ": 1e-6,
    "m": 1e-3,
    "k": 1e3,
    "K": 1e3,
    "M": 1e6,
    "G": 1e9,
    "T": 1e12,
    "P": 1e15,
    "E": 1e18,
    "Z": 1e21,
    "Y": 1e24,
}
# label: plural. A label counts things and has no dimension.
LABELS = {
    "sequence": "sequences",
    "token": "tokens",
    "parameter": "parameters",
    "weight": "weights",
    "chip": "chips",
    "expert": "experts",
    "layer": "layers",
    "head": "heads",
    "element": "elements",
    "stage": "stages",
    "micro-batch": "micro-batches",
    "chunk": "chunks",
    "rack": "racks",
    "pass": "passes",
    "multiply-add": "multiply-adds",
}
_PLURALS = {plural: label for label, plural in LABELS.items()}
_PLURALS["days"] = "day"
_WORDS = ((1e12, "trillion"), (1e9, "billion"), (1e6, "million"))
_LADDER = ((-9, "n"), (-6, "µ"), (-3, "m"), (0, ""), (3, "k"), (6, "M"),
           (9, "G"), (12, "T"), (15, "P"), (18, "E"), (21, "Z"),
           (24, "Y"))  # fmt: skip
MAGNITUDES = {
    "k": 1e3,
    "K": 1e3,
    "M": 1e6,
    "G": 1e9,
    "T": 1e12,
    "thousand": 1e3,
    "million": 1e6,
    "billion": 1e9,
    "trillion": 1e12,
}


class UnitError(ValueError):
    """A unit or a quantity that cannot be read, or does not fit."""


def near(name, known):
    """A clause such as ``; did you mean "batch"?`` or an empty string."""
    found = difflib.get_close_matches(str(name), list(known), n=3, cutoff=0.5)
    if not found:
        return ""
    return "; did you mean " + " or ".join(f'"{f}"' for f in found) + "?"


@dataclass(frozen=True)
class Unit:
    """A unit as it is written, with its factor to base units and dimension.

    ``text`` is a product and quotient of atoms: ``TB/s``, ``$/chip/h``,
    ``B/token``, ``FLOP/B``, ``sequence``. ``dimension`` holds the powers of
    second, byte, FLOP, dollar and joule.
    """

    text: str
    factor: float
    dimension: tuple

    def __str__(self):
        return self.text

    @property
    def style(self):
        """How numbers print: money, percent, count, time, binary, si."""
        head, _, rest = self.text.partition("/")
        if head in BINARY:
            return "binary"
        if head == "$":
            return "money"
        if self.text == "%":
            return "percent"
        if head in LABELS or self.text == "1" or head == "1":
            return "count"
        if self.text in ("s", "min", "h", "day") or (
            self.dimension == _S and not rest
        ):
            return "time"
        return "si"

    @property
    def scale(self):
        """Base units in one printed unit, before any SI prefix."""
        head, slash, rest = self.text.partition("/")
        below = _parse(rest)[0] if slash else 1.0
        if self.style in ("money", "count"):
            return self.factor
        if self.style == "binary":
            return 1.0 / below
        if self.style == "percent":
            return 0.01
        if self.style == "time":
            return 1.0
        atom = _atom(head)[2]
        return ATOMS[atom][0] / below

    @property
    def suffix(self):
        """What follows the number and its prefix: ``B/s``, ``sequences``."""
        head, slash, rest = self.text.partition("/")
        if self.style == "money":
            words = [_PER.get(w, w) for w in rest.split("/")] if slash else []
            return (" per " + "-".join(words)) if words else ""
        if self.style == "percent":
            return "%"
        if self.style == "count":
            return LABELS.get(head, "") + slash + rest
        if self.style == "time":
            return "s"
        if self.style == "binary":
            return slash + rest
        return _atom(head)[2] + slash + rest

    @property
    def whole(self):
        """Whether prefixes below one make no sense: half a byte is 0.5 B."""
        return _atom(self.text.partition("/")[0])[2] in ("B", "bit", "FLOP")

    def spec(self):
        """What the browser's formatter and parser need, as plain JSON."""
        head = self.text.partition("/")[0]
        return {
            "text": self.text,
            "style": self.style,
            "scale": self.scale,
            "suffix": self.suffix,
            "whole": self.whole,
            "singular": self.text if head in LABELS else "",
            "dimension": list(self.dimension),
            "factor": self.factor,
        }


_PER = {"Mtoken": "million tokens", "h": "hour"}


def _atom(word):
    """(factor, dimension, unprefixed atom) of one word of a unit."""
    word = _PLURALS.get(word, word)
    if word in LABELS:
        return 1.0, _NONE, word
    if word in ATOMS:
        return *ATOMS[word], word
    if word[:1] in PREFIXES and word[1:] in PREFIXED:
        factor, dimension = ATOMS[word[1:]]
        return PREFIXES[word[0]] * factor, dimension, word[1:]
    known = [*ATOMS, *LABELS, *(p + a for p in PREFIXES for a in PREFIXED)]
    raise UnitError(f'unknown unit "{word}"{near(word, known)}')


def _parse(text):
    """(factor, dimension) of a unit's text."""
    factor, dimension = 1.0, _NONE
    for i, part in enumerate(text.split("/")):
        for word in part.split("*"):
            f, d, _ = _atom(word.strip())
            sign = -1 if i else 1
            factor *= f**sign
            dimension = tuple(
                a + sign * b for a, b in zip(dimension, d, strict=True)
            )
    return factor, dimension


def unit(text):
    """The Unit that a text names; a Unit passes through.

    >>> unit("TB/s").factor
    1000000000000.0
    """
    if isinstance(text, Unit):
        return text
    return Unit(text, *_parse(text))


def describe(dimension):
    """A dimension in words: ``byte/second``; ``a pure number``."""
    powers = [(b, p) for b, p in zip(BASE, dimension, strict=True) if p]
    up = [b if p == 1 else f"{b}^{p}" for b, p in powers if p > 0]
    down = [b if p == -1 else f"{b}^{-p}" for b, p in powers if p < 0]
    if not up and not down:
        return "a pure number"
    return "/".join(["*".join(up) or "1", *down])


def significant(value, digits=3):
    """A decimal string with so many significant digits, halves away from 0.

    Zeros at the end stay where rounding happened and go where the value is
    exact, so that "2.00" says rounded and "2" says two.

    >>> significant(312.5), significant(1.9996), significant(2.0)
    ('313', '2.00', '2')
    """
    exact = Decimal(value)
    if exact == 0:
        return "0"
    place = exact.adjusted() - digits + 1
    step = Decimal(1).scaleb(place)
    rounded = exact.quantize(step, ROUND_HALF_UP)
    if rounded.adjusted() > exact.adjusted():
        rounded = exact.quantize(step.scaleb(1), ROUND_HALF_UP)
    text = format(rounded, "f")
    if abs(float(rounded) - value) <= 1e-12 * abs(value) and "." in text:
        text = text.rstrip("0").rstrip(".")
    return text


def _grouped(text):
    whole, point, rest = text.partition(".")
    sign, whole = ("-", whole[1:]) if whole[:1] == "-" else ("", whole)
    return f"{sign}{int(whole):,}{point}{rest}"


def format_value(value, unit_of, digits=3):
    """A base-unit number as text in its unit: the one formatter.

    ``value`` is a finite float in base units; ``unit_of`` a Unit or its text.

    >>> format_value(0.001165, "s"), format_value(5667.0, "sequence")
    ('1.17 ms', '5,670 sequences')
    >>> format_value(46.6e-6, "$/Mtoken"), format_value(671e9, "parameter")
    ('$46.6 per million tokens', '671 billion parameters')
    """
    u = unit(unit_of)
    value = float(value)
    if not math.isfinite(value):
        raise UnitError(f"a printed number must be finite, not {value}")
    style = u.style
    x = value / u.scale
    if style == "money":
        sign = "-" if x < 0 else ""
        return f"{sign}${_plain(abs(x), digits)}{u.suffix}"
    if style == "percent":
        return f"{_plain(x, digits)}%"
    if style == "count":
        number = _words(x, digits)
        suffix = u.text if number == "1" and u.text != "1" else u.suffix
        return f"{number} {suffix}".rstrip()
    if style == "binary":
        name = next((n for n in BINARY if abs(x) >= ATOMS[n][0]), BINARY[-1])
        return f"{_plain(x / ATOMS[name][0], digits)} {name}{u.suffix}"
    if style == "time" and abs(x) >= 60:
        for size, name in ((86400.0, "days"), (3600.0, "h"), (60.0, "min")):
            if abs(x) >= size:
                number = _plain(x / size, digits)
                name = "day" if (number, name) == ("1", "days") else name
                return f"{number} {name}"
    number, prefix = _prefixed(x, digits, 0 if u.whole else _LADDER[0][0])
    return f"{number} {prefix}{u.suffix}"


def _plain(x, digits):
    if x and not 1e-4 <= abs(x) < 1e6:
        return _words(x, digits)
    return _grouped(significant(x, digits))


def _words(x, digits):
    """A count: 5,670; 37 billion; 2.5e-07 where it is tiny."""
    if x and abs(x) < 1e-4:
        power = int(f"{x:.{digits - 1}e}".partition("e")[2])
        mantissa = significant(x / 10.0**power, digits)
        return f"{mantissa}e{power}"
    text = significant(x, digits)
    if abs(float(text)) < 1e6:
        return _grouped(text)
    for size, word in _WORDS:
        if abs(float(text)) >= size:
            return f"{_grouped(significant(x / size, digits))} {word}"
    raise AssertionError(x)


def _prefixed(x, digits, lowest):
    """(number, SI prefix) with the number between 1 and 1000 if possible."""
    if x == 0:
        return "0", ""
    rounded = float(significant(x, digits))
    power = math.floor(math.log10(abs(rounded)) + 1e-9)
    power = min(max(3 * (power // 3), lowest), _LADDER[-1][0])
    return _grouped(significant(x / 10.0**power, digits)), dict(_LADDER)[power]


_NUMBER = re.compile(r"[-+]?(?:\d[\d,_ ]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")


def _compact(rest, money):
    """A unit in words as its text: ``per million tokens`` is $/Mtoken."""
    for text, word in _PER.items():
        rest = rest.replace(word, text)
    rest = re.sub(r"\s*(?:/|\bper\b)\s*", "/", rest).strip()
    rest = re.sub(r"-(?=h$)", "/", rest)
    return ("$" if money else "1" if rest.startswith("/") else "") + rest


def parse_quantity(text, unit_of):
    """A typed quantity in base units, read against the unit it should have.

    Accepts "2.4k", "1.2 ms", "70 KB", "5,667", "3.4 GiB", "$0.69", "1.5
    million". A number without unit is read in ``unit_of``. Raises UnitError
    with what is wrong and what was expected.
    """
    u = unit(unit_of)
    raw = text.strip()
    body = raw[1:].strip() if raw.startswith("$") else raw
    match = _NUMBER.match(body)
    if not match:
        raise UnitError(f'"{raw}" does not start with a number')
    number = float(re.sub("[,_ ]", "", match.group()))
    rest = body[match.end() :].strip()
    for word in sorted(MAGNITUDES, key=len, reverse=True):
        tail = rest[len(word) :]
        if rest.startswith(word) and (not tail or len(word) > 1):
            number *= MAGNITUDES[word]
            rest = tail.strip()
            break
    money = raw.startswith("$")
    if not rest and (not money or u.style == "money"):
        return number * u.factor
    given = unit(_compact(rest, money))
    if given.dimension != u.dimension:
        raise UnitError(
            f'"{raw}" is {describe(given.dimension)}; expected '
            f"{describe(u.dimension)}, such as {u.text}"
        )
    return number * given.factor


def table():
    """Atoms, prefixes and labels for the browser's twin of the parser."""
    return {
        "atoms": {k: [f, list(d)] for k, (f, d) in ATOMS.items()},
        "prefixed": list(PREFIXED),
        "binary": list(BINARY),
        "prefixes": PREFIXES,
        "labels": LABELS,
        "magnitudes": MAGNITUDES,
        "words": [list(w) for w in _WORDS],
        "si": [list(p) for p in _LADDER],
        "base": list(BASE),
        "per": _PER,
        "plurals": _PLURALS,
    }


class Quantity(float):
    """A float in base units that knows its unit and prints through it.

    Arithmetic gives plain floats; ``f"{q}"`` has three significant digits and
    ``f"{q:5}"`` five.
    """

    def __new__(cls, value, unit_of):
        self = super().__new__(cls, value)
        self.unit = unit(unit_of)
        return self

    def over(self, other):
        """How many times the other this is, as a pure number."""
        if self.unit.dimension != other.unit.dimension:
            raise UnitError(
                f"{self} over {other} is no ratio: {self.unit} and "
                f"{other.unit} differ in dimension"
            )
        return Quantity(float(self) / float(other), "1")

    def share_of(self, other):
        """Which part of the other this is, in per cent."""
        return Quantity(self.over(other), "%")

    def __format__(self, spec):
        if spec and not spec.isdigit():
            raise UnitError(f'format "{spec}" is not a count of digits')
        return format_value(float(self), self.unit, int(spec or 3))

    def __str__(self):
        return format(self)

    __repr__ = __str__

    def __reduce__(self):
        return type(self), (float(self), self.unit.text)


def quantity(value, unit_of):
    """A Quantity from a number in the given unit: ``quantity(20, "ms")``."""
    u = unit(unit_of)
    return Quantity(value * u.factor, u)
