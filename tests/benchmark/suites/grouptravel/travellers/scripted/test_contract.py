"""What holds for every table and every message: the prohibitions of appendix A.5."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark.core.actions import Pass, Say
from benchmark.core.view import Message
from benchmark.suites.grouptravel.preferences import FIELDS, table_of
from benchmark.suites.grouptravel.travellers import scripted
from benchmark.suites.grouptravel.travellers.scripted import ScriptedUser
from benchmark.suites.grouptravel.view import Card, GroupTurn, GroupView, Traveller
from tests.benchmark.suites.grouptravel.travellers.scripted.cast import CALM, ME, TABLE
from tests.properties import examples

FIELD_NAMES = {key for field in FIELDS for key in field.keys} - {"must", "prefer", "avoid", "reject", "food"}
MARKER = re.compile(r"\n\[([^\n]+?) : ([^\n]+)\]$")
QUESTIONS = {
    "avg_budget": "请问您的人均预算上限是多少？",
    "transport": "请问您对往返的交通方式有什么要求？",
    "intensity": "请问您每天最多逛几个景点、玩几个小时？",
    "hotel_preference": "请问您对住宿有什么要求？",
    "must_visit reject_visit": "请问您有哪些必去的景点，哪些景点绝对不去？",
    "category_pref": "请问您喜欢什么类型的景点？",
    "food": "请问您对吃的有什么要求，有忌口吗？",
}
PHRASES = "".join(file.read_text("utf-8") for file in sorted(Path(scripted.__file__).parent.rglob("*.toml")))
"""The travellers' own phrases: a place called as a part of one would be heard whoever is asked."""
NAMES = st.text(st.characters(min_codepoint=0x4E00, max_codepoint=0x9FA5), min_size=3, max_size=6).filter(
    lambda name: name not in PHRASES
)
MODES = st.lists(st.sampled_from(["飞机", "火车", "高铁", "自驾"]), max_size=2, unique=True)
LISTS = st.lists(NAMES, max_size=3, unique=True)


def value(field: Any) -> st.SearchStrategy[Any]:
    if field.kind == "scalar":
        return st.integers(0, 9000)
    return MODES if field.topic == "transport" else LISTS


@st.composite
def tables(draw: st.DrawFn) -> dict[str, Any]:
    cities = ("杭州市", "阿坝藏族羌族自治州")
    return table_of(cities, lambda field, _city: draw(value(field)))


def leaves(node: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every non-empty field as (keys, value)."""
    if isinstance(node, dict):
        for key, child in node.items():
            yield from leaves(child, (*path, key))
    elif node:
        yield path, node


def view(
    table: dict[str, Any], text: str, *, seed: int = 0, solicited: bool = True, kind: str = "mentioned"
) -> GroupView:
    cities = "、".join(table["city_specific_preferences"])
    return GroupView(
        me=ME, language="zh", seed=seed, query=f"{cities}，三天两夜，2人的旅行计划", time="2025-10-01", context="",
        travellers=(Traveller(ME, "女友"), Traveller("User2", "男友")), companions=(), max_turn=15,
        convergence_interval=3, round=2, messages=(Message(1, "Agent", f"@{ME} {text}"),),
        turn=GroupTurn(kind, solicited=solicited),  # type: ignore[arg-type]
        card=Card("女友", table, table, True, 2),
    )  # fmt: skip


def reply_to(seen: GroupView) -> str:
    action = ScriptedUser().act(seen)
    assert isinstance(action, Say | Pass)
    return action.content if isinstance(action, Say) else ""


def check_contract(seen: GroupView) -> str:
    said = reply_to(seen)
    assert said == reply_to(seen)
    words = MARKER.sub("", said)
    assert not any(name in words for name in FIELD_NAMES)
    assert "[" not in words and "[pass]" not in said
    assert re.findall(r"@\w+", said.replace("@Agent", "", 1)) == []
    check_marker(said, seen)
    return said


def check_marker(said: str, seen: GroupView) -> None:
    """A marker stands only where it is solicited, parses, and names a filled field of the table."""
    match = MARKER.search(said)
    if match is None:
        return
    assert seen.turn.solicited and seen.card is not None
    paths = {".".join(path): content for path, content in leaves(seen.card.effective)}
    assert match[1] in paths
    new = json.loads(match[2])
    assert type(new) in ((list,) if isinstance(paths[match[1]], list) else (int, float))
    assert new != paths[match[1]]


def check_answer(table: dict[str, Any], fields: str, said: str) -> None:
    """Everything asked is said verbatim, nothing else is."""
    asked, silent = [], []
    for path, content in leaves(table):
        wanted = any(name in path for name in fields.split())
        for item in content if isinstance(content, list) else [f"{content:g}"]:
            (asked if wanted else silent).append(item)
    assert all(item in said for item in asked)
    rest = said
    for item in sorted([*asked, *table["city_specific_preferences"]], key=len, reverse=True):
        rest = rest.replace(item, "")
    assert not [item for item in silent if not item.isdigit() and item in rest]


@pytest.fixture(scope="session")
def real_tables(reference: Path) -> list[dict[str, Any]]:
    lines = (reference / "grouptravelbench" / "tasks_sample.jsonl").read_text(encoding="utf-8").splitlines()
    return [user["preference"] for line in lines for user in json.loads(line)["user_preferences"].values()]


@pytest.mark.reference
@pytest.mark.parametrize(("fields", "question"), QUESTIONS.items())
def test_real_travellers_answer_exactly_what_is_asked(real_tables, fields, question):
    for seed, table in enumerate(real_tables):
        check_answer(table, fields, check_contract(view(table, question, seed=seed)))


@pytest.mark.reference
@pytest.mark.parametrize("tail", ["能放弃吗？", "您能接受吗？", "可以不安排吗？"])
def test_real_travellers_yield_every_item_they_are_asked_to(real_tables, tail):
    """Each item that is wanted is given up on request, each that is shunned is accepted."""
    wanted = {"must", "prefer", "must_visit", "positive", "must_eat", "prefer_eat"}
    gives_up = tail != "您能接受吗？"
    for table in real_tables:
        for path, content in leaves(table):
            if isinstance(content, list) and (path[-1] in wanted) is gives_up:
                seen = view(table, f"关于{content[0]}，{tail}", seed=CALM)
                assert MARKER.search(check_contract(seen)), (path, content)


@pytest.mark.reference
def test_what_a_real_traveller_never_wanted_costs_nothing(real_tables):
    for table in real_tables:
        assert not MARKER.search(reply_to(view(table, "您能放弃月亮博物馆吗？")))


@given(tables(), st.sampled_from(sorted(QUESTIONS.items())), st.integers(0, 10_000))
@settings(max_examples=examples(150))
def test_any_traveller_answers_exactly_what_is_asked(table, question, seed):
    check_answer(table, question[0], check_contract(view(table, question[1], seed=seed)))


PIECES = [
    *("您能接受", "能否放弃", "改坐", "换成", "不", "安排", "妥协", "提高到", "想去", "什么", "您"),
    *("飞机", "高铁", "火车", "灵隐寺", "西湖", "川菜", "民宿", "豪华型", "杭州"),
    *("预算", "3000元", "每天", "4个景点", "吗？", "对吗？", "好的。", "，", "\n", "User2", "@User2 "),
]


@given(
    st.lists(st.sampled_from(PIECES), max_size=14).map("".join),
    st.integers(0, 500),
    st.booleans(),
    st.sampled_from(["mentioned", "polled"]),
)
@settings(max_examples=examples(300))
def test_no_message_makes_a_traveller_break_the_contract(text, seed, solicited, kind):
    said = check_contract(
        view(TABLE, text, seed=seed, solicited=solicited and kind == "mentioned", kind=kind)
    )
    assert said or kind == "polled"


@given(st.text(max_size=60))
@settings(max_examples=examples(150))
def test_any_text_is_survived(text):
    seen = view(TABLE, text)
    assert reply_to(seen)
    reply_to(replace(seen, turn=GroupTurn("polled")))


JUNK = st.recursive(
    st.none() | st.integers() | st.text(max_size=3),
    lambda node: st.lists(node) | st.dictionaries(st.text(max_size=3), node),
)


@given(JUNK)
@settings(max_examples=examples(100))
def test_a_misshapen_table_reads_as_no_wish(junk):
    for table in ({"global_constraints": junk, "city_specific_preferences": {}}, junk):
        seen = replace(view(TABLE, "请问您的人均预算上限是多少？"), card=Card("女友", {}, table, True, 2))  # type: ignore[arg-type]
        assert reply_to(seen)


def test_an_unknown_language_falls_back_to_chinese():
    assert "2500元" in reply_to(replace(view(TABLE, "请问您的人均预算上限是多少？"), language="fr"))
