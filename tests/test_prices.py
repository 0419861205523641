"""What chapter 11 prints, against figures worked out by hand."""

import numpy as np
import pytest
from roofline import cost, decode, fact, kv_cache, model, prices, setting
from roofline import symbols as s
from roofline.facts import FACTS

BOARD = setting("lecture_prices")
STEPS = ("gemini_2_5_pro", "gemini_3_1_pro", "gpt_5_4", "gpt_6_1_sol")


@pytest.mark.parametrize(("width", "each"), [(1, 1667), (0.5, 833), (2, 3333)])
def test_bytes_per_token_from_the_step(width, each):
    found = prices.implied_kv_bytes(BOARD, bytes_per_weight=width)
    assert found == pytest.approx(each, abs=0.5)


def test_the_board_shape_has_2048_bytes():
    shape = {"layers": 1, "kv_heads": 8, "head_dim": 128}
    each = kv_cache.grouped_kv_bytes(shape, bytes_per_element=1)
    assert each == 2048


def test_step_and_balanced_context_are_inverse(case):
    """With the cache that a step implies, the clocks agree at the step."""
    each = prices.implied_kv_bytes(
        case,
        machine_balance=decode.machine_balance(case),
        step_context=200_000,
    )
    found = kv_cache.balance_context(case, kv_bytes_per_token=each)
    assert found == pytest.approx(200_000)


def test_steps_predicted_for_open_models(case):
    assert kv_cache.balance_context(case) == pytest.approx(3370, abs=1)
    llama = model("llama_3_1_70b").on(case.system)
    assert kv_cache.balance_context(llama) == pytest.approx(1367, abs=1)


def test_a_ratio_of_clocks_is_the_ratio_of_the_clocks(case):
    for batch, context in ((50, 100), (500, 10_000), (50_000, 1000)):
        at = case.but(context=context)
        clocks = decode.memory_time(at, batch=batch).over(
            decode.compute_time(at, batch=batch)
        )
        found = prices.time_ratio(
            batch=batch,
            context=context,
            sparsity=671 / 37,
            machine_balance=decode.machine_balance(case),
            step_context=kv_cache.balance_context(case),
        )
        assert found == pytest.approx(float(clocks))


def test_the_two_readings_exclude_each_other():
    assert prices.ratio_context(BOARD, time_ratio=5) == 1_000_000
    assert prices.ratio_context(BOARD, time_ratio=1.5) == 300_000
    small = prices.ratio_batch(BOARD, time_ratio=5, context=10_000)
    assert prices.time_ratio(BOARD, batch=small, context=10_000) == (
        pytest.approx(5)
    )
    batches = np.geomspace(1, 1e9, 5000)
    step = prices.time_ratio(BOARD, batch=batches, context=200_000)
    used = prices.time_ratio(BOARD, batch=batches, context=10_000)
    assert not ((step < 1.1) & (used > 2)).any()


def test_reading_is_decode_of_one_token_at_length_one(case):
    for batch in (1, 1000, 20_000):
        each = prices.passed_time(case, batch=batch, pass_length=1)
        whole = decode.pass_time(case, batch=batch)
        assert batch * each == pytest.approx(float(whole))


@pytest.mark.parametrize("name", STEPS)
def test_every_step_doubles_input_and_adds_half_to_output(name):
    low, high = setting(name).values, setting(f"{name}_long").values
    assert high["input_price"].over(low["input_price"]) == pytest.approx(2)
    assert high["cached_price"].over(low["cached_price"]) == pytest.approx(2)
    assert high["output_price"].over(low["output_price"]) == (
        pytest.approx(1.5)
    )


def test_claude_had_the_same_step():
    long = setting("claude_opus_4_6_long").values
    flat = setting("claude_opus").values
    assert long["input_price"].over(flat["input_price"]) == 2
    assert long["output_price"].over(flat["output_price"]) == 1.5


@pytest.mark.parametrize(
    ("name", "discount"),
    [("claude_opus", 0.1), ("claude_opus_5_5", 0.05),
     ("claude_fable_5_1", 0.025), ("gpt_4o", 0.5)],
)  # fmt: skip
def test_cached_over_input(name, discount):
    assert prices.read_multiplier(setting(name)) == pytest.approx(discount)


def test_hit_tokens_are_charged_once():
    opus = setting("claude_opus")
    chat = {"prompt_tokens": 1e5, "output_tokens": 1000}
    none = prices.request_price(opus, **chat, hit_tokens=0)
    most = prices.request_price(opus, **chat, hit_tokens=9e4)
    assert none == pytest.approx(0.5 + 0.025)
    assert most == pytest.approx(0.05 + 0.045 + 0.025)
    with pytest.raises(ValueError, match="hit_tokens <= prompt_tokens"):
        prices.request_price(opus, **chat, hit_tokens=2e5)


def test_rent_over_rate():
    """$2.50 an hour at 1,000 tokens/s, and DeepSeek's nodes at $2."""
    assert 2.5 / 3600 / 1000 * 1e6 == pytest.approx(0.694, abs=5e-4)
    at = {"chips": 1, "chip_hour_price": 2.5 / 3600, "user_rate": 1000}
    one = cost.paced_cost.right.subs({s.paced_batch: 1}).subs(
        {s.SYMBOLS[n]: v for n, v in at.items()}
    )
    assert float(one) * 1e6 == pytest.approx(0.694, abs=5e-4)
    rent = fact("deepseek_fleet.chips") * fact("lecture.chip_hour_price")
    each = rent / fact("deepseek_fleet.token_rate") * 1e6
    assert each == pytest.approx(0.300, abs=1e-3)


def test_prices_are_dated_and_plausible():
    listed = [f for f in FACTS.values() if f.unit.text == "$/Mtoken"]
    assert len(listed) > 40
    for f in listed:
        assert f.verified and f.as_of.year >= 2025
