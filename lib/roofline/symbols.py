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
training_flop = symbol(
    "training_flop",
    "6",
    "FLOP",
    "operations of training per parameter and token: 2 forward, 4 back",
    value=6,
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
    span=(100, 1000),
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

# What a token of context costs
layers = symbol(
    "layers",
    r"n_{\mathrm{layer}}",
    "layer",
    "layers that keep something of every token",
    low=1,
    integer=True,
    span=(1, 200),
)
query_heads = symbol(
    "query_heads",
    r"n_{\mathrm{q}}",
    "head",
    "query heads in one layer: each looks back once",
    role="compute",
    low=1,
    integer=True,
    span=(1, 256),
)
kv_heads = symbol(
    "kv_heads",
    r"n_{\mathrm{kv}}",
    "head",
    "key-value heads in one layer: each is stored for every token",
    label="key-value heads",
    role="kv",
    low=1,
    integer=True,
    span=(1, 256),
)
head_dim = symbol(
    "head_dim",
    r"d_{\mathrm{head}}",
    "element",
    "elements of one key, and of one value",
    label="elements a head",
    low=1,
    integer=True,
    span=(32, 512),
)
kv_rank = symbol(
    "kv_rank",
    r"r_{\mathrm{kv}}",
    "element",
    "elements of the compressed key and value that MLA stores",
    label="elements of the latent",
    role="kv",
    low=1,
    integer=True,
    span=(64, 4096),
)
rope_dim = symbol(
    "rope_dim",
    r"d_{\mathrm{rope}}",
    "element",
    "elements that MLA stores beside it to know where the token stands",
    label="elements for position",
    role="kv",
    low=1,
    integer=True,
    span=(16, 256),
)
bytes_per_element = symbol(
    "bytes_per_element",
    r"b_{\mathrm{KV}}",
    "B/element",
    "bytes that one stored element of the KV cache occupies",
    label="bytes per KV element",
    role="kv",
    span=(0.5, 4),
)
window = symbol(
    "window",
    r"w",
    "token",
    "most recent tokens that a layer with a sliding window keeps",
    label="sliding window",
    low=1,
    integer=True,
    span=(64, 16384),
)
windowed_layers = symbol(
    "windowed_layers",
    r"n_{\mathrm{win}}",
    "layer",
    "layers that look back no further than a sliding window",
    label="layers with a window",
    low=1,
    integer=True,
    span=(1, 200),
)
index_dim = symbol(
    "index_dim",
    r"d_{\mathrm{index}}",
    "element",
    "elements of the small key by which sparse attention chooses tokens",
    label="elements of the index key",
    role="kv",
    low=1,
    integer=True,
    span=(16, 512),
)
top_k = symbol(
    "top_k",
    r"k_{\mathrm{top}}",
    "token",
    "tokens of context that sparse attention reads in full",
    label="tokens read in full",
    low=1,
    integer=True,
    span=(128, 16384),
)
grouped_kv_bytes = symbol(
    "grouped_kv_bytes",
    r"k_{\mathrm{GQA}}",
    "B/token",
    "bytes of KV cache per token with a key and a value for each KV head",
    label="keys and values",
    role="kv",
)
latent_kv_bytes = symbol(
    "latent_kv_bytes",
    r"k_{\mathrm{MLA}}",
    "B/token",
    "bytes of KV cache per token with one latent for all heads",
    label="one latent",
    role="total",
)
sequence_kv_bytes = symbol(
    "sequence_kv_bytes",
    r"K",
    "B",
    "bytes of KV cache that one sequence occupies",
    label="whole cache",
    role="kv",
    zero=True,
)
windowed_kv_bytes = symbol(
    "windowed_kv_bytes",
    r"K_{\mathrm{win}}",
    "B",
    "bytes of KV cache of one sequence when some layers have a window",
    label="cache with windows",
    role="memory",
    zero=True,
)
sparse_read_bytes = symbol(
    "sparse_read_bytes",
    r"K_{\mathrm{read}}",
    "B",
    "bytes of one sequence's cache that a pass reads with sparse attention",
    label="read by top-k",
    role="memory",
    zero=True,
)
latent_multiply_adds = symbol(
    "latent_multiply_adds",
    r"a_{\mathrm{MLA}}",
    "multiply-add/token",
    "multiply-adds of absorbed MLA for one token of context",
    role="compute",
)
grouped_multiply_adds = symbol(
    "grouped_multiply_adds",
    r"a_{\mathrm{GQA}}",
    "multiply-add/token",
    "multiply-adds of attention with ordinary heads for one context token",
    role="compute",
)
attention_multiply_adds = symbol(
    "attention_multiply_adds",
    r"a",
    "multiply-add/token",
    "multiply-adds that one token of context costs in each pass",
    label="attention's multiply-adds",
    role="compute",
    zero=True,
    span=(1e4, 1e8),
)
attention_peak = symbol(
    "attention_peak",
    r"F_{\mathrm{att}}",
    "FLOP/s",
    "dense arithmetic of a chip at the precision that attention uses",
    label="attention's peak",
    role="compute",
    span=(2e14, 5e16),
)
attention_intensity = symbol(
    "attention_intensity",
    r"I_{\mathrm{att}}",
    "FLOP/B",
    "arithmetic that attention does on each byte of KV cache it reads",
    role="compute",
)
attention_time = symbol(
    "attention_time",
    r"t_{\mathrm{att}}",
    "s",
    "least time in which the chips can do the arithmetic of attention",
    label="attention's arithmetic",
    role="network",
    zero=True,
)
attended_compute_time = symbol(
    "attended_compute_time",
    r"t_{\mathrm{all}}",
    "s",
    "least time of all multiply-adds of a pass, attention's included",
    label="all arithmetic",
    role="compute",
)
net_kv_bytes = symbol(
    "net_kv_bytes",
    r"k'",
    "B/token",
    "bytes per context token that attention's own arithmetic does not hide",
    low=-1e9,
)
balance_context = symbol(
    "balance_context",
    r"L^{*}",
    "token",
    "context past which no batch makes arithmetic the slower clock",
    label="last balanced context",
)
attended_balance_context = symbol(
    "attended_balance_context",
    r"L^{*}_{\mathrm{att}}",
    "token",
    "the same context once attention's arithmetic is counted",
    label="last balanced context, attention counted",
)
attended_balance_batch = symbol(
    "attended_balance_batch",
    r"B^{*}_{\mathrm{att}}",
    "sequence",
    "batch at which all arithmetic takes as long as weights and KV cache",
    label="attention counted",
    role="compute",
)
compute_share = symbol(
    "compute_share",
    r"u",
    "%",
    "share of the pass in which the multipliers work on weights",
    label="share of peak",
    role="compute",
)
hbm_bytes = symbol(
    "hbm_bytes",
    r"C_{\mathrm{all}}",
    "B",
    "bytes of HBM on all chips together",
    label="HBM of all chips",
    role="memory",
)
resident_bytes = symbol(
    "resident_bytes",
    r"C_{\mathrm{used}}",
    "B",
    "bytes of HBM that weights and the caches of a batch occupy",
    label="weights and caches",
    role="memory",
)
capacity_batch = symbol(
    "capacity_batch",
    r"B_{\mathrm{fit}}",
    "sequence",
    "sequences whose caches fit in HBM beside the weights",
    label="largest that fits",
    role="memory",
)

# When the next train leaves
train_period = symbol(
    "train_period",
    r"t_{\mathrm{train}}",
    "s",
    "time from the start of one pass to the start of the next",
    label="period",
    span=(1e-3, 0.1),
)
mean_wait = symbol(
    "mean_wait",
    r"t_{\mathrm{wait}}",
    "s",
    "time from a request to the start of the next pass, on average",
    label="mean wait",
)
mean_token_time = symbol(
    "mean_token_time",
    r"t_{\mathrm{mean}}",
    "s",
    "time from a request to its first token, on average",
    label="wait and ride, on average",
    role="memory",
)
worst_token_time = symbol(
    "worst_token_time",
    r"t_{\mathrm{worst}}",
    "s",
    "time from a request to its first token, after just missing a pass",
    label="wait and ride, at worst",
    role="compute",
)
token_rate = symbol(
    "token_rate",
    r"R",
    "token/s",
    "tokens that one machine writes each second",
    label="tokens per second",
    role="total",
    span=(1e2, 1e7),
)
traffic = symbol(
    "traffic",
    r"R_{\mathrm{all}}",
    "token/s",
    "tokens that a whole service handles each second",
    span=(1e6, 1e10),
)
trains_needed = symbol(
    "trains_needed",
    r"m_{\mathrm{trains}}",
    "1",
    "machines of that rate which together carry the traffic",
    label="machines needed",
)
full_rack_time = symbol(
    "full_rack_time",
    r"t_{\mathrm{full}}",
    "s",
    "least time of a pass's multiply-adds when caches fill the HBM",
    label="arithmetic, HBM full",
    role="compute",
)
full_rack_context = symbol(
    "full_rack_context",
    r"L_{\mathrm{full}}",
    "token",
    "context at which a full HBM takes both clocks the same time",
    label="context of a full rack",
)
full_rack_rate = symbol(
    "full_rack_rate",
    r"R_{\mathrm{full}}",
    "token/s",
    "tokens that the machine writes each second when caches fill the HBM",
    label="HBM full",
    role="kv",
)

# What a token costs
pass_cost = symbol(
    "pass_cost",
    r"c_{\mathrm{pass}}",
    "$/pass",
    "rent of all chips for the time of one pass",
    label="rent of one pass",
)
compute_cost = symbol(
    "compute_cost",
    r"c_{\mathrm{compute}}",
    "$/Mtoken",
    "rent of the arithmetic of one token",
    label="arithmetic",
    role="compute",
)
weight_cost = symbol(
    "weight_cost",
    r"c_{\mathrm{weights}}",
    "$/Mtoken",
    "one token's part of the rent of reading every weight",
    label="weights",
    role="memory",
)
kv_cost = symbol(
    "kv_cost",
    r"c_{\mathrm{KV}}",
    "$/Mtoken",
    "rent of reading one sequence's KV cache once",
    label="KV cache",
    role="kv",
    zero=True,
)
memory_cost = symbol(
    "memory_cost",
    r"c_{\mathrm{memory}}",
    "$/Mtoken",
    "one token's part of the rent of all that a pass reads",
    label="memory",
    role="memory",
)
token_cost = symbol(
    "token_cost",
    r"c_{\mathrm{token}}",
    "$/Mtoken",
    "least rent that one token can cost",
    label="one token",
    role="total",
)
cost_floor = symbol(
    "cost_floor",
    r"c_{\mathrm{floor}}",
    "$/Mtoken",
    "rent below which no token can go, however large the batch",
    label="cost floor",
    role="limit",
)
hit_cost = symbol(
    "hit_cost",
    r"c_{\mathrm{hit}}",
    "$/Mtoken",
    "one token's part of the rent of reading the weights a batch needs",
    label="weights that are hit",
    role="memory",
)
lone_premium = symbol(
    "lone_premium",
    r"r_{1}",
    "1",
    "weights' rent of a token at batch one, in multiples of its arithmetic",
    label="premium of one user",
)
lone_parameters = symbol(
    "lone_parameters",
    r"N_{1}",
    "parameter",
    "parameters that a pass must read for one sequence alone",
    role="memory",
)
lone_hit_premium = symbol(
    "lone_hit_premium",
    r"r_{1,\mathrm{hit}}",
    "1",
    "the same premium when a lone sequence reads only what it needs",
    label="premium of one user, hit experts",
)
user_rate = symbol(
    "user_rate",
    r"R_{\mathrm{user}}",
    "token/s",
    "tokens that one sequence gains each second",
    label="speed for one user",
    role="total",
    span=(10, 1e4),
)
compute_paced_batch = symbol(
    "compute_paced_batch",
    r"B_{\mathrm{pace,compute}}",
    "sequence",
    "largest batch whose arithmetic keeps up with a given speed",
    label="arithmetic keeps up",
    role="compute",
)
memory_paced_batch = symbol(
    "memory_paced_batch",
    r"B_{\mathrm{pace,memory}}",
    "sequence",
    "largest batch whose memory reads keep up with a given speed",
    label="memory keeps up",
    role="memory",
)
paced_batch = symbol(
    "paced_batch",
    r"B_{\mathrm{pace}}",
    "sequence",
    "largest batch that still gives each user a given speed",
    label="largest batch at this speed",
    role="total",
)
paced_cost = symbol(
    "paced_cost",
    r"c_{\mathrm{pace}}",
    "$/Mtoken",
    "least rent of a token when each user must get a given speed",
    label="one token at this speed",
    role="total",
)
price_ratio = symbol(
    "price_ratio",
    r"r_{\mathrm{price}}",
    "1",
    "how many times dearer a fast token is than a normal one",
    low=1,
    span=(1.1, 100),
)
speed_ratio = symbol(
    "speed_ratio",
    r"r_{\mathrm{speed}}",
    "1",
    "how many times faster the fast mode is for one user",
    low=1,
    span=(1.1, 10),
)
batch_ratio = symbol(
    "batch_ratio",
    r"r_{\mathrm{batch}}",
    "1",
    "how many times smaller the batch of the fast mode is",
    low=1,
    span=(1.1, 1000),
)
sequence_share = symbol(
    "sequence_share",
    r"\phi_{\mathrm{seq}}",
    "%",
    "share of the normal pass that each sequence brings for itself",
    label="per-sequence share",
    role="kv",
    zero=True,
    high=1,
    span=(0.05, 0.98),
    scale="linear",
)
paid_speed_ratio = symbol(
    "paid_speed_ratio",
    r"r_{\mathrm{paid}}",
    "1",
    "speed-up that a price buys when the batch shrinks to match it",
    label="speed-up for the price",
    role="total",
)
top_speed_ratio = symbol(
    "top_speed_ratio",
    r"r_{\mathrm{top}}",
    "1",
    "speed-up that no price exceeds on the same machine",
    label="speed-up at any price",
    role="limit",
)
fast_over_floor = symbol(
    "fast_over_floor",
    r"r_{\mathrm{above}}",
    "1",
    "how many times the latency floor a fast pass still takes",
)

# How far sparsity goes
sparsity = symbol(
    "sparsity",
    "s",
    "1",
    "parameters stored for each parameter that one token meets",
    low=1,
    span=(1, 300),
)
routed_share = symbol(
    "routed_share",
    r"\rho",
    "1",
    "share of the active parameters that stands in routed experts",
    label="routed share",
    high=1,
    span=(0.05, 1),
    scale="linear",
)
size_slope = symbol(
    "size_slope",
    r"\lambda_{N}",
    "1",
    "how fast the loss falls with the size of the model, in decades",
    span=(0.07, 0.1),
)
expert_slope = symbol(
    "expert_slope",
    r"\lambda_{E}",
    "1",
    "how fast the loss falls with the number of experts, in decades",
    span=(0.08, 0.16),
)
cross_slope = symbol(
    "cross_slope",
    r"\lambda_{NE}",
    "1",
    "how much of that is lost where both are large",
    span=(0.006, 0.015),
)
loss_level = symbol(
    "loss_level",
    r"\lambda_{0}",
    "1",
    "decades of loss from which the law starts",
    span=(1, 1.3),
)
expert_start = symbol(
    "expert_start",
    r"E_{\mathrm{start}}",
    "expert",
    "experts that a dense model counts for in the law",
    low=1,
    span=(1.5, 5),
)
expert_limit = symbol(
    "expert_limit",
    r"E_{\mathrm{max}}",
    "expert",
    "experts that more of them cannot count beyond",
    low=1,
    span=(250, 600),
)
expert_offset = symbol(
    "expert_offset",
    r"E_{0}",
    "expert",
    "experts that the first expert is worth before the limit is felt",
    low=1,
    span=(1.5, 5),
)
counted_experts = symbol(
    "counted_experts",
    r"\hat{E}",
    "expert",
    "experts as the law counts them: many count for fewer",
    low=1,
)
dense_exponent = symbol(
    "dense_exponent",
    r"\gamma_{\mathrm{dense}}",
    "1",
    "power of its size with which the loss of a dense model falls",
    role="limit",
)
size_exponent = symbol(
    "size_exponent",
    r"\gamma",
    "1",
    "power of its size with which the loss of a routed model falls",
    role="compute",
)
# The law was fitted between these two sizes and up to 512 experts.
dense_parameters = symbol(
    "dense_parameters",
    r"N_{\mathrm{dense}}",
    "parameter",
    "parameters of the dense model whose loss is to be reached",
    label="size of the dense model",
    role="limit",
    low=15e6,
    high=1.3e9,
    span=(15e6, 1.3e9),
)
base_parameters = symbol(
    "base_parameters",
    r"N_{\mathrm{base}}",
    "parameter",
    "active parameters of a routed model, where the law was fitted",
    label="active parameters",
    role="compute",
    low=15e6,
    high=1.3e9,
    span=(15e6, 1.3e9),
)
dense_loss = symbol(
    "dense_loss",
    r"\mathcal{L}_{\mathrm{dense}}",
    "1",
    "loss of a dense model, in nats a token",
    label="dense model",
    role="limit",
)
routed_loss = symbol(
    "routed_loss",
    r"\mathcal{L}",
    "1",
    "loss of a routed model, in nats a token",
    label="routed model",
    role="total",
)
active_saving = symbol(
    "active_saving",
    r"g",
    "1",
    "how many times fewer active parameters reach the same loss",
    label="saving in active parameters",
    role="compute",
)
stored_growth = symbol(
    "stored_growth",
    r"h",
    "1",
    "how many times more stored parameters the same loss then takes",
    label="growth in stored parameters",
    role="memory",
)
stored_parameters = symbol(
    "stored_parameters",
    r"N_{\mathrm{stored}}",
    "parameter",
    "parameters that a routed model of that quality stores",
    label="stored parameters",
    role="memory",
)
token_compute_time = symbol(
    "token_compute_time",
    r"\tau_{\mathrm{compute}}",
    "s",
    "time of one chip that the arithmetic of one token takes",
    label="arithmetic",
    role="compute",
)
token_weight_time = symbol(
    "token_weight_time",
    r"\tau_{\mathrm{weights}}",
    "s",
    "time of one chip that one token's part of the weight read takes",
    label="weights",
    role="memory",
)
token_time = symbol(
    "token_time",
    r"\tau",
    "s",
    "time of one chip that one token of a routed model takes",
    label="routed model",
    role="total",
)
dense_token_time = symbol(
    "dense_token_time",
    r"\tau_{\mathrm{dense}}",
    "s",
    "time of one chip that one token of the dense model takes",
    label="dense model",
    role="limit",
)
best_sparsity = symbol(
    "best_sparsity",
    r"s^{*}",
    "1",
    "sparsity at which so many users keep both clocks equally busy",
    role="total",
)
break_even_batch = symbol(
    "break_even_batch",
    r"B_{\mathrm{even}}",
    "sequence",
    "users below whom the dense model of the same quality is cheaper",
    label="users to break even",
)
balanced_bytes = symbol(
    "balanced_bytes",
    r"C_{\mathrm{balanced}}",
    "B",
    "bytes of HBM for the weights and for the caches of a balance batch",
    label="weights and caches",
    role="total",
)

# A pipeline of stages
stages = symbol(
    "stages",
    "P",
    "stage",
    "stages that the layers are cut into, one after the other",
    low=1,
    integer=True,
    span=(2, 64),
)
micro_batches = symbol(
    "micro_batches",
    "m",
    "micro-batch",
    "micro-batches that one step of training is cut into",
    label="micro-batches",
    low=1,
    integer=True,
    span=(2, 256),
)
chunks = symbol(
    "chunks",
    "v",
    "chunk",
    "slices of the model that one stage holds when they are interleaved",
    low=1,
    integer=True,
    span=(1, 8),
)
layers_per_stage = symbol(
    "layers_per_stage",
    r"\ell",
    "layer",
    "mixture-of-experts layers that one stage holds",
    span=(1, 100),
)
vector_bytes = symbol(
    "vector_bytes",
    r"b_{\mathrm{x}}",
    "B/token",
    "bytes of the vector that one token carries from layer to layer",
    label="bytes of a token's vector",
    role="network",
    span=(1e3, 1e5),
)
scaleup_bandwidth = symbol(
    "scaleup_bandwidth",
    r"W_{\mathrm{up}}",
    "B/s",
    "bytes that one chip can send each second inside its rack, one direction",
    label="scale-up bandwidth",
    role="network",
    span=(1e11, 5e12),
)
scaleout_bandwidth = symbol(
    "scaleout_bandwidth",
    r"W_{\mathrm{out}}",
    "B/s",
    "bytes that one chip can send each second to other racks, one direction",
    label="scale-out bandwidth",
    role="network",
    span=(1e9, 5e11),
)
scaleup_time = symbol(
    "scaleup_time",
    r"t_{\mathrm{up}}",
    "s",
    "time in which one token's copies cross the network inside a stage",
    label="inside the rack",
    role="network",
)
scaleout_time = symbol(
    "scaleout_time",
    r"t_{\mathrm{out}}",
    "s",
    "time in which one token's vector crosses to the next rack",
    label="to the next rack",
    role="limit",
)
network_ratio = symbol(
    "network_ratio",
    r"\rho_{\mathrm{net}}",
    "1",
    "scale-up time over scale-out time; from 1 on the racks' link can wait",
    label="scale-up over scale-out time",
    role="network",
)
least_layers_per_stage = symbol(
    "least_layers_per_stage",
    r"\ell_{\min}",
    "layer",
    "expert layers of a stage from which its own network is the slower one",
    role="network",
)
forward_time = symbol(
    "forward_time",
    r"t_{\mathrm{F}}",
    "s",
    "time in which one stage takes one micro-batch forward",
    label="forward",
    role="compute",
    span=(1e-3, 1),
)
backward_time = symbol(
    "backward_time",
    r"t_{\mathrm{B}}",
    "s",
    "time in which one stage takes one micro-batch backward",
    label="backward",
    role="memory",
    span=(1e-3, 1),
)
weight_gradient_time = symbol(
    "weight_gradient_time",
    r"t_{\mathrm{W}}",
    "s",
    "the part of the backward time that makes the gradients of weights",
    label="gradients of weights",
    role="kv",
    span=(1e-3, 1),
)
fill_time = symbol(
    "fill_time",
    r"t_{\mathrm{fill}}",
    "s",
    "time until the first micro-batch has climbed to the last stage",
    role="limit",
    zero=True,
)
work_time = symbol(
    "work_time",
    r"t_{\mathrm{work}}",
    "s",
    "time in which one stage does its work of a step",
    label="useful time",
    role="compute",
)
empty_time = symbol(
    "empty_time",
    r"t_{\mathrm{empty}}",
    "s",
    "time in which the last micro-batch comes back to the first stage",
    role="limit",
    zero=True,
)
step_time = symbol(
    "step_time",
    r"t_{\mathrm{step}}",
    "s",
    "time of one step of training, from first forward to last backward",
    label="one step",
    role="total",
    span=(1e-2, 1e3),
)
bubble_time = symbol(
    "bubble_time",
    r"t_{\mathrm{bubble}}",
    "s",
    "time of a step in which a stage waits",
    label="bubble",
    role="limit",
    zero=True,
    span=(1e-3, 1e3),
)
idle_share = symbol(
    "idle_share",
    r"\beta",
    "%",
    "part of the step that a stage spends waiting",
    label="idle share of the step",
    role="limit",
    zero=True,
    high=1,
    span=(0.01, 0.9),
)
idle_over_useful = symbol(
    "idle_over_useful",
    r"\beta_{\mathrm{work}}",
    "%",
    "waiting time of a stage over its working time",
    label="idle over useful time",
    role="total",
    zero=True,
)
needed_micro_batches = symbol(
    "needed_micro_batches",
    r"m_{\beta}",
    "micro-batch",
    "micro-batches at which a step has a given idle share",
    label="micro-batches needed",
)
interleaved_bubble_time = symbol(
    "interleaved_bubble_time",
    r"t_{\mathrm{bubble},v}",
    "s",
    "waiting time of a stage when slices of the model are interleaved",
    label="bubble, interleaved",
    role="limit",
    zero=True,
)
interleaved_idle_over_useful = symbol(
    "interleaved_idle_over_useful",
    r"\beta_{\mathrm{work},v}",
    "%",
    "waiting over working time when slices of the model are interleaved",
    label="interleaved",
    role="memory",
    zero=True,
)
zero_bubble_time = symbol(
    "zero_bubble_time",
    r"t_{\mathrm{bubble},0}",
    "s",
    "waiting time of a stage when gradients of weights fill the gaps",
    label="bubble, zero-bubble",
    role="kv",
    zero=True,
)
zero_bubble_idle_over_useful = symbol(
    "zero_bubble_idle_over_useful",
    r"\beta_{\mathrm{work},0}",
    "%",
    "waiting over working time when gradients of weights fill the gaps",
    label="zero-bubble",
    role="kv",
    zero=True,
)

# The memory of a pipeline that decodes
stage_time = symbol(
    "stage_time",
    r"t_{\mathrm{stage}}",
    "s",
    "time in which one stage takes one micro-batch through its layers",
    span=(1e-4, 1),
)
round_time = symbol(
    "round_time",
    r"t_{\mathrm{round}}",
    "s",
    "time until a micro-batch that left the first stage is back there",
)
in_flight_micro_batches = symbol(
    "in_flight_micro_batches",
    r"m_{\mathrm{flight}}",
    "micro-batch",
    "micro-batches under way at once when no stage waits",
)
in_flight_sequences = symbol(
    "in_flight_sequences",
    "S",
    "sequence",
    "sequences whose KV cache the pipeline has to hold",
    role="kv",
    span=(1, 1e6),
)
weights_per_chip = symbol(
    "weights_per_chip",
    r"C_{\mathrm{w}}",
    "B",
    "bytes of weights that one chip of a pipeline holds",
    label="weights",
    role="memory",
)
kv_per_chip = symbol(
    "kv_per_chip",
    r"C_{\mathrm{KV}}",
    "B",
    "bytes of KV cache that one chip of a pipeline holds",
    label="KV cache",
    role="kv",
    zero=True,
)
loop_kv_per_chip = symbol(
    "loop_kv_per_chip",
    r"C_{\mathrm{KV,full}}",
    "B",
    "bytes of KV cache on one chip of a pipeline in which no stage waits",
    label="KV cache",
    role="kv",
    zero=True,
)
chip_bytes = symbol(
    "chip_bytes",
    r"C_{\mathrm{chip}}",
    "B",
    "bytes that one chip of a pipeline has to hold",
    label="both",
    role="total",
)
paying_stages = symbol(
    "paying_stages",
    r"P^{*}",
    "stage",
    "stages at which a chip holds as much KV cache as weights",
    label="stages that pay",
)
balanced_paying_stages = symbol(
    "balanced_paying_stages",
    r"P^{*}_{B^{*}}",
    "stage",
    "stages at which KV cache equals weights, at the balance batch",
    label="stages that pay at the balance batch",
)
fitting_stages = symbol(
    "fitting_stages",
    r"P_{\mathrm{fit}}",
    "stage",
    "stages from which weights and KV cache fit on the chips",
    label="stages that fit",
)
stage_weight_time = symbol(
    "stage_weight_time",
    r"t_{\mathrm{w,stage}}",
    "s",
    "least time in which the chips of one stage can read its weights",
    label="weights of one stage",
    role="memory",
)
hop_latency = symbol(
    "hop_latency",
    r"t_{\mathrm{wire}}",
    "s",
    "time of the smallest message from one rack to another",
    label="latency of a hop",
    role="network",
    span=(1e-6, 1e-2),
)
hop_time = symbol(
    "hop_time",
    r"t_{\mathrm{hop}}",
    "s",
    "time in which the vectors of a micro-batch get to the next rack",
    label="one hop",
    role="network",
)
pipelined_token_time = symbol(
    "pipelined_token_time",
    r"t_{\mathrm{token}}",
    "s",
    "least time of one token through all stages and back to the first",
    label="one token",
    role="total",
)

# What a model costs over its life
pretraining_tokens = symbol(
    "pretraining_tokens",
    r"D_{\mathrm{PT}}",
    "token",
    "tokens that a model reads in pre-training",
    label="pre-training tokens",
    role="compute",
    span=(1e11, 1e16),
)
rl_tokens = symbol(
    "rl_tokens",
    r"D_{\mathrm{RL}}",
    "token",
    "tokens that a model writes in reinforcement learning",
    label="RL tokens",
    role="network",
    span=(1e11, 1e16),
)
inference_tokens = symbol(
    "inference_tokens",
    r"D_{\mathrm{inf}}",
    "token",
    "tokens that a model handles for users over its life",
    label="lifetime inference tokens",
    role="kv",
    span=(1e11, 1e17),
)
rl_flop = symbol(
    "rl_flop",
    r"c_{\mathrm{RL}}",
    "FLOP",
    "operations of reinforcement learning per parameter and token",
    label="RL work per token",
    role="network",
    low=2,
    high=6,
    span=(2, 6),
    scale="linear",
)
decode_inefficiency = symbol(
    "decode_inefficiency",
    r"\kappa",
    "1",
    "how many times more machine time an operation takes in decode",
    label="decode inefficiency",
    low=1,
    span=(1, 10),
)
pretraining_cost = symbol(
    "pretraining_cost",
    r"C_{\mathrm{PT}}",
    "FLOP",
    "operations of pre-training",
    label="pre-training",
    role="compute",
)
rl_cost = symbol(
    "rl_cost",
    r"C_{\mathrm{RL}}",
    "FLOP",
    "reinforcement learning, in operations of training that cost as much",
    label="reinforcement learning",
    role="network",
)
inference_cost = symbol(
    "inference_cost",
    r"C_{\mathrm{inf}}",
    "FLOP",
    "inference over a life, in operations of training that cost as much",
    label="inference",
    role="kv",
)
lifetime_cost = symbol(
    "lifetime_cost",
    r"C_{\mathrm{life}}",
    "FLOP",
    "all a model costs, in operations of training that cost as much",
    label="whole life",
    role="total",
)
prompt_attention_flop = symbol(
    "prompt_attention_flop",
    r"C_{\mathrm{att}}",
    "FLOP",
    "arithmetic of attention when a whole text is read, each token once",
    label="attention",
    role="network",
    zero=True,
)
training_attention_share = symbol(
    "training_attention_share",
    r"\phi_{\mathrm{att}}",
    "%",
    "attention's arithmetic in training, beside that of the parameters",
    label="attention beside parameters",
    zero=True,
)
training_time = symbol(
    "training_time",
    r"T_{\mathrm{train}}",
    "h",
    "time of single chips that pre-training took, added up",
    label="chip time of training",
    span=(3600 * 1e4, 3600 * 1e9),
)
training_utilisation = symbol(
    "training_utilisation",
    r"u_{\mathrm{train}}",
    "%",
    "share of the dense peak that training turned into parameter work",
    label="share of peak in training",
    role="compute",
)

# When two costs should be equal
dial = symbol(
    "dial",
    "x",
    "1",
    "what is to be chosen, in multiples of where two costs agree",
    label="the choice",
    span=(0.01, 100),
)
rising_power = symbol(
    "rising_power",
    "p",
    "1",
    "power with which the rising cost grows",
    span=(0.1, 3),
    role="compute",
    scale="linear",
)
falling_power = symbol(
    "falling_power",
    "q",
    "1",
    "power with which the falling cost shrinks",
    span=(0.1, 3),
    role="kv",
    scale="linear",
)
rising_cost = symbol(
    "rising_cost",
    r"C_{\uparrow}",
    "1",
    "cost that grows with the choice; it is 1 where both agree",
    role="compute",
)
falling_cost = symbol(
    "falling_cost",
    r"C_{\downarrow}",
    "1",
    "cost that shrinks with the choice; it is 1 where both agree",
    role="kv",
)
summed_cost = symbol(
    "summed_cost",
    r"C_{\Sigma}",
    "1",
    "both costs together",
    label="sum",
    role="total",
)
best_dial = symbol(
    "best_dial",
    r"x^{*}",
    "1",
    "choice at which the sum is smallest",
    label="best choice",
)
best_split = symbol(
    "best_split",
    r"r_{\uparrow\downarrow}",
    "1",
    "rising over falling cost where the sum is smallest",
    label="split at the best choice",
)
equal_cost_penalty = symbol(
    "equal_cost_penalty",
    r"\pi_{=}",
    "1",
    "cost at equal parts over the smallest cost",
    label="price of equal parts",
    role="total",
)

# How many tokens
model_traffic = symbol(
    "model_traffic",
    r"R_{\mathrm{model}}",
    "token/s",
    "tokens that one model handles each second",
    label="traffic of one model",
    span=(1e6, 1e10),
)
model_lifetime = symbol(
    "model_lifetime",
    r"T_{\mathrm{life}}",
    "day",
    "time for which a model serves before the next replaces it",
    label="time in service",
    span=(86400 * 10, 86400 * 1000),
)
equal_pretraining_tokens = symbol(
    "equal_pretraining_tokens",
    r"D_{\mathrm{PT}}^{=}",
    "token",
    "pre-training tokens that cost as much as inference",
    label="pre-training tokens at equal cost",
    role="compute",
)
equal_rl_tokens = symbol(
    "equal_rl_tokens",
    r"D_{\mathrm{RL}}^{=}",
    "token",
    "RL tokens that cost as much as inference",
    label="RL tokens at equal cost",
    role="network",
)
tokens_per_parameter = symbol(
    "tokens_per_parameter",
    r"\delta",
    "token/parameter",
    "pre-training tokens for each active parameter",
    span=(1, 1e5),
)
best_ratio = symbol(
    "best_ratio",
    r"\delta^{*}",
    "token/parameter",
    "tokens a parameter of the cheapest plan",
    label="optimum",
    role="total",
)
equal_ratio = symbol(
    "equal_ratio",
    r"\delta_{=}",
    "token/parameter",
    "tokens a parameter if pre-training costs as much as inference",
    label="equal cost",
    role="limit",
)
base_ratio = symbol(
    "base_ratio",
    r"\delta_{0}",
    "token/parameter",
    "tokens a parameter from which over-training is counted",
    label="base of the count",
    span=(1, 1000),
)
over_training = symbol(
    "over_training",
    r"\omega",
    "1",
    "pre-training tokens in multiples of the base",
    label="times over-trained",
    role="total",
    span=(1, 1000),
)
multiple_tokens = symbol(
    "multiple_tokens",
    r"D_{\omega}",
    "token",
    "pre-training tokens at a multiple of the base",
    label="multiple of the base",
    role="limit",
)
equal_over_training = symbol(
    "equal_over_training",
    r"\omega_{=}",
    "1",
    "the same multiple if pre-training costs as much as inference",
    label="times over-trained at equal cost",
)

# What a loss costs
irreducible_loss = symbol(
    "irreducible_loss",
    r"\mathcal{L}_{\infty}",
    "1",
    "loss that no model and no data go below, in nats a token",
    span=(1.5, 2),
    scale="linear",
)
size_scale = symbol(
    "size_scale",
    r"A_{N}",
    "1",
    "how much loss a small model adds",
    role="memory",
    span=(100, 1000),
)
token_scale = symbol(
    "token_scale",
    r"A_{D}",
    "1",
    "how much loss little data adds",
    role="compute",
    span=(100, 5000),
)
size_power = symbol(
    "size_power",
    r"\alpha_{N}",
    "1",
    "power with which that loss falls as the model grows",
    role="memory",
    span=(0.25, 0.45),
    scale="linear",
)
token_power = symbol(
    "token_power",
    r"\alpha_{D}",
    "1",
    "power with which that loss falls as the data grow",
    role="compute",
    span=(0.25, 0.45),
    scale="linear",
)
scaling_loss = symbol(
    "scaling_loss",
    r"\mathcal{L}_{N,D}",
    "1",
    "loss of a model of some size after some tokens, in nats a token",
    label="loss",
    role="total",
)
exchange_rate = symbol(
    "exchange_rate",
    r"\xi",
    "1",
    "per cent of size that one per cent more tokens replaces",
    label="exchange rate",
)
training_share = symbol(
    "training_share",
    r"\phi_{\mathrm{PT}}",
    "%",
    "pre-training's share of what pre-training and inference cost",
    label="share of pre-training",
    role="compute",
)
served_tokens = symbol(
    "served_tokens",
    r"D_{\mathrm{inf}}^{*}",
    "token",
    "lifetime inference for which a pre-training is the cheapest",
    label="tokens to be served",
    role="total",
)
equal_served_tokens = symbol(
    "equal_served_tokens",
    r"D_{\mathrm{inf}}^{=}",
    "token",
    "lifetime inference that costs as much as a pre-training",
    label="equal cost",
    role="limit",
)
optimal_tokens = symbol(
    "optimal_tokens",
    r"D_{\mathrm{opt}}",
    "token",
    "pre-training tokens of least training cost, inference left out",
    label="compute-optimal tokens",
)
over_optimum = symbol(
    "over_optimum",
    r"\omega_{\mathrm{opt}}",
    "1",
    "pre-training tokens in multiples of the compute-optimal ones",
    label="times the fit's own optimum",
)
target_loss = symbol(
    "target_loss",
    r"\mathcal{L}^{*}",
    "1",
    "loss that is to be reached, in nats a token",
    span=(1.75, 2.5),
    scale="linear",
)
size_loss = symbol(
    "size_loss",
    r"\mathcal{L}_{N}",
    "1",
    "loss that is left for the size of the model to add",
    label="loss left for size",
)
matched_parameters = symbol(
    "matched_parameters",
    r"N_{\mathcal{L}}",
    "parameter",
    "size at which so many tokens reach the target",
    label="size for this loss",
    role="memory",
)
matched_training_cost = symbol(
    "matched_training_cost",
    r"C_{\mathrm{PT},\mathcal{L}}",
    "FLOP",
    "operations of pre-training to the target",
    label="pre-training",
    role="compute",
)
matched_inference_cost = symbol(
    "matched_inference_cost",
    r"C_{\mathrm{inf},\mathcal{L}}",
    "FLOP",
    "inference with a model of the target loss, in operations of training",
    label="inference",
    role="kv",
)
matched_cost = symbol(
    "matched_cost",
    r"C_{\mathcal{L}}",
    "FLOP",
    "pre-training and inference at the target, in operations of training",
    label="both",
    role="total",
)

# The wall of context
nope_dim = symbol(
    "nope_dim",
    r"d_{\mathrm{nope}}",
    "element",
    "elements of an unfolded MLA key that say nothing of the position",
    label="elements of an unfolded key",
    low=1,
    integer=True,
    span=(32, 512),
)
value_dim = symbol(
    "value_dim",
    r"d_{\mathrm{value}}",
    "element",
    "elements of an unfolded MLA value",
    label="elements of an unfolded value",
    low=1,
    integer=True,
    span=(32, 512),
)
index_heads = symbol(
    "index_heads",
    r"n_{\mathrm{index}}",
    "head",
    "heads with which the indexer of sparse attention looks at each token",
    label="heads of the indexer",
    role="compute",
    low=1,
    integer=True,
    span=(1, 128),
)
expanded_multiply_adds = symbol(
    "expanded_multiply_adds",
    r"a_{\mathrm{unfolded}}",
    "multiply-add/token",
    "multiply-adds of MLA for one token of context, keys unfolded",
    role="compute",
)
prompt_multiply_adds = symbol(
    "prompt_multiply_adds",
    r"a_{\mathrm{prompt}}",
    "multiply-add/token",
    "multiply-adds of a token of a prompt with one token before it",
    label="attention's multiply-adds in a prompt",
    role="network",
    span=(1e4, 1e8),
)
index_multiply_adds = symbol(
    "index_multiply_adds",
    r"a_{\mathrm{index}}",
    "multiply-add/token",
    "multiply-adds of the indexer for one token of context",
    role="compute",
)
weight_flop = symbol(
    "weight_flop",
    r"f_{\mathrm{weights}}",
    "FLOP/token",
    "operations of one token with the weights",
    label="with the weights",
    role="compute",
)
attention_flop = symbol(
    "attention_flop",
    r"f_{\mathrm{att}}",
    "FLOP/token",
    "operations of one token with its whole context",
    label="with the context",
    role="network",
    zero=True,
)
token_flop = symbol(
    "token_flop",
    r"f_{\mathrm{token}}",
    "FLOP/token",
    "operations that one token costs in all",
    label="both",
    role="total",
)
sparse_flop = symbol(
    "sparse_flop",
    r"f_{\mathrm{sparse}}",
    "FLOP/token",
    "operations of one token with its context in sparse attention",
    label="top-k and indexer",
    role="memory",
    zero=True,
)
block_flop = symbol(
    "block_flop",
    r"f_{\mathrm{blocks}}",
    "FLOP/token",
    "operations of one token with summaries and chosen blocks, at the best",
    label="best blocks",
    role="kv",
)
compressed_flop = symbol(
    "compressed_flop",
    r"f_{\mathrm{comp}}",
    "FLOP/token",
    "operations of one token with a compressed context",
    label="compressed",
    role="limit",
    zero=True,
)
equal_work_context = symbol(
    "equal_work_context",
    r"L_{\mathrm{work}}",
    "token",
    "context at which attention multiplies as much as all the weights do",
    label="context of equal work",
    role="compute",
)
chip_intensity = symbol(
    "chip_intensity",
    r"I_{\mathrm{chip}}",
    "FLOP/B",
    "operations a chip can do in the time in which it reads one byte",
    role="memory",
)
wall_ratio = symbol(
    "wall_ratio",
    r"r_{L}",
    "1",
    "context of equal work in multiples of the last balanced context",
    label="ratio of the two contexts",
)
prefill_weight_flop = symbol(
    "prefill_weight_flop",
    r"\Phi_{\mathrm{weights}}",
    "FLOP",
    "operations with the weights when a whole prompt is read",
    label="with the weights",
    role="compute",
    zero=True,
)
prefill_attention_flop = symbol(
    "prefill_attention_flop",
    r"\Phi_{\mathrm{att}}",
    "FLOP",
    "operations of attention when a whole prompt is read",
    label="attention",
    role="network",
    zero=True,
)
prefill_equal_context = symbol(
    "prefill_equal_context",
    r"L_{\mathrm{read}}",
    "token",
    "prompt of which attention takes as much work as the weights",
    label="prompt of equal work",
)
prefill_time = symbol(
    "prefill_time",
    r"t_{\mathrm{prefill}}",
    "s",
    "least time in which the chips can read a prompt",
    label="reading the prompt",
    role="total",
    zero=True,
)
prefill_cost = symbol(
    "prefill_cost",
    r"c_{\mathrm{prefill}}",
    "$",
    "rent of the chips while they read a prompt",
    label="rent for reading",
    role="total",
    zero=True,
)
chunk = symbol(
    "chunk",
    "c",
    "token",
    "tokens of a prompt that ride along in one pass of decode",
    label="tokens of a prompt in the pass",
    span=(1, 1e5),
)
chunk_context = symbol(
    "chunk_context",
    r"L_{c}",
    "token",
    "tokens of that prompt which were read before",
    label="part of the prompt read before",
    zero=True,
    span=(100, 1e6),
)
spare_time = symbol(
    "spare_time",
    r"t_{\mathrm{spare}}",
    "s",
    "time of a pass in which the multipliers wait for memory",
    label="idle multipliers",
    zero=True,
)
chunk_time = symbol(
    "chunk_time",
    r"t_{c}",
    "s",
    "least time of the multiply-adds of a chunk",
    label="chunk",
    role="compute",
)
free_chunk = symbol(
    "free_chunk",
    r"c_{\mathrm{free}}",
    "token",
    "tokens of a prompt that fit into the idle time of one pass",
    label="tokens that ride for nothing",
    role="compute",
    zero=True,
)
block_size = symbol(
    "block_size",
    "z",
    "token",
    "tokens of context that share one summary",
    label="tokens a block",
    span=(1, 1e4),
)
chosen_blocks = symbol(
    "chosen_blocks",
    r"m_{\mathrm{blocks}}",
    "1",
    "blocks that are read in full after all summaries were seen",
    label="blocks read in full",
    low=1,
    span=(1, 256),
)
block_entries = symbol(
    "block_entries",
    r"e_{z}",
    "token",
    "entries that attention in blocks reads",
    label="entries read",
    role="total",
)
summary_entries = symbol(
    "summary_entries",
    r"e_{\mathrm{sum}}",
    "token",
    "summaries that it reads",
    label="summaries",
    role="memory",
)
chosen_entries = symbol(
    "chosen_entries",
    r"e_{\mathrm{full}}",
    "token",
    "entries of chosen blocks that it reads",
    label="chosen blocks",
    role="kv",
)
best_block = symbol(
    "best_block",
    r"z^{*}",
    "token",
    "block size at which attention in blocks reads least",
    label="best block",
)
least_entries = symbol(
    "least_entries",
    r"e^{*}",
    "token",
    "entries read with the best block size",
    label="entries read with the best block",
)
block_read_bytes = symbol(
    "block_read_bytes",
    r"K_{\mathrm{blocks}}",
    "B",
    "bytes of one sequence's cache that a pass reads in the best blocks",
    label="best blocks",
    role="compute",
)
compressed_bytes_per_token = symbol(
    "compressed_bytes_per_token",
    r"k_{\mathrm{comp}}",
    "B/token",
    "bytes per token of a cache that keeps one entry for several tokens",
    label="bytes per token, compressed",
    role="network",
    span=(1e3, 1e5),
)
compressed_multiply_adds = symbol(
    "compressed_multiply_adds",
    r"a_{\mathrm{comp}}",
    "multiply-add/token",
    "multiply-adds with compressed entries for one token of context",
    label="multiply-adds, compressed",
    role="network",
    span=(1e4, 1e6),
)
chosen_multiply_adds = symbol(
    "chosen_multiply_adds",
    r"a_{\mathrm{chosen}}",
    "multiply-add/token",
    "multiply-adds with chosen entries for one token that they stand for",
    role="network",
    span=(1e5, 1e7),
)
chosen_tokens = symbol(
    "chosen_tokens",
    r"k_{\mathrm{comp}}^{\mathrm{top}}",
    "token",
    "tokens that the chosen compressed entries stand for",
    label="tokens chosen, compressed",
    low=1,
    span=(128, 32768),
)
compressed_kv_bytes = symbol(
    "compressed_kv_bytes",
    r"K_{\mathrm{comp}}",
    "B",
    "bytes of one sequence in such a cache",
    label="compressed cache",
    role="network",
    zero=True,
)
seat_rent = symbol(
    "seat_rent",
    r"p_{\mathrm{seat}}",
    "$/sequence/h",
    "rent of one sequence's part of a machine whose HBM is full",
    label="a seat",
)
full_attended_time = symbol(
    "full_attended_time",
    r"t_{\mathrm{full,all}}",
    "s",
    "least time of all multiply-adds of a pass when caches fill the HBM",
    label="all arithmetic, HBM full",
    role="compute",
)
full_rack_cost = symbol(
    "full_rack_cost",
    r"c_{\mathrm{full}}",
    "$/Mtoken",
    "least rent of a token when caches fill the HBM",
    label="dense attention",
    role="kv",
)
sparse_memory_time = symbol(
    "sparse_memory_time",
    r"t_{\mathrm{full,read}}",
    "s",
    "least time of the reads of a full machine with sparse attention",
    label="sparse reads",
    role="memory",
)
sparse_compute_time = symbol(
    "sparse_compute_time",
    r"t_{\mathrm{full,sparse}}",
    "s",
    "least time of the multiply-adds of a full machine, sparse attention",
    label="sparse arithmetic",
    role="compute",
)
sparse_rack_cost = symbol(
    "sparse_rack_cost",
    r"c_{\mathrm{sparse}}",
    "$/Mtoken",
    "least rent of a token when caches fill the HBM, sparse attention",
    label="sparse attention",
    role="memory",
)

# Where one matrix is balanced
bytes_per_activation = symbol(
    "bytes_per_activation",
    r"b_{\mathrm{io}}",
    "B/element",
    "bytes that one number going into or out of a matrix occupies",
    label="bytes per activation",
    role="network",
    span=(0.5, 4),
)
matrix_inputs = symbol(
    "matrix_inputs",
    r"d_{\mathrm{in}}",
    "element",
    "numbers that go into a matrix for one sequence",
    label="inputs of the matrix",
    low=1,
    integer=True,
    span=(256, 32768),
)
matrix_outputs = symbol(
    "matrix_outputs",
    r"d_{\mathrm{out}}",
    "element",
    "numbers that come out of a matrix for one sequence",
    label="outputs of the matrix",
    low=1,
    integer=True,
    span=(256, 32768),
)
matrix_batch = symbol(
    "matrix_batch",
    r"B_{\mathrm{mat}}",
    "sequence",
    "sequences that are multiplied with one matrix in a pass",
    label="batch of the matrix",
    span=(1, 1e5),
)
matrix_compute_time = symbol(
    "matrix_compute_time",
    r"t_{\mathrm{mat,compute}}",
    "s",
    "least time in which one chip can multiply a batch with a matrix",
    label="arithmetic",
    role="compute",
)
matrix_memory_time = symbol(
    "matrix_memory_time",
    r"t_{\mathrm{mat,memory}}",
    "s",
    "least time to read a matrix and what goes in, and write what comes out",
    label="memory",
    role="memory",
)
matrix_balance_batch = symbol(
    "matrix_balance_batch",
    r"B^{*}_{\mathrm{mat}}",
    "sequence",
    "batch at which arithmetic and memory of one matrix take the same time",
    label="balance batch of the matrix",
    role="memory",
)
activation_share = symbol(
    "activation_share",
    r"\varepsilon_{\mathrm{io}}",
    "%",
    "share of one matrix's balanced memory time that activations take",
    label="activations' share",
    role="network",
)
expert_batch = symbol(
    "expert_batch",
    r"B_{E}",
    "sequence",
    "sequences of a batch that one expert gets, on average",
    label="batch of one expert",
    role="network",
)
expert_balance_batch = symbol(
    "expert_balance_batch",
    r"B^{*}_{E}",
    "sequence",
    "batch of a pass at which each expert's own batch is balanced",
    label="balance batch of the experts",
    role="network",
)
sparse_balance_batch = symbol(
    "sparse_balance_batch",
    r"B^{*}_{s}",
    "sequence",
    "batch at which a model of a given sparsity balances the two clocks",
    label="balance batch",
)

# Experts on many chips
hidden_size = symbol(
    "hidden_size",
    r"d",
    "element",
    "elements of the vector that a token carries from layer to layer",
    label="hidden size",
    low=1,
    integer=True,
    span=(1024, 32768),
)
dispatch_bytes = symbol(
    "dispatch_bytes",
    r"b_{\mathrm{out}}",
    "B/element",
    "bytes of one element on its way to an expert",
    label="bytes an element, out",
    role="network",
    span=(0.5, 4),
)
combine_bytes = symbol(
    "combine_bytes",
    r"b_{\mathrm{back}}",
    "B/element",
    "bytes of one element on its way back from an expert",
    label="bytes an element, back",
    role="network",
    span=(0.5, 4),
)
dispatched_bytes = symbol(
    "dispatched_bytes",
    r"x_{\mathrm{out}}",
    "B/token",
    "bytes that one token sends to its experts in one layer",
    label="dispatch",
    role="network",
)
combined_bytes = symbol(
    "combined_bytes",
    r"x_{\mathrm{back}}",
    "B/token",
    "bytes that one token's experts send back in one layer",
    label="combine",
    role="network",
)
layer_exchange_bytes = symbol(
    "layer_exchange_bytes",
    r"x_{\mathrm{layer}}",
    "B/token",
    "bytes that one token sends and gets back in one layer",
    label="out and back",
    role="network",
)
exchange_bytes = symbol(
    "exchange_bytes",
    r"x_{\mathrm{pass}}",
    "B/token",
    "bytes that one token sends and gets back in all layers of a pass",
    label="out and back, all layers",
    role="network",
)
chips_reached = symbol(
    "chips_reached",
    r"n_{\mathrm{hit}}",
    "chip",
    "chips that hold the experts of one token, on average",
    label="chips reached",
    role="network",
)
exchange_time = symbol(
    "exchange_time",
    r"t_{\mathrm{exchange}}",
    "s",
    "least time in which the chips can send a pass's tokens out and back",
    label="messages",
    role="network",
)
networked_pass_time = symbol(
    "networked_pass_time",
    r"t_{\mathrm{net}}",
    "s",
    "least time of one pass when messages between chips are counted",
    label="one pass with messages",
    role="total",
)
exchange_ratio = symbol(
    "exchange_ratio",
    r"\eta",
    "1",
    "time of the messages over time of the arithmetic, at every batch",
    label="messages over arithmetic",
    role="network",
)
balance_link = symbol(
    "balance_link",
    r"W^{*}",
    "B/s",
    "link speed at which messages take as long as the arithmetic",
    label="link that keeps up",
    role="network",
)
exchange_batch = symbol(
    "exchange_batch",
    r"B^{*}_{\mathrm{net}}",
    "sequence",
    "batch at which the messages take as long as the weight read",
    label="batch where messages match weights",
    role="network",
)
racks = symbol(
    "racks",
    r"n_{\mathrm{rack}}",
    "rack",
    "scale-up domains over which each layer's experts are spread",
    low=1,
    integer=True,
    span=(1, 32),
)
inside_time = symbol(
    "inside_time",
    r"t_{\mathrm{inside}}",
    "s",
    "time of the messages that stay inside a scale-up domain",
    label="messages inside",
    role="network",
    zero=True,
)
crossing_time = symbol(
    "crossing_time",
    r"t_{\mathrm{cross}}",
    "s",
    "time of the messages that leave their scale-up domain",
    label="messages across",
    role="limit",
    zero=True,
)
crossing_ratio = symbol(
    "crossing_ratio",
    r"\chi",
    "1",
    "time of the messages across over time of those inside",
    label="across over inside",
    role="network",
    zero=True,
)
domains_reached = symbol(
    "domains_reached",
    r"n_{\mathrm{reach}}",
    "rack",
    "scale-up domains that one token may be sent to",
    label="domains a token may reach",
    low=1,
    integer=True,
    span=(1, 8),
)
limited_crossing_time = symbol(
    "limited_crossing_time",
    r"t_{\mathrm{limited}}",
    "s",
    "time of the messages across when each domain gets one copy at most",
    label="across, one copy a domain",
    role="limit",
    zero=True,
)
forwarded_experts = symbol(
    "forwarded_experts",
    r"k_{\mathrm{free}}",
    "expert",
    "experts that the fast links can serve while the slow ones send",
    label="experts served meanwhile",
    role="network",
)
held_parameters = symbol(
    "held_parameters",
    r"N_{\mathrm{held}}",
    "parameter",
    "parameters that one chip holds and reads in every pass",
    label="parameters on a chip",
    role="memory",
    span=(1e9, 1e11),
)
held_weight_time = symbol(
    "held_weight_time",
    r"t_{\mathrm{held}}",
    "s",
    "time in which one chip reads the weights that it holds",
    label="weights that a chip holds",
    role="memory",
)
turned_step_time = symbol(
    "turned_step_time",
    r"t_{\mathrm{turned}}",
    "s",
    "least time of a pass in which messages wait for the rest",
    label="one after the other",
    role="total",
)
overlapped_step_time = symbol(
    "overlapped_step_time",
    r"t_{\mathrm{overlapped}}",
    "s",
    "least time of a pass in which two half batches take turns",
    label="two half batches in turn",
    role="total",
)
tensor_ways = symbol(
    "tensor_ways",
    "T",
    "chip",
    "chips that share each matrix of a layer",
    label="chips that share a matrix",
    low=1,
    integer=True,
    span=(2, 72),
)
reduces = symbol(
    "reduces",
    r"n_{\mathrm{sum}}",
    "1",
    "sums over all chips in one pass",
    label="sums in a pass",
    low=1,
    integer=True,
    span=(2, 400),
)
reduce_time = symbol(
    "reduce_time",
    r"t_{\mathrm{sum}}",
    "s",
    "least time in which the chips can add up what each has of a vector",
    label="one sum",
    role="network",
    zero=True,
)
tensor_time = symbol(
    "tensor_time",
    r"t_{\mathrm{tensor}}",
    "s",
    "least time of all sums of one pass",
    label="all sums",
    role="network",
    zero=True,
)

# What prices leak
step_context = symbol(
    "step_context",
    r"L_{\mathrm{step}}",
    "token",
    "context past which a price list asks for more",
    label="context of the price step",
    span=(1e4, 1e6),
)
implied_kv_bytes = symbol(
    "implied_kv_bytes",
    r"k_{\mathrm{step}}",
    "B/token",
    "bytes of KV cache per token if the price step is the balanced context",
    label="KV bytes per token from the step",
    role="kv",
)
step_ratio = symbol(
    "step_ratio",
    r"r_{\mathrm{step}}",
    "1",
    "how many times dearer a token is past the price step",
    label="height of the price step",
    low=1,
    span=(1.1, 4),
)
upper_price_time = symbol(
    "upper_price_time",
    r"t_{\mathrm{upper}}",
    "s",
    "time that the upper price pays for, if the lower one pays arithmetic",
    label="upper price",
    role="limit",
)
time_ratio = symbol(
    "time_ratio",
    r"r_{t}",
    "1",
    "memory's time over arithmetic's in a pass of decode",
    label="memory over arithmetic",
    role="total",
    span=(1.1, 20),
)
ratio_context = symbol(
    "ratio_context",
    r"L_{r}",
    "token",
    "context at which a large batch has a given ratio of the clocks",
    label="context for this ratio",
)
ratio_batch = symbol(
    "ratio_batch",
    r"B_{r}",
    "sequence",
    "batch that has a given ratio of the clocks at a given context",
    label="batch for this ratio",
)
input_price = symbol(
    "input_price",
    r"p_{\mathrm{in}}",
    "$/Mtoken",
    "list price of a token that is read",
    span=(1e-8, 1e-3),
)
output_price = symbol(
    "output_price",
    r"p_{\mathrm{out}}",
    "$/Mtoken",
    "list price of a token that is written",
    span=(1e-8, 1e-3),
)
cached_price = symbol(
    "cached_price",
    r"p_{\mathrm{hit}}",
    "$/Mtoken",
    "list price of a token that is read and still in the cache",
    span=(1e-9, 1e-3),
)
output_premium = symbol(
    "output_premium",
    r"r_{\mathrm{out}}",
    "1",
    "how many times dearer a token is to write than to read",
    label="output over input price",
    role="limit",
)
implied_share = symbol(
    "implied_share",
    r"u_{\mathrm{out}}",
    "%",
    "decode's share of peak, if prices follow time and reading is at peak",
    label="share of peak in decode, from prices",
    role="compute",
)
pass_length = symbol(
    "pass_length",
    r"n_{\mathrm{new}}",
    "token",
    "new tokens of each sequence that one pass works on",
    label="new tokens in a pass",
    low=1,
    span=(1, 1e4),
)
passed_compute_time = symbol(
    "passed_compute_time",
    r"t_{1,\mathrm{compute}}",
    "s",
    "arithmetic's time for one new token",
    label="arithmetic",
    role="compute",
)
passed_memory_time = symbol(
    "passed_memory_time",
    r"t_{1,\mathrm{memory}}",
    "s",
    "one new token's part of the time of all reads",
    label="memory",
    role="memory",
)
passed_time = symbol(
    "passed_time",
    r"t_{1}",
    "s",
    "least time for one new token",
    label="one new token",
    role="total",
)
prompt_tokens = symbol(
    "prompt_tokens",
    r"n_{\mathrm{in}}",
    "token",
    "tokens of a prompt, cached ones among them",
    span=(1e3, 1e6),
)
hit_tokens = symbol(
    "hit_tokens",
    r"n_{\mathrm{hit}}^{\mathrm{in}}",
    "token",
    "tokens of the prompt that are still in the cache",
    zero=True,
    span=(1e2, 1e6),
)
output_tokens = symbol(
    "output_tokens",
    r"n_{\mathrm{out}}",
    "token",
    "tokens of the answer",
    zero=True,
    span=(1e2, 1e5),
)
request_price = symbol(
    "request_price",
    r"p_{\mathrm{request}}",
    "$",
    "what one request costs by the price list",
    role="total",
)

# Where cached tokens sleep
tier_capacity = symbol(
    "tier_capacity",
    r"C_{\mathrm{tier}}",
    "B",
    "bytes that one device of a memory tier holds",
    label="capacity of the device",
    role="memory",
    span=(1e10, 1e15),
)
tier_bandwidth = symbol(
    "tier_bandwidth",
    r"W_{\mathrm{tier}}",
    "B/s",
    "bytes that such a device can be read of each second",
    label="bandwidth of the device",
    role="memory",
    span=(1e8, 5e13),
)
byte_price = symbol(
    "byte_price",
    r"p_{\mathrm{byte}}",
    "$/GB",
    "what a byte of a memory costs to buy",
    label="price of memory",
    span=(1e-11, 1e-7),
)
service_life = symbol(
    "service_life",
    r"T_{\mathrm{serve}}",
    "day",
    "time after which a bought device has paid for itself",
    label="service life",
    span=(86400 * 365, 86400 * 3650),
)
byte_rent = symbol(
    "byte_rent",
    r"\varrho",
    "$/TB/h",
    "rent of a byte of a memory tier",
    label="rent of memory",
    span=(1e-20, 1e-13),
)
hbm_byte_rent = symbol(
    "hbm_byte_rent",
    r"\varrho_{\mathrm{HBM}}",
    "$/TB/h",
    "rent of a byte of HBM, if HBM pays for the whole chip",
    label="rent of HBM",
    role="memory",
    span=(1e-17, 1e-13),
)
dram_byte_rent = symbol(
    "dram_byte_rent",
    r"\varrho_{\mathrm{DRAM}}",
    "$/TB/h",
    "rent of a byte of DRAM",
    label="rent of DRAM",
    role="network",
    span=(1e-18, 1e-15),
)
flash_byte_rent = symbol(
    "flash_byte_rent",
    r"\varrho_{\mathrm{flash}}",
    "$/TB/h",
    "rent of a byte of flash",
    label="rent of flash",
    role="kv",
    span=(1e-19, 1e-16),
)
disk_byte_rent = symbol(
    "disk_byte_rent",
    r"\varrho_{\mathrm{disk}}",
    "$/TB/h",
    "rent of a byte of spinning disk",
    label="rent of disk",
    role="limit",
    span=(1e-20, 1e-17),
)
tier_drain = symbol(
    "tier_drain",
    r"D",
    "s",
    "least time in which a device of a tier can be read once",
    label="drain time",
    role="memory",
    zero=True,
    span=(1e-3, 1e6),
)
dram_drain = symbol(
    "dram_drain",
    r"D_{\mathrm{DRAM}}",
    "s",
    "drain time of DRAM",
    role="network",
    span=(0.1, 100),
)
flash_drain = symbol(
    "flash_drain",
    r"D_{\mathrm{flash}}",
    "s",
    "drain time of flash",
    role="kv",
    span=(10, 1e5),
)
disk_drain = symbol(
    "disk_drain",
    r"D_{\mathrm{disk}}",
    "s",
    "drain time of spinning disk",
    role="limit",
    span=(1e3, 1e6),
)
hold_time = symbol(
    "hold_time",
    r"t_{\mathrm{hold}}",
    "s",
    "time for which a token's cache is kept until it is wanted again",
    zero=True,
    span=(1e-3, 1e7),
)
hold_cost = symbol(
    "hold_cost",
    r"c_{\mathrm{hold}}",
    "$/Mtoken",
    "rent of the bytes that a cached token occupies while it waits",
    label="holding",
    role="kv",
    zero=True,
)
fetch_cost = symbol(
    "fetch_cost",
    r"c_{\mathrm{fetch}}",
    "$/Mtoken",
    "rent of the device while a cached token is read from it",
    label="fetching",
    role="network",
)
keep_cost = symbol(
    "keep_cost",
    r"c_{\mathrm{keep}}",
    "$/Mtoken",
    "cost of keeping a token in a tier and fetching it once",
    label="both",
    role="total",
)
hbm_keep_cost = symbol(
    "hbm_keep_cost",
    r"c_{\mathrm{HBM}}",
    "$/Mtoken",
    "cost of keeping a token in HBM, where it need not be fetched",
    label="HBM",
    role="memory",
    zero=True,
)
dram_keep_cost = symbol(
    "dram_keep_cost",
    r"c_{\mathrm{DRAM}}",
    "$/Mtoken",
    "cost of keeping a token in DRAM and fetching it once",
    label="DRAM",
    role="network",
)
flash_keep_cost = symbol(
    "flash_keep_cost",
    r"c_{\mathrm{flash}}",
    "$/Mtoken",
    "cost of keeping a token in flash and fetching it once",
    label="flash",
    role="kv",
)
disk_keep_cost = symbol(
    "disk_keep_cost",
    r"c_{\mathrm{disk}}",
    "$/Mtoken",
    "cost of keeping a token on disk and fetching it once",
    label="disk",
    role="limit",
)
cheapest_cost = symbol(
    "cheapest_cost",
    r"c_{\min}",
    "$/Mtoken",
    "least cost of having a token's cache again after some time",
    label="cheapest",
    role="total",
    zero=True,
)
near_rent = symbol(
    "near_rent",
    r"\varrho_{1}",
    "$/TB/h",
    "rent of a byte of the nearer, dearer tier",
    span=(1e-16, 1e-13),
)
near_drain = symbol(
    "near_drain",
    r"D_{1}",
    "s",
    "drain time of the nearer tier; 0 where nothing need be fetched",
    zero=True,
    span=(1e-3, 100),
)
far_rent = symbol(
    "far_rent",
    r"\varrho_{2}",
    "$/TB/h",
    "rent of a byte of the farther, cheaper tier",
    span=(1e-20, 1e-16),
)
far_drain = symbol(
    "far_drain",
    r"D_{2}",
    "s",
    "drain time of the farther tier",
    span=(1e2, 1e7),
)
leave_time = symbol(
    "leave_time",
    r"t_{\mathrm{leave}}",
    "s",
    "hold time from which the farther tier is the cheaper one",
    label="time to move down",
    low=-1e12,
)
forget_time = symbol(
    "forget_time",
    r"t_{\mathrm{forget}}",
    "s",
    "hold time from which making a token's cache again is cheaper",
    label="time to forget",
    low=-1e12,
)
busy_share = symbol(
    "busy_share",
    r"\beta_{\mathrm{tier}}",
    "%",
    "share of its time that a full device reads, if all is fetched once",
    label="device busy",
    role="memory",
)
fetch_time = symbol(
    "fetch_time",
    r"t_{\mathrm{fetch}}",
    "s",
    "time in which one device can deliver one token's cache",
    label="fetching it",
    role="memory",
)
remake_time = symbol(
    "remake_time",
    r"t_{\mathrm{remake}}",
    "s",
    "time in which one chip can do a token's multiply-adds again",
    label="making it again",
    role="compute",
)
remake_ratio = symbol(
    "remake_ratio",
    r"r_{\mathrm{remake}}",
    "1",
    "time to make a token's cache again over the time to fetch it",
    label="making over fetching",
)
short_multiplier = symbol(
    "short_multiplier",
    r"\mu_{\mathrm{short}}",
    "1",
    "price of writing a token to a short-lived cache, in input prices",
    label="short write",
    low=1,
    span=(1.01, 5),
)
long_multiplier = symbol(
    "long_multiplier",
    r"\mu_{\mathrm{long}}",
    "1",
    "price of writing a token to a long-lived cache, in input prices",
    label="long write",
    low=1,
    span=(1.01, 10),
)
read_multiplier = symbol(
    "read_multiplier",
    r"\mu_{\mathrm{read}}",
    "1",
    "price of a cached token that is used again, in input prices",
    label="cached over input price",
    high=1,
    span=(0.01, 0.9),
)
short_hold = symbol(
    "short_hold",
    r"T_{\mathrm{short}}",
    "s",
    "lifetime of the short-lived cache",
    span=(10, 1000),
)
long_hold = symbol(
    "long_hold",
    r"T_{\mathrm{long}}",
    "s",
    "lifetime of the long-lived cache",
    span=(2000, 1e5),
)
hold_price = symbol(
    "hold_price",
    r"p_{\mathrm{hold}}",
    "$/Mtoken/h",
    "price of keeping a token in a cache",
    label="price of keeping",
    span=(1e-12, 1e-7),
)
priced_bytes = symbol(
    "priced_bytes",
    r"k_{\mathrm{price}}",
    "B/token",
    "bytes per token whose rent in a tier would be the price of keeping",
    label="bytes that the price would pay for",
)
even_reads = symbol(
    "even_reads",
    r"n_{\mathrm{reads}}",
    "1",
    "uses of a cached token from which writing it to a cache pays",
    label="uses to break even",
)
hit_share = symbol(
    "hit_share",
    r"\eta_{\mathrm{hit}}",
    "%",
    "share of the input tokens that are found in a cache",
    role="kv",
    zero=True,
    high=1,
    span=(0.01, 0.99),
)
mixed_price = symbol(
    "mixed_price",
    r"p_{\mathrm{mix}}",
    "$/Mtoken",
    "price of an input token on average, cached or not",
    label="average input price",
    role="total",
)

# What can be undone
rounds = symbol(
    "rounds",
    r"r",
    "1",
    "rounds of a cipher, or layers of a network, one after another",
    low=1,
    integer=True,
    span=(1, 256),
)
block_bits = symbol(
    "block_bits",
    r"n_{\mathrm{bit}}",
    "1",
    "bits of the block that a cipher works on, both halves together",
    label="bits of a block",
    low=3,
    integer=True,
    span=(8, 256),
)
gain = symbol(
    "gain",
    "G",
    "1",
    "changes at the output of f for one change at its input",
    label="gain of f",
    role="compute",
    span=(0.01, 10),
)
spread = symbol(
    "spread",
    r"\lambda",
    "1",
    "factor by which a change grows in one round",
    label="growth a round",
    role="compute",
    low=1,
    span=(1.001, 4),
)
avalanche = symbol(
    "avalanche",
    r"\Delta",
    "%",
    "share of the output bits that change when one input bit is flipped",
    label="changed bits",
    role="compute",
)
rounding_unit = symbol(
    "rounding_unit",
    r"\epsilon",
    "1",
    "largest relative error of one rounding",
    label="rounding unit",
    role="memory",
    span=(1e-16, 1e-3),
)
inversion_bound = symbol(
    "inversion_bound",
    r"\epsilon_{\mathrm{back}}",
    "1",
    "error that undoing all layers can leave, over the largest number",
    label="most that rounding can do",
    role="limit",
)
layer_activation_bytes = symbol(
    "layer_activation_bytes",
    r"A_{\mathrm{layer}}",
    "B/token",
    "bytes per token that the backward pass of one layer needs",
    label="activations of a layer",
    role="memory",
    span=(1e4, 1e7),
)
checkpoint_interval = symbol(
    "checkpoint_interval",
    r"k_{\mathrm{save}}",
    "layer",
    "layers from one saved vector to the next",
    label="layers between checkpoints",
    span=(1, 100),
)
plain_activation_bytes = symbol(
    "plain_activation_bytes",
    r"A_{\mathrm{plain}}",
    "B/token",
    "bytes of activations per token when all are kept",
    label="all kept",
    role="memory",
)
checkpointed_bytes = symbol(
    "checkpointed_bytes",
    r"A_{\mathrm{save}}",
    "B/token",
    "bytes of activations per token with a vector saved now and then",
    label="checkpoints",
    role="kv",
)
best_interval = symbol(
    "best_interval",
    r"k_{\mathrm{save}}^{*}",
    "layer",
    "layers between checkpoints at which the least is kept",
    label="best interval",
    role="kv",
)
least_checkpointed_bytes = symbol(
    "least_checkpointed_bytes",
    r"A_{\mathrm{save}}^{*}",
    "B/token",
    "bytes of activations per token at the best interval",
    label="best checkpoints",
    role="kv",
)
reversible_bytes = symbol(
    "reversible_bytes",
    r"A_{\mathrm{rev}}",
    "B/token",
    "bytes of activations per token when each layer is undone",
    label="undone",
    role="compute",
)
checkpoint_recompute = symbol(
    "checkpoint_recompute",
    r"\phi_{\mathrm{save}}",
    "%",
    "arithmetic of checkpoints over that of training without them",
    label="more arithmetic with checkpoints",
    role="kv",
    zero=True,
)
reversible_recompute = symbol(
    "reversible_recompute",
    r"\phi_{\mathrm{rev}}",
    "%",
    "arithmetic of undoing layers over that of training without it",
    label="more arithmetic with undoing",
    role="compute",
)
activation_worth = symbol(
    "activation_worth",
    r"I_{\mathrm{rev}}",
    "FLOP/B",
    "arithmetic that keeping one byte of activations saves",
    label="worth of an activation byte",
    role="memory",
)
kv_worth = symbol(
    "kv_worth",
    r"I_{\mathrm{KV}}",
    "FLOP/B",
    "arithmetic that keeping one byte of KV cache saves at each use",
    label="worth of a cache byte",
    role="kv",
)

SYMBOLS = {
    name: value
    for name, value in list(globals().items())
    if isinstance(value, Symbol)
}
RANK = {s: i for i, s in enumerate(SYMBOLS.values())}
