"""Draw experts.svg: a token's way to its experts, inside a rack and out."""

from pathlib import Path

from roofline.style import LIGHT

TEXT, RULE = "#333333", "#8A8A8A"
WIDTH, HEIGHT = 760, 380
CHIPS, TOP, STEP = 4, 58, 68


def box(x, y, width, height, colour, fill="none", radius=6):
    return (
        f'<rect x="{x}" y="{y}" width="{width}" height="{height}" '
        f'rx="{radius}" fill="{fill}" stroke="{colour}" stroke-width="1.8"/>'
    )


def text(x, y, words, colour=TEXT, size=14, anchor="middle", weight=400):
    return (
        f'<text x="{x}" y="{y}" fill="{colour}" font-size="{size}" '
        f'text-anchor="{anchor}" font-weight="{weight}">{words}</text>'
    )


def line(x1, y1, x2, y2, colour, wide=2.2, dash=""):
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return (
        f'<path d="M{x1} {y1}L{x2} {y2}" stroke="{colour}" '
        f'stroke-width="{wide}" fill="none"{dashes}/>'
    )


def chip(x, y, chosen, first):
    """A chip with four experts; the chosen ones are filled."""
    compute = LIGHT["compute"]
    parts = [box(x, y, 148, 52, RULE)]
    for i in range(4):
        fill = compute if i in chosen else "none"
        parts.append(box(x + 10 + 34 * i, y + 20, 26, 24, compute, fill, 3))
    parts.append(text(x + 10, y + 14, f"chip {first}", TEXT, 12, "start"))
    return parts


def rack(x, name, chosen, first):
    parts = [
        box(x, 30, 310, 300, RULE, radius=10),
        text(x + 155, 22, name, TEXT, 15),
        box(x + 210, TOP, 84, 256, LIGHT["network"]),
        text(x + 252, TOP + 122, "switches", LIGHT["network"], 14),
    ]
    for i in range(CHIPS):
        y = TOP + i * STEP
        parts += chip(x + 14, y, chosen.get(i, ()), first + i)
        used = i in chosen or (first == 1 and i == 0)
        ink = LIGHT["network"] if used else "#CCCCCC"
        parts.append(line(x + 162, y + 26, x + 210, y + 26, ink))
    return parts


def draw():
    """The drawing as SVG text."""
    slow = LIGHT["limit"]
    parts = [
        *rack(16, "one rack: any chip to any chip in two hops",
              {1: (0,), 2: (2, 3), 3: (1,)}, 1),
        *rack(434, "another rack", {0: (3,), 2: (1,)}, 5),
        line(310, TOP + 128, 644, TOP + 128, slow, 2, "6 5"),
        text(380, TOP + 96, "scale-out", slow, 13),
        text(380, TOP + 112, "many times", slow, 13),
        text(380, TOP + 154, "slower", slow, 13),
        text(380, 354, "A token of chip 1 goes to the filled experts, and "
             "their results come back the same way.", TEXT, 14),
    ]  # fmt: skip
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        'font-family="Helvetica, Arial, sans-serif">'
        "<title>A token's way to its experts</title>\n"
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#FFFFFF"/>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


if __name__ == "__main__":
    Path(__file__).with_suffix(".svg").write_text(draw(), encoding="utf-8")
