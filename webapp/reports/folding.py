"""From logs and scores to the rows that reports read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from typing import Any

from django.db.models import Count, F, Q, QuerySet
from django.utils import timezone

from webapp.reports.models import SessionFigures
from webapp.runs.models import Run
from webapp.runs.selectors import COUNTED
from webapp.sessions.models import Event, Score, Session

BATCH = 200
_FOLDED = ("compromises", "calls", "hits", "misses", "issues", "folded_at")


def fold_scored(sender: type[Score], instance: Score, **kwargs: Any) -> None:
    """Fold a session whose scores were stored."""
    fold([instance.session_id])


def fold(session_ids: Collection[str]) -> None:
    """Store the figures of some sessions, in place of earlier ones."""
    now = timezone.now()  # before reading: what is stored meanwhile is newer than this row, and folded again
    compromises, issues = _compromises(session_ids), _issues(session_ids)
    uses = Session.objects.filter(pk__in=session_ids).values_list("pk", "tool_use")
    rows = [
        SessionFigures(
            session_id=pk,
            compromises=compromises.get(pk, 0),
            issues=issues.get(pk, {}),
            folded_at=now,
            **{name: sum(use[name] for use in tools.values()) for name in ("calls", "hits", "misses")},
        )
        for pk, tools in uses
    ]
    SessionFigures.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["session"], update_fields=_FOLDED
    )


def _compromises(session_ids: Collection[str]) -> dict[str, int]:
    applied = Event.objects.filter(session__in=session_ids, type="compromise_applied").order_by()
    return dict(applied.values_list("session").annotate(Count("pk")))


def _issues(session_ids: Collection[str]) -> dict[str, dict[str, dict[str, int]]]:
    found: dict[str, dict[str, dict[str, int]]] = defaultdict(dict)
    scores = Score.objects.filter(session__in=session_ids).values_list("session", "profile", "figures")
    for pk, profile, figures in scores.iterator():
        found[pk][profile] = figures.get("pv_issue_counts") or {}
    return found


def unfolded(runs: Iterable[Run]) -> QuerySet[Score]:
    """Scores of sessions that count, and that no row holds yet."""
    late = Q(session__report_figures__isnull=True) | Q(session__report_figures__folded_at__lt=F("scored_at"))
    counted = Score.objects.filter(session__run__in=list(runs), session__status__in=COUNTED)
    return counted.filter(late).order_by()


def catch_up(
    runs: Iterable[Run],
    *,
    most: int | None = None,
    told: Callable[[int, int], None] = lambda done, whole: None,
) -> int:
    """Fold what is unfolded, at most so many sessions; gives back how many are left.

    Scores fold their session as they are stored; this is for those of earlier versions and for bulk loads.
    """
    left = list(dict.fromkeys(unfolded(runs).values_list("session", flat=True)))
    now = left[:most]
    for begin in range(0, len(now), BATCH):
        fold(now[begin : begin + BATCH])
        told(min(begin + BATCH, len(now)), len(left))
    return len(left) - len(now)
