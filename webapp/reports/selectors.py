"""Reading what reports are made from, in few queries whatever the number of sessions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import orjson
from django.db.models import FilteredRelation, Q, TextField
from django.db.models.functions import Cast

from benchmark.reports import Report, RunFigures, SessionFigures
from webapp.catalogue.models import Task
from webapp.judging.selectors import verdicts_of
from webapp.runs.models import Run
from webapp.runs.selectors import COUNTED
from webapp.sessions.models import Session

MOST_RUNS = 12
"""As many as there are colours that can be told apart."""
LONGEST_LABEL = 60
_TASK = ("task_id", "difficulty", "size")
_COLUMNS = (
    *("task", "trial_id", "completion_reason", "plan_generated", "round"),
    *(f"report_figures__{name}" for name in ("compromises", "calls", "hits", "misses")),
    *(f"score__{name}" for name in ("pc", "gu", "gf", "pv")),
    "issues",
)


def report_of(runs: Sequence[Run], profile: str) -> Report:
    """The sessions of runs that finished or crashed and have scores under the profile, with their verdicts."""
    sessions: dict[str, list[SessionFigures]] = {run.pk: [] for run in runs}
    rows = list(_rows(runs, profile))
    tasks, verdicts = _tasks(runs), verdicts_of([pk for _, pk, *_ in rows])
    read = cache(orjson.loads)  # most sessions have few issues, and the same ones
    for run, pk, task, trial, *figures, issues in rows:
        name, difficulty, size = tasks[task]
        rest = read(issues).get(profile, {}), verdicts.get(pk, ())
        sessions[run].append(SessionFigures._make((name, trial, difficulty, size, *figures, *rest)))
    labels = labels_of(runs)
    return Report([_run(run, labels[run.pk], profile, sessions[run.pk]) for run in runs])


def _rows(runs: Sequence[Run], profile: str) -> Iterator[tuple[Any, ...]]:
    scored = FilteredRelation("scores", condition=Q(scores__profile=profile))
    issues = Cast("report_figures__issues", TextField())
    counted = Session.objects.filter(run__in=runs, status__in=COUNTED, report_figures__isnull=False)
    found = counted.annotate(score=scored, issues=issues).filter(score__isnull=False).order_by()
    return found.values_list("run", "pk", *_COLUMNS).iterator(chunk_size=5000)


def _tasks(runs: Sequence[Run]) -> dict[int, tuple[str, str, int]]:
    used = Task.objects.filter(sessions__run__in=runs).distinct().order_by()
    return {pk: (name, level, size) for pk, name, level, size in used.values_list("pk", *_TASK)}


def _run(run: Run, label: str, profile: str, sessions: list[SessionFigures]) -> RunFigures:
    sandbox = run.setup.get("sandbox", {})
    return RunFigures(run.pk, label, sandbox.get("mode", ""), _players(run.setup), profile, sessions)


def _players(setup: Mapping[str, Any]) -> str:
    names = ("agent", "agent_model", "users", "user_model", "protocol")
    return repr([setup.get(name) for name in names])


def labels_of(runs: Sequence[Run]) -> dict[str, str]:
    """A name a run, each once: two that share one are told apart by their ids."""
    names = {run.pk: run.name.strip()[:LONGEST_LABEL] or run.pk for run in runs}
    shared = Counter(names.values())
    return {pk: name if shared[name] == 1 else f"{name} · {pk}" for pk, name in names.items()}


def unscored(runs: Sequence[Run], profile: str) -> int:
    """The sessions of runs that count and have no scores under the profile."""
    counted = Session.objects.filter(run__in=runs, status__in=COUNTED)
    return counted.exclude(scores__profile=profile).count()
