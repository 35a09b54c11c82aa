"""The sweeper: it finds what nobody works on, and does not flood the queue with it."""

from __future__ import annotations

import pytest

from webapp.catalogue.models import Task, World
from webapp.jobs import services as jobs
from webapp.sessions import services
from worker.sweeper import Sweeper

pytestmark = pytest.mark.storage


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    enqueued: list[str] = []
    monkeypatch.setattr(jobs, "send_work", lambda _kind, subject, **_: enqueued.append(subject))
    return enqueued


@pytest.fixture
def waiting(starter_world: World, starter_tasks: list[Task]) -> str:
    session = services.create_session(
        task=starter_tasks[0], world=starter_world, setup=services.Setup(), start=False
    )
    return session.pk


def test_a_forgotten_session_is_enqueued(waiting: str, sent: list[str]) -> None:
    Sweeper().sweep(0.0)
    assert sent == [waiting]


def test_a_session_that_somebody_works_on_is_left_alone(waiting: str, sent: list[str]) -> None:
    assert services.claim(session_id=waiting)
    assert Sweeper().sweep(0.0) == sent == []


def test_one_that_stays_due_is_repeated_ever_more_rarely(waiting: str, sent: list[str]) -> None:
    sweeping = Sweeper()
    times = [second for second in range(0, 120, 2) if sweeping.sweep(float(second))]
    assert times == [0, 2, 6, 14, 30, 60, 90]
    claimed = services.claim(session_id=waiting)
    assert claimed is not None
    sweeping.sweep(121.0)
    jobs.release(claimed=claimed)
    assert sweeping.sweep(122.0) == [f"session {waiting}"]
