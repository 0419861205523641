"""How does a curve answer the reader?  One Chart object with four faces.

A live widget where a kernel runs, an interactive figure in a static page, a
picture for print, and plain text with the values at the defaults: all from
the same equations.
"""

import base64
import io
import math
from dataclasses import dataclass
from html import escape
from itertools import combinations

import numpy as np
import sympy

from roofline import style
from roofline.figure import (
    HATCHES,
    INKED,
    Axis,
    Frame,
    axis_name,
    between,
    bound,
    capital,
    controls,
    exactly,
    formula,
    holding,
    listed,
    markup,
    named,
    svg_path,
    tick_text,
    tile,
    valued,
    verbs,
)
from roofline.text import table
from roofline.units import Quantity
from roofline.widgets import Widget

POINTS = 161


@dataclass(frozen=True)
class Dot:
    """A fact or a tabled result, drawn as a dot with its name."""

    label: str
    x: Quantity
    y: Quantity
    role: str

    def __str__(self):
        return f"{self.label}: {self.x}, {self.y}"


class Chart(Widget):
    """Curves of equations over one symbol, with sliders for others.

    ``slug`` names the chart in ids and addresses; ``x`` is the symbol on the
    horizontal axis, over ``over`` (its span unless given), read first at
    ``start``; ``curves`` are Equations of one dimension; ``at`` binds all
    symbols (a Deployment or a dictionary); ``sliders`` are symbols, or a
    dictionary from symbol to (low, high) in base units; ``presets`` are
    Deployments, or pairs of a label and a dictionary. ``claim`` is the
    caption, ``alt`` a description that is written from the curves unless
    given. ``crossings`` are pairs of Equations; unless given, the branches of
    a Max or Min are paired.

    ``points`` are dots (label, x, y, role) with Quantities. ``stack`` piles
    the curves up as areas under their sum, named by it if it is a text. With
    ``x_equation`` the horizontal axis shows that Equation of ``x`` instead:
    the curves are drawn as ``x`` runs over its range.
    """

    def __init__(
        self,
        slug,
        x,
        curves,
        at,
        *,
        claim,
        sliders=(),
        presets=(),
        crossings=None,
        over=None,
        start=None,
        y_label=None,
        y_scale=None,
        points=(),
        stack=False,
        x_equation=None,
        x_scale=None,
        alt=None,
    ):
        self._slug, self._x, self._curves = slug, x, tuple(curves)
        self._claim, self._across = claim, x_equation
        self._stack = "total" if stack is True else stack
        self._range = Axis.of(x, over)
        self._start = float(self._range.middle if start is None else start)
        x.check(self._start)
        if len({e.left.unit.dimension for e in self._curves}) != 1:
            raise ValueError(f"{slug}: the curves have different dimensions")
        if stack and y_scale == "log":
            raise ValueError(f"{slug}: areas pile up on a linear axis only")
        self._unit = self._curves[-1].left.unit
        self._x_unit = (x_equation.left if x_equation else x).unit
        self._x_label = (x_equation.left if x_equation else x).label
        self._y_label = y_label or _y_label(self._curves)
        self._dots = tuple(self._dot(*point) for point in points)
        self._binding = None if stack else next(
            (e for e in self._curves
             if isinstance(e.right, (sympy.Max, sympy.Min))), None
        )  # fmt: skip
        branches = self._binding.given if self._binding else ()
        self._pairs = tuple(
            combinations(branches, 2) if crossings is None else crossings
        )
        self._at = bound(self._everything(), at, (x,))
        self._sample(y_scale or ("linear" if stack else "log"), x_scale)
        self._alt = alt or self._described()
        super().__init__(
            spec=self._specified(sliders, presets),
            values=self._at | {x.name: self._start},
        )
        self.plain = self._as_text()
        self.html = markup(
            self.spec, self.svg(), *self._table(), map(str, self._dots)
        )

    def _dot(self, label, x, y, role=None):
        """A point's Dot; refuses what does not belong on the axes."""
        for value, unit in ((x, self._x_unit), (y, self._unit)):
            if not isinstance(value, Quantity):
                raise TypeError(f"{self._slug}: {label} needs quantities")
            if value.unit.dimension != unit.dimension:
                raise ValueError(
                    f"{self._slug}: {label} is at {value}; the axis is in "
                    f"{unit}"
                )
        if not self._across and not self._range.holds(x):
            raise ValueError(f"{self._slug}: {label} at {x} is off the axis")
        return Dot(label, Quantity(x, self._x_unit), Quantity(y, self._unit),
                   role or "limit")  # fmt: skip

    # Numbers

    def _sample(self, y_scale, x_scale):
        self._grid = self._range.points(POINTS)
        self._ys = self._heights(self._grid)
        if y_scale == "log":
            self._ys = [np.where(y > 0, y, np.nan) for y in self._ys]
        self._xs, self._x_axis = self._grid, self._range
        if self._across:
            self._xs = self._read(self._across, self._grid)
            self._x_axis = self._around(
                [self._xs, [d.x for d in self._dots]], x_scale or "log"
            )
        self._y_axis = self._around(
            [*self._ys, [d.y for d in self._dots]], y_scale
        )

    def _around(self, values, scale):
        """An axis that holds every finite value."""
        every = np.concatenate([np.asarray(v, dtype=float) for v in values])
        finite = every[np.isfinite(every)]
        if not finite.size:
            raise ValueError(f"{self._slug}: no curve has a value to draw")
        return Axis.around(finite.min(), finite.max(), scale)

    def _read(self, e, x):
        """Values of a curve at points of x, NaN where it has none."""
        return e.along(self._x, x, self._at)

    def _heights(self, x):
        """Where each curve is drawn: upon the ones before it in a stack."""
        values = [self._read(e, x) for e in self._curves]
        return list(np.cumsum(values, axis=0)) if self._stack else values

    def crossings(self):
        """[(one, other, x, y)]: where each pair of equations is equal."""
        found = []
        for one, other in self._pairs:

            def gap(x, one=one, other=other):
                return self._read(one, x) - self._read(other, x)

            for x in _roots(gap, self._grid):
                y = Quantity(self._read(one, x), one.left.unit)
                found.append((one, other, Quantity(x, self._x.unit), y))
        return found

    # The specification that the browser draws

    def _specified(self, sliders, presets):
        y = self._y_axis
        spec = {
            "kind": "chart",
            "id": f"chart-{self._slug}",
            "alt": self._alt,
            "claim": self._claim,
            "x": self._range.spec(self._x, self._start),
            "y": {
                "label": self._y_label,
                "unit": self._unit.spec(),
                "low": y.low,
                "high": y.high,
                "scale": y.scale,
            },
            "values": self._at,
            "curves": [formula(e) for e in self._curves],
            "binding": self._binding
            and {
                "subject": self._binding.left.label,
                "curve": named(self._binding),
                "branches": [formula(e) for e in self._binding.given],
                "least": isinstance(self._binding.right, sympy.Min),
            },
            "crossings": [
                {
                    "curves": [named(one), named(other)],
                    "label": "balance" if self._binding else "",
                }
                for one, other in self._pairs
            ],
            "formulas": [
                formula(e)
                for e in self._everything()
                if e not in self._curves and e is not self._across
            ],
        } | controls(
            self._slug, self._everything(), self._at, (self._x,), sliders,
            presets,
        )  # fmt: skip
        if self._dots:
            spec["points"] = [
                {"label": d.label, "x": d.x, "y": d.y, "role": d.role}
                for d in self._dots
            ]
        if self._stack:
            spec["stack"] = self._stack
            for i, e in enumerate(spec["curves"]):
                e["hatch"] = HATCHES[i % len(HATCHES)]
        if self._across:
            axis = self._x_axis
            spec["across"] = formula(self._across) | {
                "range": {
                    "low": axis.low, "high": axis.high, "scale": axis.scale,
                }
            }  # fmt: skip
        return spec

    def _everything(self):
        """Every equation that the chart evaluates, each once."""
        branches = self._binding.given if self._binding else ()
        pairs = [e for pair in self._pairs for e in pair]
        across = [self._across] if self._across else []
        return tuple(
            dict.fromkeys((*self._curves, *branches, *pairs, *across))
        )

    # Words

    def _described(self):
        names = listed(e.left.label for e in self._curves)
        ends = [self._x.format(v) for v in (self._range.low, self._range.high)]
        where = f"from {ends[0]} to {ends[1]}"
        if self._across:
            where = f"as {self._x.label} runs {where}"
        text = (
            f"Chart of {names} against {self._x_label}, {where}. "
            f"{self._sentence()}"
        )
        dots = "; ".join(map(str, self._dots))
        return " ".join(
            [text, *self._facts(), *([f"Dots: {dots}."] if dots else [])]
        )

    def _row(self, x):
        """[(label, its Quantity at x, or "undefined")]."""
        values = [(e.left, float(self._read(e, x))) for e in self._curves]
        if self._across:
            values.insert(
                0, (self._across.left, float(self._read(self._across, x)))
            )
        row = [(s.label, _shown(v, s.unit)) for s, v in values]
        if self._stack:
            total = sum(v for _, v in values[-len(self._curves) :])
            row.append((self._stack, _shown(total, self._unit)))
        return row

    def _sentence(self):
        here = exactly(self._start, self._x.unit)
        start = f"At {valued(self._x.label, here)}"
        row = self._row(self._start)
        if not self._binding:
            read = ", ".join(f"{label} {value}" for label, value in row)
            return f"{start}: {read}."
        if self._across:
            start += f", where {row[0][0]} is {row[0][1]}"
        e = self._binding
        total = float(self._read(e, self._start))
        if not math.isfinite(total):
            return f"{start}, {e.left.label} has no defined value."
        does, would = verbs(self._unit)
        least = isinstance(e.right, sympy.Min)
        parts = [
            (b.left.label, float(self._read(b, self._start))) for b in e.given
        ]
        what = holding(
            parts, total, least=least,
            would="would allow" if least else would,
            reading=lambda v: _shown(v, self._unit),
        )  # fmt: skip
        shown = Quantity(total, self._unit)
        return f"{start}, {e.left.label} {does} {shown}; {what}."

    def _facts(self):
        """Where each pair of equations crosses, or that it never does."""
        found, lines = self.crossings(), []
        for one, other in self._pairs:
            places = [
                f"{x} ({y})" for a, b, x, y in found if (a, b) == (one, other)
            ]
            both = f"{one.left.label} and {other.left.label}"
            if self._binding:
                both = f"balance: {both}"
            if places:
                line = f"{both} cross at {self._x.label} {listed(places)}."
            else:
                ends = self._range.low, self._range.high
                line = (
                    f"{both} never cross between "
                    f"{between(*ends, self._x.unit)}."
                )
            lines.append(capital(line))
        return lines

    def _notes(self):
        """Where a curve has no value, in words."""
        notes = []
        for e, ys in zip(self._curves, self._ys, strict=True):
            places = self._gaps(e, np.isfinite(ys))
            if places:
                notes.append(
                    f"{capital(e.left.label)} has no value for "
                    f"{self._x.label} {listed(places)} (there it would not "
                    f"be {e.allowed})."
                )
        return notes

    def _gaps(self, e, known):
        """Each stretch without a value, its ends found by bisection."""

        def sign(x):
            return 1 if np.isfinite(self._read(e, x)) else -1

        def edge(i):
            pair = float(self._grid[i]), float(self._grid[i + 1])
            return _bisect(sign, *pair, 1 if known[i] else -1)

        turns = [int(i) for i in np.flatnonzero(known[:-1] != known[1:])]
        ends = [self._range.low, *map(edge, turns), self._range.high]
        states = [known[0], *(known[i + 1] for i in turns)]
        return [
            f"between {between(low, high, self._x.unit)}"
            for low, high, state in zip(ends, ends[1:], states, strict=False)
            if not state
        ]

    def _table(self):
        rows = [(x, self._row(x)) for x in self._range.steps()]
        head = [capital(self._x.label), *(label for label, _ in rows[0][1])]
        return head, [
            [Quantity(x, self._x.unit), *(value for _, value in row)]
            for x, row in rows
        ]

    def _as_text(self):
        return "\n".join(
            [
                f"Chart {self._slug}: {self._claim}",
                self._sentence(),
                *self._facts(),
                *self._notes(),
                *map(str, self._dots),
                table(*self._table()).plain,
            ]
        )

    # Pictures

    def _places(self):
        """[(text, x, y)] of crossings, on the axes."""
        for *_, x, y in self.crossings():
            across = self._read(self._across, x) if self._across else x
            yield str(x), float(across), float(y)

    def _ends(self):
        """[(text, x, y, role)]: each curve's name at its right end.

        A name in a stack stands in the middle of its area.
        """
        below = np.zeros(POINTS)
        for e, ys in zip(self._curves, self._ys, strict=True):
            known = np.flatnonzero(np.isfinite(ys) & np.isfinite(self._xs))
            if known.size:
                at = known[-1]
                y = (ys[at] + below[at]) / 2 if self._stack else ys[at]
                yield e.left.label, self._xs[at], y, e.left.role or "total"
            below = ys if self._stack else below
        if self._stack:
            yield self._stack, self._xs[-1], self._ys[-1][-1], "total"

    def svg(self):
        """The chart at its defaults, coordinates rounded to 0.1 pixel."""
        frame = Frame(self._x_axis, self._y_axis)
        axes = frame.axes(
            self._x_unit, self._unit, axis_name(self._x_label, self._x_unit),
            axis_name(self._y_label, self._unit),
        )  # fmt: skip
        return frame.page(
            axes, *self._areas(frame), *self._lines(frame),
            *self._marks(frame), *self._named(frame),
        )  # fmt: skip

    def _runs(self, frame, ys):
        """The unbroken stretches of a curve, in pixels."""
        runs, run = [], []
        for x, y in zip(self._xs, ys, strict=True):
            if np.isfinite(x) and np.isfinite(y):
                run.append((frame.at_x(x), frame.at_y(y)))
            elif run:
                runs.append(run)
                run = []
        return runs + ([run] if run else [])

    def _areas(self, frame):
        below = np.zeros(POINTS)
        for i, ys in enumerate(self._ys if self._stack else []):
            ink = style.LIGHT[self._curves[i].left.role or "total"]
            sides = self._runs(frame, ys), self._runs(frame, below)
            shape = [a + b[::-1] for a, b in zip(*sides, strict=False)]
            yield f"<defs>{tile(f's{i}', HATCHES[i % 6], ink, 0.18)}</defs>"
            yield f'<path d="{svg_path(shape, "Z")}" fill="url(#s{i})"/>'
            below = ys

    def _lines(self, frame):
        roles = [e.left.role or "total" for e in self._curves]
        if self._stack:
            roles[-1] = "total"
        for role, ys in zip(roles, self._ys, strict=True):
            dash = " ".join(map(str, () if self._stack else style.DASH[role]))
            yield (
                f'<path d="{svg_path(self._runs(frame, ys))}" fill="none" '
                f'stroke="{style.LIGHT[role]}" '
                f'stroke-width="{style.WIDTH[role]}"'
                + (f' stroke-dasharray="{dash}"' if dash else "")
                + "/>"
            )

    def _marks(self, frame):
        labels = [
            [text, frame.at_x(x), frame.at_y(y), role]
            for text, x, y, role in self._ends()
        ]
        floor = -math.inf
        for label in sorted(labels, key=lambda label: label[2]):
            label[2] = floor = max(label[2], floor + 18)
        for text, x, y, role in labels:
            yield (
                f'<text x="{x + 7:.1f}" y="{y + 4:.1f}" '
                f'fill="{style.LIGHT[role]}">{escape(text)}</text>'
            )
        for text, x, y in self._places():
            at = frame.at_x(x), frame.at_y(y)
            fits = at[0] - 8 * len(text) > frame.left
            dx, anchor = (-8, "end") if fits else (8, "start")
            yield (
                f'<circle cx="{at[0]:.1f}" cy="{at[1]:.1f}" r="4.5"/>'
                f'<text x="{at[0] + dx:.1f}" y="{at[1] - 9:.1f}" '
                f'text-anchor="{anchor}">{escape(text)}</text>'
            )

    def _named(self, frame):
        dots = [(d, frame.at_x(d.x), frame.at_y(d.y)) for d in self._dots]
        boxes = [(x - 6, y - 6, x + 6, y + 6) for _, x, y in dots]
        for dot, x, y in dots:
            side = _free_side(dot.label, x, y, boxes, frame)
            yield (
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" stroke="#ffffff" '
                f'fill="{style.LIGHT[dot.role]}"/>'
            )
            if side is None:
                continue
            dx, dy, anchor = _SIDES[side]
            yield (
                f'<text x="{x + dx:.1f}" y="{y + dy + 4:.1f}" '
                f'text-anchor="{anchor}" fill="{style.LIGHT[dot.role]}">'
                f"{escape(dot.label)}</text>"
            )

    def pictures(self):
        """A PNG for builders that take neither HTML nor widgets."""
        return {"image/png": base64.b64encode(self.png()).decode()}

    def png(self):
        """The chart at its defaults, drawn by matplotlib."""
        from matplotlib.figure import Figure

        figure = Figure(figsize=(7.2, 4.3), dpi=120, layout="constrained")
        axes = figure.subplots()
        for axis, ruler, unit, name, kind in (
            (self._x_axis, axes.xaxis, self._x_unit, self._x_label, "x"),
            (self._y_axis, axes.yaxis, self._unit, self._y_label, "y"),
        ):
            axes.set(**{f"{kind}scale": axis.scale})
            axes.set(**{f"{kind}lim": (axis.low, axis.high)})
            ticks = axis.ticks()
            ruler.set_ticks(ticks, [tick_text(v, unit) for v in ticks])
            ruler.set_ticks([], minor=True)
            ruler.set_label_text(axis_name(name, unit))
        below = np.zeros(POINTS)
        for i, (e, ys) in enumerate(zip(self._curves, self._ys, strict=True)):
            role = e.left.role or "total"
            ink = style.LIGHT[role]
            if self._stack:
                axes.fill_between(self._xs, below, ys, color=ink, alpha=0.2)
                axes.fill_between(self._xs, below, ys, facecolor="none",
                                  edgecolor=ink, linewidth=0,
                                  hatch=INKED[i % len(INKED)])  # fmt: skip
                below = ys
            axes.plot(self._xs, ys, color=ink, linewidth=style.WIDTH[role],
                      linestyle=_line_style(role))  # fmt: skip
        if self._stack:
            axes.plot(self._xs, self._ys[-1], color=style.LIGHT["total"],
                      linewidth=style.WIDTH["total"])  # fmt: skip
        for text, x, y, role in self._apart():
            axes.annotate(text, (x, y), xytext=(6, 0), va="center",
                          textcoords="offset points", annotation_clip=False,
                          color=style.LIGHT[role])  # fmt: skip
        for text, x, y in self._places():
            axes.plot([x], [y], "o", color=style.LIGHT["total"])
            left = self._x_axis.share(x) < 0.2
            axes.annotate(text, (x, y), xytext=(8 if left else -8, 8),
                          ha="left" if left else "right",
                          textcoords="offset points")  # fmt: skip
        for d in self._dots:
            ink = style.LIGHT[d.role]
            axes.plot([d.x], [d.y], "o", color=ink, markeredgecolor="white")
            axes.annotate(d.label, (d.x, d.y), xytext=(7, 0), va="center",
                          textcoords="offset points", color=ink)  # fmt: skip
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(color="#DDDDDD", linewidth=0.6)
        out = io.BytesIO()
        figure.savefig(out, format="png", metadata={"Software": None})
        return out.getvalue()

    def _apart(self):
        """The names at the curves' ends, a twentieth of the axis apart."""
        labels = sorted(self._ends(), key=lambda end: -end[2])
        ceiling = math.inf
        for text, x, y, role in labels:
            place = min(self._y_axis.share(y), ceiling)
            ceiling = place - 0.055
            yield text, x, self._y_axis.value(place), role


def _shown(value, unit):
    return Quantity(value, unit) if math.isfinite(value) else "undefined"


def _y_label(curves):
    if curves[0].left.unit.text == "s":
        return "time"
    if curves[-1].left.unit.style == "money" and len(curves) > 1:
        return "cost"
    return curves[-1].left.label


def _roots(gap, xs):
    """Every sign change of gap over xs, bisected to the last digit."""
    values, roots = np.asarray(gap(xs)), []
    for i in range(len(xs) - 1):
        a, b = values[i], values[i + 1]
        if a == 0:
            roots.append(float(xs[i]))
        elif a * b < 0:
            roots.append(_bisect(gap, float(xs[i]), float(xs[i + 1]), a))
    return roots


def _bisect(gap, low, high, at_low):
    while True:
        middle = (low + high) / 2
        if not low < middle < high:
            return middle
        value = float(gap(middle))
        if value == 0:
            return middle
        if (value > 0) == (at_low > 0):
            low = middle
        else:
            high = middle


def _line_style(role):
    dash = style.DASH[role]
    return (0, tuple(d / style.WIDTH[role] for d in dash)) if dash else "-"


# Where a dot's name may stand: (right, down, anchor) in pixels.
_SIDES = {
    "right": (9, 0, "start"),
    "left": (-9, 0, "end"),
    "above": (0, -14, "middle"),
    "below": (0, 14, "middle"),
    "upper right": (7, -13, "start"),
    "lower right": (7, 13, "start"),
    "upper left": (-7, -13, "end"),
    "lower left": (-7, 13, "end"),
}


def _free_side(text, x, y, boxes, frame):
    """The first side on which a name covers nothing; it is then taken.

    A name without such a side is left to the list under the picture.
    """
    wide = 7 * len(text)
    for side, (dx, dy, anchor) in _SIDES.items():
        left = x + dx - wide * {"start": 0, "middle": 0.5, "end": 1}[anchor]
        box = left, y + dy - 8, left + wide, y + dy + 8
        inside = box[0] >= frame.left and box[2] <= frame.width - frame.right
        if inside and not any(_overlap(box, other) for other in boxes):
            boxes.append(box)
            return side
    return None


def _overlap(a, b):
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
