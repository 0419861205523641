"""What does undoing save?  Growth of changes, errors, and activations."""

import sympy

from roofline import symbols as s
from roofline.equation import Equation, equate

# Changes and errors


def _spread():
    """The factor with which rounds grow a change: the root above 0."""
    growth = sympy.Eq(s.spread**2, s.gain * s.spread + 1)
    roots = sympy.solve(growth, s.spread)
    (larger,) = [r for r in roots if r.subs(s.gain, 1) > 0]
    return Equation(
        left=s.spread,
        right=larger,
        says="A change grows in each round by a factor that the gain fixes.",
        assumes="Small changes, and the same gain in every round.",
        rises=(s.gain,),
        limits=((s.gain, 0, sympy.Integer(1)),),
    )


spread = _spread()

avalanche = Equation(
    left=s.avalanche,
    right=(1 - (1 - 2 / s.block_bits) ** (s.spread**s.rounds)) / 2,
    says="One flipped bit spreads until half of all bits change.",
    assumes=(
        "Changes fall on the bits at random and independently; a real "
        "cipher moves them by fixed shifts."
    ),
    rises=(s.rounds, s.spread),
    falls=(s.block_bits,),
)

inversion_bound = Equation(
    left=s.inversion_bound,
    right=2 * s.rounding_unit * (s.spread**s.rounds - 1) / (s.spread - 1),
    says="Errors of rounding add up over the layers, and grow on the way.",
    assumes=(
        "One rounding forward and one back a layer, all to the same side; "
        "roundings inside f are left out."
    ),
    rises=(s.rounding_unit, s.spread, s.rounds),
    limits=((s.spread, 1, 2 * s.rounding_unit * s.rounds),),
)

# Activations

plain_activation_bytes = Equation(
    left=s.plain_activation_bytes,
    right=s.layers * s.layer_activation_bytes,
    says="Kept activations grow with every layer.",
    assumes="All layers alike; nothing is made again.",
    source="pope2026lecture",
    rises=(s.layers, s.layer_activation_bytes),
)

checkpointed_bytes = Equation(
    left=s.checkpointed_bytes,
    right=s.vector_bytes * s.layers / s.checkpoint_interval
    + s.checkpoint_interval * s.layer_activation_bytes,
    says="Saved vectors, and the activations between two of them.",
    assumes="All layers alike; one stretch is made again at a time.",
    source="chen2016sublinear",
    rises=(s.layers, s.vector_bytes, s.layer_activation_bytes),
)

best_interval = (
    equate(
        sympy.diff(checkpointed_bytes.right, s.checkpoint_interval),
        sympy.Integer(0),
    )
    .solve_for(s.checkpoint_interval, assumes=checkpointed_bytes.assumes)
    .named(
        s.best_interval,
        says="The least is kept where both parts are equal.",
        rises=(s.layers, s.vector_bytes),
        falls=(s.layer_activation_bytes,),
    )
)

least_checkpointed_bytes = Equation(
    left=s.least_checkpointed_bytes,
    right=sympy.simplify(
        checkpointed_bytes.right.subs(
            s.checkpoint_interval, best_interval.right
        )
    ),
    says="At best, what is kept grows with the root of the layers.",
    assumes="The interval is not held to whole layers.",
    rises=(s.layers, s.vector_bytes, s.layer_activation_bytes),
)

reversible_bytes = Equation(
    left=s.reversible_bytes,
    right=2 * s.vector_bytes + s.layer_activation_bytes,
    says="Two streams and one layer at work, however many layers there are.",
    assumes="Both streams are as wide as the vector; every layer is undone.",
    source="gomez2017revnet",
    rises=(s.vector_bytes, s.layer_activation_bytes),
)

checkpoint_recompute = Equation(
    left=s.checkpoint_recompute,
    right=s.flop_per_multiply_add
    * (1 - s.checkpoint_interval / s.layers)
    / s.training_flop,
    says="Every stretch but the last is run forward twice.",
    assumes="Twice as much arithmetic backward as forward.",
    rises=(s.layers,),
    falls=(s.checkpoint_interval,),
)

reversible_recompute = Equation(
    left=s.reversible_recompute,
    right=s.flop_per_multiply_add / s.training_flop,
    says="Undoing runs every f a second time.",
    assumes="Twice as much arithmetic backward as forward.",
)

activation_worth = Equation(
    left=s.activation_worth,
    right=s.flop_per_multiply_add
    * s.active_parameters
    / (s.plain_activation_bytes - s.reversible_bytes),
    says="Activations save one forward pass, once.",
    assumes="Attention's own arithmetic is left out.",
    given=(plain_activation_bytes, reversible_bytes),
    rises=(s.active_parameters,),
    falls=(s.layers,),
)

kv_worth = Equation(
    left=s.kv_worth,
    right=s.flop_per_multiply_add * s.active_parameters / s.kv_bytes_per_token,
    says="A token's cache saves a forward pass of it at each later token.",
    assumes="Attention's own arithmetic is left out.",
    rises=(s.active_parameters,),
    falls=(s.kv_bytes_per_token,),
)
