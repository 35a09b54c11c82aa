"""Each traveller of a session may be something else."""

from __future__ import annotations

import json
from csv import DictReader
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from benchmark.cassettes import read_cassette, write_cassette
from benchmark.core.events import ParticipantJoined
from tests.model_server import model_server
from tests.seating import endpoint_at, play
from webapp.accounts.services import local_researcher
from webapp.cassettes.selectors import cassette_of, verdict_of
from webapp.cassettes.services import keep, replay
from webapp.catalogue.models import Task, World
from webapp.endpoints.choice import SeatPlayer
from webapp.endpoints.models import ModelEndpoint
from webapp.endpoints.selectors import use_by_endpoint
from webapp.runs.services import create_run
from webapp.sessions.log import whole_log
from webapp.sessions.models import Run, Session
from webapp.sessions.scoring import record_of
from webapp.sessions.services import Setup

pytestmark = pytest.mark.either_engine


@pytest.fixture
def gpt(starter_world: World) -> ModelEndpoint:
    return ModelEndpoint.objects.create(name="gpt", base_url="http://localhost:1/v1", model="gpt-x")


def start(task: Task, *seats: str) -> Run:
    given = [word for seat in seats for word in ("--seat", seat)]
    call_command("run", "mixed", "--tasks", task.task_id, *("--world", "starter", "--enqueue"), *given)
    return Run.objects.get()


def test_one_traveller_speaks_through_a_model_among_scripted_ones(
    starter_tasks: list[Task], gpt: ModelEndpoint
) -> None:
    run = start(starter_tasks[0], "User2=llm:gpt")
    session = Session.objects.get(run=run)
    joined = {b.seat: b for e in whole_log(session.pk) if isinstance(b := e.body, ParticipantJoined)}
    assert {name: body.kind for name, body in joined.items() if name.startswith("User")} == {
        name: "llm" if name == "User2" else "scripted" for name in starter_tasks[0].parsed_definition.users
    }
    model, prompts = joined["User2"].model, joined["User2"].prompts
    assert model is not None and model.model == "gpt-x" and prompts
    assert [(seat.name, seat.kind, seat.model) for seat in session.seat_overrides] == [("User2", "llm", gpt)]
    assert run.setup["seats"]["User2"]["kind"] == "llm" and "contract" in run.options
    assert use_by_endpoint()["gpt"].sessions == 1
    client = Client()
    client.force_login(local_researcher())
    for page in (session.get_absolute_url(), "/sessions/", "/runs/"):
        told = " ".join(client.get(page).content.decode().split())
        assert "User2 llm" in told, page


@pytest.mark.parametrize(
    ("seat", "told"),
    [
        ("User2", "NAME=KIND"),
        ("User2=mime", "Seat “User2”: there is no traveller of the kind “mime”; there are: scripted, llm"),
        ("User2=llm", "Seat “User2”: “llm” needs a model"),
        ("User2=scripted:gpt", "Seat “User2”: “scripted” needs no model"),
        ("User2=llm:other", "Seat “User2”: there is no model “other”; there are: gpt"),
        ("User9=llm:gpt", "The task has no seat “User9”"),
        ("Agent=llm:gpt", "choose the agent in its own field"),
    ],
)
def test_what_can_sit_nowhere_is_refused(
    starter_tasks: list[Task], gpt: ModelEndpoint, seat: str, told: Any
) -> None:
    with pytest.raises(CommandError, match=told):
        start(starter_tasks[0], seat)
    assert not Session.objects.exists() and not Run.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_session_of_unlike_travellers_is_played_kept_replayed_and_compared(
    starter_tasks: list[Task], starter_world: World, tmp_path: Path
) -> None:
    easy = next(task for task in starter_tasks if task.difficulty == "easy")
    with model_server(seed=5) as server:
        model = endpoint_at(server.url, "good-user")
        setup = Setup(seats={"User2": SeatPlayer("llm", model)})
        mixed, alike = (
            create_run(name=name, tasks=[easy], world=starter_world, setup=given, start=False)
            for name, given in (("mixed", setup), ("alike", Setup()))
        )
        session, other = (play(run.sessions.get()) for run in (mixed, alike))
    assert session.status == other.status == "finished" and session.scores.exists()
    assert {use["role"] for use in session.model_use} == {"travellers"} and not other.model_use
    write_cassette(cassette_of(session), tmp_path / "mixed.jsonl.gz")
    assert keep(read_cassette(tmp_path / "mixed.jsonl.gz")) == session
    verdict = verdict_of(play(replay(session=session, start=False)))
    assert verdict is not None and verdict.identical

    client = Client()
    client.force_login(local_researcher())
    record = json.loads(client.get(f"{session.get_absolute_url()}record.jsonl").content)
    assert record == record_of(session)
    page = " ".join(client.get(f"/runs/compare/?runs={mixed.pk},{alike.pk}").content.decode().split())
    assert page.count("User2 llm") == 1
    for address, rows in (
        (f"/runs/compare.csv?runs={mixed.pk},{alike.pk}", ["User2=llm:good-user", ""]),
        (f"/runs/{mixed.pk}/sessions.csv", ["User2=llm:good-user"]),
        (f"/runs/{alike.pk}/sessions.csv", [""]),
    ):
        lines = DictReader(StringIO(client.get(address).content.decode().removeprefix("\ufeff")))
        assert [line["seats"] for line in lines] == rows, address
