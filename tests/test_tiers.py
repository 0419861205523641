"""What chapter 13 prints, against figures worked out by hand."""

import pytest
import sympy
from roofline import cost, decode, fact, prices, setting, system, tiers
from roofline import symbols as s

BIG = {"active_parameters": 1e11, "kv_bytes_per_token": 2000}


@pytest.mark.parametrize(
    ("device", "seconds"),
    [
        ("lpddr_grace", 0.9375),
        ("lpddr_gb300_rack", 1.2143),
        ("ddr5_epyc", 13.021),
        ("ssd_pm1743", 1097.1),
        ("ssd_p5336", 17554),
        ("hdd_exos_m", 109091),
    ],
)
def test_drain_times(device, seconds):
    assert tiers.tier_drain(setting(device)) == pytest.approx(
        seconds, rel=1e-4
    )


def test_drain_times_of_hbm(case):
    """13 to 36 ms, of the reference chip 23.25 ms."""
    found = []
    for name in ("vera_rubin_nvl72", "gb200_nvl72", "gb300_nvl72"):
        chip = system(name)
        found.append(
            decode.drain_time(
                hbm_capacity=chip.hbm_capacity,
                hbm_bandwidth=chip.hbm_bandwidth,
            )
        )
    assert found == pytest.approx([0.01309, 0.02325, 0.036], rel=1e-3)


def test_a_drive_of_30_tb_drains_in_71_minutes():
    drain = tiers.tier_drain(tier_capacity=30e12, tier_bandwidth=7e9)
    assert drain / 60 == pytest.approx(71.4, abs=0.05)


def test_remaking_on_the_board():
    """20 to 101 us, 140 to some 25,000 times the fetch."""
    peaks = (
        system("gb200_nvl72").peak_compute("fp4"),
        system("hgx_h100").peak_compute("fp8"),
    )
    times = [
        tiers.remake_time(active_parameters=1e11, peak_compute=p)
        for p in peaks
    ]
    assert times == pytest.approx([20e-6, 101e-6], rel=2e-3)
    ratios = [
        tiers.remake_ratio(
            BIG,
            peak_compute=p,
            tier_bandwidth=fact(f"{d}.tier_bandwidth"),
        )
        for p, d in zip(peaks, ("ssd_pm1743", "lpddr_grace"), strict=True)
    ]
    assert ratios == pytest.approx([140, 25_000], rel=0.05)


def test_holding_and_fetching_agree_after_one_drain_time():
    device = setting("ssd_p5336").values
    at = device | {"byte_rent": 1e-18, "kv_bytes_per_token": 35136}
    held = at | {"hold_time": tiers.tier_drain(device)}
    held = {n: v for n, v in held.items() if n in KEPT}
    fetched = {n: v for n, v in at.items() if n != "hold_time"}
    assert tiers.hold_cost(held) == pytest.approx(
        float(tiers.fetch_cost(fetched))
    )


KEPT = {"byte_rent", "kv_bytes_per_token", "hold_time"}


def rented(tier):
    return tiers.owned_byte_rent(
        byte_price=fact(f"{tier}_price.byte_price"),
        service_life=fact("device_life.service_life"),
    )


def test_where_to_move_down(case):
    drains = {
        "dram": tiers.tier_drain(setting("lpddr_grace")),
        "flash": tiers.tier_drain(setting("ssd_pm1743")),
        "disk": tiers.tier_drain(setting("hdd_exos_m")),
    }
    above, behind = tiers.hbm_byte_rent(case), 0.0
    found = []
    for tier, drain in drains.items():
        at = {
            "near_rent": above,
            "near_drain": behind,
            "far_rent": rented(tier),
            "far_drain": drain,
        }
        after = tiers.leave_time(at)
        for hold, ahead in ((0.99 * after, False), (1.01 * after, True)):
            near = at["near_rent"] * (hold + behind)
            assert (near > at["far_rent"] * (hold + drain)) == ahead
        found.append(after)
        above, behind = at["far_rent"], drain
    assert found == pytest.approx([0.0288, 14.9, 10_580], rel=5e-3)


def test_the_life_of_the_devices_cancels():
    p, q = sympy.symbols("p q", positive=True)
    moved = tiers.leave_time.right.subs(
        {s.near_rent: p / s.service_life, s.far_rent: q / s.service_life}
    )
    assert s.service_life not in sympy.simplify(moved).free_symbols


def test_forgetting_costs_what_keeping_has_cost(case):
    at = {"byte_rent": rented("flash"), "tier_drain": 1097.0}
    hold = tiers.forget_time(case, **at)
    kept = case.values["kv_bytes_per_token"] * at["byte_rent"]
    assert kept * (hold + 1097) == pytest.approx(
        float(cost.compute_cost(case))
    )


LISTED = setting("claude_opus")
OPUS = {
    "input_price": LISTED.values["input_price"],
    "read_multiplier": prices.read_multiplier(LISTED),
}


def test_price_multipliers():
    """6.25 and 10 of 5 dollars; read 0.50, later 0.05 and 0.025 times."""
    offer = setting("claude_opus_cache").but(**OPUS)
    v = offer.values
    assert v["input_price"] * v["short_multiplier"] * 1e6 == (
        pytest.approx(6.25)
    )
    assert v["input_price"] * v["long_multiplier"] * 1e6 == pytest.approx(10)
    assert v["input_price"] * v["read_multiplier"] * 1e6 == (
        pytest.approx(0.5)
    )
    assert tiers.hold_price(offer) * 3600e6 == pytest.approx(3.75 / (55 / 60))
    assert tiers.even_reads(offer) == pytest.approx(0.25 / 0.9)


def test_an_hour_of_two_kilobytes_in_hbm(case):
    """The lecture's check: $0.02 per million tokens and hour."""
    hour = tiers.hold_cost(
        kv_bytes_per_token=2000,
        byte_rent=tiers.hbm_byte_rent(case),
        hold_time=3600,
    )
    assert hour * 1e6 == pytest.approx(0.0215, abs=5e-5)


def test_hits_of_deepseek_are_their_share():
    share = fact("deepseek_day.disk_hits").share_of(
        fact("deepseek_day.input_tokens")
    )
    assert share == pytest.approx(fact("deepseek_day.hit_share"), abs=1e-3)


def test_cached_tokens_are_not_charged_twice():
    """A million tokens, 563,000 of them hits: 437,000 at the full price."""
    listed = setting("deepseek_r1")
    r1 = {
        "input_price": listed.values["input_price"],
        "read_multiplier": prices.read_multiplier(listed),
    }
    mixed = tiers.mixed_price(r1, hit_share=0.563)
    assert mixed * 1e6 == pytest.approx(0.437 * 0.55 + 0.563 * 0.14, rel=1e-3)
    assert tiers.mixed_price(r1, hit_share=0) == r1["input_price"]


def test_cheapest_is_the_least_of_five(case):
    at = case.values | {
        "dram_byte_rent": rented("dram"),
        "flash_byte_rent": rented("flash"),
        "disk_byte_rent": rented("disk"),
        "dram_drain": 0.94,
        "flash_drain": 1097,
        "disk_drain": 109_091,
    }
    for hold in (1e-3, 1, 300, 3600, 1e5, 1e7):
        parts = [
            e(at, **e.own({"hold_time": hold}))
            for e in tiers.cheapest_cost.given
        ]
        assert tiers.cheapest_cost(at, hold_time=hold) == min(parts)
