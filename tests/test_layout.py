"""Does every figure lay out what it shows, on a phone as on a desk?

No text over another or out of its picture, no axis with a lone tick, no
number cut off in its box: seen at the first setting, and again with every
slider at either end.
"""

import pytest
from browser import NARROW, WIDE, launched, ready, served, settle, visit
from conftest import ROOT

SITE = ROOT / "_build" / "html"


def names():
    """Every page that has a figure."""
    return [
        path.relative_to(SITE).as_posix()
        for path in sorted(SITE.rglob("*.html"))
        if "roofline-spec" in path.read_text(encoding="utf-8")
    ]


# Without a site there is one name all the same, for a test that fails.
PAGES = names() or ["index.html"]

# What is wrong with each figure: [its id, the setting, the faults]. A pixel
# of a box is grace, for a box of text is higher than its letters.
FAULTS = """() => {
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


@pytest.fixture(scope="module")
def browser():
    with launched() as chromium:
        yield chromium


@pytest.fixture(scope="module")
def host(site):
    with served(site) as address:
        yield address


@pytest.mark.parametrize("laid", PAGES)
def test_figures_have_room_for_what_they_show(browser, host, laid):
    with visit(browser, host + laid, host) as here:
        ready(here.page)
        for size in (WIDE, NARROW):
            here.page.set_viewport_size(size)
            settle(here.page)
            assert here.page.evaluate(FAULTS) == [], size
        here.checked()
