"""From logs and scores to the rows that reports read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from django.db.models import Count, Exists, OuterRef, QuerySet

from benchmark.core.events import Event as LogEvent
from benchmark.suites.grouptravel.events import CompromiseApplied
from webapp.reports.models import SessionFigures
from webapp.sessions.models import COUNTED, Event, Run, Score, Session

BATCH = 200
_USED = ("calls", "hits", "misses")
_FOLDED = ("compromises", *_USED, "issues")


def fold_scored(
    sender: type[Session],
    session_id: str,
    events: Sequence[LogEvent],
    tool_use: Mapping[str, Any],
    scores: Mapping[str, Mapping[str, Any]],
    **kwargs: Any,
) -> None:
    """Fold a session whose scores were stored."""
    compromises = sum(isinstance(event.body, CompromiseApplied) for event in events)
    issues = {profile: _counted(figures) for profile, figures in scores.items()}
    _store([_row(session_id, compromises, tool_use, issues)])


def fold(session_ids: Collection[str]) -> None:
    """Store the figures of some sessions, in place of earlier ones."""
    compromises, issues = _compromises(session_ids), _issues(session_ids)
    uses = Session.objects.filter(pk__in=session_ids).values_list("pk", "tool_use")
    _store([_row(pk, compromises.get(pk, 0), tools, issues.get(pk, {})) for pk, tools in uses])


def _row(
    session_id: str, compromises: int, tool_use: Mapping[str, Any], issues: Mapping[str, Any]
) -> SessionFigures:
    used = {name: sum(use[name] for use in tool_use.values()) for name in _USED}
    return SessionFigures(session_id=session_id, compromises=compromises, issues=issues, **used)


def _store(rows: list[SessionFigures]) -> None:
    SessionFigures.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["session"], update_fields=_FOLDED
    )


def _counted(figures: Mapping[str, Any]) -> dict[str, int]:
    return figures.get("pv_issue_counts") or {}


def _compromises(session_ids: Collection[str]) -> dict[str, int]:
    applied = Event.objects.filter(session__in=session_ids, type="compromise_applied").order_by()
    return dict(applied.values_list("session").annotate(Count("pk")))


def _issues(session_ids: Collection[str]) -> dict[str, dict[str, dict[str, int]]]:
    found: dict[str, dict[str, dict[str, int]]] = defaultdict(dict)
    scores = Score.objects.filter(session__in=session_ids).values_list("session", "profile", "figures")
    for pk, profile, figures in scores.iterator():
        found[pk][profile] = _counted(figures)
    return found


def unfolded(runs: Iterable[Run]) -> QuerySet[Session]:
    """The sessions of runs that count, have scores, and have no row yet.

    Answered by indexes alone: a look into the scores would read past their evidence, a gigabyte for 18,000.
    """
    scored = Exists(Score.objects.filter(session=OuterRef("pk")))
    counted = Session.objects.filter(scored, run__in=list(runs), status__in=COUNTED)
    return counted.filter(report_figures__isnull=True).order_by()


def catch_up(
    runs: Iterable[Run],
    *,
    most: int | None = None,
    told: Callable[[int, int], None] = lambda done, whole: None,
) -> int:
    """Fold what is unfolded, at most so many sessions; gives back how many are left.

    Scoring a session folds it; this is for the scores of earlier versions, bulk loads and sessions given up.
    """
    left = list(unfolded(runs).values_list("pk", flat=True))
    now = left[:most]
    for begin in range(0, len(now), BATCH):
        fold(now[begin : begin + BATCH])
        told(min(begin + BATCH, len(now)), len(left))
    return len(left) - len(now)
