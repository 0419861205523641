"""Rounds, errors and activations, run and counted one by one."""

from twins_kv_cache import halved


def settled(v):
    """The factor at which e'' = e + G e' comes to rest."""
    before, now = 1.0, 1.0
    for _ in range(6000):
        before, now = 1.0, (before + v["gain"] * now) / now
    return now


def flipped(v):
    """Bits' agreement, round by round, each bit upset by G others."""
    gain = v["spread"] - 1 / v["spread"]
    now = 1 - 2 / v["block_bits"]
    before = now ** (1 / v["spread"])
    for _ in range(round(v["rounds"])):
        before, now = now, before * now**gain
    return (1 - now) / 2


def undone(v):
    error = 0.0
    for _ in range(round(v["rounds"])):
        error = v["spread"] * error + v["rounding_unit"]
        error += v["rounding_unit"]
    return error


def kept(v):
    return sum(v["layer_activation_bytes"] for _ in range(int(v["layers"])))


def saved(v):
    stretches = v["layers"] / v["checkpoint_interval"]
    at_work = v["layer_activation_bytes"] * v["checkpoint_interval"]
    return stretches * v["vector_bytes"] + at_work


def searched_interval(v):
    """Where one more layer between checkpoints stops paying."""

    def dearer(k):
        step = 1 + 1e-3
        return saved(v | {"checkpoint_interval": k * step}) > saved(
            v | {"checkpoint_interval": k / step}
        )

    return halved(dearer)


def least(v):
    return saved(v | {"checkpoint_interval": searched_interval(v)})


def in_hand(v):
    return v["vector_bytes"] + v["vector_bytes"] + v["layer_activation_bytes"]


def again(v, spared):
    """Passes over layers: 1 forward, 2 back, 1 again but for some."""
    layers = v["layers"]
    plain = layers + 2 * layers
    return (plain + layers - spared) / plain - 1


def forward_flop(v):
    return 2 * v["active_parameters"]


TWINS = {
    "spread": settled,
    "avalanche": flipped,
    "inversion_bound": undone,
    "plain_activation_bytes": kept,
    "checkpointed_bytes": saved,
    "best_interval": searched_interval,
    "least_checkpointed_bytes": least,
    "reversible_bytes": in_hand,
    "checkpoint_recompute": lambda v: again(v, v["checkpoint_interval"]),
    "reversible_recompute": lambda v: again({"layers": 61}, 0),
    "activation_worth": lambda v: forward_flop(v) / (kept(v) - in_hand(v)),
    "kv_worth": lambda v: forward_flop(v) / v["kv_bytes_per_token"],
}
