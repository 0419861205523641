"""Waits, rates, and why 2,000 sequences and 20 ms do not go together."""

import numpy as np
import pytest
import sympy
from roofline import decode, equate, fact, quantity, train
from roofline import symbols as s
from roofline.systems import SYSTEMS
from roofline.units import format_value, unit

BOARD = 1 / 64  # the board's 64 passes a second


def test_simulated_waits_agree_with_the_formulas():
    random, period = np.random.default_rng(4), 0.02
    comes = np.sort(random.uniform(0, 10_000 * period, 100_000))
    leaves = np.ceil(comes / period) * period
    waits = leaves - comes
    assert waits.mean() == pytest.approx(
        train.mean_wait(train_period=period), rel=0.01
    )
    worst = train.worst_token_time(train_period=period)
    assert waits.max() + period <= worst * (1 + 1e-12)
    assert waits.max() + period == pytest.approx(worst, rel=1e-3)


def test_the_boards_rate():
    rate = train.token_rate(batch=2000, train_period=BOARD)
    assert rate == 128_000
    dollars = 72 * quantity(2, "$/chip/h") / rate
    assert dollars * 1e6 == pytest.approx(0.3125)


@pytest.mark.parametrize(
    ("when", "rate", "machines"),
    [
        ("2025_05", 183e6, 1_426),
        ("2025_06", 373e6, 2_911),
        ("2025_10", 495e6, 3_862),
        ("2026_05", 1.217e9, 9_507),
    ],
)
def test_share_of_googles_tokens(when, rate, machines):
    traffic = fact(f"google_{when}.traffic")
    assert traffic == pytest.approx(rate, rel=3e-3)
    needed = train.trains_needed(
        batch=2000, train_period=BOARD, traffic=traffic
    )
    assert needed == pytest.approx(machines, rel=1e-3)


def test_a_month_is_a_twelfth_of_a_year():
    assert 12 * unit("month").factor == 365.25 * 86400
    assert format_value(1 / unit("month").factor, "token/month") == (
        "1 token/month"
    )


def test_two_thousand_sequences_leave_the_rack_idle(case):
    busy = decode.compute_time(case, batch=2000)
    assert busy * 1e3 == pytest.approx(0.411, abs=5e-4)
    assert busy / BOARD == pytest.approx(0.026, abs=5e-4)


def test_a_model_balanced_at_the_boards_period(case):
    active = equate(s.train_period, decode.compute_time).solve_for(
        s.active_parameters
    )
    total = equate(s.train_period, decode.weight_time).solve_for(
        s.total_parameters
    )
    for at, expected in ((case, (1.4e12, 9e12)),
                         (case.but(weights="fp4"), (2.8e12, 18e12))):  # fmt: skip  # noqa: E501
        found = (
            active(at, batch=2000, train_period=BOARD),
            total(at, train_period=BOARD),
        )
        assert found == pytest.approx(expected, rel=0.01)


def test_a_full_rack_balances_below_the_last_context(case):
    context = train.full_rack_context(case)
    assert context == pytest.approx(3201, abs=0.5)
    at = case.but(context=float(context))
    drained = decode.drain_time(case)
    assert train.full_rack_time(at) == pytest.approx(drained)
    batch = drained * train.full_rack_rate(at)
    assert decode.memory_time(at, batch=batch) == pytest.approx(drained)
    assert batch == pytest.approx(113_106, rel=1e-3)


def test_full_rack_context_is_solved():
    solved = equate(train.full_rack_time, decode.drain_time).solve_for(
        s.context
    )
    kept = train.full_rack_context.expanded
    assert sympy.simplify(solved.right - kept) == 0


def test_every_system_drains_in_tens_of_milliseconds():
    for system in SYSTEMS.values():
        drained = decode.drain_time(system.facts)
        assert 0.01 < drained < 0.05, system.label
