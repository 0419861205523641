"""Shapes against published totals, and figures others got wrong."""

import json

import pytest
from roofline import Model, model, system
from roofline.deployment import CapacityError
from roofline.facts import FactError
from roofline.models import MODELS, Experts, GroupedAttention, ModelError
from roofline.symbols import SymbolError

shaped = pytest.mark.parametrize(
    "m", [m for m in MODELS.values() if m.blocks], ids=lambda m: m.name
)

# Published totals are rounded; "1T" for Kimi K2 is the roughest.
ROUNDED = {"kimi_k2": 0.03}

LLAMA_7B = {
    "model_type": "llama",
    "hidden_size": 4096,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 32,
    "intermediate_size": 11008,
    "hidden_act": "silu",
    "vocab_size": 32000,
}
QWEN_7B = {
    "model_type": "qwen2",
    "hidden_size": 3584,
    "num_hidden_layers": 28,
    "num_attention_heads": 28,
    "num_key_value_heads": 4,
    "intermediate_size": 18944,
    "hidden_act": "silu",
    "vocab_size": 152064,
}


@shaped
def test_sums_over_shapes_meet_the_published_totals(m):
    near = ROUNDED.get(m.name, 0.01)
    ratio = m.counted_total_parameters / m.total_parameters
    assert abs(ratio - 1) < near


@shaped
def test_active_parameters_meet_the_published_figure(m):
    """Published figures are rounded to a billion, some with embeddings."""
    off = abs(m.counted_active_parameters - m.active_parameters)
    assert off <= max(1e9, 0.03 * m.active_parameters)


@shaped
def test_active_is_never_more_than_total(m):
    assert m.counted_active_parameters <= m.counted_total_parameters


def test_deepseek_v3_parameters():
    m = model("deepseek_v3")
    assert m.counted_total_parameters / 1e9 == pytest.approx(671.03, abs=0.005)
    assert m.counted_active_parameters / 1e9 == pytest.approx(36.62, abs=0.005)
    with_embedding = m.counted_active_parameters + m.vocabulary * m.hidden
    assert with_embedding / 1e9 == pytest.approx(37.55, abs=0.005)
    assert m.expert_parameters == 44_040_192
    assert m.unrouted_parameters / 1e9 == pytest.approx(16.19, abs=0.005)
    assert (m.expert_layers, m.experts, m.experts_per_token) == (58, 256, 8)


def test_mixtral_and_llama_parameters():
    m = model("mixtral_8x7b")
    assert m.counted_total_parameters / 1e9 == pytest.approx(46.70, abs=0.005)
    assert m.counted_active_parameters / 1e9 == pytest.approx(12.75, abs=0.005)
    with_embedding = m.counted_active_parameters + m.vocabulary * m.hidden
    assert with_embedding / 1e9 == pytest.approx(12.88, abs=0.005)
    llama = Model.from_config(LLAMA_7B)
    assert llama.counted_total_parameters == 6_738_415_616


def test_kv_bytes_of_latent_attention():
    """(512 + 64) elements a layer, 61 layers: never the expanded heads."""
    m = model("deepseek_v3")
    assert m.kv_bytes_per_token(1000, "bf16") == 70_272
    assert m.kv_bytes_per_token(1000, "fp8") == 35_136
    assert m.kv_cache_bytes(1000, "bf16", tensor_parallel=8) == 70_272_000
    published = m.kv_bytes_per_token_published
    assert m.kv_bytes_per_token(1000, "bf16") == pytest.approx(published)


def test_kv_bytes_of_grouped_queries():
    m = Model.from_config(QWEN_7B)
    assert m.kv_bytes_per_token(1000, "bf16") == 57_344
    assert m.kv_cache_bytes(3072) / 2**30 == pytest.approx(0.164, abs=5e-4)
    m = Model.from_config(QWEN_7B | {"head_dim": 64})
    assert m.kv_bytes_per_token(1000, "bf16") == 28_672
    published = model("llama_3_1_405b").kv_bytes_per_token_published
    assert model("llama_3_1_405b").kv_bytes_per_token(10) == published


def test_kv_bytes_under_tensor_parallelism():
    """Heads are spread, then repeated; they are never split."""
    m = model("llama_3_1_70b")
    one = m.kv_bytes_per_token(1000, "bf16")
    assert m.kv_bytes_per_token(1000, "bf16", tensor_parallel=8) == 40_960
    assert m.kv_bytes_per_token(1000, "bf16", tensor_parallel=16) == 40_960
    assert m.kv_bytes_per_token(1000, "bf16", tensor_parallel=2) == one / 2
    for ways in (3, 12):
        with pytest.raises(ModelError, match="neither divides the other"):
            m.kv_cache_bytes(1000, tensor_parallel=ways)
    with pytest.raises(ModelError, match="tensor_parallel must be"):
        m.kv_cache_bytes(1000, tensor_parallel=0)


def test_sliding_windows_stop_growing():
    """Counted a layer and a token at a time."""
    m = model("gpt_oss_120b")
    for context in (1, 128, 1000):
        counted = 0
        for block in m.blocks:
            for _layer in range(block.layers):
                for age in range(context):
                    window = block.attention.window or context
                    if age < window:
                        counted += 2 * 8 * 64 * 2
        assert m.kv_cache_bytes(context) == counted


@shaped
def test_kv_bytes_are_counted_from_shapes(m):
    whole = sum(b.layers * b.attention.cached() for b in m.blocks)
    windowed = any(b.attention.window for b in m.blocks)
    if not windowed:
        assert m.kv_bytes_per_token(5000, "bf16") == 2 * whole
    assert m.kv_cache_bytes(0) == 0


def test_a_model_known_by_totals_only_says_so():
    m = model("deepseek_v4_pro")
    assert m.kv_bytes_per_token(1e6, "bf16") == m.facts["kv_bytes_per_token"]
    with pytest.raises(ModelError, match="no layer shapes"):
        m.counted_total_parameters  # noqa: B018
    assert m.on(system("gb200_nvl72")).fits()


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"vocab_size": None}, "no vocab_size"),
        ({"num_attention_heads": 33}, "no head_dim and 33 heads"),
        ({"num_key_value_heads": 5}, "do not divide"),
        ({"num_attention_heads": 0}, "must be a whole number"),
    ],
)
def test_configs_that_cannot_be_read_say_why(change, complaint):
    with pytest.raises(ModelError, match=complaint):
        Model.from_config(LLAMA_7B | change)


def test_config_from_a_file(tmp_path):
    path = tmp_path / "config.json"
    path.write_text(json.dumps(LLAMA_7B))
    assert Model.from_config(path).counted_total_parameters == 6_738_415_616


def test_shapes_that_cannot_be_are_refused():
    with pytest.raises(ModelError, match="9 of 8 experts"):
        Experts(experts=8, per_token=9, width=1)
    with pytest.raises(ModelError, match="do not divide"):
        GroupedAttention(heads=8, kv_heads=3, head_dim=128)
    with pytest.raises(ModelError, match="context must be at least 0"):
        model("deepseek_v3").kv_cache_bytes(-1)


# Deployments


def test_unknown_names_suggest_near_ones():
    with pytest.raises(FactError, match='did you mean "deepseek_v3'):
        model("deepseek_v")
    with pytest.raises(FactError, match='did you mean "gb200_nvl72"'):
        system("gb200_nvl")
    with pytest.raises(FactError, match='did you mean "fp8"'):
        model("deepseek_v3").on(system("gb200_nvl72"), weights="fp88")
    with pytest.raises(TypeError, match='did you mean "weights"'):
        model("deepseek_v3").on(system("gb200_nvl72")).but(weight="fp8")
    with pytest.raises(AttributeError, match="hbm_bandwidth"):
        system("gb200_nvl72").hbm_bandwith  # noqa: B018


def test_a_chip_without_a_precision_refuses_it():
    with pytest.raises(FactError, match="A100.* no fp8 .*bf16"):
        model("llama_3_1_70b").on(system("hgx_a100"))
    stored = model("llama_3_1_70b").on(
        system("hgx_a100"), weights="fp8", compute="bf16"
    )
    assert stored.values["peak_compute"] == 312e12
    assert stored.values["bytes_per_weight"] == 1


def test_choices_out_of_range_are_refused():
    on = model("deepseek_v3").on
    with pytest.raises(SymbolError, match="context must be"):
        on(system("gb200_nvl72"), context=-1)
    with pytest.raises(SymbolError, match="chips must be"):
        on(system("gb200_nvl72"), chips=0)


def test_what_does_not_fit_reports_and_refuses_capacity():
    small = model("deepseek_v3").on(system("hgx_h100"))
    assert not small.fits()
    assert small.shortfall() == 671e9 - 8 * 80e9
    with pytest.raises(CapacityError, match="do not fit"):
        small.largest_batch  # noqa: B018


def test_the_largest_batch_fits_and_one_more_does_not(case):
    most = case.largest_batch
    assert case.fits(most) and not case.fits(most + 1)


def test_the_reference_case(case):
    v = case.values
    assert (v["context"], v["chips"], v["bytes_per_weight"]) == (1000, 72, 1)
    assert v["chip_hour_price"] == pytest.approx(2 / 3600)
    assert v["total_parameters"] == 671e9
    assert v["active_parameters"] == 37e9
