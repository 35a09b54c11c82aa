"""Writes whole plans: rides and lodgings that are chosen, and days that are filled one by one."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from benchmark.plans.hours import DAY
from benchmark.plans.view import Plan
from benchmark.plans.ways import length_km, shortest_km
from benchmark.suites.tripbench.planner.choices import STYLES, Act, Choices, Style
from benchmark.suites.tripbench.planner.filling import Filling
from benchmark.suites.tripbench.planner.items import Sight
from benchmark.suites.tripbench.planner.lodgings import Choice, Lodging
from benchmark.suites.tripbench.planner.problem import Problem, km_between
from benchmark.suites.tripbench.planner.rides import Ride
from benchmark.suites.tripbench.planner.stock import Stock
from benchmark.suites.tripbench.plans.schema import (
    ATTRACTION,
    CHECK_IN,
    HOTEL,
    ITEM_TYPES,
    LEG,
    LOCAL,
    PLAN,
    RESTAURANT,
)
from benchmark.text.prompts import Prompts

WORDS: Final = Prompts(Path(__file__).parent / "wording")
_LINES: Final = {
    CHECK_IN: "checkin",
    LEG: "leg",
    LOCAL: "local",
    HOTEL: "hotel",
    ATTRACTION: "attraction",
    RESTAURANT: "restaurant",
}
_USUAL_VISITS, _USUAL_MEALS = 3, 2
_LEAST_STAY: Final = 40
"""Minutes between two legs, or before bed, in which it is worth to go out."""
Activities = list[dict[str, Any]]


@dataclass
class Draft:
    """A trip whose days are filled.

    rides: of each leg. lodgings: of each night. earlier_days: days as they were before.
    """

    stock: Stock
    rides: Sequence[Ride]
    lodgings: Choice
    choices: Choices
    language: str
    style: int = 0
    earlier_days: Mapping[int, tuple[Activities, list[tuple[str, tuple[str, ...]]]]] = field(
        default_factory=dict
    )

    def __post_init__(self) -> None:
        self.days: dict[int, Activities] = {}
        self._places: dict[int, list[tuple[str, tuple[str, ...]]]] = {}
        self._styles: Counter[int] = Counter()
        frame = self.problem.frame
        self.rides_by_day: dict[int, list[Ride]] = {}
        day = 0
        for leg, ride in enumerate(self.rides):
            self.rides_by_day.setdefault(day, []).append(ride)
            day += frame.stays[leg][1] if leg < len(frame.stays) else 0
        full = Counter(self._city(day) for day in self._days if day not in self.rides_by_day)
        self._full_days = {city: max(1, full[city]) for city in frame.destinations}

    @property
    def problem(self) -> Problem:
        """What is to be planned."""
        return self.stock.problem

    @property
    def _days(self) -> range:
        return range(len(self.problem.frame.dates))

    def _night(self, day: int) -> Lodging | None:
        return self.lodgings[day] if 0 <= day < len(self.lodgings) else None

    def _city(self, day: int) -> str:
        """Where one sleeps, at the end where one slept last."""
        nights = self.problem.frame.nights
        return nights[min(day, len(nights) - 1)] if nights else self.problem.frame.destinations[0]

    def build(self) -> Plan:
        """All days: those that are earlier_days, full ones, then the others."""
        for day, (activities, taken) in self.earlier_days.items():
            self.days[day], self._places[day] = activities, taken
            for id_, names in taken:
                self.choices.add(id_, names)
        rest = [day for day in self._days if day not in self.days]
        for day in sorted(rest, key=lambda day: (day in self.rides_by_day, day)):
            self._build_day(day)
        return self.plan()

    def rebuild(self, days: Sequence[int]) -> Plan:
        """Fills some days anew, in other ways than so far."""
        for day in days:
            self._drop(day)
        for day in days:
            self._styles[day] += 1
            self._build_day(day)
        return self.plan()

    def _drop(self, day: int) -> None:
        for id_, names in self._places.pop(day, []):
            self.choices.add(id_, names, -1)
        self.days.pop(day, None)

    def _build_day(self, day: int) -> None:
        """The first style that works; the last one that doesn't where none does."""
        first = self.style + self._styles[day]
        filling: Filling | None = None
        for number in range(len(STYLES)):
            if filling is not None:
                for id_, names in filling.places:
                    self.choices.add(id_, names, -1)
            filling = self._fill_day(day, STYLES[(first + number) % len(STYLES)])
            if self._is_good(filling):
                self._styles[day] += number
                break
        assert filling is not None
        self._places[day] = filling.places
        self.days[day] = [self._activity(act) for act in filling.acts]

    def _is_good(self, filling: Filling) -> bool:
        if not filling.is_sound:
            return False
        if filling.is_full and not (filling.meals and filling.visits >= self.problem.visit_counts[0]):
            return False
        points = [act.point for act in filling.acts if act.type in (ATTRACTION, RESTAURANT)]
        if not 4 <= len(points) <= 9:
            return True
        parameters, length = self.problem.parameters, length_km(points, km_between)
        if length <= parameters.route_extra_km:
            return True
        shortest = shortest_km(points, km_between) or length
        return length <= parameters.route_ratio * shortest or length - shortest <= parameters.route_extra_km

    def _fill_day(self, day: int, style: Style) -> Filling:
        before, night = self._night(day - 1), self._night(day)
        rides = self.rides_by_day.get(day, [])
        slept = night or before
        hotel = slept.hotel if slept else None
        filling = Filling(self.choices, style, hotel, is_full=not rides)
        low, high = self.problem.visit_counts
        filling.place = before.hotel.point if before else None
        if not rides:
            if night is None or before is None:
                filling.is_sound = False
                return filling
            end = min(DAY, max(style.end, math.ceil(self.problem.parameters.day_end[0]) + 30))
            city = self._city(day)
            sights, eateries = self.stock.sights(city), self.stock.eateries(city)
            count, enough = self._full_days[city], len(self._useful(sights, night))
            usual = max(1, min(style.visits, enough // count))
            meals = _USUAL_MEALS if len(eateries) >= 2 * count and self.choices.thrift < 2 else 1
            visits = int(min(high, max(usual, math.ceil(low))))
            new = night.hotel.id != before.hotel.id
            filling.fill(sights, eateries, night.hotel.point, end - 30 * new, visits, meals)
            filling.go_home(night.hotel, is_new=new)
            return filling
        for number, ride in enumerate(rides):
            city = ride.service.from_city
            if number or before:
                self._go_out(filling, city, ride.service.from_place.point, filling.ready_for(ride) - 10)
            filling.board(ride)
        if night is not None:
            if before is None or before.hotel.id != night.hotel.id:
                filling.enter(night.hotel)
            self._go_out(filling, self._city(day), night.hotel.point, min(style.end, DAY))
            filling.go_home(night.hotel, is_new=False)
        return filling

    def _go_out(self, filling: Filling, city: str, end: Any, deadline: int) -> None:
        if city in self.problem.frame.destinations and deadline - filling.time >= _LEAST_STAY:
            sights, eateries = self.stock.sights(city), self.stock.eateries(city)
            visits = filling.visits + filling.style.visits
            meals = (
                _USUAL_MEALS
                if self.choices.thrift < 2 or self.choices.open_places(self.choices.cuisines)
                else 0
            )
            filling.fill(sights, eateries, end, deadline, visits, filling.meals + meals)

    def _useful(self, sights: Sequence[Sight], night: Lodging) -> Sequence[Sight]:
        """Those that are near enough to the hotel."""
        limit = self.choices.hotel_km
        if limit == math.inf:
            return sights
        return [sight for sight in sights if km_between(night.hotel.point, sight.point) <= limit]

    # JSON.

    def plan(self) -> Plan:
        """In the form of the schema."""
        frame = self.problem.frame
        return {
            PLAN: {
                "start_date": str(frame.start_date),
                "end_date": str(frame.end_date),
                "number_of_people": frame.people,
                "daily_schedule": [self._day(day) for day in self._days],
            }
        }

    def _day(self, day: int) -> dict[str, Any]:
        rides = self.rides_by_day.get(day, [])
        cities = [rides[0].service.from_city, *(ride.service.to_city for ride in rides)] if rides else []
        told: dict[str, Any] = {
            "date": str(self.problem.frame.dates[day]),
            "cities": " → ".join(cities) or self._city(day),
        }
        if (night := self._night(day)) is not None:
            rooms = [{"id": room.id, "room_num": count} for room, count in night.rooms]
            told["hotel"] = {"id": night.hotel.id, "products": rooms}
        return {**told, "activities": self.days[day]}

    def _activity(self, act: Act) -> dict[str, Any]:
        line = _LINES[act.type]
        if act.type == HOTEL and act.id:
            line = act.id
        if act.type == RESTAURANT and not act.purchases:
            line = "on_site"
        told: dict[str, Any] = {
            "time": f"{_clock(act.start)}-{_clock(act.end if act.end <= DAY else act.end - DAY)}",
            "type": act.type,
            "description": WORDS.line(self.language, "plan", line, name=act.name or act.type),
        }
        if act.type in ITEM_TYPES:
            told["id"] = act.id
            told["products"] = [{"id": id_, "quantity": count} for id_, count in act.purchases]
        return told


def _clock(minute: int) -> str:
    return f"{minute // 60:02d}:{minute % 60:02d}"
