"""Roofline: how language models are trained and served, as equations.

Facts give numbers, symbols carry units, equations join them, a deployment
binds a model to a system, and everything a chapter shows is made from those.
"""

from roofline import equations, symbols
from roofline.bars import Bars
from roofline.chart import Chart
from roofline.deployment import Deployment
from roofline.equation import Equation, equate
from roofline.equations import SUBJECTS
from roofline.facts import fact
from roofline.map import Map
from roofline.models import Model, model
from roofline.question import Question
from roofline.schedule import Schedule
from roofline.setting import Setting, setting
from roofline.stepper import Grid, Stepper
from roofline.systems import System, system
from roofline.text import BoardCheck, refused, say, sweep, table
from roofline.units import Quantity, quantity

reference_case = model("deepseek_v3").on(system("gb200_nvl72"))
"""DeepSeek-V3 on GB200 NVL72, fp8 weights and KV, the book's own case."""

__all__ = [
    *SUBJECTS,
    "Bars",
    "BoardCheck",
    "Chart",
    "Deployment",
    "Equation",
    "Grid",
    "Map",
    "Model",
    "Quantity",
    "Question",
    "Schedule",
    "Setting",
    "Stepper",
    "System",
    "equate",
    "fact",
    "model",
    "quantity",
    "reference_case",
    "refused",
    "say",
    "setting",
    "sweep",
    "symbols",
    "system",
    "table",
]


def __getattr__(name):
    """Equations of a subject, loaded when a chapter asks for them."""
    if name in SUBJECTS:
        return getattr(equations, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
