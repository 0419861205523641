"""Does every page do in a real browser what it promises its reader?

Loops go over whatever pages the site has and whatever figures a page has, so
a new chapter or chart is tested without a line here.
"""

import json
import math
import random
import re
from itertools import chain, product

import numpy as np
import pytest
import sympy
from axe_core_python.sync_playwright import Axe
from browser import (
    NARROW,
    WIDE,
    faults,
    launched,
    ready,
    served,
    settle,
    visit,
)
from conftest import ROOT
from roofline import Chart, feistel, routing, style, units, widgets
from roofline.equations import EQUATIONS
from roofline.schedule import played
from roofline.stepper import Grid
from roofline.symbols import SYMBOLS, SymbolError
from sampling import points

SITE = ROOT / "_build" / "html"


def names():
    """Every page of the site, but the root, which only sends elsewhere."""
    found = sorted(SITE.rglob("*.html"))
    return [p.relative_to(SITE).as_posix() for p in found if not leads_on(p)]


def leads_on(path):
    return 'http-equiv="Refresh"' in path.read_text(encoding="utf-8")


# Without a site there is one name all the same, for a test that fails.
PAGES = names() or ["index.html"]
CHARTED = [
    name
    for name in PAGES
    if "roofline-spec" in (SITE / name).read_text(encoding="utf-8")
] or PAGES[:1]  # fmt: skip
# The page with most to show, and one made of tables.
RICHEST = max(CHARTED, key=lambda name: (SITE / name).stat().st_size)
TWO = list(dict.fromkeys([RICHEST, PAGES[0]]))


@pytest.fixture(scope="module")
def browser():
    with launched() as chromium:
        yield chromium


@pytest.fixture(scope="module")
def host(site):
    with served(site) as address:
        yield address


@pytest.fixture(scope="module")
def blank(browser):
    """An empty page with the charts' script."""
    with visit(browser, "about:blank", "about:blank") as here:
        here.page.set_content(f"<script>{widgets.core()}</script>")
        yield here.page


@pytest.fixture(scope="module", params=PAGES)
def opened(request, browser, host):
    """Each page in turn, loaded once for all the tests below."""
    with visit(browser, host + request.param, host) as here:
        here.name = request.param
        ready(here.page)
        yield here


@pytest.fixture
def page(opened):
    """The page, which must neither complain nor ask another host."""
    yield opened.page
    if opened.page.viewport_size != WIDE:
        opened.page.set_viewport_size(WIDE)
    themed(opened.page, "light")
    restore(opened.page)
    opened.checked()


# Twins: what JavaScript does, Python does


@pytest.mark.parametrize("e", EQUATIONS.values(), ids=EQUATIONS)
def test_formulas_agree(blank, e):
    drawn = points(e, 400, seed=11)
    formula = {"args": [s.name for s in e.inputs], "js": e.javascript()}
    theirs = blank.evaluate(
        "([formula, points]) => points.map(roofline.compile(formula))",
        [formula, drawn],
    )
    columns = {
        s.name: np.array([at[s.name] for at in drawn], dtype=float)
        for s in e.inputs
    }
    run = sympy.lambdify(e.inputs, e.expanded, modules="numpy")
    ours = run(*columns.values())
    assert np.isfinite(ours).all()
    # Large whole numbers arrive as ints.
    theirs = np.array(theirs, dtype=float)
    np.testing.assert_allclose(theirs, ours, rtol=1e-12, atol=0)
    np.testing.assert_allclose(theirs, e(columns), rtol=1e-12, atol=0)


UNITS = sorted(
    {s.unit.text for s in SYMBOLS.values()}
    | {"s", "ms", "B", "GB", "GiB", "bit", "TB/s", "FLOP", "FLOP/B", "J", "W",
       "%", "1", "1/s", "$", "$/h", "$/Mtoken", "token/s", "B/token", "min",
       "KiB/s", "kW", "s/layer", "sequence/rack", "multiply-add"}
)  # fmt: skip
EDGES = (0.0, 1.0, 2.0, 312.5, 1.9996, 999.5, 999.4999, 0.125, 1e-4, 1e-5,
         9.9996e-5, 1e6, 999_999.5, 999_499.9, 1e9, 1e12, 60.0, 59.999, 3600.0,
         86_400.0, 1.005, 2.5, 1e21, 1e25, 123_456_789.0)  # fmt: skip
HEADS = ("1", "2.4", "5,667", "1_000", "5 667", ".5", "5.", "1e3", "-3", "+7",
         "1.5E-3", "abc", "", "1e400", "$0.69", "$ 3", "0.0", "1.2.3",
         "--3")  # fmt: skip
TAILS = ("", " k", "K", " M", "G", "million", " thousand", " ms", "µs", " us",
         " KB", " GiB", "B/s", " per second", " sequences", "tokens", "%",
         " tokens/s", "/chip/h", " per chip-hour", " per million tokens", "/h",
         " per hour", "s/", "foo", " mss", " secnd", " GBs", " Tb/s", " kflop",
         " PFLOP/s", "FLOP*s", " J/s", "days", " min", " constructor",
         " toString", " __proto__", " weights/rack", " m s", " /s", " per",
         " 1/s")  # fmt: skip


def numbers(count):
    """(value, unit, digits): edges and log-uniform values in every unit."""
    draw = random.Random(7)
    for text in UNITS:
        for value in EDGES:
            yield draw.choice((1, -1)) * value, text, 3
    for _ in range(count):
        value = draw.choice((1, 1, 1, -1)) * 10 ** draw.uniform(-14, 22)
        yield value, draw.choice(UNITS), draw.choice((1, 2, 3, 3, 4, 5, 7))


def test_formatters_agree(blank):
    drawn = list(numbers(3000))
    specs = {text: units.unit(text).spec() for text in UNITS}
    theirs = blank.evaluate(
        "([values, specs]) => values.map("
        "([v, unit, digits]) => roofline.format(v, specs[unit], digits))",
        [drawn, specs],
    )
    ours = [units.format_value(*each) for each in drawn]
    assert differences(drawn, ours, theirs) == []


def test_parsers_agree(blank):
    """The same numbers from the same texts, the same words for errors."""
    draw = random.Random(8)
    texts = [(h + t, draw.choice(UNITS)) for h in HEADS for t in TAILS * 2]
    texts += [(units.format_value(*each), each[1]) for each in numbers(500)]
    specs = {text: units.unit(text).spec() for text in UNITS}
    theirs = blank.evaluate(
        """([texts, specs]) => texts.map(([text, unit]) => {
          try { return roofline.parse(text, specs[unit]); }
          catch (error) { return error.message; }
        })""",
        [texts, specs],
    )
    ours = [parsed(*each) for each in texts]
    assert sum(isinstance(answer, str) for answer in ours) > 300
    assert differences(texts, ours, theirs) == []


def parsed(text, unit):
    try:
        return units.parse_quantity(text, unit)
    except units.UnitError as error:
        return str(error)


def differences(asked, ours, theirs):
    """The first few that differ; a whole number arrives as an int."""
    theirs = [t if isinstance(t, str) else float(t) for t in theirs]
    triples = zip(asked, ours, theirs, strict=True)
    return [each for each in triples if each[1] != each[2]][:10]


# Figures: what is on a page, by kind


def figures(page, kind=None):
    """[(handle, spec)] of the figures on a page, of one kind if given."""
    found = []
    for handle in page.query_selector_all(".roofline:has(> .roofline-spec)"):
        spec = json.loads(handle.query_selector(".roofline-spec").inner_html())
        if kind in (None, spec["kind"]):
            found.append((handle, spec))
    return found


# A figure's picture: what stands in the place of the static one.
PLOT = ".roofline-plot, .roofline-grid-view"


def within(handle, selector):
    """The parts of a figure that a reader can see."""
    return [e for e in handle.query_selector_all(selector) if e.is_visible()]


def text_of(handle, selector):
    return " ".join(e.inner_text() for e in within(handle, selector))


def state(handle):
    return handle.evaluate("f => f.roofline.values()")


def restore(page):
    """All figures as at first, whatever a test did to them."""
    page.eval_on_selector_all(
        ".roofline",
        "all => all.forEach(({ roofline }) => {"
        "roofline?.reset?.(); roofline?.forget?.(); })",
    )


def themed(page, theme):
    now = "document.documentElement.dataset.theme"
    if page.evaluate(now) != theme:
        page.evaluate(f"t => {{ {now} = t }}", theme)
        settle(page)


# What a reader gets from a figure, its own controls left out; of a chart also
# the numbers behind the picture, so that a moved thumb is no result.
RESULT = """figure => {
  const copy = figure.cloneNode(true);
  const own = ".roofline-controls, .roofline-bar, .roofline-heard, details, "
    + "script, input, label, output, button, select";
  copy.querySelectorAll(own).forEach((node) => node.remove());
  const shown = copy.innerHTML;
  const { values, evaluate, crossings } = figure.roofline;
  const spec = JSON.parse(
    figure.querySelector(".roofline-spec").textContent);
  if (!evaluate || spec.bars) return [shown];
  const at = ({ symbol, low, high }) =>
    symbol ? [values()[symbol], low, high] : [undefined];
  const across = spec.across ? [spec.across] : [];
  const read = [...(spec.curves ?? spec.limits), ...across].map(({ name }) =>
    at(spec.x).flatMap((x) => at(spec.y).map((y) => evaluate(name, x, y))));
  return [shown, JSON.stringify([read, crossings?.()])];
}"""


def axes(spec):
    """The axes of a figure that stand for a symbol."""
    found = (spec.get("x"), spec.get("y"))
    return [axis for axis in found if axis and "symbol" in axis]


def defaults(spec):
    if spec["kind"] == "stepper":
        chosen = {each["name"]: each["at"] for each in spec["settings"]}
        return chosen | {"step": spec["step"]}
    return spec["values"] | {axis["symbol"]: axis["at"] for axis in axes(spec)}


def moving(page):
    """Those figures that a reader can set."""
    return [
        (handle, spec)
        for handle, spec in figures(page)
        if axes(spec) or spec.get("sliders") or spec["kind"] == "stepper"
    ]


def controlled(page):
    """Those of them whose sliders are of symbols and have typed entries."""
    return [each for each in moving(page) if each[1]["kind"] != "stepper"]


def test_every_figure_mounts(opened, page):
    broken = []
    for handle, spec in figures(page):
        if not handle.evaluate(
            "f => Boolean(f.roofline) && f.matches('.roofline-live')"
        ):
            broken.append((spec["id"], text_of(handle, ".roofline-broken")))
    assert broken == []
    stored = (SITE / opened.name).read_text(encoding="utf-8")
    count = len(re.findall(r'class="roofline-spec"', stored))
    assert len(figures(page)) == count


def formulas(part):
    """Every formula in a spec, wherever it stands."""
    if isinstance(part, list):
        return chain.from_iterable(map(formulas, part))
    if isinstance(part, dict):
        own = [part] if "js" in part else []
        return chain(own, *map(formulas, part.values()))
    return ()


def test_every_formula_is_the_librarys(page):
    for _, spec in figures(page):
        for formula in formulas(spec):
            if "name" not in formula:
                continue
            e = EQUATIONS[formula["name"]]
            assert formula["js"] == e.javascript(), spec["id"]
            assert formula["args"] == [s.name for s in e.inputs], spec["id"]


KEYS = {
    "input[type=range]": ("Home", "End", "ArrowLeft"),
    "[role=slider]": ("ArrowRight", "PageUp", "ArrowLeft"),
}
# What a slider says, what its typed entry says, if it has one, and the result.
TOLD = """(figure, slider) => [
  slider.getAttribute("aria-valuetext") ?? slider.value,
  slider.closest(".roofline-control")
    ?.querySelector(".roofline-entry")?.value,
  (RESULT)(figure)]""".replace("RESULT", RESULT)


def test_no_slider_is_dead(page):
    """By keyboard, each says three values and brings different results.

    Its typed entry says the same.
    """
    dead = []
    for handle, spec in figures(page):
        for kind, keys in KEYS.items():
            for i, slider in enumerate(handle.query_selector_all(kind)):
                told, results = [], []
                slider.focus()
                for key in keys:
                    page.keyboard.press(key)
                    says, typed, result = handle.evaluate(TOLD, slider)
                    assert typed in (None, says), (spec["id"], i)
                    told.append(says)
                    results.append(result)
                handle.evaluate("f => f.roofline.reset()")
                if len(set(told)) < 3 and slider.get_attribute("max") != "1":
                    dead.append((spec["id"], i, "says", told))
                if any(len(set(part)) == 1 for part in zip(*results)):
                    dead.append((spec["id"], i, told, "move nothing"))
    assert dead == []


def said(slider):
    return slider.get_attribute("aria-valuetext") or slider.input_value()


# Is there more after a click than before?  None if it cannot be clicked.
PRESSED = """(figure, button) => {
  const state = () => [figure.innerHTML, location.hash,
    ...[...figure.querySelectorAll("input, select")].map((i) =>
      i.type === "radio" ? i.checked : i.value)].join();
  const before = state();
  if (button.disabled) return null;
  button.click();
  return state() !== before;
}"""


def test_no_button_is_dead(page):
    """Each changes something, from one end of the last slider or the other."""
    dead = []
    for handle, spec in figures(page):
        for button in within(handle, "button"):
            if not any(
                move(handle, end) or handle.evaluate(PRESSED, button)
                for end in ("End", "Home")
            ):
                dead.append(f"{spec['id']}: {button.inner_text()}")
    assert dead == []


# The last slider of a figure, if it has one, goes near an end.
MOVE = """(figure, end) => {
  const slider = [...figure.querySelectorAll("input[type=range]")].at(-1);
  if (!slider) return;
  const inner = slider.max > 2 ? 1 : 0;
  slider.value = end === "End" ? slider.max - inner : inner;
  slider.dispatchEvent(new Event("input"));
}"""


def move(handle, end="End"):
    handle.evaluate(MOVE, end)


def test_presets_set_what_they_say(page):
    for handle, spec in figures(page):
        if not spec.get("presets"):
            continue
        menu = handle.query_selector("select[aria-label=Preset]")
        chosen = "m => m.selectedOptions[0].text"
        for i, preset in reversed(list(enumerate(spec["presets"]))):
            menu.select_option(str(i))
            values = state(handle)
            kept = {name: values[name] for name in preset["values"]}
            assert kept == preset["values"], (spec["id"], preset["label"])
            # Were two alike, the menu could not stay where it was put.
            assert menu.evaluate(chosen) == preset["label"], spec["id"]
        move(handle)
        assert menu.evaluate(chosen) == "custom setting"


# The numbers


# Every slider alone at both ends and between, then every two at their ends;
# at each stop every formula at places all over the axes.
TOUR = """figure => {
  const spec = JSON.parse(
    figure.querySelector(".roofline-spec").textContent);
  const between = ({ low, high, scale }, share) => scale === "log"
    ? low * (high / low) ** share : low + (high - low) * share;
  const at = (slider, share) => {
    const value = between(slider, share);
    const { integer } = spec.symbols[slider.symbol];
    return [slider.symbol, integer ? Math.round(value) : value];
  };
  const settings = [[]];
  spec.sliders.forEach((one, i) => {
    for (const share of [0, 0.3, 0.7, 1]) settings.push([at(one, share)]);
    for (const other of spec.sliders.slice(0, i)) {
      for (const p of [0, 1]) for (const q of [0, 1]) {
        settings.push([at(one, p), at(other, q)]);
      }
    }
  });
  const along = (axis, shares) => axis.symbol
    ? shares.map((share) => between(axis, share)) : [undefined];
  const places = along(spec.x, [0, 0.13, 0.5, 0.77, 1]).flatMap((x) =>
    along(spec.y, [0, 0.4, 1]).map((y) => [x, y]));
  const drawn = [...(spec.curves ?? spec.limits),
    ...(spec.across ? [spec.across] : [])];
  const names = drawn.map(({ name }) => name);
  const live = figure.roofline;
  const stops = settings.map((setting, i) => {
    live.reset();
    for (const [name, value] of setting) live.set(name, value);
    return {
      moved: Object.fromEntries(setting), values: live.values(), places,
      readings: names.map((name) => [name,
        places.map(([x, y]) => live.evaluate(name, x, y))]),
      binding: live.binding && places.map((place) => live.binding(...place)),
      // Found anew by the library at these, which takes it long.
      crossings: i % 7 ? undefined : live.crossings?.(),
    };
  });
  live.reset();
  return stops;
}"""


def computed(name, spec, values, places=()):
    """The library's values at places on the axes; NaN where it has none."""
    named = [axis["symbol"] for axis in axes(spec)]
    columns = dict(zip(named, np.array(places, dtype=float).T))
    try:
        found = EQUATIONS[name].where_defined(values | columns)
    except SymbolError:
        return np.full(len(places), math.nan)
    found = np.broadcast_to(found, len(places) or ()).astype(float)
    return np.where(np.isfinite(found), found, math.nan)


def agree(one, other, within):
    one, other = np.array(one, dtype=float), np.array(other, dtype=float)
    if one.shape != other.shape:
        return False
    one[np.isinf(one)] = np.nan
    return np.allclose(one, other, rtol=within, atol=0, equal_nan=True)


def binds(spec, ours, i):
    """The limit that decides at a place, or None."""
    values = {n: column[i] for n, column in ours.items()
              if not math.isnan(column[i])}  # fmt: skip
    least = min if spec["least"] else max
    return least(values, key=values.get) if values else None


def crossings(spec, values):
    """[(x, y)] that the library's own Chart finds at these values."""

    def named(name):
        return EQUATIONS[name]

    chart = Chart(
        "again",
        SYMBOLS[spec["x"]["symbol"]],
        [named(curve["name"]) for curve in spec["curves"]],
        values,
        claim="",
        alt="again",
        over=(spec["x"]["low"], spec["x"]["high"]),
        y_scale=spec["y"]["scale"],
        crossings=[tuple(map(named, c["curves"])) for c in spec["crossings"]],
    )
    return [(float(x), float(y)) for *_, x, y in chart.crossings()]


def test_numbers_equal_the_librarys(page):
    wrong = []
    for handle, spec in figures(page):
        if spec["kind"] not in ("chart", "map"):
            continue
        for stop in handle.evaluate(TOUR):
            note = [spec["id"], stop["moved"]]
            ours = {}
            for name, theirs in stop["readings"]:
                ours[name] = computed(
                    name, spec, stop["values"], stop["places"]
                )
                if not agree(theirs, ours[name], 1e-12):
                    wrong.append([*note, name, theirs, list(ours[name])])
            for i, limit in enumerate(stop["binding"] or ()):
                if limit != binds(spec, ours, i):
                    wrong.append([*note, stop["places"][i], limit])
            if stop["crossings"] is not None:
                theirs = [(c["x"], c["y"]) for c in stop["crossings"]]
                found = crossings(spec, stop["values"])
                if not agree(theirs, found, 1e-9):
                    wrong.append([*note, theirs, found])
    assert wrong == []


def test_bars_equal_the_librarys(page):
    for handle, spec in figures(page, "bars"):
        e = EQUATIONS[spec["formula"]["name"]]
        for end in ("low", "high"):
            for slider in spec["sliders"]:
                put(handle, slider["symbol"], slider[end])
            chosen = {n: v for n, v in state(handle).items() if v is not None}
            for bar in spec["bars"]:
                theirs = handle.evaluate(
                    "(f, label) => f.roofline.evaluate(label)", bar["label"]
                )
                ours = float(e.where_defined(bar["values"] | chosen))
                assert agree(theirs, ours, 1e-12), (spec["id"], bar["label"])


READ = """figure => [figure.roofline.values(),
  figure.querySelector(".roofline-readout").innerText,
  figure.querySelector(".roofline-sentence").innerText]"""


def test_what_is_said_is_what_is_computed(page):
    """The sentence and the read-out print the numbers of the curves."""
    for handle, spec in figures(page, "chart"):
        unit, x = spec["y"]["unit"]["text"], spec["x"]
        for reach in (x, *spec["sliders"]):
            end = reach["high" if reach is x else "low"]
            put(handle, reach["symbol"], end)
            values, printed, sentence = handle.evaluate(READ)
            for curve in spec["curves"]:
                y = float(computed(curve["name"], spec, values))
                missing = math.isnan(y)
                text = "undefined" if missing else units.format_value(y, unit)
                assert text in printed, (spec["id"], curve["name"], printed)
                total = spec["binding"] and spec["binding"]["curve"]
                if curve["name"] == total and not missing:
                    assert text in sentence, (spec["id"], sentence)
            restore(page)


def put(handle, name, value):
    handle.evaluate("(f, [n, v]) => f.roofline.set(n, v)", [name, value])


# Texts typed one after another, each ended by Enter, and what came of each.
TYPED = """(entry, texts) => texts.map((text) => {
  entry.value = text;
  entry.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
  const trouble = document.getElementById(
    entry.getAttribute("aria-describedby"));
  return [entry.getAttribute("aria-invalid"), trouble.innerText.trim(),
    entry.value, entry.closest(".roofline").roofline.values()];
})"""


def test_typed_entries(page):
    """What can be read is set; what cannot is explained and sets nothing."""
    for handle, spec in controlled(page):
        reaches = [*axes(spec), *spec["sliders"]]
        entries = handle.query_selector_all(".roofline-entry")
        for reach, entry in zip(reaches, entries, strict=True):
            symbol, before = SYMBOLS[reach["symbol"]], state(handle)
            other = "3 J" if symbol.unit.text != "J" else "3 s"
            good = symbol.format(0.4 * reach["low"] + 0.6 * reach["high"])
            if symbol.integer_only:
                good = symbol.format(float(round(0.6 * reach["high"])), 15)
            texts = ["nonsense", other, symbol.format(-1.0), good]
            *refused, last = entry.evaluate(TYPED, texts)
            for bad, (marked, trouble, typed, values) in zip(texts, refused):
                assert marked == "true" and trouble, bad
                assert (typed, values) == (bad, before), bad
            marked, trouble, _, values = last
            assert marked is None and trouble == "", good
            read = units.parse_quantity(good, symbol.unit)
            assert values[symbol.name] == read, good


def test_an_entry_by_keyboard(page):
    """Enter sets what was typed, and Escape takes it back."""
    for handle, spec in controlled(page):
        entry = handle.query_selector(".roofline-entry")
        reach = (axes(spec) or spec["sliders"])[0]
        symbol, before = SYMBOLS[reach["symbol"]], state(handle)
        first = entry.input_value()
        entry.fill("nonsense")
        page.keyboard.press("Enter")
        assert entry.get_attribute("aria-invalid") == "true"
        page.keyboard.press("Escape")
        assert entry.input_value() == first
        assert entry.get_attribute("aria-invalid") is None
        assert state(handle) == before
        # One end or the other is not where it stands.
        text = next(t for t in map(symbol.format, (reach["low"],
                    reach["high"])) if t != first)  # fmt: skip
        entry.fill(text)
        page.keyboard.press("Enter")
        read = units.parse_quantity(text, symbol.unit)
        assert state(handle)[symbol.name] == read != before[symbol.name]


# Every slider is moved, and from every menu another choice taken.
DISTURB = """figure => {
  for (const slider of figure.querySelectorAll("input[type=range]")) {
    const far = Math.round(slider.max * 0.8);
    slider.value = Number(slider.value) === far ? 0 : far;
    slider.dispatchEvent(new Event("input"));
  }
  for (const menu of
    figure.querySelectorAll("select:not([aria-label=Preset])")) {
    menu.selectedIndex = menu.selectedIndex ? 0 : 1;
    menu.dispatchEvent(new Event("change"));
  }
}"""


def test_reset_restores_and_a_linked_setting_comes_back(page):
    for handle, spec in moving(page):
        before = handle.evaluate(RESULT)
        assert state(handle) == defaults(spec)
        handle.evaluate(DISTURB)
        moved = state(handle)
        assert all(moved[n] != v for n, v in defaults(spec).items()
                   if not fixed(spec, n)), spec["id"]  # fmt: skip
        handle.query_selector("button:text-is('Link to this setting')").click()
        fragment = page.evaluate("location.hash")
        assert fragment.startswith(f"#{spec['id']}?")
        handle.query_selector("button:text-is('Reset')").click()
        page.mouse.move(0, 0)
        assert state(handle) == defaults(spec)
        assert handle.evaluate(RESULT) == before
        page.evaluate("history.replaceState(null, '', '#')")
        follow(page, fragment)
        assert state(handle) == moved
        first = next(iter(moved))
        for broken in (f"{first}=many", "no_such_symbol=1", f"{first}=-1"):
            follow(page, f"#{spec['id']}?{broken}")
            assert "left out" in text_of(handle, ".roofline-status"), broken
            assert state(handle) == moved


def fixed(spec, name):
    """Is that a value that the reader of a figure cannot set?"""
    reaches = [*axes(spec), *spec["sliders"]]
    own = {each["symbol"] for each in reaches}
    own |= {each["name"] for each in spec.get("settings", ())} | {"step"}
    return name not in own


FOLLOW = """fragment => new Promise((done) => {
  addEventListener("hashchange", () => setTimeout(done), { once: true });
  location.hash = fragment;
})"""


def follow(page, fragment):
    page.evaluate(FOLLOW, fragment)


# Steppers

# What makes the tables of each, by its id.
TABLES = {
    "stepper-expert-routing": routing.steps,
    "stepper-schedules": played,
    "stepper-loop": lambda **chosen: played("decode", **chosen),
    "stepper-feistel": feistel.toy_steps,
}
# Set to some values: the cells, as in ``Grid.cells``, what is said of them,
# and whether there is a picture.
SHOWN = """(figure, values) => {
  figure.roofline.receive(values);
  const cells = figure.roofline.cells()?.map((row) =>
    row.map(([text, role, share]) => [text, role, share ?? null])) ?? null;
  const said = [".roofline-sentence", ".roofline-crossings"]
    .map((part) => figure.querySelector(part).innerText).join(" ");
  const view = figure.querySelector(".roofline-grid-view");
  return [cells, said, view.checkVisibility()];
}"""


def stands(grids, step):
    """The cells that a stepper should show at a step, from 1."""
    grid, count = (grids, step) if isinstance(grids, Grid) else (
        grids[step - 1], None)  # fmt: skip
    return [[list(cell) for cell in row[:count]] for row in grid.cells]


def test_steppers_show_what_the_library_computes(page):
    """Twenty settings of each, drawn anew here, at three of their steps."""
    draw = random.Random(9)
    for handle, spec in figures(page, "stepper"):
        make = TABLES[spec["id"]]
        names = [each["name"] for each in spec["settings"]]
        offered = list(product(*(each["values"] for each in spec["settings"])))
        for chosen in draw.sample(offered, min(20, len(offered))):
            values = dict(zip(names, chosen))
            grids = make(**values)
            if isinstance(grids, str):
                cells, told, drawn = handle.evaluate(SHOWN, values)
                assert (cells, drawn) == (None, False) and grids in told
                continue
            last = len(grids.cells[0] if isinstance(grids, Grid) else grids)
            for step in {1, (last + 1) // 2, last}:
                at = values | {"step": step}
                cells, told, drawn = handle.evaluate(SHOWN, at)
                assert drawn and cells == stands(grids, step), at
                whole = isinstance(grids, Grid)
                assert (grids if whole else grids[step - 1]).says in told, at


def test_steppers_by_keyboard(page):
    """On the picture arrows step, Home and End jump, and space plays."""
    for handle, spec in figures(page, "stepper"):
        plane = handle.query_selector(".roofline-plane")
        last = int(said(within(handle, "input[type=range]")[-1]).split()[-1])
        plane.focus()
        for key, step in (
            ("Home", 1),
            ("ArrowLeft", 1),
            ("ArrowRight", 2),
            ("End", last),
            ("ArrowRight", last),
            ("ArrowLeft", last - 1),
        ):
            page.keyboard.press(key)
            assert state(handle)["step"] == step, (spec["id"], key)
        page.keyboard.press("Home")
        first = text_of(handle, ".roofline-sentence")
        page.keyboard.press("Space")
        assert "Pause" in text_of(handle, "button")
        page.wait_for_function("f => f.roofline.values().step > 1", arg=handle)
        page.keyboard.press("Space")
        assert "Play" in text_of(handle, "button")
        assert text_of(handle, ".roofline-sentence") != first
        # Whoever resets or follows a link does not want it to go on.
        page.keyboard.press("Home")
        page.keyboard.press("Space")
        handle.query_selector("button:text-is('Reset')").click()
        assert "Play" in text_of(handle, "button")
        assert state(handle) == defaults(spec)


# Questions


# Answers given one after another, and what is said of each.
JUDGED = """(question, answers) => answers.map((answer) => {
  const entry = question.querySelector("input[type=text]");
  if (entry) entry.value = answer;
  else question.querySelectorAll("input[type=radio]")[answer].checked = true;
  question.querySelector("form").requestSubmit();
  const result = question.querySelector(".roofline-result");
  return [result.dataset.mood, result.innerText];
})"""


def judged(handle, text):
    """(mood, words) after an answer was typed and Enter pressed."""
    entry = handle.query_selector("input[type=text]")
    entry.fill(text)
    entry.press("Enter")
    return handle.eval_on_selector(
        ".roofline-result", "result => [result.dataset.mood, result.innerText]"
    )


def test_questions_judge_numbers(page):
    for handle, spec in figures(page, "question"):
        if spec.get("choices"):
            continue
        unit, answer = units.unit(spec["unit"]["text"]), spec["answer"]
        mood, words = judged(handle, repr(answer / unit.factor))
        assert mood == "right", (spec["id"], words)
        assert units.format_value(answer, unit) in words
        known = [each["value"] for each in spec["near"]]
        factor = next(
            f
            for f in (3, 7, 11)
            if all(
                abs(wrong / v - 1) > 0.1
                for v in known
                for wrong in (f * answer, answer / f)
            )
        )
        other = "J" if unit.text != "J" else "s"
        given = units.describe(units.unit(other).dimension)
        wrong = [factor * answer, answer / factor, *known]
        texts = [repr(value / unit.factor) for value in wrong]
        texts += [f"3 {other}", "no idea"]
        (high, low, *near, strange, nothing) = handle.evaluate(JUDGED, texts)
        assert high[0] == low[0] == "wrong", (spec["id"], high, low)
        assert f"high by a factor of {factor}" in high[1]
        assert "low by a factor of" in low[1]
        for (mood, words), each in zip(near, spec["near"], strict=True):
            assert mood == "wrong" and words.endswith(each["says"])
        mood, words = strange
        assert mood == "unread", (spec["id"], words)
        assert given in words and units.describe(unit.dimension) in words
        mood, words = nothing
        assert mood == "unread" and "no idea" in words
        forgets(handle)


def test_questions_judge_choices(page):
    for handle, spec in figures(page, "question"):
        choices = spec.get("choices") or []
        if not choices:
            continue
        assert [c["right"] for c in choices].count(True) == 1
        handle.query_selector("input[type=radio]").check()
        handle.query_selector("button[type=submit]").click()
        first = handle.query_selector(".roofline-result").inner_text()
        assert choices[0]["why"] in first
        told = handle.evaluate(JUDGED, list(range(len(choices))))
        for (mood, words), choice in zip(told, choices, strict=True):
            assert mood == ("right" if choice["right"] else "wrong")
            assert choice["why"] in words, spec["id"]
        forgets(handle)


def forgets(handle):
    """The last answer is kept until the reader takes it back."""
    key = "f => localStorage.getItem('roofline:' + f.id)"
    assert handle.evaluate(key) is not None
    handle.query_selector("button:text-is('Forget')").click()
    assert handle.evaluate(key) is None
    assert handle.query_selector(".roofline-result").inner_text() == ""


# Text and mathematics

VISIBLE_TEXT = """() => {
  const root = document.querySelector("article") ?? document.body;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const parts = [];
  while (walker.nextNode()) {
    const { parentElement: parent, data } = walker.currentNode;
    // What is heard follows what is seen, a little later.
    if (parent.closest("pre, code, script, style, mjx-container, "
      + ".roofline-heard")) continue;
    parts.push(data);
  }
  return parts.join("");
}"""
RAW = re.compile(r"\$\$|\{[a-z:]+\}`|\\[()\[\]]|\\[a-zA-Z]+\{|\bNaN\b"
                 r"|undefined|\[object ")  # fmt: skip


def test_no_source_shows_through(page):
    """Whatever is folded away is read too."""
    text = page.evaluate(VISIBLE_TEXT)
    shown = [text[max(m.start() - 40, 0) : m.end() + 40]
             for m in RAW.finditer(text)]  # fmt: skip
    assert shown == []


def test_mathematics_is_typeset(page):
    bad = page.evaluate(
        """() => [...document.querySelectorAll(".math, mjx-container")]
          .filter((box) => !box.closest("mjx-container, .math mjx-container")
            && !box.querySelector("mjx-container")
            || box.querySelector("mjx-merror, [data-mjx-error], merror, "
              + "mtext[mathcolor=red], mjx-mtext[style*='color: red']"))
          .map((box) => box.outerHTML.slice(0, 200))"""
    )
    assert bad == []


def test_equations_show_their_numbers(opened, page):
    boxes = page.query_selector_all("div.math[id^='equation-']")
    for box in boxes:
        number = text_of(box, ".eqno")
        assert re.match(r"\(\d+(\.\d+)?\)", number), box.get_attribute("id")
    stored = (SITE / opened.name).read_text(encoding="utf-8")
    assert len(boxes) == len(re.findall(r'id="equation-', stored))


# Every text that can be seen, against what lies behind it: painted over one
# another on one pixel, so that every notation of colour is read. What cannot
# be used may be faint.
COLOURS = """selector => {
  const pen = Object.assign(document.createElement("canvas"),
    { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true });
  const paint = (colour) => {
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
  };
  const pixel = () => "#" + [...pen.getImageData(0, 0, 1, 1).data]
    .slice(0, 3).map((c) => c.toString(16).padStart(2, "0")).join("");
  const known = new Map([[null, ""]]);
  const behind = (e) => {
    if (!known.has(e)) {
      const own = getComputedStyle(e).backgroundColor;
      const clear = own === "transparent" || own === "rgba(0, 0, 0, 0)";
      known.set(e, behind(e.parentElement) + (clear ? "" : `${own};`));
    }
    return known.get(e);
  };
  const pairs = new Map();
  const SEEN = { opacityProperty: true, visibilityProperty: true };
  for (const element of document.querySelectorAll(selector)) {
    const written = element.matches("mjx-container, mjx-container *")
      || [...element.childNodes].some((node) =>
        node.nodeType === Node.TEXT_NODE && node.data.trim());
    if (!written || element.matches(":disabled, script, style")
      || !element.checkVisibility(SEEN)) continue;
    const style = getComputedStyle(element);
    const ink = element instanceof SVGElement ? style.fill : style.color;
    pairs.set(`${ink};${behind(element)}`, [ink, element]);
  }
  return [...pairs.values()].map(([ink, element]) => {
    paint("#ffffff");
    behind(element).split(";").filter(Boolean).forEach(paint);
    const back = pixel();
    paint(ink);
    return [pixel(), back, element.textContent.slice(0, 80)];
  });
}"""


def faint(page, selector):
    """[(colour, background, text)] of what has too little contrast."""
    pairs = page.evaluate(COLOURS, selector)
    return [p for p in pairs if style.contrast(p[0], p[1]) < 4.5]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_text_is_readable(opened, page, theme):
    themed(page, theme)
    assert faint(page, "body :not(mjx-container *)") == []
    assert faint(page, "mjx-container [style*='color']") == []
    count = page.locator("mjx-container [style*='color']").count()
    stored = (SITE / opened.name).read_text(encoding="utf-8")
    assert count or r"\textcolor" not in stored


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_figures_take_the_palette_of_the_theme(page, theme):
    themed(page, theme)
    palette = {"light": style.LIGHT, "dark": style.DARK}[theme]
    for handle, spec in figures(page):
        found = handle.evaluate(
            "(f, roles) => roles.map((role) =>"
            "getComputedStyle(f).getPropertyValue(`--roofline-${role}`))",
            list(style.ROLES),
        )
        assert found == [palette[role] for role in style.ROLES]
        drawn = handle.eval_on_selector_all(
            ".roofline-curves path",
            "paths => paths.map((p) => getComputedStyle(p).stroke)",
        )
        if spec["kind"] == "chart":
            roles = [curve["role"] for curve in spec["curves"]]
            if spec.get("stack"):
                roles[-1] = "total"
            wanted = [css(palette[role]) for role in roles]
            assert set(drawn) == set(wanted), spec["id"]


def css(colour):
    return "rgb({}, {}, {})".format(*style.rgb(colour))


# Accessibility, sizes, paper


AXE = """async (contrast) => (await axe.run(document, {
  resultTypes: ["violations"],
  rules: { "color-contrast": { enabled: contrast } },
})).violations"""


def violations(page, contrast=True):
    """What axe-core finds, all unfolded and with messages of errors."""
    page.evaluate(
        "document.querySelectorAll('details').forEach(d => { d.open = true })"
    )
    for handle, _ in figures(page):
        for entry in within(handle, "input[type=text]")[:1]:
            entry.fill("nonsense")
            entry.press("Enter")
    settle(page)
    page.evaluate(Axe().axe_script)
    return [
        (v["id"], node["html"][:200], node["failureSummary"])
        for v in page.evaluate(AXE, contrast)
        for node in v["nodes"]
    ]


def test_axe_finds_nothing(opened, page):
    """Contrast takes it long: that is seen above, on most pages."""
    assert violations(page, contrast=opened.name in TWO) == []


@pytest.mark.parametrize("name", TWO)
def test_axe_finds_nothing_on_a_phone_in_the_dark(browser, host, name):
    dark = {"color_scheme": "dark", "viewport": NARROW}
    with visit(browser, host + name, host, **dark) as here:
        ready(here.page)
        theme = here.page.evaluate("document.documentElement.dataset.theme")
        assert theme == "dark"
        assert violations(here.page) == []
        here.checked()


# What sticks out, but for what scrolls in a box of its own.
OUTSIDE = """() => [...document.querySelectorAll("body *")]
  .filter((e) => e.getBoundingClientRect().right > innerWidth + 0.5)
  .filter((e) => {
    while ((e = e.parentElement)) {
      if (getComputedStyle(e).overflowX !== "visible") return false;
    }
    return true;
  })
  .map((e) => e.outerHTML.slice(0, 120)).slice(0, 5)"""


# The least width of what a finger has to hit or an eye to read.
LEAST = {"range": 150, "text": 80, "radio": 13}


SIDES = """parts => parts.filter((part) => part.checkVisibility())
  .map((part) => {
    const { left, right } = part.getBoundingClientRect();
    return [part.getAttribute("type"), left, right];
  })"""


def test_nothing_overflows_a_phone(page):
    page.set_viewport_size(NARROW)
    settle(page)
    phone = NARROW["width"]
    width = page.evaluate("document.documentElement.scrollWidth")
    outside = page.evaluate(OUTSIDE) if width > phone else []
    cramped = []
    for handle, spec in figures(page):
        parts = f"input, select, button, {PLOT}"
        for kind, left, right in handle.eval_on_selector_all(parts, SIDES):
            if right - left < LEAST.get(kind, 24) or not (
                0 <= left < right <= phone
            ):
                cramped.append((spec["id"], kind, left, right))
        sliders = within(handle, "input[type=range]")
        if spec["kind"] == "stepper":
            menus = within(handle, "select")
            count = len(sliders) + len(menus)
            assert count == len(spec["settings"]) + 1, spec["id"]
        elif "sliders" in spec:
            typed = within(handle, ".roofline-entry")
            count = len(axes(spec)) + len(spec["sliders"])
            assert len(typed) == len(sliders) == count, spec["id"]
    assert width <= phone, outside
    assert cramped == []


def test_figures_have_room_for_what_they_show(page):
    """No text over another or cut off; on a phone at all sliders' ends."""
    assert faults(page) == []
    page.set_viewport_size(NARROW)
    settle(page)
    assert faults(page, ends=True) == []


PRINTED = """figure => ["input, select, button", PLOT].map((parts) =>
  [...figure.querySelectorAll(parts)].filter((part) => part.checkVisibility())
    .map((part) => part.getBoundingClientRect().width))""".replace(
    "PLOT", f"'{PLOT}'"
)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_paper_shows_pictures_and_no_controls(page, theme):
    page.emulate_media(media="print")
    try:
        themed(page, theme)
        for handle, spec in figures(page):
            controls, pictures = handle.evaluate(PRINTED)
            assert not controls, spec["id"]
            if spec["kind"] != "question":
                (width,) = pictures
                assert width > 200, spec["id"]
        assert faint(page, f":is({PLOT}) text") == []
    finally:
        page.emulate_media(media="screen")


# Other ways to read


def test_the_root_leads_to_the_first_page(browser, host):
    with visit(browser, host, host) as here:
        here.page.wait_for_url(re.compile("/chapters/00-"))
        ready(here.page)
        here.checked()


def test_a_linked_setting_opens(browser, host):
    """A fresh visit: the figure is set, in view, and remembers answers."""
    with visit(browser, host + RICHEST, host) as here:
        page = here.page
        ready(page)
        handle, spec = figures(page, "chart")[-1]
        name = spec["x"]["symbol"]
        fragment = f"#{spec['id']}?{name}={spec['x']['low']}"
        question, _ = next(
            q for q in figures(page, "question") if not q[1].get("choices")
        )
        mood, words = judged(question, "3")
        page.goto("about:blank")
        page.goto(host + RICHEST + fragment)
        live = page.wait_for_selector(f"#{spec['id']}.roofline-live")
        assert state(live)[name] == spec["x"]["low"]
        page.wait_for_function(
            "id => Math.abs(document.getElementById(id)"
            ".getBoundingClientRect().top) < innerHeight / 2",
            arg=spec["id"],
        )
        ready(page)
        question = page.query_selector(".roofline-result[data-mood]")
        assert question.inner_text() == words
        here.checked()


def test_a_page_from_disk_works(site, browser):
    with visit(browser, (site / RICHEST).as_uri(), site.as_uri()) as here:
        page = here.page
        ready(page)
        here.checked()
        test_no_slider_is_dead(page)
        test_numbers_equal_the_librarys(page)
        test_questions_judge_numbers(page)
        test_questions_judge_choices(page)
        test_reset_restores_and_a_linked_setting_comes_back(page)
        test_mathematics_is_typeset(page)
        here.checked()


# What a reader without scripts sees of each figure, all unfolded.
PLAIN = """() => [...document.querySelectorAll(
    ".roofline:has(> .roofline-spec)")].map((figure) => {
  figure.querySelectorAll("details").forEach((d) => { d.open = true; });
  const shown = (selector) => [...figure.querySelectorAll(selector)]
    .filter((part) => part.checkVisibility());
  const text = (selector) => shown(selector).map((part) => part.innerText)
    .join(" ");
  return { spec: figure.querySelector(".roofline-spec").textContent,
    prompt: text(".roofline-prompt"), worked: text(".roofline-worked"),
    stage: text(".roofline-stage"),
    pictures: shown("img.roofline-picture").map((picture) =>
      [picture.alt, picture.complete && picture.naturalWidth,
        picture.getBoundingClientRect().width]),
    tables: shown("table").map((table) =>
      table.querySelectorAll("tbody tr").length) };
})"""


@pytest.mark.parametrize("name", CHARTED)
def test_without_javascript_pictures_and_tables_show(browser, host, name):
    off = {"java_script_enabled": False}
    with visit(browser, host + name, host, **off) as here:
        for plain in here.page.evaluate(PLAIN):
            spec = json.loads(plain["spec"])
            if spec["kind"] == "question":
                assert plain["prompt"] and plain["worked"], spec["id"]
                for choice in spec.get("choices") or ():
                    assert choice["text"] in plain["stage"], spec["id"]
                continue
            ((alt, natural, width),) = plain["pictures"]
            assert natural > 100 and width > 300, spec["id"]
            assert alt == spec["alt"] and len(alt) > 30
            (rows,) = plain["tables"]
            assert rows > 1, spec["id"]
        here.checked()
