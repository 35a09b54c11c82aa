"""The sweeper: it finds what nobody works on, and does not flood the queue with it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from webapp import clock
from webapp.catalogue.models import Task, World
from webapp.jobs import services as jobs
from webapp.jobs.kinds import kinds
from webapp.jobs.models import Job, State
from webapp.sessions import services
from webapp.sessions.models import Session
from worker.sessions import advance
from worker.steppers import STEPPERS
from worker.sweeper import Sweeper

pytestmark = [pytest.mark.storage, pytest.mark.both_engines]


@pytest.fixture
def sent_subjects(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    enqueued: list[str] = []
    monkeypatch.setattr(jobs, "send_work", lambda _kind, subject, **_: enqueued.append(subject))
    return enqueued


@pytest.fixture
def waiting(starter_world: World, starter_tasks: list[Task]) -> str:
    session = services.create_session(
        task=starter_tasks[0], world=starter_world, setup=services.Setup(), start=False
    )
    return session.pk


def test_a_forgotten_session_is_enqueued(waiting: str, sent_subjects: list[str]) -> None:
    Sweeper().sweep(0.0)
    assert sent_subjects == [waiting]


def test_a_session_that_somebody_works_on_is_left_alone(waiting: str, sent_subjects: list[str]) -> None:
    assert services.claim(session_id=waiting)
    assert Sweeper().sweep(0.0) == sent_subjects == []


def test_one_that_stays_due_is_repeated_ever_more_rarely(waiting: str, sent_subjects: list[str]) -> None:
    sweeping = Sweeper()
    times = [second for second in range(0, 120, 2) if sweeping.sweep(float(second))]
    assert times == [0, 2, 6, 14, 30, 60, 90]
    claimed = services.claim(session_id=waiting)
    assert claimed is not None
    sweeping.sweep(121.0)
    jobs.release(claimed=claimed)
    assert sweeping.sweep(122.0) == [f"session {waiting}"]


def test_every_kind_tells_which_of_its_rows_there_are() -> None:
    assert [kind.name for kind in kinds() if kind.existing_subjects is None] == []


@pytest.mark.django_db
@pytest.mark.parametrize("kind", [kind.name for kind in kinds()])
def test_a_job_whose_row_was_deleted_ends_even_if_it_is_never_due(
    kind: str, sent_subjects: list[str]
) -> None:
    subject = "901-902" if kind == "label_files" else "903"
    states = [{}, {"paused": True}, {"waits_for": jobs.MAIL, "due_at": clock.now() + timedelta(hours=2)}]
    for state in states:
        job = Job.objects.create(kind=kind, subject=subject, group="gone", **state)
        Sweeper().sweep(0.0)
        job.refresh_from_db()
        assert (job.state, job.error) == (
            State.CANCELLED,
            "The session, file or other object that this job worked on has been deleted.",
        )
    assert sent_subjects == []


def test_a_job_stays_whose_row_is_there_or_that_somebody_has(waiting: str, sent_subjects: list[str]) -> None:
    Sweeper().sweep(0.0)
    assert sent_subjects == [waiting]
    claimed = services.claim(session_id=waiting)
    assert claimed is not None
    Session.objects.all().delete()
    Sweeper().sweep(0.0)
    assert Job.objects.get(subject=waiting).state == State.OPEN
    jobs.release(claimed=claimed)
    sweeping = Sweeper()
    assert sweeping.sweep(0.0) == [] and Job.objects.get(subject=waiting).state == State.CANCELLED


def test_a_worker_ends_the_job_of_a_session_that_was_deleted(waiting: str, sent_subjects: list[str]) -> None:
    Session.objects.all().delete()
    assert advance(waiting)
    assert Job.objects.get(subject=waiting).state == State.CANCELLED


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["judgement", "comparison"])
def test_a_worker_ends_the_job_of_a_request_that_was_deleted(kind: str, sent_subjects: list[str]) -> None:
    Job.objects.create(kind=kind, subject="903", group="gone")
    assert STEPPERS[kind]("903")
    assert Job.objects.get().state == State.CANCELLED
