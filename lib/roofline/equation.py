"""What is an equation in this book?  One SymPy object with many faces.

The same object gives the LaTeX on the page, the number in the sentence, the
curve in the chart, the JavaScript behind the slider and the assertion in the
test. A derived equation is solved or substituted from others, never typed.
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np
import sympy

from roofline import printing
from roofline.symbols import RANK, Symbol, SymbolError
from roofline.text import Text
from roofline.units import BASE, Quantity, describe, near, parse_quantity


class DimensionError(ValueError):
    """Two things of different dimension were added, compared or equated."""


@dataclass(frozen=True, eq=False)
class Equation:
    """``left = right``, with what it says, assumes, and rests on.

    ``given`` are the equations that define symbols of the right side;
    ``requires`` relations between symbols that inputs must satisfy. ``rises``
    and ``falls`` name the symbols in which the value never falls or never
    rises; ``limits`` are (symbol, end, expression) triples. Tests hold all
    three against numbers.
    """

    left: Symbol
    right: sympy.Expr
    says: str
    assumes: str
    source: str = "derived"
    given: tuple = ()
    requires: tuple = ()
    rises: tuple = ()
    falls: tuple = ()
    limits: tuple = ()
    form: str = ""

    def __post_init__(self):
        if not self.assumes:
            raise ValueError(f"{self.name}: say what is assumed")
        if self.right.atoms(sympy.Float):
            raise ValueError(f"{self.name}: use Rational, not a float")
        for s in self.right.free_symbols:
            if not isinstance(s, Symbol):
                raise ValueError(f"{self.name}: {s} is not in symbols.py")
        for e in self.given:
            if e.left not in self.right.free_symbols:
                raise ValueError(f"{self.name} does not use {e.name}")
        found = dimension(self.right)
        if found != self.left.unit.dimension and self.right != 0:
            raise DimensionError(
                f"{self.name}: the left side is "
                f"{describe(self.left.unit.dimension)}, the right side "
                f"{describe(found)}"
            )

    @property
    def name(self):
        return self.left.name

    @property
    def label(self):
        """The label of the displayed equation: ``eq-pass-time``."""
        return "-".join(filter(None, ("eq", self.left.slug, self.form)))

    def __repr__(self):
        return f"{self.name} = {printing.plain(self.right)}"

    # What it rests on

    @cached_property
    def expanded(self):
        """The right side with every given definition substituted."""
        definitions = {e.left: e.expanded for e in self.given}
        return self.right.xreplace(definitions)

    @cached_property
    def inputs(self):
        """The symbols that a call needs, in the order of symbols.py."""
        free = self.expanded.free_symbols
        return tuple(sorted(free, key=RANK.get))

    def symbol_named(self, name):
        """The input of that name; an error names near ones."""
        for s in self.inputs:
            if s.name == name:
                return s
        names = [s.name for s in self.inputs]
        raise LookupError(
            f'{self.name} has no symbol "{name}"{near(name, names)} '
            f"(it uses {', '.join(names)})"
        )

    def expand(self):
        """The same equation in terms of what is measured and chosen."""
        return replace(
            self,
            right=self.expanded,
            given=(),
            requires=self._all_requires,
            form="expanded",
        )

    @cached_property
    def _all_requires(self):
        found = set(self.requires)
        for e in self.given:
            found |= set(e._all_requires)
        return tuple(sorted(found, key=str))

    @cached_property
    def _bounded(self):
        """Definitions whose own symbol has a range that may be left.

        A law that holds only so far must not be left on the way to a result.
        """
        return tuple(
            e for e in self.given if e.left.low > 0 or e.left.high < math.inf
            or e._bounded
        )  # fmt: skip

    @cached_property
    def conditions(self):
        """Relations between inputs without which there is no value."""
        found = list(self.requires)
        for e in self.given:
            found += e.conditions
            if e in self._bounded:
                over = sympy.Ge if e.left.low_allowed else sympy.Gt
                found.append(over(e.expanded, e.left.low))
                if e.left.high < math.inf:
                    found.append(sympy.Le(e.expanded, e.left.high))
        return tuple(c for c in dict.fromkeys(found) if c != sympy.true)

    @property
    def allowed(self):
        """What the value and the inputs must be, in words."""
        needs = [printing.plain(r) for r in self._all_requires]
        return ", with ".join([self.left.allowed, *needs])

    def named(self, left, says, assumes=None, **more):
        """The same right side under a symbol of its own, as a result."""
        return replace(
            self,
            left=left,
            says=says,
            assumes=assumes or self.assumes,
            source="derived",
            form="",
            rises=more.pop("rises", ()),
            falls=more.pop("falls", ()),
            **more,
        )

    def solve_for(self, unknown):
        """The equation solved for one of its symbols, as an Equation."""
        return equate(self.left, self).solve_for(unknown)

    def put(self, values, form="put"):
        """The same equation with something put in place of symbols.

        ``values`` maps symbols to numbers, expressions, or Equations that
        define them.
        """
        values = {k: getattr(v, "expanded", v) for k, v in values.items()}
        right = sympy.simplify(self.expanded.subs(values))
        right = _upright(sympy.factor_terms(right))
        return replace(self, right=right, given=(), form=form, rises=(),
                       falls=(), limits=())  # fmt: skip

    def in_terms_of(self, *definitions):
        """The same equation, with what they define replaced by its name."""
        names = {e.expanded: e.left for e in definitions}
        return replace(
            self, right=self.expanded.xreplace(names), given=definitions
        )

    def factored(self):
        """The same equation as a product, without a sign in front."""
        return replace(self, right=_factored(self.right))

    def limit(self, symbol, end, side="+"):
        """What the right side tends to as a symbol goes to an end.

        ``side`` tells from where: "+" from above, "-" from below.
        """
        right = _limit(self.expanded, symbol, end, side)
        return replace(self, right=right, given=(), form="limit", limits=())

    # How it is shown

    def _repr_mimebundle_(self, include=None, exclude=None):
        """A result on its way: displayed mathematics without a number."""
        left, right = (
            printing.latex(e, colour=True) for e in (self.left, self.right)
        )
        return {
            "text/plain": repr(self),
            "text/markdown": f"$$\n{left} = {right}\n$$",
        }

    def show(self):
        """Numbered display mathematics: once per equation in the book."""
        left, right = (
            printing.latex(e, colour=True) for e in (self.left, self.right)
        )
        markdown = f"$$\n{left} = {right}\n$$ ({self.label})"
        return Text(markdown, f"({self.label})  {self!r}")

    def recall(self):
        """The equation again, unnumbered, with a link to its number."""
        left, right = (
            printing.latex(e, colour=True) for e in (self.left, self.right)
        )
        markdown = f"$$\n{left} = {right}\n$$\n\nThis is {{eq}}`{self.label}`."
        return Text(markdown, f"see ({self.label})  {self!r}")

    def where(self):
        """Each symbol of the equation with its unit and one sentence."""
        used = sorted(self.right.free_symbols, key=RANK.get)
        used = [s for s in (self.left, *used) if s.value is None]
        rows = [f"| ${s.latex}$ | {s.says} | {s.unit} |" for s in used]
        head = "| symbol | meaning | unit |\n| :-- | :-- | :-- |\n"
        plain = "\n".join(f"{s.name} [{s.unit}]: {s.says}" for s in used)
        return Text(head + "\n".join(rows).replace("$/", r"\$/"), plain)

    def worked(self, at=None, /, digits=3, **values):
        """Symbols = numbers = result, in one line.

        The printed numbers carry as many digits as it takes for their own
        result to round to the printed one.
        """
        inputs = self._scalars(at, values)
        result = float(_compiled(self.right, tuple(inputs))(*inputs.values()))
        answer = self.left.format(result, digits)
        for shown in range(digits, 18):
            texts = {s: s.format(v, shown) for s, v in inputs.items()}
            typed = [parse_quantity(t, s.unit) for s, t in texts.items()]
            again = float(_compiled(self.right, tuple(texts))(*typed))
            if self.left.format(again, digits) == answer:
                break
        constants = [s for s in inputs if s.value is not None]
        numbers = {
            s: printing.number(v, s.unit, shown) for s, v in inputs.items()
        }
        numbers |= {s: s.latex for s in constants}
        name, right = (
            printing.latex(e, colour=True) for e in (self.left, self.right)
        )
        middle = printing.latex(self.right, texts=numbers)
        end = printing.number(result, self.left.unit, digits)
        if _width(self.right, texts) > _LINE:
            lines = rf" \\ & = {middle} \\ & = {end}"
            chain = rf"\begin{{aligned}}{name} & = {right}{lines}"
            chain += r"\end{aligned}"
        else:
            chain = f"{name} = {right} = {middle} = {end}"
        markdown = f"$$\n{chain}\n$$"
        listed = ", ".join(
            f"{s.name} = {t}" for s, t in texts.items() if s not in constants
        )
        return Text(markdown, f"{self!r}\n  with {listed}\n  = {answer}")

    def javascript(self):
        """A JavaScript expression over the names of ``inputs``."""
        return printing.javascript(self.expanded)

    # What it evaluates to

    def __call__(self, at=None, /, **values):
        """The value in base units: a Quantity, or a float64 array.

        ``at`` is a Deployment or a dictionary; keywords override it. Inputs
        are scalars or arrays that broadcast. Raises LookupError for a
        missing or unknown symbol, SymbolError for a value out of range.
        """
        bound = self._bind(at, values)
        value = self._evaluate(bound)
        low, high = np.min(value), np.max(value)
        if not (np.isfinite(low) and np.isfinite(high)):
            raise SymbolError(f"{self.name} has no finite value here")
        self.left.check(float(low), float(high))
        for e in self._bounded:
            e({s: bound[s] for s in e.inputs})
        return value if np.ndim(value) else Quantity(value, self.left.unit)

    def where_defined(self, at=None, /, **values):
        """Like a call, with NaN where the result is not allowed."""
        with np.errstate(all="ignore"):
            bound = self._inputs(at, values)
            value = np.array(self._evaluate(bound))
            for condition in self.conditions:
                holds = _compiled(condition, tuple(bound))(*bound.values())
                value = np.where(holds, value, np.nan)
        low, high = self.left.low, self.left.high
        above = value >= low if self.left.low_allowed else value > low
        return np.where(above & (value <= high), value, np.nan)

    def along(self, symbol, points, at=None):
        """Values over points of one symbol, NaN where none is allowed.

        An equation without that symbol is constant along it.
        """
        points = np.asarray(points, dtype=float)
        if symbol not in self.inputs:
            return np.full(points.shape, self.where_defined(at))
        return self.where_defined(at, **{symbol.name: points})

    def binding(self, at=None, /, **values):
        """The symbol of the branch that decides a Max or Min, at scalars."""
        if not isinstance(self.right, (sympy.Max, sympy.Min)):
            raise TypeError(
                f"{self.name} is no maximum or minimum; nothing binds"
            )
        defined = {e.left: e for e in self.given}
        branches = [defined[b] for b in self.right.args]
        best = max if isinstance(self.right, sympy.Max) else min
        return best(branches, key=lambda e: e(at, **e.own(values))).left

    def interval(self, at=None, /, **ranges):
        """The (lowest, highest) Quantity over ranges of inputs.

        ``ranges`` are pairs in base units, of symbols in which the equation
        is stated to rise or to fall: then two corners are the exact ends.
        """
        corners = {}, {}
        for name, pair in ranges.items():
            ends = sorted(pair, reverse=self._way(name) < 0)
            for corner, end in zip(corners, ends, strict=True):
                corner[name] = end
        return tuple(self(at, **corner) for corner in corners)

    def find(self, symbol, value, at=None, /, **values):
        """Where in its span a symbol makes the equation take a value.

        By halving, for what has no closed form; the equation must be stated
        to rise or to fall in the symbol.
        """
        way, (low, high) = self._way(symbol.name), symbol.span

        def past(x):
            bound = self._bind(at, values | {symbol.name: x})
            return way * (self._evaluate(bound) - value) > 0

        if past(low) or not past(high):
            ends = symbol.format(low), symbol.format(high)
            raise SymbolError(
                f"{self.name} is nowhere {self.left.format(value)} for "
                f"{symbol.name} between {ends[0]} and {ends[1]}"
            )
        while low < (middle := math.sqrt(low) * math.sqrt(high)) < high:
            low, high = (low, middle) if past(middle) else (middle, high)
        return Quantity(middle, symbol.unit)

    def _way(self, name):
        """1 where the equation is stated to rise in a symbol, else -1."""
        s = self.symbol_named(name)
        if s not in self.rises + self.falls:
            raise ValueError(
                f"{self.name} is not stated to rise or to fall in {name}"
            )
        return 1 if s in self.rises else -1

    def own(self, values):
        """Those of the values whose symbols this equation uses."""
        names = {s.name for s in self.inputs}
        return {k: v for k, v in values.items() if k in names}

    def _evaluate(self, bound):
        arrays = {s: v for s, v in bound.items() if np.ndim(v)}
        if not arrays:
            run = _compiled(self.expanded, tuple(bound))
            try:
                value = run(*bound.values())
            except (ZeroDivisionError, OverflowError):
                return math.nan
            # A root of a negative number: Python goes on, NumPy says NaN.
            return math.nan if isinstance(value, complex) else float(value)
        scalars = {s: v for s, v in bound.items() if s not in arrays}
        reduced, constants = _hoisted(self.expanded, frozenset(arrays))
        fixed = [
            _compiled(e, tuple(scalars))(*scalars.values())
            for e in constants.values()
        ]
        run = _compiled(reduced, (*arrays, *constants))
        value = np.asarray(run(*arrays.values(), *fixed), dtype=float)
        shape = np.broadcast_shapes(*(v.shape for v in arrays.values()))
        return np.broadcast_to(value, shape)

    def _scalars(self, at, values):
        """Scalars for the unexpanded right side, constants left out."""
        known, given = values_of(at), {e.left: e for e in self.given}
        inputs = {}
        for s in sorted(self.right.free_symbols, key=RANK.get):
            if s in given:
                inputs[s] = float(given[s](at, **given[s].own(values)))
            elif s.value is not None:
                inputs[s] = float(s.value)
            else:
                inputs[s] = float(self._value(s, known, values))
                s.check(inputs[s])
        for name in values:
            self.symbol_named(name)
        return inputs

    def _bind(self, at, values):
        bound = self._inputs(at, values)
        for relation in self._all_requires:
            _require(self.name, relation, bound)
        return bound

    def _inputs(self, at, values):
        for name in values:
            self.symbol_named(name)
        known = values_of(at)
        bound = {}
        for s in self.inputs:
            value = self._value(s, known, values)
            if np.ndim(value):
                value = np.asarray(value, dtype=float)
                if value.size:
                    # NaN travels through min and max, so two passes do.
                    s.check(float(value.min()), float(value.max()))
            else:
                value = float(value)
                s.check(value)
            bound[s] = value
        return bound

    def _value(self, s, known, values):
        for source in (values, known):
            if s.name in source:
                return source[s.name]
        if s.value is not None:
            return s.value
        raise LookupError(
            f"{self.name} needs {s.name} ({s.unit}): {s.says}; "
            f"give it as {s.name}=..."
        )


def values_of(at):
    """The name-to-number dictionary of a Deployment, a dict or nothing."""
    if at is None:
        return {}
    values = getattr(at, "values", at)
    if callable(values):
        values = at
    return {getattr(k, "name", k): v for k, v in values.items()}


def _require(name, relation, bound):
    used = [s for s in bound if s in relation.free_symbols]
    holds = _compiled(relation, tuple(used))(*(bound[s] for s in used))
    if not np.all(holds):
        got = ", ".join(
            f"{s.name} = {s.format(float(np.ravel(bound[s])[0]))}"
            for s in used
        )
        raise SymbolError(f"{name} needs {relation}; got {got}")


@lru_cache(maxsize=None)
def _compiled(expr, symbols):
    return sympy.lambdify(symbols, expr, modules="numpy")


@lru_cache(maxsize=None)
def _hoisted(expr, varying):
    """(expr with its fixed parts as dummies, {dummy: fixed part}).

    What does not vary is computed once as a scalar, not once per point.
    """
    constants = {}

    def fixed(part):
        if part.is_Number:
            return part
        return constants.setdefault(part, sympy.Dummy(f"c{len(constants)}"))

    def walk(part):
        if not part.free_symbols & varying:
            return fixed(part)
        if part.is_Add or part.is_Mul:
            still, moving = part.as_independent(*varying, as_Add=part.is_Add)
            args = [walk(a) for a in part.func.make_args(moving)]
            identity = 0 if part.is_Add else 1
            lead = [] if still == identity else [fixed(still)]
            return part.func(*lead, *args)
        return part.func(*map(walk, part.args)) if part.args else part

    reduced = walk(expr)
    return reduced, {dummy: part for part, dummy in constants.items()}


def _factored(expr):
    """A product of factors; a sign in front moves into one of its sums."""
    expr = sympy.factor(expr)
    if not expr.could_extract_minus_sign():
        return expr
    for part in sympy.Mul.make_args(expr):
        base, power = part.as_base_exp()
        if base.is_Add and power.is_odd:
            return -expr / part * (-base) ** power
    return expr


def _limit(expr, symbol, end, side="+"):
    """A limit that also goes inside a maximum, which SymPy does not."""
    if isinstance(expr, sympy.Max):
        return sympy.Max(*(_limit(a, symbol, end, side) for a in expr.args))
    return sympy.limit(expr, symbol, end, side)


def dimension(expr):
    """Powers of the base units of an expression; refuses mixed sums."""
    if isinstance(expr, Symbol):
        return expr.unit.dimension
    if not expr.free_symbols:
        return (0,) * len(BASE)
    if expr.is_Mul:
        parts = [dimension(a) for a in expr.args]
        return tuple(map(sum, zip(*parts, strict=True)))
    if expr.is_Pow:
        base, power = dimension(expr.base), expr.exp
        if power.is_Rational:
            return tuple(p * power for p in base)
        if any(base) or any(dimension(power)):
            raise DimensionError(f"{expr}: a power needs pure numbers")
        return base
    if isinstance(expr, (sympy.Add, sympy.Max, sympy.Min)):
        found = {a: dimension(a) for a in expr.args if a != 0}
        if len(set(found.values())) > 1:
            listed = "; ".join(
                f"{printing.plain(a)} is {describe(d)}"
                for a, d in found.items()
            )
            raise DimensionError(f"unlike parts: {listed}")
        return next(iter(found.values()))
    if isinstance(expr, sympy.Piecewise):
        return dimension(sympy.Max(*(e for e, _ in expr.args)))
    inner = [dimension(a) for a in expr.args]
    if any(any(d) for d in inner):
        raise DimensionError(f"{expr}: {expr.func} needs pure numbers")
    return (0,) * len(BASE)


@dataclass(frozen=True)
class Balance:
    """Two quantities set equal, ready to be solved for a symbol."""

    one: object
    other: object

    def solve_for(self, unknown, assumes=None):
        """The Equation for ``unknown``; refuses none or several solutions.

        ``assumes`` is for sides that are expressions and state nothing.

        >>> from roofline.equations import decode
        >>> from roofline.symbols import batch
        >>> equate(decode.compute_time, decode.weight_time).solve_for(batch)
        batch = bytes_per_weight*total_parameters*peak_compute/(2*active_parameters*hbm_bandwidth)
        """  # noqa: E501
        sides = [getattr(e, "expanded", e) for e in (self.one, self.other)]
        found = sympy.solve(sympy.Eq(*sides), unknown, dict=True)
        if len(found) != 1:
            raise ValueError(
                f"{len(found)} solutions for {unknown}, not exactly one"
            )
        equations = [
            e for e in (self.one, self.other) if isinstance(e, Equation)
        ]
        names = " and ".join(e.name for e in equations)
        requires = {r for e in equations for r in e._all_requires}
        return Equation(
            left=unknown,
            right=_upright(sympy.factor_terms(found[0][unknown])),
            says=f"The {unknown.label} at which {names or 'both'} agree.",
            assumes=assumes
            or " ".join(dict.fromkeys(e.assumes for e in equations)),
            requires=tuple(sorted(requires, key=str)),
        )


# Characters of numbers that fit on a line beside symbols and result.
_LINE = 36


def _width(expr, texts):
    """Characters of the wider side of a quotient with texts put in."""
    return max(
        sum(len(texts[s]) + 3 for s in part.free_symbols)
        for part in sympy.fraction(expr)
    )


def _upright(product):
    """The product with each of its sums turned positive, where it can be.

    The sign is taken where every symbol is at the low end of its slider.
    """
    sign, turned = 1, []
    for factor in sympy.Mul.make_args(product):
        base, power = factor.as_base_exp()
        if base.is_Add and power.is_Integer:
            low = {
                x: x.span[0] if x.span else x.value or 1
                for x in base.free_symbols
                if isinstance(x, Symbol)
            }
            if base.xreplace(low).is_negative:
                sign, factor = sign * (-1) ** power, (-base) ** power
        turned.append(factor)
    return _positive(sign * sympy.Mul(*turned))


def _positive(expr):
    """A quotient whose leading minus has gone into the sum below."""
    above, below = sympy.fraction(expr)
    sums = [f for f in sympy.Mul.make_args(below) if f.is_Add]
    if len(sums) != 1 or not above.could_extract_minus_sign():
        return expr
    return -above / (below / sums[0] * -sums[0])


def equate(one, other):
    """Set two equations (or a symbol and an equation) equal."""
    return Balance(one, other)
