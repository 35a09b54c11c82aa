"""From logs and scores to kept misses, and from these to what a run lost."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from django.db import Error
from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from benchmark.misses import (
    Finding,
    Miss,
    RunMisses,
    SessionMisses,
    ToolFailure,
    Waste,
    WastedTurn,
    find_waste,
    fold_misses,
    order_misses,
)
from benchmark.suites import first_profile, metrics_of, suite_named
from benchmark.suites.base import Misses
from webapp.catalogue.packs import pack_for_scores
from webapp.judging.joint_values import EPOCH, last_verdict_at, newest_ratings
from webapp.misses import models
from webapp.sessions.log import read_log
from webapp.sessions.models import COUNTED_STATUSES, Run, Score, Session, Status
from webapp.sessions.setting import setting_of

log = logging.getLogger(__name__)

LONGEST_ITEM = 200
"""Letters of what is missed that are kept."""
_READ = ("suite", "trial_id", "pack", "seed", "task__definition")


def misses_of(suite: str) -> Misses[Any, Any] | None:
    """How a benchmark tells what its sessions lost; None where it does not."""
    lazy = suite_named(suite).scoring.misses
    return None if lazy is None else lazy()


def version_of(suite: str) -> str:
    """Of what finds the misses of a benchmark's sessions: what another one found is looked for again."""
    found = misses_of(suite)
    return f"{found.version if found else '-'} {suite_named(suite).scoring.code_version}"


def uses_ratings(suite: str) -> bool:
    """Whether what a benchmark's sessions lost depends on what judges say."""
    found = misses_of(suite)
    rated = {metric.key for metric in metrics_of(suite) if metric.source == "rater"}
    return found is not None and bool(rated & {*found.metrics})


def sessions_to_read(runs: Iterable[Run]) -> QuerySet[Session]:
    """The scored sessions of runs of one benchmark whose misses are not kept, or were found by another version, or
    before a judge spoke.
    """
    of = list(runs)
    scored = Exists(Score.objects.filter(session=OuterRef("pk")))
    counted = Session.objects.filter(scored, run__in=of, status__in=COUNTED_STATUSES)
    kept = models.SessionMisses.objects.filter(
        session=OuterRef("pk"), version__in={version_of(run.suite) for run in of}
    )
    if any(uses_ratings(run.suite) for run in of):
        counted, kept = counted.alias(spoken=last_verdict_at()), kept.filter(judged_at=OuterRef("spoken"))
    return counted.filter(~Exists(kept)).order_by()


class LeftOut(NamedTuple):
    """The sessions of a run of which nothing is told. going: that have not ended; stopped: by a researcher;
    unscored: that have ended and have no scores.
    """

    going: int
    stopped: int
    unscored: int


def left_out(run: Run) -> LeftOut:
    """How many sessions of a run have no misses, and why."""
    scored = Exists(Score.objects.filter(session=OuterRef("pk")))
    stopped = Q(status=Status.STOPPED)
    others = Q(status__in=COUNTED_STATUSES) | stopped
    counts = run.sessions.aggregate(going=Count("pk", filter=~others), stopped=Count("pk", filter=stopped))
    unscored = run.sessions.filter(~scored, status__in=COUNTED_STATUSES).count()
    return LeftOut(counts["going"], counts["stopped"], unscored)


def catch_up(
    runs: Iterable[Run],
    *,
    seconds: float | None = None,
    progress: Callable[[int, int], None] = lambda done, whole: None,
) -> int:
    """Find the misses of the sessions that lack them, as many as fit into some seconds; how many are left."""
    left = list(sessions_to_read(runs).values_list("pk", flat=True))
    begun = time.monotonic()
    for done, pk in enumerate(left, 1):
        _keep(pk)
        progress(done, len(left))
        if seconds is not None and time.monotonic() - begun > seconds:
            return len(left) - done
    return 0


def _keep(pk: str) -> None:
    """Find the misses of a session and keep them; where that fails, keep why, so that it is not tried again."""
    session = Session.objects.select_related("task").only(*_READ).filter(pk=pk).first()
    if session is None:
        return
    content: dict[str, Any] = {}
    problem = ""
    judged_at = EPOCH
    if uses_ratings(session.suite):
        judged_at = Session.objects.filter(pk=pk).values_list(last_verdict_at(), flat=True).get()
    try:
        content = as_json(*_find(session))
    except Error:
        raise
    except Exception as error:
        log.exception("the misses of session %s can't be found", pk)
        problem = f"{type(error).__name__}: {error}"
    models.SessionMisses.objects.bulk_create(
        [
            models.SessionMisses(
                session=session,
                version=version_of(session.suite),
                judged_at=judged_at,
                content=content,
                problem=problem,
            )
        ],
        update_conflicts=True,
        unique_fields=["session"],
        update_fields=["version", "judged_at", "content", "problem"],
    )


def _find(session: Session) -> tuple[list[Miss], Waste, str]:
    events = list(read_log(session.pk))
    found = misses_of(session.suite)
    misses: list[Miss] = []
    judge, ratings = newest_ratings(session) if uses_ratings(session.suite) else ("", {})
    if found is not None:
        score = Score.objects.filter(session=session, profile=first_profile(session.suite)).first()
        setting = setting_of(session, events[0].body, pack_for_scores(session.suite, session.pack))
        misses = list(found.find(events, setting, score.figures if score else {}, ratings))
    return order_misses(misses), find_waste(session.own(events)), judge


def as_json(misses: Iterable[Miss], waste: Waste, judge: str = "") -> dict[str, Any]:
    """What is kept of a session. judge: the name of the one whose ratings were looked at."""
    return {
        "judge": judge,
        "misses": [miss._replace(item=miss.item[:LONGEST_ITEM])._asdict() for miss in misses],
        "waste": {"steps": waste.steps, "turns": waste.turns},
    }


def _miss(kept: Mapping[str, Any]) -> Miss:
    failures = tuple([ToolFailure(*failure) for failure in kept["failures"]])
    told = kept.get("finding")  # absent from what earlier versions found
    finding = Finding(told[0], tuple((key, value) for key, value in told[1])) if told else None
    return Miss(**{**kept, "seqs": tuple(kept["seqs"]), "failures": failures, "finding": finding})


def session_misses(run: Run) -> tuple[list[SessionMisses], list[str]]:
    """What is kept of a run's sessions, task by task; then the ids of those in which nothing could be found."""
    rows = models.SessionMisses.objects.filter(session__run=run, session__status__in=COUNTED_STATUSES)
    ordered = rows.order_by("session__task__collection_id", "session__task__position", "session__trial_id")
    columns = ("session", "session__task__task_id", "session__trial_id", "content", "problem")
    found, failed = [], []
    for pk, task, trial, content, problem in ordered.values_list(*columns):
        if problem:
            failed.append(pk)
            continue
        waste = Waste(
            content["waste"]["steps"], tuple([WastedTurn(*turn) for turn in content["waste"]["turns"]])
        )
        misses = [_miss(kept) for kept in content["misses"]]
        found.append(SessionMisses(pk, task, trial, misses, waste, content.get("judge", "")))
    return found, failed


def fold_run(suite: str, sessions: Sequence[SessionMisses]) -> RunMisses:
    """What the sessions of a run lost."""
    found = misses_of(suite)
    return fold_misses(sessions, found.metrics if found else ())
