"""Figures that books of this kind got wrong, each with the right value."""

import pytest
from roofline import decode, model, system
from roofline.systems import PRECISIONS


def alpha(name, weights):
    m = model("llama_3_1_70b")
    return decode.machine_balance(m.on(system(name), weights=weights))


@pytest.mark.parametrize(
    ("inputs", "value"),
    [
        ((8, 2, 3), 4.625),
        ((256, 8, 1), 8),
        ((256, 8, 8), 57.42),
        ((256, 8, 32), 163.31),
        ((256, 8, 128), 251.60),
    ],
)
def test_distinct_experts(inputs, value):
    experts, each, batch = inputs
    hit = decode.distinct_experts(
        experts=experts, experts_per_token=each, batch=batch
    )
    assert hit == pytest.approx(value, abs=0.005)
    assert each <= hit <= min(batch * each, experts)


@pytest.mark.parametrize(
    ("batch", "gigabytes"), [(1, 36.62), (32, 433.3), (128, 658.9)]
)
def test_weight_bytes_of_one_step_with_experts_as_hit(case, batch, gigabytes):
    moved = decode.hit_parameters(case, batch=batch)
    assert moved / 1e9 == pytest.approx(gigabytes, rel=2e-4)


def test_a_single_sequence_hits_the_active_parameters(case):
    counted = case.model.counted_active_parameters
    assert decode.hit_parameters(case, batch=1) == pytest.approx(counted)


@pytest.mark.parametrize(
    ("name", "weights", "value"),
    [
        ("hgx_h100", "bf16", 295.2),
        ("hgx_h100", "fp8", 295.4),
        ("gb200_nvl72", "bf16", 312.5),
        ("gb200_nvl72", "fp8", 312.5),
        ("gb200_nvl72", "fp4", 312.5),
        ("hgx_b200", "fp8", 281.25),
        ("gb300_nvl72", "fp8", 312.5),
        ("gb300_nvl72", "fp4", 468.75),
        ("vera_rubin_nvl72", "bf16", 182),
        ("vera_rubin_nvl72", "fp8", 398),
        ("vera_rubin_nvl72", "fp4", 398),
        ("gb200_nvl72", "nvfp4", 351.6),
        ("gb200_nvl72", "mxfp4", 332.0),
        ("hgx_a100", "bf16", 153),
        ("hgx_h200", "bf16", 206),
    ],
)
def test_machine_balance(name, weights, value):
    assert alpha(name, weights) == pytest.approx(value, rel=2e-3)


def test_formats_include_their_scales():
    sizes = {name: float(p.bytes) for name, p in PRECISIONS.items()}
    assert sizes == {
        "bf16": 2.0,
        "fp8": 1.0,
        "fp4": 0.5,
        "mxfp4": 0.53125,
        "nvfp4": 0.5625,
    }


def test_balance_batch(case):
    assert decode.balance_batch(case) == pytest.approx(5667, abs=0.5)
    assert decode.loaded_balance_batch(case) == pytest.approx(8059, abs=0.5)
    edge = 37e9 / (312.5 * 35136)
    assert edge == pytest.approx(3370, abs=0.5)
    decode.loaded_balance_batch(case, context=0.999 * edge)
    with pytest.raises(ValueError):
        decode.loaded_balance_batch(case, context=1.001 * edge)


def test_latency_floor(case):
    assert decode.latency_floor(case) == pytest.approx(1.165e-3, rel=1e-3)
    alone = decode.hit_weight_time(case, batch=1)
    assert alone == pytest.approx(63.6e-6, rel=1e-3)


@pytest.mark.parametrize(
    ("name", "milliseconds"),
    [
        ("gb200_nvl72", 23.25),
        ("hgx_h100", 23.9),
        ("vera_rubin_nvl72", 13.1),
        ("hgx_b200", 22.5),
    ],
)
def test_drain_time(name, milliseconds):
    s = system(name)
    drained = decode.drain_time(
        hbm_capacity=s.hbm_capacity, hbm_bandwidth=s.hbm_bandwidth
    )
    assert drained * 1e3 == pytest.approx(milliseconds, rel=3e-3)


def test_dense_peaks_are_half_the_sparse_ones_in_print():
    """1,440 PFLOP/s of fp4 in vendors' tables are sparse; dense is half."""
    gb200 = system("gb200_nvl72")
    assert gb200.chips * gb200.dense_fp4_compute == 720e15
    assert gb200.chips * gb200.dense_fp8_compute == 360e15
