"""What is the model?  Layer shapes, and the counts that follow from them.

Counting conventions, once: a multiply-add touches one parameter, so **active
parameters** are the weight matrices that one token is multiplied with: no
input embedding (a look-up), no norm vectors, the output head included.
**Total parameters** are all that is stored.
"""

import json
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from roofline.facts import TABLES, FactError, facts_of
from roofline.systems import precision
from roofline.units import Quantity, near


class ModelError(ValueError):
    """A shape that cannot be, or that this book cannot read."""


def _positive(owner, **counts):
    for name, value in counts.items():
        if not isinstance(value, int) or value < 1:
            raise ModelError(
                f"{owner}: {name} must be a whole number of at least 1; "
                f"got {value!r}"
            )


@dataclass(frozen=True)
class GroupedAttention:
    """Multi-head (heads = kv_heads), grouped-query, or multi-query (1).

    ``window`` limits the tokens that a layer looks back at; ``extra`` counts
    biases, sinks and norms, which are stored but not multiplied.
    """

    heads: int
    kv_heads: int
    head_dim: int
    window: int | None = None
    extra: int = 0

    def __post_init__(self):
        _positive("attention", heads=self.heads, kv_heads=self.kv_heads,
                  head_dim=self.head_dim)  # fmt: skip
        if self.heads % self.kv_heads:
            raise ModelError(
                f"attention: {self.kv_heads} kv_heads do not divide "
                f"{self.heads} heads"
            )

    @property
    def kind(self):
        names = {self.heads: "MHA", 1: "MQA"}
        return names.get(self.kv_heads, "GQA")

    def matrices(self, hidden):
        """Parameters in the query, key, value and output projections."""
        width = 2 * self.heads + 2 * self.kv_heads
        return hidden * width * self.head_dim

    def cached(self, tensor_parallel=1):
        """Elements that one token of context keeps in one layer, per chip."""
        heads, ways = self.kv_heads, tensor_parallel
        if heads % ways and ways % heads:
            raise ModelError(
                f"{heads} kv_heads cannot be spread over {ways} chips: "
                "neither divides the other"
            )
        return 2 * max(heads // ways, 1) * self.head_dim

    @property
    def multiply_adds(self):
        """Multiply-adds of one layer for one token of context."""
        return 2 * self.heads * self.head_dim

    unfolded_multiply_adds = multiply_adds

    @property
    def shape(self):
        """{symbol name: count} of what fixes cache and arithmetic."""
        return {"kv_heads": self.kv_heads, "head_dim": self.head_dim}


@dataclass(frozen=True)
class LatentAttention:
    """Multi-head latent attention: one compressed key-value per token.

    ``index_heads`` and ``index_dim`` describe the sparse-attention indexer,
    whose key is cached beside the latent, and ``top_k`` how many tokens it
    picks; 0 where there is none.
    """

    heads: int
    query_rank: int
    kv_rank: int
    rope_dim: int
    nope_dim: int
    value_dim: int
    index_heads: int = 0
    index_dim: int = 0
    extra: int = 0
    window: None = None
    top_k: int = 0

    def __post_init__(self):
        _positive("attention", heads=self.heads, kv_rank=self.kv_rank,
                  value_dim=self.value_dim)  # fmt: skip

    kind = "MLA"

    def matrices(self, hidden):
        """Parameters in the down, up, output and indexer projections."""
        key = self.nope_dim + self.rope_dim
        entry = self.query_rank or hidden
        query = self.heads * key * entry
        if self.query_rank:
            query += hidden * self.query_rank
        latent = hidden * (self.kv_rank + self.rope_dim)
        up = self.kv_rank * self.heads * (self.nope_dim + self.value_dim)
        out = self.heads * self.value_dim * hidden
        index = self.index_heads * self.index_dim * entry
        index += hidden * (self.index_dim + self.index_heads)
        return query + latent + up + out + (self.index_heads and index)

    def cached(self, tensor_parallel=1):
        """Elements that one token keeps in one layer; each chip has all."""
        return self.kv_rank + self.rope_dim + self.index_dim

    @property
    def multiply_adds(self):
        """Multiply-adds of one layer for one token of context, absorbed.

        Every head meets latent and position as the key, then the latent as
        the value. An indexer's own arithmetic is not counted.
        """
        return self.heads * (2 * self.kv_rank + self.rope_dim)

    @property
    def unfolded_multiply_adds(self):
        """The same with keys and values unfolded, as a prompt is read."""
        return self.heads * (self.nope_dim + self.rope_dim + self.value_dim)

    @property
    def shape(self):
        """{symbol name: count} of what fixes cache and arithmetic."""
        names = ["kv_rank", "rope_dim", "nope_dim", "value_dim"]
        if self.index_dim:
            names += ["index_dim", "index_heads", "top_k"]
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True)
class FeedForward:
    """A dense feed-forward layer; SwiGLU has three matrices, GELU two."""

    width: int
    gated: bool = True
    extra: int = 0

    def __post_init__(self):
        _positive("feed-forward", width=self.width)

    def stored(self, hidden):
        return hidden * self.width * (3 if self.gated else 2)

    active = stored


@dataclass(frozen=True)
class Experts:
    """A mixture-of-experts layer: router, routed and shared experts."""

    experts: int
    per_token: int
    width: int
    shared: int = 0
    gated: bool = True
    extra: int = 0

    def __post_init__(self):
        _positive("experts", experts=self.experts, per_token=self.per_token,
                  width=self.width)  # fmt: skip
        if self.per_token > self.experts:
            raise ModelError(
                f"a token cannot be sent to {self.per_token} of "
                f"{self.experts} experts"
            )

    def one(self, hidden):
        """Parameters of one expert."""
        return hidden * self.width * (3 if self.gated else 2)

    def always(self, hidden):
        """Parameters that every token meets: router and shared experts."""
        return hidden * self.experts + self.shared * self.one(hidden)

    def stored(self, hidden):
        return self.always(hidden) + self.experts * self.one(hidden)

    def active(self, hidden):
        return self.always(hidden) + self.per_token * self.one(hidden)


@dataclass(frozen=True)
class Block:
    """So many equal layers in a row: attention, then feed-forward."""

    layers: int
    attention: object
    feed_forward: object


@dataclass(frozen=True, eq=False)
class Model:
    """A decoder: embedding, blocks of layers, output head.

    ``layer_norms`` counts vectors of the hidden size in a layer's norms;
    ``extra`` what stands outside the layers: last norm, learned positions.
    ``facts`` holds what was published (total and active parameters, training
    tokens); ``blocks`` is None for a model known by its totals only.
    """

    name: str
    label: str
    hidden: int = 0
    vocabulary: int = 0
    tied: bool = False
    blocks: tuple | None = None
    layer_norms: int = 2
    extra: int = 0
    facts: dict = field(default_factory=dict, repr=False)

    def __getattr__(self, name):
        facts = self.__dict__.get("facts", {})
        if name.startswith("__") or name not in facts:
            raise AttributeError(
                f'{self.__dict__.get("label", "Model")} has no "{name}"'
                f"{near(name, facts)}"
            )
        return facts[name]

    @classmethod
    def from_config(cls, config, *, name=None, label=None, facts=None):
        """A Model from a Hugging Face config.json, as path or dictionary.

        Reads Llama, Mixtral, Qwen, gpt-oss, DeepSeek, Kimi, GLM, GPT-2 style
        and PaLM style shapes. Raises ModelError for what it cannot read.
        """
        if not isinstance(config, dict):
            config = json.loads(Path(config).read_text("utf-8"))
        return _read(cls, config, name, label, facts or {})

    # Counts from shapes

    @cached_property
    def _shapes(self):
        if self.blocks is None:
            raise ModelError(f"{self.label}: no layer shapes are published")
        return self.blocks

    def _sum(self, of):
        return sum(b.layers * of(b) for b in self._shapes)

    @property
    def layers(self):
        return self._sum(lambda b: 1)

    @cached_property
    def _head(self):
        return self.vocabulary * self.hidden

    @cached_property
    def counted_active_parameters(self):
        """Parameters that one token is multiplied with, from the shapes."""
        h = self.hidden
        inside = self._sum(
            lambda b: b.attention.matrices(h) + b.feed_forward.active(h)
        )
        return Quantity(inside + self._head, "parameter")

    @cached_property
    def counted_total_parameters(self):
        """Parameters stored, from the shapes: matrices, embedding, the rest.

        Extra next-token-prediction modules are not counted.
        """
        h = self.hidden
        inside = self._sum(
            lambda b: (
                b.attention.matrices(h)
                + b.feed_forward.stored(h)
                + b.attention.extra
                + b.feed_forward.extra
                + self.layer_norms * h
            )
        )
        embedding = self._head * (1 if self.tied else 2)
        return Quantity(inside + embedding + self.extra, "parameter")

    @cached_property
    def _routed(self):
        routed = [
            b for b in self._shapes if isinstance(b.feed_forward, Experts)
        ]
        if not routed:
            raise ModelError(f"{self.label} has no routed experts")
        return routed

    @property
    def routed(self):
        """Whether shapes are known and hold a mixture of experts."""
        return any(
            isinstance(b.feed_forward, Experts) for b in self.blocks or ()
        )

    @property
    def expert_layers(self):
        """Layers whose feed-forward part is a mixture of experts."""
        return sum(b.layers for b in self._routed)

    @property
    def experts(self):
        """Routed experts in one layer."""
        return self._routed[0].feed_forward.experts

    @property
    def experts_per_token(self):
        """Routed experts that one token is sent to in one layer."""
        return self._routed[0].feed_forward.per_token

    @property
    def expert_parameters(self):
        """Parameters of one routed expert."""
        one = self._routed[0].feed_forward.one(self.hidden)
        return Quantity(one, "parameter")

    @property
    def unrouted_parameters(self):
        """Parameters that every token meets: all but routed experts."""
        routed = (
            self.expert_layers
            * self.experts_per_token
            * self.expert_parameters
        )
        return Quantity(self.counted_active_parameters - routed, "parameter")

    # Attention

    @property
    def attention(self):
        """The attention of the first layer, as an example of its kind."""
        return self._shapes[0].attention

    @property
    def attention_kind(self):
        """In words: ``GQA``, ``MLA, top 2,048``, ``GQA, half in windows``."""
        if self.blocks is None:
            return "compressed"
        words = [self.attention.kind]
        if getattr(self.attention, "top_k", 0):
            words.append(f"top {self.attention.top_k:,}")
        if count := self._sum(lambda b: b.attention.window is not None):
            words.append(f"{count} of {self.layers} layers in a window")
        return ", ".join(words)

    @property
    def shape(self):
        """{symbol name: count} of what fixes cache and arithmetic."""
        found = {"layers": self.layers, "query_heads": self.attention.heads}
        windowed = [b for b in self._shapes if b.attention.window]
        if windowed:
            found["windowed_layers"] = sum(b.layers for b in windowed)
            found["window"] = windowed[0].attention.window
        return found | self.attention.shape

    def attention_multiply_adds(self, context, unfolded=False):
        """Multiply-adds of dense attention per token of context, averaged.

        A layer with a window meets only the tokens inside it. ``unfolded``
        is for prompts, where MLA unfolds its keys and values.
        """
        context = max(context, 1)
        name = "unfolded_multiply_adds" if unfolded else "multiply_adds"
        total = self._sum(
            lambda b: (
                getattr(b.attention, name)
                * min(context, b.attention.window or context)
            )
        )
        return Quantity(total / context, "multiply-add/token")

    # The KV cache

    def kv_cache_bytes(self, context, kv="bf16", tensor_parallel=1):
        """Bytes of KV cache of one sequence of ``context`` tokens, a chip.

        With ``tensor_parallel`` chips the key-value heads are spread; where
        there are fewer heads than chips they are repeated, and a latent is
        always repeated.
        """
        if not context >= 0:
            raise ModelError(f"context must be at least 0; got {context}")
        _positive("kv cache", tensor_parallel=tensor_parallel)
        elements = self._sum(
            lambda b: (
                b.attention.cached(tensor_parallel)
                * min(context, b.attention.window or context)
            )
        )
        return Quantity(elements * precision(kv).bytes, "B")

    def kv_bytes_per_token(self, context, kv="bf16", tensor_parallel=1):
        """Bytes of KV cache per token of context, on average over it."""
        if self.blocks is None:
            return self._published_kv(kv)
        if not context > 0:
            context = 1
        total = self.kv_cache_bytes(context, kv, tensor_parallel)
        return Quantity(total / context, "B/token")

    def _published_kv(self, kv):
        published = self.facts.get("kv_bytes_per_token")
        if published is None:
            raise ModelError(f"{self.label}: no KV bytes are published")
        scale = precision(kv).bytes / precision("bf16").bytes
        return Quantity(published * scale, "B/token")

    def on(self, system, **choices):
        """This model deployed on a system: see Deployment."""
        from roofline.deployment import Deployment

        return Deployment(model=self, system=system, **choices)


def _read(cls, config, name, label, facts):
    """Build a Model from configuration keys; the one place that knows them."""
    c = dict(config.get("text_config", config))
    kind = c.get("model_type", "unknown")

    def need(*keys):
        for key in keys:
            if c.get(key) is not None:
                return c[key]
        raise ModelError(f"{kind} config has no {' or '.join(keys)}")

    hidden, layers = need("hidden_size"), need("num_hidden_layers")
    _positive(kind, hidden_size=hidden, num_hidden_layers=layers,
              num_attention_heads=need("num_attention_heads"),
              vocab_size=need("vocab_size"))  # fmt: skip
    dense, routed = _dense(c), _experts(c, need, kind, hidden)
    blocks = {}
    for i in range(layers):
        attention = _attention(c, need, kind, hidden, i)
        is_routed = routed is not None and _is_routed(c, i)
        pair = (attention, routed if is_routed else dense)
        blocks[pair] = blocks.get(pair, 0) + 1
    # A LayerNorm has a bias beside its scale; PaLM has one norm a layer.
    norms = {"gpt2": 4, "palm": 1}.get(kind, 2)
    positions = c["max_position_embeddings"] if kind == "gpt2" else 0
    last_norm = 2 if kind == "gpt2" else 1
    return cls(
        name=name or kind,
        label=label or name or kind,
        hidden=hidden,
        vocabulary=need("vocab_size"),
        tied=bool(c.get("tie_word_embeddings", False)),
        blocks=tuple(Block(n, *pair) for pair, n in blocks.items()),
        layer_norms=norms,
        extra=(positions + last_norm) * hidden,
        facts=facts,
    )


_GATED = ("silu", "swiglu", "swish")


def _dense(c):
    if c.get("intermediate_size") is None:
        return None
    gated = c.get("hidden_act", "silu") in _GATED
    width = c["intermediate_size"]
    bias = 0 if gated else width + c["hidden_size"]
    return FeedForward(width, gated, bias)


def _experts(c, need, kind, hidden):
    keys = ("n_routed_experts", "num_local_experts", "num_experts")
    count = next((c[k] for k in keys if c.get(k)), None)
    if count is None:
        return None
    width = c.get("moe_intermediate_size") or need("intermediate_size")
    extra = 0
    if kind == "gpt_oss":
        # Biases of the router and of every expert's two projections.
        extra = count + count * (2 * width + hidden)
    elif c.get("topk_method") == "noaux_tc":
        extra = count  # the bias that balances the routing
    return Experts(
        experts=count,
        per_token=need("num_experts_per_tok", "experts_per_token"),
        width=width,
        shared=c.get("n_shared_experts") or 0,
        extra=extra,
    )


def _is_routed(c, layer):
    if layer < (c.get("first_k_dense_replace") or 0):
        return False
    if layer in (c.get("mlp_only_layers") or ()):
        return False
    step = c.get("moe_layer_freq") or 1
    sparse = c.get("decoder_sparse_step") or 1
    return layer % step == 0 and (layer + 1) % sparse == 0


def _attention(c, need, kind, hidden, layer):
    heads = need("num_attention_heads")
    if c.get("kv_lora_rank"):
        query_rank, kv_rank = c.get("q_lora_rank") or 0, c["kv_lora_rank"]
        index_dim = c.get("index_head_dim") or 0
        return LatentAttention(
            heads=heads,
            query_rank=query_rank,
            kv_rank=kv_rank,
            rope_dim=need("qk_rope_head_dim"),
            nope_dim=need("qk_nope_head_dim"),
            value_dim=need("v_head_dim"),
            index_heads=c.get("index_n_heads") or 0,
            index_dim=index_dim,
            top_k=c.get("index_topk") or 0,
            # Norms of the two latents, and of the indexer's key.
            extra=query_rank + kv_rank + 2 * index_dim,
        )
    head_dim = c.get("head_dim")
    if head_dim is None:
        if hidden % heads:
            raise ModelError(
                f"{kind} config has no head_dim and {heads} heads do not "
                f"divide hidden_size {hidden}"
            )
        head_dim = hidden // heads
    kv_heads = c.get("num_key_value_heads") or heads
    width = (heads + 2 * kv_heads) * head_dim
    extra = {
        "qwen2": width,
        "qwen3_moe": 2 * head_dim,
        "qwen3": 2 * head_dim,
        "gpt_oss": heads,
    }.get(kind, 0)
    if c.get("attention_bias"):
        extra += width + hidden
    return GroupedAttention(
        heads, kv_heads, head_dim, _window(c, layer), extra
    )


def _window(c, layer):
    types = c.get("layer_types")
    if types:
        return c["sliding_window"] if "sliding" in types[layer] else None
    return c.get("sliding_window") if c.get("use_sliding_window") else None


def _model(name, rows):
    config, label = rows.get("config"), rows["label"]
    if config is None:
        return Model(name, label, facts=facts_of(name))
    return Model.from_config(
        config, name=name, label=label, facts=facts_of(name)
    )


MODELS = {
    name: _model(name, rows)
    for name, rows in TABLES.items()
    if rows["file"] == "models"
}


def model(name):
    """The Model of that name; an error suggests near ones."""
    if name not in MODELS:
        raise FactError(f'no model "{name}"{near(name, MODELS)}')
    return MODELS[name]
