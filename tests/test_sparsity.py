"""What the chapter on sparsity rests on, against published figures."""

import math

import pytest
from roofline import decode, fact, sparsity
from roofline.symbols import SymbolError
from twins_sparsity import decades

NAMES = ("size_slope", "expert_slope", "cross_slope", "loss_level",
         "expert_start", "expert_limit")  # fmt: skip


def law(table):
    return {n: fact(f"{table}.{n}") for n in NAMES}


@pytest.fixture
def base():
    return law("routed_sbase") | {
        "dense_parameters": 1.3e9,
        "experts_per_token": 1,
        "routed_share": fact("routed_models.routed_share"),
    }


@pytest.mark.parametrize(
    ("table", "active"),
    [("routed_sbase", 348e6), ("routed_rlr", 520e6), ("routed_hash", 445e6)],
)
def test_active_size_that_equals_dense_with_64_experts(base, table, active):
    """The board's 370 million; the other two routers need more."""
    need = sparsity.base_parameters(base | law(table), experts=64)
    assert need == pytest.approx(active, rel=2e-3)


def test_64_experts_save_less_than_four_times(base):
    assert 3.5 < sparsity.active_saving(base, experts=64) < 4


def test_the_paper_s_own_example():
    """5 million active with 128 experts equal about 55 million dense."""
    v, low, high = law("routed_sbase"), 6.0, 10.0
    loss = decades(v, 5e6, 128)
    for _ in range(100):
        middle = (low + high) / 2
        if decades(v, 10**middle, 1) > loss:
            low = middle
        else:
            high = middle
    assert 10**low == pytest.approx(55e6, rel=0.08)


def test_the_size_from_which_experts_stop_helping():
    """It hangs on rounded coefficients; only S-BASE keeps enough digits."""
    v = law("routed_sbase")
    cutoff = 10 ** (v["expert_slope"] / v["cross_slope"])
    assert cutoff == pytest.approx(
        fact("routed_sbase.size_without_gain"), rel=0.08
    )


def test_a_dense_model_is_one_expert(base):
    assert sparsity.base_parameters(base, experts=1) == pytest.approx(1.3e9)
    assert sparsity.stored_growth(base, experts=1) == pytest.approx(1)
    assert sparsity.dense_loss(base) == pytest.approx(
        float(sparsity.routed_loss(base, experts=1, base_parameters=1.3e9))
    )


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"experts": 513}, "counted_experts needs .*512"),
        ({"experts": 64, "dense_parameters": 37e9}, "at most 1.3 billion"),
        ({"experts": 512, "dense_parameters": 50e6}, "base_parameters must"),
    ],
)
def test_the_law_is_refused_where_it_was_not_fitted(base, changes, complaint):
    """Also where only a step on the way to the result leaves its range."""
    for e in (sparsity.active_saving, sparsity.stored_growth):
        with pytest.raises(SymbolError, match=complaint.replace(
            "counted_experts needs", "needs")):  # fmt: skip
            e(base | changes)


def test_a_curve_has_a_gap_where_the_law_ends(base):
    at = base | {"dense_parameters": 50e6}
    ys = sparsity.active_saving.where_defined(at, experts=[1, 8, 512])
    assert math.isfinite(ys[0]) and math.isnan(ys[2])


def test_sparsity_of_the_reference_case(case):
    m = case.model
    chosen = m.expert_layers * m.experts_per_token * m.expert_parameters
    share = chosen / m.counted_active_parameters
    s = sparsity.sparsity(case, routed_share=share)
    stored = m.unrouted_parameters + chosen * m.experts / m.experts_per_token
    assert s == pytest.approx(stored / m.counted_active_parameters)
    assert s == pytest.approx(18.3, abs=0.05)
    assert s < case.values["experts"] / case.values["experts_per_token"]


def test_best_sparsity_inverts_the_balance_batch(case):
    batch = decode.balance_batch(case)
    assert sparsity.best_sparsity(case, batch=batch) == pytest.approx(671 / 37)


def test_break_even_is_where_both_models_cost_the_same(base, case):
    at = dict(case.values) | base | {"experts": 64}
    even = sparsity.break_even_batch(at)
    assert even == pytest.approx(1840, rel=2e-3)
    for batch, better in ((0.9 * even, False), (1.1 * even, True)):
        routed = sparsity.token_time(at, batch=batch)
        dense = sparsity.dense_token_time(at, batch=batch)
        assert (routed < dense) == better


def test_memory_of_a_balanced_batch_is_proportional_to_what_is_stored(case):
    one = sparsity.balanced_bytes(case)
    two = sparsity.balanced_bytes(case, total_parameters=2 * 671e9)
    assert two == pytest.approx(2 * one)
    largest = case.hbm_bytes / one * 671e9
    assert largest == pytest.approx(10.3e12, rel=5e-3)
