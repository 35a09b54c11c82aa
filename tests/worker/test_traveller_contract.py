"""What travellers over a model are held to: chosen for a session or a run, and named wherever they are compared."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from benchmark.core.events import DraftWithdrawn
from benchmark.suites.grouptravel.events import SessionOpened
from tests.model_server import ModelServer
from tests.seating import endpoint_at, play, session_with_models
from webapp.catalogue.models import Task, World
from webapp.sessions.log import whole_log
from webapp.sessions.models import Run, Session

pytestmark = pytest.mark.either_engine


def command_output(command: str, *arguments: str) -> str:
    out = StringIO()
    call_command(command, *arguments, stdout=out, stderr=StringIO())
    return out.getvalue()


def opening_of(session: Session) -> SessionOpened:
    body = whole_log(session.pk)[0].body
    assert isinstance(body, SessionOpened)
    return body


@pytest.mark.parametrize(
    ("chosen", "contract"),
    [
        ({}, "markers"),
        ({"contract": "strict"}, "strict"),
        ({"protocol": "paper"}, "strict"),
        ({"protocol": "paper", "contract": "markers"}, "markers"),
    ],
)
def test_the_log_names_the_chosen_contract_else_the_protocols_own(
    server: ModelServer, starter_tasks: list[Task], starter_world: World, chosen: Any, contract: str
) -> None:
    agent, users = endpoint_at(server.url, "good-agent"), endpoint_at(server.url, "good-user")
    made = session_with_models(starter_tasks[0], starter_world, agent, users, options=chosen)
    assert opening_of(made).contract == contract


def test_replies_that_break_a_rule_are_withdrawn_under_the_strict_contract_alone(
    server: ModelServer, starter_tasks: list[Task], starter_world: World
) -> None:
    agent, users = endpoint_at(server.url, "good-agent"), endpoint_at(server.url, "leaks-fields")
    drafts: dict[str, int] = {}
    for contract in ("markers", "strict"):
        chosen = {"options": {"contract": contract}}
        session = play(session_with_models(starter_tasks[0], starter_world, agent, users, **chosen))
        bodies = [event.body for event in whole_log(session.pk)]
        drafts[contract] = sum(isinstance(body, DraftWithdrawn) for body in bodies)
        record = json.loads(command_output("export_session", session.pk))
        assert record["traveller_contract"] == contract
    assert drafts["markers"] == 0 < drafts["strict"]


@pytest.mark.django_db(transaction=True)
def test_the_option_of_the_commands_reaches_session_and_run(
    server: ModelServer, starter_tasks: list[Task], starter_world: World
) -> None:
    endpoint_at(server.url, "good-user")
    players = ("--users", "llm", "--user-model", "good-user")
    command_output("run_session", "starter_01", "--world", "starter", *players, "--option", "contract=strict")
    assert opening_of(Session.objects.get()).contract == "strict"
    command_output(
        "run",
        "r",
        "--tasks",
        "starter_01",
        "--world",
        "starter",
        *players,
        "--contract",
        "strict",
        "--enqueue",
    )
    assert Run.objects.get().options["contract"] == "strict"
    assert {opening_of(session).contract for session in Session.objects.all()} == {"strict"}
