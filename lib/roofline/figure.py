"""What do all figures share?  Axes, markup, formulas, and the same words.

A figure has four faces: a live widget, an interactive part of a static page,
a picture, and plain text. The words here are the twins of those in core.js.
"""

import base64
import math
from dataclasses import dataclass
from html import escape

import numpy as np
import sympy

from roofline.equation import values_of
from roofline.printing import javascript
from roofline.symbols import Symbol
from roofline.text import printed
from roofline.units import (
    UnitError,
    format_value,
    near,
    parse_quantity,
    significant,
)
from roofline.widgets import as_json

GRID, INK, QUIET = "#DDDDDD", "#111111", "#57606A"
# Patterns of 10 x 10 pixels: an area is never told by its colour alone.
HATCHES = ("", "M4 5H6", "M5 0V10", "M3 5H7M5 3V7", "M0 5H10",
           "M0 5H10M5 0V10")  # fmt: skip
INKED = ("", "..", "||", "++", "--", "+")


@dataclass(frozen=True)
class Axis:
    """A range of values on a log or a linear scale."""

    low: float
    high: float
    scale: str

    @classmethod
    def of(cls, symbol, over=None):
        """The axis of a symbol: its span, or the range given."""
        span = over or symbol.span
        if span is None:
            raise ValueError(f"{symbol.name} has no span; give a range")
        low, high = map(float, span)
        scale = "linear" if low <= 0 else symbol.scale
        if not -math.inf < low < high < math.inf:
            raise ValueError(f"{symbol.name} runs from {low:g} to {high:g}")
        symbol.check(low, high)
        return cls(low, high, scale)

    @classmethod
    def around(cls, low, high, scale):
        """Whole decades, or round linear ends, that hold both values."""
        if scale == "log":
            down = 10.0 ** math.floor(math.log10(low) + 1e-9)
            up = 10.0 ** math.ceil(math.log10(high) - 1e-9)
            return cls(down, up if up > down else down * 10, scale)
        low = min(float(low), 0.0)
        ticks = cls(low, high if high > low else low + 1, scale).ticks()
        step = ticks[1] - ticks[0]
        down, up = math.floor(low / step), math.ceil(high / step - 1e-9)
        ends = step * down, step * max(up, down + 1)
        return cls(*(float(f"{end:.12g}") for end in ends), scale)

    def holds(self, value):
        return self.low <= value <= self.high

    @property
    def log(self):
        return self.scale == "log"

    def share(self, value):
        """Where a value stands, from 0 at the low end to 1 at the high."""
        if self.log:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def value(self, share):
        """The value at a share of the way: the inverse of ``share``."""
        if self.log:
            return self.low * (self.high / self.low) ** share
        return self.low + share * (self.high - self.low)

    def points(self, count):
        """Evenly spread values, both ends exact."""
        space = np.geomspace if self.log else np.linspace
        return space(self.low, self.high, count)

    @property
    def middle(self):
        """A round number in the middle."""
        return float(significant(self.value(0.5), 1))

    def ticks(self):
        """Tick positions: decades, or four to seven round steps.

        Where two decades are all, 2 and 5 stand between them.
        """
        low, high = self.low, self.high
        if self.log:
            first = math.floor(math.log10(low) + 1e-9)
            last = math.ceil(math.log10(high) - 1e-9)
            every = max(1, math.ceil((last - first) / 7))
            inner = (1, 2, 5) if last - first <= 2 else (1,)
            found = [
                m * 10.0**p
                for p in range(first, last + 1, every)
                for m in inner
            ]
            return [t for t in found if 0.999 * low <= t <= 1.001 * high]
        rough = (high - low) / 5
        power = 10.0 ** math.floor(math.log10(rough))
        step = next(m * power for m in (1, 2, 5, 10) if m * power >= rough)
        first = math.ceil(low / step - 1e-9)
        last = math.floor(high / step + 1e-9)
        return [
            float(f"{i * step:.12g}") for i in range(first, last + 1)
        ]  # fmt: skip

    def steps(self):
        """The ticks, or both ends where the axis has but one."""
        found = self.ticks()
        return found if len(found) > 1 else [self.low, self.high]

    def spec(self, symbol, at):
        """What the browser needs of an axis that a symbol moves along."""
        return {
            "symbol": symbol.name,
            "low": self.low,
            "high": self.high,
            "scale": self.scale,
            "at": at,
        }


# Text


def capital(text):
    return text[:1].upper() + text[1:]


def listed(words):
    """Words as a list: "a", "a and b", "a, b and c"."""
    words = list(words)
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


def exactly(value, unit):
    """The shortest text that reads back as this very number, if any."""
    texts = [format_value(value, unit, digits) for digits in range(3, 8)]
    try:
        for text in texts:
            if abs(parse_quantity(text, unit) - value) <= 1e-12 * abs(value):
                return text
    except UnitError:
        pass
    return texts[0]


def valued(label, text):
    """A label and its value: "batch 5 sequences", but only "5 chips"."""
    word = text.split(" ")[-1]
    alike = word.removesuffix("s") == label.removesuffix("s")
    return text if alike else f"{label} {text}"


def between(low, high, unit):
    """Two values whose shared unit is said once: "1 and 100 sequences"."""
    first, last = format_value(low, unit), format_value(high, unit)
    if unit.style == "count":
        for name in filter(None, (unit.spec()["singular"], unit.suffix)):
            if first.endswith(f" {name}"):
                first = first[: -len(name) - 1]
                break
    return f"{first} and {last}"


def tick_text(value, unit):
    """A tick: "1 ms", "10 k", "$100"; the axis name carries the rest."""
    x = value / unit.scale
    if unit.style in ("percent", "binary"):
        return format_value(value, unit, 6)
    small = unit.whole or unit.style in ("count", "money")
    money = "$" if unit.style == "money" else ""
    power = 3 * math.floor((math.log10(abs(x)) + 1e-9) / 3) if x else 0
    power = min(max(power, 0 if small else -9), 18)
    prefix = dict(zip(range(-9, 21, 3), "n µ m . k M G T P E".split(),
                      strict=True))[power].strip(".")  # fmt: skip
    number = significant(x / 10.0**power, 6)
    bare = unit.style in ("count", "money") or "/" in unit.suffix
    tail = prefix + ("" if bare else unit.suffix)
    return f"{money}{number} {tail}".strip()


def axis_name(label, unit):
    """A label with what it and the ticks leave out of the unit."""
    whole = unit.style in ("percent", "binary", "time") or unit.text == "$"
    whole = whole or unit.suffix in label.split(" ")
    if whole or (unit.style == "si" and "/" not in unit.suffix):
        return label
    name = f"${unit.suffix}" if unit.style == "money" else unit.suffix
    return f"{label} ({name})" if name else label


VERBS = {"time": ("takes", "would need"), "money": ("costs", "would cost")}


def verbs(unit):
    """What a quantity of this unit does, and what another would do."""
    return VERBS.get(unit.style, ("is", "would be"))


def _close(value, total, share):
    return abs(value - total) <= share * abs(total)


def holding(parts, total, *, least=False, would, reading, said=""):
    """Which of the (label, value) parts make the total, in words.

    "memory binds (arithmetic would need 105 µs)"
    """
    exact = any(_close(value, total, 1e-9) for _, value in parts)
    if exact:
        held = [part for part in parts if _close(part[1], total, 0.002)]
    else:
        held = [(min if least else max)(parts, key=lambda part: part[1])]
    rest = [part for part in parts if part not in held]
    names = listed(label for label, _ in held)
    verb = "binds" if exact else "weighs most"
    if len(held) > 1:
        verb = "are in balance"
    elif len(names) > 1 and names.endswith("s") and names[-2] != "s":
        verb = verb.replace("binds", "bind").replace("weighs", "weigh")
    others = [
        f"{label} {'' if i else would + ' '}{reading(value)}"
        for i, (label, value) in enumerate(rest)
    ]
    return f"{names} {verb}{said}" + (f" ({listed(others)})" if rest else "")


# What the browser gets


def named(e):
    """The name of a curve: a variant of an equation says that it is one."""
    return f"{e.name}, {e.form}" if e.form else e.name


def formula(e):
    """An equation, or a symbol alone, as the browser evaluates it."""
    if isinstance(e, Symbol):
        return {"label": e.label, "args": [e.name], "js": e.name}
    plain = {
        "name": named(e),
        "label": e.left.label,
        "role": e.left.role or "total",
        "unit": e.left.unit.spec(),
        "low": e.left.low,
        "low_allowed": e.left.low_allowed,
        "allowed": e.allowed,
        "args": [s.name for s in e.inputs],
        "js": e.javascript(),
    }
    conditions = list(e.conditions)
    if e.left.high < math.inf:
        conditions.append(sympy.Le(e.expanded, e.left.high))
    if conditions:
        plain["where"] = javascript(sympy.And(*conditions))
    return plain


def inputs_of(equations):
    """Every symbol that the equations (or lone symbols) need."""
    return {s for e in equations for s in getattr(e, "inputs", (e,))}


def bound(equations, at, axes=()):
    """{name: float} of every symbol that the equations need, but the axes."""
    known, found = values_of(at), {}
    for e in equations:
        for s in getattr(e, "inputs", (e,)):
            if s in axes:
                continue
            value = known.get(s.name, s.value)
            if value is None:
                raise LookupError(
                    f"{e.name} needs {s.name} ({s.unit}): {s.says}"
                )
            s.check(float(value))
            found[s.name] = float(value)
    return dict(sorted(found.items()))


def controls(slug, equations, at, axes, sliders, presets):
    """The parts of a spec from which every figure makes its controls.

    A preset is a Deployment, or a label with a dictionary; what it does not
    bind stays as in ``at``.
    """
    settings = [
        p if isinstance(p, tuple) else (p.label, values_of(p)) for p in presets
    ]
    used = inputs_of(equations) | set(axes)
    if not isinstance(sliders, dict):
        sliders = {s: None for s in sliders}
    for s in sliders:
        if s not in used or s in axes:
            names = [u.name for u in used]
            raise ValueError(
                f"{slug}: {s.name} moves nothing here{near(s.name, names)}"
            )
    reaches = {s: Axis.of(s, span) for s, span in sliders.items()}
    offered = [
        {"label": label, "values": bound(equations, at | given, axes)}
        for label, given in settings
    ]
    for i, one in enumerate(offered):
        for other in offered[:i]:
            if one["values"] == other["values"]:
                raise ValueError(
                    f'{slug}: the presets "{other["label"]}" and '
                    f'"{one["label"]}" are the same here'
                )
    return {
        "symbols": {s.name: s.spec() for s in sorted(used, key=str)},
        "sliders": [
            {"symbol": s.name, "low": a.low, "high": a.high, "scale": a.scale}
            for s, a in reaches.items()
        ],
        "presets": offered,
    }


# Markup


def markup(spec, svg, head, rows, points=()):
    """A figure's HTML: picture, table of values, claim and spec."""
    dots = "".join(f"<li>{escape(point)}</li>" for point in points)
    picture = base64.b64encode(svg.encode()).decode()
    heads = "".join(f'<th scope="col">{escape(h)}</th>' for h in head)
    lines = "".join(map(_row, rows))
    return (
        f'<figure class="roofline roofline-{spec["kind"]}" '
        f'id="{spec["id"]}">\n'
        f'<div class="roofline-stage"><img class="roofline-picture" '
        f'alt="{escape(spec["alt"])}" '
        f'src="data:image/svg+xml;base64,{picture}"></div>\n'
        f'<details class="roofline-values">'
        f"<summary>Table of values</summary>"
        f"<table><thead><tr>{heads}</tr></thead>"
        f"<tbody>{lines}</tbody></table>"
        + (f'<ul class="roofline-points">{dots}</ul>' if dots else "")
        + "</details>\n"
        f'<figcaption class="roofline-claim">{escape(spec["claim"])}'
        f"</figcaption>\n"
        f'<script type="application/json" class="roofline-spec">'
        f"{as_json(spec)}</script>\n</figure>"
    )


def _row(cells):
    first, *rest = (escape(printed(cell)) for cell in cells)
    cells = "".join(f"<td>{cell}</td>" for cell in rest)
    return f'<tr><th scope="row">{first}</th>{cells}</tr>'


@dataclass(frozen=True)
class Frame:
    """The fallback picture's paper: its size, margins and two axes."""

    x: Axis
    y: Axis
    width: float = 720
    height: float = 420
    left: float = 74
    right: float = 120
    top: float = 14
    bottom: float = 50

    def at_x(self, value):
        inside = self.width - self.left - self.right
        return self.left + self.x.share(value) * inside

    def at_y(self, value):
        inside = self.height - self.top - self.bottom
        return self.height - self.bottom - self.y.share(value) * inside

    def page(self, *parts):
        """A whole SVG of these parts."""
        return (
            '<svg xmlns="http://www.w3.org/2000/svg" '
            f'viewBox="0 0 {self.width:g} {self.height:g}" '
            'font-family="sans-serif" font-size="13">'
            f'<rect width="{self.width:g}" height="{self.height:g}" '
            f'fill="#ffffff"/>{"".join(parts)}</svg>'
        )

    def axes(self, x_unit, y_unit, x_name, y_name):
        """Grid lines, ticks and names of both axes."""
        right, base = self.width - self.right, self.height - self.bottom
        parts = []
        for x in self.x.ticks():
            at = f"{self.at_x(x):.1f}"
            parts.append(
                f'<path d="M{at} {self.top}V{base}" stroke="{GRID}"/>'
                f'<text x="{at}" y="{base + 18}" text-anchor="middle">'
                f"{escape(tick_text(x, x_unit))}</text>"
            )
        for y in self.y.ticks():
            at = self.at_y(y)
            parts.append(
                f'<path d="M{self.left} {at:.1f}H{right}" stroke="{GRID}"/>'
                f'<text x="{self.left - 6}" y="{at + 4:.1f}" '
                f'text-anchor="end">{escape(tick_text(y, y_unit))}</text>'
            )
        middle = (self.left + right) / 2
        across = (self.top + base) / 2
        parts.append(
            f'<text x="{middle:.1f}" y="{self.height - 8}" '
            f'text-anchor="middle">{escape(x_name)}</text>'
            f'<text transform="translate(14 {across:.1f}) rotate(-90)" '
            f'text-anchor="middle">{escape(y_name)}</text>'
        )
        return "".join(parts)


def svg_path(lines, end=""):
    """Path data of lines of pixels, rounded to 0.1."""
    return "".join(
        "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in thinned(line)) + end
        for line in lines
    )


def tile(name, drawing, ink, tint=0):
    """A pattern of 10 x 10 pixels: a tint and a drawing in one ink."""
    return (
        f'<pattern id="{name}" width="10" height="10" '
        f'patternUnits="userSpaceOnUse"><rect width="10" height="10" '
        f'fill="{ink}" fill-opacity="{tint}"/><path d="{drawing}" fill="none" '
        f'stroke="{ink}" stroke-opacity="0.6"/></pattern>'
    )


def thinned(points, within=0.05):
    """Fewest points whose line stays within so many pixels of them all."""
    if len(points) < 3:
        return points
    (x0, y0), (x1, y1) = points[0], points[-1]
    dx, dy = x1 - x0, y1 - y0
    long = math.hypot(dx, dy)
    off = [
        abs(dx * (y - y0) - dy * (x - x0)) / long
        if long
        else math.hypot(x - x0, y - y0)
        for x, y in points
    ]
    worst = max(range(len(points)), key=off.__getitem__)
    if off[worst] <= within:
        return [points[0], points[-1]]
    left = thinned(points[: worst + 1], within)
    return left[:-1] + thinned(points[worst:], within)
