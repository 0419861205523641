"""When does the next train leave?  Waits, rates, and a full HBM."""

import sympy
from sympy import Max, Rational

from roofline import symbols as s
from roofline.equation import Equation, equate
from roofline.equations.decode import drain_time
from roofline.equations.kv_cache import balance_context, capacity_batch

_REGULAR = (
    "Passes start at equal intervals, last one interval each, and have room "
    "for everybody; reading the prompt takes no time."
)

mean_wait = Equation(
    left=s.mean_wait,
    right=Rational(1, 2) * s.train_period,
    says="Who comes at a random moment waits half an interval.",
    assumes=_REGULAR,
    rises=(s.train_period,),
)

mean_token_time = Equation(
    left=s.mean_token_time,
    right=s.mean_wait + s.train_period,
    says="First the wait for the train, then the ride.",
    assumes=_REGULAR,
    given=(mean_wait,),
    rises=(s.train_period,),
)

worst_token_time = Equation(
    left=s.worst_token_time,
    right=2 * s.train_period,
    says="Who just missed a train waits one interval and rides another.",
    assumes=_REGULAR,
    source="pope2026lecture",
    rises=(s.train_period,),
)

token_rate = Equation(
    left=s.token_rate,
    right=s.batch / s.train_period,
    says="Every sequence on the train gets one token.",
    assumes="Every train is full; one token a sequence and pass.",
    source="pope2026lecture",
    rises=(s.batch,),
    falls=(s.train_period,),
)

trains_needed = Equation(
    left=s.trains_needed,
    right=s.traffic / s.token_rate,
    says="How many such machines the whole traffic would fill.",
    assumes="Input counts like output, which makes the answer too large.",
    source="pope2026lecture",
    given=(token_rate,),
    rises=(s.traffic, s.train_period),
    falls=(s.batch,),
)

full_rack_time = Equation(
    left=s.full_rack_time,
    right=s.flop_per_multiply_add
    * s.active_parameters
    * s.capacity_batch
    / (s.chips * s.peak_compute),
    says="A full HBM holds so many sequences, and each wants its token.",
    assumes=(
        "Caches fill all that the weights leave free; attention's own "
        "arithmetic is left out."
    ),
    given=(capacity_batch,),
    rises=(s.active_parameters, s.hbm_capacity),
    falls=(s.context, s.kv_bytes_per_token, s.peak_compute),
)


def _full_rack_context():
    """Solved from the two clocks, then written over the last context."""
    solved = equate(full_rack_time, drain_time).solve_for(s.context)
    share = sympy.expand(solved.right / balance_context.right)
    return Equation(
        left=s.full_rack_context,
        right=s.balance_context * share,
        says="The last balanced context, times the share that caches occupy.",
        assumes=solved.assumes,
        given=(balance_context,),
        rises=(s.active_parameters, s.hbm_capacity, s.hbm_bandwidth),
        falls=(s.kv_bytes_per_token, s.peak_compute),
    )


full_rack_context = _full_rack_context()

full_rack_rate = Equation(
    left=s.full_rack_rate,
    right=s.capacity_batch / Max(s.drain_time, s.full_rack_time),
    says="All that fits, advanced in the slower of two times.",
    assumes=(
        "Caches fill all that the weights leave free; reading and "
        "multiplying overlap perfectly."
    ),
    given=(capacity_batch, drain_time, full_rack_time),
    rises=(s.hbm_bandwidth, s.peak_compute),
    falls=(s.context, s.kv_bytes_per_token),
)
