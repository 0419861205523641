"""Where do cached tokens sleep?  What it costs to hold and to fetch them."""

import sympy
from sympy import Min

from roofline import symbols as s
from roofline.equation import Equation, equate
from roofline.equations.cost import compute_cost

# One device

tier_drain = Equation(
    left=s.tier_drain,
    right=s.tier_capacity / s.tier_bandwidth,
    says="A device that is read once from end to end needs this long.",
    assumes="The device is full and read in order, at its full bandwidth.",
    source="pope2026lecture",
    rises=(s.tier_capacity,),
    falls=(s.tier_bandwidth,),
)

busy_share = Equation(
    left=s.busy_share,
    right=s.tier_drain / s.hold_time,
    says="What is held a drain time and fetched once keeps a device busy.",
    assumes="The device is full; every byte is fetched once, then replaced.",
    source="pope2026lecture",
    given=(tier_drain,),
    rises=(s.tier_capacity,),
    falls=(s.tier_bandwidth, s.hold_time),
)

hold_cost = Equation(
    left=s.hold_cost,
    right=s.kv_bytes_per_token * s.byte_rent * s.hold_time,
    says="A waiting token pays the rent of its bytes.",
    assumes="The device is full, so its rent is shared by the bytes on it.",
    source="pope2026lecture",
    rises=(s.kv_bytes_per_token, s.byte_rent, s.hold_time),
    limits=((s.hold_time, 0, sympy.Integer(0)),),
)

fetch_cost = Equation(
    left=s.fetch_cost,
    right=s.byte_rent
    * s.tier_capacity
    * s.kv_bytes_per_token
    / s.tier_bandwidth,
    says="While a token is read, it pays the rent of the whole device.",
    assumes=(
        "Reads in order, at full bandwidth; the chip that waits for them "
        "does something else."
    ),
    source="pope2026lecture",
    rises=(s.kv_bytes_per_token, s.byte_rent, s.tier_capacity),
    falls=(s.tier_bandwidth,),
)


def _keep_cost():
    """Both costs together, with the drain time by its name."""
    total = sympy.factor(hold_cost.right + fetch_cost.right)
    short = s.byte_rent * s.kv_bytes_per_token * (s.hold_time + s.tier_drain)
    long = short.xreplace({s.tier_drain: tier_drain.right})
    assert sympy.simplify(total - long) == 0
    return Equation(
        left=s.keep_cost,
        right=short,
        says="Fetching costs as much as holding for one more drain time.",
        assumes="One fetch; the device is full and read in order.",
        given=(tier_drain,),
        rises=(s.kv_bytes_per_token, s.byte_rent, s.hold_time),
        falls=(s.tier_bandwidth,),
    )


keep_cost = _keep_cost()

owned_byte_rent = Equation(
    left=s.byte_rent,
    right=s.byte_price / s.service_life,
    says="A bought byte is paid off over the life of its device.",
    assumes="No interest, no power, no host; the device is always full.",
    rises=(s.byte_price,),
    falls=(s.service_life,),
)

hbm_byte_rent = Equation(
    left=s.hbm_byte_rent,
    right=s.chip_hour_price / s.hbm_capacity,
    says="On the board the memory of a chip pays for all of the chip.",
    assumes="The chip is full, and earns nothing but by holding.",
    source="pope2026lecture",
    rises=(s.chip_hour_price,),
    falls=(s.hbm_capacity,),
)

# Two tiers, and the way out

_NEAR = {s.byte_rent: s.near_rent, s.tier_drain: s.near_drain}
_FAR = {s.byte_rent: s.far_rent, s.tier_drain: s.far_drain}

leave_time = (
    equate(keep_cost.right.xreplace(_NEAR), keep_cost.right.xreplace(_FAR))
    .solve_for(s.hold_time, assumes=keep_cost.assumes)
    .factored()
    .named(
        s.leave_time,
        says="From here on the cheaper byte makes up for the longer fetch.",
        rises=(s.far_drain, s.far_rent),
        falls=(s.near_rent, s.near_drain),
    )
)

forget_time = (
    equate(s.compute_cost, keep_cost.right)
    .solve_for(s.hold_time, assumes=keep_cost.assumes)
    .named(
        s.forget_time,
        says="From here on it is cheaper to read the prompt again.",
        assumes=(
            "One fetch; making a token again costs its multiply-adds with "
            "the weights, attention left out."
        ),
        given=(compute_cost,),
        rises=(s.active_parameters,),
        falls=(s.kv_bytes_per_token, s.byte_rent, s.tier_drain),
    )
)

# All tiers at once

hbm_keep_cost = Equation(
    left=s.hbm_keep_cost,
    right=s.kv_bytes_per_token * s.hbm_byte_rent * s.hold_time,
    says="What lies in HBM is there already.",
    assumes=hbm_byte_rent.assumes,
    source="pope2026lecture",
    given=(hbm_byte_rent,),
    rises=(s.kv_bytes_per_token, s.hold_time, s.chip_hour_price),
)


def _kept_in(left, rent, drain):
    """The cost of keeping, in one named tier."""
    named = {s.byte_rent: rent, s.tier_drain: drain}
    return Equation(
        left=left,
        right=keep_cost.right.xreplace(named),
        says=f"The same for {left.label}.",
        assumes=keep_cost.assumes,
        rises=(s.kv_bytes_per_token, s.hold_time, rent, drain),
    )


dram_keep_cost = _kept_in(s.dram_keep_cost, s.dram_byte_rent, s.dram_drain)
flash_keep_cost = _kept_in(s.flash_keep_cost, s.flash_byte_rent, s.flash_drain)
disk_keep_cost = _kept_in(s.disk_keep_cost, s.disk_byte_rent, s.disk_drain)

cheapest_cost = Equation(
    left=s.cheapest_cost,
    right=Min(
        s.compute_cost,
        s.hbm_keep_cost,
        s.dram_keep_cost,
        s.flash_keep_cost,
        s.disk_keep_cost,
    ),
    says="The cheapest of four places, or of forgetting.",
    assumes=(
        "The hold time is known beforehand; a token is written to one tier "
        "and fetched once; writing costs nothing."
    ),
    given=(
        compute_cost,
        hbm_keep_cost,
        dram_keep_cost,
        flash_keep_cost,
        disk_keep_cost,
    ),
    rises=(s.hold_time, s.kv_bytes_per_token),
)

# Making it again

remake_time = Equation(
    left=s.remake_time,
    right=s.flop_per_multiply_add * s.active_parameters / s.peak_compute,
    says="A forgotten token has to meet all active parameters again.",
    assumes="Dense peak; attention's own arithmetic is left out.",
    source="pope2026lecture",
    rises=(s.active_parameters,),
    falls=(s.peak_compute,),
)

fetch_time = Equation(
    left=s.fetch_time,
    right=s.kv_bytes_per_token / s.tier_bandwidth,
    says="A cached token is so many bytes from one device.",
    assumes="Read in order, at full bandwidth.",
    rises=(s.kv_bytes_per_token,),
    falls=(s.tier_bandwidth,),
)

remake_ratio = Equation(
    left=s.remake_ratio,
    right=s.remake_time / s.fetch_time,
    says="How much longer one chip computes than one device reads.",
    assumes="One chip against one device; their rents differ too.",
    given=(remake_time, fetch_time),
    rises=(s.active_parameters, s.tier_bandwidth),
    falls=(s.peak_compute, s.kv_bytes_per_token),
)

# Prices

hold_price = Equation(
    left=s.hold_price,
    right=s.input_price
    * (s.long_multiplier - s.short_multiplier)
    / (s.long_hold - s.short_hold),
    says="Two lifetimes at two prices betray the price of an hour.",
    assumes=(
        "A write costs the input, something fixed, and a price for each "
        "second; the same in both offers."
    ),
    requires=(
        sympy.Lt(s.short_multiplier, s.long_multiplier),
        sympy.Lt(s.short_hold, s.long_hold),
    ),
    rises=(s.input_price, s.long_multiplier),
    falls=(s.short_multiplier, s.long_hold),
)

priced_bytes = (
    equate(s.hold_price * s.hold_time, hold_cost)
    .solve_for(s.kv_bytes_per_token)
    .named(
        s.priced_bytes,
        says="How large a token's cache would be, if price were cost.",
        rises=(s.hold_price,),
        falls=(s.byte_rent,),
    )
)

even_reads = Equation(
    left=s.even_reads,
    right=(s.short_multiplier - 1) / (1 - s.read_multiplier),
    says="A dearer first write against cheaper uses afterwards.",
    assumes="Every later use falls within the lifetime of the cache.",
    rises=(s.short_multiplier, s.read_multiplier),
)

mixed_price = Equation(
    left=s.mixed_price,
    right=s.input_price * (1 - s.hit_share + s.hit_share * s.read_multiplier),
    says="A token is charged once: as a hit, or as a miss.",
    assumes="Writing to the cache costs nothing extra.",
    rises=(s.input_price, s.read_multiplier),
    falls=(s.hit_share,),
    limits=((s.hit_share, 0, s.input_price),),
)
