"""Sessions over caches."""

from __future__ import annotations

from typing import Any

import pytest

from benchmark.core.events import ToolReturned
from tests.seating import Make, bodies
from webapp.caches.choice import SandboxChoice
from webapp.caches.models import ToolCache
from webapp.catalogue.models import Task, World
from webapp.sessions.models import Session
from webapp.sessions.services import Setup, create_session
from worker.sessions import advance


@pytest.fixture
def easy(cache: ToolCache, starter_world: World, starter_tasks: list[Task]) -> Task:
    """A short task. The cache comes first: its data folder is the world's too."""
    return next(task for task in starter_tasks if task.task_id == "starter_01")


@pytest.fixture
def new(easy: Task, starter_world: World) -> Make:
    """A session that nobody has played: its mode and cache, its task, the rest of its setup."""

    def make(*chosen: Any, task: Task = easy, **setup: Any) -> Session:
        given = Setup(sandbox=SandboxChoice(*chosen), **setup)
        return create_session(task=task, world=starter_world, setup=given, start=False)

    return make


@pytest.fixture
def played_session(new: Make) -> Make:
    """One that is played to its plan."""

    def play(*chosen: Any, **given: Any) -> Session:
        session = new(*chosen, **given)
        advance(session.id, budget_s=None)
        session.refresh_from_db()
        assert session.completion_reason == "plan_generated"
        return session

    return play


def answers(session: Session) -> list[ToolReturned]:
    return [body for body in bodies(session) if isinstance(body, ToolReturned)]
