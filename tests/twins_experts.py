"""Loops that send messages one by one, written without the equations."""

import math

from twins_decode import counted_flop, counted_memory


def sent(v, each):
    """Bytes of one layer, an expert at a time."""
    total = 0.0
    for _ in range(int(v["experts_per_token"])):
        total += v["hidden_size"] * each
    return total


def layer_bytes(v):
    there = sent(v, v["dispatch_bytes"])
    return there + sent(v, v["combine_bytes"])


def pass_bytes(v):
    total = 0.0
    for _ in range(int(v["expert_layers"])):
        total += layer_bytes(v)
    return total


def reached(v):
    """Expected distinct chips, one expert after the other."""
    touched = 0.0
    for _ in range(int(v["experts_per_token"])):
        touched += (v["chips"] - touched) / v["chips"]
    return touched


def on_each_chip(v):
    """Bytes that one chip sends for its tokens, out and for others back."""
    return v["batch"] / v["chips"] * pass_bytes(v)


def messages(v):
    return on_each_chip(v) / v["scaleup_bandwidth"]


def one_token_flop(v):
    return 2 * v["active_parameters"] / v["peak_compute"]


def searched(gap):
    """The value at which a falling gap is zero, by halving."""
    low, high = 1e-9, 1e30
    for _ in range(400):
        middle = math.sqrt(low * high)
        if gap(middle) > 0:
            low = middle
        else:
            high = middle
    return math.sqrt(low * high)


def searched_link(v):
    return searched(lambda w: pass_bytes(v) / w - one_token_flop(v))


def searched_batch(v):
    read = v["total_parameters"] * v["bytes_per_weight"] / v["hbm_bandwidth"]
    each = pass_bytes(v) / v["scaleup_bandwidth"]
    return searched(lambda batch: read - batch * each)


def at_home(v):
    """Copies by rack of the expert: one of them is the sender's own."""
    return [on_each_chip(v) / v["racks"] for _ in range(int(v["racks"]))]


def inside(v):
    return at_home(v)[0] / v["scaleup_bandwidth"]


def across(v):
    return sum(at_home(v)[1:]) / v["scaleout_bandwidth"]


def across_over_inside(v):
    out = sum(1.0 for _ in range(int(v["racks"]) - 1))
    return out / v["scaleout_bandwidth"] * v["scaleup_bandwidth"]


def limited(v):
    fewer = v | {"experts_per_token": v["domains_reached"]}
    return across(fewer)


def served(v):
    slow = v["domains_reached"] / v["scaleout_bandwidth"]
    return slow / (1 / v["scaleup_bandwidth"])


def held(v):
    return v["bytes_per_weight"] * v["held_parameters"] / v["hbm_bandwidth"]


def halves(v, parts):
    """(arithmetic, reads, messages) of so many equal parts of a batch."""
    kv = v["batch"] * v["context"] * v["kv_bytes_per_token"] / v["chips"]
    reads = 0.0
    for _ in range(parts):
        reads += held(v) + kv / parts / v["hbm_bandwidth"]
    return counted_flop(v), reads, across(v)


def in_turn(v):
    arithmetic, reads, sent_out = halves(v, 1)
    return max(arithmetic, reads) + sent_out


def ring(v):
    """A ring of chips: each step sends one piece to the right."""
    ways = int(v["tensor_ways"])
    piece = v["batch"] * v["hidden_size"] * v["bytes_per_activation"] / ways
    seconds = 0.0
    for _ in ("add up", "tell"):
        for _ in range(ways - 1):
            seconds += piece / v["scaleup_bandwidth"]
    return seconds


def rings(v):
    return sum(ring(v) for _ in range(int(v["reduces"])))


TWINS = {
    "dispatched_bytes": lambda v: sent(v, v["dispatch_bytes"]),
    "combined_bytes": lambda v: sent(v, v["combine_bytes"]),
    "layer_exchange_bytes": layer_bytes,
    "exchange_bytes": pass_bytes,
    "chips_reached": reached,
    "exchange_time": messages,
    "networked_pass_time": lambda v: max(
        counted_flop(v), counted_memory(v), messages(v)
    ),
    "exchange_ratio": lambda v: (
        pass_bytes(v) / v["scaleup_bandwidth"] / one_token_flop(v)
    ),
    "balance_link": searched_link,
    "exchange_batch": searched_batch,
    "inside_time": inside,
    "crossing_time": across,
    "crossing_ratio": across_over_inside,
    "limited_crossing_time": limited,
    "forwarded_experts": served,
    "held_weight_time": held,
    "turned_step_time": in_turn,
    "overlapped_step_time": lambda v: max(halves(v, 2)),
    "reduce_time": ring,
    "tensor_time": rings,
}
