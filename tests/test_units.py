"""Numbers print through one formatter and can be typed back."""

import math

import pytest
from roofline.units import (
    LABELS,
    Quantity,
    UnitError,
    format_value,
    parse_quantity,
    quantity,
    significant,
    unit,
)

PRINTED = [
    (0.0011649, "s", "1.16 ms"),
    (6.35e-5, "s", "63.5 µs"),
    (90.0, "s", "1.5 min"),
    (3600.0, "s", "1 h"),
    (86400.0, "s", "1 day"),
    (259200.0, "s", "3 days"),
    (59.96, "s", "60.0 s"),
    (8e12, "B/s", "8 TB/s"),
    (35136.0, "B/token", "35.1 kB/token"),
    (0.5625, "B/weight", "0.563 B/weight"),
    (0.0, "B", "0 B"),
    (5667.03, "sequence", "5,670 sequences"),
    (1.0, "sequence", "1 sequence"),
    (999999.0, "sequence", "1.00 million sequences"),
    (671e9, "parameter", "671 billion parameters"),
    (2.592e14, "token", "259 trillion tokens"),
    (858.4, "token/s", "858 tokens/s"),
    (46.6e-6, "$/Mtoken", "$46.6 per million tokens"),
    (2 / 3600, "$/chip/h", "$2 per chip-hour"),
    (0.6428571, "%", "64.3%"),
    (312.5, "1", "313"),
    (1.17e-14, "1", "1.17e-14"),
    (5e15, "FLOP/s", "5 PFLOP/s"),
    (0.30000000000000004, "s", "300 ms"),
    (-0.002, "s", "-2 ms"),
    (189471 * 2.0**20, "MiB", "185 GiB"),
    (0.164 * 2**30, "GiB", "168 MiB"),
]


@pytest.mark.parametrize(("value", "text", "shown"), PRINTED)
def test_one_formatter(value, text, shown):
    assert format_value(value, text) == shown
    assert str(Quantity(value, text)) == shown


@pytest.mark.parametrize(("value", "text", "shown"), PRINTED)
def test_what_is_printed_can_be_typed_back(value, text, shown):
    again = parse_quantity(shown, text)
    assert again == pytest.approx(value, rel=5.1e-3)
    exact = format_value(value, text, 15)
    assert parse_quantity(exact, text) == pytest.approx(value, rel=1e-13)


@pytest.mark.parametrize(
    ("typed", "text", "value"),
    [
        ("2.4k", "sequence", 2400.0),
        ("1.2 ms", "s", 0.0012),
        ("1.2ms", "s", 0.0012),
        ("70 KB", "B/token", 70000.0),
        ("70 kB/token", "B/token", 70000.0),
        ("5,667", "sequence", 5667.0),
        ("3.4 GiB", "B", 3.4 * 2**30),
        ("$0.69", "$/Mtoken", 0.69e-6),
        ("1.5 million", "token", 1.5e6),
        ("2 TB per s", "B/s", 2e12),
        ("20", "ms", 0.020),
        ("1e-3", "s", 0.001),
        ("37 billion parameters", "parameter", 37e9),
    ],
)
def test_typed_quantities(typed, text, value):
    assert parse_quantity(typed, text) == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize(
    ("typed", "text", "complaint"),
    [
        ("fast", "s", "does not start with a number"),
        ("", "s", "does not start with a number"),
        ("3 GB", "s", "expected second"),
        ("3 sequenzes", "sequence", 'did you mean "sequence"'),
        ("3 mz", "s", "unknown unit"),
    ],
)
def test_unreadable_quantities_say_why(typed, text, complaint):
    with pytest.raises(UnitError, match=complaint):
        parse_quantity(typed, text)


def test_halves_round_away_from_zero_and_zeros_mean_rounded():
    assert significant(0.0625, 2) == "0.063"
    assert significant(1.9996, 3) == "2.00"
    assert significant(2.0, 3) == "2"
    assert significant(999.6, 3) == "1000"


def test_counts_have_labels_and_no_dimension():
    for label in LABELS:
        assert unit(label).dimension == unit("1").dimension
    assert unit("B/token").dimension == unit("B").dimension
    assert unit("W").dimension == unit("J/s").dimension


def test_numbers_that_are_none_do_not_print():
    for bad in (math.nan, math.inf):
        with pytest.raises(UnitError, match="finite"):
            format_value(bad, "s")


def test_ratios_need_like_units():
    assert quantity(3, "ms").over(quantity(1.5, "ms")) == 2.0
    assert str(quantity(1, "ms").share_of(quantity(4, "ms"))) == "25%"
    with pytest.raises(UnitError, match="differ in dimension"):
        quantity(1, "s").over(quantity(1, "B"))
