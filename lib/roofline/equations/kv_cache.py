"""What does a token of context cost?  Bytes to keep, read, and multiply."""

from dataclasses import replace

import sympy
from sympy import Min

from roofline import symbols as s
from roofline.equation import Equation, equate
from roofline.equations.decode import (
    compute_time,
    kv_time,
    loaded_balance_batch,
    pass_time,
)

# What is kept

grouped_kv_bytes = Equation(
    left=s.grouped_kv_bytes,
    right=2 * s.bytes_per_element * s.layers * s.kv_heads * s.head_dim,
    says="Each layer keeps one key and one value for each of its KV heads.",
    assumes=(
        "Every layer keeps every token; key and value have the same length, "
        "and scales of a narrow format are left out."
    ),
    source="pope2026lecture",
    rises=(s.kv_heads, s.layers, s.head_dim, s.bytes_per_element),
)

latent_kv_bytes = Equation(
    left=s.latent_kv_bytes,
    right=s.bytes_per_element * s.layers * (s.kv_rank + s.rope_dim),
    says="MLA keeps one latent a layer, whatever the number of heads.",
    assumes=(
        "Keys and values are never unfolded in memory; scales of a narrow "
        "format are left out."
    ),
    source="deepseek2024v3",
    rises=(s.kv_rank, s.rope_dim, s.layers, s.bytes_per_element),
)

sequence_kv_bytes = Equation(
    left=s.sequence_kv_bytes,
    right=s.context * s.kv_bytes_per_token,
    says="A sequence keeps every token of its context.",
    assumes="Every layer keeps every token.",
    rises=(s.context, s.kv_bytes_per_token),
    limits=((s.context, 0, sympy.Integer(0)),),
)

windowed_kv_bytes = Equation(
    left=s.windowed_kv_bytes,
    right=2
    * s.bytes_per_element
    * s.kv_heads
    * s.head_dim
    * (
        (s.layers - s.windowed_layers) * s.context
        + s.windowed_layers * Min(s.context, s.window)
    ),
    says="A layer with a window stops growing when the window is full.",
    assumes="Tokens that have left the window are freed at once.",
    requires=(sympy.Le(s.windowed_layers, s.layers),),
    rises=(s.context, s.window, s.kv_heads),
    falls=(s.windowed_layers,),
)

sparse_read_bytes = Equation(
    left=s.sparse_read_bytes,
    right=s.bytes_per_element
    * s.layers
    * (
        s.index_dim * s.context
        + (s.kv_rank + s.rope_dim) * Min(s.context, s.top_k)
    ),
    says="A pass reads every small index key, and few latents in full.",
    assumes=(
        "Latents and index keys have elements of the same size; choosing the "
        "tokens takes no time. Everything stays stored."
    ),
    source="deepseek2025sparse",
    rises=(s.context, s.top_k, s.index_dim),
)

# Past which context does no batch balance?

balance_context = (
    equate(compute_time, kv_time)
    .solve_for(s.context)
    .named(
        s.balance_context,
        says="There a token's KV reads take as long as its multiply-adds.",
        assumes=(
            "The batch is so large that the weights are shared by many; "
            "attention's own arithmetic is left out."
        ),
        rises=(s.active_parameters, s.hbm_bandwidth),
        falls=(s.kv_bytes_per_token, s.peak_compute),
    )
)

compute_share = Equation(
    left=s.compute_share,
    right=s.compute_time / s.pass_time,
    says="The multipliers are busy while they are the slower clock.",
    assumes=(
        "Perfect overlap; attention's own arithmetic does not count as "
        "useful work."
    ),
    given=(compute_time, pass_time),
    rises=(s.batch, s.active_parameters),
    falls=(s.context, s.kv_bytes_per_token),
)

# Attention's own arithmetic

grouped_multiply_adds = Equation(
    left=s.grouped_multiply_adds,
    right=2 * s.layers * s.query_heads * s.head_dim,
    says="Each query head meets the key once, then the value once.",
    assumes="Dense attention; the softmax between the two is left out.",
    rises=(s.layers, s.query_heads, s.head_dim),
)

latent_multiply_adds = Equation(
    left=s.latent_multiply_adds,
    right=s.layers * s.query_heads * (2 * s.kv_rank + s.rope_dim),
    says=(
        "Each query head meets the latent and the position once, and the "
        "latent once more as the value."
    ),
    assumes=(
        "Absorbed form: queries are carried into the latent space, so keys "
        "are never unfolded; dense attention, without the softmax."
    ),
    source="deepseek2024v3",
    rises=(s.layers, s.query_heads, s.kv_rank),
)

attention_intensity = Equation(
    left=s.attention_intensity,
    right=s.flop_per_multiply_add
    * s.attention_multiply_adds
    / s.kv_bytes_per_token,
    says="Neither batch nor context changes it: both sides grow alike.",
    assumes="Each sequence reads its own cache once in a pass.",
    rises=(s.attention_multiply_adds,),
    falls=(s.kv_bytes_per_token,),
)

attention_time = Equation(
    left=s.attention_time,
    right=s.flop_per_multiply_add
    * s.batch
    * s.context
    * s.attention_multiply_adds
    / (s.chips * s.attention_peak),
    says="Attention multiplies with every token of every context.",
    assumes=(
        "Dense attention at the dense peak of its own precision; every "
        "sequence has the same context."
    ),
    rises=(s.batch, s.context, s.attention_multiply_adds),
    falls=(s.chips, s.attention_peak),
    limits=((s.context, 0, sympy.Integer(0)),),
)

attended_compute_time = Equation(
    left=s.attended_compute_time,
    right=s.compute_time + s.attention_time,
    says="The same multipliers do both, one after the other.",
    assumes="Softmax, norms and the choice of experts take no time.",
    given=(compute_time, attention_time),
    rises=(s.batch, s.context),
    falls=(s.chips, s.peak_compute, s.attention_peak),
    limits=((s.context, 0, s.compute_time),),
)

net_kv_bytes = Equation(
    left=s.net_kv_bytes,
    right=s.kv_bytes_per_token
    - s.flop_per_multiply_add
    * s.attention_multiply_adds
    * s.hbm_bandwidth
    / s.attention_peak,
    says="What a context token costs in reading beyond its own arithmetic.",
    assumes="Reading and multiplying overlap perfectly.",
    rises=(s.kv_bytes_per_token, s.attention_peak),
    falls=(s.attention_multiply_adds, s.hbm_bandwidth),
    limits=((s.attention_peak, sympy.oo, s.kv_bytes_per_token),),
)

# Counting attention's arithmetic puts k' where k stood, and changes nothing
# else: the chapter and a test solve the clocks again to see it.
_COUNTED = {s.kv_bytes_per_token: s.net_kv_bytes}


def _counted(equation, left, says, **more):
    """The equation with k' in place of k, under a symbol of its own."""
    moved = replace(
        equation,
        right=equation.right.xreplace(_COUNTED),
        given=(net_kv_bytes,),
        limits=(),
    )
    assumes = "Dense attention; perfect overlap; all weights are read."
    return moved.named(left, says, assumes, **more)


attended_balance_context = _counted(
    balance_context,
    s.attended_balance_context,
    says="Attention's arithmetic moves that context out, or removes it.",
    rises=(s.attention_multiply_adds, s.active_parameters),
    falls=(s.kv_bytes_per_token, s.peak_compute),
)

attended_balance_batch = _counted(
    loaded_balance_batch,
    s.attended_balance_batch,
    says="With attention's arithmetic counted the batch grows more slowly.",
    rises=(s.kv_bytes_per_token, s.total_parameters),
    falls=(s.attention_multiply_adds, s.active_parameters),
)

# What fits

hbm_bytes = Equation(
    left=s.hbm_bytes,
    right=s.chips * s.hbm_capacity,
    says="The chips pool their memory.",
    assumes="All of HBM is free for weights and caches.",
    rises=(s.chips, s.hbm_capacity),
)

resident_bytes = Equation(
    left=s.resident_bytes,
    right=s.bytes_per_weight * s.total_parameters
    + s.batch * s.context * s.kv_bytes_per_token,
    says="Weights are kept once, a cache for each sequence.",
    assumes=(
        "Weights are stored once over all chips; activations and buffers "
        "are left out."
    ),
    rises=(s.batch, s.context, s.bytes_per_weight),
)

capacity_batch = (
    equate(hbm_bytes, resident_bytes)
    .solve_for(s.batch)
    .named(
        s.capacity_batch,
        says="What the weights leave free, divided by one cache.",
        rises=(s.chips, s.hbm_capacity),
        falls=(s.context, s.kv_bytes_per_token, s.total_parameters),
    )
)
