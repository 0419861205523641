"""Why does pipelining not shrink the KV cache?  Because a loop is full."""

from roofline import symbols as s
from roofline.equation import Equation, equate
from roofline.equations import decode

weights_per_chip = Equation(
    left=s.weights_per_chip,
    right=s.bytes_per_weight * s.total_parameters / (s.chips * s.stages),
    says="All chips of all stages share the weights.",
    assumes="Weights are spread evenly; none is stored twice.",
    source="pope2026lecture",
    rises=(s.bytes_per_weight, s.total_parameters),
    falls=(s.chips, s.stages),
)

kv_per_chip = Equation(
    left=s.kv_per_chip,
    right=s.in_flight_sequences
    * s.context
    * s.kv_bytes_per_token
    / (s.chips * s.stages),
    says="All chips of all stages share the KV cache of every sequence.",
    assumes="Caches are spread evenly; every sequence has the same context.",
    source="pope2026lecture",
    rises=(s.in_flight_sequences, s.context, s.kv_bytes_per_token),
    falls=(s.chips, s.stages),
)

round_time = Equation(
    left=s.round_time,
    right=s.stages * s.stage_time,
    says="A token visits every stage once before the next one can start.",
    assumes="All stages take the same time; the links take none.",
    source="pope2026lecture",
    rises=(s.stages, s.stage_time),
)

in_flight_micro_batches = (
    equate(round_time, s.in_flight_micro_batches * s.stage_time)
    .solve_for(s.in_flight_micro_batches)
    .named(
        s.in_flight_micro_batches,
        says="To keep every stage busy, each has a micro-batch of its own.",
        rises=(s.stages,),
    )
)

in_flight_sequences = Equation(
    left=s.in_flight_sequences,
    right=s.in_flight_micro_batches * s.batch,
    says="Each micro-batch under way is as large as one pass needs.",
    assumes="All micro-batches have the same size and none waits in between.",
    source="pope2026lecture",
    given=(in_flight_micro_batches,),
    rises=(s.stages, s.batch),
)

loop_kv_per_chip = kv_per_chip.put(
    {s.in_flight_sequences: in_flight_sequences}
).named(
    s.loop_kv_per_chip,
    says="The number of stages has gone: they share more caches than before.",
    assumes=(
        "No stage ever waits; caches are spread evenly over the chips, and "
        "every sequence has the same context."
    ),
    rises=(s.batch, s.context, s.kv_bytes_per_token),
    falls=(s.chips,),
)

chip_bytes = Equation(
    left=s.chip_bytes,
    right=s.weights_per_chip + s.loop_kv_per_chip,
    says="Stages divide the weights on a chip and leave its KV cache alone.",
    assumes="Activations and what the software needs are left out.",
    source="pope2026lecture",
    given=(weights_per_chip, loop_kv_per_chip),
    rises=(s.batch, s.context, s.total_parameters),
    falls=(s.chips, s.stages),
)

paying_stages = (
    equate(weights_per_chip, loop_kv_per_chip)
    .solve_for(s.stages)
    .named(
        s.paying_stages,
        says="Beyond it, most of a chip is KV cache, which stages do not cut.",
        rises=(s.total_parameters, s.bytes_per_weight),
        falls=(s.batch, s.context, s.kv_bytes_per_token),
    )
)

balanced_paying_stages = paying_stages.put(
    {s.batch: decode.balance_batch}
).named(
    s.balanced_paying_stages,
    says="At the balance batch it is arithmetic against KV reads of a token.",
    assumes=(
        "The batch is the one at which arithmetic takes as long as reading "
        "all weights; no stage waits; attention's arithmetic is left out."
    ),
    rises=(s.active_parameters, s.hbm_bandwidth),
    falls=(s.context, s.kv_bytes_per_token, s.peak_compute),
)

fitting_stages = (
    equate(chip_bytes, s.hbm_capacity)
    .solve_for(s.stages)
    .factored()
    .named(
        s.fitting_stages,
        says="Weights need the room that the KV cache of a pass leaves.",
        assumes=(
            "No stage waits; HBM holds weights and KV cache and nothing "
            "else. Round up: a part of a stage is a stage."
        ),
        rises=(s.total_parameters, s.bytes_per_weight, s.batch),
        falls=(s.chips, s.hbm_capacity),
    )
)

stage_weight_time = Equation(
    left=s.stage_weight_time,
    right=s.bytes_per_weight
    * s.total_parameters
    / (s.chips * s.stages * s.hbm_bandwidth),
    says="A stage reads its own part of the weights, with its own chips.",
    assumes=(
        "Weights are spread evenly over stages and chips; the batch touches "
        "every expert and HBM delivers its full bandwidth."
    ),
    source="pope2026lecture",
    rises=(s.bytes_per_weight, s.total_parameters),
    falls=(s.chips, s.stages, s.hbm_bandwidth),
)

hop_time = Equation(
    left=s.hop_time,
    right=s.hop_latency
    + s.batch * s.vector_bytes / (s.chips * s.scaleout_bandwidth),
    says="A hop takes the time of the wire and that of the bytes.",
    assumes=(
        "Every chip sends its share of the vectors over a card of its own, "
        "and nobody else uses the network."
    ),
    rises=(s.hop_latency, s.batch, s.vector_bytes),
    falls=(s.chips, s.scaleout_bandwidth),
)

pipelined_token_time = Equation(
    left=s.pipelined_token_time,
    right=s.pass_time + s.stages * s.hop_time,
    says="Stages work one after the other, and every rack adds a hop.",
    assumes=(
        "There are two stages or more, and hops do not overlap with their "
        "work; the last hop leads back to the first stage."
    ),
    given=(decode.pass_time, hop_time),
    rises=(s.stages, s.hop_latency),
    falls=(s.hbm_bandwidth,),
)
