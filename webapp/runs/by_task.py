"""Runs against each other task by task: what differs most, how sure the difference is, and who is better where."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np

from benchmark.metrics import PLACES, Metric, run_values
from benchmark.reports.statistics import Estimate, PairedDifference, Resampler, paired_differences
from benchmark.suites import suite_named
from webapp.catalogue.fields import ListedField, listed_fields
from webapp.catalogue.models import Task
from webapp.catalogue.selectors import playable_tasks as played_tasks
from webapp.catalogue.wording import cell_words, task_title
from webapp.pages import MOST_COMPARED
from webapp.runs.figures import Outcome, trial_of
from webapp.sessions.models import Run

ALIKE = 1e-9
"""Values of a task that differ by less differ by rounding alone."""


class Grouping(NamedTuple):
    """Something by which tasks fall into groups. of: the group of a task, as a key to sort by and in words."""

    label: str
    of: Callable[[Task], tuple[Any, str]]


def groupings(suite: str) -> dict[str, Grouping]:
    """By what the tasks of a benchmark can be grouped: its fields of that place."""
    fields = listed_fields("groups", suites=[suite]).values()
    return {listed.own.key: Grouping(listed.label, partial(_group, listed)) for listed in fields}


def _group(listed: ListedField, task: Task) -> tuple[Any, str]:
    """A choice sorts by its place among the choices, what is not known after them; anything else by itself."""
    cell = listed.cell(task)
    if listed.own.kind == "choice":
        return [*listed.choices, cell].index(cell), cell_words(listed, cell)
    words = "" if cell in (None, "") else cell_words(listed, cell)
    return (words if listed.own.kind == "names" else (cell is None, cell)), words


@dataclass(frozen=True, slots=True)
class TaskRow:
    """One task. values: of the figure, in the order of the runs, None where a run has none. sessions: of each run.

    spread: the largest difference between two runs, None where fewer than two have a value. best: the runs that have
    the best value, by place, empty where all are alike.
    """

    task: Task
    title: str
    values: Sequence[float | None]
    sessions: Sequence[Sequence[str]]
    spread: float | None
    best: frozenset[int]

    @property
    def differs(self) -> bool:
        """Whether two runs have different values."""
        return self.spread is not None and self.spread > ALIKE

    @property
    def compared_sessions(self) -> list[str]:
        """The first sessions of the first runs that played it, as many as stand side by side; [] for one alone."""
        played = [own[0] for own in self.sessions if own]
        return played[:MOST_COMPARED] if len(played) > 1 else []


@dataclass(frozen=True, slots=True)
class Where:
    """A group of tasks. means, wins: by run; wins counts the tasks on which a run alone is best. ties: the others."""

    label: str
    tasks: int
    means: Sequence[float | None]
    wins: Sequence[int]
    ties: int


def task_values(outcomes: Iterable[Outcome], suite: str, metric: Metric) -> dict[str, float | None]:
    """The value of a metric for each task, its trials averaged as the benchmark's scoring says."""
    scoring = suite_named(suite).scoring
    rule = scoring.profiles[scoring.profile]
    ordered = sorted(outcomes, key=lambda outcome: outcome.task_id)
    return {
        task: run_values([metric], [trial_of(outcome) for outcome in own], rule, PLACES)[metric.key]
        for task, own in groupby(ordered, key=lambda outcome: outcome.task_id)
    }


def task_rows(
    runs: Sequence[Run], outcomes: Mapping[str, Sequence[Outcome]], metric: Metric, *, shared: bool = True
) -> list[TaskRow]:
    """A row for each task that all runs have (shared), or that any has; what differs most comes first."""
    values = [task_values(outcomes[run.pk], run.suite, metric) for run in runs]
    played = [_sessions(outcomes[run.pk]) for run in runs]
    ids = set(values[0]).intersection(*values) if shared else set().union(*values)
    tasks = played_tasks().filter(task_id__in=ids).defer("definition").order_by("collection_id", "position")
    rows = [
        _row(
            task,
            [own.get(task.task_id) for own in values],
            [own.get(task.task_id, []) for own in played],
            metric,
        )
        for task in tasks
    ]
    return sorted(rows, key=lambda row: -1 if row.spread is None else row.spread, reverse=True)


def _sessions(outcomes: Iterable[Outcome]) -> dict[str, list[str]]:
    sessions: dict[str, list[str]] = {}
    for outcome in outcomes:
        sessions.setdefault(outcome.task_id, []).append(outcome.session)
    return sessions


def _row(
    task: Task, values: Sequence[float | None], sessions: Sequence[Sequence[str]], metric: Metric
) -> TaskRow:
    known = [value for value in values if value is not None]
    if len(known) < 2:
        return TaskRow(task, task_title(task), values, sessions, None, frozenset())
    spread = max(known) - min(known)
    if metric.better == "neither":
        return TaskRow(task, task_title(task), values, sessions, spread, frozenset())
    top = max(known) if metric.better == "high" else min(known)
    best = frozenset(n for n, value in enumerate(values) if value is not None and abs(value - top) < ALIKE)
    return TaskRow(task, task_title(task), values, sessions, spread, best if spread > ALIKE else frozenset())


def where(rows: Sequence[TaskRow], grouping: Grouping) -> list[Where]:
    """Who is better on which tasks: a row for each group, and the mean of each run over it."""
    keyed = sorted(((grouping.of(row.task), row) for row in rows), key=lambda pair: pair[0])
    return [
        _where(label, [row for _key, row in group])
        for (_order, label), group in groupby(keyed, key=lambda pair: pair[0])
    ]


def _where(label: str, rows: Sequence[TaskRow]) -> Where:
    columns = list(zip(*(row.values for row in rows), strict=True))
    means = [
        float(np.mean(known)) if (known := [v for v in column if v is not None]) else None
        for column in columns
    ]
    alone = [next(iter(row.best)) for row in rows if len(row.best) == 1]
    wins = [alone.count(n) for n in range(len(columns))]
    return Where(label or "–", len(rows), means, wins, len(rows) - len(alone))


@dataclass(frozen=True, slots=True)
class TaskComparison:
    """What a run has of a figure that the first run has not, over the tasks that both have.

    difference: its mean with the bootstrap interval over tasks, and p of the permutation test, in the unit of pages
    (shares in points of 100); the mean alone where the runs were played under unlike conditions. wins, ties, losses:
    tasks on which it is better, alike, worse.
    """

    metric: Metric
    difference: PairedDifference
    wins: int
    ties: int
    losses: int


def compare_by_task(
    first: Mapping[str, float | None],
    run: Mapping[str, float | None],
    metric: Metric,
    resampler: Resampler,
    *,
    tested: bool = True,
) -> TaskComparison:
    """A run against the first, from their values by task. tested: whether they were played under like conditions."""
    pairs = [(first[task], run[task]) for task in sorted(set(first) & set(run))]
    differences = np.array(
        [after - before for before, after in pairs if before is not None and after is not None]
    )
    better = -differences if metric.better == "low" else differences
    wins, losses = int((better > ALIKE).sum()), int((better < -ALIKE).sum())
    [[differences_found]] = (
        paired_differences([differences.reshape(-1, 1) * metric.scale], resampler)
        if len(differences)
        else [[NONE]]
    )
    if not tested:
        differences_found = replace(
            differences_found, difference=Estimate(differences_found.difference.value), effect=None, p=None
        )
    return TaskComparison(metric, differences_found, wins, len(differences) - wins - losses, losses)


NONE = PairedDifference(0, Estimate(None), None, None, None)
"""Of runs without a common task."""
