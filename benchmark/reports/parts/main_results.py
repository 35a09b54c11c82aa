"""Main results by difficulty: the counterpart of Table 1."""

from __future__ import annotations

from collections.abc import Iterator

from benchmark.metrics import PLACES, run_values
from benchmark.reports.judged import how_much_was_judged, who_judged
from benchmark.reports.report import Part, Report
from benchmark.reports.scores import scores_of
from benchmark.reports.session import RunFigures
from benchmark.reports.statistics import known_in
from benchmark.reports.table import Cell, Column, Note, Table
from benchmark.reports.tasks import (
    TaskFigures,
    columns,
    judged_score,
    metrics_of_tasks,
    metrics_of_whole_runs,
)
from benchmark.suites.grouptravel.scoring import PROFILES

DIFFICULTIES = ("easy", "medium", "hard")
MEANS = (Column("other", places=1), Column("rules", places=1))


def figures() -> list[Column]:
    """A column a metric, then the means of several."""
    metrics = [*metrics_of_tasks(), *metrics_of_whole_runs()]
    return [*(Column(metric.key, places=metric.digits) for metric in metrics), *MEANS]


def build(report: Report) -> Table:
    """A row a run and difficulty, `all` first; each figure with its 95 % interval over tasks, if tasks have it.

    Shares are 0 to 100. judged: the tasks that judge and other are of, over their judged trials; both
    are empty without any. rules: the mean of PC, GF and PV.
    """
    shown = figures()
    groups = [(run, *group) for run in report.runs for group in _groups(run)]
    scores = scores_of([tasks for _, _, tasks in groups], report.resampler)
    rows: list[list[Cell]] = []
    for (run, level, tasks), estimates in zip(groups, scores, strict=True):
        found = {**estimates, **_of_whole_runs(run, tasks)}
        cells = [found[figure.key] for figure in shown]
        rows.append([run.label, level, len(tasks.ids), *cells, judged_of(tasks)])
    return Table(
        [
            *(Column("run", "name"), Column("difficulty", "name"), Column("tasks", "count")),
            *shown,
            Column("judged", "count"),
        ],
        rows,
        [Note("intervals"), *_partly(report), *who_judged(report), *how_much_was_judged(report)],
    )


def _of_whole_runs(run: RunFigures, tasks: TaskFigures) -> dict[str, Cell]:
    """What only a run has, over some of its tasks; without an interval."""
    trials = [one.trial_values for one in run.sessions if one.task_id in tasks.place]
    means = run_values(metrics_of_whole_runs(), trials, PROFILES[run.profile].trials, PLACES)
    scales = {metric.key: metric.scale for metric in metrics_of_whole_runs()}
    return {key: None if value is None else scales[key] * value for key, value in means.items()}


def judged_of(tasks: TaskFigures) -> int:
    """How many of the tasks have a judged trial."""
    return int(known_in(tasks.values)[columns().index("judge")])


def _partly(report: Report) -> list[Note]:
    """That judge and other are of fewer sessions than the rest."""
    sessions = [session for run in report.runs for session in run.sessions]
    judged = sum(judged_score(session) is not None for session in sessions)
    return [Note("judged_alone")] if 0 < judged < len(sessions) else []


def _groups(run: RunFigures) -> Iterator[tuple[str, TaskFigures]]:
    yield "all", run.tasks
    known = set(run.tasks.difficulties)
    named = [level for level in DIFFICULTIES if level in known] + sorted(known - set(DIFFICULTIES))
    for level in named:
        yield level, run.tasks.where(difficulty=level)


PART = Part("main_results", "Table 1", build)
