"""TravelBench's sessions, played by a worker without a model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.webapp.conftest import HOSTILE
from webapp.catalogue.models import Task, World
from webapp.catalogue.starter import load_starter_tasks
from webapp.sessions.models import Session
from webapp.sessions.services import Setup, create_session
from worker.sessions import advance

Play = Callable[..., Session]


@pytest.fixture
def shipped_tasks(starter_world: World) -> dict[str, Task]:
    """TravelBench's own tasks in the database, by id."""
    load_starter_tasks(["travelbench"])
    return {task.task_id: task for task in Task.objects.all()}


@pytest.fixture
def hostile(shipped_tasks: dict[str, Task]) -> Task:
    """A multi-turn task whose every text is markup."""
    task = shipped_tasks["travelbench-multi-starter-2"]
    texts = {
        name: f"{task.definition[name]} {HOSTILE}" for name in ("query", "intent", "user_profile", "context")
    }
    Task.objects.filter(pk=task.pk).update(definition=task.definition | texts, query=texts["query"])
    return Task.objects.get(pk=task.pk)


@pytest.fixture
def play(starter_world: World) -> Play:
    """Plays a task to its end, by default with the reference agent and the scripted user."""

    def run(task: Task, **setup: Any) -> Session:
        chosen = Setup(**{"agent": "reference", "users": "scripted", **setup})
        session = create_session(task=task, world=starter_world, setup=chosen, start=False)
        advance(session.pk, budget_s=None, paced=False)
        session.refresh_from_db()
        return session

    return run
