"""A plan of the right form, read against its task: items in reading order, days, places, legs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import cached_property
from typing import Any, Final, NamedTuple

from benchmark.plans.hours import DAY, Window
from benchmark.plans.view import Mark, Where
from benchmark.suites.tripscore.scoring.parameters import Parameters
from benchmark.suites.tripscore.tasks.names import fold, fold_name
from benchmark.suites.tripscore.tasks.task import Attraction, Hotel, Leg, Reference, Task

PERIODS: Final = ("Morning", "Afternoon", "Evening")
VISIT_WINDOWS: Final = (Window(360, 720), Window(720, 1080), Window(1080, DAY))
PERIOD_WINDOWS: Final = (Window(0, 720), Window(720, 1080), Window(1080, DAY))
POI, HOTEL, TRANSPORT = "poi", "hotel", "transportation"
TYPES: Final = (TRANSPORT, POI, HOTEL)
KnownPlace = Attraction | Hotel


class Lookup:
    """The reference of a task by ids and cities; made once a task."""

    def __init__(self, reference: Reference) -> None:
        self.attractions = {place.id: place for place in reference.attractions}
        self.hotels = {place.id: place for place in reference.hotels}
        self.legs = {leg.id: leg for leg in reference.transportation}
        self.attraction_names = {place.folded_name for place in reference.attractions}
        self.ways = {leg.ends for leg in reference.transportation}
        self.left_cities = {start for start, _ in self.ways}
        self.reached_cities = {end for _, end in self.ways}
        self._of_type: Mapping[str, Mapping[str, Any]] = {
            POI: self.attractions,
            HOTEL: self.hotels,
            TRANSPORT: self.legs,
        }

    def entry(self, kind: str, id_: str) -> Any:
        """The attraction, hotel or leg of an id; None where there is none under this type."""
        return self._of_type[kind].get(id_)


class Item(NamedTuple):
    """An entry of a detailList. day: from 0. period: its position. place, leg: what is known of it."""

    at: Where
    day: int
    period: int
    kind: str
    id: str
    name: str
    place: KnownPlace | None = None
    leg: Leg | None = None

    @property
    def key(self) -> tuple[str, str]:
        """What tells places apart: the id, else the name."""
        return ("id", self.id) if self.id else ("name", fold_name(self.name))

    @property
    def is_external(self) -> bool:
        """Whether it is a sight from outside the reference."""
        return self.kind == POI and not self.id

    @property
    def sight(self) -> Attraction | None:
        """The attraction that it is, as far as it is known."""
        return self.place if isinstance(self.place, Attraction) else None

    @property
    def leg_times(self) -> tuple[datetime, datetime] | None:
        """When its leg leaves and arrives, if both are known."""
        return self.leg.times if self.leg else None

    def mark(self, key: str, **params: Any) -> Mark:
        """A finding about it, which names day, period and item."""
        where = {"day": self.day + 1, "period": PERIODS[self.period], "name": self.name[:80]}
        return Mark(self.at, key, {**where, **params})


class Link(NamedTuple):
    """A mention `**[name](id)**` in a description."""

    name: str
    id: str


class Detail(NamedTuple):
    """An entry of a scheduleDetail. links: its mentions with an id. externals: names that it mentions without one."""

    at: Where
    day: int
    period: int
    description: str
    items: tuple[Item, ...]
    links: tuple[Link, ...]
    externals: frozenset[str]

    def mark(self, key: str, **params: Any) -> Mark:
        """A finding about it."""
        return Mark(self.at, key, {"day": self.day + 1, "period": PERIODS[self.period], **params})


def _mentions(description: str) -> tuple[tuple[Link, ...], frozenset[str]]:
    """What is in bold: `[name](id)`, and `name`, `[name]` or `[name]()` of sights from outside."""
    links, externals = list[Link](), set[str]()
    for bold in description.split("**")[1:-1]:
        name, is_link, id_ = bold[1:].partition("](")
        if is_link and bold[0] == "[" and id_.endswith(")") and id_ != ")":
            links.append(Link(name, id_[:-1]))
        own = fold(bold)
        externals |= {own, own.removesuffix("()").removeprefix("[").removesuffix("]")}
    return tuple(links), frozenset(externals)


@dataclass(frozen=True)
class Trip:
    """A plan whose form is right, in its task."""

    task: Task
    lookup: Lookup
    parameters: Parameters
    details: tuple[tuple[Detail, ...], ...]

    @classmethod
    def read(cls, plan: Mapping[str, Any], task: Task, parameters: Parameters, lookup: Lookup) -> Trip:
        """Of a plan that passes `response_format`."""
        days = enumerate(plan["dayInfos"])
        return cls(task, lookup, parameters, tuple(tuple(_details(day, info, lookup)) for day, info in days))

    @property
    def day_count(self) -> int:
        """Of the plan."""
        return len(self.details)

    @cached_property
    def days(self) -> list[list[Item]]:
        """The items of each day, in reading order."""
        return [[item for detail in day for item in detail.items] for day in self.details]

    @cached_property
    def items(self) -> list[Item]:
        """All items, in reading order."""
        return [item for day in self.days for item in day]

    @cached_property
    def legs(self) -> list[Item]:
        """The items that are known legs."""
        return [item for item in self.items if item.leg]

    @cached_property
    def visits(self) -> list[Item]:
        """The occurrences of sights: equal neighbours are one, also over a night."""
        return _collapse(item for item in self.items if item.kind == POI)

    @cached_property
    def day_visits(self) -> list[list[Item]]:
        """The list of each day: equal neighbours of the day are one."""
        return [_collapse(item for item in day if item.kind == POI) for day in self.days]

    @cached_property
    def day_hours(self) -> list[float]:
        """How long the stays of each day last."""
        return [sum(map(self.hours, day)) for day in self.day_visits]

    @cached_property
    def nights(self) -> list[Item]:
        """The last hotel of each day but the last, if any."""
        hotels = ([item for item in day if item.kind == HOTEL] for day in self.days[:-1])
        return [night[-1] for night in hotels if night]

    def hours(self, item: Item) -> float:
        """The stay that is recommended; the default where it is unknown."""
        known = item.sight.hours if item.sight else None
        return self.parameters.default_visit_h if known is None else known

    def has_leg(self, day: int) -> bool:
        """Whether somebody travels between cities on a day."""
        return any(item.kind == TRANSPORT for item in self.days[day])

    def date(self, day: int) -> date:
        """The date of a day, from 0."""
        return self.task.query.start_date + timedelta(days=day)

    def minute(self, moment: datetime) -> int:
        """Minutes since the first midnight of the trip."""
        return int((moment - datetime.combine(self.task.query.start_date, time())).total_seconds() // 60)

    def open_windows(self, item: Item) -> Sequence[Window] | None:
        """When a sight is open on its day; None where nothing is known."""
        calendar = item.sight.openTimeCalendar if item.sight else None
        return calendar.windows(self.date(item.day)) if calendar else None

    @cached_property
    def start(self) -> str | None:
        """Where the journey begins: the departure city, else where the first leg leaves before every stop, else the
        city of the first stop.
        """
        if self.task.query.folded_departure is not None:
            return self.task.query.folded_departure
        first = self.items[0] if self.items else None
        if first and first.leg:
            return first.leg.ends[0]
        return next((item.place.folded_city for item in self.items if item.place), None)

    def waives(self, *, leaving: str | None = None, reaching: str | None = None) -> bool:
        """Whether a leg is not asked for, since the reference has none that leaves or reaches a city."""
        lacks = (
            leaving not in self.lookup.left_cities
            if leaving is not None
            else reaching not in self.lookup.reached_cities
        )
        return self.parameters.waive_missing_legs and lacks

    @cached_property
    def stays(self) -> list[tuple[Item, str | None, bool]]:
        """Each stop with the city in which the traveller is then (7), and whether it lies there."""
        return list(self._walk())

    def _walk(self) -> Iterator[tuple[Item, str | None, bool]]:
        query = self.task.query
        city = query.folded_departure
        if query.leaves_from_outside and self.waives(leaving=city):
            city = None
        for item in self.items:
            fits = True
            if item.leg:
                city = item.leg.ends[1]
            elif item.place:
                own = item.place.folded_city
                fits = city in (None, own) or self.waives(reaching=own)
                city = own if fits else city
            yield item, city, fits


def _details(day: int, info: Mapping[str, Any], lookup: Lookup) -> Iterator[Detail]:
    for at, detail in enumerate(info["scheduleDetail"]):
        where: Where = ("dayInfos", day, "scheduleDetail", at)
        period = PERIODS.index(detail["period"])
        items = (
            _item((*where, "detailList", nth), day, period, raw, lookup)
            for nth, raw in enumerate(detail["detailList"])
        )
        described = detail["description"]
        yield Detail(where, day, period, described, tuple(items), *_mentions(described))


def _item(at: Where, day: int, period: int, raw: Mapping[str, Any], lookup: Lookup) -> Item:
    kind, id_ = raw["type"], str(raw["id"])
    known = lookup.entry(kind, id_)
    place, leg = (None, known) if kind == TRANSPORT else (known, None)
    return Item(at, day, period, kind, id_, raw["name"], place, leg)


def _collapse(items: Iterable[Item]) -> list[Item]:
    kept: list[Item] = []
    for item in items:
        if not kept or kept[-1].key != item.key:
            kept.append(item)
    return kept
