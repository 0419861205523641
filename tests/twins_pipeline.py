"""Pipelines laid out task by task, and messages counted one by one."""

from fractions import Fraction

from roofline.schedule import Schedule


def counted_inside(v):
    total = 0.0
    for _ in range(int(v["experts_per_token"])):
        for _direction in ("out", "back"):
            total += v["vector_bytes"] / v["scaleup_bandwidth"]
    return total * v["layers_per_stage"]


def counted_outside(v):
    return v["vector_bytes"] / v["scaleout_bandwidth"]


def counted_ratio(v):
    v = v | {"vector_bytes": 7168.0}
    return counted_inside(v) / counted_outside(v)


def searched_layers(v):
    """The layers at which both networks take the same time, by halving."""
    low, high = 1e-6, 1e9
    for _ in range(200):
        middle = (low * high) ** 0.5
        if counted_ratio(v | {"layers_per_stage": middle}) < 1:
            low = middle
        else:
            high = middle
    return low


def laid_out(kind, v, **more):
    return Schedule(
        kind,
        int(v["stages"]),
        int(v.get("micro_batches", 5)),
        forward=v.get("forward_time", 1.0),
        backward=v.get("backward_time", 2.0),
        **more,
    )


def last_stage(v):
    """Start and end of what the last of the stages does in 1F1B."""
    step = laid_out("1f1b", v)
    cells = [c for c in step.cells if c.stage == step.stages - 1]
    return step, cells[0].start, cells[-1].end


def counted_fill(v):
    return last_stage(v | {"backward_time": 1.0})[1]


def counted_work(v):
    return laid_out("gpipe", v | {"stages": 3}).busy(1)


def counted_empty(v):
    step, _, end = last_stage(v | {"forward_time": 1.0})
    return step.step_time - end


def interleaved(v):
    p, chunks = int(v["stages"]), int(v["chunks"])
    kind = "interleaved" if chunks > 1 else "1f1b"
    return laid_out(kind, v | {"micro_batches": p}, chunks=chunks)


def counted_interleaved_share(v):
    step = interleaved(v)
    return step.idle(0) / (step.busy(0) / step.stages * v["micro_batches"])


def zero_bubble(v, micro_batches):
    """Exact times: whether a gap is wide enough must not hang on rounding."""
    times = {n: Fraction(x) for n, x in v.items() if n.endswith("_time")}
    return laid_out(
        "zero-bubble",
        v | times | {"micro_batches": micro_batches},
        weights=times.get("weight_gradient_time"),
    )


def searched_micro_batches(v):
    """Micro-batches at which waiting is that share of the step."""
    low, high = 1e-9, 1e9
    for _ in range(200):
        middle = (low * high) ** 0.5
        waiting = 2 * (v["stages"] - 1)
        if waiting / (waiting + 2 * middle) > v["idle_share"]:
            low = middle
        else:
            high = middle
    return low


TWINS = {
    "scaleup_time": counted_inside,
    "scaleout_time": counted_outside,
    "network_ratio": counted_ratio,
    "least_layers_per_stage": searched_layers,
    "fill_time": counted_fill,
    "work_time": counted_work,
    "empty_time": counted_empty,
    "step_time": lambda v: laid_out("gpipe", v).step_time,
    "bubble_time": lambda v: laid_out("1f1b", v).idle(0),
    "idle_share": lambda v: laid_out("gpipe", v).idle_share,
    "idle_over_useful": lambda v: laid_out("1f1b", v).idle_over_useful,
    "needed_micro_batches": searched_micro_batches,
    "interleaved_bubble_time": lambda v: interleaved(v).idle(0),
    "interleaved_idle_over_useful": counted_interleaved_share,
    "zero_bubble_time": lambda v: zero_bubble(v, int(v["stages"])).idle(0),
    "zero_bubble_idle_over_useful": lambda v: (
        zero_bubble(v, int(v["micro_batches"])).idle_over_useful
    ),
}
