"""What is still said of a reply that was never mended."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark.suites.grouptravel.conversation.markers import find_marker
from benchmark.suites.grouptravel.travellers.llm.contract import faults
from benchmark.suites.grouptravel.travellers.llm.trimming import trim
from tests.benchmark.suites.grouptravel.travellers.llm.cast import bounds

BUDGET = "[global_constraints.avg_budget : 3200]"


@pytest.mark.parametrize(
    ("reply", "changes", "kept"),
    [
        ("我都可以。[pass]", {}, "我都可以。"),
        ("@User2 你先说。", {}, "User2 你先说。"),
        ("＠女友 你先说。", {}, "女友 你先说。"),
        ("@User 2 你先说。", {}, "User 2 你先说。"),
        ("User2：她说的我不同意", {}, "User2，她说的我不同意"),
        ("**User 2**: I do not agree.", {}, "User 2, I do not agree."),
        ("我想住[民宿:便宜的]", {}, "我想住（民宿:便宜的）"),
        ("早上出发可以[9: 00]", {"solicited": False}, "早上出发可以（9: 00）"),
        ("西湖可以去[注: 周一]", {"left": 0}, "西湖可以去（注: 周一）"),
        ("@Agent 门票多少？@Agent 几点开？", {}, "@Agent 门票多少？Agent 几点开？"),
        ("<think>他问预算</think>我最多2500元。", {}, "我最多2500元。"),
        ("<think>没我的事</think>[pass]", {}, "[pass]"),
        ("User1：我最多2500元。", {}, "我最多2500元。"),
        ("User1: User1: " * 2000 + "我最多2500元。", {}, "我最多2500元。"),
        (f"User1: @User2 行。[pass]\n{BUDGET}", {}, f"User2 行。\n{BUDGET}"),
    ],
)
def test_the_offending_part_is_cut(reply: str, changes: dict[str, Any], kept: str) -> None:
    assert trim(reply, bounds(**changes)) == kept


NONE, OPEN, BARE = (f"[global_constraints.transport.must : {value}]" for value in ("[]", '["高铁"', "飞机"))


@pytest.mark.parametrize(
    ("reply", "kept"),
    [
        (f"行\n{OPEN}", f"行\n{OPEN}"),
        (f"行\n{BARE}", f"行\n{BARE}"),
        (f"行，听你的。\n{BUDGET} 谢谢", f"行，听你的。 谢谢\n{BUDGET}"),
        (f"行 {BUDGET} [微笑]", f"行\n{BUDGET}"),
        (f"行\n`{BUDGET}`", f"行\n{BUDGET}"),
        (f"行\n```json\n{BUDGET}\n```", f"行\n{BUDGET}"),
        (f"行\n```\n{BUDGET}", f"行\n{BUDGET}"),
        (f"行，没问题。\n{BUDGET}。", f"行，没问题。\n{BUDGET}"),
        (f"行{BUDGET}，谢谢。", f"行，谢谢。\n{BUDGET}"),
        (f"行。\n{BUDGET}\n{NONE}", f"行。\n{NONE}"),
        (f"行。\n{BUDGET} {NONE}", f"行。\n{NONE}"),
        (f"{BUDGET}\nUser1：行。", f"行。\n{BUDGET}"),
        (f"行\n{BUDGET}[pass]", f"行\n{BUDGET}"),
    ],
)
def test_an_agreement_keeps_its_marker_and_ends_with_it(reply: str, kept: str) -> None:
    assert trim(reply, bounds()) == kept
    found = find_marker(kept)
    assert found is not None and found.text == kept.rpartition("\n")[0]


@pytest.mark.parametrize(
    ("reply", "changes"),
    [
        ("行。\n[global_constraints.avg_budget：3200]", {}),
        ("行。\n【global_constraints.avg_budget : 3200】", {}),
        ("行。\n[global_constraints.avg_budget : 3200", {}),
        ("行。\n[预算 : 3200]", {}),
        (f"[pass]\n{BUDGET}", {}),
        (f"<think>行</think>[pass]\n{BUDGET}。", {}),
        (f"行，听你的。\n{BUDGET}", {"left": 0}),
        (f"行，听你的。\n{BUDGET}", {"compromisable": False}),
        (f"行，听你的。\n{BUDGET}", {"solicited": False}),
    ],
)
def test_no_agreement_is_said_without_a_marker(reply: str, changes: dict[str, Any]) -> None:
    assert trim(reply, bounds(**changes)) == ""


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "pass.",
        "[PASS]",
        "[pass]。",
        "**[pass]**",
        BUDGET,
        "我的 avg_budget 是2500。",
        "<think>他问预算",
        "我最多2500元。</think>",
        "好的。\nUser2：我也是。",
        "User2：好的。\nUser10：我也是。",
        "我是一个AI助手。",
        "@User2 我的 avg_budget 是2500。",
    ],
)
def test_where_cutting_would_change_what_is_said_nothing_is_left(reply: str) -> None:
    assert trim(reply, bounds()) == ""


PIECES = st.sampled_from(
    [
        "好的。",
        "@User2 ",
        "@Agent ",
        "[pass]",
        BUDGET,
        "\n",
        "User1：",
        "User2: ",
        "`",
        "[注: 一]",
        "[global_constraints.transport.must : 飞机]",
        "<think>",
        "</think>",
        "must_eat",
        "[",
    ]
)


@given(st.lists(PIECES, max_size=8), st.booleans())
def test_what_is_kept_keeps_the_contract(pieces: list[str], may: bool) -> None:
    bound = bounds(solicited=may)
    kept = trim("".join(pieces), bound)
    left = {fault.name for fault in faults(kept, bound)} if kept else set()
    assert left <= {"marker_format", "marker_value"}
    assert not left or (may and find_marker(kept) is not None)
    assert not kept or trim(kept, bound) == kept
