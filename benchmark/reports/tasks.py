"""From trials to tasks: what intervals and paired tests are made of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from benchmark.metrics import Metric, of_runs, side_by_side
from benchmark.suites import FIRST, metrics_of
from benchmark.suites.grouptravel.metrics import OTHER
from benchmark.suites.grouptravel.scoring import PROFILES
from benchmark.suites.grouptravel.scoring.profile import TrialRule

if TYPE_CHECKING:
    from benchmark.reports.session import SessionFigures, Verdict

Floats = NDArray[np.float64]

COUNTS = ("compromises", "calls")
UNJUDGED = (float("nan"), float("nan"))


def metrics_of_tasks() -> list[Metric]:
    """The metrics that each task has a value of, the headline first."""
    return [metric for metric in side_by_side(metrics_of(FIRST)) if metric.scope == "session"]


def metrics_of_whole_runs() -> list[Metric]:
    """Those that a run alone has a value of."""
    return [metric for metric in of_runs(metrics_of(FIRST)) if metric.scope == "run"]


def scores() -> tuple[str, ...]:
    """Their keys, then the mean of several."""
    return (*(metric.key for metric in metrics_of_tasks()), "other")


def columns() -> tuple[str, ...]:
    """The figures of a task: its scores and its counts."""
    return (*scores(), *COUNTS)


@dataclass(frozen=True)
class TaskFigures:
    """A value a task and figure, a column each of `columns`; shares are 0 to 100.

    A task that no judge rated has NaN for `judge` and `other`, as it says nothing of the judge's opinion; everything
    else is a number. other: the mean of the judge's score and OTHER over the trials that were judged, so that its
    members are of the same trials; where all were, that is the mean of their columns.
    """

    ids: tuple[str, ...]
    difficulties: tuple[str, ...]
    sizes: tuple[int, ...]
    values: Floats

    def column(self, name: str) -> Floats:
        """One figure of every task."""
        return self.values[:, columns().index(name)]

    @cached_property
    def place(self) -> Mapping[str, int]:
        """The row of each task."""
        return {task: row for row, task in enumerate(self.ids)}

    def of(self, rows: Sequence[int]) -> TaskFigures:
        """Some of the tasks, in this order."""
        return TaskFigures(
            tuple(self.ids[row] for row in rows),
            tuple(self.difficulties[row] for row in rows),
            tuple(self.sizes[row] for row in rows),
            self.values[list(rows)],
        )

    def where(self, *, difficulty: str | None = None, size: int | None = None) -> TaskFigures:
        """The tasks of one difficulty, or of one group size."""
        rows = range(len(self.ids))
        if difficulty is not None:
            return self.of([row for row in rows if self.difficulties[row] == difficulty])
        return self.of([row for row in rows if self.sizes[row] == size])


def task_figures(sessions: Iterable[SessionFigures], profile: str) -> TaskFigures:
    """Group sessions by task, in the order of task ids, and average as the profile says.

    Nothing is rounded; the published aggregation rounds its last figures alone.
    """
    tasks: dict[str, list[SessionFigures]] = {}
    for session in sessions:
        tasks.setdefault(session.task_id, []).append(session)
    ordered = sorted(tasks)  # resampled task by task: another order would be another interval
    firsts = [tasks[task][0] for task in ordered]
    rules = {metric.key: metric.scale for metric in metrics_of_tasks() if metric.source == "rules"}
    fold = _Fold(PROFILES[profile].trials, rules, scores()[:-1])
    values = [fold.task(tasks[task]) for task in ordered]
    return TaskFigures(
        tuple(ordered),
        tuple(first.difficulty for first in firsts),
        tuple(first.size for first in firsts),
        np.array(values, dtype=float).reshape(len(ordered), len(columns())),
    )


@dataclass(frozen=True, slots=True)
class _Fold:
    """From the trials of a task to its figures. rules: what each metric of the rules is multiplied by."""

    average: TrialRule
    rules: Mapping[str, float]
    keys: Sequence[str]

    def task(self, trials: Sequence[SessionFigures]) -> list[float]:
        """In the order of `columns`."""
        values = self._by_rules(trials)
        judge, other = self._judged(trials, values)
        counts = [sum([getattr(trial, name) for trial in trials]) / len(trials) for name in COUNTS]
        return [values.get(key, judge) for key in self.keys] + [other, *counts]

    def _by_rules(self, trials: Sequence[SessionFigures]) -> dict[str, float]:
        if len(trials) == 1:  # by every profile the trial's own values, 0 where it has none
            own = trials[0].values
            return {key: scale * (own.get(key) or 0.0) for key, scale in self.rules.items()}
        return {
            key: scale * self.average([trial.values.get(key) for trial in trials])
            for key, scale in self.rules.items()
        }

    def _judged(self, trials: Sequence[SessionFigures], values: Mapping[str, float]) -> tuple[float, float]:
        """`judge` and `other` over the judged trials. values: by the rules, of all trials."""
        judged = [(trial, score) for trial in trials if (score := judged_score(trial)) is not None]
        if not judged:
            return UNJUDGED
        judge = sum([score for _, score in judged]) / len(judged)
        if len(judged) < len(trials):
            values = self._by_rules([trial for trial, _ in judged])
        return judge, (sum([values[key] for key in OTHER]) + judge) / (len(OTHER) + 1)


def judged_score(trial: SessionFigures) -> float | None:
    """S of a session."""
    return mean_score(trial.verdicts)


def mean_score(verdicts: Sequence[Verdict]) -> float | None:
    """The mean of S over a session's verdicts that have one; None where none has."""
    if len(verdicts) == 1:
        return verdicts[0].score
    scores = [one.score for one in verdicts if one.score is not None]
    return sum(scores) / len(scores) if scores else None
