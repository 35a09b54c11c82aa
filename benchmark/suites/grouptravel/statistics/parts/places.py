"""Where trips lead and start, and when (appendices A.9.1 and A.9.4, Figure 4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import date, timedelta

from benchmark.remarks import gettext_noop as _
from benchmark.remarks import ngettext_noop
from benchmark.reports.dataset import DatasetPart
from benchmark.reports.table import Cell, Column, Note, Table
from benchmark.reports.words import PartWords
from benchmark.suites.grouptravel.statistics.dataset import OTHER, Dataset
from benchmark.suites.grouptravel.statistics.parts.cells import bars, percent, plain_bars, sides, table_of
from benchmark.suites.grouptravel.statistics.targets import PAPER_TASKS, TARGETS
from benchmark.suites.grouptravel.synthesis.cities import CATALOGUE

TOP = 20
"""Destinations of Figure 4, and departures."""


def _tier(city: str) -> str:
    town = CATALOGUE.get(city)
    return str(4 - town.weight) if town else OTHER


def destinations(data: Dataset) -> Table:
    """Figure 4: the most frequent destinations, with their tiers."""
    listed = sorted(data.destinations.items(), key=lambda entry: (-entry[1], entry[0]))
    rows: list[list[Cell]] = [
        [city, _tier(city), count, percent(count, len(data.tasks))] for city, count in listed[:TOP]
    ]
    columns = (
        *(Column("city", "name"), Column("tier", "name")),
        *(Column("tasks", "count"), Column("share", places=1)),
    )
    paper = TARGETS["geography"]["value"]["destination_cities"]
    return table_of(columns, rows, [Note("destinations", {"n": len(listed), "paper": paper})] if rows else [])


def tiers(data: Dataset) -> Table:
    """A row a tier: how many of its cities are destinations, and the percentage of all stops."""
    known = Counter(map(_tier, CATALOGUE))
    used = Counter(map(_tier, data.destinations))
    stops: Counter[str] = Counter()
    for city, count in data.destinations.items():
        stops[_tier(city)] += count
    rows: list[list[Cell]] = [
        [tier, known.get(tier), used[tier], stops[tier], percent(stops[tier], stops.total())]
        for tier in (*sorted(known), OTHER)
        if tier in known or used[tier]
    ]
    columns = (
        *(Column("tier", "name"), Column("known", "count"), Column("used", "count")),
        *(Column("stops", "count"), Column("share", places=1)),
    )
    return table_of(columns, rows if data.tasks else [])


def departures(data: Dataset) -> Table:
    """The most frequent departure cities beside the five that the paper names."""
    paper = TARGETS["geography"]["value"]["top_departures"]
    listed = sorted(data.departures.items(), key=lambda entry: (-entry[1], entry[0]))[:TOP]
    listed += [(city, data.departures[city]) for city in paper if city not in dict(listed)]
    rows: list[list[Cell]] = [
        [
            city,
            count,
            percent(count, len(data.tasks)),
            paper.get(city),
            percent(paper.get(city), PAPER_TASKS),
        ]
        for city, count in listed
    ]
    columns = (
        *(Column("city", "name"), Column("tasks", "count"), Column("share", places=1)),
        *(Column("paper_tasks", "count"), Column("paper_share", places=1)),
    )
    given = {"n": len(data.departures), "paper": TARGETS["geography"]["value"]["departure_cities"]}
    return table_of(columns, rows if data.tasks else [], [Note("departures", given)] if data.tasks else [])


def dates(data: Dataset) -> Table:
    """A row a month of departure, beside what uniform draws over the paper's window give."""
    uniform = _uniform()
    months = Counter(f"{day:%Y-%m}" for day in data.days)
    rows: list[list[Cell]] = [
        [month, months[month], percent(months[month], len(data.days)), 100 * uniform.get(month, 0.0)]
        for month in sorted({*months, *uniform})
    ]
    columns = (
        *(Column("month", "name"), Column("tasks", "count")),
        *(Column("share", places=1), Column("uniform", places=1)),
    )
    if not data.days:
        return table_of(columns, [])
    paper = TARGETS["dates"]["value"]
    ends: dict[str, Cell] = {"first": str(min(data.days)), "last": str(max(data.days))}
    ends |= {"paper_first": paper["first"], "paper_last": paper["last"]}
    outside = sum(not paper["first"] <= str(day) <= paper["last"] for day in data.days)
    return Table(
        columns, rows, [Note("dates", ends), *([Note("outside", {"n": outside})] if outside else [])]
    )


def _uniform() -> Mapping[str, float]:
    """The share of the days of the paper's window that each month has."""
    first, last = (date.fromisoformat(TARGETS["dates"]["value"][end]) for end in ("first", "last"))
    days = [first + timedelta(days=number) for number in range((last - first).days + 1)]
    return {month: count / len(days) for month, count in Counter(f"{day:%Y-%m}" for day in days).items()}


def dates_drawn(data: Dataset) -> Table:
    """What its chart is drawn from."""
    shown = dates(data)
    if not shown.rows:
        return shown
    return sides("month", shown.cells("month"), shown.cells("share"), shown.cells("uniform"))


PARTS = (
    DatasetPart(
        "destinations",
        destinations,
        plain_bars("city", "tasks", across=True),
        counterpart="Figure 4",
        words=PartWords(
            _("Destinations"),
            _("The 20 most frequent cities. Tier 1: large; 2: popular with tourists; 3: other."),
            notes={
                "destinations": ngettext_noop(
                    "%(n)s city is a destination; the paper's tasks lead to %(paper)s.",
                    "%(n)s cities are destinations; the paper's tasks lead to %(paper)s.",
                )
            },
        ),
    ),
    DatasetPart(
        "tiers",
        tiers,
        counterpart="A.9.1",
        words=PartWords(
            _("Tiers of cities"),
            _("How many cities of each tier are destinations, and their share of all stops."),
            columns={"known": _("cities in the catalogue"), "used": _("destinations"), "stops": _("stops")},
        ),
    ),
    DatasetPart(
        "departures",
        departures,
        counterpart="A.9.1",
        words=PartWords(
            _("Departures"),
            _("The most frequent departure cities. The paper names its first five."),
            columns={"paper_tasks": _("tasks, the paper")},
            notes={
                "departures": ngettext_noop(
                    "Trips begin in %(n)s city, the paper's in %(paper)s.",
                    "Trips begin in %(n)s cities, the paper's in %(paper)s.",
                )
            },
        ),
    ),
    DatasetPart(
        "dates",
        dates,
        bars("month"),
        dates_drawn,
        "A.9.4",
        PartWords(
            _("Dates"),
            _(
                "Percentage of tasks by month of departure, compared with a uniform draw from the "
                "paper's window."
            ),
            columns={"month": _("month"), "uniform": _("%, uniform")},
            axes={"": _("% of tasks")},
            notes={
                "dates": _("From %(first)s to %(last)s; the paper: from %(paper_first)s to %(paper_last)s."),
                "outside": ngettext_noop(
                    "%(n)s task is outside the paper's window.",
                    "%(n)s tasks are outside the paper's window.",
                ),
            },
        ),
    ),
)
