"""What models are told that play TRIP-Bench's user and its agent, and what becomes of their answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmark.core.engine import Conversation, run
from benchmark.core.events import DraftWithdrawn
from benchmark.core.participant import OverModel, SeatContext
from benchmark.core.view import AGENT
from benchmark.suites.tripbench.conversation.rules import TOOLSET
from benchmark.suites.tripbench.modes import MODEL_STEPS, NO_ISSUE
from benchmark.suites.tripbench.participants import AGENTS, CAST
from benchmark.suites.tripbench.suite import SUITE
from benchmark.suites.tripbench.tasks.task import STYLES, USER
from benchmark.suites.tripbench.users.llm import LlmUser
from benchmark.suites.tripbench.users.program import ScriptedUser
from sandbox.toolbox import world_tools
from sandbox.toolsets import toolset_named
from sandbox.worlds import open_world
from tests.benchmark.agents.cast import ScriptedModel, calling
from tests.benchmark.suites.tripbench.talks import GOOD, LUXURY, STARS, request, talk, task_of

CHANGE = {"id": "b", "behaviour": "modify", "rubric": "hotel.star", "args": {"min": 5}, "drops": ["a"]}


def prompt_ends(model: ScriptedModel, number: int) -> tuple[str, str]:
    """The system prompt of a request, and its last words."""
    messages: Any = model.requests[number].messages
    return messages[0]["content"], messages[-1]["content"]


def block(words: str, name: str) -> str:
    """What stands in a block of a prompt."""
    return words.partition(f"\n{name}\n")[2].partition("\n\n")[0]


def test_a_user_over_a_model_is_shown_what_may_be_said_now_and_plans_in_prose() -> None:
    model = ScriptedModel([request("a"), request("b"), request("later")])
    task = task_of([{"id": "a", **STARS}], [CHANGE], [{"id": "later", **LUXURY}], tier="mid")
    conversation, _ = talk(task, f"Here it is. {GOOD}", GOOD, user=LlmUser(model), mode=NO_ISSUE)
    assert conversation.state.issued_ids[:2] == ["a", "b"]
    system, first = prompt_ends(model, 0)
    assert "At most 4 ids" in system and "plainly" in system and "ContentMod" in system
    assert "Northwick" in block(first, "TRIP") and block(first, "NEW").startswith("a: ")
    assert [block(first, name) for name in ("HISTORY", "MODIFY", "ISSUE", "SPECIAL")] == ["–"] * 4
    _system, second = prompt_ends(model, 1)
    assert "Here it is." in second and "[08:00-11:00] Intercity Transportation (g1): Go." in second
    assert '"trip_plan"' not in second and "later" not in second
    assert block(second, "HISTORY").startswith("a (holds now): ") and "takes the place of a" in block(
        second, "MODIFY"
    )
    assert "ContentMod" in block(second, "SPECIAL") and "ExploreQues" in block(second, "SPECIAL")


def test_a_model_is_told_what_was_wrong_and_a_program_speaks_after_the_third_time() -> None:
    model = ScriptedModel(["What?", request("z"), request("z"), request()])
    conversation, _ = talk(task_of([{"id": "a", **STARS}]), GOOD, user=LlmUser(model), mode=NO_ISSUE)
    assert (
        "could not be read" in prompt_ends(model, 1)[1]
        and "none of the blocks: z" in prompt_ends(model, 2)[1]
    )
    drafts = [event.body.why for event in conversation.events if isinstance(event.body, DraftWithdrawn)]
    assert drafts == ["unreadable", "unknown_ids", "unknown_ids"]
    assert conversation.state.issued_ids == ["a"] and len(model.requests) == 3


@pytest.mark.parametrize("style", ["", *STYLES])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_each_style_has_words_in_both_languages(style: str, language: str) -> None:
    model = ScriptedModel([request("a")])
    task = task_of([{"id": "a", **STARS, "is_vague": True}], style=style, language=language)
    talk(task, GOOD, user=LlmUser(model), mode=NO_ISSUE)
    system, now = prompt_ends(model, 0)
    assert ("请用中文" in system) is (language == "zh") and "$" not in system + now
    spoken, _ = talk(task, GOOD, mode=NO_ISSUE)
    assert "$" not in spoken.state.messages[0].content


def test_an_agent_over_a_model_is_told_the_rules_and_sees_no_constraint() -> None:
    model = ScriptedModel([f"Here it is.\n{GOOD}"] * 9)
    kind = AGENTS["llm"]
    assert isinstance(kind, OverModel)
    agent = kind.make(SeatContext(seat=AGENT), model)
    conversation, _setting = talk(task_of([{"id": "a", **STARS}], language="zh"), agent=agent, mode=NO_ISSUE)
    system, asked = prompt_ends(model, 0)
    assert "daily_schedule" in system and "Flight Check-in" in system and "请处理旅行者最新的消息" in asked
    chat = json.dumps(model.requests[0].messages, ensure_ascii=False)
    assert "Northwick" in chat and '"a"' not in chat
    assert conversation.state.plan is not None
    assert {*CAST.agents} >= {"llm", "react", "direct"} and {*CAST.users} == {"scripted", "llm"}


def test_an_agent_looks_things_up_with_the_tools_of_the_benchmark(starter_pack: Path) -> None:
    asked = calling(("get_date_after", '{"date_str": "2026-05-01", "days": 2}'))
    model = ScriptedModel([asked, f"Here it is.\n{GOOD}"])
    kind = AGENTS["llm"]
    assert isinstance(kind, OverModel)
    conversation = Conversation(SUITE.play.rules)
    conversation.append(SUITE.play.opening(task_of([])))
    seats = {AGENT: kind.make(SeatContext(seat=AGENT), model), USER: ScriptedUser()}
    run(conversation, seats, world_tools(open_world(starter_pack), "en", toolset=toolset_named(TOOLSET)))
    assert len(model.requests[0].tools) == 18
    assert "2026-05-03" in prompt_ends(model, 1)[1]


def test_an_agent_may_take_fifty_steps_in_a_turn() -> None:
    conversation, _ = talk(task_of([]), GOOD, mode=NO_ISSUE)
    view = conversation.view(AGENT)
    view.loop.steps = MODEL_STEPS - 1
    assert view.view().turn.tools_allowed
    view.loop.steps = MODEL_STEPS
    assert not view.view().turn.tools_allowed
    assert conversation.view(USER).view().turn.kind == "request"
