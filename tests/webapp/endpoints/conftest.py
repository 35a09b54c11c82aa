"""An endpoint, and sessions over it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from webapp.catalogue.models import Task, World
from webapp.endpoints.models import ModelEndpoint
from webapp.sessions.models import Session
from webapp.sessions.services import Setup, create_session


@pytest.fixture
def endpoint(db: None) -> ModelEndpoint:
    return ModelEndpoint.objects.create(name="mine", base_url="http://127.0.0.1:9/v1", model="some/model:7b")


@pytest.fixture
def make_model_session(
    endpoint: ModelEndpoint, starter_world: World, starter_tasks: list[Task]
) -> Callable[..., Session]:
    """A session whose agent speaks through the endpoint; nobody plays it."""

    def create_model_session(**setup: Any) -> Session:
        chosen = Setup(**{"agent": "llm", "agent_model": endpoint, **setup})
        return create_session(task=starter_tasks[0], world=starter_world, setup=chosen, start=False)

    return create_model_session
