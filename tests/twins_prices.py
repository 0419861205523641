"""Clocks compared and bills added line by line, without the equations."""

from twins_cost import searched
from twins_decode import counted_flop, counted_kv, counted_weights


def on_a_chip(v, **more):
    """A chip of that balance: it reads 1e12 bytes a second."""
    flop = 2 * v["machine_balance"] * 1e12 / v.get("bytes_per_weight", 1)
    sizes = {
        "chips": 1.0,
        "hbm_bandwidth": 1e12,
        "peak_compute": flop,
        "bytes_per_weight": v.get("bytes_per_weight", 1.0),
        "active_parameters": 1e10,
    }
    return sizes | v | more


def bytes_at_step(v):
    """The cache whose read takes as long as the arithmetic at the step."""

    def too_small(k):
        at = on_a_chip(
            v, batch=7, context=v["step_context"], kv_bytes_per_token=k
        )
        return counted_kv(at) < counted_flop(at)

    return searched(too_small, 1e-9, 1e15)


def clocks(v):
    """Memory's time over arithmetic's, with the cache that the step has."""
    at = on_a_chip(v)
    at["total_parameters"] = v["sparsity"] * at["active_parameters"]
    at["kv_bytes_per_token"] = bytes_at_step(v)
    return (counted_weights(at) + counted_kv(at)) / counted_flop(at)


def context_for(v):
    """Until the caches alone take the ratio, whatever the batch."""

    def too_short(context):
        at = on_a_chip(
            v | {"machine_balance": 300.0},
            batch=3,
            context=context,
            kv_bytes_per_token=bytes_at_step(v | {"machine_balance": 300.0}),
        )
        return counted_kv(at) < v["time_ratio"] * counted_flop(at)

    return searched(too_short, 1e-6, 1e15)


def batch_for(v):
    """Weights and caches by the batch, until the ratio is reached."""
    weights = v["machine_balance"] * v["sparsity"]

    def ahead(b):
        own = weights / b + v["context"] / v["step_context"]
        return own > v["time_ratio"]

    return searched(ahead, 1e-9, 1e18)


def new_tokens(clock):
    """One pass over the new tokens of every sequence, divided at the end."""

    def each(v):
        at = {"batch": 5.0} | v
        tokens = at["batch"] * at.get("pass_length", 1.0)
        return clock(at) / tokens

    return each


def reads(v):
    return counted_weights(v) + counted_kv(v)


def multiplies(v):
    """A pass whose every new token is a sequence of its own."""
    tokens = v.get("batch", 5.0) * v.get("pass_length", 1.0)
    once = 2 * v["active_parameters"] / v["peak_compute"] / v["chips"]
    return once * tokens


def bill(v):
    total = v["output_tokens"] * v["output_price"]
    for tokens, price in (
        (v["hit_tokens"], v["cached_price"]),
        (v["prompt_tokens"] - v["hit_tokens"], v["input_price"]),
    ):
        total += tokens * price
    return total


TWINS = {
    "implied_kv_bytes": bytes_at_step,
    "upper_price_time": lambda v: counted_flop(v) * v["step_ratio"],
    "time_ratio": clocks,
    "ratio_context": context_for,
    "ratio_batch": batch_for,
    "passed_compute_time": new_tokens(multiplies),
    "passed_memory_time": new_tokens(reads),
    "passed_time": new_tokens(lambda v: max(multiplies(v), reads(v))),
    "output_premium": lambda v: v["output_price"] / v["input_price"],
    "implied_share": lambda v: 1 / (v["output_price"] / v["input_price"]),
    "read_multiplier": lambda v: v["cached_price"] / v["input_price"],
    "request_price": bill,
}
