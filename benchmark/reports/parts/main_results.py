"""Main results by difficulty."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmark.metrics import LEVEL
from benchmark.remarks import gettext_noop as _
from benchmark.reports.measures import Measures
from benchmark.reports.report import Part, Report
from benchmark.reports.run import RunFigures
from benchmark.reports.scores import scores_of
from benchmark.reports.table import Cell, Column, Note, Table
from benchmark.reports.tasks import TaskFigures
from benchmark.reports.verdicts import how_much_was_judged, scored, who_judged
from benchmark.reports.whole_runs import whole_run_values
from benchmark.reports.words import PartWords


def figures(measures: Measures) -> list[Column]:
    """A column a metric, then the means of several."""
    metrics = [*measures.of_tasks, *measures.of_whole_runs]
    columns = [Column(metric.key, places=metric.digits) for metric in metrics]
    return columns + [Column(mean.key, places=mean.digits) for mean in measures.means]


def build(report: Report) -> Table:
    """A row a run and difficulty, `all` first; each figure with its 95 % interval over tasks, if tasks have it.

    Shares are 0 to 100. judged: the tasks that the judge's score and the means with it are of, over their judged
    trials; they are empty without any.
    """
    shown = figures(report.measures)
    groups = [(run, *group) for run in report.runs for group in _groups(run)]
    scores = scores_of([tasks for _, _, tasks in groups], report.measures, report.resampler)
    rows: list[list[Cell]] = []
    for (run, level, tasks), estimates in zip(groups, scores, strict=True):
        values: dict[str, Cell] = {**estimates, **whole_run_values(run, tasks)}
        cells = [values[figure.key] for figure in shown]
        rows.append([run.label, level, len(tasks.ids), *cells, judged_of(tasks, report.measures)])
    return Table(
        [
            *(Column("run", "name"), Column("difficulty", "name"), Column("tasks", "count")),
            *shown,
            Column("judged", "count"),
        ],
        rows,
        [Note("intervals"), *_partly(report), *who_judged(report), *how_much_was_judged(report)],
    )


def judged_of(tasks: TaskFigures, measures: Measures) -> int:
    """How many of the tasks have a judged trial, by any rubric."""
    of_judges = [tasks.columns.index(key) for key in measures.judge_metrics]
    return int((~np.isnan(tasks.values[:, of_judges])).any(axis=1).sum())


def _partly(report: Report) -> list[Note]:
    """That the judge's score and the means with it are of fewer sessions than the rest."""
    sessions = [session for run in report.runs for session in run.sessions]
    judged = sum(any(map(scored, session.verdicts)) for session in sessions)
    return [Note("judged_alone")] if 0 < judged < len(sessions) else []


def _groups(run: RunFigures) -> Iterator[tuple[str, TaskFigures]]:
    yield "all", run.tasks
    known, levels = set(run.tasks.cells(LEVEL)) - {"", None}, run.measures.levels
    named = [level for level in levels if level in known] + sorted(known - set(levels))
    for level in named:
        yield level, run.tasks.where(LEVEL, level)


PART = Part(
    "main_results",
    build,
    words=PartWords(
        _("Main results"),
        _("Means over tasks. The notes below the table explain the figures."),
        notes={
            "intervals": _(
                "Small: the 95 % interval of a bootstrap over tasks. Over fewer than ten tasks it is too narrow."
            )
        },
    ),
)
