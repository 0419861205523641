"""What chapter 10 prints, against figures worked out by hand."""

import numpy as np
import pytest
from roofline import fact, kv_cache, model, setting, system, training
from roofline import symbols as s
from roofline.symbols import SymbolError

LIFE = setting("lecture_life")
FITS = {name: setting(name) for name in ("hoffmann_2022", "besiroglu_2024")}
DAYS_60 = 5e7 * 60 * 86400
# Matrices of the 32 blocks of Llama-7B, without embedding and output head.
LLAMA_7B = 32 * (4 * 4096**2 + 3 * 4096 * 11008)


def best(fit, served, inefficiency, size=1e11):
    return training.served_tokens.find(
        s.pretraining_tokens,
        served,
        FITS[fit],
        active_parameters=size,
        decode_inefficiency=inefficiency,
    )


def test_causal_prefill_of_llama_7b():
    """3,000 tokens: parameters and attention, half of all pairs."""
    linear = training.inference_cost(
        active_parameters=LLAMA_7B,
        inference_tokens=3000,
        decode_inefficiency=1,
    )
    assert linear == pytest.approx(3.886e13, rel=2e-4)
    shape = {"layers": 32, "query_heads": 32, "head_dim": 128}
    work = kv_cache.grouped_multiply_adds(shape)
    attention = training.prompt_attention_flop(
        context=3000, attention_multiply_adds=work
    )
    assert attention == pytest.approx(2.359e12, rel=2e-4)


def test_training_of_llama_7b_by_token():
    one = training.pretraining_cost(
        active_parameters=LLAMA_7B, pretraining_tokens=1
    )
    assert one == pytest.approx(3.886e10, rel=2e-4)
    work = 2 * 32 * 32 * 128
    at = {"context": 4096, "attention_multiply_adds": work}
    causal = 3 * training.prompt_attention_flop(at) / 4096
    assert causal == pytest.approx(3.221e9, rel=2e-4)
    assert 2 * causal == pytest.approx(6.442e9, rel=2e-4)
    share = training.training_attention_share(at, active_parameters=LLAMA_7B)
    assert share == pytest.approx(3.221e9 / 3.886e10, rel=5e-4)


@pytest.mark.parametrize(
    ("name", "machine", "share"),
    [
        ("deepseek_v3", "hgx_h800", 0.346),
        ("llama_3_1_405b", "hgx_h100", 0.345),
    ],
)
def test_share_of_peak_of_two_runs(name, machine, share):
    facts = model(name).facts
    used = training.training_utilisation(
        active_parameters=facts["active_parameters"],
        pretraining_tokens=facts["training_tokens"],
        training_time=fact(f"{name}_training.training_time"),
        peak_compute=system(machine).peak_compute("bf16"),
    )
    assert used == pytest.approx(share, abs=5e-4)


def test_the_boards_numbers():
    served = training.inference_tokens(LIFE)
    assert served == pytest.approx(2.592e14)
    assert served / 2e12 == pytest.approx(129.6)
    read = training.equal_pretraining_tokens(LIFE)
    assert read == pytest.approx(float(served))
    assert read == pytest.approx(1.5 * training.equal_rl_tokens(LIFE))
    over = training.equal_over_training(LIFE, base_ratio=20)
    assert over == pytest.approx(129.6)


def test_equal_costs_are_equal():
    at = LIFE.but(
        inference_tokens=training.inference_tokens(LIFE),
        pretraining_tokens=training.equal_pretraining_tokens(LIFE),
        rl_tokens=training.equal_rl_tokens(LIFE),
    )
    bills = [training.pretraining_cost(at), training.rl_cost(at)]
    assert bills == pytest.approx([float(training.inference_cost(at))] * 2)
    assert training.lifetime_cost(at) == pytest.approx(3 * bills[0])


@pytest.mark.parametrize(
    ("fit", "served", "inefficiency", "tokens"),
    [
        ("hoffmann_2022", 2e14, 1, 88.2e12),
        ("hoffmann_2022", 2e14, 3, 176.6e12),
        ("hoffmann_2022", DAYS_60, 3, 209.5e12),
        ("besiroglu_2024", 2e14, 1, 34.4e12),
        ("besiroglu_2024", 2e14, 3, 70.7e12),
    ],
)
def test_optimal_pretraining(fit, served, inefficiency, tokens):
    found = best(fit, served, inefficiency)
    assert found == pytest.approx(tokens, rel=2e-3)
    # The cheapest on the curve of equal loss, by evaluating its neighbours.
    at = FITS[fit].but(
        target_loss=training.scaling_loss(
            FITS[fit], active_parameters=1e11, pretraining_tokens=found
        ),
        inference_tokens=served,
        decode_inefficiency=inefficiency,
    )
    around = found * np.geomspace(0.5, 2, 20_001)
    costs = training.matched_cost(at, pretraining_tokens=around)
    assert around[costs.argmin()] == pytest.approx(float(found), rel=1e-3)


def test_over_training_over_both_bases():
    ends = {"hoffmann_2022": (7.5, 17.7), "besiroglu_2024": (19, 47)}
    for fit, (low, high) in ends.items():
        at = {"active_parameters": 1e11}
        few, many = best(fit, 2e14, 1), best(fit, DAYS_60, 3)
        over = training.over_optimum.interval(
            FITS[fit].but(**at), pretraining_tokens=(few, many)
        )
        assert over == pytest.approx((low, high), rel=0.01)
    lowest = best("besiroglu_2024", 2e14, 1) / 2e12
    highest = best("hoffmann_2022", DAYS_60, 3) / 2e12
    assert (lowest, highest) == pytest.approx((17.2, 104.8), abs=0.1)


def test_equal_cost_is_best_where_the_exchange_rate_is_a_half():
    for fit in FITS.values():
        at = fit.but(active_parameters=1e11, decode_inefficiency=3)
        half = training.exchange_rate.find(s.pretraining_tokens, 0.5, at)
        assert training.served_tokens(at, pretraining_tokens=half) == (
            pytest.approx(
                float(
                    training.equal_served_tokens(at, pretraining_tokens=half)
                )
            )
        )


def test_without_users_the_optimum_is_the_compute_optimum():
    for fit in FITS.values():
        at = fit.but(active_parameters=1e11)
        assert training.exchange_rate(
            at, pretraining_tokens=training.optimal_tokens(at)
        ) == pytest.approx(1)


def test_equal_parts_never_cost_twice():
    p, q = np.meshgrid(np.geomspace(0.01, 10, 60), np.geomspace(0.01, 10, 60))
    price = training.equal_cost_penalty(rising_power=p, falling_power=q)
    assert (price < 2).all() and (price >= 1 - 1e-12).all()
    assert training.equal_cost_penalty(rising_power=1, falling_power=1) == 1


def test_an_interval_holds_every_draw_and_reaches_its_ends():
    ranges = {
        "model_traffic": (5e7, 1e8),
        "active_parameters": (1e11, 2e11),
        "decode_inefficiency": (1, 10 / 3),
    }
    at = LIFE.but(base_ratio=20)
    low, high = training.equal_over_training.interval(at, **ranges)
    random = np.random.default_rng(7)
    drawn = {n: random.uniform(*r, 50_000) for n, r in ranges.items()}
    sample = training.equal_over_training(at, **drawn)
    assert low <= sample.min() < 1.1 * low
    assert 0.9 * high < sample.max() <= high


def test_an_interval_needs_a_stated_direction():
    with pytest.raises(ValueError, match="not stated to rise or to fall in"):
        training.equal_cost_penalty.interval(
            falling_power=1, rising_power=(1, 2)
        )


def test_finding_needs_a_value_that_is_taken():
    at = FITS["hoffmann_2022"].but(active_parameters=1e11)
    with pytest.raises(SymbolError, match="exchange_rate is nowhere 100"):
        training.exchange_rate.find(s.pretraining_tokens, 100, at)


def test_a_loss_out_of_reach_has_no_size():
    at = FITS["hoffmann_2022"].but(target_loss=1.8)
    with pytest.raises(SymbolError, match="no finite value"):
        training.matched_parameters(at, pretraining_tokens=1e11)
    along = training.matched_parameters.along(
        s.pretraining_tokens, [1e11, 1e14], at
    )
    assert np.isnan(along[0]) and along[1] > 0


def test_a_setting_shows_sources_and_refuses_strangers():
    assert "hoffmann2022chinchilla" in FITS["hoffmann_2022"].show().markdown
    with pytest.raises(LookupError, match='did you mean "base_ratio"'):
        LIFE.but(base_ration=20)
