"""A session calls the tools of its suite's toolset, and no others of their names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from benchmark.agents.briefing import tool_definitions
from benchmark.core.events import SessionOpened
from benchmark.suites import DEFAULT_SUITE, SUITES, suite_named
from sandbox.toolsets import TOOLSETS
from tests.benchmark.agents.cast import view
from tests.sandbox.toolsets.toy import TOY
from webapp.catalogue.models import Task, World
from webapp.runs import services as runs
from webapp.sessions import services
from webapp.sessions.log import whole_log
from webapp.sessions.models import Session
from worker.sessions.tools import tools_of

pytestmark = pytest.mark.storage


@pytest.fixture
def with_toy(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """GroupTravelBench with the toolset of a test."""
    suite = suite_named(DEFAULT_SUITE)
    with_tools = replace(suite, play=replace(suite.play, toolset=TOY.name))
    monkeypatch.setitem(TOOLSETS, TOY.name, TOY)
    monkeypatch.setattr(f"{SUITES[DEFAULT_SUITE]}.SUITE", with_tools)
    yield


def opening_of(session: Session) -> SessionOpened:
    body = whole_log(session.pk)[0].body
    assert isinstance(body, SessionOpened)
    return body


def test_a_session_calls_the_tools_of_its_suite(
    with_toy: None, starter_world: World, starter_tasks: list[Task]
) -> None:
    session = services.create_session(
        task=starter_tasks[0], world=starter_world, setup=services.Setup(), start=False
    )
    assert opening_of(session).sandbox.toolset == "toy"
    tools = tools_of(session, opening_of(session), None)
    assert not tools.call("web_search", {"question": "x"}).error
    assert tools.call("web_search", {"query": "西湖"}).error_kind == "arguments"


def test_so_do_the_sessions_of_a_run(with_toy: None, starter_world: World, starter_tasks: list[Task]) -> None:
    run = runs.create_run(
        name="r", tasks=starter_tasks[:1], world=starter_world, setup=services.Setup(), start=False
    )
    assert {opening_of(session).sandbox.toolset for session in run.sessions.all()} == {"toy"}
    assert run.setup["sandbox"]["toolset"] == "toy"


def test_an_agent_is_offered_the_tools_that_its_view_names(with_toy: None) -> None:
    a_view = view()
    offered = tool_definitions(replace(a_view, toolset="toy"))
    assert [each["function"]["name"] for each in offered] == ["web_search", "around"]
    assert len(tool_definitions(a_view)) == 10
