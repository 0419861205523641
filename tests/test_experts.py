"""Messages between experts: figures that others got wrong, and counts."""

import numpy as np
import pytest
from roofline import decode, experts, fact, routing, system
from roofline.symbols import SymbolError


def test_bytes_of_one_token(case):
    assert experts.dispatched_bytes(case) == 57_344
    assert experts.combined_bytes(case) == 114_688
    assert experts.layer_exchange_bytes(case) == 172_032
    assert experts.exchange_bytes(case) == 9_977_856


RING = {"tensor_ways": 8, "batch": 64, "hidden_size": 8192, "reduces": 160,
        "bytes_per_activation": 2}  # fmt: skip


def test_all_reduce_in_one_direction():
    up = system("hgx_h100").scaleup_bandwidth
    assert up == 450e9
    one = experts.reduce_time(RING, scaleup_bandwidth=up)
    assert one * 1e6 == pytest.approx(4.08, abs=0.005)
    whole = experts.tensor_time(RING, scaleup_bandwidth=up)
    assert whole * 1e6 == pytest.approx(652, abs=0.7)
    wrong = experts.tensor_time(RING, scaleup_bandwidth=2 * up)
    assert wrong == pytest.approx(whole / 2)


def test_a_single_chip_sums_nothing():
    assert experts.reduce_time(RING, tensor_ways=1, scaleup_bandwidth=1) == 0


def test_links_are_one_way():
    """900 GB/s a chip; the brochure's 1.8 TB/s counts both directions."""
    assert system("gb200_nvl72").scaleup_bandwidth == 900e9
    assert system("hgx_h800").scaleup_bandwidth == 200e9
    for name in ("gb200_nvl72", "gb300_nvl72", "hgx_h100", "hgx_h800"):
        one = system(name)
        ratio = one.scaleup_bandwidth / one.scaleout_bandwidth
        assert ratio in (18, 9, 4)


def test_messages_over_arithmetic(case):
    assert experts.exchange_ratio(case) == pytest.approx(0.749, abs=5e-4)
    out = case.values["scaleout_bandwidth"]
    far = experts.exchange_ratio(case, scaleup_bandwidth=out)
    assert far == pytest.approx(13.5, abs=0.05)
    assert experts.balance_link(case) == pytest.approx(674e9, rel=1e-3)
    for batch in (1, 5000, 1e6):
        ratio = experts.exchange_time(case, batch=batch) / decode.compute_time(
            case, batch=batch
        )
        assert ratio == pytest.approx(float(experts.exchange_ratio(case)))


def test_two_racks_cost_the_ratio_of_the_links(case):
    at = case.values | {"batch": 5000, "racks": 2}
    ratio = experts.crossing_time(at) / experts.inside_time(at)
    assert ratio == pytest.approx(18)
    assert experts.crossing_ratio(at) == pytest.approx(18)
    assert experts.crossing_time(at, racks=1) == 0


def test_more_domains_than_experts_are_refused(case):
    at = case.values | {"batch": 1, "racks": 18, "domains_reached": 9}
    with pytest.raises(SymbolError, match="domains_reached = 9"):
        experts.limited_crossing_time(at)


def test_published_sum_of_one_layer():
    v = {n: fact(f"deepseek_exchange.{n}") for n in
         ("experts_per_token", "hidden_size")}  # fmt: skip
    layer = experts.exchange_time(
        v, batch=32, chips=1, expert_layers=1, dispatch_bytes=1,
        combine_bytes=2, scaleup_bandwidth=50e9)  # fmt: skip
    assert layer == pytest.approx(fact("deepseek_exchange.layer_time"))


def test_published_count_of_experts_at_the_same_cost():
    free = experts.forwarded_experts(
        domains_reached=4, scaleup_bandwidth=160e9, scaleout_bandwidth=50e9
    )
    assert free == pytest.approx(
        fact("deepseek_routing.most_experts"), rel=0.02
    )


def test_deepseek_s_step_is_longer_than_each_of_its_clocks(case):
    h800 = system("hgx_h800")
    speed = fact("deepseek_decode.user_speed")
    each = fact("deepseek_decode.node_output_rate") / 8 / speed
    node = case.model.on(h800, kv="bf16", context=4989, chips=144)
    at = node.values | {"batch": 144 * each, "racks": 18}
    fastest = 1 / speed.range[1]
    far = experts.crossing_time(at)
    assert far == pytest.approx(16.6e-3, rel=5e-3)
    for clock in (decode.compute_time(at), decode.kv_time(at), far):
        assert clock < fastest


def test_overlap_hides_messages_behind_slow_memory(case):
    """By hand, in ms: 3.29 of arithmetic, 6.36 + 9.22 of reads, 16.6."""
    m = case.model
    node = m.on(system("hgx_h800"), kv="bf16", context=4989, chips=144)
    held = m.unrouted_parameters + 2 * m.expert_layers * m.expert_parameters
    at = node.values | {"batch": 144 * 14800 / 8 / 21, "racks": 18,
                        "held_parameters": held}  # fmt: skip
    weights, kv = experts.held_weight_time(at), decode.kv_time(at)
    assert weights * 1e3 == pytest.approx(6.36, abs=5e-3)
    assert kv * 1e3 == pytest.approx(9.22, abs=5e-3)
    waits = experts.turned_step_time(at)
    assert waits == pytest.approx(weights + kv + experts.crossing_time(at))
    hides = experts.overlapped_step_time(at)
    assert hides == pytest.approx(2 * weights + kv)
    assert hides < waits < 1 / fact("deepseek_decode.user_speed").range[1]


def test_half_of_all_copies_stay_in_one_of_two_racks(case):
    fast = case.but(kv="bf16", context=4989.0, chips=144)
    at = fast.values | {"batch": 12_686, "racks": 2}
    assert experts.crossing_time(at) * 1e3 == pytest.approx(8.79, abs=0.01)


# Drawn routing


def test_copies_are_counted_once_each():
    one = routing.Routing(16, 64, 8, 200, skew=0.7, racks=2)
    assert one.copies.sum() == 200 * 8
    for row in one.choices:
        assert len(set(row.tolist())) == 8
    home = np.bincount(one.homes, minlength=16)
    assert (one.copies.sum(axis=1) == 8 * home).all()


def test_drawing_agrees_with_expectation():
    one = routing.Routing(64, 256, 8, 5632)
    formula = experts.chips_reached(chips=64, experts_per_token=8)
    exact = 64 * (1 - np.prod([(252 - i) / (256 - i) for i in range(8)]))
    assert one.chips_reached == pytest.approx(exact, rel=2e-3)
    assert formula < exact < 1.02 * formula
    assert one.share_at_home == pytest.approx(1 / 64, rel=0.1)


def test_distinct_experts_of_a_drawn_batch():
    hit = [
        routing.Routing(64, 256, 8, 32, seed=i).experts_hit for i in range(80)
    ]
    assert np.mean(hit) == pytest.approx(163.31, rel=0.01)
    skewed = [
        routing.Routing(64, 256, 8, 32, skew=0.7, seed=i).experts_hit
        for i in range(80)
    ]
    assert np.mean(skewed) < np.mean(hit)


def test_skew_loads_the_busiest_chip():
    loads = [
        routing.Routing(64, 256, 8, 5632, skew=s).busiest
        for s in (0, 0.3, 0.5, 0.7)
    ]
    assert loads == sorted(loads) and loads[0] < 1.1 and loads[-1] > 2


def test_blocks_must_be_equal():
    with pytest.raises(
        ValueError, match="256 experts on 72 chips in 1 rack are"
    ):
        routing.Routing(72, 256, 8, 1)
    with pytest.raises(ValueError, match="cannot choose 9 of 8"):
        routing.Routing(8, 8, 9, 1)


def test_the_same_seed_draws_the_same_tables():
    one, two = routing.steps("skewed", 8, 2), routing.steps("skewed", 8, 2)
    assert [g.cells for g in one] == [g.cells for g in two]
    assert all(g.says.endswith(".") for g in one)
