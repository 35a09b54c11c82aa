"""Reading sets of sessions."""

from __future__ import annotations

from django.db.models import Count, Min, Q, QuerySet

from webapp.sessions.models import COUNTED_STATUSES, Session
from webapp.sets.models import SessionSet


def sets() -> QuerySet[SessionSet]:
    """All of them, the newest first, with how many sessions each holds: `size`, and `counted`, those that ended by
    themselves.
    """
    ended = Count("sessions", filter=Q(sessions__status__in=COUNTED_STATUSES))
    return SessionSet.objects.annotate(size=Count("sessions"), counted=ended)


def task_ids(chosen: SessionSet) -> list[str]:
    """The tasks of its sessions, each once, in the order of their collections."""
    rows = Session.objects.filter(sets=chosen).order_by()
    named = rows.values("task__task_id").annotate(
        place=Min("task__position"), collection=Min("task__collection")
    )
    return [row["task__task_id"] for row in named.order_by("collection", "place", "task__task_id")]


def suites_of(chosen: SessionSet) -> list[str]:
    """The benchmarks of its sessions, by name."""
    return sorted(set(Session.objects.filter(sets=chosen).order_by().values_list("suite", flat=True)))


def set_choices() -> list[tuple[int, str]]:
    """All of them by key, for forms."""
    return list(SessionSet.objects.values_list("pk", "name"))
