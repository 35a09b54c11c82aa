"""How much a run's figures vary from trial to trial."""

from __future__ import annotations

import numpy as np

from benchmark.remarks import gettext_noop as _
from benchmark.remarks import ngettext_noop
from benchmark.reports.report import Part, Report
from benchmark.reports.run import RunFigures
from benchmark.reports.session import SessionFigures
from benchmark.reports.statistics import means_of, number
from benchmark.reports.table import Cell, Column, Note, Spread, Table
from benchmark.reports.tasks import Floats, TaskFigures, task_figures
from benchmark.reports.verdicts import who_judged
from benchmark.reports.words import PartWords

HEADS = (*(Column("run", "name"), Column("trials", "count"), Column("tasks", "count")),)


def build(report: Report) -> Table:
    """Mean and standard deviation (n − 1) over trials, of the tasks that every trial has.

    The judge's score and means with it: over those that were judged in every trial; `judged` counts them.
    """
    trials = [(run, _trials(run)) for run in report.runs]
    several = [(run, trials_of_run) for run, trials_of_run in trials if len(trials_of_run) > 1]
    if not several:
        return Table(HEADS, [], [Note("one_trial")])
    notes = [note for run, trials_of_run in several for note in _left_out(run, trials_of_run)]
    rows = [_row(run, trials_of_run) for run, trials_of_run in several]
    heads = [*HEADS, *(Column(figure) for figure in report.measures.scores), Column("judged", "count")]
    return Table(heads, rows, [Note("over_trials"), *notes, *who_judged(report)])


def _trials(run: RunFigures) -> list[TaskFigures]:
    trials: dict[int, list[SessionFigures]] = {}
    for session in run.sessions:
        trials.setdefault(session.trial, []).append(session)
    return [task_figures(sessions, run.measures) for _, sessions in sorted(trials.items())]


def _shared_tasks(trials: list[TaskFigures]) -> list[str]:
    return sorted(set.intersection(*(set(trial.ids) for trial in trials)))


def _left_out(run: RunFigures, trials: list[TaskFigures]) -> list[Note]:
    left = len(run.tasks.ids) - len(_shared_tasks(trials))
    return [Note("unfinished_trials", {"run": run.label, "n": left})] if left else []


def _row(run: RunFigures, trials: list[TaskFigures]) -> list[Cell]:
    shared = _shared_tasks(trials)
    measures = run.measures
    figures = [measures.columns.index(name) for name in measures.scores]
    values = np.stack([trial.of([trial.place[task] for task in shared]).values for trial in trials])[
        ..., figures
    ]
    lacking = np.asarray(np.isnan(values).any(axis=0))
    means = np.array([means_of(np.where(lacking, np.nan, trial)) for trial in values])
    of_judges = [measures.scores.index(key) for key in measures.judge_metrics]
    judged = int((~lacking[:, of_judges]).any(axis=1).sum())
    return [run.label, len(trials), len(shared), *map(_spread, means.T), judged]


def _spread(values: Floats) -> Spread:
    return Spread(number(values.mean()), number(values.std(ddof=1)))


PART = Part(
    "stability",
    build,
    words=PartWords(
        _("Stability over trials"),
        _("Mean ± standard deviation of the figures of single trials, over the tasks that all runs have."),
        columns={"trials": _("trials")},
        notes={
            "over_trials": _("Standard deviations with n − 1, n being the number of trials."),
            "unfinished_trials": ngettext_noop(
                "%(run)s: %(n)s task is left out, since a trial of it has not ended or has no scores.",
                "%(run)s: %(n)s tasks are left out, since a trial of them has not ended or has no scores.",
            ),
        },
    ),
)
