"""What a text would tell of the card although nobody asked."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark.core.view import AGENT
from benchmark.suites.grouptravel.travellers.people.disclosures import unasked_facts
from benchmark.suites.grouptravel.view import GroupTurn
from tests.benchmark.suites.grouptravel.travellers.people.people import english, odd_tables
from tests.benchmark.suites.grouptravel.travellers.scripted.cast import ME, TABLE, view
from tests.properties import examples


def test_an_answer_to_what_is_asked_tells_nothing_unasked() -> None:
    assert unasked_facts(view(f"@{ME} 您的预算是多少？"), "我最多2500元。") == ()
    assert unasked_facts(view(f"@{ME} 您对交通有什么要求？"), "必须高铁，飞机不坐。") == ()
    assert unasked_facts(view("大家的预算是多少？"), "我最多2500元。") == ()


def test_what_is_not_asked_is_named_in_the_tables_order() -> None:
    assert unasked_facts(
        view(f"@{ME} 您的预算是多少？"), "不吃川菜，最多2500元，一天3个景点，要坐高铁。"
    ) == (
        "高铁",
        "3",
        "川菜",
    )


def test_a_question_to_somebody_else_asks_this_person_nothing() -> None:
    assert unasked_facts(view("@User2 您的预算是多少？"), "我最多2500元。") == ("2500",)


def test_a_question_about_one_city_does_not_ask_for_another() -> None:
    assert unasked_facts(view(f"@{ME} 苏州有哪些必去的景点？"), "拙政园和西湖风景名胜区。") == (
        "西湖风景名胜区",
    )


def test_what_anybody_has_named_before_is_no_secret() -> None:
    assert (
        unasked_facts(view(("User2", "我想吃川菜。"), f"@{ME} 您的预算是多少？"), "灵隐寺要去，川菜不吃。")
        == ()
    )


def test_anothers_equal_figure_does_not_tell_ones_own() -> None:
    said = "我最多2500元。"
    assert unasked_facts(view(("User2", said), f"@{ME} 您对交通有什么要求？"), said) == ("2500",)
    assert unasked_facts(view((ME, said), f"@{ME} 您对交通有什么要求？"), said) == ()


def test_objecting_to_a_proposal_tells_no_more_than_the_wish_that_it_breaks() -> None:
    assert unasked_facts(view("我们决定坐飞机去。"), "必须坐高铁，不坐飞机，想吃火锅。") == ("火锅",)
    assert unasked_facts(view("建议每天逛5个景点。"), "一天最多3个景点。") == ()


def test_objecting_to_a_plan_is_no_disclosure() -> None:
    plan = {"days": [{"day": 1, "city_segments": [{"city": "杭州市", "activities": []}]}]}
    assert unasked_facts(view(json.dumps(plan)), "西湖风景名胜区没有，火锅也没有。") == ("火锅",)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("您能接受川菜吗？", "川菜可以。"),
        ("预算有没有调整空间？", "我本来最多2500元。"),
        ("景点上您能让步吗？", "西湖风景名胜区可以不去。"),
        ("您的预算是3000元，对吗？", "不，2500元。"),
    ],
)
def test_answering_a_compromise_request_or_a_check_is_no_disclosure(text: str, answer: str) -> None:
    assert unasked_facts(view(f"@{ME} {text}"), answer) == ()


def test_what_a_text_does_not_name_is_not_told() -> None:
    assert unasked_facts(view(f"@{ME} 您的预算是多少？"), "我都可以，听大家的。") == ()
    assert unasked_facts(view(f"@{ME} 您的预算是多少？"), "") == ()


def test_english_words_for_a_name_tell_it() -> None:
    seen = english(f"@{ME} What is your budget?")
    assert unasked_facts(seen, "At most 2500 yuan, and I want a homestay.") == ("民宿",)


def test_the_turn_does_not_matter() -> None:
    seen = view(f"@{ME} 您的预算是多少？")
    before = replace(seen, turn=GroupTurn("polled"))
    assert unasked_facts(before, "川菜，2500元") == unasked_facts(seen, "川菜，2500元") == ("川菜",)


def test_without_a_card_there_is_nothing_to_tell() -> None:
    assert unasked_facts(replace(view("好的。"), card=None), "川菜") == ()


@given(odd_tables(), st.text(max_size=20), st.booleans())
@settings(max_examples=examples(100), deadline=None)
def test_an_odd_table_and_any_text_are_survived(own: Any, text: str, asked: bool) -> None:
    names = " ".join(str(own).split()[:20])
    for said in (text, names):
        assert isinstance(
            unasked_facts(view((AGENT, text if asked else "您的预算？"), wishes=own), said), tuple
        )


def test_all_of_a_card_is_told_by_naming_all_of_it() -> None:
    everything = "2500元 高铁 自驾 火车 飞机 3个景点 8小时 民宿 舒适型 豪华型 灵隐寺 宋城 川菜 拙政园"
    told = unasked_facts(view("好的。", wishes=TABLE), everything)
    assert set(told) == set(
        everything.replace("元", "").replace("个景点", "").replace("小时", "").split()
    ) - {
        "灵隐寺",
        "飞机",
    }
