"""Are figures' specs, texts and pictures whole, stable and honest?"""

import base64
import gzip
import json
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
import sympy
from roofline import (
    Bars,
    Chart,
    Grid,
    Map,
    Stepper,
    decode,
    kv_cache,
    model,
    quantity,
    reference_case,
    style,
    symbols,
    system,
    widgets,
)
from roofline.equation import Equation
from roofline.figure import (
    Axis,
    axis_name,
    exactly,
    formula,
    holding,
    tick_text,
)
from roofline.map import COLUMNS, ROWS, envelope
from roofline.schedule import Schedule
from roofline.stepper import packed
from roofline.symbols import SymbolError
from roofline.units import unit

CASE = reference_case
CLOCKS = [decode.compute_time, decode.memory_time, decode.pass_time]
OTHERS = [
    CASE,
    CASE.but(system=system("hgx_h200")),
    model("llama_3_1_70b").on(system("hgx_h100"), weights="bf16", kv="bf16"),
]
LEAST = Equation(
    left=symbols.pass_time,
    right=sympy.Min(symbols.compute_time, symbols.memory_time),
    says="The faster clock.",
    assumes="For this test only.",
    given=(decode.compute_time, decode.memory_time),
)


def clocks(**more):
    return Chart(
        "clocks",
        symbols.batch,
        CLOCKS,
        CASE,
        sliders=[symbols.context],
        presets=OTHERS,
        start=512,
        claim="One clock is slower.",
        **more,
    )


def dots():
    return clocks(
        points=[
            ("a machine", quantity(100, "sequence"), quantity(20, "ms"), "kv"),
            ("a bound", quantity(1000, "sequence"), quantity(2, "ms")),
        ]
    )


def stacked():
    return Chart(
        "stack",
        symbols.batch,
        [decode.weight_time, decode.kv_time],
        CASE,
        start=1000,
        stack="memory",
        claim="Reads add up.",
    )


def frontier():
    return Chart(
        "frontier",
        symbols.batch,
        [decode.compute_time, decode.kv_time],
        CASE,
        x_equation=decode.pass_time,
        start=512,
        claim="Time against time.",
    )


def least():
    return Chart("least", symbols.batch, [*LEAST.given, LEAST], CASE,
                 start=512, claim="The faster clock.")  # fmt: skip


def regions(**more):
    options = {"start": (4000, 512), "claim": "Limits share the plane."} | more
    return Map(
        "regions",
        symbols.context,
        symbols.batch,
        [decode.compute_time, decode.weight_time, decode.kv_time],
        CASE,
        sliders=[symbols.hbm_bandwidth, symbols.hbm_capacity],
        beyond=[(kv_cache.capacity_batch, "does not fit")],
        **options,
    )


def bars():
    return Bars(
        "balance",
        decode.balance_batch,
        OTHERS,
        sliders=[symbols.hbm_bandwidth],
        claim="Machines differ.",
    )


def schedules():
    return Stepper(
        "schedules",
        lambda **s: Grid.schedule(Schedule(**s), says="It waits."),
        settings={
            "kind": ["gpipe", "1f1b"],
            "stages": range(2, 5),
            "micro_batches": range(1, 5),
        },
        start={"stages": 4, "micro_batches": 4},
        claim="Stages wait.",
    )


def swaps():
    halves = [[["1", ("0", "compute")], ["0", "1"]], [["0", "1"], ["1", "0"]]]
    return Stepper(
        "swaps",
        [Grid(cells, says=f"Round {i}.", rows=["left", "right"])
         for i, cells in enumerate(halves)],
        claim="Halves swap.",
    )  # fmt: skip


FIGURES = [clocks, dots, stacked, frontier, least, regions, bars, schedules,
           swaps]  # fmt: skip


@pytest.fixture(scope="module", params=FIGURES, ids=lambda f: f.__name__)
def pair(request):
    """A figure, made twice."""
    return request.param(), request.param()


# Every figure


def test_figures_are_deterministic(pair):
    one, other = pair
    assert one.html == other.html and one.plain == other.plain
    assert one.pictures() == other.pictures()


def test_specs_are_plain_json(pair):
    spec = pair[0].spec
    assert json.loads(widgets.as_json(spec)) == json.loads(json.dumps(spec))
    assert spec["kind"] in ("chart", *widgets.KINDS)
    assert spec["id"] == f"{spec['kind']}-{pair[0]._slug}"
    assert spec["claim"] and spec["alt"]


def test_html_holds_picture_table_claim_and_spec(pair):
    figure = pair[0]
    html = figure.html
    inside = html.partition('class="roofline-spec">')[2]
    assert json.loads(inside.partition("</script>")[0]) == figure.spec
    picture = html.partition("svg+xml;base64,")[2].partition('"')[0]
    ElementTree.fromstring(base64.b64decode(picture))
    assert "<table>" in html and "roofline-claim" in html
    for word in ("NaN", "Infinity", "nan", "inf "):
        assert word not in html.replace(picture, "")


def test_text_holds_claim_and_sentence(pair):
    figure = pair[0]
    assert repr(figure) == figure.plain
    assert figure.spec["claim"] in figure.plain
    assert figure._sentence() in figure.plain
    assert len(figure.plain.splitlines()) > 3


def test_every_picture_is_a_png(pair):
    png = base64.b64decode(pair[0].pictures()["image/png"])
    assert png.startswith(b"\x89PNG")


def test_values_are_in_base_units(pair):
    for name, value in pair[0].values.items():
        assert isinstance(name, str)
        assert value is None or isinstance(value, (int, float, str))


# Charts


def test_the_sentence_names_what_binds():
    assert clocks()._sentence() == (
        "At batch 512 sequences, one pass takes 1.20 ms; memory binds "
        "(arithmetic would need 105 µs)."
    )
    assert least()._sentence() == (
        "At batch 512 sequences, one pass takes 105 µs; arithmetic binds "
        "(memory would allow 1.20 ms)."
    )
    assert stacked()._sentence().startswith("At batch 1,000 sequences: all")


def test_a_minimum_binds_by_its_smallest_branch():
    assert LEAST.binding(CASE, batch=1) is symbols.compute_time
    assert LEAST.binding(CASE, batch=90_000) is symbols.memory_time
    ((_, _, x, _),) = least().crossings()
    assert x == pytest.approx(decode.loaded_balance_batch(CASE), rel=1e-9)


def test_a_stack_adds_up():
    chart = stacked()
    total = decode.memory_time.along(symbols.batch, chart._grid, CASE)
    assert np.allclose(chart._ys[-1], total, rtol=1e-12)
    assert chart._row(1000)[-1] == (
        "memory",
        decode.memory_time(CASE, batch=1000),
    )


def test_a_frontier_is_drawn_over_its_equation():
    chart = frontier()
    along = decode.pass_time.along(symbols.batch, chart._grid, CASE)
    assert (chart._xs == along).all()
    assert "where one pass" not in chart._sentence()
    assert "one pass 1.20 ms" in chart._sentence()


def test_points_stand_in_text_alt_and_table():
    chart = dots()
    for text in (chart.plain, chart.spec["alt"], chart.html):
        assert "a machine: 100 sequences, 20 ms" in text
    assert chart.spec["points"][0]["y"] == 0.02
    assert Axis(**{k: chart.spec["y"][k] for k in ("low", "high", "scale")}
                ).holds(0.02)  # fmt: skip


def test_gaps_are_told_to_three_digits():
    chart = Chart("gap", symbols.context, [decode.loaded_balance_batch], CASE,
                  over=(100, 1e4), claim="It runs away.")  # fmt: skip
    edge = kv_cache.balance_context(CASE)
    assert f"between {edge:3}".removesuffix(" tokens") in chart.plain
    assert "undefined" in chart.plain


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ({"points": [("a", quantity(1, "s"), quantity(1, "s"), None)]},
         "the axis is in"),
        ({"points": [("a", quantity(1e9, "sequence"), quantity(1, "s"))]},
         "off the axis"),
        ({"points": [("a", 3.0, quantity(1, "s"))]}, "needs quantities"),
        ({"stack": True, "y_scale": "log"}, "linear axis only"),
        ({"over": (10, 1)}, "runs from"),
    ],
)  # fmt: skip
def test_charts_refuse(fault, message):
    with pytest.raises((TypeError, ValueError), match=message):
        clocks(**fault)


# Maps


def test_the_map_agrees_with_the_equations():
    figure = regions()
    random = np.random.default_rng(2)
    for _ in range(50):
        x, y = (float(a.value(random.uniform())) for a in figure._axes)
        values = {
            e.name: e(CASE, **e.own({"context": x, "batch": y}))
            for e in figure._limits
        }
        assert figure.binding(x, y).name == max(values, key=values.get)
        over = y > kv_cache.capacity_batch(CASE, context=x)
        assert figure.exceeded(x, y) == ["does not fit"] * over


def test_boundaries_lie_where_two_limits_are_equal():
    figure = regions()
    names = [e.left.label for e in figure._limits]
    assert names == ["arithmetic", "all weights", "KV cache"]
    for pair in figure._regions.seams:
        for segment in pair:
            for point in segment:
                x, y = (
                    axis.value(place / count)
                    for axis, place, count in zip(
                        figure._axes, point, (COLUMNS, ROWS), strict=False
                    )
                )
                best = sorted(v for _, v in figure.at(x, y))[-2:]
                assert best[1] / best[0] == pytest.approx(1, rel=1e-6)


def test_pieces_of_a_map_cover_it_once():
    figure = regions()
    area = sum(
        _area(piece) for pieces in figure._regions.pieces for piece in pieces
    )
    assert area == pytest.approx(COLUMNS * ROWS)


def _area(points):
    corners = [p[:2] for p in points]
    return abs(
        sum(
            a * d - b * c
            for (a, b), (c, d) in zip(
                corners, [*corners[1:], corners[0]], strict=True
            )
        )
        / 2
    )


def test_three_flat_surfaces_meet_in_one_point():
    x, y = np.meshgrid(np.arange(COLUMNS + 1.0), np.arange(ROWS + 1.0))
    cut = envelope([x - 20.3, y - 11.7, 0 * x])
    areas = [sum(map(_area, pieces)) for pieces in cut.pieces]
    assert areas[2] == pytest.approx(20.3 * 11.7)


def test_the_least_limit_can_bind():
    most, fewest = regions(), regions(least=True)
    assert most.binding(4000, 512) is decode.weight_time
    assert fewest.binding(4000, 512) is decode.compute_time
    assert "would allow" in fewest._sentence()


def test_a_map_says_what_it_lacks():
    over = ((100, 1000), (1, 10))
    figure = regions(over=over, start=(500, 2))
    assert "Arithmetic and KV cache bind nowhere in this map." in figure.plain
    assert "Does not fit: nowhere in this map." in figure.plain


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((symbols.batch, symbols.batch, CLOCKS[:2]), "both axes"),
        ((symbols.batch, symbols.experts, CLOCKS[:2]), "depends on experts"),
        ((symbols.batch, symbols.context, CLOCKS[:1]), "two limits"),
        (
            (symbols.batch, symbols.context,
             [decode.compute_time, decode.balance_batch]),
            "different dimensions",
        ),
    ],
)  # fmt: skip
def test_maps_refuse(arguments, message):
    with pytest.raises(ValueError, match=message):
        Map("bad", *arguments, CASE, claim="No.")


def test_beyond_needs_an_axis_or_a_pair():
    with pytest.raises(ValueError, match="give a pair"):
        Map("bad", symbols.batch, symbols.context, CLOCKS[:2], CASE,
            claim="No.", beyond=[(decode.drain_time, "x")])  # fmt: skip
    with pytest.raises(SymbolError):
        regions(start=(-1, 512))


# Bars


def test_bars_stand_in_order_and_name_their_ends():
    figure = bars()
    values = [v for *_, v in figure._ordered()]
    assert values == sorted(values, reverse=True)
    assert "a factor of" in figure._sentence()
    # Bandwidths differ, so each bar keeps its own until the slider moves.
    assert figure.values == {"hbm_bandwidth": None}


def test_bars_refuse():
    with pytest.raises(ValueError, match="labels of their own"):
        Bars("bad", decode.balance_batch, [CASE, CASE], claim="No.")
    with pytest.raises(ValueError, match="moves nothing"):
        Bars("bad", decode.balance_batch, [CASE], claim="No.",
             sliders=[symbols.context])  # fmt: skip


# Steppers


def unpacked(text):
    """The slow twin of stepper.js: every number written out."""
    numbers = []
    for token in text.split(","):
        for sign, rise in (("*", 0), ("+", 1)):
            if sign in token:
                first, count = map(int, token.split(sign))
                numbers += [first + rise * i for i in range(count)]
                break
        else:
            numbers.append(int(token))
    return numbers


@pytest.mark.parametrize(
    "numbers", [[0], [0, 0, 0, 4, 5, 6, 9], [3, 2, 1], [1, 1, 2, 2, 3, 3]]
)
def test_packing_loses_nothing(numbers):
    assert unpacked(packed(numbers)) == numbers


def test_a_stepper_holds_the_schedule_of_every_setting():
    figure = schedules()
    spec = figure.spec
    assert len(spec["runs"]) == 2 * 3 * 4
    for (kind, stages, micro_batches), run in zip(
        figure._runs, spec["runs"], strict=True
    ):
        schedule = Schedule(kind, stages, micro_batches)
        table = spec["tables"][run["table"]]
        rows = [
            [spec["cells"][c][0] for c in unpacked(row)]
            for row in table["cells"]
        ]
        busy = sum(bool(text) for row in rows for text in row)
        share = 1 - busy / (stages * len(rows[0]))
        assert share == pytest.approx(float(schedule.idle_share))


def test_half_slots_become_columns():
    grid = Grid.timeline(
        [(0, 0, 0.5, "a", "compute"), (1, 0.5, 1, "b", "memory")]
    )
    texts = [[text for text, *_ in row] for row in grid.cells]
    assert texts == [["a", "", ""], ["", "b", "b"]]


def test_a_step_is_a_sentence():
    assert schedules()._sentence() == (
        "Slot 21: stage 1 backward 4, stage 2, stage 3 and stage 4 idle."
    )
    assert "Step 1 of 2. Round 0." in swaps().plain


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Grid([["a"], ["b", "c"]]), "unlike length"),
        (lambda: Grid([["a"]], rows=["x", "y"]), "2 names for 1"),
        (lambda: Grid([[("a", "colour")]]), "no role"),
        (lambda: Grid([[("a", "kv", 2)]]), "no share"),
        (lambda: Stepper("s", [Grid([["a"]])], claim="No."), "that says"),
        (lambda: Stepper("s", Grid([["a"]]), claim="No.", start={"step": 3}),
         "step 3 of 1"),
        (lambda: Stepper("s", lambda n: Grid([["a"] * n]), claim="No.",
                         settings={"n": [1]}, start={"n": 2}), "never 2"),
        (lambda: Stepper("s", lambda n: "It cannot be.", claim="No.",
                         settings={"n": [1]}), "nothing to start with"),
    ],
)  # fmt: skip
def test_steppers_refuse(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_a_heavy_stepper_is_refused():
    def noise(n):
        random = np.random.default_rng(n)
        return Grid(random.integers(0, 9, (72, 72)).tolist())

    with pytest.raises(ValueError, match="offer fewer"):
        Stepper("s", noise, settings={"n": range(50)}, claim="No.")


# What they share


@pytest.mark.parametrize(
    ("low", "high", "scale", "ticks"),
    [
        (1, 1e5, "log", [1, 10, 100, 1000, 1e4, 1e5]),
        (100, 1e4, "log", [100, 200, 500, 1000, 2000, 5000, 1e4]),
        (0, 1, "linear", [0, 0.2, 0.4, 0.6, 0.8, 1.0]),
    ],
)
def test_ticks(low, high, scale, ticks):
    assert Axis(low, high, scale).ticks() == pytest.approx(ticks)


@pytest.mark.parametrize(
    ("value", "text", "shown"),
    [
        (1e-3, "s", "1 ms"),
        (1e4, "sequence", "10 k"),
        (100e-6, "$/Mtoken", "$100"),
        (2e12, "B/s", "2 T"),
        (5e9, "B", "5 GB"),
        (0.0, "s", "0 s"),
        (0.5, "%", "50%"),
    ],
)
def test_tick_texts(value, text, shown):
    assert tick_text(value, unit(text)) == shown


def test_axis_names_say_what_ticks_leave_out():
    assert axis_name("time", unit("s")) == "time"
    assert axis_name("batch", unit("sequence")) == "batch (sequences)"
    assert axis_name("HBM", unit("B/s")) == "HBM (B/s)"
    assert axis_name("stages", unit("stage")) == "stages"
    assert axis_name("layers per stage", unit("layer")) == "layers per stage"
    assert axis_name("cost", unit("$/Mtoken")) == (
        "cost ($ per million tokens)"
    )


def test_exact_texts_read_back():
    assert exactly(8059.0, unit("sequence")) == "8,059 sequences"
    assert exactly(1 / 3, unit("s")) == "333 ms"


def test_who_holds():
    parts = [("memory", 2.0), ("weights", 1.0), ("arithmetic", 1.999)]
    words = {"would": "would need", "reading": str}
    assert holding(parts, 2.0, **words) == (
        "memory and arithmetic are in balance (weights would need 1.0)"
    )
    assert holding(parts[1:2], 1.0, **words) == "weights bind"
    assert holding(parts[:2], 3.0, **words).startswith("memory weighs most")


def test_the_script_is_light_and_has_every_kind():
    script = widgets.script()
    assert len(gzip.compress(script.encode(), 6)) <= 35_000
    for kind in widgets.KINDS:
        assert f"roofline.kinds.{kind} =" in script


def test_no_line_of_a_script_begins_inside_a_text():
    """Comments and indentation are taken out line by line."""
    for name in ("core", *widgets.KINDS):
        source = (widgets._HERE / f"{name}.js").read_text(encoding="utf-8")
        for line in source.splitlines():
            assert line.count("`") % 2 == 0, line
            assert len(line) <= 79, line


def test_the_dark_palette_is_for_screens():
    sheet = widgets.stylesheet()
    before, _, after = sheet.partition(style.DARK["kv"])
    assert before.rstrip().rpartition("@media screen")[1]
    assert "vscode-dark" in before and "html[theme='dark']" in before
    assert after


def test_presets_that_cannot_be_told_apart_are_refused(case):
    with pytest.raises(ValueError, match="are the same here"):
        Chart(
            "twins",
            symbols.batch,
            [decode.weight_time],
            case,
            claim="Two of a kind.",
            presets=[case, case.but(system=system("gb300_nvl72"))],
        )


def test_a_curve_is_undefined_where_its_inputs_do_not_go_together(case):
    crowded = case.values | {"experts": 8, "experts_per_token": 16}
    along = decode.hit_weight_time.along(symbols.batch, [1, 10], crowded)
    assert all(along != along)
    spec = formula(decode.hit_weight_time)
    assert "experts_per_token <= experts" in spec["where"]
    assert "with experts_per_token <= experts" in spec["allowed"]
