"""What monitors are told: that a process answers, and whether it can do its work."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from webapp import clock
from webapp.endpoints.jobs import TEST
from webapp.jobs import services
from webapp.jobs.models import Job
from webapp.processes.models import Kind, Process
from webapp.watching import readiness
from webapp.watching.looking import BoundedLook
from webapp.watching.readiness import StoredState

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """No look of another test is told again."""
    for name in ("stored_look", "broker_look"):
        look = getattr(readiness, name)
        monkeypatch.setattr(readiness, name, BoundedLook(look._look, keep_s=0.0, patience_s=look._patience_s))


def test_health_needs_no_account_and_no_database(client: Client) -> None:
    with CaptureQueriesContext(connection) as queries:
        response = client.get("/health")
    assert len(queries) == 0
    assert (response.status_code, response.json()) == (200, {"alive": True})
    assert not response.cookies


@pytest.mark.storage
@pytest.mark.django_db(transaction=True)
def test_ready_tells_of_processes_and_of_the_oldest_job_that_is_due(client: Client) -> None:
    now = clock.now()
    Process.objects.create(name="lab/1", kind=Kind.WORKER, version="1", started_at=now, seen_at=now)
    services.add(kind=TEST, subjects=["1"])
    Job.objects.update(created_at=now - timedelta(minutes=10))
    response = client.get("/ready")
    told = response.json()
    assert (response.status_code, told["ready"], told["workers"], told["web"]) == (200, True, 1, 0)
    assert told["oldest_due_s"] == {"short": pytest.approx(600, abs=30)}
    assert [trouble.split(" is due")[0] for trouble in told["troubles"]] == ["a job of the queue short"]
    assert not response.cookies
    services.enqueue(kind=TEST, subject="1")
    assert client.get("/ready").json()["troubles"] == [], "it was asked for just now"


@pytest.mark.django_db(transaction=True)
def test_no_worker_is_a_trouble_and_keeps_no_page_from_being_served(client: Client) -> None:
    response = client.get("/ready")
    assert (response.status_code, response.json()["troubles"]) == (200, ["no worker lives"])


def test_a_database_that_fails_is_away(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> StoredState:
        raise OperationalError("password=hidden")

    monkeypatch.setattr(readiness.stored_look, "_look", fail)
    response = client.get("/ready")
    assert (response.status_code, response.json()["database"]) == (503, "away")
    assert b"hidden" not in response.content


def test_a_database_that_hangs_is_away_soon_and_waited_for_by_one_thread(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    over = threading.Event()
    looks: list[int] = []

    def hang() -> StoredState:
        looks.append(1)
        over.wait(60)
        return StoredState(1, 1, {})

    monkeypatch.setattr(readiness.stored_look, "_look", hang)
    monkeypatch.setattr(readiness.stored_look, "_patience_s", 0.05)
    for _ in range(3):
        assert client.get("/ready").status_code == 503
    assert looks == [1]
    over.set()
    end = time.monotonic() + 20
    while client.get("/ready").status_code != 200:
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.fixture
def silent_server() -> Iterator[int]:
    """A port that takes connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def test_a_broker_that_is_silent_or_gone_is_away(
    client: Client, settings: Any, monkeypatch: pytest.MonkeyPatch, silent_server: int
) -> None:
    monkeypatch.setattr(readiness.stored_look, "_look", lambda: StoredState(1, 1, {}))
    monkeypatch.setattr(readiness.broker_look, "_patience_s", 0.2)
    for url in (f"redis://127.0.0.1:{silent_server}/0", "redis://127.0.0.1:1/0", ""):
        monkeypatch.setattr(readiness.broker_look, "_outcome", None)
        settings.REDIS_URL = url
        response = client.get("/ready")
        assert (response.status_code, response.json()["broker"], response.json()["database"]) == (
            503,
            "away",
            "ok",
        )


def test_what_was_found_is_told_again_for_a_while() -> None:
    looks: list[int] = []
    look = BoundedLook(lambda: looks.append(1), keep_s=60.0, patience_s=20.0)
    for _ in range(3):
        look.find()
    assert looks == [1]
    look._keep_s = 0.0
    look.find()
    assert looks == [1, 1]
