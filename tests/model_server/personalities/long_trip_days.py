"""The days of a plan of TRIP-Bench, written by the clock from what the tools answered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any, Final

from benchmark.suites.tripbench.frame import Frame
from sandbox.worlds.geo import great_circle_km
from tests.model_server.personalities.lookups import Fields, Lookups, point_of, records, times_of

Entry = dict[str, Any]
Filters = Mapping[str, Mapping[str, Any]]
_ROWS: Final = 30
_EARLY, _LATE, _USUAL_RIDE, _USUAL_WAY = 420, 960, 120, 20
_WAKES, _LUNCH, _DINNER, _SLEEPS = 540, 690, 1050, 1290
_MEAL, _CHECK_IN, _FLIGHT_CHECK_IN, _TRAIN_BUFFER = 60, 30, 120, 20
_VISIT: Final = (60, 150)
_WORDS: Final = {
    "go": ("前往{}。", "To {}."),
    "visit": ("游览{}。", "Visit {}."),
    "eat": ("在{}用餐。", "A meal at {}."),
    "order": ("在{}到店点餐。", "A meal at {}: order on site."),
    "ride": ("乘{}。", "Take {}."),
    "fly": ("为{}办理值机。", "Check in for {}."),
    "sleep": ("入住{}。", "Check in at {}."),
}


def write_days(
    lookups: Lookups, frame: Frame, filters: Filters, *, english: bool
) -> tuple[list[Entry], dict[str, None]]:
    """The days, and the domains (hotel, restaurant) in which nothing passes the filters."""
    writer = _Writer(lookups, frame, filters, english)
    return [*writer.days()], writer.lacks


@dataclass(frozen=True, slots=True)
class _Spot:
    """Somewhere. hours: when it is open, in minutes of the day; none where nobody tells. fields: as it was told."""

    id: str
    name: str
    point: tuple[float, float] | None = None
    hours: Sequence[tuple[int, int]] = ()
    fields: Fields = field(default_factory=dict)

    @property
    def is_told(self) -> bool:
        return bool(self.fields)

    def is_open(self, start: int, end: int) -> bool:
        return not self.hours or any(opens <= start and end <= closes for opens, closes in self.hours)

    def km_to(self, other: _Spot | None) -> float:
        if other is None or self.point is None or other.point is None:
            return 0.0
        return great_circle_km(self.point, other.point)


@dataclass(frozen=True, slots=True)
class _Ride:
    """A leg. tool: train or flight. start, end: names. depart, arrive: minutes of their days; days: between them.

    is_told: whether a tool knows of it.
    """

    tool: str
    id: str
    number: str
    start: str
    end: str
    depart: int
    arrive: int
    days: int = 0
    is_told: bool = True

    @property
    def flies(self) -> bool:
        return self.tool == "flight"


class _Writer:
    def __init__(self, lookups: Lookups, frame: Frame, filters: Filters, english: bool) -> None:
        self._lookups, self._frame, self._filters, self._english = lookups, frame, filters, english
        self._seen_ids: set[str] = set()
        self._clock, self._acts = 0, list[Entry]()
        self._spot: _Spot | None = None
        self.lacks: dict[str, None] = {}

    def days(self) -> Iterator[Entry]:
        """One after the other."""
        rides = [*self._rides()]
        city, moves = self._frame.origin, self._moves()
        for number, day in enumerate(self._frame.dates):
            self._clock, self._acts = _WAKES, []
            told, leaves, hotel = city, city, None
            is_last = number == len(self._frame.dates) - 1
            for at in moves.get(number, ()):
                self._ride(rides[at], is_last)
                city = self._frame.legs[at][1]
                told = f"{leaves} -> {city}"
            if not is_last:
                hotel = self._hotel(city)
                self._stroll(city, hotel, number in moves)
            yield self._day(day, told, hotel)

    def _moves(self) -> dict[int, list[int]]:
        """Numbers of legs by that of their day."""
        found: dict[int, list[int]] = {}
        day = 0
        for at in range(len(self._frame.legs)):
            found.setdefault(day, []).append(at)
            day += self._frame.stays[at][1] if at < len(self._frame.stays) else 0
        return found

    def _day(self, day: date, cities: str, hotel: _Spot | None) -> Entry:
        entry: Entry = {"date": day.isoformat(), "cities": cities}
        if hotel:
            entry["hotel"] = {"id": hotel.id, "products": [self._room(hotel)]}
        return {**entry, "activities": self._acts}

    # What is done in a day.

    def _do(self, kind: str, minutes: int, word: str, name: str, **more: Any) -> None:
        time = f"{_clock(self._clock)}-{_clock(self._clock + minutes)}"
        text = _WORDS[word][self._english].format(name)
        self._acts.append({"time": time, "type": kind, **more, "description": text})
        self._clock += minutes

    def _way(self, goal: _Spot) -> int:
        here = self._spot
        if here is None or here.name == goal.name:
            return 0
        if here.point is None or goal.point is None:
            return _USUAL_WAY
        ends = {"origin_lat": here.point[1], "origin_lng": here.point[0]}
        told = self._lookups.ask(
            "get_route_estimate", **ends, destination_lat=goal.point[1], destination_lng=goal.point[0]
        )
        minutes = told.rpartition("time: ")[2].removesuffix(" min")
        return int(minutes) if minutes.isdecimal() else _USUAL_WAY

    def _go(self, goal: _Spot) -> None:
        if minutes := self._way(goal):
            self._do("Local Transportation", minutes, "go", goal.name)
        self._spot = goal

    def _ride(self, ride: _Ride, is_last: bool) -> None:
        """By the service's times, after what fits in before it on the last day."""
        ready = ride.depart - (_FLIGHT_CHECK_IN if ride.flies else _TRAIN_BUFFER)
        if is_last and self._spot:
            self._fill(self._frame.destinations[-1], ready - 90, is_short=True)
        start, end = (self._hub(ride, name) for name in (ride.start, ride.end))
        if self._spot:
            self._clock = max(0, ready - self._way(start))
            self._go(start)
        if ride.flies:
            self._clock = max(0, ready)
            self._do("Flight Check-in", ride.depart - self._clock, "fly", ride.number)
        self._clock = ride.depart
        people = self._frame.people
        which = {f"{ride.tool}_id": ride.id, "date_str": self._frame.start_date.isoformat()}
        tickets = self._products(ride.is_told, f"get_{ride.tool}_detail_with_products", **which)
        bought = [{"id": own["id"], "quantity": people} for own in tickets[:1]]
        minutes = ride.arrive + 1440 * ride.days - ride.depart
        self._do("Intercity Transportation", minutes, "ride", ride.number, id=ride.id, products=bought)
        self._spot = end

    def _stroll(self, city: str, hotel: _Spot, arrives: bool) -> None:
        """Visits and meals from the hotel to the hotel."""
        if arrives:
            self._go(hotel)
            self._do("Hotel Check-in", _CHECK_IN, "sleep", hotel.name)
        if self._clock < _SLEEPS - 3 * _MEAL:
            self._fill(city, _DINNER, is_short=False)
            self._go(hotel)

    def _fill(self, city: str, until: int, *, is_short: bool) -> None:
        """Visits with lunch among them until an hour; then dinner, unless the time is short."""
        lunched = self._clock > _LUNCH + _MEAL
        while self._clock < until - _VISIT[0]:
            if not lunched and self._clock >= _LUNCH - _VISIT[0]:
                lunched = True
                if self._eat(city, _LUNCH):
                    continue
            if not self._visit(city, until):
                break
        if not is_short:
            self._eat(city, _DINNER)

    def _visit(self, city: str, until: int) -> bool:
        for sight in self._near(self._sights(city)):
            start = self._clock + self._way(sight)
            minutes = _visit_minutes(sight)
            if start + minutes <= until + _MEAL and sight.is_open(start, start + minutes):
                self._go(sight)
                told = self._products(sight.is_told, "get_attraction_detail_with_products", poi_id=sight.id)
                tickets = [own for own in told if own.get("price") != "0.0"]
                people = self._frame.people
                bought = [{"id": own["id"], "quantity": people} for own in tickets[:1]]
                self._do("Attraction", minutes, "visit", sight.name, id=sight.id, products=bought)
                self._seen_ids.add(sight.id)
                return True
        return False

    def _eat(self, city: str, hour: int) -> bool:
        for place in self._near(self._restaurants(city)):
            start = max(hour, self._clock + self._way(place))
            if place.is_open(start, start + _MEAL):
                self._go(place)
                self._clock = start
                tool = "get_restaurant_detail_with_products"
                bought = [
                    {"id": own["id"], "quantity": 1}
                    for own in self._products(place.is_told, tool, restaurant_id=place.id)
                    if own.get("people") == str(self._frame.people) and _holds(own, start)
                ][:1]
                word = "eat" if bought else "order"
                self._do("Restaurant", _MEAL, word, place.name, id=place.id, products=bought)
                self._seen_ids.add(place.id)
                return True
        return False

    def _near(self, places: Sequence[_Spot]) -> list[_Spot]:
        """Those not seen yet, the nearest first."""
        fresh = [place for place in places if place.id not in self._seen_ids]
        return sorted(fresh, key=lambda place: place.km_to(self._spot))

    # What the tools tell.

    def _products(self, is_told: bool, tool: str, **arguments: Any) -> list[Fields]:
        """Of something that a search has told of."""
        return [*records(self._lookups.ask(tool, **arguments), "product_id")] if is_told else []

    def _search(self, tool: str, domain: str, head: str, **arguments: Any) -> list[Fields]:
        """With the wishes that it can filter by; without these where nothing passes them."""
        filters = self._filters.get(tool, {})
        found = self._lookups.ask(tool, **arguments, **filters)
        hits = [*records(found, head)]
        if found and not hits and filters:
            self.lacks[domain] = None
            hits = [*records(self._lookups.ask(tool, **arguments), head)]
        return hits

    def _sights(self, city: str) -> list[_Spot]:
        hits = self._search("search_attractions", "attraction", "POI ID", city=city, page_size=_ROWS)
        spots = [_spot(hit, "2", "opening hours") for hit in hits]
        return spots or [_Spot(f"{city}-sight-{n}", f"{city} {n}") for n in range(1, 20)]

    def _restaurants(self, city: str) -> list[_Spot]:
        hits = self._search("search_restaurants", "restaurant", "Restaurant_id", city=city, page_size=_ROWS)
        spots = [_spot(hit, "1", "open_hours") for hit in hits]
        return spots or [_Spot(f"{city}-meal-{n}", f"{city} {n}") for n in range(1, 20)]

    def _hotel(self, city: str) -> _Spot:
        """The same for a whole stay, whose first night the search is for."""
        first = self._frame.start_date + timedelta(self._frame.nights.index(city))
        dates = {"check_in_date": str(first), "check_out_date": str(first + timedelta(1))}
        hits = self._search("search_hotels", "hotel", "Hotel_id", city=city, **dates, page_size=_ROWS)
        return next((_spot(hit, "1", "") for hit in hits), _Spot(f"{city}-hotel", city))

    def _room(self, hotel: _Spot) -> Entry:
        first = self._frame.start_date
        dates = {"check_in_date": str(first), "check_out_date": str(first + timedelta(1))}
        tool = "get_hotel_detail_with_products"
        for own in self._products(hotel.is_told, tool, hotel_id=hotel.id, **dates):
            if int(own.get("occupancy", 0)):
                return {"id": own["id"], "room_num": -(-self._frame.people // int(own["occupancy"]))}
        return {"id": "room-1", "room_num": self._frame.people}

    def _rides(self) -> Iterator[_Ride]:
        """Of each leg the first of the morning, of the last one the first towards evening; trains before flights."""
        day, legs = self._frame.start_date, self._frame.legs
        for at, (start, end) in enumerate(legs):
            ends = {"departure_city": start, "arrival_city": end, "date_str": str(day), "page_size": _ROWS}
            found = [
                ride
                for tool in ("train", "flight")
                for ride in self._services(tool, self._lookups.ask(f"search_{tool}s", **ends))
            ]
            after = _LATE if at == len(legs) - 1 else _EARLY
            usual = _Ride("train", "train-1", "G1", start, end, after, after + _USUAL_RIDE, is_told=False)
            same_day = [ride for ride in found if not ride.days and ride.depart >= after]
            trains = [ride for ride in same_day if not ride.flies]
            yield next(iter([*trains[:1], *same_day, *found]), usual)
            day += timedelta(self._frame.stays[at][1] if at < len(self._frame.stays) else 0)

    def _services(self, tool: str, told: str) -> Iterator[_Ride]:
        for own in records(told, f"{tool.title()}_id"):
            times = next((part for part in own.values() if times_of(part)), "")
            ends = next((part for part in own.values() if " → " in part), "")
            if not times or not ends:
                continue
            (depart, arrive), days = times_of(times)[0], 1 if "(+1)" in times else 0
            start, _, end = ends.partition(" → ")
            yield _Ride(tool, own["id"], own["1"], start, end, depart, arrive % 1440, days)

    def _hub(self, ride: _Ride, name: str) -> _Spot:
        what = "airport" if ride.flies else "station"
        told = self._lookups.ask(f"get_{what}_coordinates", **{f"{what}_name": name}) if ride.is_told else ""
        return _Spot(name, name, point_of(told))


def _spot(hit: Fields, name: str, hours: str) -> _Spot:
    point = point_of(f"longitude: {hit.get('longitude', '')}")
    return _Spot(hit["id"], hit.get(name, hit["id"]), point, times_of(hit.get(hours, "")), hit)


def _visit_minutes(sight: _Spot) -> int:
    """The least that is told, within bounds."""
    least = sight.fields.get("reference visit time", "").partition("-")[0]
    told = round(float(least) * 60) if least.replace(".", "", 1).isdecimal() else _VISIT[0]
    return min(max(told, _VISIT[0]), _VISIT[1])


def _holds(menu: Fields, start: int) -> bool:
    windows = times_of(menu.get("available_time_ranges", ""))
    return not windows or any(opens <= start and start + _MEAL <= closes for opens, closes in windows)


def _clock(minutes: int) -> str:
    own = minutes % 1440
    return f"{own // 60:02}:{own % 60:02}"
