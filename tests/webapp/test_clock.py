"""The time that processes share, whatever their own clocks say."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.db import OperationalError

from webapp import clock
from webapp.catalogue.models import Task, World
from webapp.endpoints import slots
from webapp.endpoints.models import ModelEndpoint, ModelSlot
from webapp.jobs import services as jobs
from webapp.jobs.models import Job
from webapp.sessions import services
from webapp.sessions.jobs import SESSION
from webapp.sessions.models import Session

pytestmark = [pytest.mark.django_db, pytest.mark.storage, pytest.mark.both_engines]
HOUR_S = 3600.0
TOLERANCE = timedelta(seconds=5)
Process = Callable[[float], AbstractContextManager[None]]


@pytest.fixture
def process(monkeypatch: pytest.MonkeyPatch) -> Process:
    """What happens within is of a process whose clock is so many seconds ahead."""
    steady, begun = time.monotonic, (time.time(), time.monotonic())

    @contextmanager
    def process_ahead(ahead_s: float) -> Iterator[None]:
        monkeypatch.setattr(clock, "_last", None)
        right = begun[0] + steady() - begun[1]
        with time_machine.travel(right + ahead_s, tick=True):
            yield
        monkeypatch.setattr(clock, "_last", None)

    return process_ahead


@pytest.fixture
def session(starter_world: World, starter_tasks: list[Task]) -> Session:
    return services.create_session(task=starter_tasks[0], world=starter_world, setup=services.Setup())


def right() -> datetime:
    return datetime.now(UTC)


@pytest.mark.parametrize("ahead_s", [HOUR_S, -HOUR_S])
def test_the_time_is_the_database_s(process: Process, ahead_s: float) -> None:
    with process(ahead_s):
        told, own = clock.now(), datetime.now(UTC)
    assert abs(told - right()) < TOLERANCE
    assert abs(own - right()) > timedelta(minutes=59)


@pytest.mark.parametrize("ahead_s", [HOUR_S, -HOUR_S])
def test_a_clock_that_is_set_changes_nothing(ahead_s: float) -> None:
    before = clock.now()
    with time_machine.travel(time.time() + ahead_s, tick=True):
        after = clock.now()
    assert abs(after - before) < TOLERANCE


def test_it_goes_on_while_the_database_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    clock.now()

    def fail_query() -> None:
        raise OperationalError("away")

    monkeypatch.setattr(clock, "MEASURED_EVERY_S", 0.0)
    monkeypatch.setattr(clock, "_measure_offset", fail_query)
    assert abs(clock.now() - right()) < TOLERANCE
    monkeypatch.setattr(clock, "_last", None)
    with pytest.raises(OperationalError):
        clock.now()


@pytest.mark.parametrize("ahead_s", [HOUR_S, -HOUR_S])
def test_a_lease_holds_among_workers_with_different_clocks(
    session: Session, process: Process, ahead_s: float
) -> None:
    with process(ahead_s):
        claimed = services.claim(session_id=session.pk)
        assert claimed is not None and jobs.renew(claimed=claimed)
    job = Job.objects.get(kind=SESSION.name, subject=session.pk)
    assert job.expires_at is not None and timedelta(0) < job.expires_at - right() < jobs.LEASE + TOLERANCE
    assert services.claim(session_id=session.pk) is None and jobs.due(kind=SESSION) == []
    with process(-ahead_s):
        assert services.claim(session_id=session.pk) is None and jobs.due(kind=SESSION) == []
    Job.objects.filter(pk=job.pk).update(expires_at=right() - timedelta(seconds=1))
    with process(-ahead_s):
        assert jobs.due(kind=SESSION) == [session.pk]
        assert services.claim(session_id=session.pk) is not None


@pytest.mark.parametrize("ahead_s", [HOUR_S, -HOUR_S])
def test_a_place_is_held_and_a_pause_kept_whoever_asks(process: Process, ahead_s: float) -> None:
    endpoint = ModelEndpoint.objects.create(name="one", base_url="u", model="m", concurrency=1)
    with process(ahead_s):
        holder = slots.take_place(endpoint=endpoint)
    with pytest.raises(slots.NoPlace):
        slots.take_place(endpoint=endpoint)
    held = ModelSlot.objects.get(holder=holder).expires_at
    assert held is not None and held - right() < slots.HOLD_TIME + TOLERANCE
    slots.give_back(holder=holder)
    with process(ahead_s):
        slots.pause(endpoint_name="one", seconds=20)
    with pytest.raises(slots.NoPlace) as told:
        slots.take_place(endpoint=endpoint)
    assert 10 < told.value.after_s < 20.1  # clocks of two processes differ by a microsecond


@pytest.mark.parametrize("ahead_s", [HOUR_S, -HOUR_S])
def test_events_have_the_shared_time(
    starter_world: World, starter_tasks: list[Task], process: Process, ahead_s: float
) -> None:
    with process(ahead_s):
        made = services.create_session(
            task=starter_tasks[0], world=starter_world, setup=services.Setup(), start=False
        )
    assert all(abs(event.at - right()) < TOLERANCE for event in made.events.all())
