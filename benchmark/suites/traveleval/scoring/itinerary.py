"""A plan as the rules go through it: entries, the schedule of days, points, visits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, Literal, NamedTuple

from benchmark.suites.traveleval.scoring.reading import Node, UndefinedFigure, duration
from benchmark.suites.traveleval.tasks import Query
from benchmark.suites.traveleval.world import City, Sight, Tables

ATTRACTION, MEAL = "attraction", "meal"
HOTEL_TYPES: Final = ("accommodation", "accommodation_check_in", "accommodation_check_out")
TRANSPORT_TYPES: Final = ("intercity_transport", "intracity_transport")
MIDNIGHT, _LATEST = "00:00", "23:59"


class PlanRefused(Exception):
    """A plan of which nothing can be scored. state: as the published program ends."""

    def __init__(self, state: Literal["rejected", "stops the batch"], field: str) -> None:
        super().__init__(field)
        self.state, self.field = state, field


class Stop(NamedTuple):
    """Something of a day that has a name. node: None where a plan gives a text. kind: "start", "activity", "end"."""

    kind: Literal["start", "activity", "end"]
    name: Node
    node: Node

    @property
    def is_visit(self) -> bool:
        return self.kind != "start" and isinstance(self.node.value, dict) and self.type == ATTRACTION

    @property
    def type(self) -> Any:
        return self.node.get("type").value

    @property
    def start(self) -> Node:
        """When it begins; the end of a day has a time by default."""
        return self.node.get("start_time", _LATEST if self.kind == "end" else None)

    @property
    def end(self) -> Node:
        """When it ends."""
        return self.node.get("end_time", _LATEST if self.kind == "end" else None)

    @property
    def begins(self) -> Node:
        """When it begins, as durations and queues read it: at midnight where an activity does not tell."""
        return self.node.get("start_time", _LATEST if self.kind == "end" else MIDNIGHT)

    @property
    def ends(self) -> Node:
        """When it ends, likewise."""
        return self.node.get("end_time", _LATEST if self.kind == "end" else MIDNIGHT)


class Day(NamedTuple):
    """A day of the schedule."""

    number: Node
    entry: Node
    activities: list[Node]
    stops: list[Stop]
    visits: list[Stop]


def hours_of(activity: Node) -> float:
    """How long an activity is planned to last; a time that is missing is midnight."""
    return duration(activity.get("start_time", MIDNIGHT), activity.get("end_time", MIDNIGHT))


@dataclass(frozen=True)
class Itinerary:
    """A plan with its query and the tables of its destination. Its properties raise UndefinedFigure."""

    plan: Node
    query: Query
    tables: Tables
    city: City
    answers: dict[object, Any] = field(default_factory=dict)
    """By the questions (`keep_answers`)."""

    @classmethod
    def read(cls, plan: Any, query: Query, tables: Tables) -> Itinerary:
        """A plan, whatever it is; where it tells no destination, its tables are those of the query's."""
        summary = plan.get("summary") if isinstance(plan, dict) else None
        told = summary.get("destination") if isinstance(summary, dict) else None
        city = told if isinstance(told, str) else query.target_city
        return cls(Node(plan), query, tables, tables.city(city))

    def refuse_no_object(self) -> None:
        """Raise PlanRefused for a plan that is no object."""
        if not isinstance(self.plan.value, dict):
            raise PlanRefused("rejected", "")

    def refuse_unreadable(self) -> None:
        """Raise PlanRefused for a plan that the published program can't read."""
        try:
            self.plan.get("summary").get("destination").text()
        except UndefinedFigure as undefined:
            raise PlanRefused("stops the batch", str(undefined)) from undefined
        try:
            _check_costs(self.schedule)
            if "cost_breakdown" in self.plan.value:
                self.plan.need("cost_breakdown").get("")
        except UndefinedFigure as undefined:
            raise PlanRefused("rejected", str(undefined)) from undefined

    @cached_property
    def schedule(self) -> list[Day]:
        """The entries with a day, each day once."""
        return list(_schedule(self.plan))

    @property
    def summary(self) -> Node:
        """The section of this name."""
        return self.plan.need("summary")

    @property
    def entries(self) -> list[Node]:
        """All of daily_plans. Raises UndefinedFigure where there are none."""
        return self.plan.need("daily_plans").items()

    def every_activity(self) -> Iterator[Node]:
        """Those of all entries. Raises UndefinedFigure where an entry has no such list."""
        for entry in self.entries:
            yield from entry.need("activities").items()

    @property
    def legs(self) -> list[Node]:
        """The journeys between cities. Raises UndefinedFigure where there is no such list."""
        return self.plan.need("intercity_transport").need("transport_type").items()

    @property
    def travellers(self) -> int:
        """Of the query."""
        return self.query.people_number

    @cached_property
    def activities(self) -> list[tuple[Day, Node]]:
        """Those of the schedule, with their days."""
        return [(day, activity) for day in self.schedule for activity in day.activities]

    @cached_property
    def stops(self) -> list[Stop]:
        """All points of the schedule."""
        return [stop for day in self.schedule for stop in day.stops]

    @cached_property
    def visits(self) -> list[Stop]:
        """The points that are attractions, the end of a day too."""
        return [visit for day in self.schedule for visit in day.visits]

    def sight(self, activity: Node) -> Sight | None:
        """The attraction of an activity's name. Raises UndefinedFigure where that is a list or an object."""
        return self.city.sight.get(activity.get("location_name").name())

    def known_sights(self) -> Iterator[tuple[Day, Node, Sight]]:
        """The scheduled activities that are attractions of the table."""
        for day, activity in self.activities:
            if activity.get("type").value == ATTRACTION and (sight := self.sight(activity)):
                yield day, activity, sight

    def known_visits(self) -> Iterator[tuple[Stop, Sight]]:
        """The visits to attractions of the table."""
        for visit in self.visits:
            if sight := self.city.sight.get(visit.name.name()):
                yield visit, sight


def _schedule(plan: Node) -> Iterable[Day]:
    """Raises UndefinedFigure for what the published program can't read."""
    days: dict[Any, Node] = {}
    for entry in plan.get("daily_plans", []).items():
        number = entry.get("day")
        if number.value is not None:
            days[number.name()] = entry
    try:
        sorted(days)
    except TypeError as error:
        raise UndefinedFigure(("daily_plans", 0, "day")) from error
    return [_day(entry) for entry in days.values()]


def _check_costs(schedule: Iterable[Day]) -> None:
    for day in schedule:
        end = day.entry.get("ending_point")
        for priced in [*day.activities, end] if isinstance(end.value, dict) else day.activities:
            priced.get("cost").number_or(0)


def _day(entry: Node) -> Day:
    activities = entry.get("activities", []).items()
    for activity in activities:
        activity.get("")
    stops = list(_stops(entry, activities))
    return Day(entry.get("day"), entry, activities, stops, [stop for stop in stops if stop.is_visit])


def _stops(entry: Node, activities: Iterable[Node]) -> Iterator[Stop]:
    start, end = entry.get("starting_point"), entry.get("ending_point")
    if start.value:
        yield Stop("start", start, start)
    for activity in activities:
        name = activity.get("location_name")
        if name.value:
            yield Stop("activity", name, activity)
    if end.value:
        named = isinstance(end.value, dict)
        yield Stop("end", end.get("location_name") if named else Node("ending_point", end.at), end)
