"""What the chat as a whole has told: answers, compromises, places of unknown city."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from benchmark.core.view import AGENT, ToolEntry
from benchmark.suites.grouptravel.agent.brief import read_brief
from benchmark.suites.grouptravel.agent.dialogue.asking import Asking
from benchmark.suites.grouptravel.agent.dialogue.questions import ask
from benchmark.suites.grouptravel.agent.dialogue.requests import Request, put, put_raise
from benchmark.suites.grouptravel.agent.picture import read_chat
from benchmark.suites.grouptravel.agent.summary import planning_tables, tables
from benchmark.suites.grouptravel.agent.understanding.spellings import spellings
from benchmark.suites.grouptravel.agent.understanding.topics import Topic
from benchmark.suites.grouptravel.view import GroupView

from .group import entry, view

ACCEPT = put(Request("User1", "sights", "杭州市", "灵隐寺"), ("User2",), Asking(0, "zh"))
RAISE = put_raise(Request("User1", "budget", None, "", 3000), 2000, Asking(0, "zh"), 2600)


def table(seen: GroupView) -> dict[str, Any]:
    brief = read_brief(seen)
    return tables(read_chat(seen, brief), brief)["User1"]


def rejected_sights(reply: str) -> list[str]:
    seen = view(("User1", "杭州的灵隐寺我坚决不去。"), (AGENT, ACCEPT), ("User1", reply))
    held: list[str] = table(seen)["city_specific_preferences"]["杭州市"]["attractions"]["reject_visit"]
    return held


@pytest.mark.parametrize(
    "reply",
    [
        "好吧，那就听大家的",
        "行，我没意见",
        "可以，那我让一步",
        "OK，依你们",
        "没问题，就安排吧",
        "那我妥协一下好了",
    ],
)
def test_an_agreement_removes_what_was_given_up(reply: str) -> None:
    assert rejected_sights(reply) == []


@pytest.mark.parametrize(
    "reply",
    [
        "不行，这个没得商量",
        "抱歉，我还是不想去",
        "不可以，这是我的底线",
        "恕我不能接受",
        "我不同意",
        "这个真的很难接受",
    ],
)
def test_a_refusal_keeps_it(reply: str) -> None:
    assert rejected_sights(reply) == ["灵隐寺"]


@pytest.mark.parametrize(
    ("reply", "budget"), [("可以", 3000), ("行，最多加到2800", 2800), ("不行，就2000", 2000)]
)
def test_a_budget_is_raised_only_by_agreement(reply: str, budget: int) -> None:
    seen = view(("User1", "我人均不能超过2000元。"), (AGENT, RAISE), ("User1", reply))
    assert table(seen)["global_constraints"]["avg_budget"] == budget


def test_an_answer_is_read_in_the_light_of_its_question() -> None:
    question = ask("User1", (Topic("sights", "苏州市"), Topic("food", "苏州市")), Asking(0, "zh"))
    held = table(view((AGENT, question), ("User1", "留园必去，别的随意。")))["city_specific_preferences"][
        "苏州市"
    ]
    assert held["attractions"]["must_visit"] == ["留园"]


def test_a_message_that_answers_nothing_is_no_answer() -> None:
    question = ask("User2", (Topic("sights", "苏州市"),), Asking(0, "zh"))
    held = table(view((AGENT, question), ("User1", "留园必去。"), ("User2", "都行")))[
        "city_specific_preferences"
    ]
    assert [home for home, lists in held.items() if "留园" in lists["attractions"]["must_visit"]] == [
        "杭州市"
    ]


def test_tools_tell_the_city_of_a_place() -> None:
    place = {"name": "周庄古镇", "kind": "attraction", "city": "苏州市", "category": "古镇"}
    found = entry("search_poi", {"keywords": "周庄古镇", "city": "苏州市"}, {"pois": [place]})
    held = table(view(("User1", "周庄古镇我非去不可。"), tools=(found,)))["city_specific_preferences"]
    assert held["苏州市"]["attractions"]["must_visit"] == ["周庄古镇"]
    assert held["杭州市"]["attractions"]["must_visit"] == []


def test_the_later_word_holds() -> None:
    held = table(view(("User1", "杭州想吃火锅。"), ("User1", "等等，杭州的火锅我绝对不吃。")))
    food = held["city_specific_preferences"]["杭州市"]["food"]
    assert (food["prefer_eat"], food["reject_eat"]) == ([], ["火锅"])


def test_unstated_caps_are_left_out() -> None:
    held = table(view(("User1", "大家好")))["global_constraints"]
    assert "avg_budget" not in held
    assert held["intensity"] == {}


def test_names_are_kept_as_written() -> None:
    held = table(view(("User1", "杭州的「M1咖啡·工场（老店）」我必须去。")))["city_specific_preferences"][
        "杭州市"
    ]
    assert held["attractions"]["must_visit"] == ["M1咖啡·工场（老店）"]


@pytest.mark.parametrize(
    ("said", "eaten", "avoided", "visited"),
    [
        ("I never eat hot pot, and I must see the museum 良渚博物院.", ["火锅"], [], ["良渚博物院"]),
        ("我坚决不吃火锅，良渚博物院一定要去。", ["火锅"], [], ["良渚博物院"]),
        ("I want to see the sunset and have a nice walk.", [], [], []),
        ("想看看日落，再去个网红打卡地。", [], [], []),
        ("I'd like somewhere quiet where my kids can run around.", [], [], []),
    ],
)
@pytest.mark.parametrize("language", ["zh", "en"])
def test_words_of_either_language_are_read_at_any_table_and_a_phrase_is_no_place(
    language: str, said: str, eaten: list[str], avoided: list[str], visited: list[str]
) -> None:
    held = table(replace(view(("User1", said)), language=language))["city_specific_preferences"]["杭州市"]
    assert held["food"]["reject_eat"] == eaten and held["food"]["avoid_eat"] == avoided
    assert held["attractions"]["must_visit"] == visited
    assert held["attractions"]["reject_visit"] == []


SIGHTS = {"三潭印月": "三潭印月", "断桥": "断桥残雪", "宋城": "杭州宋城"}
"""Sights as travellers call them, with the name of the place that the tools hold."""


def look_up(text: str) -> ToolEntry:
    names = [name for called, name in SIGHTS.items() if called in text or text in name]
    pois = [{"id": name, "name": name, "kind": "attraction", "city": "杭州市"} for name in names]
    return entry("search_poi", {"keywords": text, "city": "杭州市"}, {"pois": pois})


def visits(said: str, *searched: str) -> list[str]:
    held = table(view(("User1", said), tools=tuple(map(look_up, searched)), cities="杭州市"))
    attractions = held["city_specific_preferences"]["杭州市"]["attractions"]
    return [*attractions["must_visit"], *attractions["reject_visit"]]


@pytest.mark.parametrize(
    ("said", "phrase"),
    [
        ("海上日出我一定要看。", "海上日出"),
        ("漫天的烟花非看不可。", "漫天的烟花"),
        ("人少的小山我想去走走。", "人少的小山"),
        ("吵闹的老巷我坚决不去。", "吵闹的老巷"),
        ("一定要去看看人间烟火。", "人间烟火"),
    ],
)
def test_a_phrase_that_was_looked_up_in_vain_is_no_place(said: str, phrase: str) -> None:
    texts = spellings(phrase, "杭州市")
    assert visits(said, *texts) == []


@pytest.mark.parametrize(
    "said", ["想看看日落，再去个网红打卡地。", "海上日出我一定要看。", "一定要去看看人间烟火。"]
)
def test_until_it_is_looked_up_a_phrase_is_no_place_and_it_is_looked_up(said: str) -> None:
    assert visits(said) == []
    picture = read_chat(seen := view(("User1", said), cities="杭州市"), read_brief(seen))
    assert picture.unsure and not any(picture.unsure.values())


@pytest.mark.parametrize("name", list(SIGHTS))
def test_a_name_that_a_tool_knows_is_a_place_and_stays_as_it_was_said(name: str) -> None:
    assert visits(f"{name}我一定要去。", name) == [name]


def test_a_name_that_was_looked_up_in_vain_is_told_with_the_plan() -> None:
    searched = view(("User1", "杭州的青云博物馆我一定要去。"), tools=(look_up("青云博物馆"),))
    picture = read_chat(searched, read_brief(searched))
    assert list(picture.unknown_names) == ["青云博物馆"]


def test_agreement_in_the_other_language_is_an_agreement() -> None:
    assert rejected_sights("Sure, that's fine with me.") == []
    assert rejected_sights("No, I can't accept that.") == ["灵隐寺"]


def limits(*said: tuple[str, str]) -> tuple[dict[str, Any], dict[str, Any]]:
    """What is believed of User1's limits of a day, and what the trip is planned by."""
    seen = view(*said)
    brief = read_brief(seen)
    picture = read_chat(seen, brief)
    believed, planned = tables(picture, brief), planning_tables(picture, brief)
    return (
        believed["User1"]["global_constraints"].get("intensity", {}),
        planned["User1"]["global_constraints"].get("intensity", {}),
    )


def test_a_trip_keeps_the_usual_limits_of_whoever_was_not_asked() -> None:
    believed, planned = limits(("User1", "杭州的灵隐寺我坚决不去。"))
    assert believed == {}
    assert planned == {"max_poi_per_day": 3, "max_active_hours": 8}
    believed, planned = limits(("User1", "每天活动别超过6个小时。"))
    assert believed == {"max_active_hours": 6}
    assert planned == {"max_poi_per_day": 3, "max_active_hours": 6}


def test_a_trip_keeps_no_limits_of_whoever_has_none() -> None:
    question = ask("User1", (Topic("intensity"),), Asking(0, "zh"))
    assert limits((AGENT, question), ("User1", "我没什么要求，都行。")) == ({}, {})
