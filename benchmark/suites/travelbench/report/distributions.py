"""Shares of a subset's tasks by how many tool calls, steps or turns they took."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from benchmark.remarks import gettext_noop as _
from benchmark.remarks import ngettext_noop
from benchmark.reports import Cell, Chart, Column, Note, Part, PartWords, Report, Table
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


def _words(title: str, about: str, counted: str) -> PartWords:
    """counted: what is counted, on the axis of bins."""
    notes = {
        "mean_of_single": ngettext_noop(
            "%(run)s: mean %(mean)s over %(n)s single-turn task.",
            "%(run)s: mean %(mean)s over %(n)s single-turn tasks.",
        ),
        "mean_of_multi": ngettext_noop(
            "%(run)s: mean %(mean)s over %(n)s multi-turn task.",
            "%(run)s: mean %(mean)s over %(n)s multi-turn tasks.",
        ),
    }
    return PartWords(title, about, axes={"bin": counted, "share": _("% of tasks")}, notes=notes)


TOOL_CALLS = Part(
    "subset_calls",
    partial(_build, subsets=("single", "multi"), count=lambda facts: facts.calls),
    CHART,
    words=_words(
        _("Tool calls per task, by subset"),
        _("Percentage of tasks by their mean number of tool calls over trials."),
        _("tool calls per task"),
    ),
)
STEPS = Part(
    "single_steps",
    partial(_build, subsets=("single",), count=tool_steps_of),
    CHART,
    words=_words(
        _("Steps of single-turn tasks"),
        _("Percentage of tasks by their mean number of tool steps over trials."),
        _("tool steps per task"),
    ),
)
TURNS = Part(
    "multi_turns",
    partial(_build, subsets=("multi",), count=turns_of),
    CHART,
    words=_words(
        _("Turns of multi-turn tasks"),
        _("Percentage of tasks by their mean number of turns over trials."),
        _("turns per task"),
    ),
)
