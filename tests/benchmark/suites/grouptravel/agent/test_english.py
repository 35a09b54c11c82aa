"""Reading English: how people say things, not how the scripted travellers do."""

from __future__ import annotations

import itertools
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark.core.actions import Say
from benchmark.suites.grouptravel.agent import ReferenceAgent
from benchmark.suites.grouptravel.agent.brief import read_brief
from benchmark.suites.grouptravel.agent.dialogue.asking import Asking
from benchmark.suites.grouptravel.agent.dialogue.questions import ask, topics_asked
from benchmark.suites.grouptravel.agent.dialogue.requests import (
    Request,
    counter_offer,
    put,
    put_raise,
    read_answer,
    read_request,
)
from benchmark.suites.grouptravel.agent.understanding.tongues import tongue
from benchmark.suites.grouptravel.agent.understanding.topics import Ground, Reading, Topic, all_topics
from benchmark.text.numerals.english import read_number
from tests.benchmark.suites.grouptravel.agent.group import entry, view

CITIES = ("杭州市", "苏州市")
CITY_GLOSSES = (("Hangzhou", "杭州市"), ("Suzhou", "苏州市"))
GROUND = Ground(CITIES, (), language="en", glosses=CITY_GLOSSES)


def read(message: str, *asked: Topic) -> Reading:
    return tongue("en").read(message, replace(GROUND, asked_topics=asked))


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("I really must see 灵隐寺 in Hangzhou.", {("sights", "杭州市", "must", "灵隐寺")}),
        (
            "We can't miss 拙政园 in Suzhou!",
            {("sights", "苏州市", "must", "拙政园")},
        ),
        ("There's no way I'm going to 杭州宋城.", {("sights", "杭州市", "reject", "杭州宋城")}),
        ("In Suzhou I can't go without Suzhou food (苏帮菜).", {("food", "苏州市", "must", "苏帮菜")}),
        ("In Hangzhou I couldn't live without hotpot.", {("food", "杭州市", "must", "火锅")}),
        (
            "In Suzhou I have to visit 拙政园, 留园 and 狮子林.",
            {("sights", "苏州市", "must", name) for name in ("拙政园", "留园", "狮子林")},
        ),
        (
            "Museums and gardens are what I like in Suzhou, but I'd rather skip temples.",
            {
                ("categories", "苏州市", "prefer", "博物馆"),
                ("categories", "苏州市", "prefer", "园林"),
                ("categories", "苏州市", "avoid", "寺庙"),
            },
        ),
        ("I'd prefer to take the bullet train.", {("transport", None, "prefer", "高铁")}),
        (
            "I refuse to fly; high-speed rail is fine, ideally high-speed rail both ways.",
            {("transport", None, "reject", "飞机"), ("transport", None, "prefer", "高铁")},
        ),
        (
            "I'd like to stay in a guesthouse, and please avoid five-star hotels.",
            {("hotels", None, "prefer", "民宿"), ("hotels", None, "avoid", "豪华型")},
        ),
        (
            "I'm allergic to seafood, but I love hotpot.",
            {("food", None, "reject", "海鲜"), ("food", None, "prefer", "火锅")},
        ),
        ("I must get to 拙政园, no matter what.", {("sights", None, "must", "拙政园")}),
        ("We have to visit 留园, no doubt, no excuses.", {("sights", None, "must", "留园")}),
        (
            "I must see West Lake in Hangzhou and the Humble Administrator's Garden in Suzhou.",
            {
                ("sights", "杭州市", "must", "West Lake"),
                ("sights", "苏州市", "must", "Humble Administrator's Garden"),
            },
        ),
    ],
)
def test_a_wish_is_read_with_its_tone_and_city(message, expected):
    found = {(one.subject, one.city, one.tier, one.item) for one in read(message).findings}
    assert found >= expected
    assert {item for *_, item in found} == {item for *_, item in expected}


@pytest.mark.parametrize(
    ("message", "caps"),
    [
        ("I can spend 2,500 yuan at the most.", {"avg_budget": 2500}),
        ("My budget is around 3k.", {"avg_budget": 3000}),
        ("Two thousand five hundred RMB is my limit.", {"avg_budget": 2500}),
        ("Not more than 6000 yuan in total for the two of us.", {"avg_budget": 3000}),
        ("The hotel should stay under 300 yuan a night.", {}),
        ("At most three sights a day, and eight hours a day.", {"max_poi_per_day": 3, "max_active_hours": 8}),
        (
            "3-4 places per day, nine and a half hours per day max.",
            {"max_poi_per_day": 4, "max_active_hours": 9.5},
        ),
        ("It takes 5 hours by train, doesn't it.", {}),
    ],
)
def test_caps_are_read_with_their_unit(message, caps):
    assert {cap.field: cap.value for cap in read(message).caps} == caps


def test_questions_state_nothing():
    assert read("Is 灵隐寺 open on Mondays? How much is the ticket for 拙政园?") == Reading()


@pytest.mark.parametrize(
    "message",
    ["I have no particular preference.", "Anything is fine with me.", "I don't mind.", "It's up to you."],
)
def test_what_is_left_open_is_noted(message):
    asked = (Topic("hotels"), Topic("food", "杭州市"))
    assert set(read(message, *asked).indifferent) == set(asked)


def test_only_the_topic_spoken_of_is_left_open():
    asked = (Topic("hotels"), Topic("food", "杭州市"))
    assert read("I'm not picky about food, and I'd like a homestay.", *asked).indifferent == (asked[1],)


@given(st.integers(1, 999_999), st.booleans())
def test_digits_are_read_with_and_without_commas(number, grouped):
    assert read_number(f"{number:,}" if grouped else str(number)) == number


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2.5k", 2500), ("twenty-five hundred", 2500), ("two thousand and fifty", 2050), ("eight and a half", 8.5),
        ("two and a half thousand", 2500), ("a thousand", 1000), ("a couple of thousand", 2000),
        ("three grand", 3000), ("train", None), ("", None),
    ],
)  # fmt: skip
def test_numbers_in_words(text, value):
    assert read_number(text) == value


@given(
    st.lists(
        st.sampled_from(["灵隐寺", "雷峰塔", "拙政园", "留园", "狮子林"]), min_size=1, max_size=5, unique=True
    )
)
def test_lists_are_taken_apart(names):
    *before, last = names
    listed = f"{', '.join(before)} and {last}" if before else last
    for message in (f"I must visit {listed}.", f"{listed} must be in the plan."):
        assert [one.item for one in read(message).findings] == names
        assert {one.tier for one in read(message).findings} == {"must"}


@given(st.text(max_size=80))
def test_any_text_is_survived(text):
    read(text, *all_topics(CITIES))


@pytest.mark.parametrize("turn", range(12))
def test_a_question_is_recognised_by_its_own_words(turn):
    topics = all_topics(CITIES)
    for start in range(0, len(topics), 2):
        asked = topics[start : start + 2]
        assert set(topics_asked(ask("User1", asked, Asking(turn, "en")), CITIES, "en")) == set(asked)


@pytest.mark.parametrize("turn", range(3))
@pytest.mark.parametrize(
    ("subject", "city"),
    [
        ("sights", "杭州市"),
        ("categories", "杭州市"),
        ("food", "苏州市"),
        ("transport", None),
        ("hotels", None),
    ],
)
def test_a_request_is_recognised_by_its_own_words(subject, city, turn):
    request = Request("User1", subject, city, "灵隐寺")
    for language in ("en", "zh"):
        said = put(request, ("User2", "User3"), Asking(turn, language))
        assert read_request(said, "User1", CITIES, language) == request


@pytest.mark.parametrize("turn", range(3))
@pytest.mark.parametrize(
    ("subject", "value", "cap"), [("budget", 2600, 2000), ("sights_a_day", 4, 3), ("hours_a_day", 9, 8)]
)
def test_a_request_to_raise_a_limit_is_recognised_too(subject, value, cap, turn):
    request = Request("User1", subject, None, "", value)
    for language, floor in itertools.product(("en", "zh"), (0, 2200) if subject == "budget" else (0,)):
        said = put_raise(request, cap, Asking(turn, language), floor)
        assert read_request(said, "User1", CITIES, language) == request


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("OK, I can live with that.", "agreed"),
        ("All right, I won't object any more.", "agreed"),
        ("Sure, I no longer insist on it.", "agreed"),
        ("Sorry, that's not possible for me.", "refused"),
        ("No, I absolutely won't go there.", "refused"),
        ("OK for once, but I still want the museum, sorry.", "refused"),
        ("Hmm.", "unclear"),
    ],
)
def test_answers_to_a_request(reply, answer):
    assert read_answer(reply, "en") == answer


def test_a_counter_offer_is_heard():
    assert counter_offer("I could go up to two thousand eight hundred.", "en") == 2800


@pytest.mark.parametrize(
    ("query", "cities", "days", "heads"),
    [
        ("Hangzhou (杭州市) and Suzhou (苏州市), 4 days and 3 nights, a trip for 5 people", CITIES, 4, 5),
        (
            "A three-day trip from Beijing to Hangzhou and Suzhou for four friends",
            ("Hangzhou", "Suzhou"),
            3,
            4,
        ),
        ("Visiting 杭州市, 苏州市 and 南京市 for 6 days, 2 adults", (*CITIES, "南京市"), 6, 2),
    ],
)
def test_the_request_itself_is_read(query, cities, days, heads):
    context = "Departure city: Shanghai (上海市); departure date: 2025-10-31"
    brief = read_brief(replace(view(), language="en", query=query, context=context))
    assert (brief.departure_city, brief.cities, brief.days, brief.start) == (
        "上海市",
        cities,
        days,
        date(2025, 10, 31),
    )
    assert brief.head_count == max(heads, 2)


def test_what_a_clause_says_is_eaten_is_food_whatever_the_clause_before_is_about():
    said = "良渚古城遗址公园 is a must for me, and I have to eat the noodles at 奎元馆."
    findings = tongue("en").read(said, Ground(("杭州市",), language="en")).findings
    subjects = {finding.item: finding.subject for finding in findings}
    assert (subjects["良渚古城遗址公园"], subjects["奎元馆"]) == ("sights", "food")


@pytest.mark.parametrize("start", ["And in", "But in", "Also, in", "In"])
def test_a_city_at_the_start_of_a_sentence_is_that_of_what_follows(start):
    ground = Ground(
        ("杭州市", "苏州市"), language="en", glosses=(("Hangzhou", "杭州市"), ("Suzhou", "苏州市"))
    )
    said = f"灵隐寺 is a must! {start} Hangzhou I absolutely refuse to eat hotpot (火锅)."
    cities = {finding.item: finding.city for finding in tongue("en").read(said, ground).findings}
    assert cities["火锅"] == "杭州市"


def test_opening_hours_in_chinese_are_told_in_english():
    """AMap tells hours in Chinese whatever the language of the talk."""
    hours = "04-01至10-31 周二至周日 09:00-21:30；11-01至03-31 周二、周四 09:00-17:00"
    row = {"id": "a1", "name": "世界之窗", "kind": "attraction", "city": "苏州市", "opening_hours": hours}
    found = entry("search_poi", {"keywords": "世界之窗", "city": "苏州市"}, {"pois": [row]})
    said = (("User1", "世界之窗 in Suzhou is a must for me."), ("User1", "@Agent When does 世界之窗 open?"))
    asked = replace(
        view(*said, tools=(found,), step=1),
        language="en",
        query="Suzhou (苏州市), 3 days and 2 nights, a trip for 2 people",
        context="Departure city: Beijing (北京市); departure date: 2025-10-31; group: friends (2 people)",
    )
    move = ReferenceAgent().act(asked)
    assert isinstance(move, Say)
    assert "October 31 Tue to Sun 09:00-21:30; November 1 to March 31 Tue, Thu 09:00-17:00" in move.content
