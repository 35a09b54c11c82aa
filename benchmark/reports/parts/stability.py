"""How much a run's figures vary from trial to trial: the counterpart of Table 3."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from benchmark.reports.report import Part, Report
from benchmark.reports.session import RunFigures
from benchmark.reports.statistics import means_of, number
from benchmark.reports.table import Cell, Column, Note, Spread, Table
from benchmark.reports.tasks import COLUMNS as TASK_COLUMNS
from benchmark.reports.tasks import OTHER, SCORES, Floats

FIGURES = (*SCORES, "other")
COLUMNS = (Column("run", "name"), Column("trials", "count"), *(Column(figure) for figure in FIGURES))


def build(report: Report) -> Table:
    """Mean and standard deviation (n − 1) over trials, each trial's figure taken over its tasks alone."""
    rows = [row for run in report.runs if (row := _row(run))]
    return Table(COLUMNS, rows, [] if rows else [Note("one_trial")])


def _row(run: RunFigures) -> list[Cell]:
    trials = [_figures(_trial(run, trial)) for trial in sorted({session.trial for session in run.sessions})]
    if len(trials) < 2:
        return []
    spreads = [_spread(np.array(values)) for values in zip(*trials, strict=True)]
    return [run.label, len(trials), *spreads]


def _trial(run: RunFigures, trial: int) -> RunFigures:
    return replace(run, sessions=[session for session in run.sessions if session.trial == trial])


def _figures(trial: RunFigures) -> list[float]:
    means = dict(zip(TASK_COLUMNS, means_of(trial.tasks.values), strict=True))
    return [float(means[name]) for name in SCORES] + [float(np.mean([means[name] for name in OTHER]))]


def _spread(values: Floats) -> Spread:
    return Spread(number(values.mean()), number(values.std(ddof=1)))


PART = Part("stability", "Table 3", build)
