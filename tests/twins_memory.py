"""Bytes on the chips of a pipeline, counted stage by stage."""

from functools import lru_cache

from roofline.schedule import Schedule


def counted_weights(v):
    a_stage = v["total_parameters"] * v["bytes_per_weight"] / v["stages"]
    return a_stage / v["chips"]


def counted_kv(v):
    """Each stage keeps its layers' part of every sequence under way."""
    a_sequence = v["context"] * v["kv_bytes_per_token"]
    return v["in_flight_sequences"] * a_sequence / v["stages"] / v["chips"]


@lru_cache
def under_way(stages):
    """Micro-batches inside a pipeline at the fewest that idle no stage."""
    low, high = 0, stages + 1
    while high - low > 1:
        count = (low + high) // 2
        decode = Schedule("decode", stages, count, forward=1, turns=3)
        idle = decode.between(stages, 2 * stages)
        low, high = (count, high) if idle else (low, count)
    return high


def counted_loop_kv(v):
    stages = 5
    sequences = under_way(stages) * v["batch"]
    return counted_kv(v | {"stages": stages, "in_flight_sequences": sequences})


def counted_chip(v):
    return counted_weights(v) + counted_loop_kv(v)


def searched(target):
    """The stages at which weights come down to a target, by halving."""

    def search(v):
        v = {"chips": 8.0} | v
        low, high = 1e-12, 1e15
        for _ in range(200):
            middle = (low * high) ** 0.5
            if counted_weights(v | {"stages": middle}) > target(v):
                low = middle
            else:
                high = middle
        return low

    return search


def at_balance(v):
    """A batch whose arithmetic takes as long as its read of the weights."""
    v = v | {"total_parameters": 1e12, "bytes_per_weight": 1.0, "chips": 8}
    reading = 1e12 / v["hbm_bandwidth"]
    each = 2 * v["active_parameters"] / v["peak_compute"]
    v["batch"] = reading / each
    return searched(counted_loop_kv)(v)


def counted_round(v):
    decode = Schedule(
        "decode", int(v["stages"]), 1, forward=v["stage_time"], turns=2
    )
    return next(c.start for c in decode.cells if c.turn and not c.stage)


def counted_hop(v):
    bytes_a_chip = v["batch"] * v["vector_bytes"] / v["chips"]
    return v["hop_latency"] + bytes_a_chip / v["scaleout_bandwidth"]


def counted_token(v):
    """Stage by stage: read and multiply at once, then hop."""
    total, stages = 0.0, int(v["stages"])
    for _ in range(stages):
        weights = v["total_parameters"] * v["bytes_per_weight"] / stages
        caches = v["batch"] * v["context"] * v["kv_bytes_per_token"] / stages
        flop = 2 * v["batch"] * v["active_parameters"] / stages
        total += max(
            (weights + caches) / v["chips"] / v["hbm_bandwidth"],
            flop / v["chips"] / v["peak_compute"],
        )
        total += counted_hop(v)
    return total


TWINS = {
    "weights_per_chip": counted_weights,
    "kv_per_chip": counted_kv,
    "round_time": counted_round,
    "in_flight_micro_batches": lambda v: under_way(int(v["stages"])),
    "in_flight_sequences": lambda v: under_way(int(v["stages"])) * v["batch"],
    "loop_kv_per_chip": counted_loop_kv,
    "chip_bytes": counted_chip,
    "paying_stages": searched(counted_loop_kv),
    "balanced_paying_stages": at_balance,
    "fitting_stages": searched(
        lambda v: v["hbm_capacity"] - counted_loop_kv(v)
    ),
    "stage_weight_time": lambda v: counted_weights(v) / v["hbm_bandwidth"],
    "hop_time": counted_hop,
    "pipelined_token_time": counted_token,
}
