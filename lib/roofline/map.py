"""Which limit binds where?  A map of two symbols, cut into named regions."""

import base64
import io
import math
from html import escape

import numpy as np

from roofline import style
from roofline.figure import (
    HATCHES,
    INKED,
    Axis,
    Frame,
    axis_name,
    bound,
    capital,
    controls,
    exactly,
    formula,
    holding,
    inputs_of,
    listed,
    markup,
    svg_path,
    tick_text,
    tile,
    verbs,
)
from roofline.symbols import Symbol
from roofline.text import table
from roofline.units import Quantity
from roofline.widgets import Widget

COLUMNS, ROWS = 48, 32
BEYOND = ("M-1 9L1 11M0 0L10 10M9 -1L11 1", "M-1 1L1 -1M0 10L10 0M9 11L11 9")
# Heights of what has no value, and of the floor that shows through it.
_UNDEFINED, _FLOOR = -1e6, -1e5


class Map(Widget):
    """A plane of two symbols, cut into regions by the limit that binds.

    ``x`` and ``y`` are symbols, over their spans unless ``over`` gives two
    (low, high) pairs; ``limits`` are Equations of one dimension, and at every
    point the largest binds, or with ``least`` the smallest. ``at`` binds all
    symbols; ``start`` is the pair at which the handle stands first.
    ``sliders`` and ``presets`` are those of a Chart. ``beyond`` hatches where
    something is exceeded: (Equation, label) where the axis of the same unit
    lies above it, or ((one, other), label) where one is above the other.
    """

    def __init__(
        self,
        slug,
        x,
        y,
        limits,
        at,
        *,
        claim,
        sliders=(),
        presets=(),
        start=None,
        over=None,
        least=False,
        beyond=(),
        alt=None,
    ):
        self._slug, self._claim, self._least = slug, claim, least
        self._symbols, self._limits = (x, y), tuple(limits)
        if len(self._limits) < 2:
            raise ValueError(f"{slug}: a map needs two limits or more")
        if len({e.left.unit.dimension for e in self._limits}) != 1:
            raise ValueError(f"{slug}: the limits have different dimensions")
        self._beyond = [(*self._pair(what), label) for what, label in beyond]
        self._check_uses(x, y)
        spans = over or (None, None)
        self._axes = tuple(map(Axis.of, (x, y), spans))
        self._start = tuple(
            float(s) for s in start or (a.middle for a in self._axes)
        )
        for symbol, value in zip((x, y), self._start, strict=True):
            symbol.check(value)
        self._at = bound(self._everything, at, (x, y))
        self._unit = self._limits[0].left.unit
        self._draw()
        self._alt = alt or self._described()
        super().__init__(
            spec=self._specified(sliders, presets),
            values=self._at | dict(zip(self._names, self._start, strict=True)),
        )
        self.plain = self._as_text()
        self.html = markup(self.spec, self.svg(), *self._table())

    @property
    def _names(self):
        return [s.name for s in self._symbols]

    @property
    def _everything(self):
        """Every equation or lone symbol that the map evaluates, once."""
        pairs = [e for one, other, _ in self._beyond for e in (one, other)]
        return tuple(dict.fromkeys((*self._limits, *pairs)))

    def _pair(self, what):
        """(one, other) of what is hatched where one is above the other."""
        if isinstance(what, (tuple, list)):
            one, other = what
        else:
            matching = [
                s for s in self._symbols if s.unit.text == what.left.unit.text
            ]
            if len(matching) != 1:
                raise ValueError(
                    f"{self._slug}: {what.name} is in {what.left.unit}, the "
                    f"unit of {len(matching)} axes; give a pair instead"
                )
            one, other = matching[0], what
        units = [getattr(e, "left", e).unit for e in (one, other)]
        if units[0].dimension != units[1].dimension:
            raise ValueError(
                f"{self._slug}: {units[0]} and {units[1]} do not compare"
            )
        return one, other

    def _check_uses(self, x, y):
        if x is y:
            raise ValueError(f"{self._slug}: both axes are {x.name}")
        used = inputs_of(self._limits)
        for s in (x, y):
            if s not in used:
                raise ValueError(f"{self._slug}: no limit depends on {s.name}")

    # Numbers

    def _value(self, e, x, y):
        """Values of an equation over places, NaN where it has none."""
        places = dict(zip(self._names, (x, y), strict=True))
        if isinstance(e, Symbol):
            return np.asarray(places.get(e.name, self._at.get(e.name)))
        return e.where_defined(self._at, **e.own(places))

    def _raw(self, e, x, y):
        """The same without a domain: what is left of HBM may be negative."""
        if isinstance(e, Symbol):
            return self._value(e, x, y)
        places = dict(zip(self._names, (x, y), strict=True))
        with np.errstate(all="ignore"):
            return e._evaluate(e._bind(self._at, e.own(places)))

    def at(self, x, y):
        """[(limit, its Quantity or None)] somewhere on the map."""
        found = []
        for e in self._limits:
            value = float(self._value(e, x, y))
            known = math.isfinite(value)
            found.append((e, Quantity(value, self._unit) if known else None))
        return found

    def binding(self, x, y):
        """The limit that binds somewhere, or None where none has a value."""
        known = [(v, e) for e, v in self.at(x, y) if v is not None]
        best = min if self._least else max
        return best(known, key=lambda pair: pair[0])[1] if known else None

    def exceeded(self, x, y):
        """Labels of the hatched regions that a place lies in."""
        return [
            label
            for one, other, label in self._beyond
            if self._raw(one, x, y) > self._raw(other, x, y)
        ]

    def _draw(self):
        """Cut the plane: the regions of limits, and what lies beyond."""
        columns, rows = (
            a.points(n + 1)
            for a, n in zip(self._axes, (COLUMNS, ROWS), strict=True)
        )
        x, y = np.meshgrid(columns, rows)

        def height(values):
            values = np.broadcast_to(values, x.shape)
            with np.errstate(all="ignore"):
                logs = np.log(np.maximum(values, 0))
            return np.clip(logs, -700, 700), np.isnan(values)

        surfaces = []
        for e in self._limits:
            logs, missing = height(self._value(e, x, y))
            logs = -logs if self._least else logs
            surfaces.append(np.where(missing, _UNDEFINED, logs))
        self._regions = envelope([*surfaces, np.full(x.shape, _FLOOR)])
        self._outside = []
        for one, other, _ in self._beyond:
            pair = [height(self._raw(e, x, y)) for e in (one, other)]
            self._outside.append(
                envelope(
                    [np.where(gone, _UNDEFINED, logs) for logs, gone in pair]
                )
            )

    # The specification that the browser draws

    def _specified(self, sliders, presets):
        x, y = (
            axis.spec(symbol, at)
            for axis, symbol, at in zip(
                self._axes, self._symbols, self._start, strict=True
            )
        )
        return {
            "kind": "map",
            "id": f"map-{self._slug}",
            "alt": self._alt,
            "claim": self._claim,
            "x": x,
            "y": y,
            "values": self._at,
            "least": self._least,
            "unit": self._unit.spec(),
            "limits": [
                formula(e) | {"hatch": HATCHES[i % len(HATCHES)]}
                for i, e in enumerate(self._limits)
            ],
            "beyond": [
                {
                    "label": label,
                    "one": _raw_formula(one),
                    "other": _raw_formula(other),
                    "hatch": BEYOND[i % len(BEYOND)],
                }
                for i, (one, other, label) in enumerate(self._beyond)
            ],
        } | controls(
            self._slug, self._everything, self._at, self._symbols, sliders,
            presets,
        )  # fmt: skip

    # Words

    def _place(self, x, y):
        return listed(
            f"{s.label} {exactly(v, s.unit)}"
            for s, v in zip(self._symbols, (x, y), strict=True)
        )

    def _sentence(self):
        parts = [
            (e.left.label, v)
            for e, v in self.at(*self._start)
            if v is not None
        ]
        start = f"At {self._place(*self._start)}, "
        if not parts:
            return f"{start}no limit has a value."
        best = (min if self._least else max)(v for _, v in parts)
        would = "would allow" if self._least else verbs(self._unit)[1]
        what = holding(parts, best, least=self._least, would=would,
                       reading=str, said=f" at {best}")  # fmt: skip
        over = [f"Hatched here: {w}." for w in self.exceeded(*self._start)]
        return " ".join([f"{start}{what}.", *over])

    def _facts(self):
        """What the map does not hold, in words."""
        seen = set(self._regions.winners.flat)
        absent = [
            e.left.label for i, e in enumerate(self._limits) if i not in seen
        ]
        lines = []
        if absent:
            verb = "bind" if len(absent) > 1 else "binds"
            lines.append(
                f"{capital(listed(absent))} {verb} nowhere in this map."
            )
        lines += [
            f"{capital(label)}: nowhere in this map."
            for (*_, label), cut in zip(
                self._beyond, self._outside, strict=True
            )
            if 0 not in cut.winners
        ]
        return lines

    def _described(self):
        names = listed(e.left.label for e in self._limits)
        x, y = (s.label for s in self._symbols)
        which = "least" if self._least else "largest"
        text = (
            f"Map of {x} against {y}: which of {names} is the {which}, and "
            f"so binds. {self._sentence()}"
        )
        return " ".join([text, *self._facts()])

    def _table(self):
        """Which limit binds at every pair of ticks."""
        x, y = self._symbols
        columns, rows = (a.steps() for a in self._axes)
        head = [f"{capital(y.label)} \\ {x.label}", *map(x.format, columns)]
        return head, [
            [Quantity(v, y.unit), *(self._named(u, v) for u in columns)]
            for v in rows
        ]

    def _named(self, x, y):
        found = self.binding(x, y)
        name = found.left.label if found else "none"
        return "; ".join([name, *self.exceeded(x, y)])

    def _as_text(self):
        here = [
            f"  {e.left.label}: {'none' if v is None else v}"
            for e, v in self.at(*self._start)
        ]
        return "\n".join(
            [
                f"Map {self._slug}: {self._claim}",
                self._sentence(),
                *here,
                *self._facts(),
                table(*self._table()).plain,
            ]
        )

    # Pictures

    def _role(self, i):
        return self._limits[i].left.role or "total"

    def _names_on(self, frame):
        """[(text, x, y, role)] of each region's name, in pixels."""
        wide = (frame.width - frame.left - frame.right) / COLUMNS
        tall = (frame.height - frame.top - frame.bottom) / ROWS
        hatched = [cells(cut.winners, 0) for cut in self._outside]
        taken = np.zeros((ROWS, COLUMNS), dtype=bool)
        wanted = [
            (e.left.label, self._role(i), cells(self._regions.winners, i))
            for i, e in enumerate(self._limits)
        ]
        bare = np.logical_or.reduce([taken, *hatched])
        tries = [(t, r, (m & ~bare, m)) for t, r, m in wanted]
        tries += [
            (label, "total", (m,))
            for (*_, label), m in zip(self._beyond, hatched, strict=True)
        ]
        for text, role, masks in tries:
            size = math.ceil((8 * len(text) + 12) / wide), math.ceil(24 / tall)
            for mask in masks:
                found = room(mask & ~taken, *size)
                if found is None:
                    continue
                i, j = found
                taken[
                    math.floor(j - size[1] / 2) : math.ceil(j + size[1] / 2),
                    math.floor(i - size[0] / 2) : math.ceil(i + size[0] / 2),
                ] = True
                base = frame.height - frame.bottom
                yield text, frame.left + i * wide, base - j * tall, role
                break

    def svg(self):
        """The map at its defaults, coordinates rounded to 0.1 pixel."""
        x, y = self._symbols
        frame = Frame(*self._axes, right=24)
        wide = (frame.width - frame.left - frame.right) / COLUMNS
        tall = (frame.height - frame.top - frame.bottom) / ROWS
        base = frame.height - frame.bottom

        def pixels(points):
            return [
                (round(frame.left + p[0] * wide, 1),
                 round(base - p[1] * tall, 1))
                for p in points
            ]  # fmt: skip

        def area(polygons):
            return svg_path(outlines(map(pixels, polygons)), "Z")

        def border(cut):
            return "".join(
                svg_path(chained(map(tuple, map(pixels, lines))))
                for lines in cut.seams
            )

        tiles, areas = [], []
        for i, e in enumerate(self.spec["limits"]):
            ink = style.LIGHT[self._role(i)]
            tiles.append(tile(f"l{i}", e["hatch"], ink, 0.14))
            d = area(self._regions.pieces[i])
            areas.append(f'<path d="{d}" fill="url(#l{i})"/>')
        lines = [_line(border(self._regions), "#111111", 1.75)]
        for i, cut in enumerate(self._outside):
            tiles.append(tile(f"b{i}", BEYOND[i % len(BEYOND)], "#111111"))
            d = area(cut.pieces[0])
            areas.append(f'<path d="{d}" fill="url(#b{i})"/>')
            lines.append(_line(border(cut), "#57606A", 1.25))
        names = [
            f'<text x="{px:.1f}" y="{py + 4:.1f}" text-anchor="middle" '
            f'font-weight="bold" fill="{style.LIGHT[role]}" stroke="#ffffff" '
            f'stroke-width="4" stroke-linejoin="round" paint-order="stroke">'
            f"{escape(text)}</text>"
            for text, px, py, role in self._names_on(frame)
        ]
        at = frame.at_x(self._start[0]), frame.at_y(self._start[1])
        dot = (
            f'<circle cx="{at[0]:.1f}" cy="{at[1]:.1f}" r="7" '
            'fill="#111111" stroke="#ffffff" stroke-width="2"/>'
        )
        axes = frame.axes(
            x.unit, y.unit, axis_name(x.label, x.unit),
            axis_name(y.label, y.unit),
        )  # fmt: skip
        return frame.page(
            f"<defs>{''.join(tiles)}</defs>", axes, *areas, *lines, *names, dot
        )

    def pictures(self):
        """A PNG for builders that take neither HTML nor widgets."""
        return {"image/png": base64.b64encode(self.png()).decode()}

    def png(self):
        """The map at its defaults, drawn by matplotlib."""
        from matplotlib.collections import LineCollection, PolyCollection
        from matplotlib.figure import Figure

        figure = Figure(figsize=(7.2, 4.3), dpi=120, layout="constrained")
        plane = figure.subplots()
        plane.set_xlim(0, COLUMNS)
        plane.set_ylim(0, ROWS)

        def fill(pieces, **look):
            flat = [[p[:2] for p in piece] for piece in pieces]
            plane.add_collection(PolyCollection(flat, linewidth=0, **look))

        for i in range(len(self._limits)):
            ink = style.LIGHT[self._role(i)]
            fill(self._regions.pieces[i], facecolor=ink, alpha=0.2)
            fill(self._regions.pieces[i], facecolor="none", edgecolor=ink,
                 hatch=INKED[i % len(INKED)])  # fmt: skip
        cuts = [(self._regions, 1.5), *((c, 1.0) for c in self._outside)]
        for cut, wide in cuts:
            flat = [[p[:2] for p in s] for pair in cut.seams for s in pair]
            plane.add_collection(
                LineCollection(flat, color="#111111", linewidth=wide)
            )
        for i, cut in enumerate(self._outside):
            fill(cut.pieces[0], facecolor="none", edgecolor="#111111",
                 hatch=("//", "\\\\")[i % 2])  # fmt: skip
        unit = Frame(*self._axes, width=COLUMNS, height=ROWS, left=0,
                     right=0, top=0, bottom=0)  # fmt: skip
        page = Frame(*self._axes, right=24)
        wide = (page.width - page.left - page.right) / COLUMNS
        tall = (page.height - page.top - page.bottom) / ROWS
        for text, px, py, role in self._names_on(page):
            plane.text(
                (px - page.left) / wide,
                (page.height - page.bottom - py) / tall, text,
                color=style.LIGHT[role], weight="bold", ha="center",
                va="center", bbox={"color": "white", "pad": 2},
            )  # fmt: skip
        plane.plot(unit.at_x(self._start[0]), ROWS - unit.at_y(self._start[1]),
                   "o", color="#111111", markeredgecolor="white",
                   markersize=9)  # fmt: skip
        for axis, symbol, ruler, places in zip(
            self._axes, self._symbols, (plane.xaxis, plane.yaxis),
            (COLUMNS, ROWS), strict=True,
        ):  # fmt: skip
            ticks = axis.ticks()
            ruler.set_ticks(
                [places * axis.share(t) for t in ticks],
                [tick_text(t, symbol.unit) for t in ticks],
            )
            ruler.set_label_text(axis_name(symbol.label, symbol.unit))
        out = io.BytesIO()
        figure.savefig(out, format="png", metadata={"Software": None})
        return out.getvalue()


def _raw_formula(e):
    """A formula without bounds on its result."""
    bare = formula(e)
    return {k: bare[k] for k in ("label", "args", "js")}


def _line(path, ink, wide):
    return (
        f'<path d="{path}" fill="none" stroke="{ink}" stroke-width="{wide}" '
        'stroke-linecap="round"/>'
    )


# The upper envelope of surfaces over a grid: the twin of map.js


class Cut:
    """``winners`` at grid points, ``pieces`` of each, ``seams`` of pairs."""

    def __init__(self, winners, pieces, seams):
        self.winners, self.pieces, self.seams = winners, pieces, seams


def envelope(surfaces):
    """Cut the grid where another surface becomes the highest.

    ``surfaces`` are arrays of heights, rows by columns. On each triangle of
    the grid they are taken as planes, so that the pieces are polygons.
    Points are [column, row, height of each surface].
    """
    stack = np.asarray(surfaces)
    winners = stack.argmax(axis=0)
    whole = sum(cells(winners, kind) for kind in range(len(stack)))
    pieces, seams = [[] for _ in surfaces], {}
    for j in range(ROWS):
        for i in range(COLUMNS):
            square = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)]
            if whole[j, i]:
                pieces[winners[j, i]].append(square)
                continue
            for triangle in (square[:3], [square[0], *square[2:]]):
                _cut(triangle, stack, pieces, seams)
    return Cut(winners, pieces, list(seams.values()))


def _cut(corners, stack, pieces, seams):
    triangle = [[i, j, *stack[:, j, i].tolist()] for i, j in corners]
    every = range(len(stack))
    for one in every:
        piece = triangle
        for other in every:
            if other != one and piece:
                piece = _clip(piece, one, other)
        if len(piece) > 2:
            pieces[one].append(piece)
        for other in every[one + 1 :]:
            line = _seam(triangle, one, other, every)
            if line:
                seams.setdefault((one, other), []).append(line)


def _ahead(point, one, other):
    return point[2 + one] - point[2 + other]


def _mix(p, q, a, b):
    """Where, from p to q, what is a at p and b at q becomes 0."""
    share = a / (a - b)
    return [u + share * (v - u) for u, v in zip(p, q, strict=True)]


def _clip(polygon, one, other):
    kept = []
    for p, q in zip(polygon, [*polygon[1:], polygon[0]], strict=True):
        a, b = _ahead(p, one, other), _ahead(q, one, other)
        if a >= 0:
            kept.append(p)
        if (a >= 0) != (b >= 0):
            kept.append(_mix(p, q, a, b))
    return kept


def _seam(triangle, one, other, every):
    """Where two surfaces meet, as far as no third one is higher.

    It starts where ``one`` falls behind, so that neighbours' seams join.
    """
    line = []
    for p, q in zip(triangle, [*triangle[1:], triangle[0]], strict=True):
        a, b = _ahead(p, one, other), _ahead(q, one, other)
        if (a >= 0) != (b >= 0):
            line.insert(0 if a >= 0 else 1, _mix(p, q, a, b))
    for third in every:
        if third in (one, other) or len(line) < 2:
            continue
        a, b = (_ahead(p, one, third) for p in line)
        if a < 0 and b < 0:
            return []
        if a < 0:
            line[0] = _mix(*line, a, b)
        elif b < 0:
            line[1] = _mix(*line, a, b)
    return line


def outlines(polygons):
    """Closed lines around polygons: an edge of two neighbours is none."""
    edges = {}
    for polygon in polygons:
        points = [tuple(p) for p in polygon]
        for edge in zip(points, [*points[1:], points[0]], strict=True):
            if edge[::-1] in edges:
                del edges[edge[::-1]]
            elif edge[0] != edge[1]:
                edges[edge] = True
    return chained(edges)


def chained(edges):
    """Directed edges joined end to end into lines."""
    after = {}
    for start, end in edges:
        after.setdefault(start, []).append(end)
    ends = {end for _, end in edges}
    lines = []
    for first in sorted(after, key=lambda p: (p in ends, p)):
        while after[first]:
            line = [first]
            while after.get(line[-1]):
                line.append(after[line[-1]].pop())
            lines.append(line)
    return lines


def cells(winners, kind):
    """Which cells have all four corners of one kind."""
    mine = winners == kind
    return mine[:-1, :-1] & mine[1:, :-1] & mine[:-1, 1:] & mine[1:, 1:]


def room(mask, wide, high):
    """The middle (column, row) of the roomiest place of a size, or None."""
    sums = np.zeros((ROWS + 1, COLUMNS + 1), dtype=int)
    sums[1:, 1:] = mask.cumsum(axis=0).cumsum(axis=1)
    for more in (2, 1.4, 1):
        w, h = math.ceil(more * wide), math.ceil(more * high)
        if w > COLUMNS or h > ROWS:
            continue
        inside = sums[h:, w:] - sums[:-h, w:] - sums[h:, :-w] + sums[:-h, :-w]
        found = np.argwhere(inside == w * h)
        if found.size:
            off = found - found.mean(axis=0)
            j, i = found[np.hypot(2 * off[:, 0], off[:, 1]).argmin()]
            return float(i + w / 2), float(j + h / 2)
    return None
