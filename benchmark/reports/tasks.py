"""From trials to tasks: what intervals and paired tests are made of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from benchmark.metrics import TrialRule
from benchmark.reports.measures import COUNTS, Measures
from benchmark.reports.session import SessionFigures

Floats = NDArray[np.float64]

NOT_KNOWN = float("nan")


@dataclass(frozen=True)
class TaskFigures:
    """A value a task and figure, a column each of `columns` (`Measures.columns`); shares are 0 to 100.

    A task that no judge rated has NaN for the judge's score and the means with it, as it says nothing of the judge's
    opinion. Such a mean is over the trials that were judged, so that its members are of the same trials; where all
    were, that is the mean of their columns.

    weights: how many trials each value is of, where the profile pools them; None where each task weighs the same.
    """

    ids: tuple[str, ...]
    difficulties: tuple[str, ...]
    sizes: tuple[int, ...]
    values: Floats
    columns: tuple[str, ...]
    weights: Floats | None = None

    def column(self, name: str) -> Floats:
        """One figure of every task."""
        return self.values[:, self.columns.index(name)]

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
            self.columns,
            None if self.weights is None else self.weights[list(rows)],
        )

    def where(self, *, difficulty: str | None = None, size: int | None = None) -> TaskFigures:
        """The tasks of one difficulty, or of one group size."""
        rows = range(len(self.ids))
        if difficulty is not None:
            return self.of([row for row in rows if self.difficulties[row] == difficulty])
        return self.of([row for row in rows if self.sizes[row] == size])


def task_figures(sessions: Iterable[SessionFigures], measures: Measures) -> TaskFigures:
    """Group sessions by task, in the order of task ids, and average as the profile says.

    Nothing is rounded; the published aggregation rounds its last figures alone.
    """
    tasks: dict[str, list[SessionFigures]] = {}
    for session in sessions:
        tasks.setdefault(session.task_id, []).append(session)
    ordered = sorted(tasks)  # resampled task by task: another order would be another interval
    firsts = [tasks[task][0] for task in ordered]
    fold = _Fold.by(measures)
    values = [fold.task(tasks[task]) for task in ordered]
    return TaskFigures(
        tuple(ordered),
        tuple(first.difficulty for first in firsts),
        tuple(first.size for first in firsts),
        np.array(values, dtype=float).reshape(len(ordered), len(measures.columns)),
        measures.columns,
        _weights([tasks[task] for task in ordered], measures) if measures.averaging.pooled else None,
    )


def _weights(tasks: Sequence[Sequence[SessionFigures]], measures: Measures) -> Floats:
    """How many trials of each task have each figure: counts and means with the judge's score are of all of them."""
    judged, rules = (
        measures.judge_metric,
        {metric.key for metric in measures.of_tasks if metric.source == "rules"},
    )

    def known(trial: SessionFigures, key: str) -> bool:
        if key == judged:
            return judged_score(trial) is not None
        return key not in rules or trial.values.get(key) is not None

    counts = [[sum(known(trial, key) for trial in trials) for key in measures.columns] for trials in tasks]
    return np.array(counts, dtype=float).reshape(len(tasks), len(measures.columns))


@dataclass(frozen=True, slots=True)
class _Fold:
    """From the trials of a task to its figures.

    rules: what each metric of the rules is multiplied by, how its trials are averaged, and what it is of a trial
    without it. means: the metrics of the rules that each mean with the judge's score has, by key.
    """

    keys: Sequence[str]
    judge_metric: str
    rules: Mapping[str, tuple[float, TrialRule, float]]
    means: Mapping[str, Sequence[str]]

    @classmethod
    def by(cls, measures: Measures) -> _Fold:
        averages = {
            metric: (metric.averaging or measures.averaging).trials
            for metric in measures.of_tasks
            if metric.source == "rules"
        }
        return cls(
            measures.scores,
            measures.judge_metric,
            {metric.key: (metric.scale, rule, _value(rule([None]))) for metric, rule in averages.items()},
            {
                mean.key: [key for key in mean.of if key != measures.judge_metric]
                for mean in measures.judged_means
            },
        )

    def task(self, trials: Sequence[SessionFigures]) -> list[float]:
        """In the order of `Measures.columns`."""
        values = self._by_rules(trials)
        values |= self._judge_means(trials, values)
        counts = [sum([getattr(trial, name) for trial in trials]) / len(trials) for name in COUNTS]
        return [*(values.get(key, NOT_KNOWN) for key in self.keys), *counts]

    def _by_rules(self, trials: Sequence[SessionFigures]) -> dict[str, float]:
        if len(trials) == 1:  # every rule's mean of one value is that value
            own = trials[0].values
            return {
                key: scale * (lacking if (value := own.get(key)) is None else value)
                for key, (scale, _, lacking) in self.rules.items()
            }
        return {
            key: scale * _value(average([trial.values.get(key) for trial in trials]))
            for key, (scale, average, _) in self.rules.items()
        }

    def _judge_means(self, trials: Sequence[SessionFigures], values: Mapping[str, float]) -> dict[str, float]:
        """The judge's score and the means with it, over the judged trials. values: by the rules, of all trials."""
        judged = [(trial, score) for trial in trials if (score := judged_score(trial)) is not None]
        if not judged:
            return {}
        judge = sum([score for _, score in judged]) / len(judged)
        if len(judged) < len(trials):
            values = self._by_rules([trial for trial, _ in judged])
        means = {
            key: (sum([values[member] for member in members]) + judge) / (len(members) + 1)
            for key, members in self.means.items()
        }
        return {self.judge_metric: judge} | means


def _value(mean: float | None) -> float:
    return NOT_KNOWN if mean is None else mean


def judged_score(trial: SessionFigures) -> float | None:
    """S of a session: the mean over its verdicts that have one; None where none has."""
    verdicts = trial.verdicts
    if len(verdicts) == 1:
        return verdicts[0].score
    scores = [verdict.score for verdict in verdicts if verdict.score is not None]
    return sum(scores) / len(scores) if scores else None
