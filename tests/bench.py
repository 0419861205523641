"""Is the book still light?  Its budgets, measured and printed as one table.

``make bench`` runs this after a build. Nothing fails here: a time depends on
the machine, so a measurement over its budget is marked and left to the reader.
"""

import gzip
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
from browser import WIDE, launched, served
from roofline import decode, reference_case

ROOT = Path(__file__).parents[1]
SITE = ROOT / "_build" / "html"
LEFT_BEHIND = shutil.ignore_patterns(".*", "_build", "__pycache__")
JUPYTER_BOOK = Path(sys.executable).with_name("jupyter-book")
BUILD = (JUPYTER_BOOK, "build", ".", "-W", "-n", "--keep-going", "--quiet")
EXECUTE = (sys.executable, "-m", "roofline.book.notebooks", "execute")


@dataclass
class Row:
    """What was measured, how a value prints, and the most it may be."""

    what: str
    value: float
    form: str
    budget: float | None = None
    note: str = ""

    def cells(self):
        """The row as texts, with a mark where the budget is exceeded."""
        budget, mark = "", ""
        if self.budget is not None:
            sign = "<= " if self.budget else ""
            budget = sign + self.form.format(self.budget)
            mark = " OVER" if self.value > self.budget else ""
        measured = self.form.format(self.value) + mark
        return [self.what, budget, f"{measured} {self.note}".rstrip()]


def announce(step):
    """Say on stderr what is being measured, for the slow parts are silent."""
    print(f"measuring {step} ...", file=sys.stderr, flush=True)


# The pages


@contextmanager
def first_visit(browser, url):
    """A page in a fresh context, what it asks for, and what it gets."""
    context = browser.new_context(viewport=WIDE)
    page, asked, answered = context.new_page(), [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("response", lambda response: answered.append(response))
    page.goto(url, wait_until="networkidle")
    yield page, asked, answered
    context.close()


SCROLL = """async () => {
  for (let y = 0; y < document.body.scrollHeight; y += 400) {
    scrollTo(0, y);
    await new Promise(requestAnimationFrame);
  }
}"""


def foreign(urls, host):
    """Those addresses that go to another host."""
    return [
        url
        for url in urls
        if urlsplit(url).scheme not in ("data", "blob")
        and not url.startswith(host)
    ]


def measure_traffic(browser, host):
    """Requests abroad over all pages; bytes and requests of chapters."""
    abroad, weights, counts = [], {}, {}
    for path in sorted(SITE.rglob("*.html")):
        name = path.relative_to(SITE).as_posix()
        with first_visit(browser, host + name) as (page, asked, answered):
            page.evaluate(SCROLL)
            page.wait_for_load_state("networkidle")
            abroad += foreign(asked, host)
            if path.parent.name == "chapters":
                local = [r for r in answered if r.url.startswith(host)]
                counts[path.stem] = len(local)
                weights[path.stem] = sum(
                    len(gzip.compress(r.body(), 6)) for r in local
                )
    heavy = max(weights, key=weights.get)
    busy = max(counts, key=counts.get)
    return [
        Row("requests to another host, all pages", len(abroad), "{:.0f}", 0),
        Row("heaviest chapter, first visit, gzipped", weights[heavy] / 1e6,
            "{:.3f} MB", 0.75, f"({heavy})"),
        Row("most requests of a chapter page", counts[busy], "{:.0f}", 25,
            f"({busy})"),
    ]  # fmt: skip


# The address names the first figure that moves, so the page opens there.
READY = """() => document.querySelector("figure.roofline")?.roofline
  && performance.now()"""
FIRST = "document.querySelector('figure.roofline').id"


def measure_start(browser, host):
    """From navigation until the first figure of a chapter answers."""
    medians, worst = {}, 0
    for path in sorted((SITE / "chapters").glob("*.html")):
        url, times = f"{host}chapters/{path.name}", []
        with first_visit(browser, url) as (page, *_):
            url += "#" + page.evaluate(FIRST)
        for _ in range(3):
            context = browser.new_context(viewport=WIDE)
            page = context.new_page()
            page.goto(url, wait_until="commit")
            times.append(page.wait_for_function(READY).json_value() / 1000)
            context.close()
        medians[path.stem] = statistics.median(times)
        worst = max(worst, *times)
    slow, middle = max(medians, key=medians.get), medians.values()
    return [
        Row("figure interactive after navigation, median of chapters",
            statistics.median(middle), "{:.2f} s", 1.0),
        Row("the same, slowest chapter, median of 3", medians[slow],
            "{:.2f} s", 1.0, f"({slow}; worst of all {worst:.2f} s)"),
    ]  # fmt: skip


# A redraw is synchronous: it is over when dispatchEvent returns.
DRAG = """async (figure) => {
  figure.scrollIntoView();
  const end = performance.now() + 10000;
  while (!figure.roofline) {
    if (performance.now() > end) {
      throw new Error(`${figure.id} did not start: `
        + figure.querySelector(".roofline-broken")?.textContent);
    }
    await new Promise(requestAnimationFrame);
  }
  const times = [];
  for (const slider of figure.querySelectorAll("input[type=range]")) {
    const home = slider.valueAsNumber;
    const move = (to) => {
      slider.valueAsNumber = to;
      slider.dispatchEvent(new Event("input", { bubbles: true }));
    };
    for (let i = 0; i < 40; i++) {
      const start = performance.now();
      move(Math.round(slider.max * i / 39));
      times.push(performance.now() - start);
      if (i % 10 === 0) await new Promise(requestAnimationFrame);
    }
    move(home);
  }
  return times;
}"""


def measure_redraw(browser, host):
    """Script time of slider events, 40 positions of each of all sliders.

    Each position counts with the median of five drags, so that an event
    during which the machine did something else is not taken for a slow one.
    """
    medians, worst = {}, {}
    for path in sorted((SITE / "chapters").glob("*.html")):
        with first_visit(browser, f"{host}chapters/{path.name}") as (page, *_):
            for figure in page.query_selector_all("figure.roofline"):
                drags = [page.evaluate(DRAG, figure) for _ in range(5)]
                times = list(map(statistics.median, zip(*drags, strict=True)))
                if not times:
                    continue
                name = figure.get_attribute("id")
                medians[name] = statistics.median(times)
                worst[name] = max(times)
    slow, slowest = max(medians, key=medians.get), max(worst, key=worst.get)
    middle = statistics.median(medians.values())
    return [
        Row("slider event to redraw, median of the slowest figure",
            medians[slow], "{:.2f} ms", 2,
            f"({slow}; all {len(medians)} figures {middle:.2f} ms)"),
        Row("slider event to redraw, worst position of any figure",
            worst[slowest], "{:.2f} ms", 8, f"({slowest}, median of 5)"),
    ]  # fmt: skip


def measure_pages():
    """Everything that needs the built site and a browser."""
    if not (SITE / "index.html").exists():
        sys.exit(f"{SITE} is missing: run `make book` first")
    with served(SITE) as host, launched() as browser:
        announce("pages")
        rows = measure_traffic(browser, host)
        announce("figures")
        rows += measure_start(browser, host)
        rows += measure_redraw(browser, host)
    return rows


# The library


def seconds(action, *arguments):
    """Time of one call."""
    start = time.perf_counter()
    action(*arguments)
    return time.perf_counter() - start


def as_it_reads(v, batch):
    """One pass, typed from the page."""
    flop = 2 * batch * v["active_parameters"]
    weights = v["bytes_per_weight"] * v["total_parameters"]
    kv = batch * v["context"] * v["kv_bytes_per_token"]
    compute = flop / (v["chips"] * v["peak_compute"])
    memory = (weights + kv) / (v["chips"] * v["hbm_bandwidth"])
    return np.maximum(compute, memory)


def at_its_best(v, batch):
    """One pass, with every product of scalars taken out first."""
    flop = 2 * v["active_parameters"] / (v["chips"] * v["peak_compute"])
    bandwidth = v["chips"] * v["hbm_bandwidth"]
    weights = v["bytes_per_weight"] * v["total_parameters"] / bandwidth
    kv = v["context"] * v["kv_bytes_per_token"] / bandwidth
    return np.maximum(flop * batch, weights + kv * batch)


def measure_library():
    """An array against NumPy, a scalar call, an import."""
    announce("library")
    values = {name: float(v) for name, v in reference_case.values.items()}
    batch = np.geomspace(1, 1e5, 1_000_000)

    ways = (
        lambda: decode.pass_time(values, batch=batch),
        lambda: as_it_reads(values, batch),
        lambda: at_its_best(values, batch),
    )
    assert all(np.allclose(way(), ways[0](), rtol=1e-12) for way in ways)
    times = [[seconds(way) for way in ways] for _ in range(30)]
    ours, read, best = map(statistics.median, zip(*times, strict=True))
    one = [
        seconds(partial(decode.pass_time, reference_case, batch=1000))
        for _ in range(300)
    ]
    timed = "import time; t = time.perf_counter(); import roofline; "
    timed += "print(time.perf_counter() - t)"
    imports = [float(run(ROOT, sys.executable, "-c", timed)) for _ in range(5)]
    return [
        Row("pass_time of 1e6 batches against NumPy, medians of 30",
            ours / read, "{:.2f} x", 1.2,
            f"({ours * 1e3:.2f} ms / {read * 1e3:.2f} ms)"),
        Row("the same against NumPy with scalars taken out",
            ours / best, "{:.2f} x", None,
            f"({ours * 1e3:.2f} ms / {best * 1e3:.2f} ms)"),
        Row("pass_time of one batch, median of 300",
            statistics.median(one) * 1e6, "{:.0f} µs"),
        Row("import roofline, median of 5",
            statistics.median(imports), "{:.2f} s"),
    ]  # fmt: skip


# The build


def run(folder, *command):
    """Run a command in a folder, with that folder's library; its output."""
    result = subprocess.run(
        command,
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder / "lib")},
        capture_output=True,
        text=True,
    )
    if result.returncode:
        sys.exit(f"{command} failed:\n{result.stdout}{result.stderr}")
    return result.stdout


def edit(chapter):
    """Add a sentence to the last piece of prose of a stored chapter."""
    import nbformat

    notebook = nbformat.read(chapter, as_version=4)
    prose = [c for c in notebook.cells if c.cell_type == "markdown"]
    prose[-1].source += "\n\nOne more sentence."
    nbformat.write(notebook, chapter)


def measure_build():
    """Builds from stored outputs and a fresh run, in a copy of the tree."""
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / "book"
        shutil.copytree(ROOT, copy, ignore=LEFT_BEHIND)
        announce("cold build")
        cold = seconds(run, copy, *BUILD)
        chapter = sorted((copy / "chapters").glob("*.ipynb"))[-1]
        edit(chapter)
        run(copy, *EXECUTE, chapter.relative_to(copy))
        announce("build with one chapter changed")
        warm = seconds(run, copy, *BUILD)
        announce("execution of all chapters")
        again = seconds(run, copy, *EXECUTE)
        count = len(list((copy / "chapters").glob("*.ipynb")))
    return [
        Row("full build from stored outputs, cold", cold, "{:.1f} s", 60),
        Row("build with one chapter changed", warm, "{:.1f} s", 15,
            f"({chapter.stem})"),
        Row("execution of all chapters", again, "{:.1f} s", 150,
            f"({count} chapters, {os.cpu_count()} cores)"),
    ]  # fmt: skip


def main():
    """Measure everything, then print one table."""
    rows = [*measure_pages(), *measure_library(), *measure_build()]
    lines = [["what", "budget", "measured"], *(r.cells() for r in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        cells = (c.ljust(w) for c, w in zip(line, widths, strict=True))
        print("  ".join(cells).rstrip())


if __name__ == "__main__":
    main()
