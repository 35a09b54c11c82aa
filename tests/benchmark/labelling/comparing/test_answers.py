"""What models write of plans, read: tolerant of form, strict of meaning."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark.labelling.answers import AnswerKind
from benchmark.labelling.comparing import (
    QUESTIONS,
    Case,
    Outcome,
    PlanChoice,
    by_order,
    by_orders,
    by_points,
    pair_request,
    read_choice,
    read_points,
    single_request,
)
from sandbox.tools.language import Language


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ('{"reasons": "fine", "score": 73}', 73.0),
        ('{"score": "73/100"}', 73.0),
        ('{"Score": 72.5}', 72.5),
        ('Here:\n```json\n{"reasons": "fine", "score": 0,}\n```', 0.0),
        ('{"result": {"score": "88 分"}}', 88.0),
        ('{"score": 40} so it is {"score": 40.0}', 40.0),
        ("91", 91.0),
    ],
)
def test_points_are_read_in_any_wrapping(text: str, points: float) -> None:
    assert read_points(text).points == points


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("A good plan on the whole.", "no_json"),
        ('{"score": 101}', "out_of_range"),
        ('{"score": -1}', "out_of_range"),
        ('{"score": true}', "wrong_type"),
        ('{"score": "high"}', "wrong_type"),
        ('{"score": 40} or rather {"score": 60}', "ambiguous"),
        ('{"score": 40, "score": 60}', "twice"),
        ('{"reasons": "none"}', "missing"),
        ("", "no_json"),
    ],
)
def test_points_that_do_not_count_have_a_named_fault(text: str, fault: str) -> None:
    read = read_points(text)
    assert read.points is None and read.faults[-1].kind == fault


@pytest.mark.parametrize(
    ("text", "choice", "confidence"),
    [
        ('{"reasons": "x", "choice": "A", "confidence": 80}', "A", 0.8),
        ('{"choice": "plan b", "confidence": "65%"}', "B", 0.65),
        ('{"choice": "方案A"}', "A", None),
        ("B", "B", None),
        ("“A”。", "A", None),
    ],
)
def test_choices_are_read_in_any_wrapping(text: str, choice: str, confidence: float | None) -> None:
    read = read_choice(text)
    assert (read.choice, read.confidence) == (choice, confidence)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('{"choice": "neither"}', "wrong_type"),
        ('{"choice": "A or B"}', "wrong_type"),
        ('{"choice": "A"} {"choice": "B"}', "ambiguous"),
        ('{"choice": "A", "choice": "B"}', "twice"),
        ("Plan A has more to see, plan B is calmer.", "no_json"),
    ],
)
def test_choices_that_do_not_count_have_a_named_fault(text: str, fault: str) -> None:
    read = read_choice(text)
    assert read.choice == "" and read.faults[-1].kind == fault


def test_a_wrong_confidence_costs_the_confidence_alone() -> None:
    for said in ('"sure"', "120", "20"):
        read = read_choice(f'{{"choice": "A", "confidence": {said}}}')
        assert (read.choice, read.confidence) == ("A", None) and len(read.faults) == 1


def test_an_answer_that_was_cut_off_says_so() -> None:
    assert read_points('{"score": 5', cut_off=True).faults[0].kind == "cut_off"


@given(st.text(max_size=300))
def test_no_text_breaks_the_reading(text: str) -> None:
    points, choice = read_points(text), read_choice(text)
    assert points.points is not None or points.faults
    assert choice.choice in ("A", "B") or choice.faults


def test_of_one_order_the_choice_counts_as_it_is() -> None:
    assert by_order(PlanChoice("B", 0.9)) == Outcome("right", {"orders": ["right"], "confidence": 0.9})
    assert by_order(PlanChoice("A")) == Outcome("left", {"orders": ["left"]})


def test_equal_points_mean_neither_and_more_points_win() -> None:
    assert by_points(60, 60).choice == "neither"
    assert by_points(61, 60).choice == "left" and by_points(3, 60).choice == "right"
    assert by_points(61, 60).basis == {"left": 61, "right": 60}


def test_orders_that_agree_on_a_plan_choose_it_and_others_neither() -> None:
    both = by_orders(PlanChoice("A", 0.9), PlanChoice("B", 0.7))
    assert both.choice == "left" and both.basis == {"orders": ["left", "left"], "confidence": 0.8}
    assert by_orders(PlanChoice("B"), PlanChoice("A")).choice == "right"
    first_always = by_orders(PlanChoice("A", 0.9), PlanChoice("A", 0.9))
    assert first_always.choice == "neither" and first_always.basis == {"orders": ["left", "right"]}


@pytest.mark.parametrize(("kind", "nothing"), [("plan", "no_plan"), ("words", "nothing")])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_requests_hold_the_material_and_no_open_field(
    language: Language, kind: AnswerKind, nothing: str
) -> None:
    first = Case(language, "REQUEST $5", "ANSWER ONE", "WHAT STANDS BESIDE IT")
    second, asked = Case(language, "REQUEST $5", ""), QUESTIONS[kind]
    pair = [str(message["content"]) for message in pair_request(first, second, asked).messages]
    alone = [str(message["content"]) for message in single_request(first, asked).messages]
    assert "REQUEST $5" in pair[1] and pair[1].index("ANSWER ONE") < pair[1].index("BESIDE") < pair[1].index(
        asked.prompts.line(language, "lines", nothing)
    )
    assert "ANSWER ONE" in alone[1] and "BESIDE" in alone[1] and "$" not in pair[0] + alone[0]
    assert pair_request(first, second, asked).temperature == single_request(first, asked).temperature == 0.0


@pytest.mark.parametrize("kind", ["plan", "words"])
def test_the_version_names_the_prompts_of_both_languages(kind: AnswerKind) -> None:
    assert QUESTIONS[kind].edition.count("1-") == 2


def test_who_compares_words_reads_nothing_of_plans() -> None:
    case = Case("en", "When does the museum close?", "At five.")
    told = " ".join(str(one["content"]) for one in pair_request(case, case, QUESTIONS["words"]).messages)
    assert "plan" not in told.lower()
