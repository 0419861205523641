"""Are the stored chapters what the book's rules ask of them?"""

import ast
import json
import re
import shutil
import statistics
from pathlib import Path

import nbformat
import pytest
from roofline.book import notebooks

CHAPTERS = Path(__file__).parents[1] / "chapters"
PATHS = notebooks.chapters(CHAPTERS)

# Cells in which writing a function is the lesson: (chapter, cell id).
LESSONS = set()
# Calls whose input may be removed: the page reads as prose, not as a log.
SPEAKING = {"say", "table", "Question", "BoardCheck"}
MODULES = {"roofline", "numpy", "sympy", "math", "itertools", "fractions"}
NAMES = {"open", "exec", "eval", "plt", "rcParams", "get_ipython"}
CALLS = {"plot", "loglog", "semilogx", "scatter", "subplots", "savefig"}

LONG_FLOAT = re.compile(r"[1-9]\d*\.\d{6,}|\b0\.0*[1-9]\d{5,}")
ADDRESS = re.compile(r"0x[0-9a-f]{6,}")
HEADING = re.compile(r"^(#+) ", re.MULTILINE)
FENCE = re.compile(r"^(```|:::|~~~).*?^\1", re.MULTILINE | re.DOTALL)
SPEC = re.compile(
    r'<script type="application/json" class="roofline-spec">(.*?)</script>',
    re.DOTALL,
)


@pytest.fixture(params=PATHS, ids=lambda p: p.stem)
def path(request):
    return request.param


@pytest.fixture
def notebook(path):
    return notebooks.read(path)


def code(notebook):
    return [c for c in notebook.cells if c.cell_type == "code"]


def texts(cell):
    """(mime, text) of everything readable that a cell has printed."""
    for output in cell.get("outputs", ()):
        if "text" in output:
            yield "stream", output.text
        for mime, data in output.get("data", {}).items():
            if mime.startswith("text/"):
                yield mime, data


def charts(notebook):
    outputs = [o for c in code(notebook) for o in c.outputs]
    return [f for f in map(notebooks.figure_of, outputs) if f]


# Stored form


def test_there_are_chapters():
    assert PATHS and PATHS[0].stem == "00-intro"


def test_no_chapter_is_stale():
    assert notebooks.problems(CHAPTERS) == []


def test_stored_text_is_canonical(path, notebook):
    """Counts 1..n, slug ids, allowed metadata; sorted keys; one newline."""
    assert notebooks.text_of(notebook) == path.read_text(encoding="utf-8")


def test_every_cell_ran_without_error_or_warning(notebook):
    assert notebooks.faults(notebook) == []


def test_no_widget_state_is_stored(path):
    text = path.read_text(encoding="utf-8")
    assert "vnd.jupyter.widget" not in text and "model_id" not in text


def test_printed_numbers_are_formatted(notebook):
    for cell in code(notebook):
        for mime, text in texts(cell):
            if mime == "text/html":  # a spec carries exact numbers
                text = SPEC.sub("", text)
            for pattern in (LONG_FLOAT, ADDRESS):
                found = pattern.search(text)
                assert not found, f"{cell.id}: {found and found[0]} in {mime}"


def test_specs_are_strict_json(notebook):
    def refuse(name):
        raise AssertionError(f"{name} is no JSON")

    for cell in code(notebook):
        for _, text in texts(cell):
            for spec in SPEC.findall(text):
                assert json.loads(spec, parse_constant=refuse)["kind"]


def test_chapter_prints_and_draws(path, notebook):
    said = [t for c in code(notebook) for m, t in texts(c) if t.strip()]
    assert said, "nbval has nothing to compare"
    assert charts(notebook) or path.stem == "00-intro", "no chart"


def test_chart_cells_have_one_output(notebook):
    """Every output of a figure cell would get the figure's number."""
    for cell in code(notebook):
        if any(notebooks.figure_of(o) for o in cell.outputs):
            assert len(cell.outputs) == 1, cell.id


def test_labels_are_shown_once():
    labels = [
        label
        for path in PATHS
        for label in notebooks.equation_labels(notebooks.read(path))
    ]
    assert labels and sorted(set(labels)) == sorted(labels)


def test_charts_are_named_once():
    names = [
        c["name"] for p in PATHS for c in charts(notebooks.read(p))
    ]  # fmt: skip
    assert names and sorted(set(names)) == sorted(names)


# Cells


def test_code_cells_are_short(notebook):
    lengths = {c.id: c.source.count("\n") + 1 for c in code(notebook)}
    assert statistics.median(lengths.values()) <= 3
    assert {i: n for i, n in lengths.items() if n > 12} == {}
    wide = [
        (c.id, line)
        for c in code(notebook)
        for line in c.source.splitlines()
        if len(line) > 79
    ]
    assert wide == []


def test_first_code_cell_imports(notebook):
    first = code(notebook)[0]
    assert first.source.count("\n") < 3 and not first.metadata.get("tags")
    body = ast.parse(first.source).body
    assert body and all(isinstance(s, ast.ImportFrom) for s in body)
    assert {s.module.partition(".")[0] for s in body} == {"roofline"}


def test_code_only_asks_shows_and_varies(path, notebook):
    found = []
    for cell in code(notebook):
        # A magic or a shell line is a syntax error here.
        for node in ast.walk(ast.parse(cell.source, cell.id)):
            if fault := fault_of(node, (path.stem, cell.id)):
                found.append(f"{cell.id}: {fault}")
    assert found == []


def fault_of(node, place):
    """What a chapter must not contain, or None."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return None if place in LESSONS else f"defines {node.name}"
        case ast.Import():
            modules = {a.name.partition(".")[0] for a in node.names}
        case ast.ImportFrom():
            if any(a.name == "*" for a in node.names):
                return "imports *"
            modules = {(node.module or ".").partition(".")[0]}
        case ast.Name() if node.id in NAMES:
            return f"uses {node.id}"
        case ast.Attribute() if node.attr in CALLS | NAMES:
            return f"uses .{node.attr}"
        case _:
            return None
    return f"imports {modules}" if modules - MODULES else None


def test_markdown_cells_are_short(notebook):
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            assert len(cell.source.split()) <= 120, cell.id


def test_headings(notebook):
    """One title in the first cell, at most two levels under it."""
    levels = [
        len(hashes)
        for cell in notebook.cells
        if cell.cell_type == "markdown"
        for hashes in HEADING.findall(FENCE.sub("", cell.source))
    ]
    assert notebook.cells[0].source.startswith("# ")
    assert levels[0] == 1 and levels.count(1) == 1 and max(levels) <= 3


def test_input_is_removed_only_from_speaking_cells(notebook):
    """Each is one call; what it is given is computed in a cell to see."""
    hiding = [
        c.id
        for c in code(notebook)
        if "remove-input" in c.metadata.get("tags", [])
        and called(ast.parse(c.source).body) not in SPEAKING
    ]
    assert hiding == []


def called(body):
    """The name of the function that a cell consists of calling, or None."""
    match body:
        case [ast.Expr(ast.Call(ast.Name(name)))]:
            return name


# The machine itself, on planted faults

SPOKEN = "1 + 1"
CHART = '''from IPython.display import HTML
HTML("""<figure class="roofline roofline-chart" id="chart-a">
<script type="application/json" class="roofline-spec">{"claim": "$2 < $3"}\
</script></figure>""")'''


@pytest.fixture
def folder(tmp_path):
    """A folder with one small chapter that has been executed."""
    write(tmp_path, ("title", "# A title"), ("sum", SPOKEN), ("chart", CHART))
    notebooks.execute(folder=tmp_path)
    return tmp_path


def write(folder, *cells):
    book = nbformat.v4.new_notebook(metadata={"noise": 1})
    for name, source in cells:
        kind = "markdown" if source.startswith("#") else "code"
        cell = getattr(nbformat.v4, f"new_{kind}_cell")(source, id=name)
        book.cells.append(cell)
    nbformat.write(book, folder / "01-small.ipynb")


def test_execution_is_canonical_and_repeatable(folder):
    assert notebooks.problems(folder) == []
    before = {p.name: p.read_bytes() for p in folder.iterdir()}
    notebooks.execute(folder=folder)
    assert {p.name: p.read_bytes() for p in folder.iterdir()} == before
    stored = notebooks.read(folder / "01-small.ipynb")
    assert [c.execution_count for c in code(stored)] == [1, 2]
    assert stored.metadata == notebooks.KERNEL
    assert stored.cells[2].metadata == {
        "mystnb": {"figure": {"caption": r"\$2 \< \$3", "name": "fig-a"}}
    }


def planted(folder, old, new):
    path = folder / "01-small.ipynb"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(notebooks.NotebookError) as error:
        notebooks.check(folder)
    return str(error.value)


def test_an_edited_output_is_refused(folder):
    message = planted(folder, '"2"', '"3"')
    assert "01-small.ipynb is stale: its stored outputs" in message
    assert "make execute" in message


def test_an_edited_cell_is_refused(folder):
    message = planted(folder, '"1 + 1"', '"1 + 2"')
    assert "01-small.ipynb is stale: its cells" in message


def test_a_cleared_count_is_refused(folder):
    message = planted(
        folder, '"execution_count": 1', '"execution_count": null'
    )
    assert 'cell "sum" was never run' in message


def test_a_changed_library_is_refused(folder, monkeypatch):
    monkeypatch.setattr(notebooks, "library_hash", lambda: "other")
    (problem,) = notebooks.problems(folder)
    assert problem.startswith("01-small.ipynb is stale: lib/roofline changed")


def test_the_library_hash_sees_files_names_and_no_book(tmp_path):
    (tmp_path / "book").mkdir()
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "a.toml").write_bytes(b"x = 1\n")
    before = notebooks.library_hash(tmp_path)
    (tmp_path / "book" / "b.py").write_text("1")
    (tmp_path / "data" / "a.toml").write_bytes(b"x = 1\r\n")
    moved = shutil.copytree(tmp_path, tmp_path.parent / "elsewhere")
    assert before == notebooks.library_hash(moved)
    (moved / "data" / "a.toml").write_bytes(b"x = 2\n")
    changed = notebooks.library_hash(moved)
    (moved / "data" / "a.toml").rename(moved / "data" / "b.toml")
    assert len({before, changed, notebooks.library_hash(moved)}) == 3


@pytest.mark.parametrize(
    ("name", "source", "words"),
    [
        ("boom", "1 / 0", "ZeroDivisionError"),
        ("noisy", "import warnings; warnings.warn('hm')", "stderr"),
        ("1a2b3c4d", "1", "not a slug"),
    ],
)
def test_execution_stops_with_file_and_cell(tmp_path, name, source, words):
    write(tmp_path, ("title", "# A title"), (name, source))
    path = tmp_path / "01-small.ipynb"
    before = path.read_bytes()
    with pytest.raises(notebooks.NotebookError) as error:
        notebooks.execute(folder=tmp_path)
    for part in (str(path), f'"{name}"', words):
        assert part in str(error.value)
    assert path.read_bytes() == before


def test_an_unknown_tag_is_refused(folder):
    stored = notebooks.read(folder / "01-small.ipynb")
    stored.cells[1].metadata["tags"] = ["remove-cell"]
    with pytest.raises(notebooks.NotebookError, match="remove-cell"):
        notebooks.text_of(stored)


def test_a_label_shown_twice_is_refused(tmp_path):
    show = 'display({"text/markdown": "$$\\nx\\n$$ (eq-x)"}, raw=True)'
    write(tmp_path, ("title", "# A title"), ("one", show), ("two", show))
    notebooks.execute(folder=tmp_path)
    assert any("eq-x again" in p for p in notebooks.problems(tmp_path))
