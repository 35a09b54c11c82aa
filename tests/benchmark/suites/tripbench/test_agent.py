"""The reference agent over the starter world, with the scripted user."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from benchmark.core.engine import Conversation, run
from benchmark.core.events import SessionStart
from benchmark.core.setting import Setting
from benchmark.core.view import AGENT
from benchmark.suites.base import read_options
from benchmark.suites.tripbench.agent import ReferenceAgent
from benchmark.suites.tripbench.agent.hearing import hear_messages
from benchmark.suites.tripbench.conversation.state import SessionState
from benchmark.suites.tripbench.itineraries import find_plan
from benchmark.suites.tripbench.scoring.sessions import PUBLISHED, score_session
from benchmark.suites.tripbench.suite import SUITE
from benchmark.suites.tripbench.tasks.task import USER, Task
from benchmark.suites.tripbench.users.program import ScriptedUser
from benchmark.suites.tripbench.wording import request_words, trip_words
from sandbox.backends.backend import WorldBackend
from sandbox.toolbox import Toolbox
from sandbox.toolbox.world import WorldAnswers
from sandbox.toolsets import toolset_named
from sandbox.toolsets.tripbench.world import trip_world
from sandbox.worlds import World, open_world

META: dict[str, Any] = {
    "origin": "上海市",
    "stays": [["杭州市", 2]],
    "start_date": "2026-05-01",
    "end_date": "2026-05-03",
    "people": 2,
}
STARS = {"rubric": "hotel.star", "args": {"min": 3}}
MANY_STARS = {"rubric": "hotel.star", "args": {"min": 9}}


@pytest.fixture(scope="module")
def pack(starter_pack: Path) -> World:
    return open_world(starter_pack)


def task_of(*nodes: list[dict[str, Any]], **fields: Any) -> Task:
    given = {"id": "t", "tier": "hard", "subset": "hard", "language": "en", "meta": META, **fields}
    return Task.model_validate({**given, "nodes": [{"instructions": node} for node in nodes]})


def play(task: Task, pack: World) -> tuple[Conversation[SessionState], dict[str, Any]]:
    """A session of the agent with the scripted user, and its figures."""
    toolset = toolset_named(SUITE.play.toolset)
    setting = Setting(
        read_task=lambda: task,
        world=trip_world(pack),
        open_pack=lambda: pack,
        options=read_options(SUITE.options, {}),
        language=task.language,
    )
    conversation = Conversation(SUITE.play.rules)
    conversation.append(SUITE.play.opening(task, SessionStart(options=setting.options)))
    tools = Toolbox(WorldAnswers(WorldBackend(pack, toolset)), task.language, toolset=toolset)
    agent = ReferenceAgent(SUITE.play.seat_context(setting, AGENT, toolset))
    run(conversation, {AGENT: agent, USER: ScriptedUser()}, tools, check=SUITE.play.check(setting))
    return conversation, score_session(conversation.events, setting)[PUBLISHED].as_json()


def replies(conversation: Conversation[SessionState]) -> Sequence[str]:
    return [message.content for message in conversation.state.messages if message.role == AGENT]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_wishes_that_change_are_met_turn_by_turn(language: str, pack: World) -> None:
    nodes = [
        [{"id": "a", **STARS}, {"id": "p", "rubric": "hotel.pet_friendly"}],
        [{"id": "b", "behaviour": "modify", "rubric": "hotel.star", "args": {"min": 4}, "drops": ["a"]}],
        [
            {"id": "c", "behaviour": "rollback", "drops": ["b"], "restores": ["a"]},
            {"id": "d", "behaviour": "delete", "drops": ["p"]},
        ],
    ]
    conversation, figures = play(task_of(*nodes, language=language), pack)
    assert (figures["strict_per_turn"], figures["agent_turns"]) == (1, len(replies(conversation)))
    assert len(replies(conversation)) >= 3
    calls = [entry for entry in conversation.events if entry.body.type == "tool_called"]
    assert len(calls) == 7  # both legs by two modes, and three searches in the one city


def test_what_cannot_be_met_is_named_and_the_rest_is_planned(pack: World) -> None:
    fallback = {"id": "back", "behaviour": "delete", "drops": ["a"]}
    task = task_of([{"id": "s", **STARS}], [{"id": "a", **MANY_STARS, "fallback": fallback}], subset="fit")
    conversation, figures = play(task, pack)
    assert any("I can't meet this" in reply and "9 stars" in reply for reply in replies(conversation))
    assert "back" in conversation.state.issued_ids and figures["strict"] == 1


def test_a_vague_wish_is_asked_about(pack: World) -> None:
    task = task_of([{"id": "a", **STARS, "is_vague": True}], subset="ais", style="terse")
    conversation, figures = play(task, pack)
    assert "What exactly do you want of the hotel" in replies(conversation)[0]
    assert conversation.state.exact == {"a"} and figures["strict"] == 1


def test_a_plan_changes_no_more_than_it_must(pack: World) -> None:
    task = task_of([{"id": "a", **STARS}], [{"id": "b", "rubric": "hotel.review_count", "args": {"min": 1}}])
    conversation, _ = play(task, pack)
    first, *_rest, last = (find_plan(reply) for reply in replies(conversation))
    assert first is not None and first == last


def test_the_trip_and_what_is_said_again_is_read(pack: World) -> None:
    world, task = trip_world(pack), task_of([{"id": "a", **STARS}, {"id": "b", **MANY_STARS}])
    words = [request_words(each, task) for each in task.instructions.values()]
    heard = hear_messages([f"Hello! {trip_words(task.meta, 'en')} {words[0]}", words[1]], "en", world)
    assert heard.frame == task.meta
    assert [each.arguments for each in heard.constraints] == [{"min": 9}]
    assert hear_messages(["What is there to see?"], "en", world).frame is None
