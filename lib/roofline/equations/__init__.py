"""Which equations does the book rest on?  One module a subject.

A subject is loaded when it is first asked for, since deriving takes SymPy a
second or two; asking for ``EQUATIONS`` or ``MODULES`` loads them all.
"""

from importlib import import_module

from roofline.equation import Equation

SUBJECTS = (
    "decode",
    "balance",
    "cost",
    "kv_cache",
    "train",
    "sparsity",
    "experts",
    "pipeline",
    "memory",
    "training",
    "prices",
    "context_wall",
    "tiers",
    "reversible",
)


def __getattr__(name):
    if name in SUBJECTS:
        return import_module(f"{__name__}.{name}")
    if name not in ("MODULES", "EQUATIONS"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    modules = tuple(import_module(f"{__name__}.{s}") for s in SUBJECTS)
    equations = {
        e.name: e
        for module in modules
        for e in vars(module).values()
        if isinstance(e, Equation)
    }
    globals().update(MODULES=modules, EQUATIONS=equations)
    return globals()[name]
