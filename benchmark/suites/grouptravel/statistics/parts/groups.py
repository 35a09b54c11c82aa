"""Overview, archetypes and sizes (Tables 5, 8 and 9)."""

from __future__ import annotations

from benchmark.reports.table import Cell, Column, Note, Table
from benchmark.suites.grouptravel.statistics import targets
from benchmark.suites.grouptravel.statistics.dataset import Dataset
from benchmark.suites.grouptravel.statistics.parts.cells import (
    COMPARISON_COLUMNS,
    OURS,
    PAPER,
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
