"""How is an equation written?  LaTeX, plain text and JavaScript.

Factors and terms keep the order in which symbols.py lists them, so that a
solved equation reads like a typed one.
"""

import re

import sympy
from sympy.printing.jscode import JavascriptCodePrinter
from sympy.printing.latex import LatexPrinter
from sympy.printing.precedence import PRECEDENCE
from sympy.printing.str import StrPrinter

from roofline.style import LIGHT
from roofline.symbols import RANK, Symbol
from roofline.units import format_value


def _rank(expr):
    """Where a factor stands: numbers, symbols as listed, then sums."""
    ranks = [RANK.get(s, len(RANK)) for s in expr.free_symbols]
    return (expr.is_Add, min(ranks, default=-1), len(ranks), str(expr))


def _term_rank(term):
    """Where a term stands: added before subtracted, short before long."""
    size = len(term.free_symbols) or len(RANK)
    return (term.could_extract_minus_sign(), size, _rank(term))


class _Ordered:
    """Products and sums in the order of symbols.py, for any printer."""

    def _as_ordered_terms(self, expr, order=None):
        return sorted(expr.args, key=_term_rank)

    def _factors(self, expr):
        """What is printed above and below the bar."""
        return [self._line(part) for part in sympy.fraction(expr)]

    def _line(self, part):
        factors = sorted(sympy.Mul.make_args(part), key=_rank)
        factors = [f for f in factors if f != 1]
        alone = len(factors) == 1
        return [f if alone else self._wrapped(f) for f in factors]


class _Latex(_Ordered, LatexPrinter):
    """LaTeX with each symbol's own letters, coloured by role if asked."""

    def __init__(self, colour=False, texts=None):
        super().__init__({"order": None})
        self._colour = colour
        self._texts = texts or {}

    def _print_Symbol(self, expr, style="plain"):
        if expr in self._texts:
            return self._texts[expr]
        if not isinstance(expr, Symbol):
            return super()._print_Symbol(expr, style)
        if self._colour and expr.role in LIGHT and expr.role != "limit":
            return rf"\textcolor{{{LIGHT[expr.role]}}}{{{expr.latex}}}"
        return expr.latex

    def _wrapped(self, factor):
        text = self._print(factor)
        return rf"\left({text}\right)" if factor.is_Add else text

    def _line(self, part):
        # Numbers in place of symbols need a sign between them.
        glue = r" \times " if self._texts else r" \, "
        factors = super()._line(part)
        printed = [f if isinstance(f, str) else self._print(f)
                   for f in factors]  # fmt: skip
        return glue.join(printed)

    def _print_Mul(self, expr):
        if expr.could_extract_minus_sign():
            return "-" + self._print(-expr)
        above, below = self._factors(expr)
        if not below:
            return above
        return rf"\frac{{{above or '1'}}}{{{below}}}"

    def _print_Max(self, expr, name=r"\max"):
        args = sorted(expr.args, key=_rank)
        inside = r",\; ".join(self._print(a) for a in args)
        return rf"{name}\left({inside}\right)"

    def _print_Min(self, expr):
        return self._print_Max(expr, r"\min")

    def _print_log10(self, expr):
        return rf"\log_{{10}} {self._print(expr.args[0])}"

    def _print_Pow(self, expr):
        if expr.exp.is_Rational and expr.exp.is_negative:
            return self._print_Mul(expr)
        return super()._print_Pow(expr)


class _Plain(_Ordered, StrPrinter):
    """Plain text with the symbols' ASCII names; constants as numbers."""

    def _print_Symbol(self, expr):
        value = getattr(expr, "value", None)
        return expr.name if value is None else str(value)

    def _wrapped(self, factor):
        return self.parenthesize(factor, PRECEDENCE["Mul"])

    def _line(self, part):
        printed = [f if isinstance(f, str) else self._print(f)
                   for f in super()._line(part)]  # fmt: skip
        return "*".join(printed)

    def _print_Mul(self, expr):
        if expr.could_extract_minus_sign():
            return "-" + self.parenthesize(-expr, PRECEDENCE["Mul"], True)
        above, below = self._factors(expr)
        if not below:
            return above
        up, down = sympy.fraction(expr)
        above = f"({above})" if up.is_Add else above or "1"
        below = f"({below})" if down.is_Mul or down.is_Add else below
        return f"{above}/{below}"

    def _print_Max(self, expr, name="max"):
        args = sorted(expr.args, key=_rank)
        return f"{name}({', '.join(map(self._print, args))})"

    def _print_Min(self, expr):
        return self._print_Max(expr, "min")

    def _print_Pow(self, expr, rational=False):
        if expr.exp.is_Rational and expr.exp.is_negative:
            return self._print_Mul(expr)
        return super()._print_Pow(expr, rational)


class _JavaScript(JavascriptCodePrinter):
    """JavaScript that reads back to the same float64; refuses the rest."""

    def _print_Float(self, expr):
        return repr(float(expr))

    def _print_log10(self, expr):
        return f"Math.log10({self._print(expr.args[0])})"

    def _print_not_supported(self, expr):
        raise ValueError(f"no JavaScript for {type(expr).__name__}: {expr}")

    _print_Sum = _print_Integral = _print_Product = _print_not_supported


def latex(expr, colour=False, texts=None):
    """LaTeX of an expression; ``texts`` puts text in place of symbols."""
    return _Latex(colour, texts).doprint(expr)


def plain(expr):
    """One line of plain text, with ASCII names."""
    return _Plain().doprint(expr)


def javascript(expr):
    """A JavaScript expression over the symbols' ASCII names."""
    return _JavaScript().doprint(expr)


_POWERS = {"million": 6, "billion": 9, "trillion": 12}


def number(value, unit, digits):
    """A quantity as LaTeX, with powers of ten and an upright unit."""
    body, _, rest = format_value(value, unit, digits).partition(" ")
    body = body.replace(",", "{,}").replace("$", r"\$").replace("%", r"\%")
    body = re.sub(r"e(-?\d+)$", r" \\times 10^{\1}", body)
    word, _, after = rest.partition(" ")
    if word in _POWERS:
        body, rest = rf"{body} \times 10^{{{_POWERS[word]}}}", after
    if rest.startswith("µ"):
        return rf"{body}\ \mu\mathrm{{{rest[1:]}}}"
    return rf"{body}\ \text{{{rest}}}" if rest else body
