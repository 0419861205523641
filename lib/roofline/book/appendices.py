"""What does the library know?  Pages that print it whole.

Directives for appendices/*.md, run at every build: ``symbols``,
``equations``, ``facts`` from the library, ``board`` and ``questions`` from
the stored chapters. They write Markdown and let MyST read it.
"""

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

from roofline import printing
from roofline.book import notebooks
from roofline.equations import EQUATIONS, MODULES
from roofline.facts import TABLES, facts_of
from roofline.symbols import SYMBOLS
from roofline.text import escaped

_HEADINGS = {
    "hardware": "Systems",
    "models": "Models",
    "assumptions": "Assumptions",
}


class _Generated(SphinxDirective):
    """Markdown from ``parts``: (title, slug, lines), each a section."""

    def run(self):
        return [self._section(*part) for part in self.parts()]

    def _section(self, title, slug, lines):
        section = nodes.section(ids=[slug], names=[slug])
        section += nodes.title(title, title)
        self.state.nested_parse(
            StringList(lines, source=self.env.docname), 0, section
        )
        return section


class Symbols(_Generated):
    """One table of all symbols, in the order of symbols.py."""

    def parts(self):
        rows = [
            f"| ${s.latex}$ | `{s.name}` | {s.says} | {escaped(str(s.unit))}"
            f" | {escaped(s.allowed)} |"
            for s in SYMBOLS.values()
            if s.value is None
        ]
        head = ["| symbol | name | meaning | unit | allowed |", "|:--" * 5]
        yield "All symbols", "all-symbols", [*head, *rows]


class Equations(_Generated):
    """Each equation with what it says, assumes, and rests on."""

    def parts(self):
        shown = _shown_labels(self.env.srcdir)
        for module in MODULES:
            title, _, _ = (module.__doc__ or "").partition("\n")
            name = module.__name__.rsplit(".", 1)[1]
            lines = []
            for e in vars(module).values():
                if e in EQUATIONS.values():
                    lines += _equation(e, e.label in shown)
            yield title.split("  ")[0], f"equations-{name}", lines


def _equation(e, shown):
    number = f" {{eq}}`{e.label}`" if shown else ""
    source = "Derived." if e.source == "derived" else _cited(e.source)
    return [
        f"**`{e.name}`**{number}: {escaped(e.says)}",
        "",
        "$$",
        f"{printing.latex(e.left, colour=True)} = "
        f"{printing.latex(e.right, colour=True)}",
        "$$",
        "",
        f"Assumes: {escaped(e.assumes)} {source}",
        "",
    ]


def _cited(source):
    return f"From {{cite:t}}`{source}`."


def _shown_labels(folder):
    """Labels of the equations that some chapter displays."""
    found = set()
    for path in notebooks.chapters(f"{folder}/{notebooks.CHAPTERS}"):
        for cell in notebooks.read(path).cells:
            for output in cell.get("outputs", ()):
                text = output.get("data", {}).get("text/markdown", "")
                found |= {e.label for e in EQUATIONS.values()
                          if f"$$ ({e.label})" in text}  # fmt: skip
    return found


class Facts(_Generated):
    """A table of facts for each object of one data file."""

    required_arguments = 1

    def parts(self):
        file = self.arguments[0]
        for name, rows in TABLES.items():
            if rows["file"] == file:
                yield rows["label"], f"facts-{name}", _facts(name, rows)


def _facts(name, rows):
    lines = ["| figure | value | kind | source |", "|:--" * 4 + "|"]
    notes = []
    for key, f in facts_of(name).items():
        lines.append(
            f"| `{key}` | {_unbroken(f)} | {f.kind} | "
            f"{_place(f.source, f.where, f.as_of)} |"
        )
        for other in f.others:
            lines.append(
                f"| | {_unbroken(other.value)} | differs | "
                f"{_place(other.source, other.where, other.as_of)} |"
            )
        said = [f.because, f.note, *(o.note for o in f.others)]
        said = [escaped(t) for t in said if t]
        if said:
            notes.append(f"- `{key}`: {' '.join(said)}")
    if config := rows.get("config"):
        where = _place(config["source"], config["where"], config["as_of"])
        notes.append(f"- Layer shapes: {where}")
    return [*lines, "", *notes, ""]


def _unbroken(value):
    return escaped(str(value)).replace(" ", "\u00a0")


def _place(source, where, as_of):
    cited = "this book" if source == "derived" else f"{{cite:t}}`{source}`"
    return f"{cited}, {escaped(where)}, {as_of:%Y-%m-%d}".replace("|", "/")


def _outputs(folder):
    """(page, title, output) of every output stored in the chapters."""
    for path in notebooks.chapters(f"{folder}/{notebooks.CHAPTERS}"):
        cells = notebooks.read(path).cells
        title = cells[0].source.partition("\n")[0].removeprefix("# ")
        for cell in cells:
            for output in cell.get("outputs", ()):
                yield path.stem, title, output.get("data", {})


class Board(_Generated):
    """What was said on the board beside what the equations give."""

    def parts(self):
        rows = []
        for page, _, data in _outputs(self.env.srcdir):
            # The plain text of a BoardCheck: one labelled part a line.
            said, *parts = data.get("text/plain", "").split("\n")
            if said.startswith("Board check, "):
                at, _, said = said.removeprefix("Board check, ").partition(
                    ": "
                )
                parts = [part.partition(": ")[2] for part in parts]
                parts[2] = parts[2].partition(". ")[0]
                rows.append((at, page, said, *parts))
        lines = ["| at | said | board | book | verdict |", "|:--" * 5 + "|"]
        for at, page, *cells in sorted(rows):
            link = f"[{at}](../chapters/{page}.ipynb)"
            lines.append(f"| {link} | {' | '.join(map(escaped, cells))} |")
        yield "All checks", "all-checks", lines


class Questions(_Generated):
    """Every question of the chapters with its answer, as flashcards."""

    def parts(self):
        asked = {}
        for page, title, data in _outputs(self.env.srcdir):
            plain = data.get("text/plain", "")
            if plain.startswith("Question: "):
                asked.setdefault((page, title), []).append(plain)
        for (page, title), cards in asked.items():
            lines = []
            for card in cards:
                prompt, _, rest = card.partition("\nAnswer: ")
                ask = prompt.removeprefix("Question: ").split("\n")[0]
                answer = rest.split("\n")[0]
                lines += [ask, f": {escaped(answer)}", ""]
            yield title, f"cards-{page}", lines


def setup(app):
    """Register the directives."""
    app.add_directive("symbols", Symbols)
    app.add_directive("equations", Equations)
    app.add_directive("facts", Facts)
    app.add_directive("board", Board)
    app.add_directive("questions", Questions)
