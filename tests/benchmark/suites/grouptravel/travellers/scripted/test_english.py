"""The contract of appendices A.5 and D.8 in English: what is asked is answered, in its tone, and nothing else."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark.core.actions import Pass, Say
from benchmark.suites.grouptravel.travellers.scripted import ScriptedUser
from benchmark.suites.grouptravel.travellers.scripted.language import language
from benchmark.suites.grouptravel.travellers.scripted.names import find
from benchmark.suites.grouptravel.view import GroupView
from tests.benchmark.suites.grouptravel.travellers.scripted import cast
from tests.benchmark.suites.grouptravel.travellers.scripted.cast import ME
from tests.benchmark.suites.grouptravel.travellers.scripted.test_contract import (
    MARKER,
    check_answer,
    check_contract,
    tables,
)
from tests.benchmark.suites.grouptravel.travellers.scripted.test_contract import view as contract_view
from tests.properties import examples

ENGLISH = language("en")
QUERY = "Hangzhou (杭州市) and Suzhou (苏州市), 3 days and 2 nights, a trip for 3 people"
QUESTIONS = {
    "avg_budget": "What is the most you can spend per person?",
    "transport": "How would you like to travel there and back?",
    "intensity": "How many sights a day can you take, and how many hours a day?",
    "hotel_preference": "Do you have any preferences for the hotel?",
    "must_visit reject_visit": "Which sights must we visit, and which places do you refuse to go to?",
    "category_pref": "What kinds of sights do you enjoy?",
    "food": "What do you like to eat, and is there any food you avoid?",
}


def view(*said: Any, **changes: Any) -> GroupView:
    return replace(cast.view(*said, query=QUERY, **changes), language="en")


def reply(text: str, **changes: Any) -> str:
    action = ScriptedUser().act(view(f"@{ME} {text}", **changes))
    assert isinstance(action, Say)
    return action.content


@given(tables(), st.sampled_from(sorted(QUESTIONS.items())), st.integers(0, 10_000))
@settings(max_examples=examples(120))
def test_any_traveller_answers_exactly_what_is_asked(table, question, seed):
    seen = replace(contract_view(table, question[1], seed=seed), language="en")
    check_answer(table, question[0], check_contract(seen))


@given(st.text(max_size=60), st.integers(0, 99))
@settings(max_examples=examples(100))
def test_any_text_is_survived(text, seed):
    seen = replace(contract_view(cast.TABLE, text, seed=seed), language="en")
    assert check_contract(seen)


@pytest.mark.parametrize(
    ("tier", "words"),
    [
        (
            "must",
            "must|have to|has to|insist|cannot leave out|can't do without|not leaving without|nothing else",
        ),
        ("reject", "absolutely|refuse|never|under no circumstances|no way|won't|can't stand"),
        ("prefer", "like|ideally|prefer|possible|would be nice|enjoy|suit|fond of"),
        ("avoid", "rather|avoid|not (?:too|that|very) |maybe not|better without|don't"),
    ],
)
def test_every_tier_has_its_own_tone(tier, words):
    for topic in ("transport", "hotels", "sights", "categories", "food"):
        for wording in ENGLISH.speech[topic].get(tier, ()):
            assert re.search(words, wording, re.IGNORECASE), wording


def test_modes_and_hotels_are_said_both_ways():
    said = reply("How would you like to travel there?")
    assert "high-speed rail (高铁)" in said.lower() and "flying (飞机)" in said.lower()


@pytest.mark.parametrize(
    ("text", "path", "value"),
    [
        ("Could you accept flying instead of high-speed rail?", "global_constraints.transport.reject", []),
        (
            "Would you be willing to give up 拙政园?",
            "city_specific_preferences.苏州市.attractions.must_visit",
            [],
        ),
        ("Can you raise your budget to 3,000 yuan?", "global_constraints.avg_budget", 3000),
        ("Can you raise your budget to three thousand yuan?", "global_constraints.avg_budget", 3000),
        ("Could you live with luxury hotels?", "global_constraints.hotel_preference.avoid", []),
        ("Would you accept 4 sights a day?", "global_constraints.intensity.max_poi_per_day", 4),
        ("Would you mind having 川菜 once?", "city_specific_preferences.杭州市.food.reject_eat", []),
        (
            "Could you let go of 灵隐寺?",
            "city_specific_preferences.杭州市.attractions.must_visit",
            ["西湖风景名胜区"],
        ),
    ],
)
def test_a_request_to_yield_is_answered_with_the_whole_new_value(text, path, value):
    match = MARKER.search(reply(text))
    assert match and (match[1], json.loads(match[2])) == (path, value)
    assert not MARKER.search(reply(text, compromisable=False))
    assert not MARKER.search(reply(text, left=0))


@pytest.mark.parametrize(
    "text",
    [
        "Thanks, noted: you prefer 民宿.",
        "The ticket for 灵隐寺 is 75 yuan.",
        "What kinds of sights would you rather skip?",
        "Which hotels would you rather avoid?",
        "Your budget is 2500 yuan, is that right?",
        "User2 insists on 宋城, what does User2 like to eat?",
    ],
)
def test_no_marker_where_nothing_is_asked_for(text):
    assert not MARKER.search(reply(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I suggest that we all take a flight to Hangzhou.", "飞机"),
        ("The plan: on day 1 we visit 宋城 in the afternoon.", "宋城"),
        ("In Hangzhou we will skip 灵隐寺.", "灵隐寺"),
        ("In Hangzhou we will have 川菜 for dinner.", "川菜"),
    ],
)
def test_a_proposal_against_a_strong_wish_is_objected_to(text, expected):
    action = ScriptedUser().act(view(text, kind="polled"))
    assert isinstance(action, Say) and expected in action.content


@pytest.mark.parametrize(
    "text",
    [
        "User2 wants to fly, others prefer the train.",
        "We will avoid 宋城 and will not fly.",
        "@User2 Would you like to visit 宋城?",
        "Thank you all.",
    ],
)
def test_what_is_no_proposal_for_oneself_is_passed_over(text):
    calm = next(
        seed for seed in range(50) if ScriptedUser().act(view("Hi.", kind="polled", seed=seed)) == Pass()
    )
    said = ScriptedUser().act(view(text, kind="polled", seed=calm))
    assert said == Pass() or (isinstance(said, Say) and said.content.startswith("@Agent"))


def test_a_traveller_cannot_look_things_up_and_does_not_answer_for_others():
    assert "@Agent" in reply("Can you check the train times for us?")
    assert "ask them" in reply("What does User2 want to eat?")


@given(st.integers(0, 9999), st.booleans())
def test_numbers_are_read_as_people_write_them(number, grouped):
    written = f"{number:,}" if grouped else str(number)
    assert ENGLISH.value(written) == number
    assert ENGLISH.value(number_in_words(number)) == number
    assert ENGLISH.patterns["text.number"].fullmatch(number_in_words(number))


UNITS = [
    *(
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
    ),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
]
TENS = ["-", "-", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def number_in_words(number: int) -> str:
    if number < 20:
        return UNITS[number]
    if number < 100:
        return TENS[number // 10] + (f"-{UNITS[number % 10]}" if number % 10 else "")
    scale, name = (1000, "thousand") if number >= 1000 else (100, "hundred")
    rest = number % scale
    return f"{number_in_words(number // scale)} {name}" + (
        f" {'and ' if rest < 100 else ''}{number_in_words(rest)}" if rest else ""
    )


@pytest.mark.parametrize(
    ("text", "value"), [("2.5k", 2500), ("3 thousand", 3000), ("a thousand", 1000), ("x", None)]
)
def test_short_forms(text, value):
    assert ENGLISH.value(text) == value


def test_words_are_found_whole_in_any_case_and_in_the_plural():
    words = {"train": "火车", "inn": "客栈", "high-speed train": "高铁"}
    assert [m.name for m in find("Trains or High-Speed Trains, no inns for beginners in training", words)] == [
        "火车", "高铁", "客栈",
    ]  # fmt: skip
