"""What does each letter stand for?  Every symbol of the book, once.

A symbol is a positive real SymPy symbol that also carries its LaTeX, unit,
role (which fixes its colour), one sentence, and the range it is defined on.
Equations print their factors in the order in which symbols stand here.
"""

import math

import sympy

from roofline import units
from roofline.style import ROLES


class SymbolError(ValueError):
    """A value outside the range that its symbol is defined on."""


class Symbol(sympy.Symbol):
    """A SymPy symbol with LaTeX, unit, role, sentence and allowed range.

    ``low`` and ``high`` bound the allowed values in base units; ``low``
    itself is allowed only with ``zero`` (for 0) or where it is positive.
    ``value`` marks a constant such as the 2 of a multiply-add. ``span`` is
    the range that a slider offers, in base units, on a ``scale`` log or
    linear.
    """

    def __new__(
        cls,
        name,
        latex,
        *,
        unit,
        says,
        label=None,
        role=None,
        low=0.0,
        high=math.inf,
        zero=False,
        integer=False,
        value=None,
        span=None,
        scale="log",
    ):
        if role is not None and role not in ROLES:
            raise SymbolError(f'{name}: role "{role}" is not one of {ROLES}')
        self = super().__new__(cls, name, positive=True)
        self.latex = latex
        self.unit = units.unit(unit)
        self.says = says
        self.label = label or name.replace("_", " ")
        self.role = role
        self.low, self.high = float(low), float(high)
        self.low_allowed = zero or low > 0
        self.integer_only = integer
        self.value = value
        self.span, self.scale = span, scale
        return self

    def __reduce__(self):
        return _named, (self.name,)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    @property
    def slug(self):
        """The name as it stands in labels, ids and addresses."""
        return self.name.replace("_", "-")

    @property
    def allowed(self):
        """The allowed range in words: ``above 0 sequences``."""
        words = []
        if self.low_allowed:
            words.append(f"at least {self.format(self.low)}")
        else:
            words.append(f"above {self.format(self.low)}")
        if self.high < math.inf:
            words.append(f"at most {self.format(self.high)}")
        return " and ".join(words)

    def format(self, value, digits=3):
        """The value with this symbol's unit, by the one formatter."""
        return units.format_value(value, self.unit, digits)

    def check(self, lowest, highest=None):
        """Refuse values outside the range, by name. NaN fails too."""
        highest = lowest if highest is None else highest
        above = lowest >= self.low if self.low_allowed else lowest > self.low
        if above and highest <= self.high and highest < math.inf:
            return
        bad = highest if above else lowest
        shown = self.format(bad) if math.isfinite(bad) else str(bad)
        raise SymbolError(
            f"{self.name} must be {self.allowed}; got {shown} ({self.says})"
        )

    def spec(self):
        """What the browser needs to show and check this symbol."""
        return {
            "label": self.label,
            "latex": self.latex,
            "says": self.says,
            "unit": self.unit.spec(),
            "low": self.low,
            "low_allowed": self.low_allowed,
            "high": self.high if self.high < math.inf else None,
            "integer": self.integer_only,
            "role": self.role,
        }


def _named(name):
    return SYMBOLS[name]


def symbol(name, latex, unit, says, **more):
    """Short form of Symbol: name, LaTeX, unit, sentence, then keywords."""
    return Symbol(name, latex, unit=unit, says=says, **more)


# Constants
flop_per_multiply_add = symbol(
    "flop_per_multiply_add",
    "2",
    "FLOP",
    "floating-point operations in one multiply-add",
    value=2,
)

# The work
batch = symbol(
    "batch",
    "B",
    "sequence",
    "sequences that advance by one token in one pass",
    span=(1, 1e5),
)
context = symbol(
    "context",
    "L",
    "token",
    "tokens of context that each sequence attends to",
    zero=True,
    span=(100, 1e6),
)

# The model
kv_bytes_per_token = symbol(
    "kv_bytes_per_token",
    r"k",
    "B/token",
    "bytes of KV cache that one token of context occupies",
    label="KV bytes per token",
    role="kv",
    zero=True,
    span=(1e3, 1e6),
)
bytes_per_weight = symbol(
    "bytes_per_weight",
    r"b_{\mathrm{w}}",
    "B/weight",
    "bytes that one stored weight occupies",
    role="memory",
    span=(0.5, 4),
)
total_parameters = symbol(
    "total_parameters",
    r"N_{\mathrm{total}}",
    "parameter",
    "parameters that the model stores",
    role="memory",
    span=(1e9, 1e13),
)
active_parameters = symbol(
    "active_parameters",
    r"N_{\mathrm{active}}",
    "parameter",
    "parameters that one token is multiplied with",
    role="compute",
    span=(1e9, 1e12),
)
experts = symbol(
    "experts",
    "E",
    "expert",
    "routed experts in one mixture-of-experts layer",
    low=1,
    integer=True,
    span=(8, 512),
)
experts_per_token = symbol(
    "experts_per_token",
    "k_E",
    "expert",
    "routed experts that one token is sent to in one layer",
    low=1,
    integer=True,
    span=(1, 64),
)
distinct_experts = symbol(
    "distinct_experts",
    r"E_{\mathrm{hit}}",
    "expert",
    "routed experts of one layer that a batch touches, on average",
    role="memory",
)
unrouted_parameters = symbol(
    "unrouted_parameters",
    r"N_{\mathrm{always}}",
    "parameter",
    "parameters that every pass reads: all but routed experts",
    role="memory",
    span=(1e9, 1e12),
)
expert_layers = symbol(
    "expert_layers",
    r"M",
    "layer",
    "layers whose feed-forward part is a mixture of experts",
    low=1,
    integer=True,
    span=(1, 200),
)
expert_parameters = symbol(
    "expert_parameters",
    r"N_{\mathrm{expert}}",
    "parameter",
    "parameters of one routed expert",
    role="memory",
    span=(1e6, 1e10),
)
hit_parameters = symbol(
    "hit_parameters",
    r"N_{\mathrm{hit}}",
    "parameter",
    "parameters that a pass reads when experts nobody asked for stay put",
    role="memory",
)

# The machine
chips = symbol(
    "chips",
    "n",
    "chip",
    "chips that share the pass",
    low=1,
    integer=True,
    span=(1, 1000),
)
peak_compute = symbol(
    "peak_compute",
    "F",
    "FLOP/s",
    "dense arithmetic that one chip can do each second at this precision",
    role="compute",
    span=(2e14, 5e16),
)
hbm_bandwidth = symbol(
    "hbm_bandwidth",
    r"W_{\mathrm{HBM}}",
    "B/s",
    "bytes that one chip can read from its HBM each second",
    label="HBM bandwidth",
    role="memory",
    span=(5e11, 5e13),
)
hbm_capacity = symbol(
    "hbm_capacity",
    r"C_{\mathrm{HBM}}",
    "B",
    "bytes of HBM on one chip",
    label="HBM capacity",
    role="memory",
    span=(1.6e10, 1e12),
)
chip_hour_price = symbol(
    "chip_hour_price",
    r"p_{\mathrm{chip}}",
    "$/chip/h",
    "rent of one chip for one hour",
    zero=True,
    span=(0.5 / 3600, 10 / 3600),
)

# The clocks of one pass
compute_time = symbol(
    "compute_time",
    r"t_{\mathrm{compute}}",
    "s",
    "least time in which the chips can do the multiply-adds of a pass",
    label="arithmetic",
    role="compute",
)
weight_time = symbol(
    "weight_time",
    r"t_{\mathrm{weights}}",
    "s",
    "least time in which the chips can read every weight once",
    label="all weights",
    role="memory",
)
kv_time = symbol(
    "kv_time",
    r"t_{\mathrm{KV}}",
    "s",
    "least time in which the chips can read the KV cache of the batch",
    label="KV cache",
    role="kv",
    zero=True,
)
memory_time = symbol(
    "memory_time",
    r"t_{\mathrm{memory}}",
    "s",
    "least time in which the chips can read what a pass needs from HBM",
    label="memory",
    role="memory",
)
pass_time = symbol(
    "pass_time",
    r"t_{\mathrm{pass}}",
    "s",
    "least time of one pass: every sequence of the batch gains one token",
    label="one pass",
    role="total",
)
serial_pass_time = symbol(
    "serial_pass_time",
    r"t_{\mathrm{serial}}",
    "s",
    "time of one pass if arithmetic waits for memory and memory for it",
    label="no overlap",
    role="limit",
)
hit_weight_time = symbol(
    "hit_weight_time",
    r"t_{\mathrm{hit}}",
    "s",
    "least time in which the chips can read the weights that a batch needs",
    label="weights that are hit",
    role="memory",
)
latency_floor = symbol(
    "latency_floor",
    r"t_{\mathrm{floor}}",
    "s",
    "time below which no pass can go, however small the batch",
    label="latency floor",
    role="limit",
)

# Where the clocks agree
machine_balance = symbol(
    "machine_balance",
    r"\alpha",
    "1",
    "multiply-adds a chip can do in the time in which it reads one weight",
)
balance_batch = symbol(
    "balance_batch",
    r"B^{*}",
    "sequence",
    "batch at which arithmetic and memory take the same time",
    label="balance batch",
)
loaded_balance_batch = symbol(
    "loaded_balance_batch",
    r"B^{*}_{\mathrm{KV}}",
    "sequence",
    "batch at which arithmetic takes as long as weights and KV cache",
    label="balance batch with KV",
    role="kv",
)
drain_time = symbol(
    "drain_time",
    r"t_{\mathrm{drain}}",
    "s",
    "least time in which a chip can read all of its HBM once",
    label="drain time",
    role="memory",
)

SYMBOLS = {
    name: value
    for name, value in list(globals().items())
    if isinstance(value, Symbol)
}
RANK = {s: i for i, s in enumerate(SYMBOLS.values())}
