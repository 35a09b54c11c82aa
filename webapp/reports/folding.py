"""From logs and scores to the rows that reports read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from django.db.models import Count, Exists, OuterRef, QuerySet

from benchmark.core.events import Event as LogEvent
from benchmark.suites import reporting_of
from webapp.reports.models import SessionFigures
from webapp.sessions.models import COUNTED_STATUSES, Event, Run, Score, Session

BATCH = 200
_USE_FIELDS = ("calls", "hits", "misses")
_FOLDED_FIELDS = ("counted", *_USE_FIELDS, "issues")


def fold_scored(
    sender: type[Session],
    session_id: str,
    suite: str,
    events: Sequence[LogEvent],
    tool_use: Mapping[str, Any],
    scores: Mapping[str, Mapping[str, Any]],
    **kwargs: Any,
) -> None:
    """Fold a session whose scores were stored."""
    reporting = reporting_of(suite)
    counted = sum(event.body.type == reporting.counted_event for event in events)
    issues = {profile: figures.get(reporting.issues) or {} for profile, figures in scores.items()}
    _store([_row(session_id, counted, tool_use, issues)])


def fold(session_ids: Collection[str]) -> None:
    """Store the figures of some sessions, in place of earlier ones."""
    sessions = list(Session.objects.filter(pk__in=session_ids).values_list("pk", "suite", "tool_use"))
    reporting = {suite: reporting_of(suite) for _, suite, _ in sessions}
    counts = _counts(session_ids, {suite_reporting.counted_event for suite_reporting in reporting.values()})
    issues = _issues({pk: reporting[suite].issues for pk, suite, _ in sessions})
    _store(
        [
            _row(pk, counts.get((pk, reporting[suite].counted_event), 0), tools, issues.get(pk, {}))
            for pk, suite, tools in sessions
        ]
    )


def _row(
    session_id: str, counted: int, tool_use: Mapping[str, Any], issues: Mapping[str, Any]
) -> SessionFigures:
    used = {name: sum(use[name] for use in tool_use.values()) for name in _USE_FIELDS}
    return SessionFigures(session_id=session_id, counted=counted, issues=issues, **used)


def _store(rows: list[SessionFigures]) -> None:
    SessionFigures.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["session"], update_fields=_FOLDED_FIELDS
    )


def _counts(session_ids: Collection[str], types: Collection[str]) -> dict[tuple[str, str], int]:
    """How many events of each type sessions have."""
    counted = Event.objects.filter(session__in=session_ids, type__in=types).order_by()
    rows = counted.values_list("session", "type").annotate(Count("pk"))
    return {(session, type_): count for session, type_, count in rows}


def _issues(keys: Mapping[str, str]) -> dict[str, dict[str, dict[str, int]]]:
    """By session and profile. keys: of the figures below which each session's issues are."""
    issues: dict[str, dict[str, dict[str, int]]] = defaultdict(dict)
    scores = Score.objects.filter(session__in=keys).values_list("session", "profile", "figures")
    for pk, profile, figures in scores.iterator():
        issues[pk][profile] = figures.get(keys[pk]) or {}
    return issues


def sessions_to_fold(runs: Iterable[Run]) -> QuerySet[Session]:
    """The sessions of runs that count, have scores, and have no row yet.

    Answered by indexes alone: a look into the scores would read past their evidence, a gigabyte for 18,000.
    """
    scored = Exists(Score.objects.filter(session=OuterRef("pk")))
    counted = Session.objects.filter(scored, run__in=list(runs), status__in=COUNTED_STATUSES)
    return counted.filter(report_figures__isnull=True).order_by()


def catch_up(
    runs: Iterable[Run],
    *,
    most: int | None = None,
    progress: Callable[[int, int], None] = lambda done, whole: None,
) -> int:
    """Fold what is unfolded, at most so many sessions; gives back how many are left.

    Scoring a session folds it; this is for the scores of earlier versions, bulk loads and sessions given up.
    """
    left = list(sessions_to_fold(runs).values_list("pk", flat=True))
    now = left[:most]
    for begin in range(0, len(now), BATCH):
        fold(now[begin : begin + BATCH])
        progress(min(begin + BATCH, len(now)), len(left))
    return len(left) - len(now)
