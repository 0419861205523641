"""Did the reader get it?  Questions checked in the page, without a kernel."""

from html import escape

from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin

from roofline.text import Text
from roofline.units import Quantity
from roofline.widgets import Widget, as_json


def _mathematics(content, options):
    opening, closing = r"\[\]" if options["display_mode"] else r"\(\)", ""
    opening, closing = opening[:2], opening[2:]
    return f"{opening}{escape(content.strip())}{closing}"


_MARKDOWN = (
    MarkdownIt("commonmark", {"html": False})
    .enable("table")
    .use(dollarmath_plugin, renderer=_mathematics, allow_labels=False)
)


def as_html(text):
    """Markdown with $mathematics$, or a Text, as HTML."""
    if isinstance(text, (list, tuple)):
        return "\n".join(map(as_html, text))
    source = text.markdown if isinstance(text, Text) else text
    return _MARKDOWN.render(source).strip()


class Question(Widget):
    """A question with a numeric answer, or a choice, and a folded answer.

    ``slug`` names it in ids; ``answer`` is a Quantity that the lib computed,
    or the right key of ``choices`` (text: why it is right or wrong).
    ``tolerance`` is relative; ``near`` maps wrong Quantities to what went
    wrong; ``worked`` (a Text, a string, or a list) is the folded answer.
    """

    def __init__(
        self,
        slug,
        prompt,
        answer,
        *,
        worked,
        hint=None,
        tolerance=0.02,
        choices=None,
        near=(),
    ):
        self._prompt, self._hint, self._worked = prompt, hint, worked
        spec = {"kind": "question", "id": f"question-{slug}"}
        if choices is None:
            spec |= _numeric(slug, answer, tolerance, near)
            shown = str(answer)
        else:
            if answer not in choices:
                raise ValueError(f'{slug}: "{answer}" is none of the choices')
            spec |= {
                "unit": None,
                "choices": [
                    {"text": text, "right": text == answer, "why": why}
                    for text, why in choices.items()
                ],
            }
            shown = answer
        super().__init__(spec=spec, values={})
        self.plain = self._as_text(shown, choices)
        self.html = self._as_html(shown, choices)

    def _as_text(self, shown, choices):
        lines = [f"Question: {self._prompt}"]
        lines += [f"  - {text}" for text in choices or ()]
        lines += [f"Hint: {self._hint}"] if self._hint else []
        worked = self._worked
        if not isinstance(worked, (list, tuple)):
            worked = [worked]
        lines += [f"Answer: {shown}", *map(str, worked)]
        return "\n".join(lines)

    def _as_html(self, shown, choices):
        named = self.spec["id"].removeprefix("question-").replace("-", " ")
        listed = "".join(f"<li>{escape(text)}</li>" for text in choices or ())
        hint = ""
        if self._hint:
            hint = _folded("hint", "Hint", as_html(self._hint))
        answer = f"<p><strong>{escape(shown)}</strong></p>"
        return (
            f'<section class="roofline roofline-question" '
            f'id="{self.spec["id"]}" aria-label="Question: {named}">\n'
            f'<div class="roofline-prompt">{as_html(self._prompt)}</div>\n'
            f'<div class="roofline-stage">'
            f"{f'<ul>{listed}</ul>' if listed else ''}</div>\n"
            f"{hint}"
            f"{_folded('worked', 'Answer', answer + as_html(self._worked))}"
            f'<script type="application/json" class="roofline-spec">'
            f"{as_json(self.spec)}</script>\n</section>"
        )


def _folded(kind, summary, body):
    return (
        f'<details class="roofline-{kind}"><summary>{summary}</summary>\n'
        f"{body}\n</details>\n"
    )


def _numeric(slug, answer, tolerance, near):
    if not isinstance(answer, Quantity):
        raise TypeError(f"{slug}: the answer needs a unit; got {answer!r}")
    if not 0 < tolerance < 0.5:
        raise ValueError(f"{slug}: tolerance {tolerance} is not in (0, 0.5)")
    for wrong in near:
        if abs(wrong / answer - 1) <= tolerance:
            raise ValueError(f"{slug}: {wrong} is not wrong enough")
    return {
        "unit": answer.unit.spec(),
        "answer": float(answer),
        "tolerance": tolerance,
        "near": [
            {"value": float(wrong), "says": says}
            for wrong, says in dict(near).items()
        ],
    }
