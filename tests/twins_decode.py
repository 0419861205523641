"""Loops that count one pass, written without the equations."""

import math


def counted_flop(v):
    total = 0.0
    for _ in range(int(v["batch"])):
        total += 2 * v["active_parameters"]
    return total / v["chips"] / v["peak_compute"]


def counted_weights(v):
    a_chip = v["total_parameters"] / v["chips"]
    return a_chip * v["bytes_per_weight"] / v["hbm_bandwidth"]


def counted_kv(v):
    total = 0.0
    for _ in range(int(v["batch"])):
        total += v["context"] * v["kv_bytes_per_token"]
    return total / v["chips"] / v["hbm_bandwidth"]


def counted_memory(v):
    return counted_weights(v) + counted_kv(v)


def counted_pass(v):
    one, other = counted_flop(v), counted_memory(v)
    return one if one > other else other


def counted_experts(v):
    """Expected distinct experts, one sequence after the other."""
    share, touched = v["experts_per_token"] / v["experts"], 0.0
    for _ in range(int(v["batch"])):
        touched += (v["experts"] - touched) * share
    return touched


def counted_hit(v):
    total = v["unrouted_parameters"]
    for _ in range(int(v["expert_layers"])):
        total += counted_experts(v) * v["expert_parameters"]
    return total


def counted_hit_time(v):
    a_chip = counted_hit(v) / v["chips"]
    return a_chip * v["bytes_per_weight"] / v["hbm_bandwidth"]


def counted_balance(v):
    """Multiply-adds in the time of one weight read, by the second."""
    reads = v["hbm_bandwidth"] / v["bytes_per_weight"]
    return v["peak_compute"] / 2 / reads


def searched_batch(clock):
    """The batch at which arithmetic catches up with a clock, by halving."""

    def search(v):
        low, high = 1e-9, 1e18
        for _ in range(200):
            middle = math.sqrt(low * high)
            at = v | {"batch": middle}
            flop = 2 * middle * v["active_parameters"]
            if flop / v["peak_compute"] < clock(at) * v.get("chips", 1):
                low = middle
            else:
                high = middle
        return math.sqrt(low * high)

    return search


def only_weights(v):
    return v["total_parameters"] * v["bytes_per_weight"] / v["hbm_bandwidth"]


def weights_and_kv(v):
    kv = v["batch"] * v["context"] * v["kv_bytes_per_token"]
    return only_weights(v) + kv / v["hbm_bandwidth"]


def drained(v):
    """Seconds until a full HBM has been read, a thousandth at a time."""
    seconds = 0.0
    for _ in range(1000):
        seconds += v["hbm_capacity"] / 1000 / v["hbm_bandwidth"]
    return seconds


TWINS = {
    "compute_time": counted_flop,
    "weight_time": counted_weights,
    "kv_time": counted_kv,
    "memory_time": counted_memory,
    "pass_time": counted_pass,
    "serial_pass_time": lambda v: counted_flop(v) + counted_memory(v),
    "latency_floor": counted_weights,
    "distinct_experts": counted_experts,
    "hit_parameters": counted_hit,
    "hit_weight_time": counted_hit_time,
    "machine_balance": counted_balance,
    "balance_batch": searched_batch(only_weights),
    "loaded_balance_batch": searched_batch(weights_and_kv),
    "drain_time": drained,
}
