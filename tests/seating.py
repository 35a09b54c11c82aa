"""Sessions over models, for tests: endpoints, and playing a session without waiting for what it waits for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmark.core.events import EventBody, ModelCalled
from webapp.catalogue.models import Task, World
from webapp.endpoints.models import ModelEndpoint
from webapp.endpoints.services import create_endpoint
from webapp.jobs.models import Job
from webapp.sessions import services
from webapp.sessions.jobs import SESSION
from webapp.sessions.log import whole_log
from webapp.sessions.models import Session
from worker.sessions import advance

MOST_STEPS = 3_000
Make = Callable[..., Session]


def endpoint_at(url: str, model: str, **fields: Any) -> ModelEndpoint:
    """An endpoint of this address and model, under a name made of the model's."""
    name = "".join(letter if letter.isalnum() else "-" for letter in model)
    return create_endpoint(**{"name": name, "base_url": url, "model": model, **fields})


def session_with_models(
    task: Task, world: World, agent: ModelEndpoint, users: ModelEndpoint | None = None, **setup: Any
) -> Session:
    """A session with models in the agent's seat and, where there is one, in every traveller's."""
    given = {
        "agent": "llm",
        "agent_model": agent,
        "users": "llm" if users else "scripted",
        "user_model": users,
    }
    chosen = services.Setup(**{**given, **setup})
    return services.create_session(task=task, world=world, setup=chosen, start=False)


def play(session: Session, *, budget_s: float | None = None) -> Session:
    """To its end, without the pauses between attempts."""
    for _ in range(MOST_STEPS):
        Job.objects.filter(kind=SESSION.name, subject=session.pk).update(due_at=None)
        ModelEndpoint.objects.update(not_before=None)
        if not advance(session.pk, budget_s=budget_s, paced=False):
            break
    session.refresh_from_db()
    return session


def bodies(session: Session) -> list[EventBody]:
    """What a session's log holds."""
    return [event.body for event in whole_log(session.pk)]


def calls(session: Session) -> list[ModelCalled]:
    """The requests to models in a session's log."""
    return [body for body in bodies(session) if isinstance(body, ModelCalled)]
