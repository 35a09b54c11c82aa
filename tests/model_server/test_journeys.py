"""TravelEval's agents over models of the server, and the plans that they give."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmark.core.engine import Conversation, run
from benchmark.core.events import ToolCalled
from benchmark.core.participant import OverModel, SeatContext
from benchmark.core.view import AGENT
from benchmark.suites.traveleval.conversation.rules import RULES, follows_schema, opening_step
from benchmark.suites.traveleval.participants import AGENTS
from benchmark.suites.traveleval.tasks import STARTER, TASK_FILES, Query
from sandbox.toolbox import world_tools
from sandbox.toolsets import toolset_named
from sandbox.worlds.reader import World
from tests.model_server import ModelServer
from tests.model_server.playing import HttpModel

QUERIES = {read.task.uid: read.task for path in STARTER for read in TASK_FILES.whole(Path(path))}
CHINESE, ENGLISH = "own-T0013", "own-T0016"


def play_query(server: ModelServer, world: World, agent: str, query: Query, model: str = "") -> Conversation:
    kind = AGENTS[agent]
    assert isinstance(kind, OverModel)
    context = SeatContext(
        seat=AGENT,
        task=query,
        tools=toolset_named("grouptravel"),
        language=query.language,
        open_pack=lambda: world,
    )
    conversation = Conversation(RULES)
    conversation.append(opening_step(query))
    seat = kind.make(context, HttpModel(server.url, f"good-agent{model}"))
    return run(conversation, {AGENT: seat}, world_tools(world, query.language))


@pytest.mark.parametrize("uid", [CHINESE, ENGLISH])
@pytest.mark.parametrize("agent", ["direct", "zero_shot_cot", "react", "reflexion", "llm"])
def test_each_agent_gives_a_plan_for_what_is_asked(
    server: ModelServer, world: World, agent: str, uid: str
) -> None:
    query = QUERIES[uid]
    done = play_query(server, world, agent, query)
    plan = done.state.plan
    assert plan is not None and follows_schema(plan)
    told = plan["summary"]
    asked = (query.start_city, query.target_city, query.days, query.people_number, query.budget)
    facts = ("departure", "destination", "total_days", "total_travelers", "total_budget")
    assert tuple(told[name] for name in facts) == asked
    assert plan["daily_plans"][0]["date"] == str(query.first_day)
    calls = sum(isinstance(event.body, ToolCalled) for event in done.events)
    assert calls == {"react": 3, "llm": 5}.get(agent, 0)


@pytest.mark.parametrize("way", ["off-schema", "cut-off", "html"])
def test_a_plan_that_is_badly_written_is_read_as_far_as_it_can_be(
    server: ModelServer, world: World, way: str
) -> None:
    done = play_query(server, world, "direct", QUERIES[CHINESE], f":plan={way}")
    assert done.state.plan is not None
    assert follows_schema(done.state.plan) == (way == "html")
