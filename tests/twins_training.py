"""Bills added token by token, and valleys searched, without the equations."""

import math

import mpmath


def per_token(parameters, sweeps):
    """Operations of one token: a multiply and an add in every sweep."""
    total = 0.0
    for _ in range(sweeps):
        total += parameters  # multiply
        total += parameters  # add
    return total


def pretraining(v):
    # Forward, back to the inputs, back to the weights.
    return per_token(v["active_parameters"], 3) * v["pretraining_tokens"]


def served(v):
    once = per_token(v["active_parameters"], 1)
    return once * v["inference_tokens"] * v["decode_inefficiency"]


def rl(v):
    work = v["rl_flop"] * v["active_parameters"] * v["rl_tokens"]
    return work * v["decode_inefficiency"]


def looks_back(v):
    """Pairs of tokens by the trapezoid under "how many stand before me"."""
    length, pairs = v["context"], 0.0
    step = length / 1000
    for i in range(1000):
        pairs += (i + 0.5) * step * step
    return 2 * v["attention_multiply_adds"] * pairs


def attention_share(v):
    return 3 * looks_back(v) / per_token(v["active_parameters"], 3) / (
        v["context"]
    )  # fmt: skip


# Two costs


def halved(past, low, high, steps=400):
    for _ in range(steps):
        middle = math.sqrt(low) * math.sqrt(high)
        low, high = (low, middle) if past(middle) else (middle, high)
    return low


def both(v, x):
    return x ** v["rising_power"] + 1 / x ** v["falling_power"]


def bottom(v):
    """Where the slope of the sum turns from falling to rising."""
    p, q = v["rising_power"], v["falling_power"]

    def rises(x):
        return p * x ** (p - 1) > q / x ** (q + 1)

    return halved(rises, 1e-60, 1e60)


def split(v):
    x = bottom(v)
    return x ** v["rising_power"] * x ** v["falling_power"]


# Losses, at so many digits that a numerical derivative is exact enough


def loss(v, size, tokens):
    small = v["size_scale"] * mpmath.mpf(size) ** -v["size_power"]
    little = v["token_scale"] * mpmath.mpf(tokens) ** -v["token_power"]
    return v.get("irreducible_loss", 1.7) + small + little


def slopes(v):
    """Change of the loss for 1 per cent of size, and 1 per cent of tokens."""
    size, tokens = v["active_parameters"], v["pretraining_tokens"]
    with mpmath.workdps(40):
        return (
            mpmath.diff(lambda u: loss(v, size * mpmath.exp(u), tokens), 0),
            mpmath.diff(lambda u: loss(v, size, tokens * mpmath.exp(u)), 0),
        )


def traded(v):
    by_size, by_tokens = slopes(v)
    return float(by_tokens / by_size)


def cheapest_for(v):
    """Inference at which a step along equal loss changes the bill by 0."""
    tokens, size = v["pretraining_tokens"], v["active_parameters"]
    with mpmath.workdps(40):
        by_size, by_tokens = slopes(v)
        # One more token, and the size that it replaces.
        smaller = -size * by_tokens / by_size / tokens
        dearer = 6 * size + 6 * tokens * smaller
        return float(-dearer / (2 * smaller * v["decode_inefficiency"]))


def compute_optimal(v):
    """The tokens at which neither trade lowers the loss at equal compute."""

    def too_many(tokens):
        by_size, by_tokens = slopes(v | {"pretraining_tokens": tokens})
        return abs(by_tokens) < abs(by_size)

    return halved(too_many, 1e-3, 1e30, steps=60)


def left_for_size(v):
    return v["target_loss"] - float(
        v["irreducible_loss"]
        + v["token_scale"] * v["pretraining_tokens"] ** -v["token_power"]
    )


def matched(v):
    """The size that reaches the target, by halving on its logarithm."""
    wanted = left_for_size(v)

    def large_enough(log_size):
        added = v["size_scale"] * math.exp(-v["size_power"] * log_size)
        return added < wanted

    low, high = -700.0, 700.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (low, middle) if large_enough(middle) else (middle, high)
    return math.exp(low)


def with_matched(bill):
    return lambda v: bill(v | {"active_parameters": matched(v)})


def equal_pretraining(v):
    tokens = v["model_traffic"] * v["model_lifetime"]
    bill = per_token(1.0, 1) * tokens * v["decode_inefficiency"]
    return bill / per_token(1.0, 3)


def equal_rl(v):
    tokens = v["model_traffic"] * v["model_lifetime"]
    return per_token(1.0, 1) * tokens / v["rl_flop"]


def equal_served(v):
    bill = per_token(1.0, 3) * v["pretraining_tokens"]
    return bill / (per_token(1.0, 1) * v["decode_inefficiency"])


def equal_for_served(v):
    serving = v | {"decode_inefficiency": 3.0}
    bill = per_token(1.0, 1) * cheapest_for(serving) * 3.0
    return bill / per_token(1.0, 3) / v["active_parameters"]


def ratio(v):
    return v["pretraining_tokens"] / v["active_parameters"]


TWINS = {
    "pretraining_cost": pretraining,
    "rl_cost": rl,
    "inference_cost": served,
    "lifetime_cost": lambda v: pretraining(v) + rl(v) + served(v),
    "prompt_attention_flop": looks_back,
    "training_attention_share": attention_share,
    "training_utilisation": lambda v: (
        pretraining(v) / v["training_time"] / v["peak_compute"]
    ),
    "rising_cost": lambda v: math.exp(v["rising_power"] * math.log(v["dial"])),
    "falling_cost": lambda v: math.exp(
        -v["falling_power"] * math.log(v["dial"])
    ),
    "summed_cost": lambda v: both(v, v["dial"]),
    "best_dial": bottom,
    "best_split": split,
    "equal_cost_penalty": lambda v: both(v, 1) / both(v, bottom(v)),
    "inference_tokens": lambda v: v["model_traffic"] * v["model_lifetime"],
    "equal_pretraining_tokens": equal_pretraining,
    "equal_rl_tokens": equal_rl,
    "tokens_per_parameter": ratio,
    "over_training": lambda v: ratio(v) / v["base_ratio"],
    "multiple_tokens": lambda v: (
        v["over_training"] * v["base_ratio"] * v["active_parameters"]
    ),
    "equal_over_training": lambda v: (
        equal_pretraining(v) / v["active_parameters"] / v["base_ratio"]
    ),
    "scaling_loss": lambda v: float(
        loss(v, v["active_parameters"], v["pretraining_tokens"])
    ),
    "exchange_rate": traded,
    "training_share": lambda v: pretraining(v) / (pretraining(v) + served(v)),
    "equal_served_tokens": equal_served,
    "served_tokens": cheapest_for,
    "best_ratio": ratio,
    "equal_ratio": equal_for_served,
    "optimal_tokens": compute_optimal,
    "over_optimum": lambda v: v["pretraining_tokens"] / compute_optimal(v),
    "size_loss": left_for_size,
    "matched_parameters": matched,
    "matched_training_cost": with_matched(pretraining),
    "matched_inference_cost": with_matched(served),
    "matched_cost": with_matched(lambda v: pretraining(v) + served(v)),
}
