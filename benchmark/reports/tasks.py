"""From trials to tasks: what intervals and paired tests are made of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmark.metrics import Facets, TrialRule
from benchmark.reports.measures import COUNTS, Measures
from benchmark.reports.session import SessionFigures

Floats = NDArray[np.float64]

NOT_KNOWN = float("nan")


@dataclass(frozen=True)
class TaskFigures:
    """A value a task and figure, a column each of `columns` (`Measures.columns`); shares are 0 to 100.

    A task that no judge rated has NaN for the judge's score and the means with it, as it says nothing of the judge's
    opinion. Such a mean is over the trials that were judged by all rubrics that it is of, so that its members are of
    the same trials; where all were, that is the mean of their columns.

    weights: how many trials each value is of, where the profile pools them; None where each task weighs the same.
    """

    ids: tuple[str, ...]
    facets: tuple[Facets, ...]
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
            tuple(self.facets[row] for row in rows),
            self.values[list(rows)],
            self.columns,
            None if self.weights is None else self.weights[list(rows)],
        )

    def cells(self, key: str) -> list[Any]:
        """What a field says of every task; None where it says nothing."""
        return [facets.get(key) for facets in self.facets]

    def where(self, key: str, value: object) -> TaskFigures:
        """The tasks of which a field says this."""
        return self.of([row for row, cell in enumerate(self.cells(key)) if cell == value])


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
        tuple(first.facets for first in firsts),
        np.array(values, dtype=float).reshape(len(ordered), len(measures.columns)),
        measures.columns,
        _weights([tasks[task] for task in ordered], measures) if measures.averaging.pooled else None,
    )


def _weights(tasks: Sequence[Sequence[SessionFigures]], measures: Measures) -> Floats:
    """How many trials of each task have each figure: counts and means with a judge's score are of all of them."""
    judged, stored = measures.judge_metrics, {metric.key for metric in measures.of_tasks}

    def known(trial: SessionFigures, key: str) -> bool:
        if key in judged:
            return judged_score(trial, judged[key].name) is not None
        return key not in stored or trial.values.get(key) is not None

    counts = [[sum(known(trial, key) for trial in trials) for key in measures.columns] for trials in tasks]
    return np.array(counts, dtype=float).reshape(len(tasks), len(measures.columns))


@dataclass(frozen=True, slots=True)
class _Fold:
    """From the trials of a task to its figures.

    rubrics: the name of the rubric of each metric of a judge. rules: what each other metric is multiplied by, how its
    trials are averaged, and what it is of a trial without it. means: those with a judge's score, by key the metrics
    that are the mean's, those of the rules before those of judges.
    """

    keys: Sequence[str]
    rubrics: Mapping[str, str]
    rules: Mapping[str, tuple[float, TrialRule, float]]
    means: Mapping[str, tuple[Sequence[str], Sequence[str]]]

    @classmethod
    def by(cls, measures: Measures) -> _Fold:
        averages = {
            metric: (metric.averaging or measures.averaging).trials
            for metric in measures.of_tasks
            if metric.key not in measures.judge_metrics
        }
        return cls(
            measures.scores,
            {key: rubric.name for key, rubric in measures.judge_metrics.items()},
            {metric.key: (metric.scale, rule, _value(rule([None]))) for metric, rule in averages.items()},
            {
                mean.key: (
                    [key for key in mean.of if key not in measures.judge_metrics],
                    [key for key in mean.of if key in measures.judge_metrics],
                )
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
        """Each judge's score over the trials that have it, and the means with any over those that have all that they
        are of. values: by the rules, of all trials.
        """
        scores = {
            key: [judged_score(trial, rubric) for trial in trials] for key, rubric in self.rubrics.items()
        }
        means = {key: _mean(known) for key, own in scores.items() if (known := _drop_missing(own))}
        for key, (of_rules, of_judges) in self.means.items():
            given = [scores[member] for member in of_judges]
            judged = [row for row, own in enumerate(zip(*given, strict=True)) if None not in own]
            if judged:
                whole = len(judged) == len(trials)
                rules = values if whole else self._by_rules([trials[row] for row in judged])
                raters = [_mean(_drop_missing([own[row] for row in judged])) for own in given]
                means[key] = _mean([*(rules[member] for member in of_rules), *raters])
        return means


def _drop_missing(values: Iterable[float | None]) -> list[float]:
    return [value for value in values if value is not None]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _value(mean: float | None) -> float:
    return NOT_KNOWN if mean is None else mean


def judged_score(trial: SessionFigures, rubric: str) -> float | None:
    """S of a session by a rubric: the mean over its verdicts that have one; None where none has."""
    verdicts = trial.verdicts
    if len(verdicts) == 1:
        return verdicts[0].score if verdicts[0].rubric == rubric else None
    scores = [verdict.score for verdict in verdicts if verdict.score is not None and verdict.rubric == rubric]
    return sum(scores) / len(scores) if scores else None
