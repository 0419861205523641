"""How long does one pass take?  Two clocks, arithmetic and memory."""

import sympy
from sympy import Max

from roofline import symbols as s
from roofline.equation import Equation, equate

compute_time = Equation(
    left=s.compute_time,
    right=s.flop_per_multiply_add
    * s.batch
    * s.active_parameters
    / (s.chips * s.peak_compute),
    says="Each sequence is multiplied with every active parameter once.",
    assumes=(
        "Every chip works at its dense peak all the time; the arithmetic of "
        "attention itself is left out."
    ),
    source="pope2026lecture",
    rises=(s.batch, s.active_parameters),
    falls=(s.chips, s.peak_compute),
    limits=((s.peak_compute, sympy.oo, sympy.Integer(0)),),
)

weight_time = Equation(
    left=s.weight_time,
    right=s.bytes_per_weight
    * s.total_parameters
    / (s.chips * s.hbm_bandwidth),
    says="A pass reads every stored weight once, whatever the batch.",
    assumes=(
        "The batch touches every expert; weights are spread evenly over the "
        "chips and HBM delivers its full bandwidth."
    ),
    source="pope2026lecture",
    rises=(s.bytes_per_weight, s.total_parameters),
    falls=(s.chips, s.hbm_bandwidth),
    limits=((s.hbm_bandwidth, sympy.oo, sympy.Integer(0)),),
)

kv_time = Equation(
    left=s.kv_time,
    right=s.batch
    * s.context
    * s.kv_bytes_per_token
    / (s.chips * s.hbm_bandwidth),
    says="Each sequence reads the KV cache of its own context.",
    assumes=(
        "Every sequence has the same context and reads all of it (dense "
        "attention); no two sequences share a cache."
    ),
    source="pope2026lecture",
    rises=(s.batch, s.context, s.kv_bytes_per_token),
    falls=(s.chips, s.hbm_bandwidth),
    limits=((s.context, 0, sympy.Integer(0)),),
)

memory_time = Equation(
    left=s.memory_time,
    right=s.weight_time + s.kv_time,
    says="Weights and KV cache come through the same HBM, one after another.",
    assumes="Nothing else is read or written: activations are left out.",
    source="pope2026lecture",
    given=(weight_time, kv_time),
    rises=(s.batch, s.context),
    falls=(s.hbm_bandwidth,),
    limits=((s.batch, 0, s.weight_time),),
)

pass_time = Equation(
    left=s.pass_time,
    right=Max(s.compute_time, s.memory_time),
    says="The slower of the two clocks sets the time of the pass.",
    assumes=(
        "Arithmetic and memory traffic overlap perfectly; communication "
        "between chips and launch overheads take no time."
    ),
    source="pope2026lecture",
    given=(compute_time, memory_time),
    rises=(s.batch, s.context),
    falls=(s.chips, s.hbm_bandwidth, s.peak_compute),
    limits=((s.batch, 0, s.weight_time),),
)

latency_floor = memory_time.limit(s.batch, 0).named(
    s.latency_floor,
    says="However small the batch, a pass still reads every weight.",
    assumes=weight_time.assumes,
    rises=(s.bytes_per_weight, s.total_parameters),
    falls=(s.chips, s.hbm_bandwidth),
)

distinct_experts = Equation(
    left=s.distinct_experts,
    right=s.experts * (1 - (1 - s.experts_per_token / s.experts) ** s.batch),
    says=(
        "Each sequence misses a given expert with probability 1 - k/E, so a "
        "batch leaves few experts untouched."
    ),
    assumes=(
        "Every sequence picks its experts uniformly and independently; skewed "
        "routing touches fewer, and one sequence touches exactly k."
    ),
    requires=(sympy.Le(s.experts_per_token, s.experts),),
    rises=(s.batch, s.experts_per_token),
    limits=((s.batch, 1, s.experts_per_token),),
)

serial_pass_time = Equation(
    left=s.serial_pass_time,
    right=s.compute_time + s.memory_time,
    says="Without overlap the two clocks add, so a pass takes at most twice.",
    assumes="Arithmetic never runs while memory is read; nothing else waits.",
    given=(compute_time, memory_time),
    rises=(s.batch, s.context),
    falls=(s.chips, s.hbm_bandwidth, s.peak_compute),
)

hit_parameters = Equation(
    left=s.hit_parameters,
    right=s.unrouted_parameters
    + s.expert_layers * s.expert_parameters * s.distinct_experts,
    says="A pass reads what every token meets, and the experts that were hit.",
    assumes=(
        "Routing is uniform and independent in every layer; the input "
        "embedding and the norm vectors are left out."
    ),
    given=(distinct_experts,),
    rises=(s.batch, s.experts_per_token),
)

hit_weight_time = Equation(
    left=s.hit_weight_time,
    right=s.bytes_per_weight * s.hit_parameters / (s.chips * s.hbm_bandwidth),
    says="Only the weights that a batch needs cross the memory bus.",
    assumes=(
        "The experts that are hit lie evenly over the chips, which small "
        "batches do not do: one chip then reads more than its share."
    ),
    given=(hit_parameters,),
    rises=(s.batch, s.bytes_per_weight),
    falls=(s.chips, s.hbm_bandwidth),
)

machine_balance = Equation(
    left=s.machine_balance,
    right=s.bytes_per_weight
    * s.peak_compute
    / (s.flop_per_multiply_add * s.hbm_bandwidth),
    says="Multiply-adds in the time of one weight read: the board's 300.",
    assumes="Dense peak at the precision of the weights; full bandwidth.",
    source="pope2026lecture",
    rises=(s.bytes_per_weight, s.peak_compute),
    falls=(s.hbm_bandwidth,),
)

balance_batch = (
    equate(compute_time, weight_time)
    .solve_for(s.batch)
    .named(
        s.balance_batch,
        says="Below it a pass waits for weights, above it for arithmetic.",
        rises=(s.total_parameters, s.peak_compute, s.bytes_per_weight),
        falls=(s.active_parameters, s.hbm_bandwidth),
    )
)

loaded_balance_batch = (
    equate(compute_time, memory_time)
    .solve_for(s.batch)
    .named(
        s.loaded_balance_batch,
        says="KV reads push the balance batch up, past all bounds in the end.",
        rises=(s.context, s.kv_bytes_per_token, s.total_parameters),
        falls=(s.active_parameters,),
        limits=((s.context, 0, balance_batch.right),),
    )
)

drain_time = Equation(
    left=s.drain_time,
    right=s.hbm_capacity / s.hbm_bandwidth,
    says="A chip that reads all of its HBM once needs at least this long.",
    assumes="HBM is full, read once, at its full bandwidth.",
    source="pope2026lecture",
    rises=(s.hbm_capacity,),
    falls=(s.hbm_bandwidth,),
)
