"""The three loops over the shared log: who speaks, when it ends, and the record that follows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from benchmark.core.actions import Action, CallTools, Say, ToolCall
from benchmark.core.engine import Conversation, run
from benchmark.core.events import Event, SessionStart, ToolReturned, may_see
from benchmark.core.participant import Participant
from benchmark.core.view import AGENT
from benchmark.suites.travelbench.conversation.answers import (
    FALLBACKS,
    OUT_OF_STEPS,
    Answer,
    apology,
    fallback,
)
from benchmark.suites.travelbench.conversation.record import run_record
from benchmark.suites.travelbench.conversation.rules import RULES, opening_step
from benchmark.suites.travelbench.conversation.views import RequestView
from benchmark.suites.travelbench.events import USER
from benchmark.suites.travelbench.modes import END_MARK
from benchmark.suites.travelbench.participants import BoundedAgent
from benchmark.suites.travelbench.tasks.task import Task
from sandbox.toolbox import ToolOutcome

TASK: dict[str, Any] = {
    "trace_id": "7",
    "time": "2025-10-24 10:00",
    "query": "附近的充电站",
    "primary_intent": "discovery.poi_search",
    "context": "**用户当前位置描述**\n安徽省亳州市",
    "intent": "找充电站",
}
SINGLE = Task.model_validate(TASK)
MULTI = Task.model_validate(TASK | {"user_profile": "### 基本信息\n- 年龄：25-29岁"})
UNSOLVED_TASK = Task.model_validate(TASK | {"missing_info": True})


class Says:
    """Acts in order, the last action again and again; keeps what it was shown."""

    def __init__(self, *actions: Action) -> None:
        self.actions, self.views = actions, list[RequestView]()

    def act(self, view: RequestView) -> Action:
        self.views.append(view)
        return self.actions[min(len(self.views), len(self.actions)) - 1]


class Tools:
    def __init__(self, kind: Any = "") -> None:
        self.kind = kind

    def call(self, name: str, arguments: Any) -> ToolOutcome:
        return ToolOutcome('{"error":"x"}', "cache" if not self.kind else "none", "isolated", self.kind)


def calls(count: int = 1) -> CallTools:
    return CallTools(tuple(ToolCall("web_search", {"query": str(i)}) for i in range(count)))


def play_task(
    task: Task, agent: Says, user: Says | None = None, protocol: str = "published", kind: Any = ""
) -> list[Event]:
    seats: Mapping[str, Participant[Any]] = {AGENT: BoundedAgent(agent), USER: user or Says(Say("?"))}
    opening = opening_step(task, SessionStart(options={"protocol": protocol})).bodies
    return run(Conversation(RULES), seats, Tools(kind), opening).events


@pytest.mark.parametrize("task", [SINGLE, UNSOLVED_TASK])
def test_a_single_turn_ends_with_the_answer_and_nobody_is_asked(task: Task) -> None:
    user = Says(Say("?"))
    record = run_record(play_task(task, Says(calls(), Say("有三家")), user))
    assert (record["completion_reason"], record["turns"], record["total_steps"]) == ("completed", 1, 2)
    assert not user.views and record["mode"] == "single_turn" and "user_profile" not in record


def test_the_user_ends_a_conversation_and_their_farewell_is_in_the_record() -> None:
    user = Says(Say("要快充"), Say(f"好的 {END_MARK}"))
    record = run_record(play_task(MULTI, Says(Say("快充还是慢充？"), Say("有三家")), user))
    assert (record["completion_reason"], record["turns"], record["total_steps"]) == ("user_ended", 2, 0)
    assert [(m["role"], m["turn_idx"]) for m in record["messages"]] == [
        ("system", None), ("user", 1), ("assistant", 1), ("user", 1), ("assistant", 2), ("user", 2),
    ]  # fmt: skip


@pytest.mark.parametrize("tag", ["[finish conversation]", "Finish Conversation"])
def test_the_tag_counts_only_as_it_is_written(tag: str) -> None:
    record = run_record(play_task(MULTI, Says(Say("a")), Says(Say(tag))))
    assert record["completion_reason"] == "max_turns_reached"


def test_after_ten_turns_the_user_s_last_words_are_not_heard() -> None:
    user = Says(Say("再说说"))
    record = run_record(play_task(MULTI, Says(Say("a")), user))
    assert (record["turns"], len(user.views)) == (10, 10)
    assert record["messages"][-1]["role"] == "assistant"


@pytest.mark.parametrize(
    ("protocol", "reason"), [("published", "max_turns_reached"), ("paper", "user_ended")]
)
def test_a_farewell_in_the_tenth_turn(protocol: str, reason: str) -> None:
    user = Says(*[Say("再说说")] * 9, Say(END_MARK))
    record = run_record(play_task(MULTI, Says(Say("a")), user, protocol))
    assert record["completion_reason"] == reason
    assert (record["messages"][-1]["content"] == END_MARK) == (reason == "user_ended")


def test_after_twenty_steps_a_fixed_sentence_is_the_answer_and_no_model_is_asked() -> None:
    agent = Says(calls(2))
    record = run_record(play_task(SINGLE, agent))
    assert (len(agent.views), record["tool_calls_count"], record["total_steps"]) == (20, 40, 20)
    assert record["messages"][-1]["content"] == OUT_OF_STEPS and record["success"]


def test_calls_may_repeat_as_often_as_the_agent_likes() -> None:
    record = run_record(play_task(SINGLE, Says(*[calls(1)] * 6, Say("有"))))
    assert (record["tool_calls_count"], record["cache_hits"], record["messages"][-1]["content"]) == (
        6,
        6,
        "有",
    )


def test_a_model_that_fails_is_answered_for_and_the_run_is_a_success() -> None:
    record = run_record(play_task(SINGLE, Says(apology("boom"))))
    assert record["success"] and record["total_steps"] == 0
    assert "boom" in record["messages"][-1]["content"]
    user = Says(*[fallback(i) for i in range(3)], Say(END_MARK))
    told = run_record(play_task(MULTI, Says(Say("a")), user))["messages"]
    assert [m["content"] for m in told if m["role"] == "user"][1:4] == [*FALLBACKS[:3]]


def test_an_answer_without_content_is_told_from_an_empty_one() -> None:
    said = [run_record(play_task(SINGLE, Says(Answer("", absent=absent)))) for absent in (True, False)]
    assert [record["messages"][-1]["content"] for record in said] == [None, ""]


def test_without_a_query_the_run_crashes() -> None:
    record = run_record(play_task(SINGLE.model_copy(update={"query": ""}), Says(Say("a"))))
    assert record == {
        "trace_id": "7", "mode": "single_turn", "trial_id": 0, "query": "", "success": False,
        "error": "the query is empty",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "errors"), [("arguments", 1), ("simulator", 0), ("answer", 0), ("schema", 0)]
)
def test_only_a_call_that_fails_its_checks_is_a_tool_error(kind: str, errors: int) -> None:
    record = run_record(play_task(SINGLE, Says(calls(), Say("a")), kind=kind))
    assert (record["tool_errors"], record["cache_misses"]) == (errors, 1)


def test_what_the_user_knows_and_sees() -> None:
    agent, user = Says(calls(), Say("有三家")), Says(Say(END_MARK))
    events = play_task(MULTI, agent, user)
    assert (user.views[0].intent, user.views[0].profile) == (MULTI.intent, MULTI.user_profile)
    assert agent.views[0].intent is None and agent.views[0].context == MULTI.context
    assert not user.views[0].tool_log and [m.content for m in user.views[0].messages] == [
        "附近的充电站",
        "有三家",
    ]
    hidden = [event for event in events if isinstance(event.body, ToolReturned)]
    assert hidden and not any(may_see(USER, event.audience) for event in hidden)


@pytest.mark.parametrize(("protocol", "strictness"), [("published", "lenient"), ("paper", "strict")])
def test_the_tools_get_the_task_s_time_and_the_reading_of_the_protocol(
    protocol: str, strictness: str
) -> None:
    opened: Any = opening_step(SINGLE, SessionStart(options={"protocol": protocol})).bodies[0]
    setup = opened.sandbox
    assert (setup.toolset, setup.strictness, setup.given) == (
        "travelbench",
        strictness,
        {"time": SINGLE.time},
    )
