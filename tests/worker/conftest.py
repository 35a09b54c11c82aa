"""What tests of the worker start from."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from django.db.models import QuerySet

from tests.installation import Installation, example_installation
from tests.model_server import ModelServer, model_server
from tests.seating import Make, session_with_models
from webapp.catalogue.models import Task, World
from webapp.sessions.models import Session
from webapp.sessions.services import Setup, create_session


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """`make run`, one for all tests of a process: what they kill of it comes back."""
    with example_installation(tmp_path_factory.mktemp("site") / "data") as installation:
        yield installation


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server() as running:
        yield running


@pytest.fixture
def task(stored_tasks: QuerySet[Task]) -> Task:
    """The first easy one."""
    return stored_tasks.filter(difficulty="easy")[0]


@pytest.fixture
def make_session(task: Task, starter_world: World) -> Make:
    """A new session of that task, by the arguments of its setup; nobody plays it."""

    def make(**setup: Any) -> Session:
        return create_session(task=task, world=starter_world, setup=Setup(**setup), start=False)

    return make


@pytest.fixture
def make_model_session(task: Task, starter_world: World) -> Make:
    """A new session of that task with models in its seats, as `seated` makes it."""
    return partial(session_with_models, task, starter_world)
