"""Is the built site whole, numbered, light, and alone on its host?"""

import copy
import gzip
import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from bs4 import BeautifulSoup
from fontTools.ttLib import TTFont
from roofline import style
from roofline.book import notebooks

CHAPTERS = Path(__file__).parents[1] / "chapters"

# A page loads what these attributes name. The href of an <a> is no load: the
# reader decides. A form's action counts, for it sends what was typed.
LOADING = {
    "src": "*",
    "srcset": "*",
    "poster": "*",
    "data": ["object"],
    "href": ["link", "use", "image", "base"],
    "xlink:href": "*",
    "action": ["form"],
    "formaction": "*",
    "background": "*",
}
REMOTE = re.compile(r"(?:https?:)?//[\w.-]+\.\w+[^\s\"'`)<>\\]*")
# In a style sheet only url() and @import load; the rest of a URL there is in
# a comment, or names a namespace inside a data: picture.
CSS_LOAD = re.compile(
    r"""url\(\s*['"]?((?:https?:)?//[^'")]*)|@import\s*['"]([^'"]*)"""
)
# Any URL in a script counts as a load, for it could be one, except these.
HARMLESS = {
    "http://www.w3.org/": "the name of a namespace: never fetched",
    "https://clipboardjs.com/": "licence comment",
    "https://getbootstrap.com/": "licence comment",
    "https://github.com/twbs/bootstrap/blob/main/LICENSE": "licence comment",
    "https://www.mathjax.org": "a link in the About box of MathJax",
    "https://developer.mozilla.org/": "comment of the search tools",
    "https://pydata-sphinx-theme.readthedocs.io/": "text of a log message",
}
# What the maths of this book makes MathJax fetch, whatever the page.
MATH_FONTS = ("Main-Regular", "Math-Italic", "Size1-Regular",
              "Size2-Regular", "Size3-Regular", "Size4-Regular",
              "Zero")  # fmt: skip
BYTES, REQUESTS = 0.75e6, 25


@pytest.fixture(scope="module")
def pages(site):
    """Every page of the site, parsed; the root only sends elsewhere."""
    found = {
        path.relative_to(site).as_posix(): BeautifulSoup(
            path.read_text(encoding="utf-8"), "html.parser"
        )
        for path in sorted(site.rglob("*.html"))
    }
    assert any(name.startswith("chapters/") for name in found)
    return found


def articles(pages):
    for name, page in pages.items():
        if article := page.select_one("article.bd-article"):
            yield name, article


def stored():
    return [(p.stem, notebooks.read(p)) for p in notebooks.chapters(CHAPTERS)]


# Nothing from another host


def foreign_in_script(text):
    return [
        url
        for url in REMOTE.findall(text)
        # "//word" alone is a comment; a host has a scheme or quotes it.
        if url.startswith("http") and not url.startswith(tuple(HARMLESS))
    ] + re.findall(r"""["'`]//[\w-]+\.[\w.-]+""", text)


def foreign_in_css(text):
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    loads = ["".join(m) for m in CSS_LOAD.findall(text)]
    return [url for url in loads if REMOTE.match(url)]


def foreign_in_page(page):
    found = []
    for tag in page.find_all(True):
        for name, tags in LOADING.items():
            value = tag.get(name)
            if value and (tags == "*" or tag.name in tags):
                if re.match(r"\s*(https?:)?//", str(value)):
                    found.append(f"<{tag.name} {name}={value}>")
        found += foreign_in_css(tag.get("style", ""))
    for script in page.find_all("script"):
        found += foreign_in_script(script.get_text())
    for sheet in page.find_all("style"):
        found += foreign_in_css(sheet.get_text())
    for meta in page.select("meta[http-equiv]"):
        found += REMOTE.findall(meta.get("content", ""))
    return found


def test_pages_load_from_no_other_host(pages):
    found = {name: foreign_in_page(page) for name, page in pages.items()}
    assert {n: f for n, f in found.items() if f} == {}


def test_assets_load_from_no_other_host(site):
    found = {}
    for path in site.rglob("*"):
        if path.suffix in (".js", ".css"):
            text = path.read_text(encoding="utf-8")
            check = {".js": foreign_in_script, ".css": foreign_in_css}
            if urls := check[path.suffix](text):
                found[path.name] = urls
    assert found == {}


@pytest.mark.parametrize(
    "fault",
    [
        '<img src="https://example.org/a.png">',
        '<link rel="preconnect" href="//fonts.example.org">',
        '<script src="https://cdn.example.org/x.js"></script>',
        '<script>const T = "https://unpkg.com/thebe"</script>',
        '<script>load("//cdn.example.org/x.js")</script>',
        '<p style="background: url(https://example.org/a.png)">x</p>',
        '<style>@import "https://fonts.example.org/css";</style>',
        '<form action="https://example.org/search"></form>',
        '<meta http-equiv="Refresh" content="0; url=https://example.org/">',
    ],
)
def test_a_planted_host_is_found(fault):
    assert foreign_in_page(BeautifulSoup(fault, "html.parser"))


def test_plain_links_and_namespaces_are_no_loads():
    page = (
        '<a href="https://example.org">x</a>'
        '<svg xmlns="http://www.w3.org/2000/svg"></svg>'
        "<style>/* https://example.org */ p { color: red }</style>"
    )
    assert not foreign_in_page(BeautifulSoup(page, "html.parser"))


# Nothing dead, nothing missing


def local_targets(site, name, page):
    """(file, fragment) of each local address on a page."""
    for tag in page.find_all(["a", "link", "script", "img"]):
        address = tag.get("href") or tag.get("src") or ""
        parts = urlsplit(address)
        if address and not parts.scheme and not parts.netloc:
            target = (site / name).parent / unquote(parts.path)
            yield (target if parts.path else site / name), parts.fragment


def test_local_addresses_exist(site, pages):
    ids = {
        (site / name).resolve(): {t["id"] for t in page.select("[id]")}
        for name, page in pages.items()
    }
    missing = [
        f"{name}: {target.name}#{fragment}"
        for name, page in pages.items()
        for target, fragment in local_targets(site, name, page)
        if not target.is_file()
        or (fragment and fragment not in ids.get(target.resolve(), ()))
    ]
    assert missing == []


def test_no_dead_controls(pages):
    """No launch button, no live-code button, one favicon, mode auto."""
    for name, page in pages.items():
        if not page.body or not page.select("link[rel=icon]"):
            assert name == "index.html", f"{name} has no favicon"
            continue
        assert not page.select(".dropdown-launch-buttons, [onclick*=Thebe]")
        assert "thebe" not in str(page).lower(), name
        assert page.body["data-default-mode"] == "auto"


def test_no_stored_exception(pages):
    for name, article in articles(pages):
        assert "Traceback (most recent call last)" not in article.get_text()
        assert not article.select(".output.stderr, .output.traceback"), name


# Numbers to point at


def test_every_shown_equation_has_number_and_anchor(pages):
    for stem, notebook in stored():
        page = pages[f"chapters/{stem}.html"]
        for label in notebooks.equation_labels(notebook):
            (box,) = page.select(f"div.math#equation-{label}")
            number = box.select_one(".eqno").get_text()
            assert re.match(r"\(\d+(\.\d+)?\)", number), (label, number)


def test_references_print_what_they_point_at(pages):
    for name, page_article in articles(pages):
        article = copy.copy(page_article)
        for code in article.select("pre, code, script"):
            code.replace_with("code")
        assert not re.search(r"\(\s*\)", article.get_text()), name
        for link in article.select("a.reference.internal"):
            assert link.get_text().strip(), f"{name}: {link}"
            if "#equation-" in link["href"]:
                assert re.fullmatch(r"\(\d+(\.\d+)?\)", link.get_text())


def test_every_figure_has_number_and_alt_text(pages):
    for stem, notebook in stored():
        page = pages[f"chapters/{stem}.html"]
        for cell in notebook.cells:
            figure = cell.metadata.get("mystnb", {}).get("figure")
            if figure:
                (box,) = page.select(f"figure#{figure['name']}")
                caption = box.find("figcaption", recursive=False).get_text()
                assert re.match(r"\s*Fig\. \d+(\.\d+)? \S", caption), caption
    for name, article in articles(pages):
        for image in article.select("img"):
            assert image.get("alt", "").strip(), f"{name}: {image}"[:200]


def test_chapters_are_numbered(pages):
    for stem, _ in stored():
        title = (
            pages[f"chapters/{stem}.html"].select_one("article h1").get_text()
        )
        if stem != "00-intro":
            assert re.match(rf"{int(stem[:2])}\. ", title), title


# Weight


def loads(site, name, page):
    """The local files that a first visit to a page fetches."""
    files = {site / name}
    for tag in page.select("link[rel=stylesheet], link[rel=icon]"):
        files.add((site / name).parent / tag["href"])
    for tag in page.select("script[src], img[src]"):
        if not tag["src"].startswith("data:"):
            files.add((site / name).parent / tag["src"].partition("?")[0])
    files = {f.resolve() for f in files}
    for sheet in [f for f in files if f.suffix == ".css"]:
        text = sheet.read_text(encoding="utf-8")
        faces = re.findall(r"@font-face\s*\{[^}]*\}", text)
        for url in re.findall(r'url\("([^"]*)"\)', "".join(faces)):
            files.add((sheet.parent / url).resolve())
    if page.select("script[src*=mathjax]"):
        mathjax = site / "_static" / "mathjax"
        files.add(mathjax / "input/tex/extensions/color.js")
        fonts = mathjax / "output/chtml/fonts/woff-v2"
        files |= {fonts / f"MathJax_{font}.woff" for font in MATH_FONTS}
    return files


def weight(files):
    return sum(len(gzip.compress(f.read_bytes(), 6)) for f in files)


def test_page_budget(site, pages):
    for name, page in pages.items():
        files = loads(site, name, page)
        assert weight(files) <= BYTES, f"{name}: {weight(files):,} bytes"
        assert len(files) <= REQUESTS, f"{name}: {len(files)} requests"


def test_the_icons_in_use_are_shipped_and_no_others(site, pages):
    (font,) = [p for p in site.rglob("fa-*") if p.is_file()]
    assert font.name == "fa-solid-900.woff2" and font.stat().st_size < 10_000
    drawn = set(TTFont(font).getBestCmap())
    css = (site / "_static" / "book.css").read_text(encoding="utf-8")
    escaped = re.findall(r"\\([ef][0-9a-f]{3})\b", css)
    written = re.findall("[\ue000-\uf8ff]", css)
    wanted = {*(int(code, 16) for code in escaped), *map(ord, written)}
    # The marks of two hosts stand before links that the theme shortened.
    assert wanted - drawn == {0xF09B, 0xF296} and drawn <= wanted
    assert not any(
        page.select("a.github, a.gitlab") for page in pages.values()
    )
    named = {
        name
        for page in pages.values()
        for icon in page.select(".fa-solid, .fas")
        for name in icon["class"]
        if name.startswith("fa-") and name not in ("fa-solid", "fa-lg")
    }
    assert named and not {n for n in named if f".{n}:before" not in css}


# Dark mode


def test_coloured_terms_have_readable_dark_twins(site):
    """MathJax writes a term's colour into the page, out of axe's sight."""
    css = (site / "_static" / "book.css").read_text(encoding="utf-8")
    dark = re.findall(
        r"html\[data-theme=dark\]\{[^}]*--pst-color-background:(#\w{6})", css
    )[-1]
    for role in style.ROLES:
        red, green, blue = style.rgb(style.LIGHT[role])
        rule = f"rgb({red}, {green}, {blue})'] {{ color: {style.DARK[role]}"
        assert rule in css
        assert style.contrast(style.LIGHT[role], "#FFFFFF") >= 4.5
        assert style.contrast(style.DARK[role], dark.upper()) >= 4.5
