"""Where trips lead and start, and when (appendices A.9.1 and A.9.4, Figure 4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import date, timedelta

from benchmark.reports.table import Cell, Column, Note, Table
from benchmark.suites.grouptravel.statistics.dataset import OTHER, Dataset
from benchmark.suites.grouptravel.statistics.parts.cells import percent, sides, table_of
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
