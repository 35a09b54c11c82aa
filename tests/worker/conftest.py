"""What tests of the worker start from."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.model_server import ModelServer, model_server
from webapp.catalogue.models import Task


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server() as running:
        yield running


@pytest.fixture
def task(starter_tasks: list[Task]) -> Task:
    """The first easy one."""
    return next(task for task in starter_tasks if task.difficulty == "easy")
