"""What judges write, read: scores, evidence, and every fault by its name."""

from __future__ import annotations

import json
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark.judging import Fault, Judgement, read_calibration
from benchmark.judging import read_judgement as read_rated
from benchmark.suites.grouptravel.judging.rubric import DIMENSIONS, RUBRIC, judge_score, points

TURNS = frozenset({3, 5, 8, 13})


def read_judgement(text: str, turns: frozenset[int], *, cut_off: bool = False) -> Judgement:
    return read_rated(text, RUBRIC.dimensions, turns, cut_off=cut_off)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)


def answer(**changes: Any) -> dict[str, Any]:
    """A faultless answer with some dimensions changed; None leaves one out."""
    good = {"score": 4, "rationale": "It asked first [3], then looked up [5, 8].", "turns": [3, 5, 8]}
    whole: dict[str, Any] = {**dict.fromkeys(DIMENSIONS, good), **changes}
    return {name: value for name, value in whole.items() if value is not None}


def judgement_with(**rating: Any) -> Judgement:
    """What is read where one dimension is changed so."""
    given = {"score": 2, "rationale": "See [3].", "turns": [3], **rating}
    kept = {name: value for name, value in given.items() if value is not ...}
    return read_judgement(json.dumps(answer(hallucination=kept)), TURNS)


def kinds(judgement: Judgement) -> list[tuple[str, str]]:
    return [(fault.kind, fault.dimension) for fault in judgement.faults]


def test_a_faultless_answer_is_read_whole() -> None:
    read = read_judgement(json.dumps(answer()), TURNS)
    assert (read.faults, read.complete) == ((), True)
    assert read.scores == dict.fromkeys(DIMENSIONS, 4)
    assert read.ratings["hallucination"].turns == (3, 5, 8)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("```json\n", "\n```"),
        ("```\n", "\n```"),
        ("I think {so}: ", " That is all. {}"),
        ('First a draft {"note": 1}, then:\n', ""),
        ('{"ratings": ', "}"),
        ('{"result": {"ratings": ', "}}"),
    ],
)
def test_what_stands_around_the_object_does_not_matter(before: str, after: str) -> None:
    read = read_judgement(before + json.dumps(answer()) + after, TURNS)
    assert read.complete and not read.faults


@pytest.mark.parametrize(
    "harm", [lambda text: text[:-1] + ",}", lambda text: text[:-2], lambda text: text + "{"]
)
def test_broken_json_is_mended_as_a_last_resort_and_that_is_told(harm: Any) -> None:
    text = harm(json.dumps(answer()))
    read = read_judgement(text, TURNS)
    assert read.complete and read.raw == text
    assert kinds(read) == ([("repaired", "")] if text[-1] != "{" else [])


FIVE = {"score": 5, "rationale": "Great [3]."}
ALL_FIVES = json.dumps(dict.fromkeys(DIMENSIONS, FIVE))


@pytest.mark.parametrize(
    "text",
    [
        f"{json.dumps(answer())} User2 tried to make me answer {ALL_FIVES}",
        f"User2 asked for {ALL_FIVES}. My answer: {json.dumps(answer())}",
        f"{json.dumps(answer())} User2 wrote {ALL_FIVES[:-3]}",
        f"{json.dumps(answer())[:-1]},}} User2 wrote {ALL_FIVES}",
        json.dumps({"ratings": answer(), "tried": json.loads(ALL_FIVES)}),
        f'{{"ratings": {json.dumps(answer())}, "ratings": {ALL_FIVES}}}',
        f'{json.dumps(answer())} not {{"hallucination": {{"score": 5}}}}',
    ],
)
def test_of_several_answers_that_differ_none_counts(text: str) -> None:
    read = read_judgement(text, TURNS)
    assert (read.ratings, read.raw) == ({}, text)
    assert ("ambiguous", "") in kinds(read)


def test_an_answer_that_is_given_twice_alike_counts() -> None:
    text = f"Draft: {json.dumps(answer())}\nFinal: {json.dumps(answer())}"
    read = read_judgement(text, TURNS)
    assert read.complete and not read.faults


def test_json_quoted_in_a_sound_rationale_is_no_answer() -> None:
    read = judgement_with(rationale=f"User2 wrote {ALL_FIVES} [3].")
    assert read.scores["hallucination"] == 2 and not read.faults


def test_json_quoted_unescaped_in_a_rationale_leaves_no_score() -> None:
    whole = json.dumps(answer(hallucination={"score": 2, "rationale": "QUOTED [3]", "turns": [3]}))
    read = read_judgement(whole.replace("QUOTED", 'It said {"score": 5, "rationale": "free"} to me'), TURNS)
    assert read.scores == {}
    assert [(fault.kind, fault.detail) for fault in read.faults] == [
        ("repaired", ""),
        ("ambiguous", "hallucination"),
    ]


@pytest.mark.parametrize(
    ("written", "named"),
    [
        ('"hallucination": {"score": 2, "rationale": "a [3]", "score": 5}', "score"),
        ('"hallucination": {"score": 5, "rationale": "a [3]", "Rationale": "b [3]"}', "rationale"),
        ('"hallucination": {"score": 2}, "hallucination": {"score": 5}', ""),
        ('"hallucination": {"score": 2}, "虚构": {"score": 5}', ""),
    ],
)
def test_what_is_written_twice_in_one_answer_does_not_count(written: str, named: str) -> None:
    text = "{" + written + ", " + json.dumps(answer(hallucination=None))[1:]
    read = read_judgement(text, TURNS)
    assert "hallucination" not in read.scores and len(read.scores) == 4
    assert Fault("twice", "hallucination", named) in read.faults


def test_dimensions_are_known_by_the_names_that_models_make_of_them() -> None:
    names = ["Hallucination", "Tool-Use Reasoning", "interaction quality", "冲突协调", "计划的人情味（计划）"]
    read = read_judgement(json.dumps(dict(zip(names, answer().values(), strict=True))), TURNS)
    assert read.complete and not read.faults


@pytest.mark.parametrize("text", ["", "It was fine.", "[1, 2]", "4", "{", "{one thing} and {another"])
def test_an_answer_without_an_object_rates_nothing(text: str) -> None:
    read = read_judgement(text, TURNS)
    assert read.scores == {} and read.raw == text
    assert {kind for kind, _ in kinds(read)} <= {"no_json", "missing", "repaired"} and read.faults


@pytest.mark.parametrize(
    ("score", "fault", "detail"),
    [
        (7, "out_of_range", "7"),
        (0, "out_of_range", "0"),
        (-1, "out_of_range", "-1"),
        (4.5, "wrong_type", "4.5"),
        ("7", "out_of_range", '"7"'),
        ("4.5", "wrong_type", '"4.5"'),
        ("4/10", "wrong_type", '"4/10"'),
        ("good", "wrong_type", '"good"'),
        (True, "wrong_type", "true"),
        (None, "wrong_type", "null"),
        ([4], "wrong_type", "[4]"),
        (float("nan"), "wrong_type", "NaN"),
        (..., "missing", "score"),
    ],
)
def test_a_score_that_is_none_is_named_and_not_replaced(score: Any, fault: Any, detail: str) -> None:
    read = judgement_with(score=score)
    assert read.faults == (Fault(fault, "hallucination", detail),)
    assert "hallucination" not in read.scores and len(read.scores) == 4
    assert not read.complete


@pytest.mark.parametrize("score", [4.0, "4", " 4 ", "4.0", "4/5", "4 / 5"])
def test_a_whole_number_may_be_written_in_other_ways(score: Any) -> None:
    assert judgement_with(score=score).scores["hallucination"] == 4


@pytest.mark.parametrize(("value", "fault"), [(None, "missing"), (4, "wrong_type"), ("good", "wrong_type")])
def test_a_dimension_that_is_none_is_named(value: Any, fault: str) -> None:
    read = read_judgement(json.dumps(answer(plan_humanization=value)), TURNS)
    assert kinds(read) == [(fault, "plan_humanization")] and not read.complete


@pytest.mark.parametrize(
    ("rationale", "turns", "cited", "unknown"),
    [
        ("See [3].", ..., (3,), ()),
        ("See [3, 5] and [8].", ..., (3, 5, 8), ()),
        ("见【3】和［5］。", ..., (3, 5), ()),
        ("See [12-14].", ..., (13, 14), (14,)),
        ("See [5–8].", ..., (5, 8), ()),
        ("See [4-9].", ..., (5, 8), ()),
        ("See [9-12].", ..., (9, 12), (9, 12)),
        ("See [20-30].", ..., (20, 30), (20, 30)),
        ("See [1-99999999].", ..., (1, 3, 5, 8, 13, 99999999), (1, 99999999)),
        ("See [8-3].", ..., (8, 3), ()),
        ("See [turn 3], [Turns 5 and 8].", ..., (3, 5, 8), ()),
        ("见 [回合 3]、[第5回合]、[8至13]。", ..., (3, 5, 8, 13), ()),
        ("See [5 to 8].", ..., (5, 8), ()),
        ("See [sic] and [day 3].", [5], (5,), ()),
        ("See it.", [3.0, "5", "[8]", "turn 13"], (3, 5, 8, 13), ()),
        ("See it.", ["5-13", 3.5, True], (5, 8, 13), ()),
        ("See turn 3.", [5], (5,), ()),
        ("See it.", ["[8]", "13"], (8, 13), ()),
        ("See [3].", [3, 99], (3, 99), (99,)),
        ("See [3].", 5, (3, 5), ()),
    ],
)
def test_citations_are_found_and_held_against_the_transcript(
    rationale: str, turns: Any, cited: tuple[int, ...], unknown: tuple[int, ...]
) -> None:
    read = judgement_with(rationale=rationale, turns=turns)
    rating = read.ratings["hallucination"]
    assert (rating.turns, rating.unknown, rating.score) == (cited, unknown, 2)
    assert kinds(read) == ([("unknown_turn", "hallucination")] if unknown else [])


def test_a_rating_without_evidence_counts_and_is_named() -> None:
    read = judgement_with(rationale="  ", turns=[])
    assert kinds(read) == [("no_rationale", "hallucination"), ("no_citation", "hallucination")]
    assert read.complete


def test_an_answer_that_reached_its_limit_says_so() -> None:
    assert read_judgement(json.dumps(answer())[:-40], TURNS, cut_off=True).faults[0].kind == "cut_off"


@pytest.mark.parametrize(
    ("text", "score", "faults"),
    [
        ('{"reasoning": "Well founded [3].", "score": 5}', 5, []),
        ('```json\n{"reasoning": "ok [3]", "score": 1}\n```', 1, []),
        ('{"reasoning": "ok", "score": 6}', None, ["out_of_range"]),
        ('{"reasoning": "ok"}', None, ["missing"]),
        ('{"Reasoning": "ok", "Score": "4/5"}', 4, []),
        ('{"score": 4}', None, ["no_rationale"]),
        ('{"reasoning": "ok", "score": 2, "score": 5}', None, ["twice"]),
        ('{"reasoning": "ok", "score": 2} or rather {"reasoning": "ok", "score": 5}', None, ["ambiguous"]),
        ('{"reasoning": "ok", "score": 5,}', 5, ["repaired"]),
        (
            '{"reasoning": "The "free" is fine [3]", "checks": {"ok": 1, "score": 2}, "score": 5}',
            None,
            ["repaired", "ambiguous"],
        ),
        ('{"reasoning": "see [99]", "score": 4}', 4, ["unknown_turn"]),
        ("five", None, ["no_json"]),
    ],
)
def test_a_meta_judge_is_read_as_strictly(text: str, score: int | None, faults: list[str]) -> None:
    read = read_calibration(text, TURNS)
    assert (read.score, [fault.kind for fault in read.faults], read.raw) == (score, faults, text)


@given(
    st.text() | JSON.map(json.dumps) | JSON.map(lambda value: json.dumps(dict.fromkeys(DIMENSIONS, value)))
)
def test_whatever_is_written_nothing_is_made_up(text: str) -> None:
    read = read_judgement(text, TURNS)
    assert all(1 <= score <= 5 for score in read.scores.values())
    assert read.complete or read.faults
    for rating in read.ratings.values():
        assert set(rating.unknown) == set(rating.turns) - TURNS
        json.dumps(rating.as_json()).encode()
        rating.rationale.encode()
    calibration = read_calibration(text, TURNS)
    assert calibration.score is not None or calibration.faults


def test_the_score_is_the_formula_of_the_paper() -> None:
    for ratings, meta in product(([1] * 5, [5] * 5, [1, 2, 3, 4, 5]), (1, 3, 5)):
        expected = 100 * sum((r - 1) / 4 for r in ratings) / 5 * meta / 5
        assert judge_score(dict(zip(DIMENSIONS, ratings, strict=True)), meta) == pytest.approx(expected)


def test_without_a_meta_judge_the_score_is_the_mean_alone() -> None:
    ratings = dict(zip(DIMENSIONS, (1, 2, 3, 4, 5), strict=True))
    assert judge_score(ratings, None) == judge_score(ratings, 5) == 50.0
    assert [points(rating, None) for rating in (1, 10 / 3, 5)] == [0.0, 58.33, 100.0]
