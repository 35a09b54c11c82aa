"""Statistics of a set of queries, beside the paper's (Table 4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from benchmark.remarks import gettext_noop as _
from benchmark.reports.dataset import DatasetPart, DatasetStatistics
from benchmark.reports.table import Cell, Chart, Column, Note, Table
from benchmark.reports.words import PartWords
from benchmark.suites.tripscore.tasks import Task
from benchmark.suites.tripscore.tasks.listing import TYPES
from benchmark.suites.tripscore.tasks.task import REAL, SYNTHETIC

ALL: Final = "all"
PAPER: Final[tuple[tuple[str, str, int, int, int, int], ...]] = (
    ("training", SYNTHETIC, 3493, 781, 7830, 9788),
    ("validation", SYNTHETIC, 100, 70, 1057, 1525),
    ("validation", REAL, 58, 41, 638, 1313),
    ("test", SYNTHETIC, 1000, 358, 4459, 5452),
    ("test", REAL, 219, 122, 1894, 2057),
    ("paper", ALL, 4870, 897, 9376, 10997),
)
"""Splits of the paper, types, and how many queries, cities, hotels and attractions each has (Table 4)."""
_COLUMNS: Final = (
    *(Column("split", "name"), Column("type", "name")),
    *(Column(key, "count") for key in ("tasks", "cities", "hotels", "attractions")),
)


class Entities(NamedTuple):
    """What queries of one type have, each once. cities: of the queries and of their data."""

    tasks: int
    cities: frozenset[str]
    hotels: frozenset[tuple[str, str]]
    attractions: frozenset[tuple[str, str]]

    @classmethod
    def of(cls, tasks: Iterable[Task]) -> Entities:
        """Of some tasks; a place is known by its city and name, since ids are unique in a task alone."""
        every = list(tasks)
        hotels = {(own.folded_city, own.folded_name) for task in every for own in task.reference.hotels}
        sights = {(own.folded_city, own.folded_name) for task in every for own in task.reference.attractions}
        cities = {city for task in every for city in task.query.folded_cities}
        cities |= {city for city, _name in hotels | sights}
        return cls(len(every), frozenset(cities), frozenset(hotels), frozenset(sights))

    @property
    def counts(self) -> list[Cell]:
        """How many of each."""
        return [self.tasks, len(self.cities), len(self.hotels), len(self.attractions)]


class Dataset(NamedTuple):
    """Entities by type of query, and queries by type and days."""

    by_type: Mapping[str, Entities]
    days: Mapping[tuple[str, int], int]

    @classmethod
    def of(cls, tasks: Iterable[Task]) -> Dataset:
        """The statistics of some tasks."""
        every = list(tasks)
        groups = {kind: [task for task in every if task.query.type == kind] for kind in TYPES}
        days: dict[tuple[str, int], int] = {}
        for key in sorted((task.query.type, task.query.days) for task in every):
            days[key] = days.get(key, 0) + 1
        known = {kind: Entities.of(own) for kind, own in groups.items() if own}
        return cls({**known, **({ALL: Entities.of(every)} if every else {})}, days)

    def rows(self, split: str) -> list[list[Cell]]:
        """A row a type of query, then all."""
        return [[split, kind, *own.counts] for kind, own in self.by_type.items()]


def statistics_json(data: Dataset) -> dict[str, Any]:
    """The counts as JSON."""
    names = [column.key for column in _COLUMNS[2:]]
    return {
        "entities": {kind: dict(zip(names, own.counts, strict=True)) for kind, own in data.by_type.items()},
        "days": {f"{kind} {days}": count for (kind, days), count in data.days.items()},
    }


def _entities(data: Dataset) -> Table:
    own, told = data.rows("here"), [list[Cell](row) for row in PAPER]
    return Table(_COLUMNS, [*own, *told] if own else [], () if own else (Note("no_tasks"),))


def _sets(sets: Mapping[str, Dataset]) -> Table:
    return Table(_COLUMNS, [row for name, data in sets.items() for row in data.rows(name)])


def _days(data: Dataset) -> Table:
    rows: list[list[Cell]] = [[kind, str(days), count] for (kind, days), count in data.days.items()]
    columns = (Column("type", "name"), Column("days", "name"), Column("tasks", "count"))
    return Table(columns, rows, () if rows else (Note("no_tasks"),))


_WORDS: Final = PartWords(
    _("Queries, cities, hotels and attractions"),
    _("Queries by type, and the places of their data, each once. Below: the sets of the paper."),
)
STATISTICS = DatasetStatistics(
    of=Dataset.of,
    as_json=statistics_json,
    parts=(
        DatasetPart("entities", _entities, counterpart="Table 4", words=_WORDS),
        DatasetPart(
            "days",
            _days,
            Chart("bars", x="days", y="tasks", series="type"),
            words=PartWords(_("Days"), _("Queries by type and days of the trip.")),
        ),
    ),
    comparison_part=DatasetPart(
        "sets",
        _sets,
        counterpart="Table 4",
        words=PartWords(_("Sets side by side"), _("Queries by set and type, and the places of their data.")),
    ),
    words=PartWords(
        columns={
            "split": _("set"),
            "type": _("type"),
            "cities": _("cities"),
            "hotels": _("hotels"),
            "attractions": _("attractions"),
            "days": _("days"),
        },
        values={
            "type": {**TYPES, ALL: _("all")},
            "split": {
                "here": _("these queries"),
                "training": _("paper, training"),
                "validation": _("paper, validation"),
                "test": _("paper, test"),
                "paper": _("paper, all sets"),
            },
        },
        notes={"no_tasks": _("There are no tasks.")},
    ),
    counterparts=_("The table beside a heading is its counterpart in the TripScore paper."),
)
