"""What waits for what: jobs that no worker has, those with the same reason together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from django.db.models import Case, Count, Min, Q, QuerySet, Value, When
from django.utils.functional import Promise

from webapp import clock
from webapp.jobs.kinds import JobGroup, kind_named, kinds
from webapp.jobs.models import Job
from webapp.jobs.services import MAIL, unheld


class Reason(StrEnum):
    """Why a job waits: somebody paused it, for the words of a person or a program, for a place at a model, for a
    moment such as that of the next try, for an earlier job of its group to end, or for a worker.
    """

    PAUSED = "paused"
    MAIL = "mail"
    PLACE = "place"
    TIME = "time"
    ROOM = "room"
    WORKER = "worker"


@dataclass(frozen=True, slots=True)
class Wait:
    """Jobs of one kind and group that wait for the same.

    group: None for jobs of none. model: whose place they wait for. limit: how many of the group may be begun. until:
    the first moment at which one of them goes on. since: when the first was asked for.
    """

    kind: str | Promise
    group: JobGroup | None
    reason: Reason
    count: int
    since: datetime
    model: str = ""
    limit: int | None = None
    until: datetime | None = None


def waits(jobs: QuerySet[Job] | None = None) -> list[Wait]:
    """The jobs that wait now, the largest group first. jobs: among which; all of them by default."""
    now = clock.now()
    waiting = (Job.objects.all() if jobs is None else jobs).filter(unheld(now), ended_at=None)
    reason = Case(
        When(paused=True, then=Value(Reason.PAUSED)),
        When(waits_for=MAIL, then=Value(Reason.MAIL)),
        When(~Q(waits_for=""), then=Value(Reason.PLACE)),
        When(due_at__gt=now, then=Value(Reason.TIME)),
        When(started_at=None, then=Value(Reason.ROOM)),
        default=Value(Reason.WORKER),
    )
    rows = waiting.order_by().values("kind", "group", "waits_for", reason=reason)
    counted = rows.annotate(n=Count("pk"), since=Min("created_at"), until=Min("due_at"))
    limits, groups = _full_groups(), _groups(counted)
    found = [_wait(row, limits, groups) for row in counted]
    return sorted(found, key=lambda wait: -wait.count)


def _wait(
    row: Mapping[str, Any],
    limits: Mapping[tuple[str, str], int],
    groups: Mapping[tuple[str, str], JobGroup],
) -> Wait:
    kind, key, reason = kind_named(row["kind"]), (row["kind"], row["group"]), Reason(row["reason"])
    limit = limits.get(key)
    if reason == Reason.ROOM and limit is None:
        reason = Reason.WORKER
    return Wait(
        kind=kind.label if kind else row["kind"],
        group=groups.get(key),
        reason=reason,
        count=row["n"],
        since=row["since"],
        model=row["waits_for"] if reason == Reason.PLACE else "",
        limit=limit if reason == Reason.ROOM else None,
        until=row["until"] if reason == Reason.TIME else None,
    )


def _full_groups() -> dict[tuple[str, str], int]:
    """The limits of the groups in which no further job may begin, by kind and group."""
    full: dict[tuple[str, str], int] = {}
    for kind in kinds():
        limits = kind.limits() if kind.limits is not None else {}
        begun = Job.objects.filter(kind=kind.name, ended_at=None, group__in=list(limits)).exclude(
            started_at=None
        )
        counts = dict(begun.order_by().values_list("group").annotate(Count("pk")))
        full |= {
            (kind.name, group): limit for group, limit in limits.items() if counts.get(group, 0) >= limit
        }
    return full


def _groups(rows: Iterable[Mapping[str, Any]]) -> dict[tuple[str, str], JobGroup]:
    named: dict[str, set[str]] = {}
    for row in rows:
        if row["group"]:
            named.setdefault(row["kind"], set()).add(row["group"])
    return {
        (name, group): shown
        for name, ids in named.items()
        if (kind := kind_named(name)) is not None and kind.groups is not None
        for group, shown in kind.groups(ids).items()
    }
