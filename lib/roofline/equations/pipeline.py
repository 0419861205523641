"""What does a pipeline of racks buy?  Room for weights, at two prices.

One price is the link between racks, the other the time that stages wait.
"""

import sympy

from roofline import symbols as s
from roofline.equation import Equation, equate

scaleup_time = Equation(
    left=s.scaleup_time,
    right=2
    * s.experts_per_token
    * s.layers_per_stage
    * s.vector_bytes
    / s.scaleup_bandwidth,
    says="Inside a stage each layer sends a token to its experts and back.",
    assumes=(
        "Every chosen expert sits on another chip, and the vector has the "
        "same bytes on the way out and on the way back."
    ),
    source="pope2026lecture",
    rises=(s.experts_per_token, s.layers_per_stage, s.vector_bytes),
    falls=(s.scaleup_bandwidth,),
)

scaleout_time = Equation(
    left=s.scaleout_time,
    right=s.vector_bytes / s.scaleout_bandwidth,
    says="Between two stages a token is one vector, sent once.",
    assumes="Every chip sends its share over a network card of its own.",
    source="pope2026lecture",
    rises=(s.vector_bytes,),
    falls=(s.scaleout_bandwidth,),
)

network_ratio = (
    Equation(
        left=s.network_ratio,
        right=s.scaleup_time / s.scaleout_time,
        says="Where it exceeds one, the rack's own network is the slower.",
        assumes=(
            "Latency of either network is left out; both send at full "
            "bandwidth, and every chosen expert sits on another chip."
        ),
        source="pope2026lecture",
        given=(scaleup_time, scaleout_time),
    )
    .expand()
    .named(
        s.network_ratio,
        says="Four factors, one of them the price of leaving the rack.",
        rises=(s.experts_per_token, s.layers_per_stage, s.scaleout_bandwidth),
        falls=(s.scaleup_bandwidth,),
    )
)

least_layers_per_stage = (
    equate(scaleup_time, scaleout_time)
    .solve_for(s.layers_per_stage)
    .named(
        s.least_layers_per_stage,
        says="With more layers a stage, the link between racks is idle.",
        rises=(s.scaleup_bandwidth,),
        falls=(s.experts_per_token, s.scaleout_bandwidth),
    )
)

# One step of training, as the last stage sees it

fill_time = Equation(
    left=s.fill_time,
    right=(s.stages - 1) * s.forward_time,
    says="The last stage starts when the others have done one forward each.",
    assumes="All stages take the same time; the links take none.",
    rises=(s.stages, s.forward_time),
)

work_time = Equation(
    left=s.work_time,
    right=s.micro_batches * (s.forward_time + s.backward_time),
    says="Each stage takes every micro-batch forward and backward once.",
    assumes="All micro-batches take the same time.",
    rises=(s.micro_batches, s.forward_time, s.backward_time),
)

empty_time = Equation(
    left=s.empty_time,
    right=(s.stages - 1) * s.backward_time,
    says="The last micro-batch walks back through the other stages.",
    assumes="All stages take the same time; the links take none.",
    rises=(s.stages, s.backward_time),
)

step_time = Equation(
    left=s.step_time,
    right=s.fill_time + s.work_time + s.empty_time,
    says="A step is filling, working and emptying, seen from the last stage.",
    assumes=(
        "The last stage never waits between its first and its last task, "
        "which GPipe and 1F1B both manage; the update itself takes no time."
    ),
    given=(fill_time, work_time, empty_time),
    rises=(s.stages, s.micro_batches, s.forward_time, s.backward_time),
)

bubble_time = (
    equate(step_time, s.bubble_time + work_time.right)
    .solve_for(s.bubble_time)
    .factored()
    .named(
        s.bubble_time,
        says="Every stage waits as long as the others need for one each.",
        rises=(s.stages, s.forward_time, s.backward_time),
        limits=((s.stages, 1, sympy.Integer(0)),),
    )
)

idle_share = (
    equate(bubble_time, s.idle_share * step_time.expanded)
    .solve_for(s.idle_share)
    .named(
        s.idle_share,
        says="The durations cancel: only stages and micro-batches are left.",
        rises=(s.stages,),
        falls=(s.micro_batches,),
        limits=((s.micro_batches, sympy.oo, sympy.Integer(0)),),
    )
)

idle_over_useful = (
    equate(bubble_time, s.idle_over_useful * work_time.right)
    .solve_for(s.idle_over_useful)
    .named(
        s.idle_over_useful,
        says="The same waiting, measured against the work instead.",
        rises=(s.stages,),
        falls=(s.micro_batches,),
        limits=((s.micro_batches, sympy.oo, sympy.Integer(0)),),
    )
)

needed_micro_batches = (
    idle_share.solve_for(s.micro_batches)
    .factored()
    .named(
        s.needed_micro_batches,
        says="A small bubble needs many micro-batches, for every stage.",
        rises=(s.stages,),
        falls=(s.idle_share,),
    )
)

# Schedules that wait less

interleaved_bubble_time = bubble_time.put(
    {
        s.forward_time: s.forward_time / s.chunks,
        s.backward_time: s.backward_time / s.chunks,
    }
)
interleaved_bubble_time = interleaved_bubble_time.factored().named(
    s.interleaved_bubble_time,
    says="Filling takes as many tasks as before, each a v-th as long.",
    assumes=(
        "The micro-batches come in groups as large as the pipeline is long; "
        "stages and slices take the same time, and links none."
    ),
    rises=(s.stages, s.forward_time, s.backward_time),
    falls=(s.chunks,),
    limits=((s.chunks, 1, bubble_time.right),),
)

interleaved_idle_over_useful = (
    equate(
        interleaved_bubble_time,
        s.interleaved_idle_over_useful * work_time.right,
    )
    .solve_for(s.interleaved_idle_over_useful)
    .named(
        s.interleaved_idle_over_useful,
        says="Interleaving divides the waiting by the number of slices.",
        rises=(s.stages,),
        falls=(s.micro_batches, s.chunks),
        limits=((s.chunks, 1, idle_over_useful.right),),
    )
)

zero_bubble_time = (
    equate(
        bubble_time.put(
            {s.backward_time: s.backward_time - s.weight_gradient_time}
        ),
        s.zero_bubble_time + (s.stages - 1) * s.weight_gradient_time,
    )
    .solve_for(s.zero_bubble_time)
    .factored()
    .named(
        s.zero_bubble_time,
        says="Backward climbs faster, and late gradients fill the gaps.",
        assumes=(
            "There are at least as many micro-batches as stages, and a stage "
            "may hold that many; the gradients of weights take at most the "
            "forward time and at most half of the backward time."
        ),
        requires=(
            sympy.Le(2 * s.weight_gradient_time, s.backward_time),
            sympy.Le(s.weight_gradient_time, s.forward_time),
        ),
        rises=(s.stages, s.forward_time),
        falls=(s.weight_gradient_time,),
    )
)

zero_bubble_idle_over_useful = (
    equate(
        zero_bubble_time.put(
            {
                s.backward_time: 2 * s.forward_time,
                s.weight_gradient_time: s.forward_time,
            }
        ),
        s.zero_bubble_idle_over_useful
        * work_time.right.subs(s.backward_time, 2 * s.forward_time),
    )
    .solve_for(s.zero_bubble_idle_over_useful)
    .named(
        s.zero_bubble_idle_over_useful,
        says="A third of the plain bubble, if the three parts are equal.",
        assumes=(
            "Forward, backward for the inputs and backward for the weights "
            "take the same time; there are at least as many micro-batches "
            "as stages."
        ),
        requires=(sympy.Le(s.stages, s.micro_batches),),
        rises=(s.stages,),
        falls=(s.micro_batches,),
    )
)
