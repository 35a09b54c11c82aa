"""The ways of a day, its hotels and legs."""

from __future__ import annotations

import math
from typing import Final

from benchmark.plans.hours import DAY
from benchmark.suites.tripbench.planner.choices import Act, Choices, Style
from benchmark.suites.tripbench.planner.problem import km_between
from benchmark.suites.tripbench.planner.rides import Ride
from benchmark.suites.tripbench.plans.schema import CHECK_IN, HOTEL, LEG, LOCAL, RESTAURANT
from sandbox.toolsets.tripbench.records import Hotel
from sandbox.worlds.geo import Point

_CHECK_IN_MIN: Final = 20
_FLIGHT_MIN: Final = 120
_TRAIN_MIN: Final = 20


class Walk:
    """A day on the way. place: where one is, None if nobody knows. time: since when."""

    def __init__(self, choices: Choices, style: Style, hotel: Hotel | None, *, is_full: bool) -> None:
        self.choices, self.style, self.hotel, self.is_full = choices, style, hotel, is_full
        self.problem, self.parameters = choices.problem, choices.problem.parameters
        self.acts = list[Act]()
        self.place: Point | None = None
        first, last = self.parameters.day_start
        self.time = max(math.ceil(first), min(math.floor(last), style.start)) if is_full else style.start
        self.places = list[tuple[str, tuple[str, ...]]]()
        self.visits = self.meals = 0
        self.is_sound = True

    # Ways.

    def way(self, point: Point) -> int:
        """Minutes to a place; 0 where one is there."""
        if self.place is None or km_between(self.place, point) <= self.parameters.same_place_km:
            return 0
        return self.problem.minutes(self.place, point)

    def go(self, point: Point, name: str, arrival: int | None = None) -> None:
        """Takes the way to a place. arrival: when one is there; as soon as possible without."""
        minutes = self.way(point)
        start = self.time if arrival is None else max(0, arrival - minutes)
        if minutes:
            self.acts.append(Act(LOCAL, start, start + minutes, point, name))
        self.time, self.place = start + minutes, point

    def do(self, act: Act) -> None:
        """Adds an activity."""
        self.acts.append(act)
        self.time, self.place = act.end, act.point

    # Hotels and legs.

    def enter(self, hotel: Hotel, until: int = 0) -> None:
        """Goes to a hotel and checks in there, or rests until some time."""
        self.drop_meal(hotel.point)
        self.go(hotel.point, hotel.name)
        end = max(until, min(DAY, self.time + _CHECK_IN_MIN))
        self._check(end <= DAY and self.time < end)
        self.do(Act(HOTEL, self.time, end, hotel.point, hotel.name, "rest" if until else ""))

    def go_home(self, hotel: Hotel, *, is_new: bool) -> None:
        """Ends the day in a hotel. is_new: whether one checks in there now."""
        low = math.ceil(self.parameters.day_end[0]) if self.is_full else 0
        if self.acts and self.acts[-1].type == HOTEL and self.time >= low and not is_new:
            return
        minutes = self.way(hotel.point) or self.problem.minutes(hotel.point, hotel.point)
        late = max(self.time, low - minutes - (_CHECK_IN_MIN if is_new else 0))
        if self.is_full and late - self.time > self.parameters.gap_max:
            self.enter(hotel, low)
        elif is_new:
            self.time = late
            self.enter(hotel)
        else:
            self.acts.append(Act(LOCAL, late, late + minutes, hotel.point, hotel.name))
            self.time, self.place = late + minutes, hotel.point
        self._check(self.time <= (min(DAY, self.parameters.day_end[1]) if self.is_full else DAY))

    def ready_for(self, ride: Ride) -> int:
        """By when one is at the station or the airport."""
        if ride.service.is_flight:
            return ride.departs - math.ceil(self.parameters.checkin[0])
        return ride.departs - self._wait

    @property
    def _wait(self) -> int:
        low, high = self.parameters.train_buffer
        return math.ceil(max(low, min(_TRAIN_MIN, high)))

    def board(self, ride: Ride) -> None:
        """Goes to the station or the airport, and takes the service."""
        hub, service = ride.service.from_place, ride.service
        self.drop_meal(hub.point)
        low, high = (math.ceil(self.parameters.checkin[0]), math.floor(self.parameters.checkin[1]))
        wait = max(low, min(high, _FLIGHT_MIN)) if service.is_flight else self._wait
        earliest = self.time if self.acts else 0
        if self.place is not None:
            spare = ride.departs - earliest - self.way(hub.point)
            if service.is_flight:
                wait = max(low, min(wait, spare))
            self._check(spare >= wait)
            self.go(hub.point, hub.name, ride.departs - wait)
        if service.is_flight:
            self._check(wait <= ride.departs)
            self.do(Act(CHECK_IN, max(0, ride.departs - wait), ride.departs, hub.point, hub.name))
        bought = ((ride.ticket.id, self.problem.people),)
        name = f"{service.number} {service.from_city} → {service.to_city}".strip()
        self.do(Act(LEG, ride.departs, ride.arrives, service.to_place.point, name, service.id, bought))

    def drop_meal(self, point: Point) -> None:
        """Leaves the last meal out where one goes on too far from it."""
        while self.acts and self.acts[-1].type == RESTAURANT:
            if km_between(self.acts[-1].point, point) <= self.parameters.meal_km:
                return
            meal = self.acts.pop()
            self.meals -= 1
            self.places = [each for each in self.places if each[0] != meal.id]
            if self.acts and self.acts[-1].type == LOCAL:
                self.acts.pop()
            if not self.acts:
                self._check(False)
                return
            self.time, self.place = self.acts[-1].end, self.acts[-1].point

    def _check(self, holds: bool) -> None:
        self.is_sound = self.is_sound and holds
