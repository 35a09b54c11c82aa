"""Reading what reports are made from, in few queries whatever the number of sessions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any

from django.apps import apps
from django.db.models import FilteredRelation, Q

from benchmark.reports import Report, RunFigures, SessionFigures, Verdict
from webapp.runs.models import Run
from webapp.runs.selectors import COUNTED
from webapp.sessions.models import Session

MOST_RUNS = 12
"""As many as there are colours that can be told apart."""
LONGEST_LABEL = 60
_COLUMNS = (
    *(
        "task__task_id",
        "trial_id",
        "task__difficulty",
        "task__size",
        "completion_reason",
        "plan_generated",
        "round",
    ),
    *(f"report_figures__{name}" for name in ("compromises", "calls", "hits", "misses")),
    *(f"score__{name}" for name in ("pc", "gu", "gf", "pv")),
    "report_figures__issues",
)
"""In the order of `benchmark.reports.SessionFigures`."""


def report_of(runs: Sequence[Run], profile: str) -> Report:
    """The sessions of runs that finished or crashed and have scores under the profile, with their verdicts."""
    sessions: dict[str, list[SessionFigures]] = {run.pk: [] for run in runs}
    rows = list(_rows(runs, profile))
    verdicts = _verdicts([pk for _, pk, *_ in rows])
    for run, pk, *figures, issues in rows:
        figures += [issues.get(profile, {}), verdicts.get(pk, ())]
        sessions[run].append(SessionFigures(*figures))
    labels = labels_of(runs)
    return Report([_run(run, labels[run.pk], profile, sessions[run.pk]) for run in runs])


def _rows(runs: Sequence[Run], profile: str) -> Iterator[tuple[Any, ...]]:
    scored = FilteredRelation("scores", condition=Q(scores__profile=profile))
    counted = Session.objects.filter(run__in=runs, status__in=COUNTED, report_figures__isnull=False)
    found = counted.annotate(score=scored).filter(score__isnull=False).order_by()
    return found.values_list("run", "pk", *_COLUMNS).iterator(chunk_size=5000)


def _verdicts(session_ids: Sequence[str]) -> Mapping[str, Sequence[Verdict]]:
    if not apps.is_installed("webapp.judging"):
        return {}
    found: Mapping[str, Sequence[Verdict]] = import_module("webapp.judging.selectors").verdicts_of(
        session_ids
    )
    return found


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
