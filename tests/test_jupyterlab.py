"""Do the charts live in JupyterLab, tied to the values in the kernel?"""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from contextlib import contextmanager

import nbformat
import pytest
from browser import launched, visit
from conftest import ROOT

CHAPTER = "chapters/01-two-clocks.ipynb"
# JupyterLab is asked to stay at home; that it does so is a test below.
SETTINGS = {
    "apputils-extension/notification": {
        "checkForUpdates": False,
        "doNotDisturbMode": True,
        "fetchNews": "false",
    },
    # Else a cell out of sight is not in the page.
    "notebook-extension/tracker": {"windowingMode": "none"},
}
OPTIONS = (
    "--no-browser",
    "--allow-root",
    "--ServerApp.ip=127.0.0.1",
    "--IdentityProvider.token=",
    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    "--LabApp.extension_manager=readonly",
    "--LabApp.news_url=",
    "--expose-app-in-browser",
)
MAKE = """heard = []
lab = Chart("lab", s.batch, clocks, case, sliders=[s.context], start=500,
            claim="A chart to read from.")
lab.observe(lambda change: heard.append(change["new"]), "values")
lab"""
READ = """assert not heard or heard[-1] == lab.values
[lab.values["batch"], lab.values["context"], len(heard)]"""
WRITE = """lab.values = lab.values | {"batch": 2000.0, "context": 3000.0}"""
PATIENCE = 180  # Seconds that a start or a run may take on a busy machine.


def prepare(folder):
    """The chapter with cells that make a chart, read it and write to it."""
    notebook = nbformat.read(ROOT / CHAPTER, as_version=4)
    for name, source in (("make", MAKE), ("read", READ), ("write", WRITE)):
        cell = nbformat.v4.new_code_cell(source, id=f"lab-{name}")
        notebook.cells.append(cell)
    (folder / CHAPTER).parent.mkdir()
    nbformat.write(notebook, folder / CHAPTER)
    shutil.copytree(ROOT / "figures", folder / "figures")


@contextmanager
def served(home):
    """The address of a JupyterLab that keeps all it writes in a folder."""
    folder = {name: home / name for name in ("root", "lab", "run", "other")}
    for each in folder.values():
        each.mkdir()
    for name, content in SETTINGS.items():
        path = folder["lab"] / "@jupyterlab" / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content), encoding="utf-8")
    prepare(folder["root"])
    environment = os.environ | {
        "IPYTHONDIR": str(folder["other"]),
        "JUPYTER_CONFIG_DIR": str(folder["other"]),
        "JUPYTER_DATA_DIR": str(folder["other"]),
        "JUPYTER_RUNTIME_DIR": str(folder["run"]),
        "JUPYTERLAB_SETTINGS_DIR": str(folder["lab"]),
        "JUPYTERLAB_WORKSPACES_DIR": str(folder["other"]),
        "PYTHONPATH": str(ROOT / "lib"),
    }
    with (home / "log").open("w") as log:
        server = subprocess.Popen(
            [sys.executable, "-m", "jupyterlab", *OPTIONS,
             f"--ServerApp.port={free_port()}",
             f"--ServerApp.root_dir={folder['root']}"],
            cwd=home, env=environment, stdout=log, stderr=log,
        )  # fmt: skip
        try:
            yield address(server, folder["run"], home / "log")
        finally:
            server.terminate()
            try:
                server.wait(10)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as found:
        return found.getsockname()[1]


def address(server, run, log):
    """Where the server says that it answers."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and server.poll() is None:
        for path in run.glob("jpserver-*.json"):
            try:
                return json.loads(path.read_text())["url"]
            except ValueError:  # It is being written.
                pass
        time.sleep(0.1)
    raise RuntimeError(f"JupyterLab did not start:\n{log.read_text()}")


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """A page with the chapter open in JupyterLab, its kernel waiting."""
    home = tmp_path_factory.mktemp("jupyterlab")
    with served(home) as url, launched() as browser:
        with visit(browser, f"{url}doc/tree/{CHAPTER}", url) as here:
            page = here.page
            page.set_default_timeout(1000 * PATIENCE)
            page.wait_for_function(OPENED)
            yield here
    shutil.rmtree(home)


# The notebook is there, and its kernel waits.
OPENED = """() => {
  const panel = globalThis.jupyterapp?.shell.currentWidget;
  return panel?.context?.isReady && panel.content.widgets.length > 3
    && panel.sessionContext.session?.kernel?.status === "idle";
}"""
RUN = """async ([id, seconds]) => {
  const { content } = jupyterapp.shell.currentWidget;
  const at = content.widgets.findIndex((cell) => cell.model.id === id);
  content.activeCellIndex = at;
  content.deselectAll();
  await Promise.race([
    jupyterapp.commands.execute("notebook:run-cell"),
    new Promise((_, refuse) => setTimeout(refuse, 1000 * seconds, id)),
  ]);
  return content.widgets[at].model.outputs.toJSON()
    .map((o) => o.data?.["text/plain"] ?? `${o.ename}: ${o.evalue}`).join();
}"""

CHOSEN = "jupyterapp.shell.currentWidget.content.activeCellIndex"


def run(page, name):
    """Run one of the cells that were added; what it shows."""
    return page.evaluate(RUN, [f"lab-{name}", PATIENCE])


def arrives(page, expected):
    """The kernel holds these values, as soon as messages have arrived."""
    end = time.monotonic() + PATIENCE
    while True:
        told = run(page, "read")
        values = json.loads(told)
        if values[:2] == expected or time.monotonic() > end:
            assert values[:2] == expected
            return values[2]


def shown(page):
    values = page.evaluate(
        "document.querySelector('#chart-lab').roofline.values()"
    )
    return [values["batch"], values["context"]]


def test_an_unrun_notebook_shows_pictures_and_tables(lab):
    page = lab.page
    trusted = page.evaluate(
        "[...jupyterapp.shell.currentWidget.content.model.cells]"
        ".filter((c) => c.type === 'code').map((c) => c.trusted)"
    )
    assert len(trusted) > 20 and not any(trusted[:-3])
    page.wait_for_selector("img.roofline-picture")
    outputs = page.query_selector_all(
        ".jp-OutputArea-output:has(img.roofline-picture)"
    )
    assert len(outputs) > 2
    for output in outputs:
        picture = output.query_selector("img.roofline-picture")
        assert picture.evaluate("i => i.naturalWidth") > 100
        assert picture.bounding_box()["width"] > 300
        assert len(picture.get_attribute("alt")) > 30
        for summary in output.query_selector_all("summary"):
            summary.click()
        assert output.query_selector("table").is_visible()
        assert len(output.query_selector_all("tbody tr")) > 1
    assert not page.query_selector(".roofline-live")


def test_charts_and_kernel_share_their_values(lab):
    page = lab.page
    page.evaluate("void jupyterapp.commands.execute('runmenu:run-all')")
    page.wait_for_selector("#chart-two-clocks.roofline-live")
    live = page.wait_for_selector("#chart-lab.roofline-live")
    # The last cell has run too: what Python sets, the page shows.
    page.wait_for_function(
        "document.querySelector('#chart-lab').roofline.values().batch == 2000"
    )
    assert shown(page) == [2000, 3000]
    heard = arrives(page, [2000, 3000])

    # Arrow keys move the slider, up and down too, and choose no other cell.
    slider = live.query_selector("input[type=range]")
    slider.click()
    cell = page.evaluate(CHOSEN)
    before = shown(page)
    page.keyboard.press("ArrowRight")
    once = shown(page)
    for key in ("ArrowUp", "ArrowRight", "ArrowUp", "ArrowDown", "ArrowLeft"):
        page.keyboard.press(key)
    moved = shown(page)
    assert before[0] < once[0] < moved[0] < 1.1 * before[0]
    assert slider.evaluate("s => s === document.activeElement")
    assert page.evaluate(CHOSEN) == cell
    assert arrives(page, moved) > heard

    entry = live.query_selector_all(".roofline-entry")[1]
    entry.fill("1.5k")
    entry.press("Enter")
    assert shown(page) == [moved[0], 1500]
    heard = arrives(page, [moved[0], 1500])

    # No echo: what came back from the kernel was not sent again.
    run(page, "write")
    page.wait_for_function(
        "document.querySelector('#chart-lab').roofline.values().context"
        " == 3000"
    )
    assert shown(page) == [2000, 3000]
    sentence = live.query_selector(".roofline-sentence").inner_text()
    assert "2,000 sequences" in sentence
    assert arrives(page, [2000, 3000]) == heard + 1


def test_nothing_was_asked_of_another_host(lab):
    """Nor did a script of this book complain; JupyterLab's own may."""
    ours = [
        complaint
        for complaint in lab.complaints
        if complaint.startswith("asks for") or "roofline" in complaint
    ]
    assert ours == []
