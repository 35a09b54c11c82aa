"""TRIP-Bench's agent and its user over models of the server."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmark.core.engine import Conversation, run
from benchmark.core.events import DraftWithdrawn, SessionStart, ToolCalled
from benchmark.core.participant import OverModel, SeatContext
from benchmark.core.setting import Setting
from benchmark.core.view import AGENT
from benchmark.repairing import Repairable, repair_session
from benchmark.repairing.rewriting import is_reply
from benchmark.suites.base import read_options
from benchmark.suites.tripbench.conversation.rules import TOOLSET
from benchmark.suites.tripbench.conversation.state import SessionState
from benchmark.suites.tripbench.events import InstructionsIssued, PlanChecked
from benchmark.suites.tripbench.participants import CAST
from benchmark.suites.tripbench.repairs import judge_reply
from benchmark.suites.tripbench.suite import SUITE
from benchmark.suites.tripbench.tasks import STARTER, TASK_FILES, Task
from benchmark.suites.tripbench.tasks.task import USER
from sandbox.toolbox import world_tools
from sandbox.toolsets import toolset_named
from sandbox.toolsets.tripbench.records import TripWorld
from sandbox.toolsets.tripbench.world import trip_world
from sandbox.worlds.reader import World
from tests.model_server import ModelServer
from tests.model_server.personalities.lookups import records, times_of
from tests.model_server.playing import HttpModel
from tests.training import TALK

TASKS = {read.task.id: read.task for read in TASK_FILES.whole(Path(STARTER[0]))}


def play_task(
    server: ModelServer,
    world: World,
    task: Task,
    agent: str = "llm",
    model: str = "good-agent",
    user: str = "good-user",
) -> Conversation[SessionState]:
    """A whole session over models of the server."""
    options = read_options(SUITE.options, {})
    setting = Setting[Task, TripWorld](
        read_task=lambda: task, world=trip_world(world), options=options, seed=0
    )
    conversation = Conversation(SUITE.play.rules)
    conversation.append(SUITE.play.opening(task, SessionStart(seed=0, options=options)))
    kinds = {AGENT: (CAST.agents[agent], model), USER: (CAST.users["llm"], user)}
    seats = {}
    for seat, (kind, name) in kinds.items():
        assert isinstance(kind, OverModel)
        context = SeatContext(seat=seat, task=task, tools=toolset_named(TOOLSET), language=task.language)
        seats[seat] = kind.make(context, HttpModel(server.url, name))
    tools = world_tools(world, task.language, toolset=toolset_named(TOOLSET))
    return run(conversation, seats, tools, check=SUITE.play.check(setting))


def test_an_agent_looks_a_trip_up_and_answers_each_message_with_a_plan(
    server: ModelServer, world: World
) -> None:
    done = play_task(server, world, TASKS["starter-easy-0004"])
    bodies = [event.body for event in done.events]
    assert {"search_hotels", "get_route_estimate", "get_station_coordinates"} <= {
        body.name for body in bodies if isinstance(body, ToolCalled)
    }
    checks = [body for body in bodies if isinstance(body, PlanChecked)]
    asked_for = {
        instruction.id for node in TASKS["starter-easy-0004"].nodes for instruction in node.instructions
    }
    assert len(checks) == done.state.round > 1
    assert {one.constraint for check in checks for one in check.findings} <= asked_for
    issued = [body for body in bodies if isinstance(body, InstructionsIssued)]
    assert asked_for <= {id_ for body in issued for id_ in body.ids}
    assert not any(body.substituted for body in issued)


@pytest.mark.parametrize("way", ["unknown-ids", "broken", "prose", "too-many", "stubborn"])
def test_a_user_that_errs_is_asked_again(server: ModelServer, world: World, way: str) -> None:
    task = TASKS["starter-easy-0004"]
    done = play_task(server, world, task, "direct", "good-agent:plan=prose", f"good-user:user={way}")
    why = {event.body.why for event in done.events if isinstance(event.body, DraftWithdrawn)}
    expected = {"unknown-ids": "unknown_ids", "stubborn": "unknown_ids", "too-many": "unknown_ids"}
    assert why == {expected.get(way, "unreadable")}
    issued = [event.body for event in done.events if isinstance(event.body, InstructionsIssued)]
    assert {body.substituted for body in issued} == {way == "stubborn"}


def test_answers_of_tools_are_read_thing_by_thing() -> None:
    told = "Showing 1-2 of 2 results.\nPOI ID: a-1 | X | Tower | level: None\nrating: 4.5\nPOI ID: a-2 | X | Lake"
    assert [(own["id"], own["2"], own.get("rating")) for own in records(told, "POI ID")] == [
        ("a-1", "Tower", "4.5"),
        ("a-2", "Lake", None),
    ]
    assert times_of("9:00 – 17:00, 22:00-2:00") == [(540, 1020), (1320, 1560)]


@pytest.mark.parametrize(("model", "rounds"), [("good-agent", 1), ("good-agent:mends=2", 2)])
def test_a_spoilt_plan_is_written_again_once_it_was_told_often_enough(
    server: ModelServer, world: World, model: str, rounds: int
) -> None:
    task = Task.model_validate(TALK)
    played = play_task(server, world, task, model="good-agent:plan=ghosts")
    first = played.events[: next(at for at, event in enumerate(played.events) if is_reply(event)) + 1]
    setting = Setting[Task, TripWorld](read_task=lambda: task, world=trip_world(world))
    system = {"role": "system", "content": '"trip_plan" "daily_schedule"'}
    again = HttpModel(server.url, model)
    session = Repairable(
        first, SUITE.play.rules, lambda log, n: judge_reply(log, setting, n), (system,), task.language
    )
    made = repair_session(session, lambda question: again.ask(question.request))
    assert (made.turns[0].outcome, made.turns[0].rounds) == ("repaired", rounds)
