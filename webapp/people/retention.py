"""How long studies keep what people said, and whose data is removed when.

A study says for how many days, or CARAVAN_RETENTION_DAYS does for all that say nothing. They are counted from when a
person was last there: the end of the session, or when they left, withdrew or answered the questions, whichever is
later. What is due is removed as if the person had asked for it (`webapp.people.personal`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple, Protocol

from django.conf import settings
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Coalesce, Greatest

from webapp import clock
from webapp.people.models import Guest, Study
from webapp.sessions.models import ENDED_STATUSES

RETENTION = "retention"
"""Who is named as the cause of such a removal."""
_TIMES = ("left_at", "withdrew_at", "answered_at")


class DueRemoval(NamedTuple):
    """A person whose data is removed at a moment. study: its name, "" for none."""

    guest: Guest
    study: str
    due_at: datetime


class Removal(NamedTuple):
    """What a command removes at a moment. words, row: what it tells of it; remove: gives how many people's it was."""

    due_at: datetime
    words: str
    row: Mapping[str, Any]
    remove: Callable[[], int]


FURTHER_REMOVALS: list[Callable[[], Iterator[Removal]]] = []
"""What is removed beside the data of people who took seats; apps above add theirs."""


class KeepingStudy(Protocol):
    """A study that says for how many days it keeps data of people."""

    keep_days: int | None


def kept_days(study: KeepingStudy) -> int | None:
    """For how many days a study keeps data, None for ever."""
    return study.keep_days or settings.CARAVAN_RETENTION_DAYS or None


def kept_guests() -> QuerySet[Any]:
    """People, not programs, of ended sessions whose data is there, with `last_at` and their study's `keep_days`."""
    ended_at = F("seat__session__finished_at")
    last_at = Greatest(ended_at, *(Coalesce(time, ended_at) for time in _TIMES))
    rows = Guest.objects.filter(
        data_removed_at=None,
        program="",
        seat__session__status__in=ENDED_STATUSES,
        seat__session__finished_at__isnull=False,
    )
    study = "seat__session__sitting__study"
    return rows.annotate(last_at=last_at, keep_days=F(f"{study}__keep_days"), study_name=F(f"{study}__name"))


def due_guests() -> QuerySet[Any]:
    """Those whose time is over."""
    numbers = set(Study.objects.exclude(keep_days=None).values_list("keep_days", flat=True))
    over = Q(pk=None)
    for days in numbers:
        over |= Q(keep_days=days, last_at__lte=clock.now() - timedelta(days=days or 0))
    if default := settings.CARAVAN_RETENTION_DAYS:
        over |= Q(keep_days=None, last_at__lte=clock.now() - timedelta(days=default))
    return kept_guests().filter(over).order_by("last_at", "pk")


def removals(study: Study | None = None) -> Iterator[DueRemoval]:
    """Whose data will be removed when, the earliest first; of one study, or of all."""
    rows: QuerySet[Any] = kept_guests().select_related("seat__session__task")
    if study is not None:
        rows = rows.filter(seat__session__sitting__study=study)
    found = [
        DueRemoval(guest, guest.study_name or "", guest.last_at + timedelta(days=days))
        for guest in rows
        if (days := guest.keep_days or settings.CARAVAN_RETENTION_DAYS)
    ]
    return iter(sorted(found, key=lambda each: (each.due_at, each.guest.pk)))
