"""What the page of compared runs shows task by task."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict

from benchmark.metrics import OF_CACHES, Metric
from benchmark.reports.statistics import LEVEL, TIMES, Resampler
from webapp.runs.by_task import (
    TaskComparison,
    TaskRow,
    Where,
    compare_by_task,
    groupings,
    task_rows,
    task_values,
    where,
)
from webapp.runs.comparison import ids_led_by
from webapp.runs.conditions import condition_words, unlike_conditions
from webapp.runs.figures import Outcome, compared_metrics
from webapp.sessions.models import Run
from webapp.wording.metrics import change_words, percent_label
from webapp.wording.numbers import number_words, p_words

MOST_ROWS = 300
"""Tasks that the page lists; the file of the runs has all."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A metric that the tasks can be compared by."""

    metric: Metric
    label: str


@dataclass(frozen=True, slots=True)
class Line:
    """A run against the first by one figure, in words."""

    label: str
    comparison: TaskComparison

    @property
    def difference(self) -> str:
        return self._words(self.comparison.difference.difference.value)

    @property
    def interval(self) -> str:
        """ "–" of fewer than two tasks."""
        estimate = self.comparison.difference.difference
        return "–" if estimate.low is None else f"{self._words(estimate.low)} … {self._words(estimate.high)}"

    @property
    def counts(self) -> str:
        """On how many tasks it is better, alike, worse; "–" of a figure that only describes."""
        comparison = self.comparison
        if comparison.metric.better == "neither":
            return "–"
        return f"{comparison.wins} · {comparison.ties} · {comparison.losses}"

    @property
    def p(self) -> str:
        return p_words(self.comparison.difference.p)

    def _words(self, value: float | None) -> str:
        return number_words(value, self.comparison.metric.digits, signed=True)


@dataclass(frozen=True, slots=True)
class TaskLine:
    """A task's row, and its difference in words: signed where there are two runs."""

    row: TaskRow
    change: str


def context(
    runs: Sequence[Run], outcomes: Mapping[str, Sequence[Outcome]], given: QueryDict
) -> dict[str, Any]:
    """What `templates/runs/by_task.html` needs; nothing for fewer than two runs.

    given: `figure`, `by` and `only`; what is unknown reads as the first figure that tasks have, the first grouping,
    all tasks.
    """
    if len(runs) < 2:
        return {}
    figures = [Figure(metric, percent_label(metric)) for metric in _metrics(runs)]
    asked = next((figure for figure in figures if figure.metric.key == given.get("figure")), None)
    figure = asked or _first(runs, outcomes, figures)
    by = groupings(runs[0].suite)
    chosen = given.get("by", "") if given.get("by", "") in by else next(iter(by), "")
    rows = task_rows(runs, outcomes, figure.metric)
    only = given.get("only") == "different"
    listed = [row for row in rows if row.differs] if only else rows
    unlike_in = unlike_conditions(runs)
    played = set().union(*({outcome.task_id for outcome in outcomes[run.pk]} for run in runs))
    return {
        "runs": runs,
        "ids": ids_led_by(runs[0], runs),
        "paired": list(_paired_lines(runs, outcomes, figures, unlike_in)),
        "unlike": [
            (run, condition_words(keys, run.suite)) for run in runs[1:] if (keys := unlike_in[run.pk])
        ],
        "times": TIMES,
        "level": int(100 * LEVEL),
        "figure": figure,
        "choices": figures,
        "groupings": by,
        "by": chosen,
        "grouping_label": by[chosen].label if chosen else "",
        "only": only,
        "places": [(place, _cells(place)) for place in where(rows, by[chosen])] if chosen else [],
        "task_lines": [TaskLine(row, _change(row, figure.metric)) for row in listed[:MOST_ROWS]],
        "unlisted": max(0, len(listed) - MOST_ROWS),
        "left_over": len(played) - len(rows),
    }


def _first(
    runs: Sequence[Run], outcomes: Mapping[str, Sequence[Outcome]], figures: Sequence[Figure]
) -> Figure:
    """The first figure of which a task alone has a value; some are of whole runs."""
    own, suite = outcomes[runs[0].pk], runs[0].suite
    known = (figure for figure in figures if {*task_values(own, suite, figure.metric).values()} - {None})
    return next(known, figures[0])


def _metrics(runs: Sequence[Run]) -> list[Metric]:
    """What every run has; hits only where all have a cache."""
    cached = all(run.has_cache for run in runs)
    return [metric for metric in compared_metrics(runs[0].suite) if cached or metric.key not in OF_CACHES]


def _paired_lines(
    runs: Sequence[Run],
    outcomes: Mapping[str, Sequence[Outcome]],
    figures: Sequence[Figure],
    unlike_in: Mapping[str, Sequence[str]],
) -> Iterator[tuple[Run, list[Line]]]:
    suite, resampler = runs[0].suite, Resampler()
    values = {
        (run.pk, figure.metric.key): task_values(outcomes[run.pk], suite, figure.metric)
        for run in runs
        for figure in figures
    }
    for run in runs[1:]:
        lines = [
            Line(
                figure.label,
                compare_by_task(
                    values[runs[0].pk, key],
                    values[run.pk, key],
                    figure.metric,
                    resampler,
                    tested=not unlike_in[run.pk],
                ),
            )
            for figure in figures
            if (key := figure.metric.key)
        ]
        yield run, [line for line in lines if line.comparison.difference.tasks]


def _cells(place: Where) -> list[tuple[float | None, int]]:
    return list(zip(place.means, place.wins, strict=True))


def _change(row: TaskRow, metric: Metric) -> str:
    if row.spread is None:
        return "–"
    if len(row.values) > 2:
        return number_words(row.spread * metric.scale, metric.digits)
    before, after = row.values
    return change_words(metric, None if before is None or after is None else after - before)
