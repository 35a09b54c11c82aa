"""Runs against the first of them over the tasks that both have."""

from __future__ import annotations

from collections.abc import Sequence

from benchmark.remarks import gettext_noop as _
from benchmark.reports.conditions import unlike
from benchmark.reports.report import Part, Report
from benchmark.reports.run import RunFigures
from benchmark.reports.statistics import Estimate, PairedDifference, paired_differences
from benchmark.reports.table import Cell, Column, Note, Table
from benchmark.reports.tasks import Floats, TaskFigures
from benchmark.reports.verdicts import who_judged
from benchmark.reports.words import PartWords

COLUMNS = (
    *(Column("figure", "name"), Column("run", "name"), Column("against", "name"), Column("tasks", "count")),
    *(Column("difference", signed=True), Column("effect", signed=True), Column("wins", places=1)),
    Column("p", places=4),
)


def build(report: Report) -> Table:
    """A row a figure and run after the first: mean difference a task with its interval, Cohen's d of pairs, p.

    wins: the percentage of tasks on which the run is better than the first, a tie counting half.
    """
    if len(report.runs) < 2:
        return Table(COLUMNS, [], [Note("one_run")])
    first, *others = report.runs
    scores = report.measures.scores
    paired = paired_differences(
        [differences(first.tasks, run.tasks, scores) for run in others], report.resampler
    )
    unlike_in = {run.id: unlike([first.conditions, run.conditions]) for run in others}
    rows: list[list[Cell]] = [
        [
            figure,
            run.label,
            first.label,
            difference.tasks,
            *_cells(difference, report.measures.better(figure), tested=not unlike_in[run.id]),
        ]
        for run, own in zip(others, paired, strict=True)
        for figure, difference in zip(scores, own, strict=True)
        if difference.tasks
    ]
    if not rows:
        return Table(COLUMNS, rows, [Note("no_pairs")])
    told = [_unlike(run, first, keys) for run in others if (keys := unlike_in[run.id])]
    tests = [Note("paired", {"times": report.resampler.times})] if len(told) < len(others) else []
    return Table(COLUMNS, rows, [*told, *tests, *who_judged(report)])


def _unlike(run: RunFigures, first: RunFigures, keys: Sequence[str]) -> Note:
    return Note("unlike", {"run": run.label, "against": first.label}, keys)


def differences(first: TaskFigures, second: TaskFigures, scores: Sequence[str]) -> Floats:
    """What the second has more, a row a task that both have, a column each of `scores`."""
    shared = [task for task in first.ids if task in second.place]
    before, after = (tasks.values[[tasks.place[task] for task in shared]] for tasks in (first, second))
    changes: Floats = (after - before)[:, [first.columns.index(name) for name in scores]]
    return changes


def _cells(difference: PairedDifference, better: str, *, tested: bool) -> list[Cell]:
    """tested: whether the conditions are alike, without which chance is not the only other cause of a difference."""
    wins = _wins(difference, better)
    if not tested:
        return [Estimate(difference.difference.value), None, wins, None]
    return [difference.difference, difference.effect, wins, difference.p]


def _wins(difference: PairedDifference, better: str) -> float | None:
    """The percentage of tasks on which the run is better; None of a figure that only describes."""
    if difference.wins is None or better == "neither":
        return None
    return 100 * (1 - difference.wins if better == "low" else difference.wins)


PART = Part(
    "differences",
    build,
    own_tasks=True,
    words=PartWords(
        _("Differences to the first run"),
        _("Over the tasks that both runs have, task by task."),
        columns={
            "against": _("compared with"),
            "difference": _("difference"),
            "effect": _("effect (d)"),
            "wins": _("better on % of tasks"),
            "p": _("p"),
        },
        notes={
            "no_pairs": _("These runs have no task in common."),
            "unlike": _(
                "%(run)s was run under other conditions than %(against)s (%(what)s), so its differences are "
                "shown without intervals and tests."
            ),
            "paired": _(
                "Over the tasks that both have: the mean difference with its 95 %% interval, bootstrapped "
                "(%(times)s resamples), and p of a permutation test. d: the mean difference in standard deviations "
                "of the differences."
            ),
        },
    ),
)
