"""Inputs for every equation: log-uniform over what a slider offers."""

import numpy as np
from roofline.symbols import SymbolError


def draw(symbol, random):
    """One value of a symbol, inside its span; whole where it must be."""
    if symbol.value is not None:
        return float(symbol.value)
    low, high = symbol.span
    value = float(np.exp(random.uniform(np.log(low), np.log(high))))
    return float(round(value)) if symbol.integer_only else value


def points(equation, count, seed=0):
    """``count`` dictionaries of inputs at which the equation has a value."""
    random, found = np.random.default_rng(seed), []
    for _ in range(200 * count):
        at = {s.name: draw(s, random) for s in equation.inputs}
        try:
            equation(at)
        except SymbolError:
            continue
        found.append(at)
        if len(found) == count:
            return found
    raise AssertionError(f"{equation.name} has too few valid points")
