"""Statistics of a set of tasks as tables and figures, beside the paper's."""

from __future__ import annotations

from collections.abc import Iterator

from benchmark.reports.dataset import DatasetPart, DatasetStatistics
from benchmark.reports.table import Chart
from benchmark.suites.grouptravel.statistics.as_json import statistics_json
from benchmark.suites.grouptravel.statistics.dataset import Dataset
from benchmark.suites.grouptravel.statistics.parts import (
    cache_contents,
    conflicts,
    groups,
    items,
    places,
    remarks,
)
from benchmark.suites.grouptravel.statistics.parts.cells import bars


def _parts() -> Iterator[DatasetPart]:
    yield DatasetPart("overview", groups.overview, counterpart="Tables 8 and 9")
    yield DatasetPart(
        "archetypes", groups.archetypes, bars("archetype", across=True), groups.archetypes_drawn, "Table 5"
    )
    across = Chart("stacked", x="category", y="share", series="difficulty", facet="panel")
    yield DatasetPart("crossed", groups.counts_by_size, across, groups.crossed_drawn, "Table 8")
    yield DatasetPart("fields", items.fields, bars("field", across=True), items.fields_drawn, "Table 9")
    yield DatasetPart("items_a_user", items.items_a_user, Chart("bars", x="items", y="users"))
    yield DatasetPart("budgets", items.budgets, Chart("bars", x="budget", y="users"))
    yield DatasetPart(
        "conflicts_a_task",
        conflicts.conflicts_a_task,
        Chart("bars", x="conflicts", y="tasks"),
        None,
        "Figure 5",
    )
    yield DatasetPart(
        "conflict_sources",
        conflicts.conflict_sources,
        bars("about", across=True),
        conflicts.sources_drawn,
        "A.9.3",
    )
    stacked = Chart("stacked", x="difficulty", y="conflicts", series="about", across=True)
    yield DatasetPart(
        "conflicts_by_difficulty",
        conflicts.conflicts_by_difficulty,
        stacked,
        conflicts.difficulty_drawn,
        "A.9.3",
    )
    top = Chart("bars", x="city", y="tasks", across=True)
    yield DatasetPart("destinations", places.destinations, top, None, "Figure 4")
    yield DatasetPart("tiers", places.tiers, counterpart="A.9.1")
    yield DatasetPart("departures", places.departures, counterpart="A.9.1")
    yield DatasetPart("dates", places.dates, bars("month"), places.dates_drawn, "A.9.4")
    yield DatasetPart("remarks", remarks.remarks)


_CACHE_PART = DatasetPart(
    "cached_calls",
    cache_contents.cached_calls,
    bars("tool", across=True, series=cache_contents.HOLDER),
    cache_contents.cached_drawn,
    "Figure 6",
)
STATISTICS = DatasetStatistics(
    of=Dataset.of, as_json=statistics_json, parts=tuple(_parts()), cache_part=_CACHE_PART
)
