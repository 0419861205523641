"""Which equations does the book rest on?  One module a subject."""

from roofline.equation import Equation
from roofline.equations import (
    balance,
    context_wall,
    cost,
    decode,
    experts,
    kv_cache,
    memory,
    pipeline,
    prices,
    sparsity,
    tiers,
    train,
    training,
)

MODULES = (
    balance,
    decode,
    cost,
    kv_cache,
    train,
    sparsity,
    pipeline,
    memory,
    training,
    context_wall,
    experts,
    prices,
    tiers,
)

EQUATIONS = {
    e.name: e
    for module in MODULES
    for e in vars(module).values()
    if isinstance(e, Equation)
}
