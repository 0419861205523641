"""What do API prices leak?  Clocks read from price lists, with care."""

import sympy
from sympy import Max

from roofline import symbols as s
from roofline.equation import Equation, equate
from roofline.equations.decode import (
    compute_time,
    kv_time,
    machine_balance,
    memory_time,
)

# The price step

_STEP = (
    "The provider prices at cost, the step stands where the two clocks "
    "agree, and the batch is so large that the weights are shared by many."
)

implied_kv_bytes = (
    equate(compute_time, kv_time)
    .solve_for(s.kv_bytes_per_token)
    .put(
        {
            s.peak_compute: machine_balance.solve_for(s.peak_compute),
            s.context: s.step_context,
        }
    )
    .named(
        s.implied_kv_bytes,
        says="There a token's KV reads take as long as its multiply-adds.",
        assumes=_STEP,
        rises=(s.bytes_per_weight, s.active_parameters),
        falls=(s.machine_balance, s.step_context),
    )
)

upper_price_time = Equation(
    left=s.upper_price_time,
    right=s.step_ratio * s.compute_time,
    says="The upper price pays for so many times the arithmetic.",
    assumes="The lower price pays for the arithmetic of a pass and no more.",
    given=(compute_time,),
    rises=(s.step_ratio, s.batch),
)

# Memory's time over arithmetic's


def _ratio():
    """The two clocks divided, then written over alpha, s and the step."""
    ratio = sympy.expand(memory_time.expanded / compute_time.expanded)
    names = {
        s.peak_compute: machine_balance.solve_for(s.peak_compute).right,
        s.total_parameters: s.sparsity * s.active_parameters,
        s.kv_bytes_per_token: implied_kv_bytes.right,
    }
    return sympy.expand(ratio.subs(names))


time_ratio = Equation(
    left=s.time_ratio,
    right=_ratio(),
    says="Weights are shared by the batch, caches grow with the context.",
    assumes="All weights are read; attention's own arithmetic is left out.",
    rises=(s.context, s.sparsity, s.machine_balance),
    falls=(s.batch, s.step_context),
)

ratio_context = (
    time_ratio.limit(s.batch, sympy.oo)
    .solve_for(s.context)
    .named(
        s.ratio_context,
        says="For a large batch the ratio is proportional to the context.",
        assumes=_STEP,
        rises=(s.time_ratio, s.step_context),
    )
)

ratio_batch = time_ratio.solve_for(s.batch).named(
    s.ratio_batch,
    says="A small batch makes any ratio.",
    rises=(s.context, s.machine_balance, s.sparsity),
    falls=(s.time_ratio, s.step_context),
)

# Reading against writing

passed_compute_time = Equation(
    left=s.passed_compute_time,
    right=compute_time.right / s.batch,
    says="Each new token brings its own multiply-adds.",
    assumes=compute_time.assumes,
    source="pope2026lecture",
    rises=(s.active_parameters,),
    falls=(s.chips, s.peak_compute),
)

passed_memory_time = Equation(
    left=s.passed_memory_time,
    right=s.memory_time / (s.batch * s.pass_length),
    says="All new tokens of a pass share one read of weights and caches.",
    assumes=(
        "The caches read are those of the tokens before; what the new tokens "
        "add stays on the chip."
    ),
    source="pope2026lecture",
    given=(memory_time,),
    falls=(s.pass_length, s.batch),
    limits=((s.pass_length, sympy.oo, sympy.Integer(0)),),
)

passed_time = Equation(
    left=s.passed_time,
    right=Max(s.passed_compute_time, s.passed_memory_time),
    says="One new token writes, many read: the slower clock decides.",
    assumes="Perfect overlap; attention's own arithmetic is left out.",
    source="pope2026lecture",
    given=(passed_compute_time, passed_memory_time),
    falls=(s.pass_length, s.batch),
)

# Price lists

output_premium = Equation(
    left=s.output_premium,
    right=s.output_price / s.input_price,
    says="What a price list asks for writing, over reading.",
    assumes="List prices, below any step, without a cache.",
    rises=(s.output_price,),
    falls=(s.input_price,),
)

implied_share = Equation(
    left=s.implied_share,
    right=s.input_price / s.output_price,
    says="If prices follow time, the dearer token is the slower one.",
    assumes="Prices follow machine time; prompts are read at the peak.",
    source="pope2026lecture",
    rises=(s.input_price,),
    falls=(s.output_price,),
)

read_multiplier = Equation(
    left=s.read_multiplier,
    right=s.cached_price / s.input_price,
    says="What a price list asks for a token that need not be read anew.",
    assumes="List prices, without what writing to the cache costs.",
    requires=(sympy.Le(s.cached_price, s.input_price),),
    rises=(s.cached_price,),
    falls=(s.input_price,),
)

request_price = Equation(
    left=s.request_price,
    right=(s.prompt_tokens - s.hit_tokens) * s.input_price
    + s.hit_tokens * s.cached_price
    + s.output_tokens * s.output_price,
    says="A cached token is charged once, at the lower price.",
    assumes="No step is passed and nothing is charged for writing the cache.",
    requires=(sympy.Le(s.hit_tokens, s.prompt_tokens),),
    rises=(s.prompt_tokens, s.output_tokens, s.output_price),
)
