"""How far can sparsity go?  Quality, arithmetic, and the users it takes."""

import sympy
from sympy import Integer, Max
from sympy.codegen.cfunctions import log10

from roofline import symbols as s
from roofline.equation import Equation, equate
from roofline.equations.decode import (
    balance_batch,
    compute_time,
    weight_time,
)
from roofline.equations.kv_cache import resident_bytes

# What sparsity is

sparsity = Equation(
    left=s.sparsity,
    right=1
    - s.routed_share
    + s.routed_share * s.experts / s.experts_per_token,
    says="Only the routed share of a model grows with the experts.",
    assumes=(
        "Every layer with experts has as many; shared experts count as part "
        "of what every token meets."
    ),
    requires=(sympy.Le(s.experts_per_token, s.experts),),
    rises=(s.experts,),
    falls=(s.experts_per_token,),
    limits=((s.experts, s.experts_per_token, Integer(1)),),
)

# What quality costs: the law of routed models

_FITTED = (
    "Fitted to models of 15 million to 1.3 billion active parameters and up "
    "to 512 experts, one a token, all trained on 130 billion tokens."
)
_RANGE = (sympy.Le(s.experts, 512),)

expert_offset = Equation(
    left=s.expert_offset,
    right=1 / (1 / s.expert_start - 1 / s.expert_limit),
    says="Chosen so that a single expert counts as a dense model does.",
    assumes=_FITTED,
    source="clark2022unified",
    requires=(sympy.Lt(s.expert_start, s.expert_limit),),
    rises=(s.expert_start,),
    falls=(s.expert_limit,),
)

counted_experts = Equation(
    left=s.counted_experts,
    right=1 / (1 / (s.experts - 1 + s.expert_offset) + 1 / s.expert_limit),
    says="A few experts count in full, and many never for more than a limit.",
    assumes=_FITTED,
    source="clark2022unified",
    given=(expert_offset,),
    requires=_RANGE,
    rises=(s.experts, s.expert_limit),
    limits=(
        (s.experts, 1, s.expert_start),
        (s.experts, sympy.oo, s.expert_limit),
    ),
)

size_exponent = Equation(
    left=s.size_exponent,
    right=s.size_slope - s.cross_slope * log10(s.counted_experts),
    says="The more experts there are, the less size helps.",
    assumes=_FITTED,
    source="clark2022unified",
    given=(counted_experts,),
    rises=(s.size_slope,),
    falls=(s.experts, s.cross_slope),
)

dense_exponent = Equation(
    left=s.dense_exponent,
    right=size_exponent.right.xreplace({s.counted_experts: s.expert_start}),
    says="A dense model is a routed one with a single expert.",
    assumes=_FITTED,
    rises=(s.size_slope,),
    falls=(s.cross_slope, s.expert_start),
)

routed_loss = Equation(
    left=s.routed_loss,
    right=10**s.loss_level
    * s.base_parameters ** (-s.size_exponent)
    * s.counted_experts ** (-s.expert_slope),
    says="Loss falls as a power of the size and of the experts that count.",
    assumes=_FITTED,
    source="clark2022unified",
    given=(size_exponent, counted_experts),
    rises=(s.loss_level,),
    falls=(s.base_parameters, s.size_slope),
)

dense_loss = Equation(
    left=s.dense_loss,
    right=routed_loss.right.xreplace(
        {
            s.base_parameters: s.dense_parameters,
            s.size_exponent: s.dense_exponent,
            s.counted_experts: s.expert_start,
        }
    ),
    says="The same law at one expert.",
    assumes=_FITTED,
    given=(dense_exponent,),
    rises=(s.loss_level,),
    falls=(s.dense_parameters,),
)

base_parameters = (
    equate(dense_loss.right, routed_loss.right)
    .solve_for(s.base_parameters, assumes=_FITTED)
    .named(
        s.base_parameters,
        says="At equal loss, experts that count replace active parameters.",
        given=(dense_exponent, size_exponent, counted_experts),
        rises=(s.dense_parameters,),
    )
)

active_saving = Equation(
    left=s.active_saving,
    right=s.dense_parameters / s.base_parameters,
    says="What sparsity saves in arithmetic at equal quality.",
    assumes=_FITTED,
    given=(base_parameters,),
)

stored_parameters = Equation(
    left=s.stored_parameters,
    right=s.sparsity * s.base_parameters,
    says="Each active parameter stands for so many stored ones.",
    assumes=_FITTED,
    given=(sparsity, base_parameters),
    rises=(s.dense_parameters, s.routed_share),
)

stored_growth = Equation(
    left=s.stored_growth,
    right=s.stored_parameters / s.dense_parameters,
    says="What sparsity costs in memory at equal quality.",
    assumes=_FITTED,
    given=(stored_parameters,),
    rises=(s.routed_share,),
)

# Is it a good trade?  One token's part of each clock

_ONE_TOKEN = s.chips / s.batch


def _of_one_token(clock, kind, size):
    """A clock of the pass, in chip-seconds a token, for a size of model."""
    return (clock.right * _ONE_TOKEN).xreplace({kind: size})


token_compute_time = Equation(
    left=s.token_compute_time,
    right=_of_one_token(compute_time, s.active_parameters, s.base_parameters),
    says="Fewer active parameters are less arithmetic for every token.",
    assumes=compute_time.assumes,
    given=(base_parameters,),
    rises=(s.dense_parameters,),
    falls=(s.peak_compute,),
)

token_weight_time = Equation(
    left=s.token_weight_time,
    right=_of_one_token(weight_time, s.total_parameters, s.stored_parameters),
    says="More stored parameters are a longer read, shared by all users.",
    assumes=weight_time.assumes,
    given=(stored_parameters,),
    rises=(s.bytes_per_weight, s.routed_share),
    falls=(s.batch, s.hbm_bandwidth),
    limits=((s.batch, sympy.oo, Integer(0)),),
)

token_time = Equation(
    left=s.token_time,
    right=Max(s.token_compute_time, s.token_weight_time),
    says="A token costs the slower of its two parts.",
    assumes="Perfect overlap; KV caches and messages are left out.",
    given=(token_compute_time, token_weight_time),
    falls=(s.batch, s.hbm_bandwidth),
)

dense_token_time = Equation(
    left=s.dense_token_time,
    right=Max(
        *(
            _of_one_token(clock, kind, s.dense_parameters)
            for clock, kind in (
                (compute_time, s.active_parameters),
                (weight_time, s.total_parameters),
            )
        )
    ),
    says="The dense model has more to multiply and less to read.",
    assumes="Perfect overlap; KV caches are left out.",
    rises=(s.dense_parameters,),
    falls=(s.batch, s.hbm_bandwidth),
)

best_sparsity = (
    equate(
        s.batch,
        balance_batch.right.xreplace(
            {s.total_parameters: s.best_sparsity * s.active_parameters}
        ),
    )
    .solve_for(s.best_sparsity, assumes=balance_batch.assumes)
    .named(
        s.best_sparsity,
        says="Users at one moment, over the multiply-adds of a weight read.",
        rises=(s.batch, s.hbm_bandwidth),
        falls=(s.peak_compute, s.bytes_per_weight),
    )
)

break_even_batch = (
    equate(
        _of_one_token(compute_time, s.active_parameters, s.dense_parameters),
        token_weight_time.right,
    )
    .solve_for(s.batch, assumes=balance_batch.assumes)
    .named(
        s.break_even_batch,
        says="There the long read costs what the dense arithmetic costs.",
        given=(stored_parameters,),
        rises=(s.peak_compute, s.bytes_per_weight, s.routed_share),
        falls=(s.hbm_bandwidth,),
    )
)

# The other price

balanced_bytes = resident_bytes.put({s.batch: balance_batch}).named(
    s.balanced_bytes,
    says="Sparsity asks for memory twice: for weights, and for more users.",
    assumes=(
        "The batch is the one that balances arithmetic against weights; "
        "activations and buffers are left out."
    ),
    rises=(s.total_parameters, s.context, s.kv_bytes_per_token),
    falls=(s.active_parameters,),
)
