"""Why does a model live in one rack?  Messages between experts."""

import sympy
from sympy import Integer, Max

from roofline import symbols as s
from roofline.equation import Equation, equate
from roofline.equations.decode import (
    compute_time,
    distinct_experts,
    kv_time,
    memory_time,
    weight_time,
)

# What one token sends

_NO_LOCALITY = (
    "No locality: every copy crosses a link, even to an expert next door; "
    "addresses and scales are left out."
)

dispatched_bytes = Equation(
    left=s.dispatched_bytes,
    right=s.experts_per_token * s.hidden_size * s.dispatch_bytes,
    says="A copy of the token's vector goes to each of its experts.",
    assumes=_NO_LOCALITY,
    rises=(s.experts_per_token, s.hidden_size, s.dispatch_bytes),
)

combined_bytes = Equation(
    left=s.combined_bytes,
    right=s.experts_per_token * s.hidden_size * s.combine_bytes,
    says="Each expert sends a vector back, and the token adds them up.",
    assumes=_NO_LOCALITY,
    rises=(s.experts_per_token, s.hidden_size, s.combine_bytes),
)

layer_exchange_bytes = Equation(
    left=s.layer_exchange_bytes,
    right=s.dispatched_bytes + s.combined_bytes,
    says="Out and back, in every layer with experts.",
    assumes=_NO_LOCALITY,
    given=(dispatched_bytes, combined_bytes),
    rises=(s.experts_per_token, s.hidden_size),
)

exchange_bytes = Equation(
    left=s.exchange_bytes,
    right=s.expert_layers * s.layer_exchange_bytes,
    says="The next layer cannot start before the last one's vectors are back.",
    assumes=_NO_LOCALITY,
    given=(layer_exchange_bytes,),
    rises=(s.expert_layers, s.experts_per_token, s.hidden_size),
)

chips_reached = Equation(
    left=s.chips_reached,
    right=distinct_experts.right.subs(
        {
            s.experts: s.chips,
            s.experts_per_token: Integer(1),
            s.batch: s.experts_per_token,
        },
        simultaneous=True,
    ),
    says="Two experts of a token that share a chip share a copy.",
    assumes=(
        "Each expert is drawn independently and stands on any chip alike; "
        "distinct experts collide slightly less."
    ),
    rises=(s.experts_per_token,),
    limits=((s.experts_per_token, 1, Integer(1)),),
)

# How long the messages of a pass take

exchange_time = Equation(
    left=s.exchange_time,
    right=s.batch * s.exchange_bytes / (s.chips * s.scaleup_bandwidth),
    says="Every chip sends its own tokens' vectors while it receives others'.",
    assumes=(
        "Each chip has its even share of tokens and of experts' work; links "
        "run at full speed both ways at once. " + _NO_LOCALITY
    ),
    given=(exchange_bytes,),
    rises=(s.batch, s.experts_per_token, s.hidden_size),
    falls=(s.chips, s.scaleup_bandwidth),
    limits=((s.scaleup_bandwidth, sympy.oo, Integer(0)),),
)

networked_pass_time = Equation(
    left=s.networked_pass_time,
    right=Max(s.compute_time, s.memory_time, s.exchange_time),
    says="With messages counted there are three clocks, and one decides.",
    assumes=(
        "Messages overlap with both other clocks. Two half batches that take "
        "turns come close to it, and read the weights twice."
    ),
    given=(compute_time, memory_time, exchange_time),
    rises=(s.batch, s.context),
    falls=(s.chips, s.scaleup_bandwidth),
)

exchange_ratio = Equation(
    left=s.exchange_ratio,
    right=exchange_time.right / compute_time.right,
    says="Both grow with the batch and shrink with the chips, alike.",
    assumes=exchange_time.assumes,
    given=(exchange_bytes,),
    rises=(s.peak_compute, s.experts_per_token),
    falls=(s.active_parameters, s.scaleup_bandwidth),
)

balance_link = (
    equate(exchange_time.right, compute_time.right)
    .solve_for(s.scaleup_bandwidth, assumes=exchange_time.assumes)
    .named(
        s.balance_link,
        says="A slower link makes messages the clock that decides.",
        given=(exchange_bytes,),
        rises=(s.peak_compute, s.experts_per_token),
        falls=(s.active_parameters,),
    )
)

exchange_batch = (
    equate(exchange_time.right, weight_time.right)
    .solve_for(s.batch, assumes=exchange_time.assumes)
    .named(
        s.exchange_batch,
        says="From there on messages outlast the weight read.",
        given=(exchange_bytes,),
        rises=(s.total_parameters, s.scaleup_bandwidth),
        falls=(s.hbm_bandwidth, s.experts_per_token),
    )
)

# Across racks

_SPREAD = (
    "Experts are spread evenly over all racks and chosen alike; chips are "
    "those of all racks together."
)

inside_time = Equation(
    left=s.inside_time,
    right=s.batch
    * s.exchange_bytes
    / (s.racks * s.chips * s.scaleup_bandwidth),
    says="One copy in so many finds its expert at home.",
    assumes=_SPREAD,
    given=(exchange_bytes,),
    rises=(s.batch,),
    falls=(s.racks, s.scaleup_bandwidth),
)

crossing_time = Equation(
    left=s.crossing_time,
    right=(1 - 1 / s.racks)
    * s.batch
    * s.exchange_bytes
    / (s.chips * s.scaleout_bandwidth),
    says="All other copies leave by the slow link, and come back by it.",
    assumes=_SPREAD,
    given=(exchange_bytes,),
    rises=(s.batch, s.racks),
    falls=(s.scaleout_bandwidth,),
    limits=((s.racks, 1, Integer(0)),),
)

crossing_ratio = Equation(
    left=s.crossing_ratio,
    right=sympy.simplify(crossing_time.right / inside_time.right),
    says="With two racks it is the ratio of the links.",
    assumes=_SPREAD,
    rises=(s.racks, s.scaleup_bandwidth),
    falls=(s.scaleout_bandwidth,),
    limits=((s.racks, 2, s.scaleup_bandwidth / s.scaleout_bandwidth),),
)

limited_crossing_time = Equation(
    left=s.limited_crossing_time,
    right=crossing_time.right * s.domains_reached / s.experts_per_token,
    says="One copy crosses to each domain, and is handed on inside.",
    assumes=_SPREAD + " Every token uses all domains it may reach.",
    given=(exchange_bytes,),
    requires=(sympy.Le(s.domains_reached, s.experts_per_token),),
    rises=(s.batch, s.domains_reached),
    falls=(s.scaleout_bandwidth,),
    limits=((s.racks, 1, Integer(0)),),
)

forwarded_experts = Equation(
    left=s.forwarded_experts,
    right=s.domains_reached * s.scaleup_bandwidth / s.scaleout_bandwidth,
    says="Copies handed on inside cost nothing until they take as long.",
    assumes="Both kinds of link work at the same time.",
    rises=(s.domains_reached, s.scaleup_bandwidth),
    falls=(s.scaleout_bandwidth,),
)

# The step of a chip whose messages leave its domain

held_weight_time = Equation(
    left=s.held_weight_time,
    right=s.bytes_per_weight * s.held_parameters / s.hbm_bandwidth,
    says="What stands on every chip is read by every chip.",
    assumes="All that a chip holds is read once; HBM gives full bandwidth.",
    rises=(s.held_parameters, s.bytes_per_weight),
    falls=(s.hbm_bandwidth,),
)

_STEP = (
    "Arithmetic overlaps with memory; messages inside a domain take no time "
    "beside those across. " + _SPREAD
)

turned_step_time = Equation(
    left=s.turned_step_time,
    right=Max(s.compute_time, s.held_weight_time + s.kv_time)
    + s.crossing_time,
    says="While messages travel the chip waits, and the other way round.",
    assumes=_STEP,
    given=(compute_time, held_weight_time, kv_time, crossing_time),
    rises=(s.batch, s.racks),
    falls=(s.scaleout_bandwidth, s.hbm_bandwidth),
)

overlapped_step_time = Equation(
    left=s.overlapped_step_time,
    right=Max(
        s.compute_time,
        2 * s.held_weight_time + s.kv_time,
        s.crossing_time,
    ),
    says="One half computes while the other's messages travel.",
    assumes=_STEP + " Each half batch reads the weights again.",
    given=(compute_time, held_weight_time, kv_time, crossing_time),
    rises=(s.batch, s.racks),
    falls=(s.scaleout_bandwidth, s.hbm_bandwidth),
)

# The other way to use many chips

reduce_time = Equation(
    left=s.reduce_time,
    right=s.batch
    * s.hidden_size
    * s.bytes_per_activation
    * 2
    * (s.tensor_ways - 1)
    / (s.tensor_ways * s.scaleup_bandwidth),
    says="A ring goes round twice: once to add up, once to tell everybody.",
    assumes=(
        "A ring of chips, each sending one way at full speed; the time of a "
        "hop is left out."
    ),
    rises=(s.batch, s.hidden_size, s.tensor_ways),
    falls=(s.scaleup_bandwidth,),
    limits=((s.tensor_ways, 1, Integer(0)),),
)

tensor_time = Equation(
    left=s.tensor_time,
    right=s.reduces * s.reduce_time,
    says="Each sum waits for the one before.",
    assumes=reduce_time.assumes,
    given=(reduce_time,),
    rises=(s.reduces, s.batch),
    falls=(s.scaleup_bandwidth,),
)
