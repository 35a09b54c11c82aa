"""Words for every requirement, and what they are read as."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from benchmark.suites.tripbench.rubrics import RUBRICS, read_rubric
from benchmark.suites.tripbench.rubrics.base import Rubric
from benchmark.suites.tripbench.rubrics.candidates import Candidates
from benchmark.suites.tripbench.tasks.task import STYLES, Instruction, Task
from benchmark.suites.tripbench.users.words import say
from benchmark.suites.tripbench.wording import (
    constraint_words,
    read_requests,
    read_trip,
    request_words,
    vague_words,
)
from benchmark.suites.tripbench.wording.table import EXPRESSIONS, expression_of
from benchmark.suites.tripbench.wording.trips import trip_words
from sandbox.tools.language import Language
from tests.scale.tripworlds import FRAME, draw_world

LANGUAGES: list[Language] = ["en", "zh"]
CANDIDATES = Candidates(draw_world(1), FRAME)
NAMES = {place.id: place.name for place in CANDIDATES.attractions}
IDS = {name: id_ for id_, name in NAMES.items()}
CHATTER = {"en": ("Hello there! ", " Thanks, and at least 3 hugs."), "zh": ("你好呀！", "谢谢啦，抱抱3次。")}


@cache
def forms(key: str) -> list[Rubric]:
    """Requirements of a kind: one of each expression and comparison that is drawn, with a stricter one."""
    drawn = [RUBRICS[key].draw(Random(f"{key}/{n}"), CANDIDATES) for n in range(40)]
    firm = [*{_kind(rubric): rubric for rubric in drawn if rubric is not None}.values()]
    stricter = [rubric.tighten(Random(n), CANDIDATES) for n, rubric in enumerate(firm)]
    return [*firm, *(rubric for rubric in stricter if rubric is not None)]


def _kind(rubric: Rubric) -> tuple[str, str]:
    return expression_of(rubric).key, str(rubric.arguments.get("op"))


def task_of(*instructions: Instruction, language: Language) -> Task:
    """A task that comes to ask for these."""
    raw = {"id": "t", "tier": "mid", "subset": "mid", "language": language, "meta": FRAME, "names": NAMES}
    return Task.model_validate({**raw, "nodes": [{"instructions": instructions}]})


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", RUBRICS)
def test_what_is_said_is_read(key: str, language: Language) -> None:
    before, after = CHATTER[language]
    for rubric in forms(key):
        words = constraint_words(key, rubric.arguments, language, NAMES)
        assert "$" not in words and not any(id_ in words for id_ in NAMES)
        (reading,) = read_requests(before + words + after, language, IDS.get)
        assert (reading.act, reading.key, reading.rubric) == ("ask", key, rubric)


def test_there_are_over_a_hundred_expressions_and_each_is_drawn() -> None:
    drawn = {_kind(rubric) for key in RUBRICS for rubric in forms(key)}
    assert {key for key, _ in drawn} == {*EXPRESSIONS} and len(drawn) > 100


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_message_may_ask_for_everything_at_once(language: Language) -> None:
    chosen = [forms(key)[0] for key in RUBRICS]
    words = [constraint_words(rubric.key, rubric.arguments, language, NAMES) for rubric in chosen]
    readings = read_requests((" " if language == "en" else "").join(words), language, IDS.get)
    assert [reading.rubric for reading in readings] == chosen


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("style", STYLES)
def test_every_way_of_talking_is_understood(style: str, language: Language) -> None:
    rubric = forms("hotel.cost")[0]
    exact = say(language, "exact", words=constraint_words(rubric.key, rubric.arguments, language, NAMES))
    words = say(language, f"style_{style}", words=f"{trip_words(FRAME, language)} {exact} ")
    assert [reading.rubric for reading in read_requests(words, language, IDS.get)] == [rubric]
    assert read_trip(words, language) == FRAME


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", RUBRICS)
def test_changes_are_told_from_new_requests(key: str, language: Language) -> None:
    args = forms(key)[0].arguments
    first = Instruction(id="a", rubric=key, args=args)
    later = Instruction(id="b", behaviour="modify", rubric=key, args=args, drops=("a",))
    back = Instruction(id="c", behaviour="rollback", drops=("b",), restores=("a",))
    gone = Instruction(id="d", behaviour="delete", drops=("a",))
    task = task_of(first, later, back, gone, language=language)
    told = [request_words(one, task) for one in (first, later, back, gone)] + [vague_words(first, task)]
    readings = read_requests("".join(told), language, IDS.get)
    assert [reading.act for reading in readings] == ["ask", "modify", "rollback", "delete", "vague"]
    assert {reading.key for reading in readings} == {key}
    own = read_rubric(key, args)
    assert [reading.rubric for reading in readings] == [own, own, own, None, None]


@pytest.mark.parametrize("language", LANGUAGES)
def test_another_trip_is_told_with_what_ends_and_what_holds_again(language: Language) -> None:
    stars = Instruction(id="a", rubric="hotel.star", args={"min": 4})
    pets = Instruction(id="b", rubric="hotel.pet_friendly")
    away = Instruction(id="c", behaviour="delete", drops=("b",))
    turn = Instruction(id="d", behaviour="redirect", drops=("a",), restores=("b",), frame=FRAME)
    words = request_words(turn, task_of(stars, pets, away, turn, language=language))
    assert read_trip(words, language) == FRAME
    acts = [(one.act, one.key) for one in read_requests(words, language, IDS.get)]
    assert acts == [("rollback", "hotel.pet_friendly"), ("delete", "hotel.star")]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_trip_alone_is_read(language: Language) -> None:
    alone = FRAME.model_copy(update={"people": 1, "stays": (("Lakeside", 1), ("Eastmere", 3))})
    assert read_trip(f"Hello. {trip_words(alone, language)} OK?", language) == alone
    assert read_trip("No trip.", language) is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_place_that_nobody_knows_and_arguments_that_are_none_are_left_out(language: Language) -> None:
    words = constraint_words("attraction.include_attractions", {"ids": ["x"]}, language, {"x": "Nowhere"})
    assert read_requests(words, language, lambda name: None) == []
    assert constraint_words("hotel.star", {"min": "4"}, language, {}) == "hotel.star: min 4"
