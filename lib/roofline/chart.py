"""How does a curve answer the reader?  One Chart object with four faces.

A live widget where a kernel runs, an interactive figure in a static page, a
picture for print, and plain text with the values at the defaults: all from
the same equations.
"""

import base64
import io
import math
from html import escape
from itertools import combinations

import numpy as np
import sympy

from roofline import style
from roofline.equation import values_of
from roofline.text import table
from roofline.units import Quantity, format_value, near, significant
from roofline.widgets import Widget, as_json

POINTS = 161


class Chart(Widget):
    """Curves of equations over one symbol, with sliders for others.

    ``slug`` names the chart in ids and addresses; ``x`` is the symbol on the
    horizontal axis, over ``over`` (its span unless given), read first at
    ``start``; ``curves`` are Equations of one dimension; ``at`` binds all
    symbols (a Deployment or a dictionary); ``sliders`` are symbols, or a
    dictionary from symbol to (low, high) in base units; ``presets`` are
    Deployments. ``claim`` is the caption, ``alt`` a description that is
    written from the curves unless given. ``crossings`` are pairs of
    Equations; unless given, the branches of a Max are paired.
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
        y_scale="log",
        alt=None,
    ):
        self._x, self._curves = x, tuple(curves)
        self._low, self._high = map(float, over or x.span)
        self._start = float(start or _middle(self._low, self._high, x.scale))
        self._claim, self._slug = claim, slug
        self._y_scale = y_scale
        units = {e.left.unit.dimension for e in self._curves}
        if len(units) != 1:
            raise ValueError(f"{slug}: the curves have different dimensions")
        self._y_label = y_label or _y_label(self._curves)
        self._at = _bound(self._curves, at, x)
        self._binding = next(
            (e for e in self._curves if isinstance(e.right, sympy.Max)), None
        )
        if crossings is None:
            branches = self._binding.given if self._binding else ()
            crossings = tuple(combinations(branches, 2))
        self._pairs = tuple(crossings)
        self._sample()
        self._alt = alt or self._described()
        super().__init__(
            spec=self._specified(sliders, presets),
            values=dict(self._at) | {x.name: self._start},
        )
        self.plain = self._as_text()
        self.html = self._as_html()

    # Numbers

    def _sample(self):
        space = np.geomspace if self._x.scale == "log" else np.linspace
        self._xs = space(self._low, self._high, POINTS)
        self._ys = [e.along(self._x, self._xs, self._at) for e in self._curves]
        if self._y_scale == "log":
            self._ys = [np.where(y > 0, y, np.nan) for y in self._ys]
        finite = np.concatenate([y[np.isfinite(y)] for y in self._ys])
        if not finite.size:
            raise ValueError(f"{self._slug}: no curve has a value to draw")
        self._y_range = _range(finite.min(), finite.max(), self._y_scale)

    def _read(self, e, x):
        """Values of a curve at points of x, NaN where it has none."""
        return e.along(self._x, x, self._at)

    def crossings(self):
        """[(one, other, x, y)]: where each pair of equations is equal."""
        found = []
        for one, other in self._pairs:

            def gap(x, one=one, other=other):
                return self._read(one, x) - self._read(other, x)

            for x in _roots(gap, self._xs):
                y = Quantity(self._read(one, x), one.left.unit)
                found.append((one, other, Quantity(x, self._x.unit), y))
        return found

    def _gaps(self):
        """Where a curve has no value, in words."""
        notes = []
        for e, ys in zip(self._curves, self._ys, strict=True):
            missing = self._xs[~np.isfinite(ys)]
            if missing.size:
                ends = [self._x.format(v) for v in (missing[0], missing[-1])]
                notes.append(
                    f"{e.left.label} has no value between "
                    f"{ends[0]} and {ends[1]} (it must be {e.left.allowed})"
                )
        return notes

    # The specification that the browser draws

    def _specified(self, sliders, presets):
        used = {self._x}
        for e in self._everything():
            used |= set(e.inputs)
        if not isinstance(sliders, dict):
            sliders = {s: s.span for s in sliders}
        for s in sliders:
            if s not in used:
                names = [u.name for u in used]
                raise ValueError(
                    f"{self._slug}: {s.name} moves nothing here"
                    f"{near(s.name, names)}"
                )
        y_symbol = self._curves[-1].left
        return {
            "kind": "chart",
            "id": f"chart-{self._slug}",
            "alt": self._alt,
            "claim": self._claim,
            "x": {
                "symbol": self._x.name,
                "low": self._low,
                "high": self._high,
                "scale": self._x.scale,
                "at": self._start,
            },
            "y": {
                "label": self._y_label,
                "unit": y_symbol.unit.spec(),
                "low": self._y_range[0],
                "high": self._y_range[1],
                "scale": self._y_scale,
            },
            "symbols": {s.name: s.spec() for s in sorted(used, key=str)},
            "values": self._at,
            "sliders": [
                {
                    "symbol": s.name,
                    "low": float(low),
                    "high": float(high),
                    "scale": s.scale,
                }
                for s, (low, high) in sliders.items()
            ],
            "presets": [
                {
                    "label": p.label,
                    "values": _bound(self._curves, p, self._x),
                }
                for p in presets
            ],
            "curves": [_formula(e) for e in self._curves],
            "binding": self._binding
            and {
                "subject": self._binding.left.label,
                "curve": self._binding.name,
                "branches": [_formula(e) for e in self._binding.given],
            },
            "crossings": [
                {"curves": [one.name, other.name], "label": "balance"}
                for one, other in self._pairs
            ],
            "formulas": [
                _formula(e)
                for e in self._everything()
                if e not in self._curves
            ],
        }

    def _everything(self):
        """Every equation that the chart evaluates, each once."""
        branches = self._binding.given if self._binding else ()
        pairs = [e for pair in self._pairs for e in pair]
        return tuple(dict.fromkeys((*self._curves, *branches, *pairs)))

    # Words

    def _described(self):
        names = ", ".join(e.left.label for e in self._curves)
        ends = [self._x.format(v) for v in (self._low, self._high)]
        text = (
            f"Chart of {names} against {self._x.label}, from {ends[0]} to "
            f"{ends[1]}. {self._sentence()}"
        )
        return " ".join([text, *self._crossing_sentences()])

    def _sentence(self):
        read = ", ".join(
            f"{e.left.label} {y}"
            for e, y in self._row(self._start)
            if isinstance(y, Quantity)
        )
        text = f"At {self._x.label} {self._x.format(self._start)}: {read}."
        if self._binding:
            at = {self._x.name: self._start}
            who = self._binding.binding(self._at, **at)
            text += f" {_first_upper(who.label)} binds."
        return text

    def _crossing_sentences(self):
        found = self.crossings()
        lines = [
            f"{_first_upper(one.left.label)} and {other.left.label} cross at "
            f"{x} ({y})."
            for one, other, x, y in found
        ]
        ends = [self._x.format(v) for v in (self._low, self._high)]
        for one, other in self._pairs:
            if (one, other) not in [(a, b) for a, b, *_ in found]:
                lines.append(
                    f"{_first_upper(one.left.label)} and "
                    f"{other.left.label} never cross between {ends[0]} and "
                    f"{ends[1]}."
                )
        return lines

    def _table(self):
        head = [self._x.label, *(e.left.label for e in self._curves)]
        steps = _round_steps(self._low, self._high, self._x.scale)
        return head, [
            [Quantity(x, self._x.unit), *(y for _, y in self._row(x))]
            for x in steps
        ]

    def _row(self, x):
        """[(equation, its Quantity at x, or "none")]."""
        row = []
        for e in self._curves:
            y = float(self._read(e, x))
            shown = Quantity(y, e.left.unit) if math.isfinite(y) else "none"
            row.append((e, shown))
        return row

    def _as_text(self):
        return "\n".join(
            [
                f"Chart {self._slug}: {self._claim}",
                self._sentence(),
                *self._crossing_sentences(),
                *self._gaps(),
                table(*self._table()).plain,
            ]
        )

    # Pictures

    def _as_html(self):
        picture = base64.b64encode(self.svg().encode()).decode()
        head, rows = self._table()
        heads = "".join(f'<th scope="col">{escape(h)}</th>' for h in head)
        lines = "".join(
            '<tr><th scope="row">'
            + "</th><td>".join(escape(str(c)) for c in row[:1])
            + "</th>"
            + "".join(f"<td>{escape(str(c))}</td>" for c in row[1:])
            + "</tr>"
            for row in rows
        )
        return (
            f'<figure class="roofline roofline-chart" '
            f'id="{self.spec["id"]}">\n'
            f'<div class="roofline-stage"><img class="roofline-picture" '
            f'alt="{escape(self._alt)}" '
            f'src="data:image/svg+xml;base64,{picture}"></div>\n'
            f'<details class="roofline-values">'
            f"<summary>Table of values</summary>"
            f"<table><thead><tr>{heads}</tr></thead>"
            f"<tbody>{lines}</tbody></table></details>\n"
            f'<figcaption class="roofline-claim">{escape(self._claim)}'
            f"</figcaption>\n"
            f'<script type="application/json" class="roofline-spec">'
            f"{as_json(self.spec)}</script>\n</figure>"
        )

    def svg(self):
        """The chart at its defaults, coordinates rounded to 0.1 pixel."""
        return _Picture(self).svg()

    def pictures(self):
        """A PNG for builders that take neither HTML nor widgets."""
        return {"image/png": base64.b64encode(self.png()).decode()}

    def png(self):
        """The chart at its defaults, drawn by matplotlib."""
        from matplotlib.figure import Figure

        figure = Figure(figsize=(7.2, 4.3), dpi=120, layout="constrained")
        axes = figure.subplots()
        axes.set_xscale(self._x.scale)
        axes.set_yscale(self._y_scale)
        axes.set_xlim(self._low, self._high)
        axes.set_ylim(*self._y_range)
        for e, ys in zip(self._curves, self._ys, strict=True):
            role = e.left.role or "total"
            axes.plot(self._xs, ys, color=style.LIGHT[role],
                      linewidth=style.WIDTH[role],
                      linestyle=_line_style(role))  # fmt: skip
        for label in _end_labels(self):
            axes.annotate(label.text, (label.x, label.y), xytext=(6, 0),
                          textcoords="offset points", va="center",
                          color=label.colour, annotation_clip=False)  # fmt: skip  # noqa: E501
        for *_, x, y in self.crossings():
            axes.plot([x], [y], "o", color=style.LIGHT["total"])
            axes.annotate(str(x), (x, y), xytext=(-8, 8), ha="right",
                          textcoords="offset points")  # fmt: skip
        for axis, ticks, name in (
            (axes.xaxis, _ticks(self._low, self._high, self._x.scale),
             lambda v: _tick(v, self._x.unit)),
            (axes.yaxis, _ticks(*self._y_range, self._y_scale),
             lambda v: _tick(v, self._curves[-1].left.unit)),
        ):  # fmt: skip
            axis.set_ticks(ticks, [name(v) for v in ticks])
            axis.set_ticks([], minor=True)
        axes.set_xlabel(f"{self._x.label} ({self._x.unit.suffix})")
        axes.set_ylabel(self._y_label)
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(color="#DDDDDD", linewidth=0.6)
        out = io.BytesIO()
        figure.savefig(out, format="png", metadata={"Software": None})
        return out.getvalue()


def _formula(e):
    return {
        "name": e.name,
        "label": e.left.label,
        "role": e.left.role or "total",
        "unit": e.left.unit.spec(),
        "low": e.left.low,
        "low_allowed": e.left.low_allowed,
        "args": [s.name for s in e.inputs],
        "js": e.javascript(),
    }


def _bound(curves, at, x):
    """{name: float} of every symbol that the curves need, but x."""
    known, bound = values_of(at), {}
    for e in curves:
        for s in e.inputs:
            if s is x:
                continue
            value = known.get(s.name, s.value)
            if value is None:
                raise LookupError(
                    f"{e.name} needs {s.name} ({s.unit}): {s.says}"
                )
            s.check(float(value))
            bound[s.name] = float(value)
    return dict(sorted(bound.items()))


def _y_label(curves):
    if curves[0].left.unit.text == "s":
        return "time"
    return curves[-1].left.label


def _first_upper(text):
    return text[:1].upper() + text[1:]


def _middle(low, high, scale):
    """A round number in the middle of a range."""
    middle = math.sqrt(low * high) if scale == "log" else (low + high) / 2
    return float(significant(middle, 1))


def _range(low, high, scale):
    """Whole decades, or round linear ends, that hold every value."""
    if scale == "log":
        down = 10.0 ** math.floor(math.log10(low) + 1e-9)
        up = 10.0 ** math.ceil(math.log10(high) - 1e-9)
        return down, up if up > down else down * 10
    ticks = _ticks(min(low, 0.0), high, scale)
    step = ticks[1] - ticks[0]
    return float(ticks[0]), float(step * math.ceil(high / step - 1e-9))


def _ticks(low, high, scale):
    """Tick positions: decades, or four to seven round steps."""
    if scale == "log":
        first, last = round(math.log10(low)), round(math.log10(high))
        every = max(1, math.ceil((last - first) / 7))
        return [10.0**p for p in range(first, last + 1, every)]
    rough = (high - low) / 5
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(m * power for m in (1, 2, 5, 10) if m * power >= rough)
    count = math.floor(high / step + 1e-9) - math.ceil(low / step - 1e-9)
    first = math.ceil(low / step - 1e-9)
    return [(first + i) * step for i in range(count + 1)]


def _round_steps(low, high, scale):
    inside = [v for v in _ticks(low, high, scale) if low <= v <= high]
    return inside if len(inside) > 1 else [low, high]


def _tick(value, unit):
    """A tick's text: quantities keep their unit, counts print alone."""
    if unit.style == "count":
        return format_value(value, "1", 2)
    return format_value(value, unit, 2)


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


class _Label:
    """A curve's name at its right end."""

    def __init__(self, text, x, y, colour):
        self.text, self.x, self.y, self.colour = text, x, y, colour


def _end_labels(chart):
    """One label a curve, at its last finite point, dodging each other."""
    labels = []
    for e, ys in zip(chart._curves, chart._ys, strict=True):
        last = np.flatnonzero(np.isfinite(ys))
        if last.size:
            labels.append(
                _Label(
                    e.left.label,
                    float(chart._xs[last[-1]]),
                    float(ys[last[-1]]),
                    style.LIGHT[e.left.role or "total"],
                )
            )
    return _dodged(labels, chart._y_range, chart._y_scale)


def _dodged(labels, y_range, scale):
    """Labels moved apart to at least a twentieth of the axis."""
    low, high = y_range

    def place(y):
        if scale == "log":
            return math.log(y / low) / math.log(high / low)
        return (y - low) / (high - low)

    def back(p):
        return low * (high / low) ** p if scale == "log" else (
            low + p * (high - low))  # fmt: skip

    labels.sort(key=lambda label: -label.y)
    floor = math.inf
    for label in labels:
        p = min(place(label.y), floor)
        label.y, floor = back(p), p - 0.055
    return labels


class _Picture:
    """The fallback picture: axes, curves, labels, crossings, as SVG."""

    width, height = 720, 420
    left, right, top, bottom = 74, 120, 14, 50

    def __init__(self, chart):
        self.chart = chart

    def _at_x(self, x):
        c = self.chart
        share = _share(x, c._low, c._high, c._x.scale)
        return self.left + share * (self.width - self.left - self.right)

    def _at_y(self, y):
        share = _share(y, *self.chart._y_range, self.chart._y_scale)
        inside = self.height - self.top - self.bottom
        return self.height - self.bottom - share * inside

    def svg(self):
        return (
            '<svg xmlns="http://www.w3.org/2000/svg" '
            f'viewBox="0 0 {self.width} {self.height}" '
            'font-family="sans-serif" font-size="13">'
            f'<rect width="{self.width}" height="{self.height}" '
            'fill="#ffffff"/>'
            + "".join([*self._axes(), *self._lines(), *self._marks()])
            + "</svg>"
        )

    def _axes(self):
        c, grid = self.chart, "#DDDDDD"
        right, base = self.width - self.right, self.height - self.bottom
        for x in _ticks(c._low, c._high, c._x.scale):
            at = f"{self._at_x(x):.1f}"
            yield (
                f'<path d="M{at} {self.top}V{base}" stroke="{grid}"/>'
                f'<text x="{at}" y="{base + 18}" text-anchor="middle">'
                f"{escape(_tick(x, c._x.unit))}</text>"
            )
        for y in _ticks(*c._y_range, c._y_scale):
            at = self._at_y(y)
            yield (
                f'<path d="M{self.left} {at:.1f}H{right}" stroke="{grid}"/>'
                f'<text x="{self.left - 6}" y="{at + 4:.1f}" '
                f'text-anchor="end">'
                f"{escape(_tick(y, c._curves[-1].left.unit))}</text>"
            )
        middle = (self.left + right) / 2
        across = (self.top + base) / 2
        named = f"{c._x.label} ({c._x.unit.suffix})"
        yield (
            f'<text x="{middle:.1f}" y="{self.height - 8}" '
            f'text-anchor="middle">{escape(named)}</text>'
            f'<text transform="translate(14 {across:.1f}) rotate(-90)" '
            f'text-anchor="middle">{escape(c._y_label)}</text>'
        )

    def _lines(self):
        c = self.chart
        for e, ys in zip(c._curves, c._ys, strict=True):
            role = e.left.role or "total"
            dash = " ".join(map(str, style.DASH[role]))
            yield (
                f'<path d="{self._path(ys)}" fill="none" '
                f'stroke="{style.LIGHT[role]}" '
                f'stroke-width="{style.WIDTH[role]}"'
                + (f' stroke-dasharray="{dash}"' if dash else "")
                + "/>"
            )

    def _path(self, ys):
        runs, run = [], []
        for x, y in zip(self.chart._xs, ys, strict=True):
            if np.isfinite(y):
                run.append((self._at_x(x), self._at_y(y)))
            elif run:
                runs.append(run)
                run = []
        runs += [run] if run else []
        return "".join(
            "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in _thinned(run))
            for run in runs
        )

    def _marks(self):
        for label in _end_labels(self.chart):
            yield (
                f'<text x="{self._at_x(label.x) + 7:.1f}" '
                f'y="{self._at_y(label.y) + 4:.1f}" fill="{label.colour}">'
                f"{escape(label.text)}</text>"
            )
        for *_, x, y in self.chart.crossings():
            at = self._at_x(x), self._at_y(y)
            yield (
                f'<circle cx="{at[0]:.1f}" cy="{at[1]:.1f}" r="4.5"/>'
                f'<text x="{at[0] - 8:.1f}" y="{at[1] - 9:.1f}" '
                f'text-anchor="end">{escape(str(x))}</text>'
            )


def _share(value, low, high, scale):
    if scale == "log":
        return math.log(value / low) / math.log(high / low)
    return (value - low) / (high - low)


def _thinned(points, within=0.05):
    """Fewest points whose line stays within so many pixels of them all."""
    if len(points) < 3:
        return points
    (x0, y0), (x1, y1) = points[0], points[-1]
    slope = (y1 - y0) / (x1 - x0)
    off = [abs(y0 + slope * (x - x0) - y) for x, y in points]
    worst = max(range(len(points)), key=off.__getitem__)
    if off[worst] <= within:
        return [points[0], points[-1]]
    left = _thinned(points[: worst + 1], within)
    return left[:-1] + _thinned(points[worst:], within)
