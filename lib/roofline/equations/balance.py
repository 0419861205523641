"""How many users fill a rack?  The balance of a single matrix."""

import sympy

from roofline import symbols as s
from roofline.equation import Equation, equate
from roofline.equations.decode import balance_batch, machine_balance

matrix_compute_time = Equation(
    left=s.matrix_compute_time,
    right=s.flop_per_multiply_add
    * s.matrix_batch
    * s.matrix_inputs
    * s.matrix_outputs
    / s.peak_compute,
    says="Each sequence is multiplied with every element of the matrix.",
    assumes="One chip at its dense peak.",
    rises=(s.matrix_batch, s.matrix_inputs, s.matrix_outputs),
    falls=(s.peak_compute,),
)

matrix_memory_time = Equation(
    left=s.matrix_memory_time,
    right=(
        s.bytes_per_weight * s.matrix_inputs * s.matrix_outputs
        + s.bytes_per_activation
        * s.matrix_batch
        * (s.matrix_inputs + s.matrix_outputs)
    )
    / s.hbm_bandwidth,
    says="The matrix comes once; what goes in and out comes per sequence.",
    assumes=(
        "What goes in is read from HBM and what comes out is written there; "
        "a chip that keeps them in its own caches saves this traffic."
    ),
    rises=(s.matrix_batch, s.bytes_per_activation, s.bytes_per_weight),
    falls=(s.hbm_bandwidth,),
)

activation_share = Equation(
    left=s.activation_share,
    right=machine_balance.right
    * s.bytes_per_activation
    * (1 / s.matrix_inputs + 1 / s.matrix_outputs)
    / s.bytes_per_weight,
    says="Small matrices have many activations for each weight.",
    assumes=matrix_memory_time.assumes,
    rises=(s.bytes_per_activation, s.peak_compute),
    falls=(s.matrix_inputs, s.matrix_outputs),
)

matrix_balance_batch = (
    equate(matrix_compute_time, matrix_memory_time)
    .solve_for(s.matrix_batch)
    .named(
        s.matrix_balance_batch,
        says="Activations ask for a larger batch, most of all small matrices.",
        rises=(s.bytes_per_activation, s.bytes_per_weight),
        falls=(s.matrix_inputs, s.matrix_outputs),
        limits=((s.bytes_per_activation, 0, machine_balance.right),),
    )
)

expert_batch = Equation(
    left=s.expert_batch,
    right=s.batch * s.experts_per_token / s.experts,
    says="A batch is spread over the experts.",
    assumes="Every expert gets the same share of the sequences.",
    requires=(sympy.Le(s.experts_per_token, s.experts),),
    rises=(s.batch, s.experts_per_token),
    falls=(s.experts,),
)

expert_balance_batch = (
    equate(s.matrix_balance_batch, expert_batch.right)
    .solve_for(s.batch, expert_batch.assumes)
    .named(
        s.expert_balance_batch,
        says="Each expert needs a balanced batch of its own.",
        given=(matrix_balance_batch,),
        requires=expert_batch.requires,
        rises=(s.experts,),
        falls=(s.experts_per_token, s.matrix_inputs),
    )
)

sparse_balance_batch = balance_batch.put(
    {s.total_parameters: s.sparsity * s.active_parameters}
).named(
    s.sparse_balance_batch,
    says="The size of the model cancels: only its sparsity counts.",
    rises=(s.sparsity, s.peak_compute),
    falls=(s.hbm_bandwidth,),
)
