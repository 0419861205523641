"""How do several machines compare?  One equation for each, as bars."""

import base64
import io
import math
from html import escape

from roofline import style
from roofline.equation import values_of
from roofline.figure import (
    Axis,
    Frame,
    axis_name,
    bound,
    capital,
    controls,
    exactly,
    formula,
    listed,
    markup,
    tick_text,
)
from roofline.text import table
from roofline.units import Quantity, format_value, unit
from roofline.widgets import Widget


class Bars(Widget):
    """One equation for several deployments, each as a horizontal bar.

    ``deployments`` are Deployments, or tuples of a label, what binds the
    symbols (a Deployment or a dictionary), and if need be a role. A slider
    sets its symbol for all bars at once; until it is moved each bar keeps its
    own value. ``sorted`` puts the longest first; ``scale`` is linear from
    zero, or log.
    """

    def __init__(
        self,
        slug,
        equation,
        deployments,
        *,
        claim,
        sliders=(),
        sorted=True,
        scale="linear",
        alt=None,
    ):
        self._slug, self._claim, self._equation = slug, claim, equation
        self._sorted, self._unit = sorted, equation.left.unit
        self._bars = [self._bar(one) for one in deployments]
        labels = [label for label, *_ in self._bars]
        if not labels or len(set(labels)) < len(labels):
            raise ValueError(f"{slug}: bars need labels of their own")
        known = [v for *_, v in self._bars if math.isfinite(v)]
        if not known:
            raise ValueError(f"{slug}: no bar has a value")
        self._axis = Axis.around(min(known), max(known), scale)
        parts = controls(slug, [equation], {}, (), sliders, ())
        self._own = {
            s["symbol"]: self._shared(s["symbol"]) for s in parts["sliders"]
        }
        self._alt = alt or f"Bars. {self._sentence()}"
        super().__init__(spec=self._specified(parts), values=dict(self._own))
        self.plain = self._as_text()
        self.html = markup(self.spec, self.svg(), *self._table())

    def _bar(self, one):
        """(label, role, values, result) of a deployment."""
        label, at, *role = one if isinstance(one, tuple) else (one.label, one)
        e = self._equation
        values = bound([e], values_of(at))
        result = float(e.where_defined(values))
        role = role[0] if role else e.left.role or "total"
        return label, role, values, result

    def _shared(self, name):
        """The value that all bars have of a symbol, or None."""
        found = {values[name] for *_, values, _ in self._bars}
        return found.pop() if len(found) == 1 else None

    def _ordered(self):
        if not self._sorted:
            return self._bars
        # Equal bars keep their order, here as in the browser.
        return sorted_by_value(self._bars)

    def _reading(self, value):
        if not math.isfinite(value):
            return "undefined"
        return Quantity(value, self._unit)

    def _sentence(self):
        e = self._equation
        symbols = {s.name: s for s in e.inputs}
        held = [
            f"{symbols[name].label} {exactly(value, symbols[name].unit)}"
            for name, value in self._own.items()
            if value is not None
        ]
        start = capital(e.left.label)
        if held:
            start = f"At {listed(held)}, {e.left.label}"
        known = [(v, label) for label, *_, v in self._bars if math.isfinite(v)]
        low = min(known, key=lambda pair: pair[0])
        high = max(reversed(known), key=lambda pair: pair[0])
        if low[0] == high[0]:
            return f"{start}: {self._reading(high[0])} for all."
        ratio = ""
        if low[0] > 0:
            factor = format_value(high[0] / low[0], "1")
            ratio = f", a factor of {factor}"
        return (
            f"{start}: from {self._reading(low[0])} ({low[1]}) to "
            f"{self._reading(high[0])} ({high[1]}){ratio}."
        )

    def _notes(self):
        e = self._equation
        lost = [label for label, *_, v in self._bars if not math.isfinite(v)]
        if not lost:
            return []
        return [
            f"{capital(e.left.label)} has no value for {listed(lost)} "
            f"(there it would not be {e.allowed})."
        ]

    def _specified(self, parts):
        return {
            "kind": "bars",
            "id": f"bars-{self._slug}",
            "alt": self._alt,
            "claim": self._claim,
            "formula": formula(self._equation),
            "pure": unit("1").spec(),
            "sorted": self._sorted,
            "x": {
                "label": self._equation.left.label,
                "low": self._axis.low,
                "high": self._axis.high,
                "scale": self._axis.scale,
            },
            "values": self._own,
            "bars": [
                {"label": label, "role": role, "values": values}
                for label, role, values, _ in self._bars
            ],
        } | parts

    def _table(self):
        head = ["Of", self._equation.left.label]
        return head, [
            [label, self._reading(v)] for label, *_, v in self._ordered()
        ]

    def _as_text(self):
        return "\n".join(
            [
                f"Bars {self._slug}: {self._claim}",
                self._sentence(),
                *self._notes(),
                table(*self._table()).plain,
            ]
        )

    # Pictures

    def svg(self):
        """The bars at their defaults, coordinates rounded to 0.1 pixel."""
        step = 44
        longest = max(len(str(self._reading(v))) for *_, v in self._bars)
        frame = Frame(
            self._axis,
            Axis(0, 1, "linear"),
            left=10,
            right=16 + 8 * longest,
            height=step * len(self._bars) + 56,
        )
        base = frame.height - 50
        parts = [
            f'<path d="M{frame.at_x(x):.1f} 4V{base}" stroke="#DDDDDD"/>'
            f'<text x="{frame.at_x(x):.1f}" y="{base + 18}" '
            f'text-anchor="{_anchor(self._axis.share(x))}">'
            f"{escape(tick_text(x, self._unit))}</text>"
            for x in self._axis.ticks()
        ]
        for i, (label, role, _, value) in enumerate(self._ordered()):
            ink, top = style.LIGHT[role], step * i + 6
            known = math.isfinite(value)
            end = frame.at_x(value) if known else frame.left
            text = str(self._reading(value))
            parts.append(
                f'<text x="{frame.left}" y="{top + 12}">{escape(label)}'
                f'</text><text x="{end + 6:.1f}" y="{top + 30}" '
                f'font-weight="bold" fill="{ink}">'
                f'{escape(text)}</text><rect x="{frame.left}" '
                f'y="{top + 18}" width="{max(end - frame.left, 1):.1f}" '
                f'height="16" rx="2" fill="{ink}"/>'
            )
        name = axis_name(self._equation.left.label, self._unit)
        parts.append(
            f'<text x="{frame.width - frame.right}" y="{frame.height - 8}" '
            f'text-anchor="end">{escape(name)}</text>'
        )
        return frame.page(*parts)

    def pictures(self):
        """A PNG for builders that take neither HTML nor widgets."""
        return {"image/png": base64.b64encode(self.png()).decode()}

    def png(self):
        """The bars at their defaults, drawn by matplotlib."""
        from matplotlib.figure import Figure

        bars = self._ordered()[::-1]
        figure = Figure(figsize=(7.2, 0.5 * len(bars) + 0.9), dpi=120,
                        layout="constrained")  # fmt: skip
        axes = figure.subplots()
        axes.set_xscale(self._axis.scale)
        axes.set_xlim(self._axis.low, self._axis.high)
        for i, (_, role, _, value) in enumerate(bars):
            known = math.isfinite(value)
            ink = style.LIGHT[role]
            axes.barh(i, value if known else 0, color=ink, height=0.6)
            axes.annotate(
                str(self._reading(value)),
                (value if known else self._axis.low, i), xytext=(4, 0),
                textcoords="offset points", va="center", color=ink,
                annotation_clip=False,
            )  # fmt: skip
        axes.set_yticks(range(len(bars)), [label for label, *_ in bars])
        ticks = self._axis.ticks()
        axes.set_xticks(ticks, [tick_text(t, self._unit) for t in ticks])
        axes.set_xticks([], minor=True)
        axes.set_xlabel(axis_name(self._equation.left.label, self._unit))
        axes.spines[["top", "right"]].set_visible(False)
        out = io.BytesIO()
        figure.savefig(out, format="png", metadata={"Software": None})
        return out.getvalue()


def sorted_by_value(bars):
    """The largest first; those without a value last."""
    return sorted(
        bars, key=lambda bar: -bar[-1] if math.isfinite(bar[-1]) else math.inf
    )


def _anchor(share):
    return "start" if share < 0.02 else "middle"
