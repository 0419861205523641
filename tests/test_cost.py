"""What chapter 02 prints, against figures worked out by hand."""

import pytest
import sympy
from roofline import cost, decode, fact, system
from roofline import symbols as s
from roofline.systems import SYSTEMS

FAST = {"price_ratio": 6, "speed_ratio": 2.5}
LATER = {"price_ratio": 2, "speed_ratio": 2.5}


def test_one_user_alone(case):
    alone = cost.token_cost(case, batch=1)
    assert alone * 1e6 == pytest.approx(46.6, abs=0.05)
    assert cost.compute_cost(case) * 1e6 == pytest.approx(0.00822, abs=5e-6)
    assert cost.lone_premium(case) == pytest.approx(5667, abs=0.5)


def test_one_user_alone_with_the_experts_that_are_hit(case):
    assert cost.hit_cost(case, batch=1) * 1e6 == pytest.approx(2.54, abs=5e-3)
    assert cost.lone_hit_premium(case) == pytest.approx(309, abs=0.5)


def test_the_premium_is_the_balance_batch():
    premium = cost.lone_premium.right
    assert sympy.simplify(premium - decode.balance_batch.right) == 0


def test_the_premium_with_hit_experts_is_the_machine_balance():
    alone = {s.lone_parameters: s.active_parameters}
    premium = cost.lone_hit_premium.right.xreplace(alone)
    assert sympy.simplify(premium - decode.machine_balance.right) == 0


def test_costs_times_batch_are_the_rent(case):
    for batch in (1, 1000, 8059, 1e5):
        rent = cost.pass_cost(case, batch=batch)
        assert batch * cost.token_cost(case, batch=batch) == (
            pytest.approx(float(rent), rel=1e-12)
        )


def test_no_batch_beats_the_floor(case):
    for context in (100, 1000, 3370, 10_000):
        floor = cost.cost_floor(case, context=context)
        large = cost.token_cost(case, context=context, batch=1e9)
        assert floor <= large < 1.001 * floor


def test_rate_and_rent_give_the_price_of_a_token():
    """$2.50 an hour at 1,000 tokens/s: $0.694 per million tokens."""
    paced = cost.paced_cost.right.xreplace({s.paced_batch: sympy.Integer(1)})
    at = {s.chips: 1, s.chip_hour_price: 2.5 / 3600, s.user_rate: 1000}
    assert float(paced.xreplace(at)) * 1e6 == pytest.approx(0.694, abs=5e-4)


def test_pace_and_pass_agree(case):
    for rate in (100, 600, 800, 850):
        batch = cost.paced_batch(case, user_rate=rate)
        assert decode.pass_time(case, batch=batch) == pytest.approx(1 / rate)
        assert cost.paced_cost(case, user_rate=rate) == pytest.approx(
            float(cost.token_cost(case, batch=batch))
        )


def test_a_speed_above_the_floor_has_no_price(case):
    with pytest.raises(ValueError, match="paced_cost must be above"):
        cost.paced_cost(case, user_rate=900)


@pytest.mark.parametrize(
    ("offer", "batch", "share", "above", "top"),
    [(FAST, 15, 0.643, 1.12, 2.8), (LATER, 5, 0.75, 1.6, 4)],
)
def test_fast_mode(offer, batch, share, above, top):
    found = cost.sequence_share(offer)
    assert cost.batch_ratio(offer) == pytest.approx(batch)
    assert found == pytest.approx(share, abs=5e-4)
    assert cost.fast_over_floor(offer) == pytest.approx(above)
    assert cost.top_speed_ratio(sequence_share=found) == pytest.approx(top)
    paid = cost.paid_speed_ratio(
        sequence_share=found, price_ratio=offer["price_ratio"]
    )
    assert paid == pytest.approx(2.5)


def test_fast_mode_on_the_rack(case):
    """Passes of the reference rack that show 6 times and 2.5 times."""
    at = case.but(context=10_000)
    weights = decode.weight_time(at)
    batch = 1.8 * weights / decode.kv_time(at, batch=1)
    normal = decode.pass_time(at, batch=batch)
    fast = decode.pass_time(at, batch=batch / 15)
    assert normal / fast == pytest.approx(2.5)
    assert fast / weights == pytest.approx(1.12)
    dearer = cost.token_cost(at, batch=batch / 15).over(
        cost.token_cost(at, batch=batch)
    )
    assert dearer == pytest.approx(6)


def test_fast_mode_if_the_normal_pass_were_arithmetic(case):
    """Under a maximum: all of the step, and the fast pass on the floor."""
    weights = decode.weight_time(case)
    batch = 2.5 * decode.balance_batch(case)
    normal = decode.pass_time(case, batch=batch, context=0)
    fast = decode.pass_time(case, batch=batch / 15, context=0)
    assert normal / fast == pytest.approx(2.5)
    assert fast / weights == pytest.approx(1.0)


def test_equal_offers_of_no_speed_have_no_share():
    with pytest.raises(ValueError, match="no finite value"):
        cost.sequence_share(price_ratio=1, speed_ratio=1)


def test_zero_context_has_no_memory_pace(case):
    with pytest.raises(ValueError, match="no finite value"):
        cost.memory_paced_batch(case, user_rate=100, context=0)


def test_printed_prices_give_the_offers():
    normal = fact("claude_opus.output_price")
    assert fact("claude_opus_4_6_fast.output_price").over(normal) == 6
    assert fact("claude_opus_4_8_fast.output_price").over(normal) == 2
    assert fact("claude_opus_5_fast.output_price").over(normal) == 2


def test_rents_belong_to_systems_and_carry_a_range():
    rented = [n for n in SYSTEMS if n in RENTED]
    assert len(rented) == len(RENTED) == 7
    for name in RENTED:
        rent = fact(f"rent_{name}.chip_hour_price")
        assert rent.range[0] < rent.range[1] and system(name)


RENTED = (
    "hgx_h100",
    "hgx_h200",
    "hgx_b200",
    "gb200_nvl72",
    "gb300_nvl72",
    "mi300x",
    "mi355x",
)
