"""Every equation against dimensions, exact arithmetic, and a slow twin."""

import importlib
import math

import numpy as np
import pytest
import sympy
import sympy.codegen.cfunctions
from roofline import decode, symbols
from roofline.equation import DimensionError, Equation, dimension, equate
from roofline.equations import EQUATIONS, MODULES
from roofline.symbols import SYMBOLS, Symbol, SymbolError
from roofline.units import BASE, parse_quantity
from sampling import points

every = pytest.mark.parametrize("e", EQUATIONS.values(), ids=EQUATIONS)


@every
def test_rescaling_the_base_units_scales_both_sides(e):
    random = np.random.default_rng(1)
    for at in points(e, 20):
        scale = np.exp(random.uniform(-3, 3, len(BASE)))

        def factor(symbol, scale=scale):
            return float(np.prod(scale ** np.array(symbol.unit.dimension)))

        moved = {n: v * factor(SYMBOLS[n]) for n, v in at.items()}
        expected = float(e(at)) * factor(e.left)
        assert raw(e, moved) == pytest.approx(expected, rel=1e-12)


def raw(e, at):
    """The value without checks of range, which rescaling moves."""
    run = sympy.lambdify(e.inputs, e.expanded, modules="math")
    return run(*(at[s.name] for s in e.inputs))


def is_rational(expr):
    """Whether only sums, products and whole powers are in it."""
    powers = expr.atoms(sympy.Pow)
    return not expr.atoms(sympy.codegen.cfunctions.log10) and all(
        p.exp.is_Integer or p.exp is symbols.batch for p in powers
    )


@every
def test_exact_arithmetic_agrees_with_float64(e):
    for at in points(e, 10, seed=2):
        if "batch" in at and e.expanded.has(sympy.Pow):
            at["batch"] = float(min(round(at["batch"]) or 1, 200))
        if is_rational(e.expanded):
            numbers = {SYMBOLS[n]: sympy.Rational(v) for n, v in at.items()}
            exact = e.expanded.xreplace(numbers)
            assert exact.is_Rational
        else:  # powers and logarithms: forty digits instead
            numbers = {SYMBOLS[n]: sympy.Float(v, 40) for n, v in at.items()}
            exact = e.expanded.xreplace(numbers).evalf(40)
        assert float(e(at)) == pytest.approx(float(exact), rel=1e-12)


@every
def test_arrays_scalars_integers_and_floats_agree(e):
    drawn = points(e, 30, seed=3)
    free = [s for s in e.inputs if s.value is None]
    columns = {s.name: np.array([at[s.name] for at in drawn]) for s in free}
    singles = np.array([float(e(at)) for at in drawn])
    assert np.allclose(e(columns), singles, rtol=1e-13, atol=0)
    # Each set of arrays is compiled anew, so two symbols stand for all.
    ends = free[:1] + free[1:][-1:]
    for s in ends:
        fixed = drawn[0] | {s.name: np.array([drawn[0][s.name]] * 3)}
        assert np.allclose(e(fixed), singles[0], rtol=1e-13, atol=0)
    for s in free:
        whole = drawn[0] | {s.name: max(1, round(drawn[0][s.name]))}
        try:
            expected = e(whole | {s.name: float(whole[s.name])})
        except SymbolError:
            continue
        assert e(whole) == expected
        if s in ends:
            assert e(whole | {s.name: np.array([whole[s.name]])})[0] == (
                pytest.approx(float(expected), rel=1e-13)
            )


@every
def test_stated_directions_hold(e):
    for way, names in ((1, e.rises), (-1, e.falls)):
        for s in names:
            assert s in e.inputs, f"{e.name} does not depend on {s.name}"
            for at in points(e, 20, seed=4):
                more = at | {s.name: at[s.name] * (1 if s.integer_only else
                             1.01) + (1 if s.integer_only else 0)}  # fmt: skip
                try:
                    moved = e(more)
                except SymbolError:
                    continue
                grown = way * (float(moved) - float(e(at)))
                assert grown >= -1e-12 * abs(float(e(at)))


@every
def test_stated_limits_hold(e):
    for s, end, expected in e.limits:
        definitions = {g.left: g.expanded for g in e.given}
        definitions |= {g.left: g.expanded for h in e.given for g in h.given}
        wanted = sympy.simplify(expected.xreplace(definitions))
        assert sympy.simplify(e.limit(s, end).right - wanted) == 0


def test_some_directions_and_limits_are_stated():
    assert sum(len(e.rises) + len(e.falls) for e in EQUATIONS.values()) > 30
    assert sum(len(e.limits) for e in EQUATIONS.values()) >= 7


# The slow twin: a loop that counts, written without the equation.

TWINS = {}
for module in MODULES:
    subject = module.__name__.rsplit(".", 1)[1]
    TWINS |= importlib.import_module(f"twins_{subject}").TWINS


@every
def test_slow_twin_agrees(e):
    for at in points(e, 25, seed=5):
        if "batch" in at:
            at["batch"] = float(min(max(round(at["batch"]), 1), 3000))
        assert float(e(at)) == pytest.approx(TWINS[e.name](at), rel=1e-9)


def test_every_equation_has_a_twin():
    assert set(TWINS) == set(EQUATIONS)


# How an equation is written


@every
def test_right_sides_are_short_exact_and_named(e):
    assert len([s for s in e.right.free_symbols if s.value is None]) <= 7
    assert not e.right.atoms(sympy.Float)
    assert e.says.endswith(".") and e.assumes.endswith(".")
    assert e.label == f"eq-{e.name.replace('_', '-')}"
    assert all(s.span for s in e.inputs if s.value is None)


@every
def test_latex_names_every_symbol_and_no_other(e):
    shown, label = e.show().markdown.rsplit("$$", 1)
    for s in e.right.free_symbols | {e.left}:
        assert s.latex in shown
        assert s.value is not None or s.name not in shown
    assert "boldsymbol" not in shown
    assert label == f" ({e.label})"


@every
def test_worked_numbers_multiply_to_the_printed_result(e):
    """The printed numbers are read back, put in, and must give the result."""
    for at in points(e, 10, seed=6):
        text = e.worked(at).plain
        listed = text.split("  with ")[1].split("\n")[0].split(", ")
        typed = dict(item.split(" = ") for item in rejoined(listed))
        numbers = [
            s.value if s.value is not None
            else parse_quantity(typed[s.name], s.unit)
            for s in e.right.free_symbols
        ]  # fmt: skip
        run = sympy.lambdify(list(e.right.free_symbols), e.right, "math")
        assert e.left.format(float(run(*numbers))) == text.split("= ")[-1]


def rejoined(parts):
    """Parts of "a = 1,000 x, b = 2" split at ", " keep their commas."""
    return [p for p in parts if " = " in p]


def test_hbm_prints_as_named():
    assert decode.weight_time.show().markdown.count(r"W_{\mathrm{HBM}}") == 1


def test_symbols_have_distinct_letters():
    letters = [s.latex for s in SYMBOLS.values()]
    assert len(letters) == len(set(letters))


# Bad input


@pytest.mark.parametrize(
    ("inputs", "complaint"),
    [
        ({"batch": -1}, "batch must be above 0 sequences; got -1"),
        ({"batch": 0}, "batch must be above 0 sequences; got 0"),
        ({"batch": math.nan}, "batch must be above 0 sequences; got nan"),
        ({"batch": math.inf}, "batch must be above 0 sequences; got inf"),
        ({"batch": [1, -2]}, "batch must be above 0 sequences; got -2"),
        ({"batch": [1, math.nan]}, "batch must be .* got nan"),
        ({"batch": 1, "context": -5}, "context must be at least 0 tokens"),
        ({"batch": 1, "chips": 0}, "chips must be at least 1 chip"),
        ({"batch": 1, "bach": 1}, 'no symbol "bach"; did you mean "batch"'),
        ({}, r"needs batch \(sequence\): sequences that advance"),
    ],
)
def test_bad_input_names_symbol_value_and_range(case, inputs, complaint):
    with pytest.raises((SymbolError, LookupError), match=complaint):
        decode.pass_time(case, **inputs)


def test_more_experts_a_token_than_there_are_is_refused():
    with pytest.raises(SymbolError, match="experts_per_token = 9"):
        decode.distinct_experts(experts=8, experts_per_token=9, batch=1)


def test_zero_context_computes_as_scalar_and_array(case):
    alone = decode.pass_time(case, batch=1, context=0)
    assert alone == decode.latency_floor(case)
    many = decode.kv_time(case, batch=[1, 2], context=0)
    assert (many == 0).all()


def test_a_result_out_of_range_is_refused_by_name(case):
    with pytest.raises(SymbolError, match="loaded_balance_batch must be"):
        decode.loaded_balance_batch(case, context=5000)
    along = decode.loaded_balance_batch.along(
        symbols.context, [1000, 5000], case
    )
    assert np.isfinite(along[0]) and np.isnan(along[1])


def test_unlike_parts_of_a_sum_are_refused_by_name():
    with pytest.raises(DimensionError, match="hbm_capacity is byte"):
        dimension(symbols.hbm_capacity + symbols.pass_time)
    with pytest.raises(DimensionError, match="left side is second"):
        Equation(
            left=symbols.pass_time,
            right=symbols.hbm_capacity / symbols.peak_compute,
            says="Wrong.",
            assumes="Nothing.",
        )


def test_strangers_floats_and_silence_are_refused():
    good = {"left": symbols.batch, "says": "x.", "assumes": "y."}
    with pytest.raises(ValueError, match="use Rational"):
        Equation(right=0.5 * symbols.batch, **good)
    with pytest.raises(ValueError, match="not in symbols.py"):
        Equation(right=sympy.Symbol("z"), **good)
    with pytest.raises(ValueError, match="say what is assumed"):
        Equation(right=symbols.batch, **(good | {"assumes": ""}))


def test_solving_expands_definitions_first(case):
    """Memory time holds the batch inside the KV time; solving must see it."""
    solved = equate(decode.compute_time, decode.memory_time).solve_for(
        symbols.batch
    )
    batch = solved(case)
    assert decode.compute_time(case, batch=batch) == pytest.approx(
        float(decode.memory_time(case, batch=batch)), rel=1e-12
    )


def test_binding_names_the_branch_that_decides(case):
    assert decode.pass_time.binding(case, batch=1) is symbols.memory_time
    assert decode.pass_time.binding(case, batch=1e5) is symbols.compute_time
    with pytest.raises(TypeError, match="nothing binds"):
        decode.kv_time.binding(case, batch=1)


def test_symbols_carry_what_pages_print():
    for s in SYMBOLS.values():
        assert isinstance(s, Symbol)
        assert s.says and s.latex and s.name == s.name.lower()
        assert not s.says.endswith(".")
