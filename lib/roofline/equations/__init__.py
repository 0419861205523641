"""Which equations does the book rest on?  One module a subject."""

from roofline.equation import Equation
from roofline.equations import decode

MODULES = (decode,)

EQUATIONS = {
    e.name: e
    for module in MODULES
    for e in vars(module).values()
    if isinstance(e, Equation)
}
