"""Sentences, tables, checks of the board, and questions."""

import pytest
from roofline import (
    BoardCheck,
    Question,
    decode,
    quantity,
    refused,
    say,
    sweep,
    table,
)
from roofline.question import as_html


def test_numbers_enter_sentences_through_the_formatter():
    said = say("It takes {t}, exactly {t:5}.", t=quantity(1.23456, "ms"))
    assert said.plain == "It takes 1.23 ms, exactly 1.2346 ms."
    assert say("{n} chips", n=1200).plain == "1,200 chips"


def test_bare_floats_do_not_enter_sentences():
    with pytest.raises(TypeError, match="0.30000000000000004 has no unit"):
        say("{x}", x=0.1 + 0.2)
    with pytest.raises(TypeError, match="has no unit"):
        table(["x"], [[0.5]])


def test_sentences_use_all_they_are_given_and_get_all_they_use():
    with pytest.raises(NameError, match='"batch".*did you mean "bach"'):
        say("{batch}", bach=1)
    with pytest.raises(NameError, match="does not use more"):
        say("{one}", one=1, more=2)


def test_money_is_no_mathematics_in_markdown():
    said = say("{p} each", p=quantity(2, "$/chip/h"))
    assert said.markdown == r"\$2 per chip-hour each"
    assert said.plain == "$2 per chip-hour each"


def test_tables_align_numbers_right_and_refuse_short_rows():
    made = table(["word", "time"], [["a", quantity(1, "s")]])
    assert made.markdown.splitlines() == [
        "| word | time |",
        "| :-- | --: |",
        "| a | 1 s |",
    ]
    with pytest.raises(ValueError, match="1 cells under 2 heads"):
        table(["a", "b"], [["only"]])


def test_sweep_varies_one_symbol(case):
    made = sweep([decode.weight_time, decode.pass_time], case, batch=[1, 1e5])
    rows = made.plain.splitlines()
    assert rows[0].split() == ["batch", "all", "weights", "one", "pass"]
    assert rows[2].endswith("20.6 ms")
    with pytest.raises(TypeError, match="varies one symbol"):
        sweep([decode.pass_time], case, batch=[1], context=[2])


def test_refused_prints_the_message_and_fails_where_nothing_is_refused(case):
    said = refused(lambda: decode.pass_time(case, batch=-1))
    assert said.plain.startswith("Refused: batch must be above 0")
    with pytest.raises(AssertionError, match="meant to be refused"):
        refused(lambda: decode.pass_time(case, batch=1))


GOOD = {"at": "0:01:02", "said": "x.", "because": "y."}


def test_a_board_check_cannot_claim_what_its_numbers_deny():
    one, five = quantity(1, "s"), quantity(5, "s")
    with pytest.raises(ValueError, match="differ by 5"):
        BoardCheck(board=one, book=five, verdict="holds", **GOOD)
    with pytest.raises(ValueError, match="differ by 5"):
        BoardCheck(board=one, book=five, verdict="holds within 4", **GOOD)
    with pytest.raises(ValueError, match="is none of"):
        BoardCheck(board=one, book=five, verdict="fine", **GOOD)
    check = BoardCheck(board=one, book=five, verdict="slip", **GOOD)
    assert "1 s" in repr(check._repr_mimebundle_())


def test_a_board_check_does_not_call_a_right_figure_a_slip():
    same = quantity(1, "s")
    with pytest.raises(ValueError, match="agree"):
        BoardCheck(board=same, book=same, verdict="slip", **GOOD)


def test_questions_need_units_and_honest_tolerances():
    good = quantity(2, "ms")
    with pytest.raises(TypeError, match="needs a unit"):
        Question("a", "?", 2.0, worked="w")
    with pytest.raises(ValueError, match="tolerance"):
        Question("a", "?", good, worked="w", tolerance=0.9)
    with pytest.raises(ValueError, match="not wrong enough"):
        Question("a", "?", good, worked="w", near={good: "no"})
    with pytest.raises(ValueError, match="none of the choices"):
        Question("a", "?", "x", worked="w", choices={"y": "z"})


def test_a_question_carries_its_answer_folded():
    asked = Question("a", "How *long*?", quantity(2, "ms"), worked="So.")
    assert "<em>long</em>" in asked.html
    assert '<details class="roofline-worked">' in asked.html
    assert "Answer: 2 ms" in asked.plain
    assert asked.spec["answer"] == 0.002


def test_markdown_with_mathematics_becomes_html():
    assert r"\(x^2\)" in as_html("$x^2$")
    assert as_html(r"\$2") == "<p>$2</p>"
    assert "<script" not in as_html("<script>alert(1)</script>")
