"""Tests of endpoints and indexing, which are done though the worker that began with them has died."""

from __future__ import annotations

import time
from contextlib import suppress
from datetime import timedelta
from functools import partial

import pytest
from django.db import OperationalError
from django.utils import timezone

from webapp.caches.models import ToolCache
from webapp.caches.services import INDEX, create_cache
from webapp.endpoints.models import ModelEndpoint
from webapp.endpoints.services import TEST
from webapp.errands import HELD, Errand
from worker import sweeper, tasks
from worker.heart import BEATS, LOOK_S, heart
from worker.sweeper import Sweeper

pytestmark = pytest.mark.storage


@pytest.fixture(params=["test", "index"])
def errand(request: pytest.FixtureRequest, db: None) -> Errand:
    """Each kind of errand, with something called “mine” to do it with."""
    if request.param == "index":
        create_cache(name="mine")
        return INDEX
    ModelEndpoint.objects.create(name="mine", base_url="http://127.0.0.1:1/v1", model="m")
    return TEST


@pytest.fixture
def enqueued(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    sent: list[str] = []
    for name in ("enqueue_probe", "enqueue_index"):
        monkeypatch.setattr(sweeper, name, sent.append)
    return sent


def _time_passes(errand: Errand, seconds: float) -> None:
    row = errand.model._default_manager.get(name="mine")
    past = getattr(row, errand.due) - timedelta(seconds=seconds)
    errand.model._default_manager.update(**{errand.due: past})


def test_what_was_asked_for_is_found_until_it_is_done(errand: Errand, enqueued: list[str]) -> None:
    Sweeper().sweep(0.0)
    assert enqueued == []
    errand.ask("mine")
    Sweeper().sweep(0.0)
    assert enqueued == ["mine"]
    assert errand.take("mine") and not errand.take("mine")
    Sweeper().sweep(0.0)
    assert enqueued == ["mine"], "somebody does it"
    _time_passes(errand, HELD.total_seconds())
    Sweeper().sweep(0.0)
    assert enqueued == ["mine", "mine"], "whoever did it has died"
    assert errand.take("mine")
    errand.end("mine")
    Sweeper().sweep(10_000.0)
    assert enqueued == ["mine", "mine"] and not errand.take("mine")


@pytest.mark.django_db(transaction=True)
def test_who_does_it_keeps_it(errand: Errand) -> None:
    errand.ask("mine")
    assert errand.take("mine")
    _time_passes(errand, HELD.total_seconds() - 1)
    with heart().renewing(partial(errand.keep, "mine")):
        time.sleep(2 * BEATS * LOOK_S)
    row = errand.model._default_manager.get(name="mine")
    assert getattr(row, errand.due) > timezone.now() + HELD / 3


@pytest.mark.parametrize(
    "raised", [None, SystemExit("killed"), OperationalError("away"), RuntimeError("broken")]
)
def test_the_worker_takes_it_once_and_only_a_death_leaves_it_to_be_done(
    errand: Errand, monkeypatch: pytest.MonkeyPatch, raised: BaseException | None
) -> None:
    done: list[str] = []

    def work(*, name: str) -> None:
        done.append(name)
        if raised:
            raise raised

    monkeypatch.setattr(tasks, "close_old_connections", lambda: None)
    monkeypatch.setattr(tasks, "run_test", work)
    monkeypatch.setattr(tasks, "index_cache", work)
    task = tasks.probe_endpoint if errand is TEST else tasks.index_named_cache
    task("mine")
    assert done == [], "nobody asked for it"
    errand.ask("mine")
    with suppress(SystemExit, RuntimeError):
        task("mine")
    task("mine")
    assert done == ["mine"]
    left = isinstance(raised, SystemExit | OperationalError)
    if left:
        _time_passes(errand, HELD.total_seconds())
    assert errand.undone() == (["mine"] if left else [])


def test_why_a_cache_is_not_indexed_stands_on_its_page(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*, name: str) -> None:
        raise OSError(28, "No space left on device")

    create_cache(name="mine")
    INDEX.ask("mine")
    monkeypatch.setattr(tasks, "close_old_connections", lambda: None)
    monkeypatch.setattr(tasks, "index_cache", full)
    tasks.index_named_cache("mine")
    assert "No space left on device" in ToolCache.objects.get().indexing and INDEX.undone() == []
