"""Why sessions of a run failed, like causes together."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import F

from webapp.sessions.models import Event, Run, Session, Status

MOST_SHOWN = 12
"""Sessions of a cause that are linked."""
_VARYING = re.compile(r"0x[0-9a-f]+|[0-9a-f-]{12,}|\d+(?:[.,:]\d+)*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Cause:
    """Sessions that failed alike. key: names the cause in addresses. reason: the completion reason; detail: of one of
    them, "" where the log tells none.
    """

    key: str
    reason: str
    detail: str
    sessions: tuple[Session, ...]

    @property
    def count(self) -> int:
        """How many sessions there are."""
        return len(self.sessions)

    @property
    def shown_sessions(self) -> tuple[Session, ...]:
        """The first of them."""
        return self.sessions[:MOST_SHOWN]

    @property
    def more(self) -> int:
        """How many others there are."""
        return max(0, self.count - MOST_SHOWN)


def causes(run: Run) -> list[Cause]:
    """The causes of a run's crashes, the most frequent first, then the sessions that were stopped."""
    failed = Session.objects.filter(run=run, status__in=(Status.CRASHED, Status.STOPPED))
    by_cause: dict[str, list[tuple[Session, str]]] = {}
    details = _details(run)
    columns = ("status", "completion_reason", "trial_id", "task__task_id")
    for session in failed.order_by("created_at", "pk").select_related("task").only(*columns):
        detail = details.get(session.pk, "")
        by_cause.setdefault(_key(session, detail), []).append((session, detail))
    return sorted(_causes(by_cause), key=lambda cause: (cause.reason == "stopped", -cause.count))


def _details(run: Run) -> dict[str, str]:
    """What the error before the end of each crashed session says."""
    crashed = Event.objects.filter(session__run=run, session__status=Status.CRASHED, type="error_raised")
    last = crashed.filter(seq=F("session__last_seq") - 1).order_by()
    return {pk: str(payload.get("detail", "")) for pk, payload in last.values_list("session", "payload")}


def _key(session: Session, detail: str) -> str:
    """The same for causes that differ in numbers and ids alone."""
    alike = _VARYING.sub("#", detail)
    return hashlib.sha256(f"{session.completion_reason}\n{alike}".encode()).hexdigest()[:12]


def _causes(by_cause: dict[str, list[tuple[Session, str]]]) -> Iterator[Cause]:
    for key, alike in by_cause.items():
        first, detail = alike[0]
        yield Cause(key, first.completion_reason, detail, tuple(session for session, _ in alike))


def sessions_of(run: Run, key: str) -> list[str]:
    """The ids of the sessions that failed of this cause."""
    return [session.pk for cause in causes(run) if cause.key == key for session in cause.sessions]
