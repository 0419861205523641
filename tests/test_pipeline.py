"""Pipelines are counted cell by cell, then compared with closed forms."""

from fractions import Fraction
from itertools import product

import pytest
import sympy
from roofline import fact, memory, pipeline, symbols
from roofline.schedule import Schedule, ScheduleError

TIMES = ((1, 1), (1, 2), (3, 5))


def closed_form(step, weights=None):
    """Idle time of one stage by the book's equations, in exact numbers."""
    at = {
        symbols.stages: step.stages,
        symbols.micro_batches: step.micro_batches,
        symbols.forward_time: step.forward,
        symbols.backward_time: step.backward,
        symbols.chunks: step.chunks,
        symbols.weight_gradient_time: weights,
    }
    equation = {
        "gpipe": pipeline.bubble_time,
        "1f1b": pipeline.bubble_time,
        "interleaved": pipeline.interleaved_bubble_time,
        "zero-bubble": pipeline.zero_bubble_time,
    }[step.kind]
    return equation.expanded.subs({k: v for k, v in at.items() if v})


def schedules():
    """A few hundred steps of all four kinds."""
    for p, m, (f, b) in product((1, 2, 3, 4, 6), (1, 2, 5, 8, 12), TIMES):
        yield Schedule("gpipe", p, m, f, b), None
        yield Schedule("1f1b", p, m, f, b), None
    for p, g, v, (f, b) in product((2, 3, 4, 5), (1, 2, 3), (2, 3), TIMES):
        yield Schedule("interleaved", p, g * p, f, b, chunks=v), None
    for p, extra in product((2, 3, 4, 6), (0, 1, 5)):
        for f, b, w in ((1, 2, 1), (2, 3, 1), (3, 7, 2), (5, 6, 3)):
            step = Schedule("zero-bubble", p, p + extra, f, b, w)
            yield step, w


def test_counted_idle_time_is_the_closed_form():
    """Every stage waits equally long, and as long as the equation says."""
    seen = 0
    for step, weights in schedules():
        expected = closed_form(step, weights)
        for stage in range(step.stages):
            assert step.idle(stage) == expected, step
        useful = step.micro_batches * (step.forward + step.backward)
        assert step.step_time == useful + expected
        seen += 1
    assert seen >= 200


def test_symbols_count_as_well_as_numbers():
    """The same layout, with letters for the durations."""
    f, b = symbols.forward_time, symbols.backward_time
    for kind, p, m in product(("gpipe", "1f1b"), (1, 2, 4, 5), (1, 3, 4, 9)):
        step = Schedule(kind, p, m, f, b)
        assert sympy.expand(step.step_time - (m + p - 1) * (f + b)) == 0
        share = sympy.simplify(step.idle_share)
        assert share == Fraction(p - 1, m + p - 1)


def test_no_stage_does_two_things_and_nothing_comes_too_early():
    for step, _ in schedules():
        ends = {}
        for c in step.cells:
            ends[c.kind, c.micro_batch, c.chunk, c.stage] = c
        for stage in range(step.stages):
            row = sorted(
                (c for c in step.cells if c.stage == stage),
                key=lambda c: c.start,
            )
            for one, next_one in zip(row, row[1:], strict=False):
                assert one.end <= next_one.start
        for c in step.cells:
            last = step.stages - 1
            if c.kind == "forward" and c.stage:
                needed = ends["forward", c.micro_batch, c.chunk, c.stage - 1]
            elif c.kind == "backward" and c.stage < last:
                needed = ends["backward", c.micro_batch, c.chunk, c.stage + 1]
            elif c.kind == "forward" and c.chunk:
                needed = ends["forward", c.micro_batch, c.chunk - 1, last]
            elif c.kind == "backward" and c.chunk < step.chunks - 1:
                needed = ends["backward", c.micro_batch, c.chunk + 1, 0]
            elif c.kind != "forward":
                before = "backward" if c.kind == "weights" else "forward"
                needed = ends[before, c.micro_batch, c.chunk, c.stage]
            else:
                continue
            assert needed.end <= c.start


def test_every_micro_batch_passes_every_stage_and_chunk_once():
    for step, _ in schedules():
        kinds = 3 if step.kind == "zero-bubble" else 2
        expected = kinds * step.stages * step.micro_batches * step.chunks
        assert len(step.cells) == expected
        assert len({(c.stage, c.micro_batch, c.kind, c.chunk)
                    for c in step.cells}) == expected  # fmt: skip


@pytest.mark.parametrize(
    ("p", "m", "share", "ratio"),
    [
        (8, 32, 0.1795, 0.219),
        (4, 4, 0.429, 0.75),
        (4, 8, 0.273, 0.375),
        (4, 16, 0.158, 0.1875),
        (4, 32, 0.0857, 0.09375),
    ],
)
@pytest.mark.parametrize("kind", ["gpipe", "1f1b"])
def test_idle_share_and_idle_over_useful_time(kind, p, m, share, ratio):
    step = Schedule(kind, p, m)
    at = {"stages": p, "micro_batches": m}
    assert float(step.idle_share) == pytest.approx(share, rel=2e-3)
    assert float(step.idle_over_useful) == pytest.approx(ratio, rel=2e-3)
    assert pipeline.idle_share(at) == pytest.approx(float(step.idle_share))
    assert pipeline.idle_over_useful(at) == pytest.approx(
        float(step.idle_over_useful)
    )


def test_the_drawing_of_four_by_four_has_six_idle_slots_of_fourteen():
    step = Schedule("gpipe", 4, 4, forward=1, backward=1)
    for line in step.drawing().splitlines():
        row = line.split("  ")[-1]
        assert len(row) == 14 and row.count(".") == 6
    assert step.idle_share == Fraction(6, 14)


@pytest.mark.parametrize("v", [2, 3, 4])
def test_chunks_divide_idle_over_useful_time(v):
    plain = Schedule("1f1b", 8, 32)
    sliced = Schedule("interleaved", 8, 32, chunks=v)
    assert sliced.idle_over_useful == plain.idle_over_useful / v


def test_zero_bubble_waits_a_third():
    plain = Schedule("1f1b", 8, 32, forward=1, backward=2)
    less = Schedule("zero-bubble", 8, 32, forward=1, backward=2, weights=1)
    assert less.idle_over_useful == plain.idle_over_useful / 3
    assert [less.in_flight(i) for i in range(8)] == [8] * 8


def test_1f1b_holds_fewer_micro_batches_than_gpipe():
    assert Schedule("gpipe", 4, 16).in_flight(0) == 16
    held = [Schedule("1f1b", 4, 16).in_flight(i) for i in range(4)]
    assert held == [4, 3, 2, 1]


@pytest.mark.parametrize("stages", [1, 2, 3, 4, 8])
def test_decode_is_full_with_as_many_micro_batches_as_stages(stages):
    for count in range(1, stages + 1):
        step = Schedule("decode", stages, count, turns=4)
        idle = step.between(stages, 3 * stages)
        assert idle == 1 - Fraction(count, stages)
    more = Schedule("decode", stages, stages + 2, turns=4)
    assert more.between(stages, 3 * stages) == 0
    # With more, a token takes longer: they queue before the first stage.
    starts = [c.start for c in more.cells if not c.stage and not c.micro_batch]
    assert starts[1] - starts[0] == stages + 2


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        (("gpip", 4, 4), 'no schedule "gpip"'),
        (("gpipe", 0, 4), "stages must be a whole number of at least 1"),
        (("gpipe", 4, 2.5), "micro_batches must be a whole number"),
    ],
)
def test_schedules_that_cannot_be_are_refused(inputs, words):
    with pytest.raises(ScheduleError, match=words):
        Schedule(*inputs)
    with pytest.raises(ScheduleError, match="groups of 4 stages; got 6"):
        Schedule("interleaved", 4, 6, chunks=2)
    with pytest.raises(ScheduleError, match="one chunk a stage"):
        Schedule("gpipe", 4, 4, chunks=2)


def test_zero_bubble_needs_short_gradients_of_weights():
    at = {"stages": 4, "forward_time": 1, "backward_time": 2}
    with pytest.raises(ValueError, match="weight_gradient_time"):
        pipeline.zero_bubble_time(at, weight_gradient_time=1.5)


# The two networks


def test_network_ratio(case):
    """The board's eight, and what the rack's own cards make of it."""
    at = {"experts_per_token": 8, "layers_per_stage": 1}
    board = {"scaleup_bandwidth": 8e9, "scaleout_bandwidth": 1e9}
    assert pipeline.network_ratio(at | board) == 2
    rack = case.system
    real = {
        "scaleup_bandwidth": rack.scaleup_bandwidth,
        "scaleout_bandwidth": rack.scaleout_bandwidth,
    }
    assert pipeline.network_ratio(at | real) == pytest.approx(16 / 18)
    least = pipeline.least_layers_per_stage(at | real)
    assert least == pytest.approx(1.125)
    assert pipeline.network_ratio(
        at | real | {"layers_per_stage": least}
    ) == pytest.approx(1)


def test_the_published_step_adds_up():
    f = fact
    parts = sum(
        f(f"deepseek_v3_pipeline.{name}")
        for name in ("forward_phase", "paired_phase", "backward_phase",
                     "weight_phase", "optimizer_phase", "bubble_time")
    )  # fmt: skip
    step = f("deepseek_v3_pipeline.step_time")
    assert parts == pytest.approx(float(step), rel=2e-3)
    share = f("deepseek_v3_pipeline.bubble_time") / step
    assert share == pytest.approx(0.1034, abs=1e-4)


# Memory: chapter 9


def test_stages_cancel_in_the_kv_cache(case):
    at = case.values | {"batch": 2000}
    for stages in (1, 2, 4, 8):
        flying = memory.in_flight_sequences(at, stages=stages)
        assert flying == stages * 2000
        counted = memory.kv_per_chip(
            at, stages=stages, in_flight_sequences=flying
        )
        assert counted == pytest.approx(float(memory.loop_kv_per_chip(at)))
    assert symbols.stages not in memory.loop_kv_per_chip.inputs


def test_paying_stages_at_the_balance_batch(case):
    """Chapter 4's longest context over yours: 3,370 tokens over 1,000."""
    assert memory.balanced_paying_stages(case) == pytest.approx(
        3.370, abs=5e-4
    )


@pytest.mark.parametrize(
    ("size", "machine", "milliseconds"),
    [
        (1e12, "hgx_h100", 37.3),
        (1e12, "gb200_nvl72", 1.736),
        (5e12, "gb200_nvl72", 8.68),
    ],
)
def test_latency_floors_of_large_models(case, size, machine, milliseconds):
    from roofline import decode, system

    at = case.but(system=system(machine)).values | {"total_parameters": size}
    assert decode.latency_floor(at) * 1e3 == pytest.approx(
        milliseconds, rel=2e-3
    )
    for stages in (1, 4):
        read = stages * memory.stage_weight_time(at, stages=stages)
        assert read == pytest.approx(float(decode.latency_floor(at)))


def test_a_hop_takes_microseconds(case):
    wire = fact("infiniband.hop_latency")
    at = case.values | {
        "batch": 2000,
        "hop_latency": wire,
        "vector_bytes": 2 * 7168,
        "scaleout_bandwidth": case.system.scaleout_bandwidth,
    }
    hop = memory.hop_time(at)
    assert wire < hop < 20e-6
    assert hop == pytest.approx(3.7e-6 + 2000 * 14336 / 72 / 50e9)
