"""A plan in the published schema, from what the tools found; places of its own invention where they found none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import count
from typing import Any

from tests.model_server.personalities.gathering import Place, detail, places, services, stops
from tests.model_server.personalities.understanding import Table, wishes
from tests.model_server.scene import Scene

Activity = dict[str, Any]
_MORNING, _DINNER, _EVENING, _LATEST = 9 * 60 + 30, 17 * 60 + 30, 18 * 60, 22 * 60
_RIDE, _MEAL, _TO_STATION = 30, 60, 60
_FARE = 12.0
_EVERYONE = ["All"]


@dataclass(frozen=True, slots=True)
class Leg:
    """A leg between cities; times in minutes from its day's midnight."""

    origin: str
    destination: str
    day: int
    mode: str
    depart: int
    arrive: int
    cost: float
    stations: tuple[str, str]

    def as_activity(self) -> Activity:
        """As the plan has it."""
        return {
            "type": "intercity_transport",
            "from_city": self.origin,
            "to_city": self.destination,
            "transport_mode": self.mode,
            "start_time": clock(self.depart),
            "end_time": clock(self.arrive),
            "avg_cost": self.cost,
        }


@dataclass
class Stay:
    """A day's stretch in a city as it grows. now: minutes from midnight. at: where everybody is, "" at first."""

    now: int
    at: str
    mode: str
    activities: list[Activity] = field(default_factory=list)

    def go(self, place: str) -> None:
        """Ride to a place, unless everybody is there or the day begins there."""
        if self.at and self.at != place:
            way = {"from": self.at, "to": place, "transport_mode": self.mode, "avg_cost": _FARE}
            self._add("intracity_transport", _RIDE, way)
        self.at = place

    def visit(self, kind: str, place: str, minutes: int, cost: float) -> None:
        """Be at a place for some time."""
        self.go(place)
        self._add(kind, minutes, {"location": place, "avg_cost": cost})

    def sleep(self, hotel: str, cost: float) -> None:
        """End the day."""
        self.go(hotel)
        night = {"type": "hotel", "location": hotel, "start_time": clock(self.now), "end_time": "08:00"}
        self.activities.append({**night, "avg_cost": cost})

    def _add(self, kind: str, minutes: int, rest: Activity) -> None:
        times = {"start_time": clock(self.now), "end_time": clock(self.now + minutes)}
        self.activities.append({"type": kind, **rest, **times, "participants": list(_EVERYONE)})
        self.now += minutes


class Planner:
    """One plan for the whole group: nobody splits."""

    def __init__(self, scene: Scene, tables: dict[str, Table]) -> None:
        self._scene, self._tables = scene, tables
        self._legs = {(a, b): self._leg(a, b, day) for a, b, day in stops(scene)}
        self._sights = {city: iter(self.sights(city)) for city in scene.cities}
        self._meals = {city: self._restaurants(city) for city in scene.cities}

    def plan(self) -> dict[str, Any]:
        """{"days": [...]}."""
        return {"days": [self._day(day) for day in range(self._scene.days)]}

    def sights(self, city: str) -> list[Place]:
        """Sights by preference: wanted ones first, refused ones left out; two a day of the stay and two more."""
        wanted = wishes(self._tables, city, "attractions", "must_visit")
        refused = set(wishes(self._tables, city, "attractions", "reject_visit"))
        found = [place for place in places(self._scene, city, "attraction") if place["name"] not in refused]
        found.sort(key=lambda place: place["name"] not in wanted)
        most = 2 * sum(self._city(day) == city for day in range(self._scene.days)) + 2
        return found[:most] or [{"name": name, "city": city} for name in wanted]

    def _day(self, day: int) -> dict[str, Any]:
        segments: list[Activity] = []
        arriving = next(
            (leg for leg in self._legs.values() if leg.day == day and leg.destination == self._city(day)),
            None,
        )
        leaving = next((leg for leg in self._legs.values() if self._is_last(leg) and leg.day == day), None)
        if arriving:
            if arriving.origin != self._scene.home:
                segments.append({"city": arriving.origin, "activities": []})
            segments.append(arriving.as_activity())
        segments.append({"city": self._city(day), "activities": self._block(day, arriving, leaving)})
        if leaving:
            segments.append(leaving.as_activity())
        when = self._scene.start + timedelta(days=day)
        return {"day": day + 1, "date": when.isoformat(), "city_segments": segments}

    def _block(self, day: int, arriving: Leg | None, leaving: Leg | None) -> list[Activity]:
        city, mode = self._city(day), "taxi" if self._scene.english else "打车"
        stay = Stay(
            arriving.arrive + 15 if arriving else _MORNING, arriving.stations[1] if arriving else "", mode
        )
        until = min(leaving.depart - _TO_STATION, _EVENING) if leaving else _EVENING
        when = self._scene.start + timedelta(days=day)
        self._sight(stay, city, when, until)
        if stay.now + _RIDE + _MEAL <= until:
            stay.visit("food", *next(self._meals[city]))
        self._sight(stay, city, when, until)
        if day < self._scene.days - 1:
            if stay.now + _RIDE + _MEAL <= _LATEST:
                stay.now = max(stay.now, _DINNER)
                stay.visit("food", *next(self._meals[city]))
            stay.sleep(*self._hotel(city))
        elif leaving and stay.at:
            stay.go(leaving.stations[0])
        return stay.activities

    def _sight(self, stay: Stay, city: str, when: date, until: int) -> None:
        """The next sight that is open for as long as it takes, if there is time for one."""
        for place in self._sights[city]:
            minutes = _stay_of(place)
            start = stay.now + (_RIDE if stay.at else 0)
            opened, closed = hours_on(detail(self._scene, place).get("opening_hours"), when)
            if start >= opened and start + minutes <= min(closed, until):
                return stay.visit("attraction", place["name"], minutes, float(place.get("price") or 0))
        return None

    def _restaurants(self, city: str) -> Iterator[tuple[str, int, float]]:
        liked = [item for f in ("must_eat", "prefer_eat") for item in wishes(self._tables, city, "food", f)]
        disliked = [
            item for f in ("reject_eat", "avoid_eat") for item in wishes(self._tables, city, "food", f)
        ]
        found = [
            place
            for place in places(self._scene, city, "restaurant")
            if place.get("category") not in disliked
        ]
        found.sort(key=lambda place: place.get("category") not in liked)
        for place in found:
            yield place["name"], _MEAL, float(place.get("price") or 50)
        for number in count(1):
            yield f"{city}餐厅{number}", _MEAL, 50.0

    def _hotel(self, city: str) -> tuple[str, float]:
        """The cheapest of a class that somebody likes, else the cheapest."""
        liked = {
            item
            for table in self._tables.values()
            for item in table.get("global_constraints", {}).get("hotel_preference", {}).get("prefer", ())
        }
        found = places(self._scene, city, "hotel")
        found.sort(key=lambda place: (place.get("category") not in liked, place.get("price") or 0))
        return (found[0]["name"], float(found[0].get("price") or 0)) if found else (f"{city}中心酒店", 200.0)

    def _city(self, day: int) -> str:
        """Where the night of a day is spent."""
        cities = self._scene.cities
        return next(
            city for at, city in reversed([*enumerate(cities)]) if day >= at * self._scene.days // len(cities)
        )

    def _is_last(self, leg: Leg) -> bool:
        return leg.destination == self._scene.home

    def _leg(self, origin: str, destination: str, day: int) -> Leg:
        """Out in the morning, home in the afternoon, by high-speed train where there is one."""
        listed = services(self._scene, origin, destination)
        found = [s for s in listed if s.get("day_offset") == 0 and s.get("price") is not None]
        if not found:
            start = 15 * 60 if destination == self._scene.home else 8 * 60
            return Leg(origin, destination, day, "自驾", start, start + 180, 200.0, (origin, destination))
        aim = 16 * 60 if destination == self._scene.home else 8 * 60
        best = min(
            found, key=lambda s: (_MODES.index(s["mode"]), abs(minutes_of(s["depart"]) - aim), s["number"])
        )
        ends = (
            best.get("from_station") or best.get("from_airport") or origin,
            best.get("to_station") or best.get("to_airport") or destination,
        )
        times = minutes_of(best["depart"]), minutes_of(best["arrive"])
        return Leg(origin, destination, day, best["mode"], *times, float(best["price"]), ends)


_MODES = ("高铁", "火车", "飞机", "自驾")


def hours_on(opening_hours: Any, day: date) -> tuple[int, int]:
    """When a sight opens and closes on a day, in minutes; usual hours where nobody says, none where it is shut."""
    if not isinstance(opening_hours, dict):
        return _MORNING, 17 * 60
    if opening_hours.get("always_open"):
        return 0, 24 * 60
    for rule in opening_hours.get("rules", ()):
        if _covers(rule.get("date_range"), day):
            if day.isoweekday() not in rule.get("weekdays", range(1, 8)):
                return 0, 0
            if windows := rule.get("time_windows"):
                return minutes_of(windows[0]["open"]), minutes_of(windows[0]["close"])
    return _MORNING, 17 * 60


def _covers(season: dict[str, str] | None, day: date) -> bool:
    if not season:
        return True
    start, end, today = season["start"], season["end"], day.isoformat()[5:]
    return start <= today <= end if start <= end else today >= start or today <= end


def _stay_of(place: Place) -> int:
    """Minutes that a visit takes: the shorter of the hours that are told, 90 where none are."""
    told = place.get("stay_hours")
    return min(180, int(60 * float(told[0]))) if told else 90


def minutes_of(text: str) -> int:
    """HH:MM as minutes from midnight."""
    hours, _, minutes = text.partition(":")
    return 60 * int(hours) + int(minutes)


def clock(minutes: int) -> str:
    """Minutes from midnight as HH:MM."""
    return f"{minutes // 60 % 24:02d}:{minutes % 60:02d}"
