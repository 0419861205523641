"""What happens step by step?  Tables that Python computed, played back.

No formula runs in the page: every setting that the reader can choose has its
own tables, stored once each and packed tightly.
"""

import base64
import io
import itertools
import math
from dataclasses import dataclass, field
from fractions import Fraction
from html import escape

from roofline import style
from roofline.figure import (
    HATCHES,
    INKED,
    capital,
    listed,
    markup,
    tile,
)
from roofline.symbols import SYMBOLS
from roofline.text import table as text_table
from roofline.units import near
from roofline.widgets import Widget, as_json

MOST = 400_000  # characters of JSON that a page may carry for one stepper
_ORDER = ("compute", "memory", "kv", "network", "total", "limit")
PATTERNS = dict(zip(_ORDER, HATCHES, strict=True))


@dataclass(frozen=True)
class Grid:
    """One table: rows of cells "", text, (text, role) or (text, role, share).

    Without a role a cell has no colour; a share from 0 to 1 sets its depth.
    ``rows`` and ``columns`` name the lines, one by one or by a noun that is
    counted ("stage" gives "stage 1").
    ``says`` is a sentence about the table; ``legend`` names roles;
    ``joined`` draws equal neighbours of a row as one box.
    """

    cells: tuple
    says: str = ""
    rows: object = "row"
    columns: object = "column"
    legend: dict = field(default_factory=dict)
    joined: bool = False

    def __post_init__(self):
        cells = tuple(tuple(map(_cell, row)) for row in self.cells)
        wide = {len(row) for row in cells}
        if len(wide) != 1 or wide == {0}:
            raise ValueError(f"rows of unlike length: {sorted(wide)}")
        object.__setattr__(self, "cells", cells)
        for names, count in (
            (self.rows, len(cells)),
            (self.columns, len(cells[0])),
        ):
            if not isinstance(names, str) and len(names) != count:
                raise ValueError(f"{len(names)} names for {count} lines")

    @classmethod
    def timeline(
        cls, boxes, says="", *, rows="row", columns="slot", legend=()
    ):
        """A table from boxes (row, start, duration, text, role) in time.

        Starts and durations are numbers; the columns are as long as their
        largest common measure.
        """
        boxes = [(r, Fraction(s), Fraction(d), t, role)
                 for r, s, d, t, role in boxes]  # fmt: skip
        times = [t for _, s, d, *_ in boxes for t in (s, d)]
        scale = math.lcm(*(t.denominator for t in times))
        unit = Fraction(math.gcd(*(int(t * scale) for t in times)), scale)
        count = 1 + max(r for r, *_ in boxes)
        width = max(int((s + d) / unit) for _, s, d, *_ in boxes)
        cells = [[""] * width for _ in range(count)]
        for row, begin, long, text, role in boxes:
            for i in range(int(begin / unit), int((begin + long) / unit)):
                cells[row][i] = (text, role)
        return cls(cells, says, rows, columns, dict(legend), joined=True)

    @classmethod
    def schedule(cls, schedule, says=""):
        """The timeline of a pipeline Schedule, a row a stage."""
        roles = {"forward": "compute", "backward": "memory", "weights": "kv"}
        boxes = [
            (c.stage, c.start, c.duration, _task(c), roles[c.kind])
            for c in schedule.cells
        ]
        used = {c.kind for c in schedule.cells}
        legend = {role: kind for kind, role in roles.items() if kind in used}
        return cls.timeline(boxes, says, rows="stage", columns="slot",
                            legend=legend)  # fmt: skip

    def row_name(self, i):
        return _name(self.rows, i)

    def column_name(self, j):
        return _name(self.columns, j)


def _task(cell):
    """A box's text: the micro-batch, and the chunk or token if there are."""
    marks = [chr(ord("a") + cell.chunk)] if cell.chunk else []
    marks += [f"'{cell.turn + 1}"] if getattr(cell, "turn", 0) else []
    return "".join([str(cell.micro_batch + 1), *marks])


def _cell(given):
    """(text, role, share) of a cell as an author writes it."""
    parts = given if isinstance(given, tuple) else (given,)
    text, role, share = parts + (None,) * (3 - len(parts))
    text, role = str(text), role or ""
    if role and role not in style.ROLES:
        raise ValueError(f'no role "{role}"{near(role, style.ROLES)}')
    if share is not None and not 0 <= share <= 1:
        raise ValueError(f"{share} is no share between 0 and 1")
    return text, role, None if share is None else round(float(share), 3)


def _name(names, i):
    return f"{names} {i + 1}" if isinstance(names, str) else str(names[i])


class Stepper(Widget):
    """Tables stepped through, by hand or by themselves, for every setting.

    ``table`` is one Grid, whose columns then appear one by one, or a list of
    Grids, one a step, each with its sentence; or a function of the settings
    that gives either, or a text why there is none. ``settings`` maps names
    to the values that the reader can choose, and ``start`` to those chosen
    first (and ``step`` to the first step, from 1). ``empty`` is what an empty
    cell is called.

        Stepper("schedules", lambda **s: Grid.schedule(Schedule(**s)),
                settings={"kind": ["gpipe", "1f1b"], "stages": range(2, 9),
                          "micro_batches": range(1, 17)},
                claim="More micro-batches leave less of the step idle.")
    """

    def __init__(
        self,
        slug,
        table,
        *,
        claim,
        settings=None,
        start=None,
        empty="idle",
        alt=None,
    ):
        self._slug, self._claim, self._empty = slug, claim, empty
        self._settings = {n: list(v) for n, v in (settings or {}).items()}
        names = [*self._settings, "step"]
        for name in start or {}:
            if name not in names:
                raise ValueError(f'{slug}: no "{name}"{near(name, names)}')
        make = table if callable(table) else lambda: table
        self._runs = {
            chosen: self._made(make(**dict(zip(self._settings, chosen,
                                               strict=True))))
            for chosen in itertools.product(*self._settings.values())
        }  # fmt: skip
        self._start = self._chosen(dict(start or {}))
        self._run = self._runs[self._start]
        if isinstance(self._run, str):
            raise ValueError(f"{slug}: nothing to start with: {self._run}")
        last = len(self._steps(self._run))
        first = last if isinstance(self._run, Grid) else 1
        self._step = (start or {}).get("step", first)
        if not 1 <= self._step <= last:
            raise ValueError(f"{slug}: step {self._step} of {last}")
        self._alt = alt or f"{claim} {self._sentence()}"
        spec = self._specified()
        size = len(as_json(spec))
        if size > MOST:
            raise ValueError(
                f"{slug}: the tables of {len(self._runs)} settings take "
                f"{size:,} characters, more than {MOST:,}; offer fewer"
            )
        chosen = dict(zip(self._settings, self._start, strict=True))
        super().__init__(spec=spec, values=chosen | {"step": self._step})
        self.plain = self._as_text()
        self.html = markup(spec, self.svg(), *self._table())

    def _made(self, run):
        """A Grid, a tuple of Grids with sentences, or a reason."""
        if isinstance(run, (Grid, str)):
            return run
        run = tuple(run)
        if not run or not all(isinstance(g, Grid) and g.says for g in run):
            raise ValueError(f"{self._slug}: each step needs a Grid that says")
        return run

    def _chosen(self, start):
        chosen = []
        for name, values in self._settings.items():
            value = start.get(name, values[0])
            if value not in values:
                raise ValueError(f"{self._slug}: {name} is never {value}")
            chosen.append(value)
        return tuple(chosen)

    def _steps(self, run):
        return range(len(run.cells[0])) if isinstance(run, Grid) else run

    @property
    def _grid(self):
        """The table that stands there at the start."""
        run = self._run
        return run if isinstance(run, Grid) else run[self._step - 1]

    # Words

    def _sentence(self):
        grid = self._grid
        if not isinstance(self._run, Grid):
            return grid.says
        j = self._step - 1
        busy, idle = [], []
        for i, row in enumerate(grid.cells):
            text, role, _ = row[j]
            kind = grid.legend.get(role)
            words = [grid.row_name(i), *([kind] if kind else []), text]
            if text:
                busy.append(" ".join(words))
            else:
                idle.append(grid.row_name(i))
        parts = busy + ([f"{listed(idle)} {self._empty}"] if idle else [])
        return f"{capital(grid.column_name(j))}: {', '.join(parts)}."

    def _facts(self):
        run = self._run
        return [run.says] if isinstance(run, Grid) and run.says else []

    def _table(self):
        grid, last = self._grid, self._shown()
        head = [
            "",
            *(grid.column_name(j) for j in range(last)),
        ]
        return head, [
            [grid.row_name(i), *(text for text, *_ in row[:last])]
            for i, row in enumerate(grid.cells)
        ]

    def _shown(self):
        """How many columns stand there at the start."""
        whole = not isinstance(self._run, Grid)
        return len(self._grid.cells[0]) if whole else self._step

    def _as_text(self):
        lines = [f"Stepper {self._slug}: {self._claim}"]
        for name, values in self._settings.items():
            chosen = dict(zip(self._settings, self._start, strict=True))[name]
            lines.append(f"{_words(name)}: {chosen} (of {_range(values)})")
        steps = len(self._steps(self._run))
        lines.append(f"Step {self._step} of {steps}. {self._sentence()}")
        head, rows = self._table()
        counted = isinstance(self._grid.columns, str)
        if counted:
            head = ["", *(str(j + 1) for j in range(len(head) - 1))]
        return "\n".join(
            [*lines, *self._facts(), text_table(head, rows).plain]
        )

    # What the browser gets

    def _specified(self):
        grids = [
            g
            for run in self._runs.values()
            if not isinstance(run, str)
            for g in ([run] if isinstance(run, Grid) else run)
        ]
        cells = sorted({c for g in grids for row in g.cells for c in row},
                       key=_natural)  # fmt: skip
        if cells[0][0]:
            cells.insert(0, ("", "", None))
        index = {cell: i for i, cell in enumerate(cells)}
        names, tables, legend = {}, {}, {}

        def stored(grid):
            legend.update(grid.legend)
            rows, columns = (
                n if isinstance(n, str) else tuple(map(str, n))
                for n in (grid.rows, grid.columns)
            )
            key = (
                tuple(packed([index[c] for c in row]) for row in grid.cells),
                names.setdefault(rows, len(names)),
                names.setdefault(columns, len(names)),
                grid.joined,
            )
            return tables.setdefault(key, len(tables))

        runs = []
        for run in self._runs.values():
            if isinstance(run, str):
                runs.append({"none": run})
            elif isinstance(run, Grid):
                runs.append({"table": stored(run), "says": run.says})
            else:
                runs.append({"frames": [[stored(g), g.says] for g in run]})
        roles = [r for r in _ORDER if any(role == r for _, role, _ in cells)]
        return {
            "kind": "stepper",
            "id": f"stepper-{self._slug}",
            "alt": self._alt,
            "claim": self._claim,
            "empty": self._empty,
            "step": self._step,
            "settings": [
                {"name": name, "label": _words(name), "values": values,
                 "at": chosen}
                for (name, values), chosen in zip(
                    self._settings.items(), self._start, strict=True)
            ],
            "cells": [
                [t, r] if share is None else [t, r, share]
                for t, r, share in cells
            ],
            "names": [n if isinstance(n, str) else list(n) for n in names],
            "tables": [
                {"cells": list(rows), "rows": r, "columns": c, "joined": j}
                for rows, r, c, j in tables
            ],
            "runs": runs,
            "roles": {r: PATTERNS[r] for r in roles},
            "legend": legend,
            "symbols": {},
            "sliders": [],
            "presets": [],
        }  # fmt: skip

    # Pictures

    def _boxes(self):
        """[(row, first column, width, cell)] of what stands there."""
        grid, last = self._grid, self._shown()
        for i, row in enumerate(grid.cells):
            j = 0
            while j < last:
                wide = 1
                while grid.joined and j + wide < last and (
                    row[j + wide] == row[j]
                ):  # fmt: skip
                    wide += 1
                if row[j][0] or row[j][1]:
                    yield i, j, wide, row[j]
                j += wide

    def _sizes(self):
        """(left margin, cell width, cell height) of the picture."""
        grid = self._grid
        rows, columns = len(grid.cells), len(grid.cells[0])
        left = 14 + 7.5 * max(len(grid.row_name(i)) for i in range(rows))
        wide = min(64, (720 - left - 10) / columns)
        return left, wide, min(max(wide, 12 if rows > 16 else 26), 36)

    def svg(self):
        """The table at the start, coordinates rounded to 0.1 pixel."""
        grid = self._grid
        left, wide, tall = self._sizes()
        rows, columns = len(grid.cells), len(grid.cells[0])
        top = 26
        height = top + rows * tall + 36
        parts = [
            tile(f"r{role}", drawing, style.LIGHT[role], 0.16)
            for role, drawing in self.spec["roles"].items()
        ]
        parts = ["<defs>", *parts, "</defs>"]
        for i in range(rows):
            if i % max(1, math.ceil(14 / tall)) == 0:
                parts.append(
                    f'<text x="{left - 8:.1f}" '
                    f'y="{top + (i + 0.5) * tall + 4:.1f}" '
                    f'text-anchor="end">{escape(grid.row_name(i))}</text>'
                )
        heads = _heads(grid)
        every = max(1, math.ceil((7.5 * max(map(len, heads)) + 6) / wide))
        for j in range(0, columns, every):
            parts.append(
                f'<text x="{left + (j + 0.5) * wide:.1f}" y="{top - 8}" '
                f'text-anchor="middle">{escape(heads[j])}</text>'
            )
        parts.append(
            f'<rect x="{left:.1f}" y="{top}" width="{columns * wide:.1f}" '
            f'height="{rows * tall:.1f}" fill="none" stroke="#DDDDDD"/>'
        )
        for i, j, span, (text, role, share) in self._boxes():
            ink = style.LIGHT[role] if role else "#BBBBBB"
            x, y = left + j * wide, top + i * tall
            fill = f"url(#r{role})" if role else "none"
            if share is not None:
                fill = f'{ink}" fill-opacity="{0.42 * share:.2f}'
            parts.append(
                f'<rect x="{x + 1:.1f}" y="{y + 1:.1f}" '
                f'width="{span * wide - 2:.1f}" height="{tall - 2:.1f}" '
                f'fill="{fill}" stroke="{ink}"/>'
            )
            if 7 * len(text) <= span * wide and tall >= 14:
                parts.append(
                    f'<text x="{x + span * wide / 2:.1f}" '
                    f'y="{y + tall / 2 + 4:.1f}" text-anchor="middle" '
                    f'font-size="12">{escape(text)}</text>'
                )
        x = left
        for role, word in self.spec["legend"].items():
            parts.append(
                f'<rect x="{x:.1f}" y="{height - 24:.1f}" width="16" '
                f'height="16" fill="url(#r{role})" '
                f'stroke="{style.LIGHT[role]}"/><text x="{x + 22:.1f}" '
                f'y="{height - 11:.1f}">{escape(word)}</text>'
            )
            x += 44 + 7.5 * len(word)
        return (
            '<svg xmlns="http://www.w3.org/2000/svg" '
            f'viewBox="0 0 720 {height:.0f}" font-family="sans-serif" '
            f'font-size="13"><rect width="720" height="{height:.0f}" '
            f'fill="#ffffff"/>{"".join(parts)}</svg>'
        )

    def pictures(self):
        """A PNG for builders that take neither HTML nor widgets."""
        return {"image/png": base64.b64encode(self.png()).decode()}

    def png(self):
        """The table at the start, drawn by matplotlib."""
        from matplotlib.figure import Figure
        from matplotlib.patches import Rectangle

        grid = self._grid
        rows, columns = len(grid.cells), len(grid.cells[0])
        _, wide, tall = self._sizes()
        size = 7.2, 7.2 * rows * tall / 720 + 0.9
        figure = Figure(figsize=size, dpi=120, layout="constrained")
        axes = figure.subplots()
        axes.set_xlim(0, columns)
        axes.set_ylim(rows, 0)
        for i, j, span, (text, role, share) in self._boxes():
            ink = style.LIGHT[role] if role else "#BBBBBB"
            deep = 0.16 if share is None else 0.42 * share
            deep = deep if role else 0
            axes.add_patch(Rectangle((j, i), span, 1, facecolor=ink,
                                     alpha=deep, linewidth=0))  # fmt: skip
            hatch = None
            if share is None and role:
                hatch = INKED[_ORDER.index(role)]
            axes.add_patch(Rectangle((j, i), span, 1, fill=False,
                                     edgecolor=ink, hatch=hatch))  # fmt: skip
            if 7 * len(text) <= span * wide and tall >= 14:
                axes.text(j + span / 2, i + 0.5, text, ha="center",
                          va="center", fontsize=8)  # fmt: skip
        heads = _heads(grid)
        every = max(1, math.ceil((8 * max(map(len, heads)) + 6) / wide))
        axes.set_xticks([j + 0.5 for j in range(0, columns, every)],
                        heads[::every])  # fmt: skip
        skip = max(1, math.ceil(14 / tall))
        axes.set_yticks([i + 0.5 for i in range(0, rows, skip)],
                        [grid.row_name(i) for i in range(0, rows, skip)])  # fmt: skip  # noqa: E501
        axes.tick_params(length=0)
        axes.xaxis.tick_top()
        words = [f"{word}: {role}" for role, word in grid.legend.items()]
        handles = [
            Rectangle((0, 0), 1, 1, facecolor="none",
                      edgecolor=style.LIGHT[role],
                      hatch=INKED[_ORDER.index(role)])
            for role in grid.legend
        ]  # fmt: skip
        if words:
            axes.legend(handles, list(grid.legend.values()), frameon=False,
                        ncols=len(words), loc="upper left",
                        bbox_to_anchor=(0, 0))  # fmt: skip
        out = io.BytesIO()
        figure.savefig(out, format="png", metadata={"Software": None})
        return out.getvalue()


def _heads(grid):
    """Short names of the columns: a noun is left out."""
    counted = isinstance(grid.columns, str)
    return [
        str(j + 1) if counted else grid.column_name(j)
        for j in range(len(grid.cells[0]))
    ]


def _words(name):
    """What a setting is called: like the symbol of its name, if any."""
    known = SYMBOLS.get(name)
    return known.label if known else name.replace("_", " ")


def _range(values):
    whole = all(isinstance(v, int) for v in values)
    if whole and values == list(range(values[0], values[-1] + 1)):
        return f"{values[0]} to {values[-1]}"
    return ", ".join(map(str, values))


def _natural(cell):
    """Empty first, then by role, and "2" before "10"."""
    text, role, share = cell
    return (bool(text), role, len(text), text, share or 0)


def packed(numbers):
    """Whole numbers as text: runs of one number, and runs that count up.

    >>> packed([0, 0, 0, 4, 5, 6, 9])
    '0*3,4+3,9'
    """
    tokens, i = [], 0
    while i < len(numbers):
        for sign, rise in (("*", 0), ("+", 1)):
            long = 1
            while (
                i + long < len(numbers)
                and numbers[i + long] == numbers[i] + rise * long
            ):
                long += 1
            if long > 1:
                break
        tokens.append(f"{numbers[i]}{sign}{long}" if long > 1
                      else str(numbers[i]))  # fmt: skip
        i += long
    return ",".join(tokens)
