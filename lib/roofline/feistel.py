"""Can a step be undone?  Feistel rounds on bits, on floats, on symbols.

One pair of functions runs them all. Where single roundings are counted,
sums have a fixed order, so that every processor gives the same digits.
"""

from dataclasses import dataclass
from functools import lru_cache
from operator import add as plus
from operator import sub as minus
from operator import xor

import numpy as np

from roofline.stepper import Grid
from roofline.units import Quantity

SEED = 2026

# The step and its inverse


def forward(x, y, functions, add=plus):
    """Rounds (x, y) -> (y + f(x), x), one for each of ``functions``.

    Halves may be SymPy expressions, whole numbers or arrays.

    >>> forward(3, 5, [lambda x: x * x, lambda x: -x])
    (-11, 14)
    """
    for f in functions:
        x, y = add(y, f(x)), x
    return x, y


def backward(x, y, functions, subtract=minus):
    """The inverse of ``forward``: the same functions, last one first.

    >>> backward(-11, 14, [lambda x: x * x, lambda x: -x])
    (3, 5)
    """
    for f in reversed(functions):
        x, y = y, subtract(x, f(y))
    return x, y


# A published cipher

DELTA = 0x9E3779B9  # 2**32 over the golden ratio
ROUNDS = 64
VECTORS = (
    ("00000000000000000000000000000000", "0000000000000000",
     "dee9d4d8f7131ed9"),
    ("00000000000000000000000000000000", "0102030405060708",
     "065c1b8975c6a816"),
    ("0123456712345678234567893456789a", "0000000000000000",
     "1ff9a0261ac64264"),
    ("0123456712345678234567893456789a", "0102030405060708",
     "8c67155b2ef91ead"),
)  # fmt: skip
"""Key, block and cipher block of XTEA's published tests, in hexadecimal."""


def words(text):
    """Hexadecimal digits as 32-bit words, one row each."""
    return np.array([[int(text[i : i + 8], 16)] for i in
                     range(0, len(text), 8)], dtype=np.uint32)  # fmt: skip


def digits(block):
    """The words of one block as hexadecimal digits."""
    return "".join(f"{int(word):08x}" for word in np.ravel(block))


def xtea(key, rounds=ROUNDS):
    """XTEA's functions of one half, a round each; ``key`` has four words."""
    functions, total = [], 0
    for i in range(rounds):
        if i % 2:
            total = (total + DELTA) % 2**32
        part = key[(total >> 11) & 3] if i % 2 else key[total & 3]
        functions.append(_mixer(part + np.uint32(total)))
    return functions


def _mixer(part):
    return lambda x: (((x << 4) ^ (x >> 5)) + x) ^ part


def encrypt(block, key, rounds=ROUNDS):
    """A block of two words after so many rounds; sums are modulo 2**32."""
    x, y = forward(block[1], block[0], xtea(key, rounds))
    return np.array([y, x])


def decrypt(block, key, rounds=ROUNDS):
    """What ``encrypt`` was given."""
    x, y = backward(block[1], block[0], xtea(key, rounds))
    return np.array([y, x])


def drawn(count, seed=SEED):
    """(blocks, keys): random words, a column a sample."""
    random = np.random.default_rng(seed)
    made = random.integers(0, 2**32, size=(6, count), dtype=np.uint32)
    return made[:2], made[2:]


def flipped_bits(one, other):
    """How many bits of two blocks differ, a count a sample."""
    apart = np.ascontiguousarray((one ^ other).T)
    return np.unpackbits(apart.view(np.uint8), axis=1).sum(axis=1)


def cipher_avalanche(rounds, count=6400):
    """Share of XTEA's 64 bits that change when one bit is flipped."""
    blocks, keys = drawn(count)
    bit = np.arange(count) % 64
    flip = np.zeros_like(blocks)
    flip[bit // 32, np.arange(count)] = np.uint32(1) << (bit % 32).astype(
        np.uint32
    )
    ends = [encrypt(b, keys, rounds) for b in (blocks, blocks ^ flip)]
    return Quantity(float(flipped_bits(*ends).mean() / 64), "%")


def commonest_difference(rounds, count=6400):
    """Share of samples with the commonest difference after a flip.

    Blocks and keys are random; the flipped bit is the first of the block.
    """
    blocks, keys = drawn(count)
    flip = np.array([[1 << 31], [0]], dtype=np.uint32)
    ends = [encrypt(b, keys, rounds) for b in (blocks, blocks ^ flip)]
    _, found = np.unique(ends[0] ^ ends[1], axis=1, return_counts=True)
    return Quantity(float(found.max() / count), "%")


# Networks


def product(x, matrix):
    """x @ matrix, summed in one order on every machine."""
    total = x[:, :1] * matrix[0]
    for k in range(1, len(matrix)):
        total = total + x[:, k : k + 1] * matrix[k]
    return total


def bend(x):
    """A smooth step from -1 to 1 made of exact operations only."""
    return x / (1 + np.abs(x))


@dataclass(frozen=True)
class Network:
    """Two streams of ``bits`` numbers through layers y + bend(x A) B.

    ``layers`` holds pairs (A, B). x starts as the input, y as ones; the
    answer is the sign of the first number of the last x.
    """

    layers: tuple

    @classmethod
    def random(cls, bits=12, depth=8, inner=24, gain=1.0, seed=SEED):
        """Weights drawn evenly around 0; ``gain`` scales each matrix."""
        draw = np.random.default_rng(seed).uniform
        return cls(tuple(
            (gain * draw(-1, 1, (bits, inner)) * (3 / bits) ** 0.5,
             gain * draw(-1, 1, (inner, bits)) * (3 / inner) ** 0.5)
            for _ in range(depth)
        ))  # fmt: skip

    def functions(self):
        """f of each layer."""
        return [_branch(*pair) for pair in self.layers]

    def rounded(self, kind):
        """f of each layer in a floating-point format, sums in one order."""
        return [_branch(a.astype(kind), b.astype(kind), product)
                for a, b in self.layers]  # fmt: skip

    def states(self, inputs):
        """(x, y) after each layer, the input first."""
        pairs = [(inputs, np.ones_like(inputs))]
        for f in self.functions():
            pairs.append(forward(*pairs[-1], [f]))
        return pairs

    def answers(self, inputs):
        """+1 or -1 for each row of inputs."""
        x, _ = forward(inputs, np.ones_like(inputs), self.functions())
        return np.sign(x[:, 0])

    @property
    def gain(self):
        """The largest factor by which an f can widen a gap, in max norm."""
        return max(
            float((np.abs(a) @ np.abs(b)).sum(axis=0).max())
            for a, b in self.layers
        )


def _branch(a, b, times=np.matmul):
    return lambda x: times(bend(times(x, a)), b)


def every_input(bits=12):
    """All rows of ``bits`` signs."""
    counted = np.arange(2**bits)[:, None] >> np.arange(bits) & 1
    return 2.0 * counted - 1


# Inputs 0 and 1 name one of 2 to 5, which is the answer; the rest is noise.
KINDS = {"address": (0, 1), "data": (2, 3, 4, 5), "noise": tuple(range(6, 12))}


def multiplexer(inputs):
    """The task: the data bit that the two address bits name."""
    chosen = 2 + (inputs[:, 0] > 0) + 2 * (inputs[:, 1] > 0)
    return inputs[np.arange(len(inputs)), chosen.astype(int)]


def gradients(network, inputs, targets):
    """(loss, gradients, start) with no activation stored: x, y are undone.

    Runs forward, keeps the last pair alone, and walks back, undoing each
    layer just before its gradient is taken. ``start`` is the pair it comes
    back to.
    """
    functions = network.functions()
    x, y = forward(inputs, np.ones_like(inputs), functions)
    gap = bend(x[:, 0]) - targets
    dx, dy = np.zeros_like(x), np.zeros_like(y)
    dx[:, 0] = 2 * gap / (1 + np.abs(x[:, 0])) ** 2 / len(x)
    found = []
    for a, b in reversed(network.layers):
        x, y = backward(x, y, [_branch(a, b)])
        inner = x @ a
        back = dx @ b.T / (1 + np.abs(inner)) ** 2
        found.append((x.T @ back, bend(inner).T @ dx))
        dx, dy = dy + back @ a.T, dx
    return float((gap**2).mean()), found[::-1], (x, y)


@lru_cache
def trained(depth=4, steps=600, rate=0.02, examples=512):
    """A Network that has learned the multiplexer, by Adam, undoing layers.

    Each step sees ``examples`` inputs drawn from one half of all of them.
    """
    network = Network.random(depth=depth)
    random = np.random.default_rng(SEED)
    half = random.permutation(2**12)[: 2**11]
    every = every_input()
    weights = [m for pair in network.layers for m in pair]
    slopes = [np.zeros_like(m) for m in weights]
    sizes = [np.zeros_like(m) for m in weights]
    for step in range(1, steps + 1):
        inputs = every[random.choice(half, examples, replace=False)]
        _, found, _ = gradients(Network(_pairs(weights)), inputs,
                                multiplexer(inputs))  # fmt: skip
        pace = rate * (1 - step / (steps + 1))
        for i, slope in enumerate(g for pair in found for g in pair):
            slopes[i] = 0.9 * slopes[i] + 0.1 * slope
            sizes[i] = 0.99 * sizes[i] + 0.01 * slope**2
            size = (sizes[i] / (1 - 0.99**step)) ** 0.5
            move = slopes[i] / (1 - 0.9**step) / (size + 1e-8)
            weights[i] = weights[i] - pace * move
    return Network(_pairs(weights))


def _pairs(weights):
    return tuple(zip(weights[::2], weights[1::2], strict=True))


def accuracy(network):
    """Share of all inputs that the network answers as the task does."""
    inputs = every_input()
    right = network.answers(inputs) == multiplexer(inputs)
    return Quantity(float(right.mean()), "%")


def turned(inputs, which):
    """The inputs with one of them flipped."""
    other = inputs.copy()
    other[:, which] *= -1
    return other


def answer_changes(answers, kind):
    """Share of answers that change with one flipped input of a kind."""
    inputs = every_input()
    here = answers(inputs)
    moved = [answers(turned(inputs, i)) != here for i in KINDS[kind]]
    return Quantity(float(np.mean(moved)), "%")


def sign_avalanche(network, kind=None):
    """Share of the streams' signs that change, a value a layer.

    One input is flipped, each of a kind (or of all) in turn.
    """
    inputs = every_input()
    which = KINDS[kind] if kind else range(inputs.shape[1])
    here = network.states(inputs)
    shares = np.zeros(len(here))
    for i in which:
        there = network.states(turned(inputs, i))
        for layer, pairs in enumerate(zip(here, there, strict=True)):
            one, other = (np.sign(np.hstack(p)) for p in pairs)
            shares[layer] += (one != other).mean() / len(which)
    return [Quantity(float(share), "%") for share in shares]


# Floats

FORMATS = {"fp16": np.float16, "fp32": np.float32, "fp64": np.float64}


def rounding_unit(name):
    """The largest relative error of one rounding in a format."""
    return Quantity(float(np.finfo(FORMATS[name]).eps) / 2, "1")


def inversion_error(name, depth, gain=0.3, rows=64):
    """Largest gap after ``depth`` layers there and back, over the largest
    number on the way."""
    kind = FORMATS[name]
    network = Network.random(depth=depth, gain=gain)
    start = every_input()[:: 2**12 // rows].astype(kind)
    x = y = start
    most = 1.0
    for f in network.rounded(kind):
        x, y = forward(x, y, [f])
        most = max(most, float(np.abs(x).max()))
    x, y = backward(x, y, network.rounded(kind))
    gap = max(float(np.abs(z - start).max()) for z in (x, y))
    return Quantity(gap / most, "1")


# What a layer keeps


def layer_elements(model):
    """Elements that one layer's backward pass needs, for one token.

    The inputs of every matrix, norm and product of one mixture-of-experts
    layer with latent attention; attention's scores are made again.
    """
    at, experts = model.attention, model.blocks[-1].feed_forward
    key = at.nope_dim + at.rope_dim
    heads = at.heads * (2 * key + 2 * at.value_dim)
    latents = 2 * at.query_rank + 2 * at.kv_rank + at.rope_dim
    chosen = experts.per_token + experts.shared
    return 4 * model.hidden + latents + heads + 3 * chosen * experts.width


# A block small enough to watch

_MASK = 0xFF


def _toy(constant):
    """A function of eight bits that cannot be undone: it forgets."""

    def f(x):
        left = (x << 1 | x >> 7) & _MASK
        right = (x >> 2 | x << 6) & _MASK
        return (left & right) ^ (x << 3 & _MASK) ^ constant

    return f


TOY = tuple(map(_toy, (0x3A, 0xC5, 0x69, 0x96)))
FLIPS = ("none", *(f"{half}{i}" for half in "xy" for i in range(1, 9)))


def toy_steps(flipped="x1"):
    """Grids of four rounds of a small Feistel cipher, and of the way back.

    Coloured bits differ from those of the same block without the flip.
    """
    start = [0x4D, 0xB2]
    pair = list(start)
    if flipped != "none":
        pair["xy".index(flipped[0])] ^= 1 << (8 - int(flipped[1]))
    grids = []
    names = ["start", *(f"round {i}" for i in range(1, 5))]
    runs = [[tuple(p)] for p in (start, pair)]
    for run in runs:
        for f in TOY:
            run.append(forward(*run[-1], [f], add=xor))
        for f in reversed(TOY):
            run.append(backward(*run[-1], [f], subtract=xor))
    for i, (one, other) in enumerate(zip(*runs, strict=True)):
        if i < 5:
            where = f"After {names[i]}" if i else "At the start"
        else:
            where = f"Undone to {names[8 - i]}"
        apart = sum((a ^ b).bit_count() for a, b in zip(one, other,
                                                        strict=True))  # fmt: skip  # noqa: E501
        says = f"{where}, {apart} of 16 bits differ."
        if flipped == "none":
            says = f"{where}, x is {other[0]:08b} and y {other[1]:08b}."
        cells = [
            [(f"{b >> k & 1}", "compute" if (a ^ b) >> k & 1 else None)
             for k in range(7, -1, -1)]
            for a, b in zip(one, other, strict=True)
        ]  # fmt: skip
        heads = [str(k) for k in range(1, 9)]
        grids.append(Grid(cells, says, ["x", "y"], heads,
                          {"compute": "changed by the flip"}))  # fmt: skip
    return grids
