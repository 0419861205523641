"""Meters, clocks and searches for what it costs to keep a token."""

from twins_cost import metered
from twins_decode import counted_flop
from twins_kv_cache import halved


def drained(v):
    """Seconds to read a device in a thousand equal pieces."""
    seconds = 0.0
    for _ in range(1000):
        seconds += v["tier_capacity"] / 1000 / v["tier_bandwidth"]
    return seconds


def held(v):
    """Rent of a token's bytes, in a hundred equal spells."""
    bill = 0.0
    for _ in range(100):
        bill += v["hold_time"] / 100 * v["byte_rent"] * v["kv_bytes_per_token"]
    return bill


def fetched(v):
    """Rent of all bytes of the device while one token is read."""
    device = v["byte_rent"] * v["tier_capacity"]
    return device * (v["kv_bytes_per_token"] / v["tier_bandwidth"])


def kept(v):
    return held(v) + fetched(v)


def spent(k, rent, drain, hold):
    return k * rent * hold + k * rent * drain


def in_tier(name):
    def cost(v):
        k, hold = v["kv_bytes_per_token"], v["hold_time"]
        return spent(k, v[f"{name}_byte_rent"], v[f"{name}_drain"], hold)

    return cost


def in_hbm(v):
    """The rent of the chip, shared by what fits on it."""
    fits = v["hbm_capacity"] / v["kv_bytes_per_token"]
    return v["chip_hour_price"] * v["hold_time"] / fits


def made(v):
    return metered(counted_flop)(v | {"chips": 1.0, "batch": 1.0})


def cheapest(v):
    places = [in_tier(name)(v) for name in ("dram", "flash", "disk")]
    return sorted([*places, in_hbm(v), made(v)])[0]


def searched_leave(v):
    """From where on the farther tier is cheaper; shifted to stay positive."""
    shift = 2 * v["near_drain"]

    def cheaper(moved):
        hold = moved - shift
        near = spent(1.0, v["near_rent"], v["near_drain"], hold)
        return near > spent(1.0, v["far_rent"], v["far_drain"], hold)

    return halved(cheaper) - shift


def searched_forget(v):
    def dearer(moved):
        k = v["kv_bytes_per_token"]
        hold = moved - v["tier_drain"]
        return spent(k, v["byte_rent"], v["tier_drain"], hold) > made(v)

    return halved(dearer) - v["tier_drain"]


def betrayed(v):
    """Fit what is fixed and what grows to two offers of one vendor."""
    costs = [v[f"{n}_multiplier"] * v["input_price"] for n in OFFERS]
    times = [v[f"{n}_hold"] for n in OFFERS]
    return (costs[1] - costs[0]) / (times[1] - times[0])


OFFERS = ("short", "long")


def searched_reads(v):
    """Uses from which the cached bill is the smaller one."""

    def pays(uses):
        cached = v["short_multiplier"] + uses * v["read_multiplier"]
        return cached < 1 + uses

    return halved(pays)


def charged(v):
    """A thousand tokens, each charged once."""
    hits = 1000 * v["hit_share"]
    bill = hits * v["input_price"] * v["read_multiplier"]
    bill += (1000 - hits) * v["input_price"]
    return bill / 1000


def remade(v):
    return counted_flop(v | {"batch": 1.0, "chips": 1.0})


def delivered(v):
    return v["kv_bytes_per_token"] / v["tier_bandwidth"]


TWINS = {
    "tier_drain": drained,
    "busy_share": lambda v: drained(v) / v["hold_time"],
    "hold_cost": held,
    "fetch_cost": fetched,
    "keep_cost": kept,
    "byte_rent": lambda v: (
        v["byte_price"] / (v["service_life"] / 86400) / 86400
    ),
    "hbm_byte_rent": lambda v: v["chip_hour_price"] / v["hbm_capacity"],
    "leave_time": searched_leave,
    "forget_time": searched_forget,
    "hbm_keep_cost": in_hbm,
    "dram_keep_cost": in_tier("dram"),
    "flash_keep_cost": in_tier("flash"),
    "disk_keep_cost": in_tier("disk"),
    "cheapest_cost": cheapest,
    "remake_time": remade,
    "fetch_time": delivered,
    "remake_ratio": lambda v: remade(v) / delivered(v),
    "hold_price": betrayed,
    "priced_bytes": lambda v: halved(
        lambda k: k * v["byte_rent"] > v["hold_price"]
    ),
    "even_reads": searched_reads,
    "mixed_price": charged,
}
