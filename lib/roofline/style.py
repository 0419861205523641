"""What does each colour mean?  One palette for curves, terms and widgets."""

ROLES = ("compute", "memory", "kv", "network", "total", "limit")

LIGHT = {
    "compute": "#AA3D0B",
    "memory": "#0B3FB5",
    "kv": "#168460",
    "network": "#9A4C99",
    "total": "#111111",
    "limit": "#6B6B6B",
}

DARK = {
    "compute": "#F79A66",
    "memory": "#7FA8FF",
    "kv": "#4CC99B",
    "network": "#DD96DC",
    "total": "#F2F2F2",
    "limit": "#A6A6A6",
}

# Lengths of dash and gap in pixels; an empty tuple is a solid line.
DASH = {
    "compute": (),
    "memory": (7, 4),
    "kv": (8, 3, 2, 3),
    "network": (2, 3),
    "total": (),
    "limit": (),
}

WIDTH = {
    "compute": 2.0,
    "memory": 2.0,
    "kv": 2.0,
    "network": 2.0,
    "total": 3.5,
    "limit": 1.0,
}


def rgb(colour):
    """The (red, green, blue) of a "#RRGGBB" colour, each 0 to 255."""
    return tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5))


def luminance(colour):
    """Relative luminance of a colour by WCAG 2, from 0 to 1."""
    linear = [
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
        for c in (part / 255 for part in rgb(colour))
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    """Contrast ratio of two colours by WCAG 2, from 1 to 21."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def variables(palette):
    """CSS declarations of a palette: ``--roofline-compute: #AA3D0B;`` ..."""
    return " ".join(f"--roofline-{r}: {palette[r]};" for r in ROLES)
