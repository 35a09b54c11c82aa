from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client

from benchmark.suites import SUITES
from sandbox.toolsets import TOOLSETS
from tests.toysuite.tools import COUNTING
from tests.webapp.conftest import HOSTILE
from webapp.accounts.models import Role, User
from webapp.catalogue.models import Task, World
from webapp.sessions.models import Session
from webapp.sessions.services import Setup, create_session
from worker.sessions import advance


@pytest.fixture(autouse=True)
def register_toy_suite(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lines that a benchmark with a toolset adds outside its folders."""
    monkeypatch.setitem(SUITES, "toy", "tests.toysuite.suite")
    monkeypatch.setitem(TOOLSETS, COUNTING.name, COUNTING)


@pytest.fixture
def session(tmp_path: Path, starter_world: World) -> Session:
    """A game whose task came from a file, with a hint that is markup, and which a worker has played."""
    file = tmp_path / "toys.jsonl"
    file.write_text(json.dumps({"task_id": "toy-3", "number": 3, "hint": HOSTILE}))
    call_command("import_tasks", file, "--suite", "toy")
    task = Task.objects.get(task_id="toy-3")
    setup = Setup(agent="asker", users="knower")
    session = create_session(task=task, world=starter_world, setup=setup, start=False)
    advance(session.pk, budget_s=None, paced=False)
    session.refresh_from_db()
    return session


@pytest.fixture
def researcher(session: Session) -> User:
    return User.objects.create_user("researcher", role=Role.RESEARCHER)


@pytest.fixture
def client(researcher: User) -> Client:
    """Before which a game has been played."""
    client = Client()
    client.force_login(researcher)
    return client
