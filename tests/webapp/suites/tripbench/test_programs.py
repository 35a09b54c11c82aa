"""Programs at TRIP-Bench's seats over the API: what they are told, what they may say, and what is asked again."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from benchmark.core.participant import INBOX
from benchmark.core.view import AGENT
from benchmark.suites.tripbench.tasks import STARTER
from benchmark.suites.tripbench.tasks.task import USER
from tests.webapp.people.test_api import Program
from webapp.catalogue.models import Task, World
from webapp.endpoints.choice import SeatPlayer
from webapp.people.invitations import invite
from webapp.sessions.models import Session
from webapp.sessions.services import Setup, create_session
from worker.sessions import advance

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.either_engine]


@pytest.fixture
def definition() -> dict[str, Any]:
    line: dict[str, Any] = json.loads(STARTER[0].read_text().splitlines()[0])
    return line | {"nodes": line["nodes"][:2]}


@pytest.fixture
def task(definition: dict[str, Any], tmp_path: Path, starter_world: World) -> Task:
    path = tmp_path / "tasks.jsonl"
    path.write_text(json.dumps(definition | {"id": "short"}))
    call_command("import_tasks", path, "--suite", "tripbench", "--world", "starter")
    return Task.objects.get(task_id="short")


def play(session: Session) -> Session:
    advance(session.pk, budget_s=None, paced=False)
    session.refresh_from_db()
    return session


def program_at(session: Session, seat: str) -> Program:
    program = Program(invite(seat=session.seats.get(name=seat)).token)
    program.join()
    return program


def test_an_agent_looks_up_plans_each_turn_and_is_scored(
    task: Task, definition: dict[str, Any], starter_world: World
) -> None:
    setup = Setup(agent=INBOX, users="scripted")
    session = create_session(task=task, world=starter_world, setup=setup, start=False)
    program = program_at(play(session), AGENT)
    plan = f"```json\n{json.dumps(definition['witness'])}\n```"
    called, said = 0, 0
    while (view := program.view())["status"] == "your_turn":
        assert view["plan_schema"]["required"] == ["trip_plan"] and len(view["tools"]) == 18
        act: dict[str, Any] = {"type": "say", "content": plan}
        if called == said:
            called += 1
            calls = [{"name": "search_attractions", "arguments": {"city": "nowhere", "page_size": 99}}]
            act = {"type": "call_tools", "calls": calls}
        else:
            said += 1
            assert "page_size" in view["view"]["tool_log"][-1]["result"]
        assert program.act(view["turn"]["seq"], act, f"{called}/{said}").status_code == 200
        play(session)
    assert session.ended and said >= 2 and session.plan_generated
    assert session.turn_values.filter(key="f_feas").count() == said
    assert {row.value for row in session.turn_values.filter(key="f_feas")} == {0}


def test_a_user_is_told_why_they_are_asked_again(task: Task, starter_world: World) -> None:
    setup = Setup(agent="reference", seats={USER: SeatPlayer(INBOX)})
    session = create_session(task=task, world=starter_world, setup=setup, start=False)
    program, ids_of_actions = program_at(play(session), USER), map(str, count())

    def say(content: str) -> dict[str, Any]:
        turn = program.view()["turn"]["seq"]
        answer = program.act(turn, {"type": "say", "content": content}, next(ids_of_actions))
        assert answer.status_code == 200, answer.content
        play(session)
        told: dict[str, Any] = program.view()
        return told

    first = program.view()
    assert first["turn"]["problem"] == "" and first["plan_schema"] is None
    ids = first["view"]["brief"]["chosen_ids"]
    broken = say(f'{{"instruction_ids": ["{ids[0]}"], "user_query": "Hello')
    assert broken["turn"]["problem"] == "unreadable" and broken["view"]["messages"] == []
    unknown = say(json.dumps({"instruction_ids": ["later"], "user_query": "Hello."}))
    assert unknown["turn"]["problem"] == "unknown_ids"
    assert unknown["view"]["turn"]["drafts"][-1]["note"] == "later"
    told = say(json.dumps({"instruction_ids": ids, "user_query": "Plan us a trip."}))
    assert told["turn"]["problem"] == "" and told["view"]["messages"][0]["content"] == "Plan us a trip."
    plain = say("Thank you, that is fine for now.")
    assert plain["view"]["messages"][2]["content"] == "Thank you, that is fine for now."
