"""Runs whose sessions ended as a test wishes, without being played."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from django.utils import timezone

from benchmark.core.model_use import ModelUse
from benchmark.core.tool_use import ToolUse
from tests.scores import store_score
from webapp.catalogue.models import Task, World
from webapp.jobs.services import drop
from webapp.runs.services import create_run
from webapp.sessions.jobs import SESSION
from webapp.sessions.models import Run, Session, Status
from webapp.sessions.services import Setup


@pytest.fixture
def make_run(starter_world: World, starter_tasks: list[Task]) -> Callable[..., Run]:
    """A run over the first tasks; nobody plays it."""

    def create_named_run(
        tasks: int = 3, trials: int = 1, name: str = "a run", first: int = 0, **setup: Any
    ) -> Run:
        return create_run(
            name=name,
            tasks=starter_tasks[first : first + tasks],
            world=starter_world,
            setup=Setup(**setup),
            trials=trials,
            start=False,
        )

    return create_named_run


def end(
    session: Session,
    status: Status = Status.FINISHED,
    reason: str = "plan_generated",
    uses: dict[str, ToolUse] | None = None,
    models: Sequence[ModelUse] = (),
    **figures: Any,
) -> None:
    """End a session with these scores and this use of tools and models."""
    given = {"pc": 0.5, "gu": 4.0, "gf": 60.0, "pv": True, "issues": 0, **figures}
    if status != Status.FINISHED:
        given = dict.fromkeys(given)
    drop(kind=SESSION, subject=session.pk)
    Session.objects.filter(pk=session.pk).update(
        status=status,
        completion_reason=reason,
        plan_generated=status == Status.FINISHED,
        started_at=timezone.now(),
        finished_at=timezone.now(),
        tool_use={name: use.as_json() for name, use in (uses or {}).items()},
        model_use=[use.as_json() for use in models],
    )
    store_score(session, **given)


def use(
    calls: int = 1, hits: int = 0, simulated: int = 0, errors: int = 0, kind: str = "arguments"
) -> ToolUse:
    """Calls that were all answered, in 5 ms each."""
    made = ToolUse(calls=calls, hits=hits, misses=calls - hits, simulated=simulated, latencies=[5.0] * calls)
    if errors:
        made.errors[kind] = errors
    return made
