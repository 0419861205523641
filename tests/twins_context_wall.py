"""Loops and searches for what grows with the context."""

from twins_decode import counted_flop, counted_kv, counted_weights
from twins_kv_cache import (
    counted_attention,
    counted_sparse,
    filled,
    halved,
    searched_context,
)


def counted_unfolded(v):
    """Multiply-adds: each head compares with a key, then takes a value."""
    total = 0.0
    for _layer in range(int(v["layers"])):
        for _head in range(int(v["query_heads"])):
            total += v["nope_dim"] + v["rope_dim"]
            total += v["value_dim"]
    return total


def counted_index(v):
    total = 0.0
    for _layer in range(int(v["layers"])):
        for _head in range(int(v["index_heads"])):
            total += v["index_dim"]
    return total


def with_weights(v):
    return v["active_parameters"] + v["active_parameters"]


def with_context(v):
    return v["context"] * (
        v["attention_multiply_adds"] + v["attention_multiply_adds"]
    )


def searched_work(v):
    """The context from which looking back outweighs the weights."""
    return halved(
        lambda context: (
            with_context(v | {"context": context}) > with_weights(v)
        )
    )


def read_by_steps(v):
    """The look-back of a prompt, token by token in a thousand steps."""
    step, total = v["context"] / 1000, 0.0
    for i in range(1000):
        behind = (i + 0.5) * step
        total += step * behind * 2 * v["prompt_multiply_adds"]
    return total


def searched_prompt(v):
    def heavier(context):
        at = v | {"context": context}
        return read_by_steps(at) > context * with_weights(at)

    return halved(heavier)


def read_time(v):
    seconds = v["context"] * with_weights(v) / v["peak_compute"]
    seconds += read_by_steps(v) / v["attention_peak"]
    return seconds / v["chips"]


def waiting(v):
    """Seconds of a pass in which the multipliers have nothing to do."""
    read = counted_weights(v) + counted_kv(v)
    return read - counted_flop(v) - counted_attention(v)


def ridden(v):
    each = with_weights(v)
    each += 2 * v["prompt_multiply_adds"] * v["chunk_context"]
    return v.get("chunk", 1.0) * each / v["peak_compute"] / v["chips"]


def searched_chunk(v):
    spare = waiting(v)
    return halved(lambda chunk: ridden(v | {"chunk": chunk}) > spare)


def in_blocks(v, size):
    return v["context"] / size + v["chosen_blocks"] * size


def searched_block(v):
    """Where a slightly larger block reads more than a slightly smaller."""

    def past(size):
        up, down = in_blocks(v, 1.001 * size), in_blocks(v, size / 1.001)
        return up > down

    return halved(past)


def fewest(v):
    return in_blocks(v, searched_block(v))


def block_bytes(v):
    total = 0.0
    for _layer in range(int(v["layers"])):
        total += fewest(v) * (v["kv_rank"] + v["rope_dim"])
    return total * v["bytes_per_element"]


def block_work(v):
    """Summaries first, then the chosen blocks, entry by entry alike."""
    size, a = searched_block(v), v["attention_multiply_adds"]
    looked = v["context"] / size * a
    looked += v["chosen_blocks"] * size * a
    return looked + looked


def compressed_work(v):
    looked = v["context"] * v["compressed_multiply_adds"]
    few = sorted([v["context"], v["chosen_tokens"]])[0]
    looked += few * v["chosen_multiply_adds"]
    return looked + looked


def sparse_work(v):
    looked = v["context"] * counted_index(v)
    read = v["top_k"] if v["context"] > v["top_k"] else v["context"]
    looked += read * v["attention_multiply_adds"]
    return looked + looked


def rent(v, seconds):
    """Rent of each of the sequences that fit, for so many seconds."""
    bill = 0.0
    for _chip in range(int(v["chips"])):
        bill += v["chip_hour_price"] * seconds
    return bill / filled(v)


def dense_work(v):
    """Seconds of arithmetic of all that fits."""
    flop = filled(v) * with_weights(v) / v["peak_compute"]
    flop += filled(v) * with_context(v) / v["attention_peak"]
    return flop / v["chips"]


def dense_cost(v):
    drain = v["hbm_capacity"] / v["hbm_bandwidth"]
    return rent(v, max(drain, dense_work(v)))


def sparse_read(v):
    moved = v["total_parameters"] * v["bytes_per_weight"]
    moved += filled(v) * counted_sparse(v)
    return moved / v["hbm_bandwidth"] / v["chips"]


def sparse_time(v):
    flop = filled(v) * (with_weights(v) + sparse_work(v))
    return flop / v["peak_compute"] / v["chips"]


TWINS = {
    "expanded_multiply_adds": counted_unfolded,
    "index_multiply_adds": counted_index,
    "weight_flop": with_weights,
    "attention_flop": with_context,
    "token_flop": lambda v: with_weights(v) + with_context(v),
    "sparse_flop": sparse_work,
    "block_flop": block_work,
    "compressed_flop": compressed_work,
    "equal_work_context": searched_work,
    "chip_intensity": lambda v: v["peak_compute"] / v["hbm_bandwidth"],
    "wall_ratio": lambda v: (
        searched_work(v | {"active_parameters": 1e10})
        / searched_context(v | {"active_parameters": 1e10})
    ),
    "prefill_weight_flop": lambda v: v["context"] * with_weights(v),
    "prefill_attention_flop": read_by_steps,
    "prefill_equal_context": searched_prompt,
    "prefill_time": read_time,
    "prefill_cost": lambda v: (
        read_time(v | {"chips": 1}) * v["chip_hour_price"]
    ),
    "spare_time": waiting,
    "chunk_time": ridden,
    "free_chunk": searched_chunk,
    "summary_entries": lambda v: v["context"] / v["block_size"],
    "chosen_entries": lambda v: v["block_size"] * v["chosen_blocks"],
    "block_entries": lambda v: in_blocks(v, v["block_size"]),
    "best_block": searched_block,
    "least_entries": fewest,
    "block_read_bytes": block_bytes,
    "compressed_kv_bytes": lambda v: (
        v["context"] * v["compressed_bytes_per_token"]
    ),
    "seat_rent": lambda v: rent(v, 1.0),
    "full_attended_time": dense_work,
    "full_rack_cost": dense_cost,
    "sparse_memory_time": sparse_read,
    "sparse_compute_time": sparse_time,
    "sparse_rack_cost": lambda v: rent(v, max(sparse_read(v), sparse_time(v))),
}
