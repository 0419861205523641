"""When is a stored notebook still true?

When its code, its outputs and the library are those of its last run.
``python -m roofline.book.notebooks execute`` runs the chapters, writes them
in one canonical form and records three hashes a chapter in
``chapters/outputs.toml``; ``check`` compares them and never runs anything.
"""

import argparse
import hashlib
import json
import re
import sys
import tomllib
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

CHAPTERS = Path("chapters")
LEDGER = "outputs.toml"
TAGS = ("hide-input", "remove-input")
KERNEL = {
    "kernelspec": {
        "display_name": "Python 3 (ipykernel)",
        "language": "python",
        "name": "python3",
    },
    "language_info": {"name": "python"},
}
LIBRARY = Path(__file__).resolve().parents[1]
# What can change an output; the book's own machinery cannot.
LIBRARY_SUFFIXES = (".py", ".toml", ".js", ".css", ".json")

_SLUG = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
# What Jupyter gives a new cell: eight hexadecimal digits, or a UUID.
_RANDOM_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){0,3}(-[0-9a-f]{12})?")
_FIGURE = re.compile(
    r'\s*<figure class="roofline roofline-(\w+)" id="\1-([a-z0-9-]+)"'
)
_SPEC = re.compile(
    r'<script type="application/json" class="roofline-spec">(.*?)</script>',
    re.DOTALL,
)
_LABEL = re.compile(r"^\$\$ \(([a-z0-9-]+)\)$", re.MULTILINE)
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>$#~|])")
_ADVICE = "run `make execute`"


class NotebookError(Exception):
    """A notebook that cannot be run, or whose stored form is not to trust."""


def read(path):
    """The notebook stored at a path, as version 4.5."""
    with open(path, encoding="utf-8") as file:
        return nbformat.read(file, as_version=4)


def chapters(folder=CHAPTERS):
    """All chapters of a folder, in reading order."""
    return sorted(Path(folder).glob("*.ipynb"))


# Canonical form


def text_of(notebook):
    """The bytes of a canonical notebook: keys sorted, indent 1, one newline.

    Raises NotebookError naming the cell whose id or tag breaks a rule.
    """
    return nbformat.writes(canonical(notebook)).rstrip("\n") + "\n"


def canonical(notebook):
    """A copy with nothing in it that changes without a change of meaning."""
    cells, count, seen = [], 0, set()
    for cell in notebook.cells:
        new = {
            "cell_type": cell.cell_type,
            "id": _slug(cell, seen),
            "metadata": _cell_metadata(cell),
            "source": cell.source.rstrip("\n"),
        }
        if cell.cell_type == "code":
            count += 1
            new["execution_count"] = count
            new["outputs"] = [_output(o, count) for o in cell.outputs]
        cells.append(new)
    return nbformat.from_dict(
        {
            "cells": cells,
            "metadata": KERNEL,
            "nbformat": 4,
            "nbformat_minor": 5,
        }
    )


def _slug(cell, seen):
    name = cell.get("id", "")
    if not _SLUG.fullmatch(name) or _RANDOM_ID.fullmatch(name):
        raise NotebookError(
            f'cell id "{name}" is not a slug such as "show-pass-time" '
            f"(the cell begins {cell.source[:40]!r})"
        )
    if name in seen:
        raise NotebookError(f'cell id "{name}" is used twice')
    seen.add(name)
    return name


def _cell_metadata(cell):
    kept = {}
    if tags := sorted(cell.metadata.get("tags", [])):
        if unknown := [t for t in tags if t not in TAGS]:
            raise NotebookError(
                f'cell "{cell.id}" has the tag "{unknown[0]}"; '
                f"allowed are {', '.join(TAGS)}"
            )
        kept["tags"] = tags
    mystnb = dict(cell.metadata.get("mystnb", {}))
    if cell.cell_type == "code":
        # The claim is typed once, in the chart; a figure that no chart in
        # the outputs stands for any more goes with it.
        figure = mystnb.get("figure", {})
        if figure.get("name", "").startswith("fig-"):
            del mystnb["figure"]
        for found in map(figure_of, cell.outputs):
            mystnb |= {"figure": found} if found else {}
    if mystnb:
        kept["mystnb"] = mystnb
    return kept


def _output(output, count):
    """An output without model ids, widget views and volatile metadata."""
    kind = output.output_type
    if kind not in ("display_data", "execute_result"):
        return output
    data = {
        mime: value
        for mime, value in output.data.items()
        if not mime.startswith("application/vnd.jupyter.widget-")
    }
    new = {"data": data, "metadata": {}, "output_type": kind}
    return new | ({"execution_count": count} if "result" in kind else {})


def figure_of(output):
    """The number's anchor and the caption of a figure's output, or None."""
    html = output.get("data", {}).get("text/html", "")
    figure = _FIGURE.match(html)
    if not figure:
        return None
    kind, slug = figure.groups()
    spec = _SPEC.search(html)
    if not spec:
        raise NotebookError(f"{kind}-{slug} carries no roofline-spec")
    claim = json.loads(spec[1])["claim"]
    # A claim is plain text, a caption is Markdown: "$2" is not maths.
    return {
        "caption": _MARKDOWN.sub(r"\\\1", claim),
        "name": f"fig-{slug}",
    }


def equation_labels(notebook):
    """Labels of the numbered equations that a notebook's outputs show."""
    return [
        label
        for cell in notebook.cells
        for output in cell.get("outputs", ())
        for label in _LABEL.findall(
            output.get("data", {}).get("text/markdown", "")
        )
    ]


# Execution


def execute(paths=None, folder=CHAPTERS):
    """Run notebooks in order, store their canonical form, note the hashes.

    Raises NotebookError naming file, cell and traceback at the first fault;
    the file is then left as it was.
    """
    folder = Path(folder)
    ledger = _ledger(folder)
    everyone = chapters(folder)
    for path in map(Path, paths) if paths else everyone:
        text = _run(path)
        if text != path.read_text(encoding="utf-8"):
            path.write_text(text, encoding="utf-8")
        ledger[path.stem] = hashes(read(path))
        names = [p.stem for p in everyone if p.stem in ledger]
        (folder / LEDGER).write_text(
            "".join(_table(name, ledger[name]) for name in names),
            encoding="utf-8",
        )


def _run(path):
    """The canonical text of a notebook after a fresh run."""
    notebook = read(path)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    client = NotebookClient(
        notebook,
        kernel_name="python3",
        timeout=300,
        record_timing=False,
        store_widget_state=False,
        coalesce_streams=True,
        # Else each kernel remarks that it listens on this machine's TCP.
        extra_arguments=["--log-level=ERROR"],
        resources={"metadata": {"path": str(path.parent)}},
    )
    try:
        client.execute()
    except CellExecutionError as error:
        broken = next(
            c
            for c in notebook.cells
            for o in c.get("outputs", ())
            if o.output_type == "error"
        )
        raise NotebookError(
            f'{path}, cell "{broken.id}":\n{_plain(str(error))}'
        ) from None
    if noise := faults(notebook):
        raise NotebookError(f"{path}, {noise[0]}")
    try:
        return text_of(notebook)
    except NotebookError as error:
        raise NotebookError(f"{path}, {error}") from None


def _plain(text):
    """A traceback without the terminal's colours."""
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def faults(notebook):
    """What no stored chapter may hold: unrun cells, errors, warnings."""
    found = []
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        if cell.execution_count is None:
            found.append(f'cell "{cell.id}" was never run')
        for output in cell.outputs:
            if output.output_type == "error":
                found.append(
                    f'cell "{cell.id}" holds the exception {output.ename}: '
                    f"{output.evalue}"
                )
            elif output.get("name") == "stderr":
                found.append(
                    f'cell "{cell.id}" printed to stderr:\n{output.text}'
                )
    return found


# Hashes


def _digest(value):
    text = json.dumps(value, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def hashes(notebook):
    """The three hashes that say what a notebook's outputs rest on."""
    return {
        "source": _digest(
            [[c.cell_type, c.get("id"), c.source] for c in notebook.cells]
        ),
        "outputs": _digest(
            [
                [c.id, c.outputs]
                for c in notebook.cells
                if c.cell_type == "code"
            ]
        ),
        "library": library_hash(),
    }


def library_hash(root=LIBRARY):
    """One hash of lib/roofline without book/, the same on every machine."""
    files = [
        path
        for path in Path(root).rglob("*")
        if path.suffix in LIBRARY_SUFFIXES
        and path.relative_to(root).parts[0] != "book"
    ]
    named = {
        path.relative_to(root).as_posix(): path.read_bytes()
        .replace(b"\r\n", b"\n")
        .decode()
        for path in files
    }
    return _digest(sorted(named.items()))


def _ledger(folder):
    path = Path(folder) / LEDGER
    if not path.exists():
        return {}
    return tomllib.loads(path.read_text(encoding="utf-8"))


def _table(name, entry):
    lines = [f'{key} = "{entry[key]}"' for key in sorted(entry)]
    return "\n".join([f'["{name}"]', *lines, "", ""])


_PARTS = {
    "source": "its cells were edited after its last run",
    "outputs": "its stored outputs are not those of its last run",
    "library": "lib/roofline changed after its last run",
}


def problems(folder=CHAPTERS):
    """One sentence for each reason why a chapter may not be shown."""
    found = []
    ledger = _ledger(folder)
    paths = chapters(folder)
    shown = {}
    for path in paths:
        notebook = read(path)
        found += [f"{path.name}: {fault}" for fault in faults(notebook)]
        for label in equation_labels(notebook):
            if label in shown:
                found.append(
                    f"{path.name} shows {label} again, after {shown[label]}; "
                    "elsewhere it is recalled"
                )
            shown.setdefault(label, path.name)
        stored = ledger.get(path.stem)
        if stored is None:
            found.append(f"{path.name}: {LEDGER} does not know it; {_ADVICE}")
            continue
        now = hashes(notebook)
        found += [
            f"{path.name} is stale: {sentence}; {_ADVICE}"
            for part, sentence in _PARTS.items()
            if stored.get(part) != now[part]
        ]
    gone = sorted(set(ledger) - {p.stem for p in paths})
    found += [f"{LEDGER} lists {g}, which is gone; {_ADVICE}" for g in gone]
    return found


def check(folder=CHAPTERS):
    """Raise NotebookError with every problem of the stored chapters."""
    if found := problems(folder):
        raise NotebookError("\n".join(found))


def main(arguments=None):
    """The command line: ``execute [paths]`` or ``check``."""
    parser = argparse.ArgumentParser(
        prog="python -m roofline.book.notebooks",
        description="Run the chapters, or check that they are not stale.",
    )
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("execute", help="run and store in one form")
    run.add_argument("paths", nargs="*", help="default: all chapters")
    commands.add_parser("check", help="compare with the last run")
    options = parser.parse_args(arguments)
    try:
        execute(options.paths) if options.command == "execute" else check()
    except NotebookError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
