"""Loops that count bytes and multiply-adds of attention, token by token."""

import math

from twins_decode import counted_flop, counted_kv, counted_pass


def counted_grouped(v):
    """Bytes: layer by layer, head by head, a key and a value."""
    total = 0.0
    for _layer in range(int(v["layers"])):
        for _head in range(int(v["kv_heads"])):
            for _key_or_value in range(2):
                total += v["head_dim"] * v["bytes_per_element"]
    return total


def counted_latent(v):
    total = 0.0
    for _layer in range(int(v["layers"])):
        total += v["kv_rank"] * v["bytes_per_element"]
        total += v["rope_dim"] * v["bytes_per_element"]
    return total


def counted_windows(v):
    """Bytes of each layer, whose window is full or not."""
    each = 2 * v["kv_heads"] * v["head_dim"] * v["bytes_per_element"]
    total = 0.0
    for layer in range(int(v["layers"])):
        kept = v["context"]
        if layer < v["windowed_layers"] and kept > v["window"]:
            kept = v["window"]
        total += kept * each
    return total


def counted_sparse(v):
    total = 0.0
    for _layer in range(int(v["layers"])):
        total += v["context"] * v["index_dim"]
        read = v["top_k"] if v["context"] > v["top_k"] else v["context"]
        total += read * v["kv_rank"] + read * v["rope_dim"]
    return total * v["bytes_per_element"]


def counted_heads(v):
    """Multiply-adds: every query head, once for key and once for value."""
    total = 0.0
    for _layer in range(int(v["layers"])):
        for _head in range(int(v["query_heads"])):
            total += v["head_dim"]
            total += v["head_dim"]
    return total


def counted_absorbed(v):
    total = 0.0
    for _layer in range(int(v["layers"])):
        for _head in range(int(v["query_heads"])):
            total += v["kv_rank"] + v["rope_dim"]
            total += v["kv_rank"]
    return total


def counted_attention(v):
    total = 0.0
    for _ in range(int(v["batch"])):
        total += 2 * v["context"] * v["attention_multiply_adds"]
    return total / v["chips"] / v["attention_peak"]


def hidden_bytes(v):
    """Bytes read while attention multiplies with one token of context."""
    seconds = 2 * v["attention_multiply_adds"] / v["attention_peak"]
    return seconds * v["hbm_bandwidth"]


def halved(above):
    """The value up to which ``above`` does not hold, by halving."""
    low, high = 1e-12, 1e24
    for _ in range(300):
        middle = math.sqrt(low * high)
        if above(middle):
            high = middle
        else:
            low = middle
    return math.sqrt(low * high)


def searched_context(v):
    """Where reading a context gets slower than the weights' arithmetic."""

    def slower(context):
        read = context * v["kv_bytes_per_token"] / v["hbm_bandwidth"]
        return read > 2 * v["active_parameters"] / v["peak_compute"]

    return halved(slower)


def searched_attended_context(v):
    def slower(context):
        read = context * v["kv_bytes_per_token"] / v["hbm_bandwidth"]
        flop = 2 * v["active_parameters"] / v["peak_compute"]
        own = 2 * context * v["attention_multiply_adds"] / v["attention_peak"]
        return read > flop + own

    return halved(slower)


def searched_attended_batch(v):
    def busier(batch):
        cache = v["context"] * v["kv_bytes_per_token"]
        own = v["context"] * v["attention_multiply_adds"]
        weights = v["bytes_per_weight"] * v["total_parameters"]
        flop = 2 * v["active_parameters"] / v["peak_compute"]
        flop += 2 * own / v["attention_peak"]
        return batch * (flop - cache / v["hbm_bandwidth"]) > (
            weights / v["hbm_bandwidth"]
        )

    return halved(busier)


def filled(v):
    """Sequences until the next one does not fit; the last in part."""
    room = v["chips"] * v["hbm_capacity"]
    room -= v["bytes_per_weight"] * v["total_parameters"]
    return halved(lambda b: b * v["context"] * v["kv_bytes_per_token"] > room)


def occupied(v):
    total = v["total_parameters"] * v["bytes_per_weight"]
    for _ in range(int(v["batch"])):
        total += v["context"] * v["kv_bytes_per_token"]
    return total


def pooled(v):
    return sum(v["hbm_capacity"] for _ in range(int(v["chips"])))


TWINS = {
    "grouped_kv_bytes": counted_grouped,
    "latent_kv_bytes": counted_latent,
    "sequence_kv_bytes": lambda v: counted_kv(
        v | {"batch": 1, "chips": 1, "hbm_bandwidth": 1}
    ),
    "windowed_kv_bytes": counted_windows,
    "sparse_read_bytes": counted_sparse,
    "grouped_multiply_adds": counted_heads,
    "latent_multiply_adds": counted_absorbed,
    "attention_intensity": lambda v: (
        (v["attention_multiply_adds"] + v["attention_multiply_adds"])
        / v["kv_bytes_per_token"]
    ),
    "attention_time": counted_attention,
    "attended_compute_time": lambda v: counted_flop(v) + counted_attention(v),
    "net_kv_bytes": lambda v: v["kv_bytes_per_token"] - hidden_bytes(v),
    "balance_context": searched_context,
    "attended_balance_context": searched_attended_context,
    "attended_balance_batch": searched_attended_batch,
    "compute_share": lambda v: counted_flop(v) / counted_pass(v),
    "hbm_bytes": pooled,
    "resident_bytes": occupied,
    "capacity_batch": filled,
}
