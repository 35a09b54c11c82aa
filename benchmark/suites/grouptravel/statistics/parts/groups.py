"""Overview, archetypes and sizes (Tables 5, 8 and 9)."""

from __future__ import annotations

from benchmark.remarks import gettext_noop as _
from benchmark.remarks import ngettext_noop
from benchmark.reports.dataset import DatasetPart
from benchmark.reports.table import Cell, Chart, Column, Note, Table
from benchmark.reports.words import PartWords
from benchmark.suites.grouptravel.statistics import targets
from benchmark.suites.grouptravel.statistics.dataset import Dataset
from benchmark.suites.grouptravel.statistics.parts.cells import (
    COMPARISON_COLUMNS,
    OURS,
    PAPER,
    bars,
    comparison_cells,
    percent,
    sides,
    table_of,
)
from benchmark.suites.grouptravel.statistics.targets import PAPER_TASKS, TARGETS
from benchmark.suites.grouptravel.synthesis.archetypes import ARCHETYPES
from benchmark.suites.grouptravel.synthesis.difficulty import LEVELS

_SHARES = ("share", "coverage")
_DIMENSIONS = ("users", "cities", "days")


def overview(data: Dataset) -> Table:
    """A row a figure: tasks, users, items, budgets, conflicts; shares are 0 to 100."""
    own_table = (
        "archetype_counts.",
        "cross_tabulation.",
        "fields.",
        "conflicts.by_",
        "conflicts.tasks_by_source",
    )
    rows: list[list[Cell]] = [
        [
            comparison.figure,
            *comparison_cells(comparison, 100 if any(name in comparison.figure for name in _SHARES) else 1),
        ]
        for comparison in targets.comparisons(data)
        if not comparison.figure.startswith(own_table)
    ]
    notes = [_tolerance_note(data), Note("expected"), *_of_other_size(data), *_reach(data)]
    return table_of(
        (Column("figure", "name"), Column("ours"), *COMPARISON_COLUMNS), rows if data.tasks else [], notes
    )


def _tolerance_note(data: Dataset) -> Note:
    """How many of all figures are within their tolerance, those of the other tables too."""
    verdicts = [
        comparison.is_within for comparison in targets.comparisons(data) if comparison.is_within is not None
    ]
    return Note("within", {"n": sum(verdicts), "of": len(verdicts)})


def _of_other_size(data: Dataset) -> list[Note]:
    """What to think of tolerances where there are not as many tasks as the paper has."""
    return [] if len(data.tasks) == PAPER_TASKS else [Note("other_size", {"n": len(data.tasks)})]


def _reach(data: Dataset) -> list[Note]:
    """That few cities can't be spread over as the paper's are."""
    paper, ours = TARGETS["geography"]["value"]["destination_cities"], len(data.destinations)
    return [Note("few_cities", {"n": ours, "paper": paper})] if 0 < ours < paper else []


def archetypes(data: Dataset) -> Table:
    """A row an archetype, those of the paper first."""
    sizes = {task.archetype: task.people for task in data.tasks}
    sizes |= {name: archetype.size for name, archetype in ARCHETYPES.items()}
    archetype_rows: list[tuple[str, list[Cell]]] = [
        (name := comparison.figure.rpartition(".")[2], [sizes[name], *comparison_cells(comparison)])
        for comparison in targets.archetypes(data)
    ]
    known = set(targets.ARCHETYPES)
    names = data.archetype_names()
    unknown = [(key, count) for key, count in data.archetypes.most_common() if key not in known]
    rows: list[list[Cell]] = [[name, *cells] for name, cells in archetype_rows]
    rows += [
        [names[key] or key or "unnamed", sizes[key], count, None, None, None, "", ""]
        for key, count in unknown
    ]
    columns = (Column("archetype", "name"), Column("size", "count"), Column("ours"), *COMPARISON_COLUMNS)
    return table_of(columns, rows if data.tasks else [])


def archetypes_drawn(data: Dataset) -> Table:
    """What its chart is drawn from."""
    shown = archetypes(data)
    return sides("archetype", shown.cells("archetype"), shown.cells("ours"), shown.cells("expected"))


def counts_by_size(data: Dataset) -> Table:
    """A row a dimension, value and difficulty; those beyond the paper's rows last."""
    known: list[list[Cell]] = []
    for comparison in targets.size_comparisons(data):
        _table_name, difficulty, dimension, value = comparison.figure.split(".")
        known.append([dimension, value, difficulty, *comparison_cells(comparison)])
    rows = sorted(known, key=lambda row: (_DIMENSIONS.index(str(row[0])), str(row[1])))
    seen = {tuple(row[:3]) for row in rows}
    rows += [
        [*key, count, None, None, None, "", ""]
        for key, count in sorted(data.counts_by_size.items())
        if key not in seen
    ]
    columns = (
        *(Column("aspect", "name"), Column("category", "name"), Column("difficulty", "name")),
        *(Column("ours"), *COMPARISON_COLUMNS),
    )
    return table_of(columns, rows if data.tasks else [])


def crossed_drawn(data: Dataset) -> Table:
    """The percentage of tasks, ours and the paper's beside each other."""
    rows: list[list[Cell]] = []
    for row in counts_by_size(data).rows:
        dimension, value, difficulty, ours, paper = row[:5]
        for side, count, whole in ((OURS, ours, len(data.tasks)), (PAPER, paper, PAPER_TASKS)):
            assert not isinstance(count, str)
            number = count if isinstance(count, int | float) else None
            if number is not None or side == OURS:
                rows.append([f"{dimension} {side}", value, difficulty, percent(number, whole)])
    order = [f"{dimension} {side}" for dimension in _DIMENSIONS for side in (OURS, PAPER)]
    rows.sort(key=lambda row: (order.index(str(row[0])), LEVELS.index(row[2])))
    columns = (
        Column("panel", "name"),
        Column("category", "name"),
        Column("difficulty", "name"),
        Column("share"),
    )
    return Table(columns, rows)


_FIGURES = {
    "tasks.all": _("tasks"),
    "tasks.easy": _("easy tasks"),
    "tasks.medium": _("medium tasks"),
    "tasks.hard": _("hard tasks"),
    "users.with_table": _("users with a preference table"),
    "items.total": _("items in all"),
    "items.per_user": _("items per user"),
    "compromisable.users": _("users who may compromise"),
    "compromisable.share": _("users who may compromise, %"),
    "coverage.budget": _("users with a budget, %"),
    "coverage.intensity": _("users with both limits per day, %"),
    "coverage.negative_item": _("users with something they do not want, %"),
    "budget.min": _("lowest budget, CNY"),
    "budget.max": _("highest budget, CNY"),
    "budget.mean": _("mean budget, CNY"),
    "budget.median": _("median budget, CNY"),
    "conflicts.tasks_with_any.count": _("tasks with a conflict"),
    "conflicts.tasks_with_any.share": _("tasks with a conflict, %"),
    "conflicts.mean": _("conflicts per task, mean"),
    "conflicts.median": _("conflicts per task, median"),
    "conflicts.max": _("conflicts per task, most"),
    "conflicts.transport_must_vs_reject_tasks": _(
        "tasks in which one user must use a transport that another refuses"
    ),
}
PARTS = (
    DatasetPart(
        "overview",
        overview,
        counterpart="Tables 8 and 9",
        words=PartWords(
            _("Overview"),
            _("These tasks compared with the 650 of the paper, figure by figure."),
            values={"figure": _FIGURES},
            notes={
                "within": ngettext_noop(
                    "%(n)s of %(of)s figures is within its tolerance, including those of the tables below.",
                    "%(n)s of %(of)s figures are within their tolerance, including those of the tables below.",
                ),
                "expected": _(
                    "Expected: the paper's figure for this number of tasks, or of users where it is about "
                    "items. Ratio: these tasks to the expected figure. Exact: a count is the expected one, "
                    "rounded up or down."
                ),
                "other_size": ngettext_noop(
                    "The tolerances are for 650 tasks; %(n)s task may differ more from the paper by chance.",
                    "The tolerances are for 650 tasks; %(n)s tasks may differ more from the paper by chance.",
                ),
                "few_cities": ngettext_noop(
                    "These tasks lead to %(n)s city, the paper's to %(paper)s. Tasks over a world of few cities can "
                    "meet every quota of archetypes, sizes, cities and days, but not the paper's spread of "
                    "destinations.",
                    "These tasks lead to %(n)s cities, the paper's to %(paper)s. Tasks over a world of few cities "
                    "can meet every quota of archetypes, sizes, cities and days, but not the paper's spread of "
                    "destinations.",
                ),
            },
        ),
    ),
    DatasetPart(
        "archetypes",
        archetypes,
        bars("archetype", across=True),
        archetypes_drawn,
        "Table 5",
        PartWords(
            _("Archetypes"),
            _("Tasks by kind of group."),
            columns={"archetype": _("archetype"), "size": _("people")},
            axes={"": _("tasks")},
            values={"archetype": {"unnamed": _("none named")}},
        ),
    ),
    DatasetPart(
        "crossed",
        counts_by_size,
        Chart(
            "stacked",
            x="category",
            y="share",
            series="difficulty",
            facet="panel",
            colours={"easy": "reason1", "medium": "reason2", "hard": "reason8"},
        ),
        crossed_drawn,
        "Table 8",
        PartWords(
            _("Size, cities and days by difficulty"),
            _("Percentage of tasks in the charts, tasks in the table. Young children count as people."),
            columns={"aspect": _("counted by"), "category": _("how many")},
            axes={"share": _("% of tasks")},
            values={
                "aspect": {"users": _("people"), "cities": _("cities"), "days": _("days")},
                "category": {"other": _("other")},
                "panel": {
                    "users ours": _("People, these tasks"),
                    "users paper": _("People, the paper"),
                    "cities ours": _("Cities, these tasks"),
                    "cities paper": _("Cities, the paper"),
                    "days ours": _("Days, these tasks"),
                    "days paper": _("Days, the paper"),
                },
            },
        ),
    ),
)
