"""From trials to tasks: what intervals and paired tests are made of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from benchmark.scoring import aggregate

if TYPE_CHECKING:
    from benchmark.reports.session import SessionFigures

Floats = NDArray[np.float64]

PLACES = 9
SCORES = ("gu", "pc", "gf", "pv", "judge")
OTHER = ("pc", "gf", "pv", "judge")
RULES = ("pc", "gf", "pv")
COUNTS = ("compromises", "calls")
_PER_CENT = ("pc", "pv")


@dataclass(frozen=True)
class TaskFigures:
    """A value a task and figure. values: SCORES and COUNTS in that order, a column each; pc, gf, pv, judge 0 to 100.

    A task that no judge rated has NaN for `judge`, as it says nothing of the judge's opinion; everything else is a
    number.
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


COLUMNS = (*SCORES, *COUNTS)


def task_figures(sessions: Iterable[SessionFigures], profile: str) -> TaskFigures:
    """Group sessions by task, in the order of task ids, and average as the profile says."""
    tasks: dict[str, list[SessionFigures]] = {}
    for session in sessions:
        tasks.setdefault(session.task_id, []).append(session)
    ordered = sorted(tasks)  # resampled task by task: another order would be another interval
    firsts = [tasks[task][0] for task in ordered]
    values = [_values(tasks[task], profile) for task in ordered]
    return TaskFigures(
        tuple(ordered),
        tuple(first.difficulty for first in firsts),
        tuple(first.size for first in firsts),
        np.array(values, dtype=float).reshape(len(ordered), len(COLUMNS)),
    )


def _values(trials: Sequence[SessionFigures], profile: str) -> list[float]:
    figures = {**_rule_scores(trials, profile), "judge": _judged(trials)}
    figures |= {name: fmean([getattr(trial, name) for trial in trials]) for name in COUNTS}
    return [figures[name] for name in COLUMNS]


def _rule_scores(trials: Sequence[SessionFigures], profile: str) -> dict[str, float]:
    scores = ({"task_id": trial.task_id, **{f: getattr(trial, f) for f in _FIGURES}} for trial in trials)
    means = aggregate(scores, places=PLACES)
    return {name: (means[name] or 0.0) * (100 if name in _PER_CENT else 1) for name in _FIGURES}


_FIGURES = ("pc", "gu", "gf", "pv")


def _judged(trials: Sequence[SessionFigures]) -> float:
    """The mean over judged trials of the mean over their verdicts."""
    means = [fmean(scores) for trial in trials if (scores := _scores(trial))]
    return fmean(means) if means else float("nan")


def _scores(trial: SessionFigures) -> list[float]:
    return [verdict.score for verdict in trial.verdicts if verdict.score is not None]
