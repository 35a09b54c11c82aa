"""What the model is told, by scenario."""

from __future__ import annotations

import json
from copy import deepcopy
from itertools import pairwise

import pytest

from benchmark.core.view import AGENT, Draft
from benchmark.models import ChatRequest
from benchmark.suites.grouptravel.travellers.llm.request import LONGEST_QUOTE, PROMPTS, request_of
from benchmark.suites.grouptravel.view import GroupView
from tests.benchmark.suites.grouptravel.travellers.llm.cast import (
    BUDGET_PLEA,
    BUDGET_QUESTION,
    ME,
    TABLE,
    view,
)

LANGUAGES = ("zh", "en")


def request_for(seen: GroupView) -> ChatRequest:
    assert seen.card is not None
    return request_of(seen, seen.card)


def contents(seen: GroupView) -> list[str]:
    return [str(message["content"]) for message in request_for(seen).messages]


def system(seen: GroupView) -> str:
    return contents(seen)[0]


def last(seen: GroupView) -> str:
    return contents(seen)[-1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_system_prompt_holds_the_rules_and_what_is_the_travellers_own(language: str) -> None:
    told = system(view(BUDGET_QUESTION, language=language))
    assert told.startswith(PROMPTS.fill(language, "rules"))  # type: ignore[arg-type]
    for own in (
        ME,
        "男友",
        "User2",
        "女友",
        "User3",
        "小女儿",
        AGENT,
        "杭州市，三天两夜",
        "2025-10-01",
        "上海市",
    ):
        assert own in told
    assert json.dumps(TABLE, ensure_ascii=False, indent=1) in told
    assert "$" not in told


def test_the_rules_come_first_and_are_the_same_for_everybody() -> None:
    assert "$" not in PROMPTS.fill("zh", "rules") + PROMPTS.fill("en", "rules")


def test_the_language_of_the_task_decides() -> None:
    assert "traveller" in system(view(BUDGET_QUESTION, language="en"))
    assert "旅行者" in system(view(BUDGET_QUESTION, language="zh"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_is_the_effective_one(language: str) -> None:
    changed = deepcopy(TABLE)
    changed["global_constraints"]["avg_budget"] = 3201
    told = system(view(BUDGET_QUESTION, language=language, effective=changed))
    assert "3201" in told
    assert "2500" not in told


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("compromisable", "left", "attitude"),
    [
        (True, 2, "attitude_yields"),
        (True, 1, "attitude_yields"),
        (True, 0, "attitude_spent"),
        (False, 2, "attitude_firm"),
        (False, 0, "attitude_firm"),
    ],
)
def test_the_attitude_follows_the_flag_and_the_quota(
    language: str, compromisable: bool, left: int, attitude: str
) -> None:
    told = system(view(BUDGET_PLEA, language=language, compromisable=compromisable, left=left))
    held = [
        name
        for name in ("attitude_yields", "attitude_spent", "attitude_firm")
        if PROMPTS.fill(language, name, left=left) in told  # type: ignore[arg-type]
    ]
    assert held == [attitude]


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_is_mentioned_and_who_is_polled_are_told_so(language: str) -> None:
    mentioned, polled = (PROMPTS.line(language, "turn", key) for key in ("mentioned", "polled"))  # type: ignore[arg-type]
    assert mentioned in last(view(BUDGET_QUESTION, language=language))
    assert polled not in last(view(BUDGET_QUESTION, language=language))
    assert polled in last(view("大家好。", language=language, kind="polled"))


@pytest.mark.parametrize(
    ("solicited", "compromisable", "left", "key"),
    [
        (True, True, 1, "solicited"),
        (False, True, 1, "unmarked"),
        (True, False, 1, "unmarked"),
        (True, True, 0, "unmarked"),
    ],
)
def test_a_marker_is_possible_only_when_asked_for_and_free_to_yield(
    solicited: bool, compromisable: bool, left: int, key: str
) -> None:
    told = last(view(BUDGET_PLEA, solicited=solicited, compromisable=compromisable, left=left))
    assert [name for name in ("solicited", "unmarked") if PROMPTS.line("zh", "turn", name) in told] == [key]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "problem", ["unsolicited", "unresolvable", "over_quota", "not_allowed", "unknown_field"]
)
def test_why_it_is_asked_again_is_told_with_the_refused_words(language: str, problem: str) -> None:
    told = last(view(BUDGET_PLEA, language=language, problem=problem, refused=["第一次", "行。\n[a.b : 1]"]))
    assert PROMPTS.line(language, "turn", problem) in told  # type: ignore[arg-type]
    assert "> 行。\n> [a.b : 1]" in told


def test_a_pass_at_a_mention_is_told() -> None:
    assert PROMPTS.line("zh", "turn", "passed") in last(view(BUDGET_QUESTION, problem="passed"))


def test_a_first_try_says_nothing_of_another() -> None:
    assert PROMPTS.line("zh", "turn", "again") not in last(view(BUDGET_QUESTION))


def test_every_draft_is_told_with_its_fault_and_long_ones_are_cut() -> None:
    drafts = (
        Draft(7, "@User2 好", "mentions_user", "只能 @Agent。"),
        Draft(8, "长" * 9000, "unfinished", "太长。"),
    )
    told = last(view(BUDGET_QUESTION, drafts=drafts))
    for part in ("> @User2 好", "只能 @Agent。", "太长。", PROMPTS.line("zh", "turn", "again")):
        assert part in told
    assert told.count("长") < LONGEST_QUOTE + 100


def test_own_messages_are_the_assistants_and_others_carry_their_speaker() -> None:
    seen = view("@User1 预算？", (ME, "2500元。"), ("User2", "我也是。"), "好的。", kind="polled")
    roles = [message["role"] for message in request_for(seen).messages]
    assert roles == ["system", "user", "assistant", "user", "assistant", "user"]
    assert contents(seen)[2] == "灵隐寺我一定要去。"
    assert contents(seen)[3] == "User2：我想坐飞机去。\n\nAgent：@User1 预算？"
    assert contents(seen)[5].startswith("User2：我也是。\n\nAgent：好的。\n\n【本轮】")


@pytest.mark.parametrize(
    "opening", [(), ((ME, "我先说。"),), (("User2", "我先说。"),), ((ME, "一"), (ME, "二"))]
)
@pytest.mark.parametrize("said", [(), (BUDGET_QUESTION,), ((ME, "好"),)])
def test_messages_alternate_and_begin_with_a_user(
    opening: tuple[tuple[str, str], ...], said: tuple[str, ...]
) -> None:
    roles = [message["role"] for message in request_for(view(*said, opening=opening)).messages]
    assert roles[:2] == ["system", "user"]
    assert roles[-1] == "user"
    assert all(first != second for first, second in pairwise(roles))


def test_the_next_request_begins_with_this_one_but_for_the_instruction() -> None:
    now = contents(view(BUDGET_QUESTION))
    then = contents(view(BUDGET_QUESTION, (ME, "2500元。"), "好的。", kind="polled"))
    assert then[: len(now) - 1] == now[:-1]
    assert now[-1].startswith(then[len(now) - 1])


def test_dollar_signs_and_braces_of_a_chat_are_left_alone() -> None:
    assert "Agent：$name {x} $$" in last(view("$name {x} $$"))


def test_the_request_has_no_tools_and_temperature_zero() -> None:
    request = request_for(view(BUDGET_QUESTION))
    assert (request.tools, request.temperature, request.json_object) == ((), 0.0, False)
