"""Why is nobody serving 100 million tokens?  What grows with the context."""

import sympy
from sympy import Max, Min, Rational

from roofline import symbols as s
from roofline.equation import Equation, equate
from roofline.equations.decode import drain_time, memory_time
from roofline.equations.kv_cache import (
    attended_compute_time,
    attention_intensity,
    balance_context,
    capacity_batch,
    sparse_read_bytes,
)

# How much a token multiplies

expanded_multiply_adds = Equation(
    left=s.expanded_multiply_adds,
    right=s.layers * s.query_heads * (s.nope_dim + s.rope_dim + s.value_dim),
    says="With keys unfolded a head meets a key once and a value once.",
    assumes=(
        "Unfolding the keys and values is shared by many queries and left "
        "out; dense attention, without the softmax."
    ),
    source="deepseek2024v3",
    rises=(s.layers, s.query_heads, s.value_dim),
)

weight_flop = Equation(
    left=s.weight_flop,
    right=s.flop_per_multiply_add * s.active_parameters,
    says="A token meets every active parameter once, whatever came before.",
    assumes="Attention's own arithmetic is counted apart.",
    source="pope2026lecture",
    rises=(s.active_parameters,),
)

attention_flop = Equation(
    left=s.attention_flop,
    right=s.flop_per_multiply_add * s.attention_multiply_adds * s.context,
    says="A token looks back at every token before it.",
    assumes="Dense attention, without the softmax.",
    rises=(s.context, s.attention_multiply_adds),
    limits=((s.context, 0, sympy.Integer(0)),),
)

token_flop = Equation(
    left=s.token_flop,
    right=s.weight_flop + s.attention_flop,
    says="A flat part, and a part that grows with all that came before.",
    assumes="Dense attention; norms and the choice of experts are left out.",
    given=(weight_flop, attention_flop),
    rises=(s.context, s.active_parameters),
    limits=((s.context, 0, s.weight_flop),),
)

equal_work_context = (
    equate(weight_flop, attention_flop)
    .solve_for(s.context)
    .named(
        s.equal_work_context,
        says="There attention has become half of the arithmetic.",
        assumes="Dense attention.",
        rises=(s.active_parameters,),
        falls=(s.attention_multiply_adds,),
    )
)

chip_intensity = Equation(
    left=s.chip_intensity,
    right=s.peak_compute / s.hbm_bandwidth,
    says="What the chip could do on each byte that it reads.",
    assumes="Dense peak; full bandwidth.",
    rises=(s.peak_compute,),
    falls=(s.hbm_bandwidth,),
)


def _wall_ratio():
    """One context over the other, in the two intensities."""
    ratio = equal_work_context.right / balance_context.right
    over = chip_intensity.right / attention_intensity.right
    assert sympy.simplify(ratio - over) == 0
    return Equation(
        left=s.wall_ratio,
        right=s.chip_intensity / s.attention_intensity,
        says="Where arithmetic bends lies this much past where memory does.",
        assumes=(
            "The batch is so large that weights are shared by many; "
            "attention multiplies at the peak of the weights."
        ),
        given=(chip_intensity, attention_intensity),
        rises=(s.peak_compute, s.kv_bytes_per_token),
        falls=(s.hbm_bandwidth, s.attention_multiply_adds),
    )


wall_ratio = _wall_ratio()

# Reading a prompt

prefill_weight_flop = Equation(
    left=s.prefill_weight_flop,
    right=s.context * s.weight_flop,
    says="Every token of the prompt meets the weights.",
    assumes="Nothing of the prompt was read before.",
    given=(weight_flop,),
    rises=(s.context, s.active_parameters),
)

prefill_attention_flop = Equation(
    left=s.prefill_attention_flop,
    right=s.flop_per_multiply_add
    * s.prompt_multiply_adds
    * s.context**2
    * Rational(1, 2),
    says="Each token looks back at those before it: half of all pairs.",
    assumes=(
        "Causal: the masked half is never computed, and the half of the "
        "diagonal is left out."
    ),
    rises=(s.context, s.prompt_multiply_adds),
)

prefill_equal_context = (
    equate(prefill_weight_flop, prefill_attention_flop)
    .solve_for(s.context)
    .named(
        s.prefill_equal_context,
        says="Twice the context of equal work: on average half is behind.",
        assumes="Dense causal attention.",
        rises=(s.active_parameters,),
        falls=(s.prompt_multiply_adds,),
    )
)

prefill_time = Equation(
    left=s.prefill_time,
    right=s.prefill_weight_flop / (s.chips * s.peak_compute)
    + s.prefill_attention_flop / (s.chips * s.attention_peak),
    says="A long prompt is nothing but arithmetic, and it grows as a square.",
    assumes=(
        "Long prompts: the weight read is hidden. Every chip works at its "
        "dense peak all the time."
    ),
    given=(prefill_weight_flop, prefill_attention_flop),
    rises=(s.context, s.prompt_multiply_adds),
    falls=(s.chips, s.peak_compute),
)

prefill_cost = Equation(
    left=s.prefill_cost,
    right=s.chips * s.chip_hour_price * s.prefill_time,
    says="All chips are rented while the prompt is read.",
    assumes="As for the time.",
    given=(prefill_time,),
    rises=(s.context, s.chip_hour_price),
    falls=(s.peak_compute,),
)

# A prompt that rides along

spare_time = Equation(
    left=s.spare_time,
    right=s.memory_time - s.attended_compute_time,
    says="While memory is the slower clock, the multipliers wait.",
    assumes="Perfect overlap; all weights are read.",
    given=(memory_time, attended_compute_time),
    rises=(s.kv_bytes_per_token, s.total_parameters),
    falls=(s.active_parameters, s.attention_multiply_adds),
)

chunk_time = Equation(
    left=s.chunk_time,
    right=s.flop_per_multiply_add
    * s.chunk
    * (s.active_parameters + s.prompt_multiply_adds * s.chunk_context)
    / (s.chips * s.peak_compute),
    says="Tokens of a prompt need the arithmetic and bring no weight read.",
    assumes=(
        "The chunk is short beside what was read before; the read of that "
        "part's cache, one for the whole chunk, is left out."
    ),
    rises=(s.chunk, s.chunk_context, s.active_parameters),
    falls=(s.chips, s.peak_compute),
)

free_chunk = (
    equate(spare_time.left, chunk_time)
    .solve_for(s.chunk)
    .named(
        s.free_chunk,
        says="So much of a prompt is read while decode waits for memory.",
        assumes=chunk_time.assumes,
        given=(spare_time,),
        rises=(s.total_parameters,),
        falls=(s.active_parameters, s.chunk_context),
    )
)

# Reading less of the past

summary_entries = Equation(
    left=s.summary_entries,
    right=s.context / s.block_size,
    says="One summary stands for a block, and all are looked at.",
    assumes="A summary is as large as one entry.",
    rises=(s.context,),
    falls=(s.block_size,),
)

chosen_entries = Equation(
    left=s.chosen_entries,
    right=s.chosen_blocks * s.block_size,
    says="The chosen blocks are read in full.",
    assumes="A fixed number of blocks, whatever the context.",
    rises=(s.chosen_blocks, s.block_size),
)

block_entries = Equation(
    left=s.block_entries,
    right=s.summary_entries + s.chosen_entries,
    says="Small blocks need many summaries, large ones much reading.",
    assumes="A summary is as large as one entry; a fixed number is chosen.",
    given=(summary_entries, chosen_entries),
    rises=(s.context, s.chosen_blocks),
)


def _best_block():
    """The block size at which the entries read stop falling."""
    slope = sympy.diff(block_entries.expanded, s.block_size)
    return equate(slope, sympy.Integer(0)).solve_for(
        s.block_size, assumes=block_entries.assumes
    )


best_block = _best_block().named(
    s.best_block,
    says="There as many summaries are read as entries of chosen blocks.",
    rises=(s.context,),
    falls=(s.chosen_blocks,),
)

least_entries = block_entries.put({s.block_size: best_block}).named(
    s.least_entries,
    says="At its best, reading in blocks grows as the root of the context.",
    rises=(s.context, s.chosen_blocks),
)

block_read_bytes = Equation(
    left=s.block_read_bytes,
    right=s.bytes_per_element
    * s.layers
    * (s.kv_rank + s.rope_dim)
    * s.least_entries,
    says="Each entry is a latent with its position, in every layer.",
    assumes=least_entries.assumes,
    given=(least_entries,),
    rises=(s.context, s.chosen_blocks),
)

compressed_kv_bytes = Equation(
    left=s.compressed_kv_bytes,
    right=s.context * s.compressed_bytes_per_token,
    says="One entry for several tokens is a smaller slope, still a slope.",
    assumes="The recent tokens that are kept in full are left out.",
    source="deepseek2026v4",
    rises=(s.context, s.compressed_bytes_per_token),
)

index_multiply_adds = Equation(
    left=s.index_multiply_adds,
    right=s.layers * s.index_heads * s.index_dim,
    says="Each head of the indexer meets the small key of every token.",
    assumes="Sorting the scores is left out.",
    source="deepseek2025sparse",
    rises=(s.layers, s.index_heads, s.index_dim),
)

sparse_flop = Equation(
    left=s.sparse_flop,
    right=s.flop_per_multiply_add
    * (
        s.index_multiply_adds * s.context
        + s.attention_multiply_adds * Min(s.context, s.top_k)
    ),
    says="A cheap look at everything, a full look at a few.",
    assumes="Choosing the tokens takes no time.",
    source="deepseek2025sparse",
    given=(index_multiply_adds,),
    rises=(s.context, s.top_k, s.index_heads),
)

block_flop = Equation(
    left=s.block_flop,
    right=s.flop_per_multiply_add
    * s.attention_multiply_adds
    * s.least_entries,
    says="Every entry that is read is multiplied with, summary or not.",
    assumes=least_entries.assumes,
    given=(least_entries,),
    rises=(s.context, s.attention_multiply_adds),
)

compressed_flop = Equation(
    left=s.compressed_flop,
    right=s.flop_per_multiply_add
    * (
        s.compressed_multiply_adds * s.context
        + s.chosen_multiply_adds * Min(s.context, s.chosen_tokens)
    ),
    says="Fewer entries to look at, and a full look at a few of them.",
    assumes=(
        "The recent tokens that are kept in full are left out, and so is "
        "making the entries; choosing takes no time."
    ),
    source="deepseek2026v4",
    rises=(s.context, s.compressed_multiply_adds, s.chosen_tokens),
)

# What a token costs when the machine is full

seat_rent = Equation(
    left=s.seat_rent,
    right=s.chips * s.chip_hour_price / s.capacity_batch,
    says="However little it does, a long sequence occupies its part.",
    assumes="Caches fill all of HBM that the weights leave free.",
    given=(capacity_batch,),
    rises=(s.chip_hour_price, s.context),
    falls=(s.hbm_capacity,),
)

full_attended_time = Equation(
    left=s.full_attended_time,
    right=attended_compute_time.expanded.xreplace({s.batch: s.capacity_batch}),
    says="All that fits in HBM wants its token, and looks at its context.",
    assumes=attended_compute_time.assumes,
    given=(capacity_batch,),
    rises=(s.active_parameters, s.hbm_capacity),
)


def _full_cost(slower):
    return s.chips * s.chip_hour_price * slower / s.capacity_batch


full_rack_cost = Equation(
    left=s.full_rack_cost,
    right=_full_cost(Max(s.drain_time, s.full_attended_time)),
    says="A full machine reads all of its memory for each token of each.",
    assumes="Caches fill HBM; reading and multiplying overlap perfectly.",
    given=(capacity_batch, drain_time, full_attended_time),
    rises=(s.chip_hour_price, s.context),
    falls=(s.hbm_bandwidth,),
)

sparse_memory_time = Equation(
    left=s.sparse_memory_time,
    right=(
        s.bytes_per_weight * s.total_parameters
        + s.capacity_batch * s.sparse_read_bytes
    )
    / (s.chips * s.hbm_bandwidth),
    says="What fills the memory is kept; only a part of it is read.",
    assumes="Caches fill HBM; all weights are read.",
    given=(capacity_batch, sparse_read_bytes),
    requires=(
        sympy.Lt(
            s.bytes_per_weight * s.total_parameters, s.chips * s.hbm_capacity
        ),
    ),
    falls=(s.hbm_bandwidth,),
)

sparse_compute_time = Equation(
    left=s.sparse_compute_time,
    right=s.capacity_batch
    * (s.weight_flop + s.sparse_flop)
    / (s.chips * s.peak_compute),
    says="All that fits wants its token, with a cheap look at its context.",
    assumes="Indexer and attention multiply at the peak of the weights.",
    given=(capacity_batch, weight_flop, sparse_flop),
    falls=(s.peak_compute,),
)

sparse_rack_cost = Equation(
    left=s.sparse_rack_cost,
    right=_full_cost(Max(s.sparse_memory_time, s.sparse_compute_time)),
    says="Sparse attention makes the token cheap and leaves the seat dear.",
    assumes="Caches fill HBM; reading and multiplying overlap perfectly.",
    given=(capacity_batch, sparse_memory_time, sparse_compute_time),
    rises=(s.chip_hour_price, s.context),
    falls=(s.hbm_bandwidth, s.peak_compute),
)
