"""Reading runs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from benchmark.core.model_use import ModelUse
from benchmark.core.tool_use import ToolUse
from benchmark.suites import first_profile
from webapp import clock
from webapp.catalogue.fields import facets_by_task
from webapp.catalogue.models import Task
from webapp.runs.figures import Outcome
from webapp.sessions import selectors as session_selectors
from webapp.sessions.models import ENDED_STATUSES, Run, Score, Session, Status

USE_FIELDS = ("tool_use", "model_use")


@dataclass(frozen=True, slots=True)
class Progress:
    """Sessions of a run by status. unscored: ended, their scores still to come; asked: to stop, and still going."""

    queued: int = 0
    running: int = 0
    finished: int = 0
    crashed: int = 0
    stopped: int = 0
    unscored: int = 0
    asked: int = 0
    paused: int = 0

    @property
    def sessions(self) -> int:
        """All of them."""
        return self.queued + self.running + self.ended

    @property
    def ended(self) -> int:
        """Those to which nothing more happens."""
        return self.finished + self.crashed + self.stopped

    @property
    def going(self) -> bool:
        """Whether sessions are still to end."""
        return self.queued + self.running > 0

    @property
    def stopping(self) -> bool:
        """Whether all that still goes on was asked to stop."""
        return self.going and self.asked == self.queued + self.running

    @property
    def resting(self) -> bool:
        """Whether all that still goes on was told to pause."""
        return self.going and self.paused == self.queued + self.running

    @property
    def settled(self) -> bool:
        """Whether nothing will change any more."""
        return not (self.going or self.unscored)


RECENT = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast a run goes. elapsed_s: the time in which any of its sessions was being played.

    per_minute: sessions that ended, over such time of the last `RECENT`, or of all of an ended run; None before the
    first has. left_s: at that rate.
    """

    elapsed_s: float | None = None
    per_minute: float | None = None
    left_s: float | None = None


def pace(run: Run, progress: Progress) -> Pace:
    """How fast a run goes now; of one that has ended, how fast it went.

    Time in which nothing was played, such as before a retry, says nothing of the pace.
    """
    now = clock.now()
    began = run.sessions.filter(started_at__isnull=False).order_by("started_at")
    times = began.values_list("started_at", "finished_at")
    stretches = [(first, last or now) for first, last in times if first is not None]
    if not stretches:
        return Pace()
    elapsed = played_s(stretches, since=stretches[0][0])
    since = now - RECENT if progress.going else stretches[0][0]
    ended = sum(since < last < now for _first, last in stretches) if progress.going else progress.ended
    if not ended:
        return Pace(elapsed)
    seconds = max(played_s(stretches, since=since), 1.0)
    left = (progress.queued + progress.running) * seconds / ended
    return Pace(elapsed, 60 * ended / seconds, left if progress.going else None)


def played_s(stretches: Iterable[tuple[datetime, datetime]], since: datetime) -> float:
    """The seconds after a moment in which any of these stretches of time lies; the stretches by their beginnings."""
    total, until = timedelta(), since
    for first, last in stretches:
        if last > until:
            total += last - max(first, until)
            until = last
    return total.total_seconds()


def runs() -> QuerySet[Run]:
    """Runs, newest first."""
    return Run.objects.all()


def runs_named(ids: Iterable[str]) -> list[Run]:
    """Those of these runs that there are, in this order."""
    asked = list(dict.fromkeys(ids))
    runs = Run.objects.in_bulk(asked)
    return [runs[pk] for pk in asked if pk in runs]


def progress(of: Iterable[Run]) -> dict[str, Progress]:
    """How far each run is, by its id."""
    wanted = [run.pk for run in of]
    counts = {**dict.fromkeys(Status.values, 0), "unscored": 0, "asked": 0, "paused": 0}
    by_run = {pk: counts.copy() for pk in wanted}
    sessions = Session.objects.filter(run__in=wanted).order_by()
    # Two queries, none of which joins: over runs with 100,000 sessions a join takes five times as long.
    counted = sessions.values("run", "status").annotate(
        sessions=Count("pk"),
        asked=Count("pk", filter=Q(stop_requested=True)),
        paused=Count("pk", filter=Q(paused=True)),
    )
    for row in counted:
        by_run[row["run"]][row["status"]] = row["sessions"]
        if row["status"] not in ENDED_STATUSES:
            by_run[row["run"]]["asked"] += row["asked"]
            by_run[row["run"]]["paused"] += row["paused"]
    scores = Score.objects.filter(session=OuterRef("pk"))
    unscored = sessions.filter(~Exists(scores), status__in=ENDED_STATUSES).values("run")
    for pk, count in unscored.annotate(count=Count("pk")).values_list("run", "count"):
        by_run[pk]["unscored"] = count
    return {pk: Progress(**figures) for pk, figures in by_run.items()}


def played_in(runs: Collection[Run]) -> QuerySet[Task]:
    """The tasks of the sessions of some runs."""
    return Task.staged_too.filter(pk__in=Session.objects.filter(run__in=runs).order_by().values("task"))


def outcomes(of: Iterable[Run], *, uses: bool = True) -> dict[str, list[Outcome]]:
    """How the sessions of each run came out that finished or crashed; a replay of one tells nothing new.

    Without `uses`, not how they used tools and models.
    """
    names = ["run", "pk", "task", "task__task_id", "completion_reason", "plan_generated"]
    by_run: dict[str, list[Outcome]] = {}
    by_profile: dict[str, list[str]] = {}
    runs = [*of]
    facets = facets_by_task(played_in(runs))
    for run in runs:
        by_run[run.pk] = []
        by_profile.setdefault(first_profile(run.suite), []).append(run.pk)
    for profile, wanted in by_profile.items():
        by_session = session_selectors.values_by_session(wanted, profile)
        rows = session_selectors.scored_sessions(wanted, profile).values_list(
            *names, *(USE_FIELDS if uses else ())
        )
        for pk, session, task, task_id, reason, planned, *used in rows:
            values = by_session.get(session, {})
            by_run[pk].append(
                Outcome(session, task_id, facets[task], reason, planned, values, **_stored_use(used))
            )
    return by_run


def _stored_use(stored: Sequence[Any]) -> dict[str, Any]:
    return {"uses": _uses(stored[0]), "models": [ModelUse.of(use) for use in stored[1]]} if stored else {}


def _uses(stored: dict[str, Any]) -> dict[str, ToolUse]:
    return {tool: ToolUse.of(use) for tool, use in stored.items()}


def sessions_of(run: Run) -> QuerySet[Session]:
    """A run's sessions with what its table shows, task by task, trial by trial."""
    sessions = session_selectors.sessions().filter(run=run)
    return sessions.order_by("task__collection_id", "task__position", "trial_id")


def sessions_with_uses(run: Run) -> QuerySet[Session]:
    """The same, with how they used their tools and models."""
    return sessions_of(run).defer(None).defer("task__definition", "world__report", "cache__counts")


def unsettled_sessions(run: Run) -> list[str]:
    """The sessions of a run that go on, or have ended and have no scores yet, first trials first."""
    goes_on = ~Q(status__in=ENDED_STATUSES) & (Q(paused=False) | Q(stop_requested=True))
    left = Session.objects.filter(run=run).filter(goes_on | Q(status__in=ENDED_STATUSES, scores=None))
    return list(left.order_by("created_at").values_list("pk", flat=True))
