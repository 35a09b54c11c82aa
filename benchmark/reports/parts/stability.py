"""How much a run's figures vary from trial to trial: the counterpart of Table 3."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from benchmark.reports.report import Part, Report
from benchmark.reports.session import RunFigures, SessionFigures
from benchmark.reports.statistics import means_of, number
from benchmark.reports.table import Cell, Column, Note, Spread, Table
from benchmark.reports.tasks import COLUMNS as TASK_COLUMNS
from benchmark.reports.tasks import OTHER, SCORES, Floats, task_figures

FIGURES = (*SCORES, "other")
COLUMNS = (Column("run", "name"), Column("trials", "count"), *(Column(figure) for figure in FIGURES))


def build(report: Report) -> Table:
    """Mean and standard deviation (n − 1) over trials, each trial's figure taken over its tasks alone."""
    rows = [row for run in report.runs if (row := _row(run))]
    return Table(COLUMNS, rows, [] if rows else [Note("one_trial")])


def _row(run: RunFigures) -> list[Cell]:
    trials: dict[int, list[SessionFigures]] = {}
    for session in run.sessions:
        trials.setdefault(session.trial, []).append(session)
    if len(trials) < 2:
        return []
    figures = [_figures(sessions, run.profile) for sessions in trials.values()]
    spreads = [_spread(np.array(values)) for values in zip(*figures, strict=True)]
    return [run.label, len(trials), *spreads]


def _figures(sessions: Sequence[SessionFigures], profile: str) -> list[float]:
    means = dict(zip(TASK_COLUMNS, means_of(task_figures(sessions, profile).values), strict=True))
    return [float(means[name]) for name in SCORES] + [float(np.mean([means[name] for name in OTHER]))]


def _spread(values: Floats) -> Spread:
    return Spread(number(values.mean()), number(values.std(ddof=1)))


PART = Part("stability", "Table 3", build)
