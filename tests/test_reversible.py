"""Rounds on bits, floats and symbols; what chapter 14 measures."""

import operator

import numpy as np
import pytest
import sympy
from roofline import feistel, model, reversible
from roofline.feistel import backward, forward


@pytest.mark.parametrize(("key", "block", "cipher"), feistel.VECTORS)
def test_xtea_gives_the_published_vectors(key, block, cipher):
    key, block = feistel.words(key), feistel.words(block)
    made = feistel.encrypt(block, key)
    assert feistel.digits(made) == cipher
    assert (feistel.decrypt(made, key) == block).all()


def test_xtea_is_undone_for_thousands_of_random_keys():
    blocks, keys = feistel.drawn(5000)
    for rounds in (1, 2, 7, 64):
        ends = feistel.encrypt(blocks, keys, rounds)
        assert (feistel.decrypt(ends, keys, rounds) == blocks).all()
    assert (feistel.encrypt(blocks, keys) != blocks).any(axis=0).all()


def test_every_round_is_undone_for_any_function_of_symbols():
    x, y = sympy.symbols("x y")
    functions = [sympy.Function(f"f{i}") for i in range(5)]
    ends = forward(x, y, functions)
    assert [sympy.expand(z) for z in backward(*ends, functions)] == [x, y]


def test_rounds_with_xor_permute_all_blocks():
    """The toy's f forgets, and yet no two blocks end alike."""
    assert len({feistel.TOY[0](x) for x in range(256)}) < 256
    ends = {
        forward(x, y, feistel.TOY, add=operator.xor)
        for x in range(256)
        for y in range(256)
    }
    assert len(ends) == 2**16


def test_the_toy_comes_back_whatever_is_flipped():
    for flipped in feistel.FLIPS:
        grids = feistel.toy_steps(flipped)
        assert len(grids) == 9
        assert grids[0].cells == grids[8].cells


def test_flipped_bits_are_counted():
    blocks, _ = feistel.drawn(50)
    other = blocks ^ blocks[::-1]
    counted = [
        sum((int(a) ^ int(b)).bit_count() for a, b in zip(*pair, strict=True))
        for pair in zip(blocks.T, other.T, strict=True)
    ]
    assert (feistel.flipped_bits(blocks, other) == counted).all()


def test_xtea_spreads_one_flip_to_half_of_the_bits():
    shares = [feistel.cipher_avalanche(r) for r in (0, 4, 8, 16, 64)]
    assert shares[0] == 1 / 64
    assert 0.35 < shares[1] < 0.42
    assert shares[2:] == pytest.approx([0.5] * 3, abs=0.003)
    assert feistel.commonest_difference(1) == 1
    assert feistel.commonest_difference(8) < 1e-3


# Networks


@pytest.fixture(scope="module")
def learned():
    return feistel.trained()


def test_the_network_learns_the_task_beyond_what_it_saw(learned):
    assert feistel.accuracy(learned) == 1
    for kind, share in (("address", 0.5), ("data", 0.25), ("noise", 0)):
        assert feistel.answer_changes(learned.answers, kind) == share
        assert feistel.answer_changes(feistel.multiplexer, kind) == share


def test_a_random_network_cares_for_every_input_alike():
    wild = feistel.Network.random(depth=24, gain=6)
    shares = [feistel.answer_changes(wild.answers, k) for k in feistel.KINDS]
    assert min(shares) > 0.4 and max(shares) < 0.5


def test_noise_fades_in_the_trained_network(learned):
    shares = feistel.sign_avalanche(learned, "noise")
    assert shares[0] == pytest.approx(1 / 24)
    assert (
        shares[-1]
        < 0.04
        < 0.25
        < (feistel.sign_avalanche(learned, "address")[-1])
    )


def test_gradients_without_activations_match_differences():
    network = feistel.Network.random(depth=3)
    inputs = feistel.every_input()[::64]
    targets = feistel.multiplexer(inputs)
    _, slopes, start = feistel.gradients(network, inputs, targets)
    assert np.abs(start[0] - inputs).max() < 1e-12

    for layer in range(3):
        for part in range(2):
            losses = []
            for step in (1e-6, -1e-6):
                layers = [[m.copy() for m in pair] for pair in network.layers]
                layers[layer][part][2, 3] += step
                moved = feistel.Network(tuple(map(tuple, layers)))
                losses.append(feistel.gradients(moved, inputs, targets)[0])
            slope = (losses[0] - losses[1]) / 2e-6
            assert slopes[layer][part][2, 3] == pytest.approx(slope, rel=1e-5)


@pytest.mark.parametrize("name", feistel.FORMATS)
def test_inversion_errors_stay_below_the_bound(name):
    unit = feistel.rounding_unit(name)
    for gain in (0.03, 0.3):
        for depth in (1, 4, 16, 64):
            widest = feistel.Network.random(depth=depth, gain=gain).gain
            lam = reversible.spread(gain=widest)
            error = feistel.inversion_error(name, depth, gain)
            bound = reversible.inversion_bound(
                rounding_unit=unit, spread=lam, rounds=depth
            )
            assert 0 < error < bound


# Memory


def test_activations_of_deepseek_v3():
    """Counted again: what a token leaves behind in one layer."""
    counted = sum(
        (
            2 * 7168 + 2 * 7168,  # two norms, and what they hand on
            1536 + 1536 + 512 + 512 + 64,  # latents before and after norms
            128 * (192 + 192 + 128 + 128),  # query, key, value, result
            9 * 3 * 2048,  # gate, up and product of nine experts
        )
    )
    assert feistel.layer_elements(model("deepseek_v3")) == counted


def test_checkpoints_every_other_layer_are_best(case):
    at = {"layers": 61, "vector_bytes": 14336}
    at["layer_activation_bytes"] = 2 * feistel.layer_elements(
        model("deepseek_v3")
    )
    tried = {
        k: reversible.checkpointed_bytes(at, checkpoint_interval=k)
        for k in range(1, 62)
    }
    best = reversible.best_interval(at)
    assert abs(min(tried, key=tried.get) - best) < 1
    least = reversible.least_checkpointed_bytes(at)
    assert least <= min(tried.values()) < 1.1 * least
    assert reversible.reversible_recompute() == pytest.approx(1 / 3)
