from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client

import tests.toyplans
import tests.toyplans.pages
from benchmark.suites import SUITES
from tests.webapp.conftest import HOSTILE
from webapp.accounts.models import Role, User
from webapp.catalogue.models import Task, World
from webapp.pages import ROOMS, pages_of
from webapp.sessions.models import Session
from webapp.sessions.services import Setup, create_session
from worker.sessions import advance

PLACES = ["西湖风景名胜区", "灵隐寺", HOSTILE]


@pytest.fixture(autouse=True)
def register_toy_suite(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The line that a benchmark adds outside its folders, and its room among those of the pages."""
    monkeypatch.setitem(SUITES, "toyplans", "tests.toyplans.suite")
    monkeypatch.setitem(sys.modules, f"{ROOMS}.toyplans", tests.toyplans)
    monkeypatch.setitem(sys.modules, f"{ROOMS}.toyplans.pages", tests.toyplans.pages)
    pages_of.cache_clear()
    yield
    pages_of.cache_clear()


@pytest.fixture
def trip(tmp_path: Path, starter_world: World) -> Task:
    """A task whose last place is markup, and whose budget is too small for all."""
    file = tmp_path / "trips.jsonl"
    file.write_text(json.dumps({"task_id": "trip-1", "city": "杭州市", "places": PLACES, "budget": 100}))
    call_command("import_tasks", file, "--suite", "toyplans")
    return Task.objects.get(task_id="trip-1")


@pytest.fixture
def play(trip: Task, starter_world: World) -> Callable[[], Session]:
    """Has a worker play the task."""

    def play_trip() -> Session:
        setup = Setup(agent="planner", users="sleeper")
        session = create_session(task=trip, world=starter_world, setup=setup, start=False)
        advance(session.pk, budget_s=None, paced=False)
        session.refresh_from_db()
        return session

    return play_trip


@pytest.fixture
def client(db: None) -> Client:
    client = Client()
    client.force_login(User.objects.create_user("researcher", role=Role.RESEARCHER))
    return client
