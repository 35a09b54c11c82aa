"""Sessions played over the starter world, without a model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from benchmark.core.engine import Conversation, run
from benchmark.core.events import Event
from benchmark.core.participant import Participant
from benchmark.core.view import AGENT
from benchmark.suites.travelbench.agent import ReferenceAgent
from benchmark.suites.travelbench.conversation.rules import RULES, opening_step
from benchmark.suites.travelbench.events import USER
from benchmark.suites.travelbench.participants import BoundedAgent
from benchmark.suites.travelbench.tasks.task import Task
from benchmark.suites.travelbench.travellers.scripted import ScriptedUser
from sandbox.backends import WorldBackend
from sandbox.toolbox import Toolbox
from sandbox.toolbox.world import WorldAnswers
from sandbox.toolsets import TOOLSETS
from sandbox.worlds import World

PlayTask = Callable[..., list[Event]]


@pytest.fixture
def play_task(world: World) -> PlayTask:
    """Plays a task of the given fields."""

    def play(**fields: Any) -> list[Event]:
        task = Task.model_validate(_TASK | fields)
        given = {"time": task.time}
        answers = WorldAnswers(WorldBackend(world, TOOLSETS["travelbench"]))
        tools = Toolbox(answers, "zh", toolset=TOOLSETS["travelbench"], strictness="strict", given=given)
        seats: dict[str, Participant[Any]] = {AGENT: BoundedAgent(ReferenceAgent()), USER: ScriptedUser()}
        return run(Conversation(RULES), seats, tools, opening_step(task).bodies).events

    return play


_TASK: dict[str, Any] = {
    "trace_id": "1",
    "time": "2025-10-21 09:00",
    "query": "附近的咖啡",
    "primary_intent": "discovery.poi_search",
    "context": "**用户当前位置坐标**\nlatitude: 30.2552\nlongitude: 120.1638\n\n**用户当前位置描述**\n浙江省杭州市",
    "intent": "在附近找咖啡",
}
