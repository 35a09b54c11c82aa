"""One turn of a traveller that speaks through a model."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from benchmark.core.actions import Pass, Redo, Say
from benchmark.models import ModelFailure, Reply
from benchmark.suites.grouptravel.travellers.llm import LlmUser
from tests.benchmark.agents.cast import ScriptedModel
from tests.benchmark.suites.grouptravel.travellers.llm.cast import (
    BUDGET_PLEA,
    BUDGET_QUESTION,
    take_turn,
    view,
)

MARKED_REPLY = "行。\n[global_constraints.avg_budget : 3200]"
BAD = "我的 avg_budget 是2500。"


def test_words_that_keep_the_contract_are_said_as_written_but_for_blanks_around() -> None:
    [action], model = take_turn(["  我个人最多花2500元。\n"])
    assert action == Say("我个人最多花2500元。")
    assert len(model.requests) == 1


def test_a_lone_pass_is_a_pass_even_in_a_fence() -> None:
    assert take_turn(["```\n[pass]\n```"])[0] == [Pass()]


def test_what_a_thinking_model_wrote_before_is_kept_apart() -> None:
    assert take_turn([Reply("好的。", reasoning="嗯")])[0] == [Say("好的。", thought="嗯")]
    assert take_turn([Reply("[pass]", reasoning="嗯")])[0] == [Pass(thought="嗯")]
    assert take_turn([Reply(BAD, reasoning="嗯"), "好的。"])[0][0].thought == "嗯"


def test_a_marker_that_was_asked_for_is_handed_to_the_engine() -> None:
    assert take_turn([MARKED_REPLY], BUDGET_PLEA)[0] == [Say(MARKED_REPLY)]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_breaking_reply_is_withdrawn_with_its_fault_and_asked_for_again(language: str) -> None:
    actions, model = take_turn([BAD, "我个人最多花2500元。"], language=language)
    first, second = actions
    assert isinstance(first, Redo)
    assert (first.content, first.why) == (BAD, "field_name")
    assert "avg_budget" in first.note
    assert second == Say("我个人最多花2500元。")
    told = str(model.requests[1].messages[-1]["content"])
    assert BAD in told
    assert first.note in told


def test_three_regenerations_are_the_most_and_then_the_words_are_trimmed_in_sight() -> None:
    actions, model = take_turn(["@User2 一", "@User2 二", "@User2 三", "@User2 四", "never asked"])
    assert [action.why for action in actions if isinstance(action, Redo)] == ["mentions_user"] * 4 + [
        "trimmed"
    ]
    assert actions[-1] == Say("User2 四")
    assert len(model.requests) == 4


def test_the_newest_draft_that_can_be_trimmed_is_said() -> None:
    actions, _ = take_turn(["@User2 一", "我都可以。[pass]", BAD, BAD])
    assert actions[-1] == Say("我都可以。")


def test_where_no_draft_can_be_trimmed_it_passes_in_sight() -> None:
    actions, model = take_turn([BAD] * 4)
    whys = [action.why for action in actions if isinstance(action, Redo)]
    assert whys == ["field_name"] * 4 + ["given_up"]
    assert actions[-1] == Pass()
    assert len(model.requests) == 4


@pytest.mark.parametrize(
    ("changes", "why"),
    [({"compromisable": False}, "marker_not_allowed"), ({"left": 0}, "marker_over_quota")],
)
def test_an_agreement_of_one_who_may_not_yield_is_never_said(changes: dict[str, Any], why: str) -> None:
    actions, _ = take_turn([MARKED_REPLY] * 4, BUDGET_PLEA, **changes)
    assert [action.why for action in actions if isinstance(action, Redo)] == [why] * 4 + ["given_up"]
    assert actions[-1] == Pass()


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ("行。\n[global_constraints.avg_budget : 3200元]", "行。\n[global_constraints.avg_budget : 3200元]"),
        (f"{MARKED_REPLY}。", MARKED_REPLY),
        ("行。\n`[global_constraints.avg_budget : 3200]`", MARKED_REPLY),
    ],
)
def test_an_agreement_that_stays_out_of_shape_goes_to_the_engine_with_its_marker(
    reply: str, said: str
) -> None:
    actions, model = take_turn([reply] * 4, BUDGET_PLEA)
    assert actions[-1] == Say(said)
    assert len(model.requests) == 4


def test_consent_without_a_marker_is_asked_for_again_once_as_a_person_is_asked() -> None:
    actions, model = take_turn(["好吧，那就放宽到3200元。", "好吧，听大家的。"], BUDGET_PLEA)
    first, second = actions
    assert isinstance(first, Redo) and first.why == "agrees_unmarked"
    assert "[global_constraints.avg_budget : 3200]" in str(model.requests[1].messages[-1]["content"])
    assert second == Say("好吧，听大家的。")
    assert take_turn(["不行，2500元是我的上限。"], BUDGET_PLEA)[0] == [Say("不行，2500元是我的上限。")]


def test_a_reply_that_broke_off_is_never_said() -> None:
    actions, _ = take_turn([Reply("我个人最多", finish_reason="length")] * 4)
    assert [action.why for action in actions if isinstance(action, Redo)] == ["unfinished"] * 4 + ["given_up"]


def test_an_empty_reply_is_a_fault() -> None:
    assert take_turn(["", "好的。"])[0][0] == Redo("", why="empty", note=take_turn(["", "好的。"])[0][0].note)


def test_a_pass_at_a_mention_is_left_to_the_engine() -> None:
    assert take_turn(["[pass]"], BUDGET_QUESTION)[0] == [Pass()]


def test_without_a_card_nothing_is_asked_or_said() -> None:
    model = ScriptedModel([])
    assert LlmUser(model).act(replace(view(BUDGET_QUESTION), card=None)) == Pass()


def test_a_failure_of_the_model_passes_through() -> None:
    def fail(_: object) -> str:
        raise ModelFailure("rate_limit", "slow down")

    with pytest.raises(ModelFailure, match="slow down"):
        LlmUser(ScriptedModel(fail)).act(view(BUDGET_QUESTION))


def test_the_same_view_asks_the_same_thing() -> None:
    model = ScriptedModel(["好的。", "好的。"])
    assert LlmUser(model).act(view(BUDGET_QUESTION)) == LlmUser(model).act(view(BUDGET_QUESTION))
    assert model.requests[0] == model.requests[1]
