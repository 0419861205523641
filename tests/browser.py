"""How do the tests look at a page?  In a real browser, with the network cut.

Whatever a page asks of another host is refused and noted, like every error
or warning on its console.
"""

import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

from chromium import find
from playwright.sync_api import sync_playwright

WIDE = {"width": 1280, "height": 900}
NARROW = {"width": 360, "height": 800}
# No name resolves, so not even a connection in advance leaves the machine.
FLAGS = (
    "--no-sandbox",
    "--disable-background-networking",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)
# On a slow machine that does other things too.
PATIENCE = 60_000


class Handler(SimpleHTTPRequestHandler):
    """Serves files and keeps no log."""

    def log_message(self, *args):
        pass


class Server(ThreadingHTTPServer):
    """A server that does not mind a page that closes before it is whole."""

    def handle_error(self, request, client_address):
        pass


@contextmanager
def served(folder):
    """The address of a folder on a local server."""
    handler = partial(Handler, directory=folder)
    with Server(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@contextmanager
def launched():
    """A running Chromium.

    Close it before tests of another file run: while it is open, this thread
    has an event loop, and nothing else in it can start one.
    """
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find(), args=FLAGS
        )
        yield browser
        browser.close()


@dataclass
class Visit:
    """A page and what is wrong with it so far."""

    page: object
    complaints: list = field(default_factory=list)

    def checked(self):
        """The page has given no cause for complaint since the last look."""
        self.page.evaluate("0")  # What has happened until now is told first.
        found, self.complaints[:] = self.complaints[:], []
        assert found == []


@contextmanager
def visit(browser, url, home, **options):
    """A Visit to an address in a context of its own.

    ``home`` is the address that everything a page loads has to start with.
    """
    context = browser.new_context(**({"viewport": WIDE} | options))
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    here = Visit(page)
    note = here.complaints.append

    def refuse(route):
        note(f"asks for {route.request.url}")
        route.abort()

    def hear(message):
        if message.type in ("error", "warning"):
            place = message.location
            note(f"{message.type}: {message.text} ({place['url']}:"
                 f"{place['lineNumber']})")  # fmt: skip

    def is_own(address):
        return address.replace("ws://", "http://", 1).startswith(home)

    context.route(lambda address: not is_own(address), refuse)
    page.on("console", hear)
    page.on("pageerror", lambda error: note(f"uncaught: {error}"))
    page.on("requestfailed", lambda r: note(f"{r.url}: {r.failure}"))
    page.on(
        "response", lambda r: r.status > 399 and note(f"{r.status} {r.url}")
    )
    page.on("websocket", lambda s: is_own(s.url) or note(f"asks for {s.url}"))
    page.goto(url)
    yield here
    context.close()


# What all tests of pages do

# Maths is set, every figure is mounted or says why not, the page is back up.
READY = """async () => {
  await window.MathJax?.startup?.promise;
  const frame = () => new Promise(requestAnimationFrame);
  const end = performance.now() + 60000;
  for (const root of document.querySelectorAll(".roofline")) {
    root.scrollIntoView({ behavior: "instant", block: "center" });
    while (!root.matches(":has(.roofline-broken), .roofline-live")
      && performance.now() < end) await frame();
  }
  scrollTo(0, 0);
  for (let i = 0; i < 2; i++) await frame();
}"""
# Styles and sizes that were just changed are on the screen.
SETTLED = """async () => {
  for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
}"""
# What has left the screen may never end its transition, so there is none.
STILL = "*, *::before, *::after { transition: none !important }"


def ready(page):
    """Let a page finish: its maths, and all its figures."""
    page.add_style_tag(content=STILL)
    page.evaluate(READY)


def settle(page):
    """Let a change of size or colours reach the screen."""
    page.evaluate(SETTLED)


# What figures show has room

# What is wrong with each figure: [its id, the setting, the faults]. A pixel
# of a box is grace, for a box of text is higher than its letters.
FAULTS = """(ends) => {
  const GRACE = 1;
  const seen = (node) => node.getClientRects().length
    && getComputedStyle(node).visibility !== "hidden";
  const boxOf = (node) => {
    const box = node.getBBox(), at = node.getScreenCTM();
    return { text: node.textContent,
      left: at.a * box.x + at.e, right: at.a * (box.x + box.width) + at.e,
      top: at.d * box.y + at.f, bottom: at.d * (box.y + box.height) + at.f };
  };
  const lap = (a, b) => Math.min(
    Math.min(a.right, b.right) - Math.max(a.left, b.left),
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));
  const holds = (a, b) => Math.min(b.left - a.left, a.right - b.right,
    b.top - a.top, a.bottom - b.bottom);

  function ofPicture(root) {
    const texts = [...root.querySelectorAll("text")]
      .filter((node) => node.textContent && seen(node)).map(boxOf);
    const area = root.getBoundingClientRect();
    return texts.flatMap((one, i) => [
      ...(holds(area, one) < -GRACE ? [`${one.text} leaves the picture`] : []),
      ...texts.slice(i + 1).filter((other) => lap(one, other) > GRACE)
        .map((other) => `${one.text} lies over ${other.text}`),
    ]);
  }

  function ofAxes(plot) {
    const ticks = [...plot.querySelectorAll(".roofline-ticks text")];
    const up = ticks.filter((node) =>
      node.getAttribute("text-anchor") === "end").length;
    const bars = plot.matches(".roofline-still");
    return [["x", ticks.length - up], ...(bars ? [] : [["y", up]])]
      .filter(([, count]) => count < 2)
      .map(([axis, count]) => `${count} tick on the ${axis} axis`);
  }

  const faults = (figure) => [
    ...[...figure.querySelectorAll(".roofline-plot, .roofline-grid-view svg")]
      .flatMap(ofPicture),
    ...[...figure.querySelectorAll(".roofline-plot")].flatMap(ofAxes),
    ...[...figure.querySelectorAll("input[type='text'], output, button")]
      .filter((node) => node.scrollWidth > node.clientWidth + GRACE)
      .map((node) => `${node.value || node.textContent} is cut off`),
  ];

  const found = [];
  for (const figure of document.querySelectorAll("figure.roofline")) {
    const look = (setting) => {
      const all = faults(figure);
      if (all.length) found.push([figure.id, setting, all]);
    };
    look("at first");
    if (!ends) continue;
    for (const slider of figure.querySelectorAll("input[type='range']")) {
      for (const end of ["min", "max"]) {
        slider.value = slider[end];
        slider.dispatchEvent(new Event("input"));
        look(`${slider.labels[0].textContent} at its ${end}`);
      }
      figure.roofline.reset();
    }
  }
  return found;
}"""


def faults(page, ends=False):
    """[(figure, setting, faults)] of text without room; lone ticks count.

    Seen at the first setting, and with every slider at either end if asked.
    """
    return page.evaluate(FAULTS, ends)
