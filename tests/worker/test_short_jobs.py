"""Tests of endpoints and indexing, which are done though the worker that began with them has died."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from threading import Event

import pytest
from django.db import OperationalError
from django.utils import timezone

from webapp.caches.jobs import INDEX
from webapp.caches.models import ToolCache
from webapp.caches.services import create_cache
from webapp.endpoints.jobs import TEST
from webapp.endpoints.models import ModelEndpoint
from webapp.jobs import services
from webapp.jobs.kinds import Kind
from webapp.jobs.models import Job, State
from worker.lease_keeper import LOOK_S, RENEW_EVERY, lease_keeper
from worker.steppers import cache_index as indexing
from worker.steppers import endpoint_test as probing
from worker.steppers.whole_job import WholeJob
from worker.sweeper import Sweeper

pytestmark = pytest.mark.storage

SentMessages = list[tuple[str, str]]


@pytest.fixture(params=["test", "index"])
def stepper(request: pytest.FixtureRequest, db: None) -> WholeJob:
    """What does each kind of job, with something called “mine” to do it with."""
    if request.param == "index":
        create_cache(name="mine")
        return indexing
    ModelEndpoint.objects.create(name="mine", base_url="http://127.0.0.1:1/v1", model="m")
    return probing


@pytest.fixture
def kind(stepper: WholeJob) -> Kind:
    return stepper.kind


@pytest.fixture
def sent_messages(monkeypatch: pytest.MonkeyPatch) -> SentMessages:
    """The messages that go to the workers."""
    gone: SentMessages = []

    def send(kind: str, subject: str, **_: object) -> bool:
        gone.append((kind, subject))
        return True

    monkeypatch.setattr(services, "send_work", send)
    return gone


def _time_passes(seconds: float) -> None:
    held = Job.objects.exclude(expires_at=None).get()
    assert held.expires_at is not None
    Job.objects.filter(pk=held.pk).update(expires_at=held.expires_at - timedelta(seconds=seconds))


def test_what_was_asked_for_is_found_until_it_is_done(kind: Kind, sent_messages: SentMessages) -> None:
    mine = (kind.name, "mine")
    Sweeper().sweep(0.0)
    assert sent_messages == []
    services.enqueue(kind=kind, subject="mine")
    Sweeper().sweep(0.0)
    assert sent_messages == [mine] * 2
    claimed = services.claim(kind=kind, subject="mine")
    assert claimed and services.claim(kind=kind, subject="mine") is None
    Sweeper().sweep(0.0)
    assert sent_messages == [mine] * 2, "somebody does it"
    _time_passes(services.LEASE.total_seconds())
    Sweeper().sweep(0.0)
    assert sent_messages == [mine] * 3, "whoever did it has died"
    again = services.claim(kind=kind, subject="mine")
    assert again and again.token > claimed.token
    assert not services.finish(claimed=claimed), "the first one comes too late"
    assert services.finish(claimed=again)
    Sweeper().sweep(10_000.0)
    assert sent_messages == [mine] * 3 and services.claim(kind=kind, subject="mine") is None


@pytest.mark.both_engines
def test_what_is_asked_for_twice_is_done_once(kind: Kind, sent_messages: SentMessages) -> None:
    services.enqueue(kind=kind, subject="mine")
    services.enqueue(kind=kind, subject="mine")
    assert Job.objects.count() == 1 and len(sent_messages) == 2
    claimed = services.claim(kind=kind, subject="mine")
    assert claimed and services.finish(claimed=claimed)
    services.enqueue(kind=kind, subject="mine")
    assert [job.state for job in Job.objects.order_by("pk")] == [State.DONE, State.OPEN]


@pytest.mark.both_engines
@pytest.mark.django_db(transaction=True)
def test_who_does_it_keeps_it(kind: Kind) -> None:
    services.enqueue(kind=kind, subject="mine")
    claimed = services.claim(kind=kind, subject="mine")
    assert claimed
    _time_passes(services.LEASE.total_seconds() - 4)
    with lease_keeper().keep_lease(claimed):
        time.sleep(2 * RENEW_EVERY * LOOK_S)
        assert not lease_keeper().is_unwanted(claimed)
    job = Job.objects.get()
    assert job.expires_at and job.expires_at > timezone.now() + services.LEASE / 3


@pytest.mark.both_engines
@pytest.mark.parametrize(
    "raised", [None, SystemExit("killed"), OperationalError("away"), RuntimeError("broken")]
)
def test_the_worker_takes_it_once_and_only_a_death_leaves_it_to_be_done(
    stepper: WholeJob, raised: BaseException | None
) -> None:
    done: list[str] = []

    def work(claimed: services.Claim) -> None:
        done.append(claimed.subject)
        if raised:
            raise raised

    stepper = replace(stepper, run=work)
    assert not stepper("mine") and done == [], "nobody asked for it"
    services.enqueue(kind=stepper.kind, subject="mine")
    with suppress(SystemExit, OperationalError):
        stepper("mine")
    stepper("mine")
    assert done == ["mine"]
    if isinstance(raised, SystemExit):
        _time_passes(services.LEASE.total_seconds())
    if isinstance(raised, OperationalError):
        Job.objects.update(due_at=timezone.now())
    left = isinstance(raised, SystemExit | OperationalError)
    assert services.due(kind=stepper.kind) == (["mine"] if left else [])
    assert Job.objects.get().error == ("broken" if isinstance(raised, RuntimeError) else "")


def test_what_ends_its_worker_again_and_again_is_given_up(stepper: WholeJob) -> None:
    services.enqueue(kind=stepper.kind, subject="mine")
    Job.objects.update(attempts=stepper.kind.attempts)
    assert stepper("mine")
    job = Job.objects.get()
    assert job.state == State.FAILED and job.error.startswith("5 workers ended")
    told = ToolCache.objects.first() or ModelEndpoint.objects.get()
    assert job.error in (told.indexing if isinstance(told, ToolCache) else told.findings["problem"])


def test_why_a_cache_is_not_indexed_stands_on_its_page(db: None) -> None:
    def full(claimed: services.Claim) -> None:
        raise OSError(28, "No space left on device")

    create_cache(name="mine")
    services.enqueue(kind=INDEX, subject="mine")
    replace(indexing, run=full)("mine")
    assert "No space left on device" in ToolCache.objects.get().indexing and services.due(kind=INDEX) == []


@pytest.mark.django_db(transaction=True)
def test_indexing_is_broken_off_when_somebody_cancels_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(*, name: str, progress: Callable[[str, int, int], None]) -> None:
        progress("search_poi", 1, 10)
        assert INDEX.cancel
        INDEX.cancel(name)
        while True:
            progress("search_poi", 2, 10)
            Event().wait(0.05)

    monkeypatch.setattr("worker.steppers.indexes.index_cache", endless)
    create_cache(name="mine")
    services.enqueue(kind=INDEX, subject="mine")
    assert indexing("mine")
    job = Job.objects.get()
    assert (job.state, job.of) == (State.CANCELLED, 10)
    assert job.done in (1, 2), "where a machine is slow, the second step is stored before it is known"
    assert "cancelled" in ToolCache.objects.get().indexing


def test_a_test_that_was_cancelled_before_it_began_is_not_made(db: None) -> None:
    ModelEndpoint.objects.create(name="mine", base_url="http://127.0.0.1:1/v1", model="m")
    services.enqueue(kind=TEST, subject="mine")
    services.cancel(kind=TEST, subject="mine")
    assert probing("mine")
    assert Job.objects.get().state == State.CANCELLED
    assert ModelEndpoint.objects.get().findings["state"] == "failed"
