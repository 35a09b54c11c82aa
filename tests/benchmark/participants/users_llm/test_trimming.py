"""What is still said of a reply that was never mended."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark.participants.users.llm.contract import faults
from benchmark.participants.users.llm.trimming import trimmed
from tests.benchmark.participants.users_llm.cast import bounds

BUDGET = "[global_constraints.avg_budget : 3200]"


@pytest.mark.parametrize(
    ("reply", "changes", "kept"),
    [
        (f"行，听你的。\n{BUDGET}", {"left": 0}, "行，听你的。"),
        (f"行，听你的。\n{BUDGET} 谢谢", {}, "行，听你的。 谢谢"),
        (f"行。\n{BUDGET}\n[global_constraints.transport.must : []]", {}, "行。"),
        ("行。\n[global_constraints.avg_budget：3200]", {}, "行。"),
        ("行。\n[global_constraints.avg_budget : 3200", {}, "行。"),
        ("我都可以。[pass]", {}, "我都可以。"),
        ("@User2 你先说。", {}, "User2 你先说。"),
        ("＠ 女友 你先说。", {}, "女友 你先说。"),
        ("@Agent 门票多少？@Agent 几点开？", {}, "@Agent 门票多少？Agent 几点开？"),
        ("<think>他问预算</think>我最多2500元。", {}, "我最多2500元。"),
        ("<think>没我的事</think>[pass]", {}, "[pass]"),
        ("User1：我最多2500元。", {}, "我最多2500元。"),
        (f"User1: @User2 行。[pass]\n{BUDGET}", {}, f"User2 行。\n{BUDGET}"),
    ],
)
def test_the_offending_part_is_cut(reply: str, changes: dict[str, Any], kept: str) -> None:
    assert trimmed(reply, bounds(**changes)) == kept


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "[PASS]",
        "[pass]。",
        "**[pass]**",
        BUDGET,
        "我的 avg_budget 是2500。",
        "<think>他问预算",
        "我最多2500元。</think>",
        "好的。\nUser2：我也是。",
        "我是一个AI助手。",
        "@User2 我的 avg_budget 是2500。",
    ],
)
def test_where_cutting_would_change_what_is_said_nothing_is_left(reply: str) -> None:
    assert trimmed(reply, bounds()) == ""


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
        "<think>",
        "</think>",
        "must_eat",
        "[",
    ]
)


@given(st.lists(PIECES, max_size=8), st.booleans())
def test_what_is_kept_keeps_the_contract(pieces: list[str], may: bool) -> None:
    bound = bounds(solicited=may)
    kept = trimmed("".join(pieces), bound)
    assert not kept or faults(kept, bound) == []
