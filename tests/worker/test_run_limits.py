"""The limits of a run while several threads, and a person, work on it at the same time."""

from __future__ import annotations

import json
import threading
import time
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from pytest_django import Settings

from tests.model_server import ModelServer
from tests.seating import endpoint_at
from tests.threads import start_in_thread
from tests.worker.raw import JSON, Answer, raw_server, whole
from webapp.catalogue.models import Task, World
from webapp.endpoints.outages import outages
from webapp.jobs.models import Job
from webapp.runs import control
from webapp.runs.budget import Budget
from webapp.runs.deletion import delete_run
from webapp.runs.outages import outages_of
from webapp.runs.selectors import progress
from webapp.runs.services import create_run
from webapp.sessions.jobs import SESSION
from webapp.sessions.log import whole_log
from webapp.sessions.models import ENDED_STATUSES, Run, Session
from webapp.sessions.services import Setup
from webapp.sessions.spending import spending_by_run
from worker.sessions import advance

pytestmark = [pytest.mark.storage, pytest.mark.django_db(transaction=True)]
PATIENCE_S = 400.0


def started_count(run: Run) -> int:
    return Job.objects.filter(kind=SESSION.name, group=run.pk, ended_at=None).exclude(started_at=None).count()


def worked_on(run: Run, threads: int) -> list[threading.Thread]:
    """So many workers that play whatever they get, until nothing goes on."""
    pk_of_run = run.pk

    def work() -> None:
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            going = (
                Session.objects.filter(run=pk_of_run).exclude(status__in=ENDED_STATUSES).filter(paused=False)
            )
            left = list(going.values_list("pk", flat=True))
            if not left:
                return
            if not sum(advance(pk, budget_s=0.05, paced=False) for pk in left):
                time.sleep(0.05)

    return [start_in_thread(work) for _ in range(threads)]


@pytest.mark.both_engines
@pytest.mark.usefixtures("hasty")
def test_several_workers_begin_no_more_sessions_than_may_go_on(
    starter_world: World, starter_tasks: list[Task]
) -> None:
    easy = [task for task in starter_tasks if task.difficulty == "easy"]
    run = create_run(name="r", tasks=easy[:4], world=starter_world, setup=Setup(), at_once=2, start=False)
    workers, most = worked_on(run, 4), 0
    while any(worker.is_alive() for worker in workers):
        most = max(most, started_count(run))
        time.sleep(0.02)
    assert most == 2
    assert progress([run])[run.pk].finished == 4


def test_a_run_whose_model_fails_says_so_and_pauses_itself(
    starter_world: World, starter_tasks: list[Task], settings: Settings
) -> None:
    """The failures of all its sessions count together; each asks once before its first pause."""
    settings.CARAVAN_MODEL_HOSTS = (
        "127.0.0.1",
    )  # a served installation quotes no server that it does not name
    broken = [True]

    def answer(body: dict[str, Any]) -> Answer:
        return (500, JSON, b'{"error": {"message": "out of order"}}') if broken[0] else whole("Hello.")

    with raw_server(answer) as (url, seen):
        agent = endpoint_at(url, "m")
        run = create_run(
            name="r",
            tasks=[task for task in starter_tasks if task.difficulty == "easy"][:3],
            world=starter_world,
            setup=Setup(agent="llm", agent_model=agent),
            pause_after=3,
            start=False,
        )
        for worker in worked_on(run, 3):
            worker.join(PATIENCE_S)
        (outage,) = outages_of([run])[run.pk]
        assert progress([run])[run.pk].resting and Run.objects.get().paused_failing
        assert (outage.failed, len(seen)) == (3, 3) and "out of order" in outage.last
        assert [(one.endpoint, one.failed) for one in outages()] == [("m", 3)]
        broken[0] = False
        control.resume(run)
        advance(run.sessions.order_by("created_at")[0].pk, budget_s=0.01, paced=False)
        assert outages_of([run])[run.pk] == [] and outages() == []


@pytest.mark.both_engines
def test_a_budget_holds_while_several_workers_spend_and_a_person_pauses(
    server: ModelServer, starter_world: World, starter_tasks: list[Task]
) -> None:
    agent = endpoint_at(server.url, "good-agent", input_price=1.0, output_price=4.0)
    run = create_run(
        name="r",
        tasks=[task for task in starter_tasks if task.difficulty == "easy"][:3],
        world=starter_world,
        setup=Setup(agent="llm", agent_model=agent),
        budget=Budget(30_000),
        start=False,
    )
    for worker in worked_on(run, 3):
        worker.join(PATIENCE_S)
    now = progress([run])[run.pk]
    assert now.resting and Run.objects.get().budget_used_up
    whole = [entry for entry in server.ledger.entries if entry.outcome == "whole"]
    tokens = [entry.tokens.prompt + entry.tokens.completion for entry in whole]
    assert spending_by_run([run.pk])[run.pk].prompt == sum(tokens)
    assert 30_000 <= sum(tokens) < 30_000 + 3 * max(tokens)  # what was on its way is still paid
    control.set_limits(run, at_once=1, budget=None)
    control.resume(run)
    workers = worked_on(run, 3)
    control.pause(run)
    control.pause(run)
    for worker in workers:
        worker.join(PATIENCE_S)
    asked = len(server.ledger.entries)
    control.cancel(run)
    for session in Session.objects.all():
        advance(session.pk)
    assert progress([run])[run.pk].ended == 3 and len(server.ledger.entries) == asked
    for session in Session.objects.all():
        assert [event.seq for event in whole_log(session.pk)] == list(range(1, session.last_seq + 1))


@pytest.mark.both_engines
def test_a_run_is_deleted_while_workers_have_its_sessions(
    starter_world: World, starter_tasks: list[Task]
) -> None:
    run = create_run(name="r", tasks=starter_tasks[:4], world=starter_world, setup=Setup(), start=False)
    workers = worked_on(run, 3)
    while started_count(run) < 2:
        time.sleep(0.01)
    delete_run(run)
    for worker in workers:
        worker.join(PATIENCE_S)
    assert not any(model.objects.exists() for model in (Run, Session, Job))


def command_json(*arguments: str) -> dict[str, Any]:
    out = StringIO()
    call_command(*arguments, "--json", stdout=out, stderr=StringIO())
    found = json.loads(out.getvalue())
    assert isinstance(found, dict)
    return found


def test_a_run_is_controlled_from_the_command_line(
    server: ModelServer, starter_world: World, starter_tasks: list[Task]
) -> None:
    limits = ("--at-once", "1", "--budget", "5000 tokens")
    run = str(
        command_json("run", "a run", "--tasks", "starter_01", "starter_02", *limits, "--enqueue")["run"]
    )
    begun = command_json("control_run", "pause", run)
    assert (begun["paused"], begun["at_once"], begun["budget"]) == (
        2,
        1,
        {"amount": 5000.0, "unit": "tokens", "used": 0.0},
    )
    assert command_json("control_run", "follow", run)["paused"] == 2
    assert command_json("control_run", "resume", run)["paused"] == 0
    assert command_json("control_run", "limit", run, "--at-once", "4")["budget"]["amount"] == 5000
    assert command_json("control_run", "rename", run, "other")["name"] == "other"
    assert command_json("control_run", "trials", run, "2")["sessions"] == 4
    command_json("control_run", "cancel", run)
    for session in Session.objects.all():
        advance(session.pk)
    assert command_json("control_run", "show", run)["failures"][0]["count"] == 4
    assert not command_json("control_run", "delete", run)["deleted"] and Run.objects.exists()
    assert command_json("control_run", "delete", run, "--yes")["deleted"] and not Session.objects.exists()
    over_model = ("--agent", "llm", "--model", endpoint_at(server.url, "good-agent").name)
    with pytest.raises(CommandError, match="paused: its budget of 1,000 tokens is used up"):
        command_json("run", "x", "--tasks", "starter_01", *over_model, "--budget", "1000 tokens")
    with pytest.raises(CommandError, match="takes a number"):
        command_json("run", "x", "--tasks", "starter_01", "--budget", "much")
