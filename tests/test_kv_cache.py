"""KV bytes, attention's arithmetic, and the batch that fits or balances."""

import numpy as np
import pytest
import sympy
from roofline import Model, decode, equate, fact, kv_cache, model, system
from roofline import symbols as s
from roofline.models import MODELS, LatentAttention
from roofline.symbols import SymbolError

shaped = pytest.mark.parametrize(
    "m", [m for m in MODELS.values() if m.blocks], ids=lambda m: m.name
)


def on_rack(name, **choices):
    return model(name).on(system("gb200_nvl72"), **choices)


# Bytes


def test_latent_bytes(case):
    assert kv_cache.latent_kv_bytes(case.but(kv="bf16")) == 70_272
    assert kv_cache.latent_kv_bytes(case) == 35_136


def test_grouped_bytes_of_qwen_7b():
    shape = {"layers": 28, "kv_heads": 4, "head_dim": 128}
    each = kv_cache.grouped_kv_bytes(shape, bytes_per_element=2)
    assert each == 57_344
    assert 3072 * each / 2**30 == pytest.approx(0.164, abs=5e-4)


@shaped
def test_equations_agree_with_counts_over_layers(m):
    d = m.on(system("gb200_nvl72"), context=5000)
    whole = kv_cache.sequence_kv_bytes(d)
    assert whole == pytest.approx(m.kv_cache_bytes(5000, "fp8"))
    if isinstance(m.attention, LatentAttention):
        index = d.values.get("index_dim", 0) * m.layers
        assert kv_cache.latent_kv_bytes(d) + index == whole / 5000
        work = kv_cache.latent_multiply_adds(d)
    elif "window" in d.values:
        assert kv_cache.windowed_kv_bytes(d) == pytest.approx(whole)
        return
    else:
        assert kv_cache.grouped_kv_bytes(d) == whole / 5000
        work = kv_cache.grouped_multiply_adds(d)
    assert work == d.values["attention_multiply_adds"]


def test_a_window_limits_arithmetic_as_it_limits_bytes():
    m = model("gpt_oss_120b")
    for context in (1, 128, 1000):
        counted = sum(
            2 * 64 * 64
            for block in m.blocks
            for _ in range(block.layers)
            for age in range(context)
            if age < (block.attention.window or context)
        )
        assert m.attention_multiply_adds(context) * context == (
            pytest.approx(counted)
        )


def test_latent_is_as_small_as_the_published_number_of_heads():
    """576 elements are 2.25 heads of two times 128."""
    equal = equate(
        kv_cache.grouped_kv_bytes, kv_cache.latent_kv_bytes
    ).solve_for(s.kv_heads)
    heads = equal(on_rack("deepseek_v3"), head_dim=128)
    assert heads == fact("deepseek_v3.equivalent_kv_heads")


def test_packed_format_counts_scales_and_positions():
    each = 512 * 1 + 512 // 128 * 4 + 64 * 2
    assert each == fact("deepseek_v3.packed_bytes_per_layer") == 656
    assert 61 * each == 40_016


def test_unfolded_heads_would_be_71_times_larger():
    assert 128 * (192 + 128) * 61 * 2 == 4_997_120


def test_sparse_attention_stores_all_and_reads_little():
    d = on_rack("deepseek_v3_2", context=100_000)
    read = kv_cache.sparse_read_bytes(d)
    assert read == 61 * (128 * 100_000 + 576 * 2048)
    assert read < 0.21 * kv_cache.sequence_kv_bytes(d)
    short = d.but(context=1000)
    assert kv_cache.sparse_read_bytes(short) == (
        kv_cache.sequence_kv_bytes(short)
    )


# The board's model


def test_balance_batch_diverges_where_a_token_costs_its_arithmetic(case):
    edge = kv_cache.balance_context
    assert edge(case) == pytest.approx(3370, abs=0.5)
    assert edge(case.but(kv="bf16")) == pytest.approx(1685, abs=0.5)
    gap = decode.loaded_balance_batch.right * (1 - s.context / edge.right)
    assert sympy.simplify(gap - decode.balance_batch.right) == 0
    at_edge = decode.loaded_balance_batch.limit(s.context, edge.right, "-")
    assert at_edge.right == sympy.oo


def test_edge_of_llama_on_h100_is_the_lectures():
    llama = model("llama_3_1_70b").on(
        system("hgx_h100"), weights="bf16", kv="bf16"
    )
    assert kv_cache.balance_context(llama) == pytest.approx(1450, rel=5e-3)


def test_no_batch_is_compute_bound_past_the_edge(case):
    edge = kv_cache.balance_context(case)
    batches = np.geomspace(1, 1e9, 200)
    for context, any_bound in ((0.99 * edge, True), (1.01 * edge, False)):
        at = {"batch": batches, "context": context}
        flop = decode.compute_time(case, batch=batches)
        assert (flop > decode.memory_time(case, **at)).any() == any_bound


def test_doubling_a_balanced_context_halves_the_share_of_peak(case):
    """At a batch so large that the weights weigh nothing."""
    edge = kv_cache.balance_context(case)
    at = case.but(context=float(edge))
    full = kv_cache.compute_share(at, batch=1e12)
    half = kv_cache.compute_share(at.but(context=2 * edge), batch=1e12)
    assert full == pytest.approx(1, rel=1e-6)
    assert half == pytest.approx(0.5, rel=1e-6)


# Attention counted


@pytest.mark.parametrize(
    ("choices", "value"),
    [
        ({}, 14_890),
        ({"kv": "bf16"}, 7_445),
        ({"kv": "fp8", "attention": "fp8"}, 14_890),
    ],
)
def test_attention_moves_the_edge(case, choices, value):
    edge = kv_cache.attended_balance_context(case.but(**choices))
    assert edge == pytest.approx(value, abs=0.5)


def test_attention_in_bf16_over_fp8_cache_removes_the_edge(case):
    at = case.but(attention="bf16")
    with pytest.raises(SymbolError, match="must be above 0 tokens"):
        kv_cache.attended_balance_context(at)
    assert kv_cache.net_kv_bytes(at) < 0
    for context in (1e3, 1e5, 1e7):
        long = {"batch": 1e6, "context": context}
        flop = kv_cache.attended_compute_time(at, **long)
        assert flop > decode.memory_time(at, **long)


def test_solving_the_clocks_again_gives_the_substituted_results():
    batch = equate(
        kv_cache.attended_compute_time, decode.memory_time
    ).solve_for(s.batch)
    context = equate(kv_cache.attended_compute_time, decode.kv_time).solve_for(
        s.context
    )
    for solved, kept in (
        (batch, kv_cache.attended_balance_batch),
        (context, kv_cache.attended_balance_context),
    ):
        assert sympy.simplify(solved.right - kept.expanded) == 0


def test_arithmetic_on_each_byte(case):
    mla = kv_cache.attention_intensity(case.but(kv="bf16"))
    assert mla == pytest.approx(241.8, abs=0.05)
    assert mla == pytest.approx(128 * (2 * 576 + 2 * 512) / 1152)
    gqa = model("llama_3_1_70b").on(
        system("hgx_h100"), weights="bf16", kv="bf16"
    )
    assert kv_cache.attention_intensity(gqa) == 8


def test_intensity_against_the_machine_decides(case):
    """The edge exists where attention does less a byte than the chip."""
    for choices in ({}, {"kv": "bf16"}, {"attention": "bf16"}):
        at = case.but(**choices)
        v = at.values
        machine = v["attention_peak"] / v["hbm_bandwidth"]
        below = kv_cache.attention_intensity(at) < machine
        assert below == (kv_cache.net_kv_bytes(at) > 0)


def test_for_grouped_queries_the_correction_is_small():
    at = on_rack("llama_3_1_70b", weights="bf16", kv="bf16")
    moved = kv_cache.attended_balance_context(at)
    assert 1 < moved / kv_cache.balance_context(at) < 1.03


def test_attention_precision_follows_the_cache_unless_unknown():
    assert on_rack("deepseek_v3").attention_precision == "fp8"
    assert on_rack("deepseek_v3", kv="bf16").attention_precision == "bf16"
    old = model("llama_3_1_70b").on(
        system("hgx_a100"), weights="bf16", kv="fp8"
    )
    assert old.attention_precision == "bf16"


# What fits


def test_capacity_batch_is_what_the_deployment_counts(case):
    assert int(kv_cache.capacity_batch(case)) == case.largest_batch
    small = model("deepseek_v3").on(system("hgx_h100"))
    with pytest.raises(SymbolError, match="capacity_batch must be above"):
        kv_cache.capacity_batch(small)
    assert kv_cache.resident_bytes(
        case, batch=kv_cache.capacity_batch(case)
    ) == pytest.approx(kv_cache.hbm_bytes(case))


def test_a_config_without_index_reads_as_dense():
    m = Model.from_config(
        {
            "model_type": "deepseek_v3",
            "hidden_size": 64,
            "num_hidden_layers": 2,
            "num_attention_heads": 4,
            "kv_lora_rank": 16,
            "qk_rope_head_dim": 8,
            "qk_nope_head_dim": 8,
            "v_head_dim": 8,
            "intermediate_size": 64,
            "vocab_size": 100,
        }
    )
    assert m.attention_kind == "MLA" and m.attention.top_k == 0
    assert m.attention_multiply_adds(10) == 2 * 4 * (2 * 16 + 8)
