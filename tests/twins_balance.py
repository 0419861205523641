"""Multiply-adds and bytes of one matrix, counted; batches searched for."""

import math


def arithmetic(v):
    multiply_adds = 0.0
    for _ in range(int(v["matrix_inputs"])):
        multiply_adds += v["matrix_batch"] * v["matrix_outputs"]
    return 2 * multiply_adds / v["peak_compute"]


def traffic(v):
    weights = 0.0
    for _ in range(int(v["matrix_inputs"])):
        weights += v["matrix_outputs"] * v["bytes_per_weight"]
    numbers = v["matrix_batch"] * v["matrix_inputs"]
    numbers += v["matrix_batch"] * v["matrix_outputs"]
    moved = weights + numbers * v["bytes_per_activation"]
    return moved / v["hbm_bandwidth"]


def balanced(v):
    """The batch at which arithmetic catches up with memory, by halving."""
    low, high = 1e-6, 1e12
    for _ in range(200):
        at = v | {"matrix_batch": math.sqrt(low * high)}
        if arithmetic(at) < traffic(at):
            low = at["matrix_batch"]
        else:
            high = at["matrix_batch"]
    return math.sqrt(low * high)


def share(v):
    """Bytes of activations per byte of weights, at one byte a weight."""
    rows = v["peak_compute"] / 2 / v["hbm_bandwidth"]
    numbers = rows * (v["matrix_inputs"] + v["matrix_outputs"])
    weights = v["matrix_inputs"] * v["matrix_outputs"]
    return numbers * v["bytes_per_activation"] / weights


def one_expert(v):
    """Deal the sequences' choices round the table; count the first plate."""
    choices = v["batch"] * v["experts_per_token"]
    plates = [0.0] * int(v["experts"])
    for i in range(len(plates)):
        plates[i] += choices / len(plates)
    return plates[0]


def balanced_by_sparsity(v):
    """Weights read in a second, and multiply-adds done, for one sequence."""
    stored = v["sparsity"] * 1e9
    seconds = stored * v["bytes_per_weight"] / v["hbm_bandwidth"]
    return seconds * v["peak_compute"] / 2 / 1e9


TWINS = {
    "sparse_balance_batch": balanced_by_sparsity,
    "matrix_compute_time": arithmetic,
    "matrix_memory_time": traffic,
    "matrix_balance_batch": balanced,
    "activation_share": share,
    "expert_batch": one_expert,
    "expert_balance_batch": lambda v: (
        balanced(v) / (v["experts_per_token"] / v["experts"])
    ),
}
