"""How does a number get into a sentence?  Only through the formatter.

``say`` and ``table`` print quantities, never bare floats; ``refused`` prints
the message of an error that a lesson provokes; ``BoardCheck`` puts what was
said on the board beside what the equations give.
"""

import string
from dataclasses import dataclass

from roofline.units import Quantity, near


class Text:
    """A piece of Markdown with a plain-text twin, as a cell's output."""

    def __init__(self, markdown, plain=None):
        self.markdown = markdown
        self.plain = markdown if plain is None else plain

    def __repr__(self):
        return self.plain

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/plain": self.plain, "text/markdown": self.markdown}


def escaped(text):
    """Text whose dollar signs are money to Markdown, not mathematics."""
    return text.replace("$", r"\$")


def printed(value, spec=""):
    """A value as text: quantities by their unit, words and whole numbers."""
    if isinstance(value, float) and not isinstance(value, Quantity):
        raise TypeError(
            f"{value!r} has no unit; give say and table a quantity, such as "
            f'quantity({value:g}, "ms")'
        )
    if isinstance(value, int):
        return f"{value:,}"
    return format(value, spec)


class _Sentence(string.Formatter):
    def format_field(self, value, format_spec):
        return escaped(printed(value, format_spec))

    def get_value(self, key, args, kwargs):
        if key not in kwargs:
            raise NameError(
                f'the sentence names "{key}", which was not given'
                f"{near(key, kwargs)}"
            )
        return kwargs[key]


def say(sentence, **values):
    """A sentence with its numbers: ``say("A pass takes {t}.", t=...)``.

    ``{t}`` prints three significant digits with unit, ``{t:4}`` four. Plain
    floats are refused: a number in prose carries its unit.
    """
    markdown = _Sentence().vformat(sentence, (), values)
    fields = [f for _, f, _, _ in string.Formatter().parse(sentence) if f]
    unused = sorted(set(values) - set(fields))
    if unused:
        raise NameError(f"the sentence does not use {', '.join(unused)}")
    return Text(markdown, markdown.replace(r"\$", "$"))


def table(header, rows):
    """A table of texts and quantities; every row as long as the header."""
    cells = [[printed(cell) for cell in row] for row in rows]
    for row in cells:
        if len(row) != len(header):
            raise ValueError(f"{len(row)} cells under {len(header)} heads")
    right = [
        bool(rows) and all(isinstance(row[i], (float, int)) for row in rows)
        for i in range(len(header))
    ]
    rule = ["--:" if r else ":--" for r in right]
    lines = [header, rule, *([escaped(c) for c in row] for row in cells)]
    markdown = "\n".join("| " + " | ".join(line) + " |" for line in lines)
    return Text(markdown, _aligned([header, *cells], right))


def _aligned(lines, right):
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(
            cell.rjust(w) if r else cell.ljust(w)
            for cell, w, r in zip(line, widths, right, strict=True)
        ).rstrip()
        for line in lines
    )


def sweep(equations, at, **inputs):
    """A table of equations over values of one input: ``batch=[1, 8, 64]``.

    ``at`` binds everything else (a Deployment or a dictionary). Heads are the
    symbols' labels.
    """
    if len(inputs) != 1:
        raise TypeError(f"sweep varies one symbol; got {sorted(inputs)}")
    ((name, values),) = inputs.items()
    users = [e for e in equations if e.own(inputs)] or equations
    varied = users[0].symbol_named(name)
    head = [varied.label, *(e.left.label for e in equations)]
    rows = [
        [
            Quantity(v, varied.unit),
            *(e(at, **e.own({name: v})) for e in equations),
        ]
        for v in values
    ]
    return table(head, rows)


def refused(action):
    """The message of the error that ``action`` raises, as a quoted line."""
    try:
        action()
    except (ValueError, TypeError, LookupError) as error:
        message = str(error.args[0] if error.args else error)
        return Text(f"> Refused: {escaped(message)}", f"Refused: {message}")
    raise AssertionError("this was meant to be refused and was accepted")


VERDICTS = ("holds", "holds within", "slip", "superseded")


@dataclass(frozen=True)
class BoardCheck:
    """What was said on the board beside what the equations give.

    ``said`` is a short paraphrase, ``at`` its time mark (h:mm:ss), ``board``
    and ``book`` two quantities or phrases, ``verdict`` one of VERDICTS, if
    need be with a factor ("holds within 2"), ``because`` one sentence.
    Raises ValueError where two quantities contradict the verdict; a plain
    "holds" means within a twentieth.
    """

    at: str
    said: str
    board: object
    book: object
    verdict: str
    because: str
    source: str = "pope2026lecture"

    def __post_init__(self):
        if not any(self.verdict.startswith(v) for v in VERDICTS):
            raise ValueError(f'verdict "{self.verdict}" is none of {VERDICTS}')
        if all(isinstance(v, Quantity) for v in (self.board, self.book)):
            self._compare()

    def _compare(self):
        one, other = float(self.board), float(self.book)
        ratio = max(one, other) / min(one, other)
        word, _, bound = self.verdict.partition(" within ")
        limit = float(bound) if bound else 1.05
        if word == "slip" and ratio <= 1.05:
            raise ValueError(f"{self.board} and {self.book} agree: no slip")
        if word == "holds" and ratio > limit:
            raise ValueError(
                f"{self.board} and {self.book} differ by {ratio:.3g}; the "
                f'verdict says "{self.verdict}"'
            )

    def _repr_mimebundle_(self, include=None, exclude=None):
        board, book = printed(self.board), printed(self.book)
        plain = (
            f"Board check, {self.at}: {self.said}\n"
            f"  board: {board}\n  book:  {book}\n"
            f"  verdict: {self.verdict}. {self.because}"
        )
        markdown = (
            f":::{{admonition}} Board check, {self.at}: {self.verdict}\n"
            f":class: board-check\n"
            f"{escaped(self.said)}\n\n"
            f"| on the board | by the equations |\n| :-- | :-- |\n"
            f"| {escaped(board)} | {escaped(book)} |\n\n"
            f"{escaped(self.because)}\n:::"
        )
        return {"text/plain": plain, "text/markdown": markdown}
