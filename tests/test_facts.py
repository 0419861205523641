"""Every fact has unit, source, place and date, and a plausible value."""

import re
from datetime import date
from pathlib import Path

import pytest
from pybtex.database import parse_file
from roofline import facts
from roofline.equations import EQUATIONS
from roofline.facts import FACTS, TABLES, Fact, FactError, fact, usable
from roofline.symbols import SYMBOLS
from roofline.units import unit

ROOT = Path(__file__).parents[1]
BIB = parse_file(ROOT / "references.bib", bib_format="bibtex").entries
every = pytest.mark.parametrize("f", FACTS.values(), ids=FACTS)

# Names of facts that no symbol has yet: (unit, lowest, highest), base units.
WINDOWS = {
    "premium_over_dram": ("1", 1, 20),
    "input_tokens": ("token", 1e9, 1e13),
    "disk_hits": ("token", 1e9, 1e13),
    "most_experts": ("expert", 1, 64),
    "layer_time": ("s", 1e-6, 1e-2),
    "chip_tokens": ("token", 1, 1e4),
    "dies": ("1", 8, 1000),
    "dies_in_package": ("1", 1, 8),
    "node_output_rate": ("token/s", 1e2, 1e6),
    "user_speed": ("token/s", 1, 1e3),
    "nodes_per_unit": ("1", 1, 1e3),
    "average_context": ("token", 100, 1e6),
    "size_without_gain": ("parameter", 1e10, 1e13),
    "pilot_stored": ("parameter", 1e9, 1e12),
    "pilot_active": ("parameter", 1e8, 1e12),
    "pilot_matched": ("parameter", 1e9, 1e12),
    "batch_price_share": ("%", 0.1, 1),
    "cost_at_normal_speed": ("$/Mtoken", 1e-8, 1e-4),
    "cost_at_fast_speed": ("$/Mtoken", 1e-8, 1e-4),
    "dense_bf16_compute": ("FLOP/s", 1e14, 1e16),
    "dense_fp8_compute": ("FLOP/s", 1e14, 5e16),
    "dense_fp4_compute": ("FLOP/s", 1e15, 1e17),
    "scaleup_bandwidth": ("B/s", 1e11, 5e12),
    "scaleout_bandwidth": ("B/s", 1e9, 5e11),
    "chip_power": ("W", 100, 5000),
    "training_tokens": ("token", 1e11, 1e14),
    "max_context": ("token", 1e3, 1e8),
    "reference_context": ("token", 1e3, 1e3),
    "kv_bytes_per_token_published": ("B/token", 1e3, 1e7),
    "kv_share_of_v3_2": ("%", 0.01, 1),
    "flop_share_of_v3_2": ("%", 0.01, 1),
    "packed_bytes_per_layer": ("B/token", 100, 1e4),
    "equivalent_kv_heads": ("head", 1, 128),
}
WINDOWS |= {
    "forward_phase": ("s", 0.1, 100),
    "paired_phase": ("s", 0.1, 100),
    "backward_phase": ("s", 0.1, 100),
    "weight_phase": ("s", 0.1, 100),
    "optimizer_phase": ("s", 0.01, 100),
    "step_sequences": ("sequence", 1e3, 1e5),
    "rate_of_one_chip": ("token/s", 100, 1e4),
    "rate_of_all_chips": ("token/s", 100, 1e5),
}
# Some machines hold more chips than a slider offers.
WIDER = {"chips": (1, 1e4), "hbm_capacity": (1e10, 1e12)}


@every
def test_unit_is_the_symbols_and_value_is_plausible(f):
    name = f.name.split(".")[1]
    if name in SYMBOLS:
        s = SYMBOLS[name]
        expected, (low, high) = s.unit, WIDER.get(name, s.span)
    else:
        text, low, high = WINDOWS[name]
        expected = unit(text)
    assert f.unit.dimension == expected.dimension
    for value in (f, *(o.value for o in f.others)):
        assert low <= value <= high, f"{f.name} = {value}"


@every
def test_source_place_and_date_are_there(f):
    rows = [(f.source, f.where, f.as_of)]
    rows += [(o.source, o.where, o.as_of) for o in f.others]
    for source, where, as_of in rows:
        assert source in BIB or source == "derived", source
        assert len(where) > 3
        assert isinstance(as_of, date) and date(2010, 1, 1) < as_of
    if f.others:
        assert f.because
    if f.range:
        assert f.range[0] <= f <= f.range[1]


def test_every_shape_has_a_source():
    for name, rows in TABLES.items():
        if config := rows.get("config"):
            assert config["source"] in BIB, name
            assert config["where"] and config["as_of"]


def test_every_reference_is_cited_and_complete():
    cited = {f.source for f in FACTS.values()}
    cited |= {o.source for f in FACTS.values() for o in f.others}
    cited |= {r["config"]["source"] for r in TABLES.values() if "config" in r}
    cited |= {e.source for e in EQUATIONS.values()}
    for page in [*ROOT.glob("chapters/*.ipynb"), *ROOT.glob("*/*.md")]:
        cited |= set(re.findall(r"{cite:[pt]}`(\w+)`", page.read_text()))
    assert set(BIB) <= cited, f"never cited: {sorted(set(BIB) - cited)}"
    assert cited - {"derived"} <= set(BIB)
    for key, entry in BIB.items():
        fields = entry.fields
        assert fields.get("title") and fields.get("year"), key
        assert entry.persons or fields.get("organization"), key
        assert fields.get("url") or fields.get("doi"), key


def test_facts_say_nothing_twice():
    assert len({(f.name) for f in FACTS.values()}) == len(FACTS) > 150


GOOD = {
    "value": 8,
    "unit": "TB/s",
    "kind": "specification",
    "source": "x",
    "where": "y",
    "as_of": date(2026, 1, 1),
}


@pytest.mark.parametrize("gone", GOOD)
def test_a_fact_without_its_source_cannot_exist(gone):
    row = {k: v for k, v in GOOD.items() if k != gone}
    with pytest.raises(FactError, match=f"has no {gone}"):
        Fact("a.b", row)


def test_incomplete_facts_are_refused():
    with pytest.raises(FactError, match='did you mean "note"'):
        Fact("a.b", GOOD | {"notes": "x"})
    with pytest.raises(FactError, match="is none of"):
        Fact("a.b", GOOD | {"kind": "guess"})
    with pytest.raises(FactError, match="say why this one stands"):
        Fact("a.b", GOOD | {"others": [GOOD]})


def test_an_unverified_fact_is_marked_and_enters_no_result():
    doubtful = Fact("a.b", GOOD | {"verified": False})
    assert str(doubtful) == "8 TB/s†"
    with pytest.raises(FactError, match="unverified and enters no result"):
        usable(doubtful)


def test_an_unknown_fact_suggests_near_ones():
    with pytest.raises(FactError, match="gb200_nvl72.hbm_bandwidth"):
        fact("gb200_nvl72.hbm_bandwith")
    assert facts.fact("gb200_nvl72.hbm_bandwidth") == 8e12


def test_every_data_file_is_printed_in_an_appendix():
    pages = "".join(p.read_text() for p in ROOT.glob("appendices/*.md"))
    printed = re.findall(r"```{facts} (\w+)", pages)
    assert sorted(printed) == sorted(facts.FILES)
    stored = [p.stem for p in (ROOT / "lib/roofline/data").glob("*.toml")]
    assert sorted(stored) == sorted(facts.FILES)
