"""What runs in the reader's browser?  One script and one style sheet.

No script holds a formula: each draws what a figure's JSON spec says.
``core.js`` makes charts and questions and what all kinds share; every other
kind stands in a file of its own.
"""

import json
from importlib import resources

import anywidget
import traitlets

from roofline import style, units

_HERE = resources.files(__package__)
KINDS = ("map", "bars", "stepper")
_DARK = (
    "html[data-theme='dark'], html[theme='dark'], "
    "body[data-jp-theme-light='false'], body.vscode-dark"
)


def _constants():
    """The tables that Python and the browser share, as JSON text."""
    tables = {
        "units": units.table(),
        "dash": style.DASH,
        "width": style.WIDTH,
    }
    return json.dumps(tables, allow_nan=False, sort_keys=True)


def core():
    """The script's body: it defines ``roofline`` and touches no page."""
    files = ("core", *KINDS)
    parts = [
        (_HERE / f"{name}.js").read_text(encoding="utf-8") for name in files
    ]
    tables = f"const ROOFLINE_TABLES = {_constants()};"
    return "\n".join([tables, *map(_without_comments, parts)])


def _without_comments(source):
    """The same script without whole-line comments and indentation.

    No string of ours goes over the end of a line, so no line is text.
    """
    lines = [line.strip() for line in source.splitlines()]
    return "\n".join(x for x in lines if x and not x.startswith("//"))


def script():
    """A classic deferred script that mounts every spec on a page."""
    return f"(() => {{\n{core()}\nroofline.mountAll(document);\n}})();\n"


def module():
    """An ES module with the ``render`` that anywidget calls."""
    return f"{core()}\nexport default {{ render: roofline.render }};\n"


def stylesheet():
    """The style sheet with both palettes in front."""
    light, dark = style.variables(style.LIGHT), style.variables(style.DARK)
    rules = [
        f":root {{ {light} }}",
        f"@media screen {{ :is({_DARK}) {{ {dark} }} }}",
        (_HERE / "core.css").read_text(encoding="utf-8"),
    ]
    return "\n".join(rules)


def as_json(spec):
    """Deterministic JSON that may stand inside a script element."""
    text = json.dumps(
        spec, allow_nan=False, sort_keys=True, separators=(",", ":")
    )
    return text.replace("</", "<\\/")


class Widget(anywidget.AnyWidget):
    """A figure or question with a live face and a static one.

    ``values`` follows the controls: a dictionary from symbol name to a float
    in base units. Where no kernel runs, ``html`` carries everything.
    """

    _esm = module()
    _css = stylesheet()

    spec = traitlets.Dict().tag(sync=True)
    html = traitlets.Unicode().tag(sync=True)
    values = traitlets.Dict().tag(sync=True)

    plain = ""

    def __repr__(self):
        return self.plain

    def _repr_mimebundle_(self, **kwargs):
        data, metadata = super()._repr_mimebundle_(**kwargs)
        data |= {"text/plain": self.plain, "text/html": self.html}
        return data | self.pictures(), metadata

    def pictures(self):
        """More representations, by mime type."""
        return {}
