"""What chapter 12 prints, against figures worked out by hand."""

import pytest
import sympy
from roofline import Model, context_wall, cost, decode, kv_cache, model, system
from roofline import symbols as s

LLAMA_7B = {
    "model_type": "llama",
    "hidden_size": 4096,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "intermediate_size": 11008,
    "vocab_size": 32000,
}


@pytest.fixture(scope="module")
def llama():
    return model("llama_3_1_70b").on(
        system("hgx_h100"), weights="bf16", kv="bf16"
    )


def test_attention_does_so_many_flop_on_a_byte(case, llama):
    """Absorbed MLA at bf16: 241.8 FLOP/B; eight query heads a group: 8."""
    bf16 = case.but(weights="bf16", kv="bf16")
    found = kv_cache.attention_intensity(bf16)
    assert found == pytest.approx(128 * (2 * 576 + 2 * 512) / 1152)
    assert found == pytest.approx(241.8, abs=0.05)
    assert kv_cache.attention_intensity(llama) == 8


def test_prefill_of_llama_7b():
    """3,000 tokens: 3.886e13 FLOP linear, 2.359e12 attention, n^2/2."""
    small = Model.from_config(LLAMA_7B)
    head = 32000 * 4096
    at = {
        "context": 3000,
        "active_parameters": small.counted_active_parameters - head,
        "prompt_multiply_adds": small.attention_multiply_adds(3000),
    }
    assert context_wall.prefill_weight_flop(at) == pytest.approx(
        3.886e13, rel=2e-4
    )
    assert context_wall.prefill_attention_flop(at) == pytest.approx(
        2.359e12, rel=2e-4
    )


def test_contexts_of_equal_work(case, llama):
    """The lecture's check: about 53 k, 15 k, and 4 k absorbed."""
    work = context_wall.equal_work_context
    assert work(llama) == pytest.approx(53_406, abs=1)
    assert work(case) == pytest.approx(4_355, abs=1)
    unfolded = float(context_wall.expanded_multiply_adds(case))
    assert unfolded == 61 * 128 * 320 == case.values["prompt_multiply_adds"]
    assert work(case, attention_multiply_adds=unfolded) == pytest.approx(
        14_809, abs=1
    )


def test_a_model_without_a_latent_reads_prompts_as_it_decodes(llama):
    v = llama.values
    assert v["prompt_multiply_adds"] == v["attention_multiply_adds"]


def test_ratio_of_the_walls(case, llama):
    assert context_wall.wall_ratio(llama) == pytest.approx(36.9, abs=0.05)
    for d in (case, llama):
        ratio = context_wall.equal_work_context(d).over(
            kv_cache.balance_context(d)
        )
        assert context_wall.wall_ratio(d) == pytest.approx(ratio)


def test_ratio_is_alpha_over_the_multiply_adds_of_a_byte():
    ratio = (
        context_wall.equal_work_context.right / kv_cache.balance_context.right
    )
    alpha = decode.machine_balance.right / s.bytes_per_weight
    each = s.attention_multiply_adds / s.kv_bytes_per_token
    assert sympy.simplify(ratio - alpha / each) == 0


def test_without_context_the_free_chunk_fills_up_the_balance_batch(case):
    bare = {"context": 0, "chunk_context": 0}
    for batch in (1, 1000, 5000):
        free = context_wall.free_chunk(case, batch=batch, **bare)
        balance = decode.balance_batch(case)
        assert free + batch == pytest.approx(float(balance))


def test_a_compute_bound_batch_carries_no_prompt(case):
    with pytest.raises(ValueError, match="spare_time|free_chunk"):
        context_wall.free_chunk(case, batch=9000, context=0, chunk_context=0)


def test_the_best_block_is_the_best_of_all():
    at = {"context": 1e6, "chosen_blocks": 16}
    read = {
        z: context_wall.block_entries(at, block_size=z) for z in range(1, 2000)
    }
    best = min(read, key=read.get)
    assert context_wall.best_block(at) == best == 250
    assert context_wall.least_entries(at) == read[best] == 8000


def test_sparse_attention_ends_as_a_factor():
    v32 = model("deepseek_v3_2").on(system("gb200_nvl72"), context=1e9)
    read = kv_cache.sequence_kv_bytes(v32).over(
        kv_cache.sparse_read_bytes(v32)
    )
    assert read == pytest.approx((576 + 128) / 128, rel=1e-3)
    work = context_wall.attention_flop(v32) / context_wall.sparse_flop(v32)
    assert work == pytest.approx(128 * 1088 / (64 * 128), rel=1e-3)


@pytest.mark.parametrize(
    ("context", "seats", "dollars", "read"),
    [(1e6, 362, 2.57, 7.15), (1e8, 3.62, 257, 69_426)],
)
def test_the_bill(case, context, seats, dollars, read):
    at = {"context": context}
    held = kv_cache.capacity_batch(case, **at)
    assert held == pytest.approx(seats, rel=2e-3)
    token = context_wall.full_rack_cost(case, **at)
    assert token * 1e6 == pytest.approx(dollars, rel=2e-3)
    assert token == pytest.approx(
        float(cost.memory_cost(case, batch=held, **at))
    )
    assert context_wall.prefill_time(case, **at) == pytest.approx(
        read, rel=2e-3
    )
    rent = context_wall.seat_rent(case, **at) * 3600
    assert rent == pytest.approx(72 * 2 / seats, rel=2e-3)


def test_operations_left_of_v3_2_are_what_the_authors_print():
    """The abstract says 27 % at a million tokens; the shapes give 26.4 %."""
    v4 = model("deepseek_v4_pro").facts
    v32 = model("deepseek_v3_2").on(system("gb200_nvl72"))
    assert v4["compressed_multiply_adds"] == 30 * 64 * 128 / 4 + 31 * (
        128 * 1024 / 128
    )
    assert v4["chosen_multiply_adds"] == 30 * 128 * 1024 / 4
    flop = 2 * (49e9 + 93184 * 1e6 + 983040 * 4096)
    at = {
        n: v4[n]
        for n in (
            "compressed_multiply_adds",
            "chosen_multiply_adds",
            "chosen_tokens",
        )
    }
    found = context_wall.compressed_flop(at, context=1e6) + 2 * 49e9
    assert found == pytest.approx(flop)
    old = context_wall.sparse_flop(v32, context=1e6) + 2 * 37e9
    assert found / old == pytest.approx(0.264, abs=5e-4)
    assert found / old == pytest.approx(v4["flop_share_of_v3_2"], abs=0.01)
