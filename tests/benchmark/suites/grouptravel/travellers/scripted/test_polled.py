"""Scenarios B and C: what makes a traveller speak unasked; in all other turns it passes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from benchmark.core.actions import Pass, Say
from benchmark.suites.grouptravel.travellers.scripted import ScriptedUser
from benchmark.suites.grouptravel.travellers.scripted.language import language
from tests.benchmark.suites.grouptravel.travellers.scripted.cast import EMPTY, ME, TABLE, view

SILENT = 15
"""The round limit: no facts are asked this late, so that only objections are heard."""


def polled_reply(*messages: tuple[str, str] | str, **options: Any) -> str:
    """What User1 says when polled after `messages`; "" for a pass."""
    action = ScriptedUser().act(view(*messages, kind="polled", **{"round_": SILENT, **options}))
    assert isinstance(action, Say | Pass)
    return action.content if isinstance(action, Say) else ""


@pytest.mark.parametrize(
    ("proposal", "defended"),
    [
        ("建议大家统一坐飞机前往杭州。", ["高铁", "飞机"]),
        ("综合考虑，我们改乘火车前往。", ["高铁"]),
        ("推荐自驾往返杭州和苏州。", ["高铁"]),
        ("初步方案：第一天上午游览宋城。", ["宋城"]),
        ("初步方案如下：\n1. 交通：飞机\n2. 第一天：灵隐寺→宋城", ["飞机", "宋城"]),
        ("第二天中午在杭州品尝川菜。", ["川菜"]),
        ("预计每人花费2,600元。", ["2500"]),
        ("人均预算大约3200元。", ["2500"]),
        ("每天安排4个景点，游玩约9小时。", ["3", "8"]),
        ("每天安排3-4个景点。", ["3"]),
        ("折中方案：去程高铁、返程飞机，大家看如何？", ["飞机"]),
        ("那么灵隐寺就不去了。", ["灵隐寺"]),
        ("那就坐飞机，住民宿。", ["飞机"]),
        ("人均总花费约2600元。", ["2500"]),
        ("@User2 建议大家改坐飞机，您看可以吗？", ["飞机"]),
    ],
)
def test_a_proposal_against_a_strong_wish_is_objected_to(proposal, defended):
    words = polled_reply(proposal)
    assert all(word in words for word in defended), words
    assert words.startswith(tuple(language("zh").speech["object"]["lead"]))


@pytest.mark.parametrize(
    "text",
    [
        "User2想坐飞机。我们先记录。",
        "大家下午好，我先查一下飞机票。",
        "飞机最快，但User1不接受，所以改为高铁。",
        "User2提到想坐飞机、去宋城，我会再协调。",
        "User10：我要去宋城。",
        "目前汇总：\n- User2：飞机\n- User1：高铁",
        "大家的需求如下：\n1. User2：飞机\n2. 宋城",
        "我们不安排飞机，统一坐高铁。",
        "第二天中午在杭州不安排川菜。",
        "您要求坐高铁、不坐飞机，我们按此安排。",
        "@User2 您能接受坐飞机吗？",
        "如果坐飞机，票价更高。",
        "我查到从上海到杭州飞机约500元，高铁约73元。",
        "目前的冲突点：1）交通：User1必须高铁，User2想坐飞机；2）景点：User2想去宋城，User1不去。我倾向于坐高铁。",
        "我建议分组：User1去灵隐寺，User2去宋城。",
        "大家想坐飞机还是高铁？",
        "预算控制在人均2500元以内。",
        "每天不超过3个景点。",
        "我们从火车站出发，打车去酒店。",
        "行程建议：从酒店开车前往景区。",
        "D1：抵达杭州，游览灵隐寺。",
        "安排User2和User10去宋城。",
        "苏州的午餐安排川菜。",
        "住宿建议选豪华型。",
    ],
)
def test_nothing_else_is_objected_to(text):
    assert polled_reply(text) == ""


def test_an_objection_names_only_the_violated_wish():
    words = polled_reply("第二天中午在杭州品尝川菜。")
    assert not any(word in words for word in ("杭帮菜", "火锅", "西式快餐", "灵隐寺", "高铁"))


@pytest.mark.parametrize("seed", range(10))
def test_a_wish_is_defended_once(seed):
    proposal = "建议大家统一坐飞机前往杭州。"
    first = polled_reply(proposal, seed=seed)
    assert first and polled_reply(proposal, (ME, first), "再说一遍，" + proposal, seed=seed) == ""


def test_only_what_came_after_the_own_last_message_counts():
    assert polled_reply("建议统一坐飞机。", (ME, "嗯。")) == ""


def test_what_was_given_up_is_not_defended():
    wishes = {**TABLE, "global_constraints": TABLE["global_constraints"] | {"transport": {}}}
    assert polled_reply("建议大家统一坐飞机前往杭州。", wishes=wishes) == ""


def test_a_mentioned_traveller_objects_too_before_answering():
    action = ScriptedUser().act(view(f"我们统一坐飞机去。@{ME} 您的住宿要求是？"))
    assert isinstance(action, Say)
    assert "飞机" in action.content and "民宿" in action.content


def questions_asked(seed: int) -> list[str]:
    """What one traveller asks over a long chat in which the agent says nothing of interest."""
    chat: list[tuple[str, str]] = []
    questions = []
    for _ in range(30):
        chat.append(("Agent", "好的，继续。"))
        words = polled_reply(*chat, seed=seed, round_=3)
        if words:
            chat.append((ME, words))
            questions.append(words)
    return questions


@pytest.mark.parametrize("seed", range(8))
def test_facts_are_asked_of_the_agent_twice_at_most_and_never_again(seed):
    questions = questions_asked(seed)
    assert 1 <= len(questions) <= 2
    assert len(set(questions)) == len(questions)
    for words in questions:
        assert words.count("@") == words.count("@Agent") == 1 and "？" in words
        assert "灵隐寺" in words or "杭州" in words
        assert not any(word in words for word in ("推荐", "建议", "哪个好", "怎么安排"))


def test_only_what_was_stated_is_asked_about():
    told = (ME, "好的。")
    for seed in range(20):
        words = polled_reply(told, "好的，继续。", seed=seed, round_=3)
        assert not any(word in words for word in ("西湖", "拙政园", "高铁", "民宿", "苏州"))


def test_a_question_waits_for_the_answer_to_the_last_one():
    for seed in range(20):
        assert (
            polled_reply((ME, "@Agent 灵隐寺的门票多少钱？"), ("User2", "好的。"), seed=seed, round_=3) == ""
        )


def test_nobody_without_wishes_speaks_unasked():
    assert polled_reply("建议统一坐飞机，每天10个景点，人均9000元。", wishes=EMPTY, round_=3) == ""


def test_without_a_card_there_is_nothing_to_say():
    assert ScriptedUser().act(replace(view("@User1 您的预算？"), card=None)) == Pass()
