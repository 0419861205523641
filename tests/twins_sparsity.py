"""Loops and searches for sparsity, written without the equations."""

import math


def stored_over_active(v):
    """Stored over active, counted over the experts of one token."""
    active = stored = 1 - v["routed_share"]
    for _ in range(int(v["experts_per_token"])):
        active += v["routed_share"] / v["experts_per_token"]
    for _ in range(int(v["experts"])):
        stored += v["routed_share"] / v["experts_per_token"]
    return stored / active


def offset(v):
    """What stands in series with the limit and gives the start, searched."""
    low, high = 1.0, 1e6
    for _ in range(200):
        middle = (low + high) / 2
        gap = middle * v["expert_limit"] / (middle + v["expert_limit"])
        if gap < v["expert_start"]:
            low = middle
        else:
            high = middle
    return low


def counted(v, experts=None):
    """Experts that count: two conductances, the limit's in series."""
    experts = v["experts"] if experts is None else experts
    grown = experts - 1 + offset(v)
    return grown * v["expert_limit"] / (grown + v["expert_limit"])


def decades(v, size, experts):
    """The paper's own form: log10 of the loss, bilinear in two logs."""
    n, e = math.log10(size), math.log10(counted(v, experts))
    return (
        -v["size_slope"] * n
        - v.get("expert_slope", 0) * e
        + v["cross_slope"] * n * e
        + v.get("loss_level", 0)
    )


def slope(v, experts):
    """How fast the loss falls with size, by a difference of a decade."""
    return decades(v, 1e8, experts) - decades(v, 1e9, experts)


def searched_base(v):
    """The active size whose loss is the dense model's, by halving."""
    wanted = decades(v, v["dense_parameters"], 1)
    low, high = 0.0, 20.0
    for _ in range(200):
        middle = (low + high) / 2
        if decades(v, 10**middle, v["experts"]) > wanted:
            low = middle
        else:
            high = middle
    return 10 ** ((low + high) / 2)


def searched_stored(v):
    return stored_over_active(v) * searched_base(v)


def multiplied(v, size):
    """Seconds of a chip for one token's multiply-adds."""
    return size * 2 / v["peak_compute"]


def read(v, size):
    """Seconds of a chip for one token's share of a read."""
    return size * v["bytes_per_weight"] / v["hbm_bandwidth"] / v["batch"]


def routed_time(v):
    return max(multiplied(v, searched_base(v)), read(v, searched_stored(v)))


def dense_time(v):
    size = v["dense_parameters"]
    return max(multiplied(v, size), read(v, size))


def searched_sparsity(v):
    """The sparsity at which a model of one parameter balances."""
    low, high = 1e-9, 1e12
    for _ in range(300):
        middle = math.sqrt(low * high)
        if read(v, middle) < multiplied(v, 1):
            low = middle
        else:
            high = middle
    return math.sqrt(low * high)


def searched_users(v):
    """Users at whom the sparse read costs the dense arithmetic."""
    stored, low, high = searched_stored(v), 1e-9, 1e12
    for _ in range(300):
        middle = math.sqrt(low * high)
        dense = multiplied(v, v["dense_parameters"])
        if read(v | {"batch": middle}, stored) > dense:
            low = middle
        else:
            high = middle
    return math.sqrt(low * high)


def filled(v):
    """Weights, and one cache for each sequence of a balance batch."""
    weights = v["bytes_per_weight"] * v["total_parameters"]
    reading = weights / v["hbm_bandwidth"]
    each = 2 * v["active_parameters"] / v["peak_compute"]
    cache = v["context"] * v["kv_bytes_per_token"]
    return weights + cache * (reading / each)


TWINS = {
    "sparsity": stored_over_active,
    "expert_offset": offset,
    "counted_experts": counted,
    "size_exponent": lambda v: slope(v, v["experts"]),
    "dense_exponent": lambda v: slope(v | {"expert_limit": 1e9}, 1),
    "routed_loss": lambda v: (
        10 ** decades(v, v["base_parameters"], v["experts"])
    ),
    "dense_loss": lambda v: (
        10 ** decades(v | {"expert_limit": 1e9}, v["dense_parameters"], 1)
    ),
    "base_parameters": searched_base,
    "active_saving": lambda v: v["dense_parameters"] / searched_base(v),
    "stored_parameters": searched_stored,
    "stored_growth": lambda v: searched_stored(v) / v["dense_parameters"],
    "token_compute_time": lambda v: multiplied(v, searched_base(v)),
    "token_weight_time": lambda v: read(v, searched_stored(v)),
    "token_time": routed_time,
    "dense_token_time": dense_time,
    "best_sparsity": searched_sparsity,
    "break_even_batch": searched_users,
    "balanced_bytes": filled,
}
