"""Sessions whose worker is killed at each of its steps, for tests."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from webapp.jobs.models import Job
from webapp.sessions import services
from webapp.sessions.jobs import SESSION
from webapp.sessions.models import Session
from worker.sessions import advance, storage

MOST_DEATHS, MOST_FAILURES = 120, 10


class WorkerKilled(BaseException):
    """What a worker that is killed does not handle."""


def let_lease_run_out(session: Session) -> None:
    """So that another worker takes the session at once."""
    held = Job.objects.filter(kind=SESSION.name, subject=session.pk)
    held.update(expires_at=timezone.now() - timedelta(seconds=1))


def advance_to_end(session: Session) -> None:
    """Play a session to its end by one worker. A request that fails is made again, as it is once that is due."""
    for _ in range(MOST_FAILURES):
        advance(session.pk, budget_s=None, paced=False)
        session.refresh_from_db()
        if session.ended:
            return
        Job.objects.filter(kind=SESSION.name, subject=session.pk).update(due_at=timezone.now())
    raise AssertionError(f"it does not end after {MOST_FAILURES} requests that failed")


def play_with_deaths(
    session: Session,
    monkeypatch: pytest.MonkeyPatch,
    is_stored: Callable[[int], bool],
    between: Callable[[int], None] = lambda deaths: None,
    *,
    late_s: float = -1.0,
) -> int:
    """Play a session to its end by workers of which each dies at the first step that none died at; tells how many.

    is_stored: whether the one that dies at this sequence number has stored the step before. between: done after each
    death, told their number. late_s: how long quick steps may wait to be stored together, by default none does.
    """
    real, dead = services.append, set[int]()

    def store_and_die(**given: Any) -> Any:
        first = given["events"][0].seq
        if first in dead:
            return real(**given)
        dead.add(first)
        if is_stored(first):
            real(**given)
        raise WorkerKilled

    with monkeypatch.context() as patched:
        patched.setattr(services, "append", store_and_die)
        patched.setattr(storage, "LATE_S", late_s)
        for _ in range(MOST_DEATHS):
            try:
                advance_to_end(session)
                return len(dead)
            except WorkerKilled:
                let_lease_run_out(session)
                between(len(dead))
    raise AssertionError(f"it does not end after {MOST_DEATHS} deaths")
