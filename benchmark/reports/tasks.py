"""From trials to tasks: what intervals and paired tests are made of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from benchmark.suites.grouptravel.scoring import PROFILES
from benchmark.suites.grouptravel.scoring.profile import TrialRule

if TYPE_CHECKING:
    from benchmark.reports.session import SessionFigures, Verdict

Floats = NDArray[np.float64]

SCORES = ("gu", "pc", "gf", "pv", "judge")
OTHER = ("pc", "gf", "pv", "judge")
RULES = ("pc", "gf", "pv")
COUNTS = ("compromises", "calls")
UNJUDGED = (float("nan"), float("nan"))


@dataclass(frozen=True)
class TaskFigures:
    """A value a task and figure, a column each of COLUMNS. pc, gf, pv, judge, other: 0 to 100.

    A task that no judge rated has NaN for `judge` and `other`, as it says nothing of the judge's opinion; everything
    else is a number. other: the mean of OTHER over the trials that were judged, so that its members are of the same
    trials; where all were, that is the mean of the four columns.
    """

    ids: tuple[str, ...]
    difficulties: tuple[str, ...]
    sizes: tuple[int, ...]
    values: Floats

    def column(self, name: str) -> Floats:
        """One figure of every task."""
        return self.values[:, COLUMNS.index(name)]

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


COLUMNS = (*SCORES, "other", *COUNTS)


def task_figures(sessions: Iterable[SessionFigures], profile: str) -> TaskFigures:
    """Group sessions by task, in the order of task ids, and average as the profile says.

    Nothing is rounded; the published aggregation rounds its last figures alone.
    """
    tasks: dict[str, list[SessionFigures]] = {}
    for session in sessions:
        tasks.setdefault(session.task_id, []).append(session)
    ordered = sorted(tasks)  # resampled task by task: another order would be another interval
    firsts = [tasks[task][0] for task in ordered]
    average = PROFILES[profile].trials
    values = [_values(tasks[task], average) for task in ordered]
    return TaskFigures(
        tuple(ordered),
        tuple(first.difficulty for first in firsts),
        tuple(first.size for first in firsts),
        np.array(values, dtype=float).reshape(len(ordered), len(COLUMNS)),
    )


def _values(trials: Sequence[SessionFigures], average: TrialRule) -> list[float]:
    if len(trials) == 1:
        return _values_of_one(trials[0])
    counts = [sum([getattr(trial, name) for trial in trials]) / len(trials) for name in COUNTS]
    rules = _rules(trials, average)
    judged = _judged(trials, average, rules)
    return [average([trial.gu for trial in trials]), *rules, *judged, *counts]


def _rules(trials: Sequence[SessionFigures], average: TrialRule) -> list[float]:
    return [
        100 * average([trial.pc for trial in trials]),
        average([trial.gf for trial in trials]),
        100 * average([None if trial.pv is None else float(trial.pv) for trial in trials]),
    ]


def _values_of_one(trial: SessionFigures) -> list[float]:
    """The same of a task with one trial: by every rule the trial's own figures, 0 where it has none."""
    rules = [100 * (trial.pc or 0.0), trial.gf or 0.0, 100.0 if trial.pv else 0.0]
    judge = judged_score(trial)
    judged = UNJUDGED if judge is None else (judge, (sum(rules) + judge) / len(OTHER))
    return [trial.gu or 0.0, *rules, *judged, float(trial.compromises), float(trial.calls)]


def _judged(trials: Sequence[SessionFigures], average: TrialRule, rules: Sequence[float]) -> Sequence[float]:
    """`judge` and `other` over the judged trials. rules: the rule scores of all trials."""
    judged = [(trial, score) for trial in trials if (score := judged_score(trial)) is not None]
    if not judged:
        return UNJUDGED
    judge = sum([score for _, score in judged]) / len(judged)
    if len(judged) < len(trials):
        rules = _rules([trial for trial, _ in judged], average)
    return judge, (sum(rules) + judge) / len(OTHER)


def judged_score(trial: SessionFigures) -> float | None:
    """S of a session."""
    return mean_score(trial.verdicts)


def mean_score(verdicts: Sequence[Verdict]) -> float | None:
    """The mean of S over a session's verdicts that have one; None where none has."""
    if len(verdicts) == 1:
        return verdicts[0].score
    scores = [one.score for one in verdicts if one.score is not None]
    return sum(scores) / len(scores) if scores else None
