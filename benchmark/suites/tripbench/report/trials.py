"""Reliability over trials: pass@k, pass^k and avg@k (Figure 5)."""

from __future__ import annotations

from collections import defaultdict

from benchmark.passes import PASS_FIGURES, pass_figures
from benchmark.remarks import gettext_noop as _
from benchmark.reports import Chart, Column, Note, Part, PartWords, Report, RunFigures, Table
from benchmark.suites.tripbench.metrics import LOOSE, STRICT
from benchmark.suites.tripbench.report.sessions import PERCENT

VERDICTS = {LOOSE: _("loose"), STRICT: _("strict")}


def trials_of(run: RunFigures, verdict: str) -> list[list[int]]:
    """1 or 0 for each trial of each task, in the order of the trials; a session without a verdict fails."""
    trials: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for session in run.sessions:
        trials[session.task_id].append((session.trial, int(session.values.get(verdict) or 0)))
    return [[passed for _, passed in sorted(own)] for own in trials.values()]


def _passes(report: Report) -> Table:
    """A row a verdict, run, figure and k, up to the most trials that a task of the run has."""
    rows = [
        [verdict, run.label, figure, int(k), PERCENT * value, figures["tasks"]]
        for verdict in VERDICTS
        for run in report.runs
        for k, figures in _figures(run, verdict).items()
        for figure in PASS_FIGURES
        if (value := figures[figure]) is not None
    ]
    columns = [
        *(Column(key, "name") for key in ("verdict", "run", "figure")),
        *(Column("k", "count"), Column("share", places=1), Column("tasks", "count")),
    ]
    return Table(columns, rows, [Note("trials") if rows else Note("one_trial")])


def _figures(run: RunFigures, verdict: str) -> dict[str, dict[str, float | int | None]]:
    trials = trials_of(run, verdict)
    most = max(map(len, trials), default=0)
    return pass_figures(trials, range(1, most + 1)) if most > 1 else {}


PART = Part(
    "passes",
    _passes,
    Chart("lines", x="k", y="share", series="figure", facet="verdict"),
    own_tasks=True,
    words=PartWords(
        _("Reliability over trials"),
        _(
            "pass@k: the chance that one of k trials passes. pass^k: that all of them do. avg@k: the share of the "
            "first k trials that pass. Over the tasks with at least k trials."
        ),
        columns={"verdict": _("verdict"), "figure": _("figure"), "k": _("trials"), "share": "%"},
        values={"verdict": VERDICTS},
        notes={
            "trials": _("A session that ended without a verdict counts as failed."),
            "one_trial": _("Play the tasks of a run at least twice."),
        },
    ),
)
