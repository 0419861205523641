"""What does a page load?  Two bundles, one font, MathJax, the charts' script.

Sphinx and its extensions link about twenty files, megabytes of icons among
them. Here they become ``book.css`` and ``book.js``; the rest leaves the site.
"""

import io
import logging
import re
import shutil
from dataclasses import dataclass
from importlib import util
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

from roofline import style, widgets

HERE = Path(__file__).parent
# What the theme's own layout links around the files that Sphinx lists.
THEME_STYLES = ("styles/theme.css", "styles/pydata-sphinx-theme.css")
THEME_SCRIPTS = ("scripts/bootstrap.js", "scripts/pydata-sphinx-theme.js")
MATHJAX = (
    "tex-chtml.js",
    "input/tex/extensions/color.js",
    "output/chtml/fonts/woff-v2",
)
KEPT = ("book.css", "book.js", "roofline.js", "searchtools.js",
        "language_data.js", "favicon.svg")  # fmt: skip

_URL = re.compile(r"""url\(\s*(['"]?)(?!data:|#|https?:)([^'")]+)\1\s*\)""")
_IMPORT = re.compile(r"""@import\s+(?:url\()?['"]([^'":]+)['"]\)?;""")
_FACE = re.compile(r"@font-face\s*\{[^}]*\}")
_ICON_RULE = re.compile(
    r"((?:\.fa-[a-z0-9-]+:+before,?)+)\{content:\"(\\[0-9a-f]+|.)\"\}"
)
_ICON_NAME = re.compile(r"\bfa-[a-z0-9-]+")
_GLYPH = re.compile(r"\\([ef][0-9a-f]{3})\b|([\ue000-\uf8ff])")


@dataclass(frozen=True)
class Page:
    """The files and inline scripts of one page, in the page's order."""

    styles: list
    scripts: list
    inline: list

    @classmethod
    def of(cls, context):
        """Read a page's template context."""
        styles = [_name(css) for css in context["css_files"]]
        scripts, inline = [], []
        for js in context["script_files"]:
            name = _name(js)
            if name and name.startswith("mathjax/"):
                inline.append(js)
            elif name:
                scripts.append(name)
            # These set what only a version menu and a search index read,
            # in an object that the bundle defines after them.
            elif not _body(js).startswith("DOCUMENTATION_OPTIONS."):
                inline.append(js)
        return cls(styles, scripts, inline)


def _name(asset):
    """A file's path below _static, None for an inline script."""
    name = getattr(asset, "filename", asset)
    return name and str(name).removeprefix("_static/").partition("?")[0]


def _body(script):
    return getattr(script, "attributes", {}).get("body") or ""


def write(site, styles, scripts):
    """Put the bundles of the named files into a built site."""
    static = site / "_static"
    css = _join_styles(static, [*THEME_STYLES, *styles])
    js = _join_scripts(static, [*scripts, *THEME_SCRIPTS])
    pages = [_page(path) for path in sorted(site.rglob("*.html"))]
    css = _icons(static, css, "\n".join([js, *pages]))
    extra = [widgets.stylesheet(), equation_colours()]
    extra.append((HERE / "page.css").read_text(encoding="utf-8"))
    (static / "book.css").write_text("\n".join([css, *extra]), "utf-8")
    js += (HERE / "page.js").read_text(encoding="utf-8")
    (static / "book.js").write_text(js, "utf-8")
    (static / "roofline.js").write_text(widgets.script(), "utf-8")
    _copy_mathjax(static / "mathjax")
    _sweep(static, (static / "book.css").read_text(encoding="utf-8"))


def _page(path):
    """A page's text. Without a script to resolve "auto" it is light."""
    text = path.read_text(encoding="utf-8")
    light = text.replace(' data-theme="auto">', ' data-theme="light">', 1)
    if light != text:
        path.write_text(light, encoding="utf-8")
    return light


def _join_styles(static, names):
    """Style sheets in order, each with what it imports in front of it."""
    return "\n".join(_style(static, Path(name)) for name in names)


def _style(static, name):
    """One style sheet, its relative URLs seen from _static."""
    text = (static / name).read_text(encoding="utf-8")

    def imported(match):
        return _style(static, Path(_collapse(name.parent / match[1])))

    def moved(match):
        return f'url("{_collapse(name.parent / match[2])}")'

    own = _URL.sub(moved, _IMPORT.sub("", text))
    return "\n".join([*map(imported, _IMPORT.finditer(text)), own])


def _collapse(path):
    """A relative path without its inner "..": a/../b is b."""
    parts = []
    for part in path.as_posix().split("/"):
        parts.pop() if part == ".." else parts.append(part)
    return "/".join(p for p in parts if p != ".")


def _join_scripts(static, names):
    """Scripts in order. The first statement keeps a leading "use strict" of
    one file from binding all the others."""
    texts = [(static / n).read_text(encoding="utf-8") for n in names]
    texts = [re.sub(r"\n//# sourceMappingURL=.*", "", t) for t in texts]
    return "void 0;\n" + "\n;\n".join(texts) + "\n"


def _icons(static, css, pages):
    """Keep the icons that pages or scripts name: rules, fonts and glyphs."""
    named = set(_ICON_NAME.findall(pages))

    def rule(match):
        kept = [
            s
            for s in match[1].rstrip(",").split(",")
            if s.strip(".").partition(":")[0] in named
        ]
        return f'{",".join(kept)}{{content:"{match[2]}"}}' if kept else ""

    css = _ICON_RULE.sub(rule, css)
    glyphs = {
        int(code, 16) if code else ord(character)
        for code, character in _GLYPH.findall(css)
    }

    def face(match):
        source = re.search(r'url\("([^"]*/(fa-[^/"]*)\.woff2)"\)', match[0])
        if not source:
            return match[0]
        data = _subset(static / source[1], glyphs)
        if not data or source[2] != "fa-solid-900":
            return ""
        (static / f"{source[2]}.woff2").write_bytes(data)
        head = match[0].partition("src:")[0]
        return f'{head}src:url("{source[2]}.woff2") format("woff2")}}'

    return _FACE.sub(face, css)


def _subset(path, glyphs):
    """A woff2 font with these code points only; None if it has none."""
    options = subset.Options(flavor="woff2", notdef_outline=True)
    # The licence's names stay; the time of making does not.
    options.recalc_timestamp = False
    logging.getLogger("fontTools").setLevel(logging.WARNING)
    font = TTFont(path, recalcTimestamp=False)
    glyphs = glyphs & set(font.getBestCmap())
    if not glyphs:
        return None
    worker = subset.Subsetter(options)
    worker.populate(unicodes=glyphs)
    worker.subset(font)
    font.flavor = "woff2"
    out = io.BytesIO()
    font.save(out)
    return out.getvalue()


def _copy_mathjax(target):
    """The parts of MathJax 3 that a page can ask for; no speech from a CDN."""
    package = util.find_spec("sphinx-mathjax-offline")
    source = Path(package.origin).parent / "static" / "mathjax"
    for name in MATHJAX:
        old, new = source / name, target / name
        new.parent.mkdir(parents=True, exist_ok=True)
        if old.is_dir():
            shutil.copytree(old, new, dirs_exist_ok=True)
        else:
            text = old.read_text(encoding="utf-8")
            text = text.replace("https://cdn.jsdelivr.net/npm/", "./")
            new.write_text(text, encoding="utf-8")


def _sweep(static, css):
    """Delete what the bundles replaced; keep what they point at."""
    linked = {match[2].partition("?")[0] for match in _URL.finditer(css)}
    for path in sorted(static.rglob("*"), reverse=True):
        name = path.relative_to(static).as_posix()
        if path.is_dir():
            if not any(path.iterdir()):
                path.rmdir()
        elif not name.startswith("mathjax/"):
            if name not in linked and name not in KEPT:
                path.unlink()


def equation_colours():
    """Dark twins of coloured terms: MathJax writes colours into elements."""
    rule = (
        "html[data-theme='dark'] mjx-container [style*='rgb({}, {}, {})'] "
        "{{ color: {} !important; }}"
    )
    return "\n".join(
        rule.format(*style.rgb(style.LIGHT[role]), style.DARK[role])
        for role in style.ROLES
    )
