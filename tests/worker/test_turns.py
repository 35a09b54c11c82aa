"""Which waiting work goes first."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings

from tests.webapp.runs.conftest import make_run
from webapp import clock
from webapp.catalogue.models import Task, World
from webapp.jobs import services as jobs
from webapp.jobs.models import Job
from webapp.sessions import services
from worker.sweeper import Sweeper

__all__ = ["make_run"]

pytestmark = [pytest.mark.storage, pytest.mark.both_engines]


@pytest.fixture
def waiting(starter_world: World, starter_tasks: list[Task]) -> str:
    session = services.create_session(
        task=starter_tasks[0], world=starter_world, setup=services.Setup(), start=False
    )
    return session.pk


def test_a_session_started_by_hand_goes_before_those_of_runs(
    waiting: str, make_run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = make_run(tasks=2)
    of_run = set(run.sessions.values_list("pk", flat=True))
    asked: list[tuple[str, bool]] = []
    monkeypatch.setattr(
        jobs, "send_work", lambda _kind, subject, *, later, **_: asked.append((subject, later))
    )
    late = services.create_session(
        task=run.sessions.all()[0].task, world=run.sessions.all()[0].world, setup=services.Setup(), start=True
    )
    services.hand_over(run.sessions.all())
    assert asked[0] == (late.pk, False) and {*asked[1:]} == {(pk, True) for pk in of_run}
    first, second, *rest = jobs.due(kind=services.SESSION)
    assert {first, second} == {waiting, late.pk} and {*rest} == of_run, "though theirs are older than one"
    asked.clear()
    Sweeper().sweep(0.0)
    assert {pk for pk, later in asked if later} == of_run
    claimed = services.claim(session_id=rest[0])
    assert claimed is not None and claimed.group == run.pk

    now = clock.now()
    Job.objects.filter(subject__in=[*of_run, late.pk]).update(waits_for="place", due_at=now, expires_at=None)
    Job.objects.filter(subject=late.pk).update(due_at=now + timedelta(seconds=5))
    asked.clear()
    jobs.wake_waiting(endpoint="place")
    assert asked == [(late.pk, False)], "it has waited shorter"


def test_a_message_that_is_later_is_taken_last() -> None:
    from kombu import Connection, Queue

    from webapp import queue

    with Connection(settings.CELERY_BROKER_URL) as broker, broker.channel() as channel:
        taken = Queue(queue.broker_name("models"))(channel)
        taken.declare()
        taken.purge()
        sends = [("run", True), ("hand", False), ("run 2", True), ("hand 2", False)]
        for subject, later in sends:
            assert queue.send_work("session", subject, queue="models", later=later)
        found = []
        while message := taken.get(no_ack=True):  # beside what other tests send
            found.append(message.payload[0][1])
    mine = {subject for subject, _later in sends}
    assert [one for one in found if one in mine] == ["hand", "hand 2", "run", "run 2"]
