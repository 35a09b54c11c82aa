"""Statistics of a set of queries, beside the paper's (Table A1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from benchmark.remarks import gettext_noop as _
from benchmark.reports.dataset import DatasetPart, DatasetStatistics
from benchmark.reports.table import Cell, Chart, Column, Note, Table
from benchmark.reports.words import PartWords
from benchmark.suites.traveleval.scoring.queue import sensitivities
from benchmark.suites.traveleval.tasks import CATEGORIES, Query
from benchmark.suites.traveleval.tasks.listing import BROKEN_RULES, BUDGETS, CATEGORY_WORDS, LEVELS
from benchmark.suites.traveleval.tasks.rules import DAYS, RULES, broken_rules
from benchmark.suites.traveleval.world import Hotel, MetroLine, Ride, Sight, Tables, Tavern

GROUPS: Final = "progressive"
PAPER_DAYS: Final[Mapping[str, tuple[int, ...]]] = {
    "easy": (20, 30, 40, 40, 30, 40),
    "medium": (40, 60, 80, 80, 60, 80),
    "hard": (40, 60, 80, 80, 60, 80),
    GROUPS: (15, 24, 30, 30, 24, 27),
}
"""Queries by days, 2 to 7 (Table A1). Those of a group are counted in it alone."""
_SHOWN_EXAMPLES = 5


@dataclass(frozen=True)
class Dataset:
    """Queries counted. rule_breaks: the ids of those that break a rule, by rule."""

    days: Counter[tuple[str, int]]
    budgets: Counter[tuple[str, str]]
    wishes: Counter[tuple[str, str]]
    rule_breaks: Mapping[str, list[str]]
    total: int

    @classmethod
    def of(cls, queries: Iterable[Query]) -> Dataset:
        """The statistics of some queries."""
        every = list(queries)
        broken: dict[str, list[str]] = {rule: [] for rule in RULES}
        for query in every:
            for rule in broken_rules(query):
                broken[rule].append(query.uid)
        lists = [(category, own) for query in every for category, own in query.tags.items()]
        return cls(
            Counter((GROUPS if query.group else query.tag, query.days) for query in every),
            Counter((query.tag, query.budget_class) for query in every),
            Counter(
                (category, kind)
                for category, own in lists
                for kind in type(own).model_fields
                if getattr(own, kind)
            ),
            broken,
            len(every),
        )


def statistics_json(data: Dataset) -> dict[str, Any]:
    """The counts as JSON."""
    return {
        "queries": data.total,
        "days": {f"{level} {days}": count for (level, days), count in sorted(data.days.items())},
        "budgets": {f"{level} {name}": count for (level, name), count in sorted(data.budgets.items())},
        "wishes": {f"{category} {kind}": count for (category, kind), count in sorted(data.wishes.items())},
        "broken_rules": {rule: len(ids) for rule, ids in data.rule_breaks.items()},
    }


def _table(columns: tuple[Column, ...], rows: list[list[Cell]], data: Dataset) -> Table:
    return Table(columns, rows if data.total else [], () if data.total else (Note("no_tasks"),))


def days(data: Dataset) -> Table:
    """A row a level and number of days: queries, and the paper's."""
    rows: list[list[Cell]] = [
        [level, str(n), data.days[level, n], told]
        for level, counts in PAPER_DAYS.items()
        for n, told in zip(DAYS, counts, strict=True)
    ]
    columns = (
        Column("level", "name"),
        Column("days", "name"),
        Column("tasks", "count"),
        Column("paper", "count"),
    )
    return _table(columns, rows, data)


def budgets(data: Dataset) -> Table:
    """A row a level and class of the budget."""
    rows: list[list[Cell]] = [
        [level, name, data.budgets[level, name]]
        for level in PAPER_DAYS
        if level != GROUPS
        for name in BUDGETS
    ]
    return _table((Column("level", "name"), Column("budget", "name"), Column("tasks", "count")), rows, data)


def wishes(data: Dataset) -> Table:
    """A row a category: queries that prefer something of it, and that reject something."""
    rows: list[list[Cell]] = [
        [category, data.wishes[category, "preferences"], data.wishes[category, "constraints"]]
        for category in CATEGORIES
    ]
    columns = (Column("category", "name"), Column("preferring", "count"), Column("rejecting", "count"))
    return _table(columns, rows, data)


def rule_breaks(data: Dataset) -> Table:
    """A row a rule: queries that break it, their percentage, and the first of them."""
    rows: list[list[Cell]] = [
        [rule, len(ids), round(100 * len(ids) / data.total, 2), ", ".join(ids[:_SHOWN_EXAMPLES])]
        for rule, ids in data.rule_breaks.items()
        if data.total
    ]
    columns = (
        *(Column("rule", "name"), Column("tasks", "count"), Column("share")),
        Column("examples", "name"),
    )
    return _table(columns, rows, data)


def queues(_data: Dataset) -> Table:
    """A row a factor of the queue model: minutes while it varies, their range, and that to the usual queue."""
    usual = sensitivities()["base"].least
    rows: list[list[Cell]] = [
        [factor, own.least, own.most, own.most - own.least, 100 * (own.most - own.least) / usual]
        for factor, own in sensitivities().items()
    ]
    columns = (
        Column("factor", "name"),
        *(Column(key, places=3) for key in ("least", "most", "range", "of_usual")),
    )
    return Table(columns, rows)


SANDBOX: Final[Mapping[str, tuple[Callable[[Tables], int], tuple[str, ...], int | None]]] = {
    "attractions": (lambda own: _count(own, "sights"), Sight._fields, 3411),
    "accommodations": (lambda own: _count(own, "hotels"), Hotel._fields, 4976),
    "restaurants": (lambda own: _count(own, "taverns"), Tavern._fields, 4655),
    "flights": (lambda own: len(own.flights), Ride._fields, 1703),
    "trains": (lambda own: sum(map(len, own.trains.values())), Ride._fields, 8089),
    "points": (lambda own: _count(own, "points"), ("name", "point"), 19_584),
    "metro": (lambda own: _count(own, "metro"), MetroLine._fields, None),
}
"""What a world holds: how many there are, what is known of each, and how many the paper has (Table A4)."""


def _count(tables: Tables, kind: str) -> int:
    return sum(len(getattr(city, kind)) for city in tables.cities.values())


def sandbox(worlds: Mapping[str, Tables]) -> Table:
    """A row a world and table: how much it holds, the paper's number, and the fields."""
    rows: list[list[Cell]] = [
        [world, kind, count(tables), told, ", ".join(fields)]
        for world, tables in worlds.items()
        for kind, (count, fields, told) in SANDBOX.items()
    ]
    columns = (
        *(Column("world", "name"), Column("table", "name")),
        *(Column("entries", "count"), Column("paper", "count"), Column("fields", "name")),
    )
    return Table(columns, rows)


SANDBOX_WORDS: Final = PartWords(
    _("Places and services of the world"),
    _(
        "What the world of these queries holds, beside the paper's sandbox; every world where none is named for them."
    ),
    columns={
        "world": _("world"),
        "table": _("table"),
        "entries": _("entries"),
        "paper": _("the paper"),
        "fields": _("fields"),
    },
    values={
        "table": {
            "attractions": _("attractions"),
            "accommodations": _("accommodations"),
            "restaurants": _("restaurants"),
            "flights": _("flights"),
            "trains": _("trains"),
            "points": _("points of interest, each name once"),
            "metro": _("metro lines"),
        }
    },
)
STATISTICS = DatasetStatistics(
    of=Dataset.of,
    as_json=statistics_json,
    parts=(
        DatasetPart(
            "days",
            days,
            Chart("bars", x="days", y="tasks", series="level"),
            counterpart="Table A1",
            words=PartWords(
                _("Days"),
                _("Queries by difficulty and days; those of a group are counted as progressive."),
                columns={"days": _("days"), "paper": _("the paper")},
            ),
        ),
        DatasetPart(
            "budgets",
            budgets,
            Chart("stacked", x="level", y="tasks", series="budget"),
            words=PartWords(
                _("Classes of budgets"),
                _("Queries by difficulty and by the class that their budget reaches."),
                columns={"budget": _("budget")},
                values={"budget": BUDGETS},
            ),
        ),
        DatasetPart(
            "wishes",
            wishes,
            words=PartWords(
                _("Wishes"),
                _("Queries that prefer or reject something, by category."),
                columns={
                    "category": _("category"),
                    "preferring": _("preferring"),
                    "rejecting": _("rejecting"),
                },
                values={"category": CATEGORY_WORDS},
            ),
        ),
        DatasetPart(
            "broken",
            rule_breaks,
            words=PartWords(
                _("Broken rules"),
                _(
                    "Queries that break the rules by which the paper makes queries. They are imported as they are."
                ),
                columns={"rule": _("rule"), "examples": _("such as")},
                values={"rule": BROKEN_RULES},
            ),
        ),
        DatasetPart(
            "queues",
            queues,
            counterpart="Table A3",
            words=PartWords(
                _("Sensitivity of the queue model"),
                _("A queue at a sight while one factor varies; it does not depend on the queries."),
                columns={
                    "factor": _("factor"),
                    "least": _("least, min"),
                    "most": _("most, min"),
                    "range": _("range"),
                    "of_usual": _("range, % of the usual queue"),
                },
                values={"factor": {"base": _("kind of sight"), "date": _("day"), "time": _("time of day")}},
            ),
        ),
    ),
    world_part=DatasetPart("sandbox", sandbox, counterpart="Table A4", words=SANDBOX_WORDS),
    words=PartWords(
        columns={"level": _("difficulty")},
        values={"level": {**LEVELS, GROUPS: _("progressive")}},
        notes={"no_tasks": _("There are no tasks.")},
    ),
    counterparts=_("The table beside a heading is its counterpart in the TravelEval paper."),
)
