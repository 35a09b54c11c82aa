"""Sessions of TRIP-Bench: what its user says when, how long they last, and how each turn is scored."""

from __future__ import annotations

import json
from typing import Any

import pytest

from benchmark.core.engine import Conversation
from benchmark.core.events import DraftWithdrawn, SessionFinished, TurnGranted, may_see
from benchmark.core.view import AGENT
from benchmark.suites.tripbench.conversation.record import run_record
from benchmark.suites.tripbench.conversation.state import SessionState
from benchmark.suites.tripbench.events import InstructionsIssued, PlanChecked, UserBriefed
from benchmark.suites.tripbench.modes import NO_ISSUE, SINGLE_TURN
from benchmark.suites.tripbench.plan_view import SCHEMA, view_plan
from benchmark.suites.tripbench.plans.parameters import Parameters
from benchmark.suites.tripbench.scoring.sessions import PUBLISHED, score_session
from benchmark.suites.tripbench.scoring.turns import TurnJudge, judge_turn
from benchmark.suites.tripbench.suite import SUITE
from benchmark.suites.tripbench.tasks.task import SPECIALS, USER
from tests.benchmark.suites.tripbench.talks import (
    EMPTY_SCHEDULE,
    GOOD,
    LUXURY,
    PLACES,
    STARS,
    Speaker,
    request,
    setting_of,
    talk,
    task_of,
)
from tests.scale.tripbench import sound_plan

CHANGE = {"behaviour": "modify", "rubric": "hotel.star", "args": {"min": 5}, "drops": ["a"]}
IMPOSSIBLE = {
    "id": "f",
    "rubric": "hotel.star",
    "args": {"min": 6},
    "fallback": {"id": "f-back", "behaviour": "rollback", "drops": ["f"]},
}


def said_ids(conversation: Conversation[SessionState]) -> list[tuple[str, ...]]:
    return [event.body.ids for event in conversation.events if isinstance(event.body, InstructionsIssued)]


def ending(conversation: Conversation[SessionState]) -> SessionFinished:
    assert conversation.state.final_event is not None
    return conversation.state.final_event


def briefs(conversation: Conversation[SessionState]) -> list[UserBriefed]:
    return [event.body for event in conversation.events if isinstance(event.body, UserBriefed)]


# What is said in which turn.


def test_a_node_follows_the_other_and_the_session_ends_when_all_is_said() -> None:
    task = task_of([{"id": "a", **STARS}], [{"id": "b", **CHANGE}])
    conversation, setting = talk(task, GOOD, GOOD, GOOD, mode=NO_ISSUE)
    assert said_ids(conversation) == [("a",), ("b",)]
    assert ending(conversation).reason == "all_said" and ending(conversation).plan_generated
    figures = score_session(conversation.events, setting)[PUBLISHED].as_json()
    assert (figures["f_feas"], figures["f_sound"], figures["f_user"]) == (0, 0, 1)
    assert (figures["strict"], figures["loose"]) == (0, 1)
    assert (figures["strict_per_turn"], figures["loose_per_turn"], figures["agent_turns"]) == (0.5, 1, 2)


def test_the_first_message_says_a_whole_node_and_later_ones_a_few_instructions() -> None:
    many = [{"id": f"n{n}", **STARS} for n in range(7)]
    task = task_of(many[:4], many[4:], tier="mid", subset="mid")
    conversation, _ = talk(task, GOOD, mode=NO_ISSUE)
    assert [len([id_ for id_ in ids if id_ not in SPECIALS]) for ids in said_ids(conversation)] == [4, 3]


def test_nobody_but_the_user_is_told_what_may_be_said_and_nothing_of_later_nodes() -> None:
    task = task_of([{"id": "a", **STARS}], [{"id": "later", **LUXURY}])
    conversation, _ = talk(task, GOOD)
    hidden = [event for event in conversation.events if "later" in event.body.model_dump_json()]
    assert hidden and not any(may_see(AGENT, event.audience) for event in hidden)
    first_answer = next(event.seq for event in conversation.events if event.actor == AGENT)
    assert not any(may_see(USER, event.audience) for event in hidden if event.seq < first_answer)


def test_the_agent_may_ask_no_check_and_knows_nothing_of_the_task() -> None:
    setting = setting_of(task_of([]), {})
    for seat in (AGENT, USER):
        context = SUITE.play.seat_context(setting, seat)
        assert context.check is None and context.task is None


def test_a_fault_is_told_to_the_user_alone_and_reported_in_the_next_turn() -> None:
    plan = sound_plan()
    plan["trip_plan"]["daily_schedule"][1]["activities"][1]["time"] = "05:00-05:20"
    conversation, setting = talk(task_of([]), f"```\n{json.dumps(plan)}\n```", GOOD, seed=2)
    checked = [event for event in conversation.events if isinstance(event.body, PlanChecked)]
    assert isinstance(checked[0].body, PlanChecked) and {
        finding.constraint for finding in checked[0].body.findings
    } >= {"timeline", "durations"}
    assert not may_see(AGENT, checked[0].audience) and may_see(USER, checked[0].audience)
    raised = said_ids(conversation)[1]
    assert raised and all(id_.startswith("issue-") for id_ in raised) and len(raised) <= 2
    assert "day 2" in conversation.state.messages[2].content
    sheet = score_session(conversation.events, setting)[PUBLISHED]
    assert [turn["strict"] for turn in sheet.turns] == [0, 1]
    mark = sheet.evidence["turns"][0]["marks"][0]["params"]  # type: ignore[index]
    assert mark["constraint"] and mark["day"] == 2 and mark["expected"] and mark["seen"]


def test_without_issues_no_fault_is_told() -> None:
    conversation, _ = talk(task_of([]), "No plan.", mode=NO_ISSUE)
    assert not any(isinstance(event.body, PlanChecked) for event in conversation.events)
    assert said_ids(conversation) == [()]


def test_in_a_single_turn_all_that_holds_in_the_end_is_said_at_once() -> None:
    task = task_of(
        [{"id": "a", **STARS}],
        [{"id": "b", **CHANGE}],
        [{"id": "c", **LUXURY}],
        [{"id": "d", "drops": ["c"]}],
    )
    conversation, setting = talk(task, GOOD, mode=SINGLE_TURN)
    assert said_ids(conversation) == [("b",)] and ending(conversation).reason == "turns_spent"
    assert score_session(conversation.events, setting)[PUBLISHED].as_json()["f_user"] == 1


@pytest.mark.parametrize(
    ("tier", "subset", "turns"), [("easy", "easy", 6), ("mid", "mid", 8), ("hard", "lit", 15)]
)
def test_a_session_ends_with_its_last_turn(tier: str, subset: str, turns: int) -> None:
    conversation, _ = talk(
        task_of(*[[{"id": f"n{n}", **STARS}] for n in range(20)], tier=tier, subset=subset), GOOD
    )
    assert conversation.state.round == turns and ending(conversation).reason == "turns_spent"


def test_a_seed_tells_all_that_is_said() -> None:
    task = task_of(
        *[[{"id": f"n{n}", **STARS}] for n in range(7)], tier="hard", subset="hard", style="anxious"
    )
    first, again, other = (talk(task, GOOD, "What?", GOOD, seed=seed)[0] for seed in (5, 5, 6))
    words = [[message.content for message in each.state.messages] for each in (first, again, other)]
    assert words[0] == words[1] != words[2]
    assert any(SPECIALS[0] in ids or SPECIALS[1] in ids or SPECIALS[2] in ids for ids in said_ids(first))


# What can't be met, and what is said vaguely.


@pytest.mark.parametrize(
    ("reply", "turn"),
    [
        ("There is no hotel that would fit.", 1),
        (f"I can't find a hotel with six stars. {GOOD}", 1),
        (GOOD, 5),
    ],
)
def test_what_can_not_be_met_is_taken_back_when_the_agent_says_so_or_in_the_last_turn(
    reply: str, turn: int
) -> None:
    task = task_of([IMPOSSIBLE], *[[{"id": f"n{n}", **STARS}] for n in range(9)], subset="fit")
    conversation, _ = talk(task, reply, GOOD, fit_p=0.0, mode=NO_ISSUE)
    assert [n for n, ids in enumerate(said_ids(conversation)) if "f-back" in ids] == [turn]


def test_what_can_not_be_met_is_taken_back_before_the_end_though_nothing_else_is_left() -> None:
    conversation, setting = talk(task_of([IMPOSSIBLE]), GOOD, fit_p=0.0, mode=NO_ISSUE)
    assert said_ids(conversation) == [("f",), ("f-back",)]
    assert score_session(conversation.events, setting)[PUBLISHED].as_json()["strict"] == 1


@pytest.mark.parametrize(
    ("rubric", "reply", "is_told"),
    [
        (LUXURY, GOOD, True),
        (STARS, GOOD, False),
        (STARS, f"Which kind of hotel do you like? {GOOD}", True),
        (STARS, f"Which food do you like? {GOOD}", False),
    ],
)
def test_a_vague_wish_is_said_exactly_once_a_plan_breaks_it_or_the_agent_asks(
    rubric: dict[str, Any], reply: str, is_told: bool
) -> None:
    conversation, _ = talk(task_of([{"id": "v", **rubric, "is_vague": True}]), reply, GOOD, mode=NO_ISSUE)
    first, *later = briefs(conversation)
    hint = first.items[0]
    assert hint.is_vague and hint.words in conversation.state.messages[0].content
    assert [item.words == hint.words for brief in later for item in brief.items] == [False] * is_told
    exact = [ids for ids in said_ids(conversation)[1:] if "v" in ids]
    assert len(exact) == is_told
    assert conversation.state.exact == ({"v"} if is_told else set())


# Plans.


def test_an_empty_schedule_carries_the_days_before_and_a_new_wish_needs_a_plan() -> None:
    task = task_of([{"id": "a", **STARS}], [{"id": "b", **LUXURY}])
    conversation, setting = talk(task, GOOD, EMPTY_SCHEDULE, mode=NO_ISSUE)
    assert [turn.is_carried for turn in conversation.state.turns] == [False, True]
    assert conversation.state.plan == sound_plan()
    evidence = score_session(conversation.events, setting)[PUBLISHED].evidence["turns"]
    assert evidence[1]["carried"] and evidence[1]["user"] == {"a": True, "b": False}  # type: ignore[index]
    conversation, setting = talk(task, GOOD, "No.", mode=NO_ISSUE)
    sheet = score_session(conversation.events, setting)[PUBLISHED]
    assert sheet.turns[1]["f_feas"] == 1 and sheet.missing["f_sound"].reason == "not_reached"


def test_a_reply_without_a_plan_is_judged_by_the_last_one_where_nothing_new_was_asked() -> None:
    plan = sound_plan()
    del plan["trip_plan"]["daily_schedule"][0]["hotel"]
    conversation, setting = talk(task_of([]), f"```\n{json.dumps(plan)}\n```", "It is fine.", seed=2)
    turn = conversation.state.turns[1]
    assert not turn.needs_plan and turn.plan is None
    assert score_session(conversation.events, setting)[PUBLISHED].turns[1]["daily_content"] == 0


def test_a_session_without_a_turn_fails_and_one_without_a_world_is_not_judged() -> None:
    task = task_of([])
    log = Conversation(SUITE.play.rules)
    log.append(SUITE.play.opening(task))
    figures = score_session(log.events, setting_of(task, {}))[PUBLISHED].as_json()
    assert (figures["strict"], figures["loose"], figures["f_feas"]) == (0, 0, None)


def test_a_plan_is_viewed_by_the_names_of_the_world() -> None:
    view = view_plan(sound_plan(), setting_of(task_of([]), {}))
    first, full, _last = view.days
    assert [entry.kind for entry in first.entries] == [
        "leg",
        "move",
        "other",
        "move",
        "visit",
        "move",
        "stay",
    ]
    assert full.entries[1].label == "Mill Park" and full.entries[1].place and full.entries[1].place.point
    assert view.costs[0].amount == 200 + 800 + 600 + 160 + 100 + 160
    assert SCHEMA["required"] == ["trip_plan"]
    assert view_plan(
        {"trip_plan": {"daily_schedule": [3, {"activities": [None, {}]}]}}, setting_of(task_of([]), {})
    )


def test_a_record_tells_each_turn() -> None:
    conversation, _ = talk(task_of([{"id": "a", **STARS}]), GOOD)
    told = run_record(conversation.events, trial_id=2)
    assert told["id"] == "t" and told["trial_id"] == 2 and told["ended"] == "all_said"
    assert told["turns"][0]["instruction_ids"] == ["a"] and told["turns"][0]["plan"] == sound_plan()


# Messages that do not keep to the brief.


@pytest.mark.parametrize(
    ("message", "why"),
    [
        ("Hello.", "unreadable"),
        ('```json\n{"instruction_ids": "b", "user_query": "x"}\n```', "unreadable"),
        (request("b", words=" "), "unreadable"),
        (request("z"), "unknown_ids"),
        (request("b", "c", "d", "e", "y"), "too_many_ids"),
        (request("x", "w"), "ended_ids"),
    ],
)
def test_who_does_not_keep_to_the_brief_is_asked_three_times_and_then_a_program_speaks(
    message: str, why: str
) -> None:
    changes: list[dict[str, Any]] = [{"id": "w", **CHANGE, "drops": ["y"]}, {"id": "x", "drops": ["w"]}]
    task = task_of([{"id": "y", **STARS}], [*changes, *({"id": id_, **STARS} for id_ in "bcde")])
    conversation, _ = talk(task, GOOD, user=Speaker([request("y"), message]), mode=NO_ISSUE)
    drafts = [event.body for event in conversation.events if isinstance(event.body, DraftWithdrawn)]
    assert [draft.why for draft in drafts[:3]] == [why] * 3
    issued = [event.body for event in conversation.events if isinstance(event.body, InstructionsIssued)]
    assert [body.substituted for body in issued[:2]] == [False, True]


def test_ids_that_have_to_be_said_are_missed() -> None:
    user = Speaker([request("a"), request("a", "b")])
    conversation, _ = talk(
        task_of([{"id": "a", **STARS}, {"id": "b", **LUXURY}]), GOOD, user=user, mode=SINGLE_TURN
    )
    drafts = [event.body for event in conversation.events if isinstance(event.body, DraftWithdrawn)]
    assert [(draft.why, draft.note) for draft in drafts] == [("left_out_ids", "b")]
    assert said_ids(conversation) == [("a", "b")]


def test_turns_alternate_and_a_silent_user_ends_the_session() -> None:
    conversation, _ = talk(task_of([{"id": "a", **STARS}], [{"id": "b", **LUXURY}]), GOOD, mode=NO_ISSUE)
    granted = [event.body.speaker for event in conversation.events if isinstance(event.body, TurnGranted)]
    assert granted == [USER, AGENT, USER, AGENT]
    state = SessionState(silent=True)
    assert SUITE.play.rules.next_turn(state) == SessionFinished(reason="user_left")


def test_a_verdict_that_is_kept_is_that_of_its_reply() -> None:
    task = task_of([{"id": "a", **STARS}], [{"id": "b", **LUXURY}], [{"id": "c", **CHANGE}])
    conversation, setting = talk(task, GOOD, EMPTY_SCHEDULE, GOOD, mode=NO_ISSUE)
    judge, turns = setting.once(TurnJudge), conversation.state.turns
    assert judge is setting.once(TurnJudge) and [turn.is_carried for turn in turns] == [False, True, False]
    alike = json.loads(json.dumps(turns[0].plan))
    alike["trip_plan"]["number_of_people"] = True
    asked = [turns[0], turns[0]._replace(plan=alike), turns[1]._replace(is_carried=False), *turns[1:]]
    verdicts = [judge.verdict(turn) for turn in asked]
    assert verdicts == [judge_turn(turn, task, PLACES, Parameters()) for turn in asked]
    assert verdicts[0] != verdicts[1]
