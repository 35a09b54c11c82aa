"""Shares of a subset's tasks by how many tool calls, steps or turns they took."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from benchmark.reports import Cell, Chart, Column, Note, Part, Report, Table
from benchmark.reports.bins import even_bins
from benchmark.reports.table import NO_SESSIONS
from benchmark.suites.travelbench.modes import Subtask
from benchmark.suites.travelbench.report.composition import Count, task_means, tool_steps_of, turns_of

COLUMNS = (
    *(Column("subset", "name"), Column("run", "name"), Column("bin", "name")),
    *(Column("share", places=1), Column("tasks", "count")),
)


def _build(report: Report, *, subsets: Sequence[Subtask], count: Count) -> Table:
    """A row a subset, run and bin: the percentage of tasks whose mean over trials lies in it; bins of one width."""
    rows = [row for subset in subsets for row in _rows(report, subset, count)]
    return Table(COLUMNS, rows, [*_means(report, subsets, count)] if rows else [NO_SESSIONS])


def _rows(report: Report, subset: Subtask, count: Count) -> Iterator[list[Cell]]:
    means = [(run.label, np.array(task_means([run], subset, count))) for run in report.runs]
    edges, names = even_bins(np.concatenate([np.empty(0), *(values for _, values in means)]))
    for label, values in means:
        counts = np.histogram(values, [*edges, np.inf])[0]
        for name, tasks in zip(names, counts, strict=True) if len(values) else ():
            yield [subset, label, name, float(100 * tasks / len(values)), int(tasks)]


def _means(report: Report, subsets: Sequence[Subtask], count: Count) -> Iterator[Note]:
    for subset in subsets:
        for run in report.runs:
            if values := task_means([run], subset, count):
                given: dict[str, Cell] = {"run": run.label, "n": len(values), "mean": float(np.mean(values))}
                yield Note(f"mean_of_{subset}", given)


CHART = Chart("bars", x="bin", y="share", series="run", facet="subset", most=100)
TOOL_CALLS = Part(
    "subset_calls", partial(_build, subsets=("single", "multi"), count=lambda facts: facts.calls), CHART
)
STEPS = Part("single_steps", partial(_build, subsets=("single",), count=tool_steps_of), CHART)
TURNS = Part("multi_turns", partial(_build, subsets=("multi",), count=turns_of), CHART)
