"""Draw two_clocks.svg: what one pass reads, and what it multiplies."""

from pathlib import Path

from roofline.style import LIGHT

TEXT, RULE = "#333333", "#8A8A8A"
WIDTH, HEIGHT = 760, 330


def box(x, y, width, height, colour, fill="none", radius=6):
    return (
        f'<rect x="{x}" y="{y}" width="{width}" height="{height}" '
        f'rx="{radius}" fill="{fill}" stroke="{colour}" stroke-width="1.8"/>'
    )


def text(x, y, words, colour=TEXT, size=15, anchor="middle", weight=400):
    return (
        f'<text x="{x}" y="{y}" fill="{colour}" font-size="{size}" '
        f'text-anchor="{anchor}" font-weight="{weight}">{words}</text>'
    )


def arrow(x1, x2, y, colour):
    return (
        f'<path d="M{x1} {y}H{x2 - 9}" stroke="{colour}" '
        f'stroke-width="2.4" fill="none"/>'
        f'<path d="M{x2 - 10} {y - 5}L{x2} {y}L{x2 - 10} {y + 5}Z" '
        f'fill="{colour}"/>'
    )


def bar(x, y, width, words, colour):
    return box(x, y, width, 30, colour, colour, 3) + text(
        x + width / 2, y + 20, words, "#FFFFFF", 14
    )


def draw():
    """The drawing as SVG text."""
    compute, memory, kv = LIGHT["compute"], LIGHT["memory"], LIGHT["kv"]
    parts = [
        # What lies in HBM.
        box(20, 34, 200, 150, RULE),
        text(120, 24, "HBM of all chips"),
        box(34, 48, 172, 62, memory),
        text(120, 76, "weights", memory, 16, weight=600),
        text(120, 97, "read once a pass", memory, 13),
        *(box(34 + 44 * i, 122, 38, 50, kv) for i in range(4)),
        *(text(53 + 44 * i, 144, "KV", kv, 14) for i in range(4)),
        *(text(53 + 44 * i, 162, f"{i + 1}", kv, 12) for i in range(4)),
        # The bus and the arithmetic units.
        arrow(224, 372, 80, memory),
        arrow(224, 372, 146, kv),
        text(298, 66, "one read, shared", memory, 13),
        text(298, 132, "one read a sequence", kv, 13),
        box(378, 34, 190, 150, RULE),
        text(473, 24, "arithmetic units"),
        text(473, 92, "each sequence", compute, 15),
        text(473, 112, "× active parameters", compute, 15),
        text(473, 132, "= multiply-adds", compute, 15),
        arrow(574, 622, 112, RULE),
        text(694, 106, "one new token"),
        text(694, 126, "for each sequence"),
        # The two clocks.
        text(20, 232, "memory", memory, 14, "start", 600),
        bar(104, 212, 300, "weights", memory),
        bar(406, 212, 120, "KV cache", kv),
        text(20, 272, "arithmetic", compute, 14, "start", 600),
        bar(104, 252, 210, "multiply-adds", compute),
        f'<path d="M526 204V296" stroke="{TEXT}" stroke-dasharray="3 3"/>',
        f'<path d="M104 204V296" stroke="{TEXT}" stroke-dasharray="3 3"/>',
        arrow(104, 526, 300, TEXT),
        text(315, 322, "one pass: as long as the slower clock", TEXT, 14),
    ]
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        'font-family="Helvetica, Arial, sans-serif">'
        "<title>What one pass reads and multiplies</title>\n"
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#FFFFFF"/>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


if __name__ == "__main__":
    Path(__file__).with_suffix(".svg").write_text(draw(), encoding="utf-8")
