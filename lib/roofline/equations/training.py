"""Why train 100 times past Chinchilla?  Three bills, and one flat valley."""

import sympy
from sympy import Integer, Rational

from roofline import symbols as s
from roofline.equation import Equation, equate

# The three bills

_DENSE = (
    "Every token meets every active parameter once; attention's own "
    "arithmetic is left out."
)
_DECODED = (
    "Tokens are written one at a time, at a fixed fraction of the efficiency "
    "of training; KV caches and prompts are left out."
)

pretraining_cost = Equation(
    left=s.pretraining_cost,
    right=s.training_flop * s.active_parameters * s.pretraining_tokens,
    says="Forward, then back to the inputs, then back to the weights.",
    assumes=_DENSE,
    source="pope2026lecture",
    rises=(s.active_parameters, s.pretraining_tokens),
)

rl_cost = Equation(
    left=s.rl_cost,
    right=s.rl_flop
    * s.active_parameters
    * s.rl_tokens
    * s.decode_inefficiency,
    says="Each token is decoded, and some are trained on as well.",
    assumes=_DECODED,
    source="pope2026lecture",
    rises=(s.rl_flop, s.rl_tokens, s.decode_inefficiency),
)

inference_cost = Equation(
    left=s.inference_cost,
    right=s.flop_per_multiply_add
    * s.active_parameters
    * s.inference_tokens
    * s.decode_inefficiency,
    says="A token that is served only goes forward, but slowly.",
    assumes=_DECODED,
    source="pope2026lecture",
    rises=(s.inference_tokens, s.decode_inefficiency),
)

lifetime_cost = Equation(
    left=s.lifetime_cost,
    right=s.pretraining_cost + s.rl_cost + s.inference_cost,
    says="A model is paid for once, and then for every token.",
    assumes="All operations of training cost the same machine time.",
    source="pope2026lecture",
    given=(pretraining_cost, rl_cost, inference_cost),
    rises=(s.active_parameters, s.pretraining_tokens, s.inference_tokens),
)

prompt_attention_flop = Equation(
    left=s.prompt_attention_flop,
    right=Rational(1, 2)
    * s.flop_per_multiply_add
    * s.attention_multiply_adds
    * s.context**2,
    says="Each token looks back at those before it: half of all pairs.",
    assumes="Causal attention; a token's look at itself is not counted.",
    rises=(s.context, s.attention_multiply_adds),
    limits=((s.context, 0, Integer(0)),),
)

training_attention_share = Equation(
    left=s.training_attention_share,
    right=3
    * s.prompt_attention_flop
    / (s.training_flop * s.active_parameters * s.context),
    says="Attention, too, goes forward once and back twice.",
    assumes="Texts are as long as the context, each cut off from the others.",
    given=(prompt_attention_flop,),
    rises=(s.context, s.attention_multiply_adds),
    falls=(s.active_parameters,),
)

training_utilisation = Equation(
    left=s.training_utilisation,
    right=s.pretraining_cost / (s.training_time * s.peak_compute),
    says="Work that the model needed over work that the chips could do.",
    assumes=_DENSE,
    given=(pretraining_cost,),
    rises=(s.active_parameters, s.pretraining_tokens),
    falls=(s.training_time, s.peak_compute),
)

# When two costs should be equal

_POWERS = "One cost is a power of the choice, the other an inverse power."

rising_cost = Equation(
    left=s.rising_cost,
    right=s.dial**s.rising_power,
    says="One cost grows with the choice.",
    assumes=_POWERS,
    source="pope2026lecture",
    rises=(s.dial,),
)

falling_cost = Equation(
    left=s.falling_cost,
    right=s.dial**-s.falling_power,
    says="The other shrinks with it.",
    assumes=_POWERS,
    source="pope2026lecture",
    falls=(s.dial,),
)

summed_cost = Equation(
    left=s.summed_cost,
    right=s.rising_cost + s.falling_cost,
    says="Both are paid.",
    assumes=_POWERS,
    given=(rising_cost, falling_cost),
)

best_dial = (
    equate(
        s.rising_power * rising_cost.right,
        s.falling_power * falling_cost.right,
    )
    .solve_for(s.dial, assumes=_POWERS)
    .named(
        s.best_dial,
        says="There one per cent more adds as much as it saves.",
    )
)

best_split = Equation(
    left=s.best_split,
    right=sympy.powsimp(
        sympy.expand_power_base(
            (rising_cost.right / falling_cost.right).subs(
                s.dial, best_dial.right
            )
        ),
        force=True,
    ),
    says="At the best choice the flatter cost is the larger one.",
    assumes=_POWERS,
    rises=(s.falling_power,),
    falls=(s.rising_power,),
    limits=((s.falling_power, s.rising_power, Integer(1)),),
)

equal_cost_penalty = Equation(
    left=s.equal_cost_penalty,
    right=2 / (s.best_dial**s.rising_power + s.best_dial**-s.falling_power),
    says="Equal parts cost two; the best choice costs a little less.",
    assumes=_POWERS,
    given=(best_dial,),
)

# The board's numbers

inference_tokens = Equation(
    left=s.inference_tokens,
    right=s.model_traffic * s.model_lifetime,
    says="A model serves until the next one replaces it.",
    assumes="The traffic is the same on every day in service.",
    source="pope2026lecture",
    rises=(s.model_traffic, s.model_lifetime),
)

equal_pretraining_tokens = (
    equate(pretraining_cost, inference_cost)
    .solve_for(s.pretraining_tokens)
    .named(
        s.equal_pretraining_tokens,
        says="The size of the model cancels.",
        given=(inference_tokens,),
        rises=(s.decode_inefficiency, s.model_traffic),
    )
)

equal_rl_tokens = (
    equate(rl_cost, inference_cost)
    .solve_for(s.rl_tokens)
    .named(
        s.equal_rl_tokens,
        says="Both are decoded, so the inefficiency cancels too.",
        given=(inference_tokens,),
        rises=(s.model_traffic,),
        falls=(s.rl_flop,),
    )
)

tokens_per_parameter = Equation(
    left=s.tokens_per_parameter,
    right=s.pretraining_tokens / s.active_parameters,
    says="How much a model has read for its size.",
    assumes="For a model with experts, active parameters are a convention.",
    rises=(s.pretraining_tokens,),
    falls=(s.active_parameters,),
)

over_training = Equation(
    left=s.over_training,
    right=s.tokens_per_parameter / s.base_ratio,
    says="A multiple has a meaning only with its base.",
    assumes=tokens_per_parameter.assumes,
    source="pope2026lecture",
    given=(tokens_per_parameter,),
    rises=(s.pretraining_tokens,),
    falls=(s.active_parameters, s.base_ratio),
)

multiple_tokens = (
    over_training.expand()
    .solve_for(s.pretraining_tokens)
    .named(
        s.multiple_tokens,
        says="The same, read from the multiple to the tokens.",
        rises=(s.over_training, s.base_ratio, s.active_parameters),
    )
)

equal_over_training = Equation(
    left=s.equal_over_training,
    right=s.equal_pretraining_tokens / (s.base_ratio * s.active_parameters),
    says="Traffic, time, and inefficiency make the multiple.",
    assumes="Pre-training costs as much as inference, whatever the loss.",
    given=(equal_pretraining_tokens,),
    rises=(s.model_traffic, s.model_lifetime, s.decode_inefficiency),
    falls=(s.active_parameters, s.base_ratio),
)

# The real optimum: the cheapest way to a given loss

_FITTED = (
    "The law was fitted to dense models of up to 16 billion parameters, and "
    "far from 100 times their compute-optimal tokens."
)

scaling_loss = Equation(
    left=s.scaling_loss,
    right=s.irreducible_loss
    + s.size_scale / s.active_parameters**s.size_power
    + s.token_scale / s.pretraining_tokens**s.token_power,
    says="A small model and little data each add their own loss.",
    assumes=_FITTED,
    source="hoffmann2022chinchilla",
    rises=(s.irreducible_loss, s.size_scale, s.token_scale),
    falls=(s.active_parameters, s.pretraining_tokens),
)


def _steepness(symbol):
    """Change of the loss for a relative change of a symbol."""
    return symbol * sympy.diff(scaling_loss.right, symbol)


exchange_rate = Equation(
    left=s.exchange_rate,
    right=sympy.powsimp(
        _steepness(s.pretraining_tokens) / _steepness(s.active_parameters)
    ),
    says="At equal loss, more tokens stand in for some of the size.",
    assumes=_FITTED,
    rises=(s.token_scale,),
    falls=(s.pretraining_tokens, s.size_scale),
)

training_share = Equation(
    left=s.training_share,
    right=s.pretraining_cost / (s.pretraining_cost + s.inference_cost),
    says="What part of the two bills is paid before the first user.",
    assumes="Reinforcement learning is left out.",
    given=(pretraining_cost, inference_cost),
    rises=(s.pretraining_tokens,),
    falls=(s.inference_tokens, s.decode_inefficiency),
)

equal_served_tokens = (
    equate(pretraining_cost, inference_cost)
    .solve_for(s.inference_tokens)
    .named(
        s.equal_served_tokens,
        says="The equal-cost rule knows nothing of the loss.",
        rises=(s.pretraining_tokens,),
        falls=(s.decode_inefficiency,),
    )
)

served_tokens = (
    equate(training_share, s.exchange_rate)
    .solve_for(s.inference_tokens)
    .named(
        s.served_tokens,
        says="The share of pre-training should equal the exchange rate.",
        assumes=_FITTED,
        given=(exchange_rate,),
        rises=(s.pretraining_tokens,),
        falls=(s.decode_inefficiency, s.active_parameters),
    )
)

best_ratio = tokens_per_parameter.named(
    s.best_ratio,
    says="Where the best plan serves what these tokens are worth.",
    assumes=_FITTED,
    rises=(s.pretraining_tokens,),
    falls=(s.active_parameters,),
)

equal_ratio = tokens_per_parameter.put(
    {
        s.pretraining_tokens: equal_pretraining_tokens.right.subs(
            s.inference_tokens, served_tokens.right
        )
    }
).named(
    s.equal_ratio,
    says="The equal-cost rule, asked to serve as much as the best plan.",
    assumes=_FITTED,
    given=(exchange_rate,),
    rises=(s.pretraining_tokens,),
    falls=(s.active_parameters,),
)

optimal_tokens = (
    equate(exchange_rate, Integer(1))
    .solve_for(s.pretraining_tokens)
    .named(
        s.optimal_tokens,
        says="Without users, size and tokens should trade one for one.",
        rises=(s.active_parameters, s.token_scale),
        falls=(s.size_scale,),
    )
)

over_optimum = Equation(
    left=s.over_optimum,
    right=s.pretraining_tokens / s.optimal_tokens,
    says="Each fit has a base of its own.",
    assumes=_FITTED,
    given=(optimal_tokens,),
    rises=(s.pretraining_tokens,),
)

size_loss = Equation(
    left=s.size_loss,
    right=s.target_loss
    - s.irreducible_loss
    - s.token_scale / s.pretraining_tokens**s.token_power,
    says="What the target leaves, once the data have added their part.",
    assumes=_FITTED,
    rises=(s.pretraining_tokens, s.target_loss),
    falls=(s.irreducible_loss, s.token_scale),
)

matched_parameters = (
    equate(s.size_scale / s.active_parameters**s.size_power, s.size_loss)
    .solve_for(s.active_parameters, assumes=_FITTED)
    .named(
        s.matched_parameters,
        says="The more tokens, the smaller the model that gets there.",
        given=(size_loss,),
        falls=(s.pretraining_tokens, s.target_loss),
    )
)


def _matched(bill, left, says):
    """A bill with the size that reaches the target loss."""
    return Equation(
        left=left,
        right=bill.right.xreplace({s.active_parameters: s.matched_parameters}),
        says=says,
        assumes=_FITTED,
        given=(matched_parameters,),
    )


matched_training_cost = _matched(
    pretraining_cost,
    s.matched_training_cost,
    "Training one quality: more tokens, on a smaller model.",
)

matched_inference_cost = _matched(
    inference_cost,
    s.matched_inference_cost,
    "Serving one quality: the smaller the model, the cheaper.",
)

matched_cost = Equation(
    left=s.matched_cost,
    right=s.matched_training_cost + s.matched_inference_cost,
    says="One rises in the end, the other falls: a valley.",
    assumes=_FITTED,
    given=(matched_training_cost, matched_inference_cost),
)
