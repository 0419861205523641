"""Meters that count rent, written without the equations."""

import math

from twins_decode import (
    counted_flop,
    counted_hit_time,
    counted_kv,
    counted_pass,
    counted_weights,
)


def metered(clock):
    """Rent per token: let the meter run for one pass, count the tokens."""

    def cost(v):
        batch = v.get("batch", 7.0)
        at = {"chips": 3.0} | v | {"batch": batch}
        rent, tokens = 0.0, 0
        for _ in range(int(at["chips"])):
            rent += at["chip_hour_price"] * clock(at)
        for _ in range(int(batch)):
            tokens += 1
        return rent / tokens

    return cost


def pass_rent(v):
    rent = 0.0
    for _ in range(int(v["chips"])):
        rent += counted_pass(v) * v["chip_hour_price"]
    return rent


def memory(v):
    return metered(lambda at: counted_weights(at) + counted_kv(at))(v)


def lone_parameters(v):
    total = v["unrouted_parameters"]
    for _ in range(int(v["expert_layers"])):
        for _ in range(int(v["experts_per_token"])):
            total += v["expert_parameters"]
    return total


def premium(parameters):
    """Time to read some parameters over one token's arithmetic."""

    def ratio(v):
        read = parameters(v) * v["bytes_per_weight"] / v["hbm_bandwidth"]
        return read / (2 * v["active_parameters"] / v["peak_compute"])

    return ratio


def searched(ahead, low, high):
    """Where ``ahead`` turns from true to false, by halving."""
    for _ in range(300):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if ahead(middle) else (low, middle)
    return low


def paced(*clocks):
    """The largest batch whose clocks all end within one token's time."""

    def batch(v):
        def in_time(b):
            return all(c(v, b) <= 1 / v["user_rate"] for c in clocks)

        return searched(in_time, 1e-12, 1e18)

    return batch


def flop_clock(v, b):
    return 2 * b * v["active_parameters"] / v["peak_compute"] / v["chips"]


def byte_clock(v, b):
    moved = v["total_parameters"] * v["bytes_per_weight"]
    moved += b * v["context"] * v["kv_bytes_per_token"]
    return moved / v["hbm_bandwidth"] / v["chips"]


def paced_cost(v):
    batch = paced(flop_clock, byte_clock)(v)
    return v["chips"] * v["chip_hour_price"] / (batch * v["user_rate"])


def mode(own, batch_ratio):
    """Lengths of a normal and a fast pass; the weight read takes 1."""
    return 1 + own, 1 + own / batch_ratio


def own_part(v):
    """The per-sequence time that makes price and speed fit, by halving."""

    def too_short(own):
        normal, fast = mode(own, v["price_ratio"] * v["speed_ratio"])
        return normal / fast < v["speed_ratio"]

    return searched(too_short, 1e-12, 1e12)


def share(v):
    own = own_part(v)
    return own / (1 + own)


def sped_up(v):
    own = v["sequence_share"] / (1 - v["sequence_share"])
    normal, fast = mode(own, v["batch_ratio"])
    return normal / fast


def paid(v):
    """Shrink the batch until the fast token costs what was asked."""
    own = v["sequence_share"] / (1 - v["sequence_share"])

    def too_cheap(shrunk):
        normal, fast = mode(own, shrunk)
        return fast * shrunk / normal < v["price_ratio"]

    normal, fast = mode(own, searched(too_cheap, 1e-9, 1e12))
    return normal / fast


def at_any_price(v):
    return sped_up(v | {"batch_ratio": 1e15})


def above_floor(v):
    normal, fast = mode(own_part(v), v["price_ratio"] * v["speed_ratio"])
    return fast / 1


TWINS = {
    "pass_cost": pass_rent,
    "compute_cost": metered(counted_flop),
    "weight_cost": metered(counted_weights),
    "kv_cost": metered(counted_kv),
    "memory_cost": memory,
    "token_cost": metered(counted_pass),
    "cost_floor": lambda v: max(
        metered(counted_flop)(v), metered(counted_kv)(v)
    ),
    "lone_premium": premium(lambda v: v["total_parameters"]),
    "lone_parameters": lone_parameters,
    "lone_hit_premium": premium(lone_parameters),
    "hit_cost": metered(counted_hit_time),
    "user_rate": lambda v: 1 / counted_pass(v),
    "compute_paced_batch": paced(flop_clock),
    "memory_paced_batch": paced(byte_clock),
    "paced_batch": paced(flop_clock, byte_clock),
    "paced_cost": paced_cost,
    "batch_ratio": lambda v: v["speed_ratio"] / (1 / v["price_ratio"]),
    "speed_ratio": sped_up,
    "sequence_share": share,
    "paid_speed_ratio": paid,
    "top_speed_ratio": at_any_price,
    "fast_over_floor": above_floor,
}
