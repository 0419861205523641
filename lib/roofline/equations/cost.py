"""What does a token cost?  The rent of a pass, shared by its tokens."""

import sympy
from sympy import Max, Min

from roofline import symbols as s
from roofline.equation import Equation, equate
from roofline.equations.decode import (
    compute_time,
    hit_parameters,
    hit_weight_time,
    kv_time,
    memory_time,
    pass_time,
    weight_time,
)

pass_cost = Equation(
    left=s.pass_cost,
    right=s.chips * s.chip_hour_price * s.pass_time,
    says="All chips are rented for as long as the pass takes.",
    assumes=(
        "The chips do nothing else and are never idle; the hourly price "
        "covers all that they need."
    ),
    source="pope2026lecture",
    given=(pass_time,),
    rises=(s.chip_hour_price, s.batch),
    falls=(s.peak_compute, s.hbm_bandwidth),
)


def _shared(clock):
    """One token's part of the rent of one clock."""
    a_token = pass_cost.right / s.batch
    return a_token.xreplace({s.pass_time: clock.right})


compute_cost = Equation(
    left=s.compute_cost,
    right=_shared(compute_time),
    says="Arithmetic costs a token the same, alone or in company.",
    assumes=compute_time.assumes,
    rises=(s.active_parameters, s.chip_hour_price),
    falls=(s.peak_compute,),
)

weight_cost = Equation(
    left=s.weight_cost,
    right=_shared(weight_time),
    says="The weight read is shared: its part falls as one over the batch.",
    assumes=weight_time.assumes,
    rises=(s.total_parameters, s.bytes_per_weight),
    falls=(s.batch, s.hbm_bandwidth),
    limits=((s.batch, sympy.oo, sympy.Integer(0)),),
)

kv_cost = Equation(
    left=s.kv_cost,
    right=_shared(kv_time),
    says="Nobody shares a KV cache, so its part does not fall.",
    assumes=kv_time.assumes,
    rises=(s.context, s.kv_bytes_per_token),
    falls=(s.hbm_bandwidth,),
    limits=((s.context, 0, sympy.Integer(0)),),
)

memory_cost = Equation(
    left=s.memory_cost,
    right=s.weight_cost + s.kv_cost,
    says="A token pays its part of the weights and all of its own cache.",
    assumes=memory_time.assumes,
    given=(weight_cost, kv_cost),
    rises=(s.context,),
    falls=(s.batch, s.hbm_bandwidth),
    limits=((s.batch, sympy.oo, s.kv_cost),),
)

token_cost = Equation(
    left=s.token_cost,
    right=Max(s.compute_cost, s.memory_cost),
    says="A token pays for the slower clock.",
    assumes=pass_time.assumes,
    source="pope2026lecture",
    given=(compute_cost, memory_cost),
    rises=(s.chip_hour_price, s.context),
    falls=(s.batch, s.hbm_bandwidth),
)

cost_floor = (
    token_cost.limit(s.batch, sympy.oo)
    .in_terms_of(compute_cost, kv_cost)
    .named(
        s.cost_floor,
        says="However large the batch, arithmetic and caches are not shared.",
        rises=(s.chip_hour_price, s.context),
        falls=(s.hbm_bandwidth,),
    )
)

# One user alone

lone_premium = Equation(
    left=s.lone_premium,
    right=weight_cost.put({s.batch: 1}).right / compute_cost.right,
    says="Alone, a token pays for the whole weight read.",
    assumes="All weights are read; KV cache is left out.",
    rises=(s.total_parameters, s.peak_compute, s.bytes_per_weight),
    falls=(s.active_parameters, s.hbm_bandwidth),
)

hit_cost = Equation(
    left=s.hit_cost,
    right=_shared(hit_weight_time),
    says="Experts that nobody asked for cost nobody anything.",
    assumes=hit_weight_time.assumes,
    given=(hit_parameters,),
    rises=(s.bytes_per_weight, s.chip_hour_price),
    falls=(s.hbm_bandwidth, s.batch),
)

lone_parameters = hit_parameters.put({s.batch: 1}).named(
    s.lone_parameters,
    says="One sequence needs what every token meets, and its own experts.",
    assumes="The input embedding and the norm vectors are left out.",
    rises=(s.unrouted_parameters, s.experts_per_token),
)

lone_hit_premium = lone_premium.put(
    {s.total_parameters: s.lone_parameters}
).named(
    s.lone_hit_premium,
    says="Alone with only its own experts, a token pays for those alone.",
    assumes="The experts that are hit lie evenly over the chips.",
    given=(lone_parameters,),
    rises=(s.peak_compute, s.bytes_per_weight),
    falls=(s.active_parameters, s.hbm_bandwidth),
)

# Speed against cost

user_rate = Equation(
    left=s.user_rate,
    right=1 / s.pass_time,
    says="Each pass gives every sequence one token.",
    assumes="One token a pass: nothing is guessed ahead.",
    given=(pass_time,),
    falls=(s.batch, s.context),
)

compute_paced_batch = (
    compute_time.solve_for(s.batch)
    .put({s.compute_time: 1 / s.user_rate})
    .named(
        s.compute_paced_batch,
        says="The faster a user wants words, the fewer users share a pass.",
        rises=(s.peak_compute, s.chips),
        falls=(s.user_rate, s.active_parameters),
    )
)

memory_paced_batch = (
    memory_time.solve_for(s.batch)
    .put({s.memory_time: 1 / s.user_rate})
    .named(
        s.memory_paced_batch,
        says="What the weight read leaves of the pass is there for caches.",
        rises=(s.hbm_bandwidth, s.chips),
        falls=(s.user_rate, s.context, s.total_parameters),
    )
)

paced_batch = Equation(
    left=s.paced_batch,
    right=Min(s.compute_paced_batch, s.memory_paced_batch),
    says="Both clocks must keep up.",
    assumes=pass_time.assumes,
    given=(compute_paced_batch, memory_paced_batch),
    rises=(s.chips, s.hbm_bandwidth),
    falls=(s.user_rate, s.context),
)

paced_cost = Equation(
    left=s.paced_cost,
    right=s.chips * s.chip_hour_price / (s.user_rate * s.paced_batch),
    says="The rent of a second is shared by the tokens of that second.",
    assumes=paced_batch.assumes,
    given=(paced_batch,),
    rises=(s.user_rate, s.context),
    falls=(s.hbm_bandwidth,),
)

# Fast Mode

_normal = pass_cost.right / s.batch
_fast = _normal.subs(
    {
        s.pass_time: s.pass_time / s.speed_ratio,
        s.batch: s.batch / s.batch_ratio,
    },
    simultaneous=True,
)

batch_ratio = (
    equate(_fast, s.price_ratio * _normal)
    .solve_for(s.batch_ratio, assumes="Same chips, same rent, same margin.")
    .named(
        s.batch_ratio,
        says="Dearer and faster tokens come from a batch smaller by both.",
        rises=(s.price_ratio, s.speed_ratio),
    )
)

speed_ratio = Equation(
    left=s.speed_ratio,
    right=1 / (1 - s.sequence_share + s.sequence_share / s.batch_ratio),
    says="Only what each sequence brings for itself shrinks with the batch.",
    assumes=(
        "Both modes wait for memory, where weights and caches add; the weight "
        "read is the same in both."
    ),
    rises=(s.sequence_share, s.batch_ratio),
    limits=((s.batch_ratio, 1, sympy.Integer(1)),),
)


def _paid():
    """The speed-up, with the batch that the price allows put in."""
    return speed_ratio.put({s.batch_ratio: batch_ratio})


sequence_share = (
    _paid()
    .solve_for(s.sequence_share)
    .named(
        s.sequence_share,
        says="Price and speed together betray how the normal pass is spent.",
        rises=(s.speed_ratio,),
        falls=(s.price_ratio,),
        limits=((s.price_ratio, sympy.oo, 1 - 1 / s.speed_ratio),),
    )
)

paid_speed_ratio = (
    _paid()
    .solve_for(s.speed_ratio)
    .named(
        s.paid_speed_ratio,
        says="Each further multiple of the price buys less speed.",
        rises=(s.price_ratio, s.sequence_share),
        limits=((s.price_ratio, sympy.oo, 1 / (1 - s.sequence_share)),),
    )
)

top_speed_ratio = speed_ratio.limit(s.batch_ratio, sympy.oo).named(
    s.top_speed_ratio,
    says="A batch of nobody still waits for the weights.",
    rises=(s.sequence_share,),
)

fast_over_floor = Equation(
    left=s.fast_over_floor,
    right=top_speed_ratio.right / s.speed_ratio,
    says="What is left above the floor is what money can still buy.",
    assumes=speed_ratio.assumes,
    given=(sequence_share,),
    falls=(s.price_ratio,),
)
