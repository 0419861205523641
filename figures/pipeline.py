"""Draw pipeline.svg: the same step of training under four schedules."""

from pathlib import Path

from roofline.schedule import KINDS, Schedule
from roofline.style import LIGHT

TEXT, RULE = "#333333", "#8A8A8A"
SLOT, ROW, LEFT, TOP = 24, 20, 70, 40
COLOURS = {
    "forward": LIGHT["compute"],
    "backward": LIGHT["memory"],
    "weights": LIGHT["kv"],
}
STEPS = [
    Schedule("gpipe", 4, 4, forward=2, backward=4),
    Schedule("1f1b", 4, 4, forward=2, backward=4),
    Schedule("interleaved", 4, 4, forward=2, backward=4, chunks=2),
    Schedule("zero-bubble", 4, 4, forward=2, backward=4, weights=2),
]
WORDS = {
    "forward": "forward",
    "backward": "backward",
    "weights": "gradients of weights, late",
}


def text(x, y, words, colour=TEXT, size=13, anchor="start", weight=400):
    return (
        f'<text x="{x:g}" y="{y:g}" fill="{colour}" font-size="{size}" '
        f'text-anchor="{anchor}" font-weight="{weight}">{words}</text>'
    )


def cell(c, top):
    x, y = LEFT + c.start * SLOT / 2, top + c.stage * ROW
    width = c.duration * SLOT / 2
    colour = COLOURS[c.kind]
    fill = "#FFFFFF" if c.kind == "forward" else colour
    ink = colour if c.kind == "forward" else "#FFFFFF"
    return (
        f'<rect x="{x + 0.5:g}" y="{y + 1}" width="{width - 1:g}" '
        f'height="{ROW - 2}" fill="{fill}" stroke="{colour}"/>'
        + text(x + width / 2, y + 14, c.micro_batch + 1, ink, 11, "middle")
    )


def panel(step, top):
    """One schedule: its name, its stages, its cells, its idle share."""
    share = float(step.idle_share)
    end = LEFT + step.step_time * SLOT / 2
    bottom = top + step.stages * ROW
    yield text(8, top - 8, KINDS[step.kind], TEXT, 14, weight=600)
    yield text(end, top - 8, f"idle {100 * share:.1f} %", RULE, 13, "end")
    yield (
        f'<rect x="{LEFT}" y="{top}" width="{end - LEFT:g}" '
        f'height="{bottom - top}" fill="#EEEEEE"/>'
    )
    for stage in range(step.stages):
        yield text(8, top + stage * ROW + 14, f"stage {stage + 1}", RULE, 12)
    yield from (cell(c, top) for c in step.cells)


def legend(y):
    x = LEFT
    for kind, colour in COLOURS.items():
        fill = "#FFFFFF" if kind == "forward" else colour
        yield (
            f'<rect x="{x}" y="{y - 11}" width="16" height="13" '
            f'fill="{fill}" stroke="{colour}"/>'
        )
        yield text(x + 22, y, WORDS[kind], TEXT, 12)
        x += 40 + 7 * len(WORDS[kind])
    yield f'<rect x="{x}" y="{y - 11}" width="16" height="13" fill="#EEEEEE"/>'
    yield text(x + 22, y, "waiting", TEXT, 12)


def draw():
    """The drawing as SVG text."""
    parts, top = [], TOP
    for step in STEPS:
        parts += panel(step, top)
        top += step.stages * ROW + 44
    longest = max(s.step_time for s in STEPS)
    width, height = LEFT + longest * SLOT / 2 + 12, top - 8
    parts += legend(height - 10)
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" '
        f'viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}" '
        'font-family="Helvetica, Arial, sans-serif">'
        "<title>One step of training under four schedules</title>\n"
        f'<rect width="{width:g}" height="{height:g}" fill="#FFFFFF"/>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


if __name__ == "__main__":
    Path(__file__).with_suffix(".svg").write_text(draw(), encoding="utf-8")
