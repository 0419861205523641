"""Roofline: how language models are trained and served, as equations.

Facts give numbers, symbols carry units, equations join them, a deployment
binds a model to a system, and everything a chapter shows is made from those.
"""

from roofline import symbols
from roofline.chart import Chart
from roofline.deployment import Deployment
from roofline.equation import Equation, equate
from roofline.equations import decode
from roofline.facts import fact
from roofline.models import Model, model
from roofline.question import Question
from roofline.systems import System, system
from roofline.text import BoardCheck, refused, say, sweep, table
from roofline.units import Quantity, quantity

reference_case = model("deepseek_v3").on(system("gb200_nvl72"))
"""DeepSeek-V3 on GB200 NVL72, fp8 weights and KV, the book's own case."""

__all__ = [
    "BoardCheck",
    "Chart",
    "Deployment",
    "Equation",
    "Model",
    "Quantity",
    "Question",
    "System",
    "decode",
    "equate",
    "fact",
    "model",
    "quantity",
    "reference_case",
    "refused",
    "say",
    "sweep",
    "symbols",
    "system",
    "table",
]
