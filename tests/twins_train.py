"""Passengers, trains and racks, counted one by one."""

from twins_kv_cache import filled, halved


def arrivals(v, count=1000):
    """(wait, wait and ride) of evenly spread arrivals in one interval."""
    period = v["train_period"]
    for i in range(count):
        wait = period - (i + 0.5) / count * period
        yield wait, wait + period


def mean(numbers):
    numbers = list(numbers)
    return sum(numbers) / len(numbers)


def missed(v):
    """Who comes the moment after the doors close: next train, then ride."""
    leaves = [v["train_period"], v["train_period"] + v["train_period"]]
    return leaves[0] + (leaves[1] - leaves[0])


def written(v):
    """Tokens of a thousand passes over the seconds that they took."""
    tokens = seconds = 0.0
    for _ in range(1000):
        tokens += v["batch"]
        seconds += v["train_period"]
    return tokens / seconds


def full_time(v):
    flop = filled(v) * 2 * v["active_parameters"]
    return flop / v["chips"] / v["peak_compute"]


def drain(v):
    return v["hbm_capacity"] / v["hbm_bandwidth"]


def searched_context(v):
    """The context from which a full HBM holds too few to fill the time."""

    def idle(context):
        return full_time(v | {"context": context}) < drain(v)

    return halved(idle)


def full_rate(v):
    return filled(v) / max(drain(v), full_time(v))


TWINS = {
    "mean_wait": lambda v: mean(wait for wait, _ in arrivals(v)),
    "mean_token_time": lambda v: mean(both for _, both in arrivals(v)),
    "worst_token_time": missed,
    "token_rate": written,
    "trains_needed": lambda v: v["traffic"] / written(v),
    "full_rack_time": full_time,
    "full_rack_context": searched_context,
    "full_rack_rate": full_rate,
}
