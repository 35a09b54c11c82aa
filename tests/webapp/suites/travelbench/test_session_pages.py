"""A session of TravelBench from the form to its page, its seats and its record."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from benchmark.core.events import RESEARCH
from benchmark.core.view import AGENT
from benchmark.suites.travelbench.events import USER
from benchmark.suites.travelbench.modes import UNSOLVED_MARK
from tests.markup import tight
from tests.webapp.conftest import HOSTILE
from tests.webapp.suites.travelbench.conftest import Play
from webapp.catalogue.models import Task, World
from webapp.runs.services import create_run
from webapp.sessions.chat import chat_html
from webapp.sessions.log import whole_log
from webapp.sessions.models import Session
from webapp.sessions.panels import panels_of
from webapp.sessions.scoring import record_of
from webapp.sessions.services import Setup
from worker.sessions import advance

pytestmark = [pytest.mark.django_db, pytest.mark.either_engine]


def page_of(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return tight(answer.content.decode())


def test_every_panel_of_a_session_shows_its_texts_and_escapes_them(
    as_researcher: Client, hostile: Task, play: Play
) -> None:
    session = play(hostile)
    assert session.completion_reason == "user_ended"
    page = page_of(as_researcher, f"/sessions/{session.pk}/")
    assert "The user ended the conversation." in page and "The last answer" in page
    for name in panels_of("travelbench"):
        page += page_of(as_researcher, f"/sessions/{session.pk}/?tab={name}")
    assert HOSTILE not in page and "&lt;script&gt;alert(1)" in page


def test_an_unsolvable_task_shows_its_verdict(
    as_researcher: Client, shipped_tasks: dict[str, Task], play: Play
) -> None:
    session = play(shipped_tasks["travelbench-unsolved-starter-1"])
    page = page_of(as_researcher, f"/sessions/{session.pk}/?tab=scores")
    assert "The agent said that the task can't be solved." in page
    assert "first message (published)" in page and UNSOLVED_MARK in page


def test_the_task_page_tells_what_the_user_alone_knows(
    as_researcher: Client, shipped_tasks: dict[str, Task]
) -> None:
    multi, unsolved = (shipped_tasks[f"travelbench-{name}-starter-1"] for name in ("multi", "unsolved"))
    page = page_of(as_researcher, multi.get_absolute_url())
    assert "multi-turn" in page and multi.definition["intent"] in page and "Who the user is" in page
    page = page_of(as_researcher, unsolved.get_absolute_url())
    assert "no tool can do it" in page and "Who the user is" not in page


def test_nobody_but_the_user_is_shown_the_card_and_only_the_agent_the_calls(
    hostile: Task, play: Play
) -> None:
    session = play(hostile)
    log = whole_log(session.pk)
    shown = {
        viewer: chat_html(log, session=session, viewer=viewer, language="en") for viewer in (RESEARCH, AGENT)
    }
    profile = "已婚，孩子五岁"
    assert profile in shown[RESEARCH] and profile not in shown[AGENT]
    to_user = [event for event in log if event.audience in ("all", f"user:{USER}")]
    assert {event.body.type for event in to_user}.isdisjoint({"tool_called", "tool_returned"})


def test_the_record_of_a_session_is_the_published_one(shipped_tasks: dict[str, Task], play: Play) -> None:
    record = record_of(play(shipped_tasks["travelbench-single-starter-1"]))
    assert (record["trace_id"], record["mode"], record["completion_reason"]) == (
        "starter-1",
        "single_turn",
        "completed",
    )
    assert [message["role"] for message in record["messages"]][:3] == ["system", "user", "assistant"]
    assert record["tool_calls_count"] == 2 and record["tool_errors"] == 0
    assert json.loads(json.dumps(record)) == record


def test_the_form_offers_its_players_and_starts_a_session(
    as_researcher: Client, shipped_tasks: dict[str, Task]
) -> None:
    given = {"task": "travelbench-multi-starter-1", "world": "starter", "seed": "0", "protocol": "published"}
    page = tight(
        as_researcher.post("/sessions/new/", {**given, "mode": "world", "look": "1"}).content.decode()
    )
    for kind in ("reference", "llm", "react", "direct", "scripted", "person", "inbox"):
        assert f'value="{kind}"' in page
    assert 'value="reflexion"' not in page
    sent = {**given, "mode": "world", "agent": "reference", "users": "scripted"}
    as_researcher.post("/sessions/new/", sent)
    session = Session.objects.get()
    assert (session.suite, session.agent, session.users) == ("travelbench", "reference", "scripted")


def test_a_run_over_all_its_tasks_is_played_scored_and_shown(
    as_researcher: Client, shipped_tasks: dict[str, Task], starter_world: World
) -> None:
    chosen = [shipped_tasks[f"travelbench-{name}-starter-3"] for name in ("single", "multi", "unsolved")]
    run = create_run(
        name="all three",
        tasks=chosen,
        world=starter_world,
        setup=Setup(),
        trials=2,
    )
    for session in run.sessions.all():
        advance(session.pk, budget_s=None, paced=False)
    assert set(run.sessions.values_list("status", flat=True)) == {"finished"}
    page = page_of(as_researcher, f"/runs/{run.pk}/")
    assert "unsolvable" in page and "tool errors" in page and "overall" in page
    assert "100" in page
