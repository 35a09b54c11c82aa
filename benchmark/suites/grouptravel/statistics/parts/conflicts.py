"""Conflicts within groups (appendix A.9.3, Figure 5)."""

from __future__ import annotations

from benchmark.remarks import gettext_noop as _
from benchmark.reports.dataset import DatasetPart
from benchmark.reports.table import Cell, Chart, Column, Table
from benchmark.reports.words import PartWords
from benchmark.suites.grouptravel.statistics import targets
from benchmark.suites.grouptravel.statistics.dataset import Dataset, share
from benchmark.suites.grouptravel.statistics.parts.cells import (
    ANSWERS,
    COMPARISON_COLUMNS,
    bars,
    comparison_cells,
    percent,
    plain_bars,
    sides,
    table_of,
)
from benchmark.suites.grouptravel.statistics.targets import PAPER_TASKS, TARGETS, Comparison
from benchmark.suites.grouptravel.statistics.task import SOURCES

_SOURCES = {
    "food": _("food"),
    "attraction_category": _("kinds of sights"),
    "attraction_name": _("single sights"),
    "transport": _("transport"),
    "hotel": _("hotels"),
}


def conflicts_a_task(data: Dataset) -> Table:
    """Figure 5: a row a number of conflicts; of the paper's bars only that of no conflict is known."""
    without = TARGETS["tasks"]["value"]["all"] - TARGETS["conflicts"]["value"]["tasks_with_any"]["count"]
    whole = len(data.tasks)
    rows: list[list[Cell]] = [
        [name, count, percent(count, whole), percent(without, PAPER_TASKS) if name == "0" else None]
        for name, count in data.conflict_buckets().items()
    ]
    columns = (
        *(Column("conflicts", "name"), Column("tasks", "count")),
        *(Column("share", places=1), Column("paper_share", places=1)),
    )
    return table_of(columns, rows if whole else [])


def conflict_sources(data: Dataset) -> Table:
    """A row a source: conflicts, and the tasks that have one."""
    whole = len(data.tasks)
    rows: list[list[Cell]] = []
    for comparison in targets.conflicts(data):
        if comparison.figure.startswith("conflicts.tasks_by_source."):
            source = comparison.figure.rpartition(".")[2]
            shares = percent(comparison.ours, whole), percent(comparison.theirs, PAPER_TASKS)
            rows.append([source, data.by_source[source], *shares, *comparison_cells(comparison)])
    columns = (
        *(Column("about", "name"), Column("conflict_count", "count")),
        *(Column("share", places=1), Column("paper_share", places=1), Column("ours"), *COMPARISON_COLUMNS),
    )
    return table_of(columns, rows if whole else [])


def sources_drawn(data: Dataset) -> Table:
    """What its chart is drawn from."""
    shown = conflict_sources(data)
    return sides("about", shown.cells("about"), shown.cells("share"), shown.cells("paper_share"))


def conflicts_by_difficulty(data: Dataset) -> Table:
    """A row a difficulty: conflicts a task in all and by source, and the percentage of tasks with one."""
    by_figure = {comparison.figure: comparison for comparison in targets.conflicts(data)}
    rows: list[list[Cell]] = []
    for name, level in data.by_difficulty.items():
        whole = len(level.tasks)
        average, some = (
            by_figure[f"conflicts.by_difficulty.{name}.{figure}"] for figure in ("mean", "share")
        )
        by_source = [share(level.by_source[source], whole) for source in SOURCES]
        rows.append(
            [
                name,
                whole,
                *_comparison_cells(average),
                percent(some.ours, 1),
                *_comparison_cells(some, 100)[1:],
                *by_source,
            ]
        )
    columns = (
        *(Column("difficulty", "name"), Column("tasks", "count")),
        *(Column("mean"), Column("paper"), Column("ratio"), Column("within", "name")),
        *(Column("share", places=1), Column("paper_share", places=1)),
        *(Column("share_ratio"), Column("share_within", "name")),
        *(Column(source) for source in SOURCES),
    )
    return table_of(columns, rows if data.tasks else [])


def _comparison_cells(comparison: Comparison, scale: float = 1) -> list[Cell]:
    ours, theirs, _expected, ratio, _tolerance, within = comparison_cells(comparison, scale)
    return [ours, theirs, ratio, within]


def difficulty_drawn(data: Dataset) -> Table:
    """What its chart is drawn from."""
    rows: list[list[Cell]] = [
        [name, source, share(level.by_source[source], len(level.tasks))]
        for source in SOURCES
        for name, level in data.by_difficulty.items()
        if level.tasks
    ]
    return Table((Column("difficulty", "name"), Column("about", "name"), Column("conflicts")), rows)


PARTS = (
    DatasetPart(
        "conflicts_a_task",
        conflicts_a_task,
        plain_bars("conflicts", "tasks"),
        counterpart="Figure 5",
        words=PartWords(
            _("Conflicts per task"),
            _(
                "An item that one user wants and another does not, in the same city, counted once for each "
                "ordered pair of users."
            ),
            columns={"conflicts": _("conflicts")},
            axes={"conflicts": _("conflicts per task")},
        ),
    ),
    DatasetPart(
        "conflict_sources",
        conflict_sources,
        bars("about", across=True),
        sources_drawn,
        "A.9.3",
        PartWords(
            _("What conflicts are about"),
            _("Percentage of tasks with such a conflict."),
            columns={"about": _("about"), "conflict_count": _("conflicts")},
            axes={"": _("% of tasks")},
            values={"about": _SOURCES},
        ),
    ),
    DatasetPart(
        "conflicts_by_difficulty",
        conflicts_by_difficulty,
        Chart(
            "stacked",
            x="difficulty",
            y="conflicts",
            series="about",
            across=True,
            colours={source: f"run{number}" for number, source in enumerate(SOURCES, 1)},
        ),
        difficulty_drawn,
        "A.9.3",
        PartWords(
            _("Conflicts by difficulty"),
            _("Conflicts per task, by what they are about."),
            columns={
                "mean": _("per task"),
                "share_ratio": _("ratio"),
                "share_within": _("within tolerance"),
                **_SOURCES,
            },
            axes={"conflicts": _("conflicts per task")},
            values={"about": _SOURCES, "share_within": ANSWERS},
        ),
    ),
)
