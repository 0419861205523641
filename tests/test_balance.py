"""What chapter 03 prints, against figures worked out by hand."""

import pytest
import sympy
from roofline import balance, decode, fact, model, system
from roofline import symbols as s
from roofline.facts import FactError

EXPERT = {"matrix_inputs": 7168, "matrix_outputs": 2048}


def with_activations(case, size, **more):
    return dict(case.values) | EXPERT | {"bytes_per_activation": size} | more


def test_the_balance_batch_is_a_ratio_of_the_chip_and_one_of_the_model():
    by_chip = decode.balance_batch.put(
        {s.peak_compute: decode.machine_balance.solve_for(s.peak_compute)}
    )
    stored = {s.total_parameters: s.sparsity * s.active_parameters}
    assert by_chip.put(stored).right == s.machine_balance * s.sparsity


def test_chips_cancel():
    assert s.chips not in decode.balance_batch.inputs


@pytest.mark.parametrize(
    ("faster", "factor"), [(2, 1), (3, sympy.Rational(3, 2)), (1, 0.5)]
)
def test_precision_cancels_only_where_the_rate_doubles(faster, factor):
    narrow = decode.machine_balance.put(
        {
            s.bytes_per_weight: s.bytes_per_weight / 2,
            s.peak_compute: faster * s.peak_compute,
        }
    )
    ratio = narrow.right / decode.machine_balance.right
    assert float(ratio) == float(factor)


def test_a100_has_no_narrow_floating_point():
    with pytest.raises(FactError, match="has no fp8 arithmetic"):
        model("deepseek_v3").on(system("hgx_a100"), weights="fp8")


def test_sparsity_counted_three_ways(case):
    v = case.values
    alpha = decode.machine_balance(case)
    assert v["total_parameters"] / v["active_parameters"] == (
        pytest.approx(18.14, abs=5e-3)
    )
    assert v["experts"] / v["experts_per_token"] == 32
    assert alpha * 32 == 10_000 and alpha * 256 / 32 == 2500


def test_the_fleet_of_february_2025():
    crowd = (
        fact("deepseek_decode.nodes_per_unit")
        * fact("deepseek_decode.node_output_rate")
        / fact("deepseek_decode.user_speed")
    )
    assert crowd == pytest.approx(12_700, rel=2e-3)
    need = decode.balance_batch(model("deepseek_v3").on(system("hgx_h800")))
    assert need == pytest.approx(295.4 * 671 / 37, rel=1e-3)
    assert 2 < crowd / need < 3


@pytest.mark.parametrize(
    ("size", "own", "whole"), [(1, 388.8, 12_440), (2, 514.3, 16_460)]
)
def test_activations_of_one_expert(case, size, own, whole):
    at = with_activations(case, size)
    assert balance.matrix_balance_batch(at) == pytest.approx(own, abs=0.1)
    assert balance.expert_balance_batch(at) == pytest.approx(whole, abs=10)
    alpha = decode.machine_balance(case)
    share = balance.activation_share(at)
    assert alpha / (1 - share) == pytest.approx(own, abs=0.1)


def test_a_matrix_too_narrow_is_never_balanced(case):
    at = with_activations(case, 1, matrix_outputs=320)
    assert balance.activation_share(at) > 1
    with pytest.raises(ValueError, match="matrix_balance_batch must be above"):
        balance.matrix_balance_batch(at)


def test_large_matrices_need_no_correction(case):
    at = with_activations(case, 1, matrix_inputs=16_384, matrix_outputs=53_248)
    alone = decode.machine_balance(case)
    assert balance.matrix_balance_batch(at) / alone < 1.03
