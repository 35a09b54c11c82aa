"""Conversations of TRIP-Bench in memory: small tasks over the small world, and agents that say what they are told."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from benchmark.agents.briefing import fence_plan
from benchmark.core.actions import Action, Say
from benchmark.core.engine import Conversation, Tools, run
from benchmark.core.events import SessionStart
from benchmark.core.options import Options, Value
from benchmark.core.participant import AnyParticipant
from benchmark.core.setting import Setting
from benchmark.core.view import AGENT, View
from benchmark.suites.base import read_options
from benchmark.suites.tripbench.conversation.state import SessionState
from benchmark.suites.tripbench.suite import SUITE
from benchmark.suites.tripbench.tasks import Task
from benchmark.suites.tripbench.tasks.task import USER
from benchmark.suites.tripbench.users.program import ScriptedUser
from sandbox.toolbox import ToolOutcome
from sandbox.toolsets.tripbench.records import TripWorld, World
from tests.scale.tripbench import META, WORLD, sound_plan

PLACES = World.model_validate(WORLD)
GOOD = fence_plan(sound_plan())
EMPTY_SCHEDULE = fence_plan({"trip_plan": {**sound_plan()["trip_plan"], "daily_schedule": []}})
STARS = {"rubric": "hotel.star", "args": {"min": 4}}
LUXURY = {"rubric": "hotel.hotel_type", "args": {"op": "in", "types": ["Luxury"]}}


def task_of(*nodes: list[dict[str, Any]], **fields: Any) -> Task:
    """A task with these instructions, in English unless said otherwise."""
    given = {"id": "t", "tier": "easy", "subset": "easy", "language": "en", "meta": META, **fields}
    return Task.model_validate({**given, "nodes": [{"instructions": node} for node in nodes]})


@dataclass
class Speaker:
    """Says one thing after the other, the last one again and again."""

    replies: Sequence[str]
    spoken: int = 0

    def act(self, view: View) -> Action:
        """The next reply."""
        self.spoken += 1
        return Say(self.replies[min(self.spoken, len(self.replies)) - 1])


class NoTools:
    """Nobody calls any."""

    def call(self, name: str, arguments: dict[str, Any] | str) -> ToolOutcome:
        """Never asked."""
        raise AssertionError(name)


def setting_of(task: Task, options: Options, seed: int = 0) -> Setting[Task, TripWorld]:
    """The task in the small world."""
    return Setting(read_task=lambda: task, world=PLACES, options=options, seed=seed)


def talk(
    task: Task,
    *replies: str,
    user: AnyParticipant | None = None,
    agent: AnyParticipant | None = None,
    seed: int = 0,
    tools: Tools | None = None,
    **chosen: Value,
) -> tuple[Conversation[SessionState], Setting[Task, TripWorld]]:
    """A whole session of an agent, by default one that gives these replies."""
    setting = setting_of(task, read_options(SUITE.options, chosen), seed)
    conversation = Conversation(SUITE.play.rules)
    conversation.append(SUITE.play.opening(task, SessionStart(seed=seed, options=setting.options)))
    seats = {AGENT: agent or Speaker(replies), USER: user or ScriptedUser()}
    run(conversation, seats, tools or NoTools(), check=SUITE.play.check(setting))
    return conversation, setting


def request(*ids: str, words: str = "Hello.") -> str:
    """A user's message as it is written."""
    return f"```json\n{json.dumps({'instruction_ids': ids, 'user_query': words})}\n```"
