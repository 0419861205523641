"""How does the book become pages that need no network and no kernel?

A Sphinx extension. It refuses stale notebooks, gives every page two bundles
(one style sheet, one script) in place of the themes' twenty files, ships
MathJax, fonts and the charts' script with the site, and patches what the
theme gets wrong. Set ``sphinx: extra_extensions: [roofline.book]``.
"""

from pathlib import Path

from sphinx.errors import ExtensionError

from roofline.book import assets

HERE = Path(__file__).parent
MATHJAX = {
    # An unknown macro prints red where it stands. With autoload it would be
    # fetched, is not there, and leaves the whole page without maths.
    "loader": {"load": ["[tex]/color"]},
    "tex": {"packages": {"[+]": ["color"], "[-]": ["autoload", "require"]}},
}


def configure(app, config):
    """Settings that go with the files that this extension ships."""
    config.templates_path.insert(0, str(HERE / "templates"))
    config.html_favicon = config.html_favicon or str(HERE / "favicon.svg")
    config.html_context.setdefault("default_mode", "auto")
    # Else the theme adds a bar that repeats the sidebar's search field.
    config.html_theme_options.setdefault("navbar_persistent", [])
    # Addresses print as they are, with no host's mark before them.
    config.html_theme_options.setdefault("shorten_urls", False)
    config.mathjax_path = "mathjax/tex-chtml.js"
    config.mathjax3_config = MATHJAX | (config.mathjax3_config or {})
    config.nb_mime_priority_overrides = [
        *config.nb_mime_priority_overrides,
        # Else Sphinx shows a widget view, which needs a kernel or a CDN.
        *((builder, "text/html", 0) for builder in ("html", "dirhtml")),
    ]
    config.nb_ipywidgets_js = {}


def refuse_stale(app):
    """Never show what the library no longer says."""
    # Here, for `python -m` wants to load that module itself.
    from roofline.book import notebooks

    try:
        notebooks.check(Path(app.srcdir) / notebooks.CHAPTERS)
    except notebooks.NotebookError as error:
        raise ExtensionError(f"stale or broken chapters:\n{error}") from None


def always_read(app, env, added, changed, removed):
    """Pages to read whatever their files' dates say.

    The library fills the appendices, and Sphinx cannot see it change; with
    the root page, a build always reaches the end, where bundles are written.
    """
    filled = [d for d in env.found_docs if d.startswith("appendices/")]
    return [env.config.root_doc, *filled]


def mend(app, pagename, templatename, context, doctree):
    """Note the files that a page asks for; leave it what must stay inline."""
    # A role that ARIA has withdrawn, in a list that needs items.
    context["body"] = context.get("body", "").replace(
        'role="doc-biblioentry"', 'role="listitem"'
    )
    page = assets.Page.of(context)
    app.roofline_styles.update(dict.fromkeys(page.styles))
    app.roofline_scripts.update(dict.fromkeys(page.scripts))
    context["css_files"] = []
    context["script_files"] = page.inline


def finish(app, exception):
    """Write the bundles and drop what they replace."""
    if exception is None and app.builder.format == "html":
        assets.write(
            Path(app.outdir), app.roofline_styles, app.roofline_scripts
        )


def silence(app, extension):
    """Take an extension that Jupyter Book always loads out of the build."""
    for listeners in app.events.listeners.values():
        for listener in list(listeners):
            if listener.handler.__module__.partition(".")[0] == extension:
                app.disconnect(listener.id)
    prefix = extension.replace("_", "-")
    app.registry.css_files[:] = [
        file
        for file in app.registry.css_files
        if not file[0].startswith(prefix)
    ]


def setup(app):
    """Connect to Sphinx; nothing happens at import."""
    # Live code would need a server on another host.
    silence(app, "sphinx_thebe")
    app.roofline_styles, app.roofline_scripts = {}, {}
    # Before Sphinx checks that the favicon exists (800).
    app.connect("config-inited", configure, priority=600)
    app.connect("builder-inited", refuse_stale)
    app.connect("env-get-outdated", always_read)
    app.connect("html-page-context", mend, priority=999)
    # After the theme has written its colours of code.
    app.connect("build-finished", finish, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": False}
