"""Figures that only a run has, since no task alone has one."""

from __future__ import annotations

from benchmark.metrics import PLACES, Trial, run_values
from benchmark.reports.measures import Measures
from benchmark.reports.run import RunFigures
from benchmark.reports.session import SessionFigures
from benchmark.reports.tasks import TaskFigures
from benchmark.reports.verdicts import judged_values


def whole_run_values(run: RunFigures, tasks: TaskFigures | None = None) -> dict[str, float | None]:
    """The value of each of `Measures.of_whole_runs`, by key; shares are 0 to 100.

    tasks: those of the run that count; None for all. They have no interval: what a rule makes of resampled tasks
    would have to be worked out thousands of times.
    """
    measures = run.measures
    if not measures.of_whole_runs:
        return {}
    known = (tasks or run.tasks).place
    trials = [
        Trial(session.task_id, {**session.values, **_judge_values(session, measures)}, session.facets)
        for session in run.sessions
        if session.task_id in known
    ]
    means = run_values(measures.of_whole_runs, trials, measures.averaging, PLACES)
    scales = {metric.key: metric.scale for metric in measures.of_whole_runs}
    return {key: None if value is None else scales[key] * value for key, value in means.items()}


def _judge_values(session: SessionFigures, measures: Measures) -> dict[str, float | None]:
    return {
        key: value
        for rubric in measures.rubrics
        for key, value in judged_values(rubric, session.verdicts).items()
    }
