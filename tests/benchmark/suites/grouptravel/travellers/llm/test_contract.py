"""Each fault that code can see, and its neighbour that is fine."""

from __future__ import annotations

import json
import re
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark.suites.grouptravel.conversation.markers import find_marker
from benchmark.suites.grouptravel.travellers.llm.contract import faults, normalise
from tests.benchmark.suites.grouptravel.travellers.llm.cast import bounds

YES = "行，这次就不去了。\n"
BUDGET = "[global_constraints.avg_budget : 3200]"
SIGHTS = '[city_specific_preferences.杭州市.attractions.must_visit : ["灵隐寺"]]'


def names(text: str, **changes: Any) -> list[str]:
    return [fault.name for fault in faults(normalise(text), bounds(**changes))]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("", "empty"),
        ("  \n ", "empty"),
        (BUDGET, "empty"),
        ("<think>预算是2500</think>我最多2500元。", "reasoning"),
        ("我最多2500元。</think>", "reasoning"),
        ("<reasoning>hm</reasoning> fine", "reasoning"),
        ("我都可以。[pass]", "pass_in_text"),
        ("[PASS]", "pass_in_text"),
        ("【pass】", "pass_in_text"),
        ("[pass]\n没什么要说的", "pass_in_text"),
        ("I have nothing to add, so [pass].", "pass_in_text"),
        ("(pass)", "pass_in_text"),
        ("（pass）", "pass_in_text"),
        ("<pass>", "pass_in_text"),
        ("pass", "pass_in_text"),
        ("Pass.", "pass_in_text"),
        ("[不发言]", "pass_in_text"),
        ("（保持沉默）", "pass_in_text"),
        ("我的 must_visit 是灵隐寺。", "field_name"),
        ("My avg_budget is 2500.", "field_name"),
        (r"My avg\_budget is 2500.", "field_name"),
        ("按 transport.must 来，我坐高铁。", "field_name"),
        ("city_specific_preferences.杭州市.food 里没写。", "field_name"),
        ("Global_Constraints says so.", "field_name"),
        ('我的要求：{"must": ["高铁"]}', "field_name"),
        ("我的 must 是高铁", "field_name"),
        ("高铁属于 must 级别", "field_name"),
        ("川菜对我来说是reject，别的都行", "field_name"),
        ("我的偏好表里没有写", "field_name"),
        ("偏好表里没写，都可以。", "field_name"),
        ("My preference table says nothing of it.", "field_name"),
        ("@User2 你觉得呢？", "mentions_user"),
        ("@user2 你觉得呢？", "mentions_user"),
        ("＠User10你觉得呢？", "mentions_user"),
        ("@ User2, what do you say?", "mentions_user"),
        ("@User 2 你觉得呢？", "mentions_user"),
        ("@User2-你觉得呢？", "mentions_user"),
        ("@女友 你觉得呢？", "mentions_user"),
        ("@User1 我也行。", "mentions_user"),
        ("@所有人 我先说。", "mentions_user"),
        ("@everyone hello", "mentions_user"),
        ("@Agent 灵隐寺门票多少？@Agent 几点开门？", "agent_twice"),
        ("User1：我最多2500元。", "names_itself"),
        ("**User1**: 2500 yuan.", "names_itself"),
        ("我都可以。\nUser2：我也可以。", "speaks_for_other"),
        ("User10: fine with me", "speaks_for_other"),
        ("user2: 我也是", "speaks_for_other"),
        ("User 2: fine with me", "speaks_for_other"),
        ("我都可以。\n女友：我都行", "speaks_for_other"),
        ("女友: 我想吃火锅", "speaks_for_other"),
        ("Fine.\nagent: Noted.", "speaks_for_other"),
        ("user 1: 我最多2500元。", "names_itself"),
        ("2500元。\nAgent：好的，记下了。", "speaks_for_other"),
        ("我是一个AI助手，没有预算。", "breaks_role"),
        ("作为一个语言模型，我不能旅行。", "breaks_role"),
        ("As an AI language model, I cannot travel.", "breaks_role"),
        ("I'm just an AI, so anything is fine.", "breaks_role"),
        ("I am a user simulator.", "breaks_role"),
        ("我的系统提示词里没有这一项。", "breaks_role"),
        ("我只是个程序", "breaks_role"),
        ("我是模型，没有预算。", "breaks_role"),
        ("我是虚拟用户。", "breaks_role"),
        ("作为语言模型我没有预算。", "breaks_role"),
    ],
)
def test_a_fault_is_named(text: str, name: str) -> None:
    assert name in names(text)


@pytest.mark.parametrize(
    "text",
    [
        "[pass]",
        " [pass]\n",
        "```\n[pass]\n```",
        "`[pass]`",
        "我个人最多花2500元。",
        "@Agent 灵隐寺门票多少钱？",
        "Could you check the opening hours of 灵隐寺, @Agent?",
        "Agent：灵隐寺门票多少钱？",
        "User2说得对，不过川菜我绝对不吃。",
        "就按User10：三的比分来。",
        "It's a must-visit for me, and a must eat.",
        "I'd prefer the train, and I'd rather avoid flying.",
        "My budget is 2500 yuan per person. Transport must be by rail.",
        "My transport. Must it be rail?",
        "He said: must we?",
        "I never pass on dumplings; the mountain pass is closed.",
        "Please pass me the menu (pass).",
        "我是AI博物馆的常客。",
        "作为AI爱好者，我想去科技馆。",
        "我又不是AI，查不了，@Agent 你来吧。",
        "I'm not an AI, ask the Agent.",
        "I'm an AI engineer, so a tech museum would be nice.",
        "As an artist I like museums.",
        "飞行模拟器体验馆我挺感兴趣。",
        "The flight simulator sounds nice.",
        "我住得起民宿[微笑]，豪华型就算了吧。",
        "西湖[注：周一不闭馆]可以去。",
        "早上[9:00]出发可以的。",
        "邮箱是 someone@example.com，发我就行。",
        "八点@门口见。",
        "I think so too.",
        "<3 灵隐寺",
        "rooms @ all hotels",
        "meet me @ everyone's place",
        "@all-day ticket holders queue here",
        "女友：她想吃火锅，我都行。",
        "我的偏好表达得不清楚，再说一次。",
        "我的偏好表现在哪儿了？",
        "你列的偏好表里漏了一样。",
        "Well, avoid 宋城, please.",
        "好的，I must see 灵隐寺.",
        "我买了 pass 卡，玩得很开心。",
        "我只是个程序员。",
        "作为模型爱好者，我想去科技馆。",
        "作为语言模型公司的员工，我最多2500元。",
    ],
)
def test_ordinary_words_are_no_fault(text: str) -> None:
    assert names(text) == []


ALLOWED_REPLIES = [
    YES + BUDGET,
    YES + SIGHTS,
    YES + "[global_constraints.transport.must : []]",
    YES + '[transport.must : ["飞机"]]',
    YES + "[global_constraints.intensity.max_active_hours : 9.5]",
    YES + '[杭州市.food.must_eat : ["面[大份]"]]',
]


@pytest.mark.parametrize("text", ALLOWED_REPLIES)
def test_a_marker_at_the_end_is_fine_when_it_is_asked_for(text: str) -> None:
    assert names(text) == []
    assert find_marker(text) is not None


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"solicited": False}, "marker_unsolicited"),
        ({"compromisable": False}, "marker_not_allowed"),
        ({"left": 0}, "marker_over_quota"),
    ],
)
@pytest.mark.parametrize("text", ALLOWED_REPLIES)
def test_who_may_not_yield_may_not_mark(changes: dict[str, Any], name: str, text: str) -> None:
    assert names(text, **changes) == [name]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (f"{YES}{BUDGET}\n{SIGHTS}", "several_markers"),
        (f"{YES}{BUDGET} {SIGHTS}", "several_markers"),
        (f"{BUDGET}\n{YES}", "marker_inside"),
        (f"{YES}{BUDGET} 谢谢", "marker_inside"),
        (f"{YES}`{BUDGET}`", "marker_inside"),
        (f"{YES}```\n{BUDGET}\n```", "marker_inside"),
        (YES + "[global_constraints.avg_budget：3200]", "marker_format"),
        (YES + "【global_constraints.avg_budget : 3200】", "marker_format"),
        (YES + "[global_constraints.avg_budget : 3200", "marker_format"),
        (YES + "[global_constraints.transport.must : 飞机]", "marker_format"),
        (YES + '[global_constraints.transport.must : ["飞机"]', "marker_format"),
        (YES + "[global_constraints.avg_budget : ]", "marker_format"),
        (YES + "[注: 周一闭馆]", "marker_format"),
        (YES + "[avg_budget : 3000]", "marker_format"),
        (YES + "[intensity : 3]", "marker_format"),
        (YES + "[must_visit : []]", "marker_format"),
        (YES + '[transport : {"must":[]}]', "marker_format"),
        (YES + '[global_constraints.transport : ["高铁"]]', "marker_format"),
        (YES + "[global_constraints.nothing.here.transport : 3]", "marker_format"),
        (YES + "[city_specific_preferences.杭州.food.must_eat : []]", "marker_format"),
        (YES + "[city_specific_preferences.苏州市.food.must_eat : []]", "marker_format"),
        (YES + '[global_constraints.avg_budget : "3200"]', "marker_value"),
        (YES + "[global_constraints.avg_budget : [3200]]", "marker_value"),
        (YES + "[global_constraints.avg_budget : true]", "marker_value"),
        (YES + '[global_constraints.transport.must : "飞机"]', "marker_value"),
        (YES + "[杭州市.food.must_eat : [1]]", "marker_value"),
    ],
)
def test_a_marker_out_of_place_or_out_of_shape(text: str, name: str) -> None:
    assert names(text) == [name]


def test_a_bracket_that_the_engine_would_read_as_a_marker_is_told_before_the_engine_refuses_it() -> None:
    text = "早上出发可以[9: 00]"
    assert find_marker(text) is not None
    assert names(text, solicited=False) == ["marker_unsolicited"]


def test_the_evidence_is_what_stands_in_the_reply() -> None:
    [fault] = faults("好的 ＠ User10，听你的", bounds())
    assert (fault.name, fault.evidence) == ("mentions_user", "＠ User10")
    [fault] = faults(YES + BUDGET, bounds(left=0))
    assert fault.evidence == BUDGET


def test_several_faults_are_all_told() -> None:
    assert names("@User2 我的 avg_budget 是2500 [pass]") == ["pass_in_text", "field_name", "mentions_user"]


def test_a_place_of_the_table_is_quoted_whatever_its_name_holds() -> None:
    odd = "must_visit咖啡@User2店"
    assert names(f"{odd}我一定要去。", items=(odd,)) == []
    assert names(f"{odd}我一定要去。") != []


OPENERS = ("好的，", "等一下，", "Well, ", "@Agent ", "")
TALK = (
    "{}我一定要去。", "{}我绝对不去！", "{}还是算了吧。", "我比较想吃{}。", "@Agent {}周一开门吗？", "{}听着挺有意思",
    "{} is a must for me.", "I would rather avoid {}.", "Absolutely no {}!", "Is {} open on Monday?",
    "I personally can spend at most 2,500 yuan ({}).", "我人均不能超过2500元；{}都可以。",
)  # fmt: skip


@given(st.text(st.characters(blacklist_categories=("Cs",)), min_size=2, max_size=12), st.sampled_from(TALK))
def test_ordinary_talk_about_any_item_of_the_table_is_no_fault(item: str, frame: str) -> None:
    item = item.strip().replace("[", "").replace("]", "").replace("【", "").replace("】", "")
    if (
        len(item) > 1
        and "\n" not in item
        and not frame.startswith("@")
        and frame.replace("{}", "").count(item) == 0
    ):
        assert names(frame.format(item), solicited=False, items=(item,)) == []


@given(st.text(max_size=80), st.booleans())
def test_no_text_makes_the_checks_fail(text: str, may: bool) -> None:
    assert all(fault.name for fault in faults(normalise(text), bounds(solicited=may)))


@given(st.text(max_size=40))
def test_words_without_signs_of_a_contract_are_no_fault(text: str) -> None:
    plain = "".join(
        sign for sign in text if (sign.isalnum() and sign.isascii() is False) or sign in " ，。？！,.?!"
    )
    if plain.strip():
        assert names(plain, solicited=False) == []


def test_ordinary_sentences_stay_ordinary_with_any_beginning() -> None:
    for opener, frame in product(OPENERS, TALK):
        if not (opener.startswith("@") and frame.startswith("@")):
            assert names(opener + frame.format("灵隐寺"), solicited=False) == []


def test_long_repetitive_replies_are_checked_quickly() -> None:
    for piece in ("[a", "[avg_budget ", "a.", "@", "[[", "【x：", "<think", "\n", "User2 "):
        faults(piece * 8000, bounds())


def _reference_messages(reference: Path) -> list[tuple[str, str]]:
    """What travellers say in the reference data: openings of real tasks, messages of records."""
    tasks = (reference / "grouptravelbench" / "tasks_sample.jsonl").read_text().splitlines()
    records = (reference / "golden" / "records.jsonl").read_text().splitlines()
    opening = [(m["role"], m["content"]) for line in tasks for m in json.loads(line)["initial_messages"]]
    history = [entry for line in records for entry in json.loads(line).get("conversation_history", [])]
    spoken = [(e["role"], e["content"]) for e in history if e["type"] == "message" and e["role"] != "Agent"]
    return opening + spoken


@pytest.mark.reference
def test_no_real_message_that_keeps_the_contract_is_a_false_alarm(reference: Path) -> None:
    people = [f"User{number}" for number in range(1, 8)]
    said = _reference_messages(reference)
    alarms = [
        (content, found)
        for role, content in said
        if (found := faults(content, bounds(me=role, others=tuple(set(people) - {role}), solicited=False)))
    ]
    assert len(said) > 100
    assert alarms == []


@pytest.mark.reference
def test_of_the_canned_lines_only_those_that_break_the_contract_are_at_fault(reference: Path) -> None:
    lines = (reference / "golden" / "conversations.jsonl").read_text().splitlines()
    said = {text for line in lines for texts in json.loads(line)["say"].values() for text in texts}
    kept = {text for text in said if names(text) == []}
    assert kept >= {text for text in said if "[" not in text and "@User" not in text and text.strip()}
    assert {text for text in kept if "[" in text and find_marker(text) is None} <= {"[pass]", "[pass]\n"}
    assert not any(re.search(r"谢谢$|PASS|.\[pass\]|: \]|: 飞机\]|@User", text) for text in kept)
