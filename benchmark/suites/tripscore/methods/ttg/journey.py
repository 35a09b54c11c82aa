"""Where the traveller is: a way through cities and time, of stays and legs, as rows of the program."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from benchmark.plans.hours import DAY
from benchmark.suites.tripscore.making.reference import spread
from benchmark.suites.tripscore.methods.ttg.program import Key, Program
from benchmark.suites.tripscore.planner.days import FREE_MIN
from benchmark.suites.tripscore.planner.journeys import Move, moves_of
from benchmark.suites.tripscore.scoring.parameters import Parameters
from benchmark.suites.tripscore.scoring.trip import VISIT_WINDOWS, Lookup
from benchmark.suites.tripscore.tasks import Task

_STEP: Final = 120
"""Minutes between the moments at which the program knows where the traveller is."""
_STEPS: Final = DAY // _STEP
_MOST_LEGS: Final = 5
"""A day from a city to another, spread over the day."""
_BEGIN, _END = "begin", "end"


class _Way(NamedTuple):
    """A leg in a slot, or a change of city for which the data has none. start, end: moments."""

    key: Key
    move: Move
    origin: str
    start: int
    end: int

    def is_before(self, period: int, city: str) -> bool:
        """Whether it stands before a sight of a city in a period of its day."""
        return self.move.period < period or (self.move.period == period and self.move.city == city)


class JourneyRows:
    """Adds the variables of stays and legs, and the rows that make one journey of them."""

    def __init__(self, program: Program, task: Task, parameters: Parameters) -> None:
        self._program, self._task, self._lookup = program, task, Lookup(task.reference)
        self._parameters = parameters
        self.stops = list(dict.fromkeys(task.query.folded_cities))
        home = task.query.folded_departure
        self.cities = list(dict.fromkeys([*([home] if home else []), *self.stops]))
        self._last = task.query.days * _STEPS
        self._into: dict[tuple[str, int], list[Key]] = defaultdict(list)
        self._exits: dict[tuple[str, int], list[Key]] = defaultdict(list)
        self.ways = [self._add(way) for way in _thin_ways(self._all_ways())]
        self._add_stays()
        self._add_ends()
        self._add_balance()
        self._add_visits_of_cities()
        if task.query.fixed_order:
            self._add_order()

    # Variables.

    def _all_ways(self) -> Iterator[_Way]:
        query = self._task.query
        for leg in self._task.reference.transportation:
            origin, city = leg.ends
            if origin == city or not {origin, city} <= {*self.cities}:
                continue
            days = range(query.days) if leg.times is None else range(1)
            for day in days:
                back = query.leaves_from_outside and city == query.folded_departure
                for move in moves_of(self._task, leg, day, back):
                    if 0 <= move.day < query.days and move.arrives >= move.departs:
                        yield self._way(("leg", leg.id, move.day), move, origin)
        for city in self.stops:
            if city not in self._lookup.reached_cities:
                yield from self._ways_without_leg(city)

    def _way(self, key: Key, move: Move, origin: str) -> _Way:
        end = min(move.arrives // _STEP + 1, self._last)
        return _Way(key, move, origin, move.departs // _STEP, end)

    def _ways_without_leg(self, city: str) -> Iterator[_Way]:
        """A city that no leg of the data reaches is entered at the beginning of a day."""
        for day in range(self._task.query.days):
            for origin in self.cities:
                if origin != city:
                    move = Move(None, day, city, day * DAY, day * DAY)
                    yield _Way(("waived", origin, city, day), move, origin, day * _STEPS, day * _STEPS + 1)

    def _add(self, way: _Way) -> _Way:
        self._program.add(*way.key)
        self._exits[way.origin, way.start].append(way.key)
        self._into[way.move.city, way.end].append(way.key)
        return way

    def _add_stays(self) -> None:
        for city in self.cities:
            for moment in range(self._last):
                key = self._program.add("stay", city, moment, whole=False)
                self._exits[city, moment].append(key)
                self._into[city, moment + 1].append(key)

    def _add_ends(self) -> None:
        query, home = self._task.query, self._task.query.folded_departure
        anywhere = home is None or (query.leaves_from_outside and home not in self._lookup.left_cities)
        begins = self.stops if anywhere or home is None else [home]
        if home is not None and anywhere:
            begins = [city for city in self.stops if city not in self._lookup.reached_cities]
        returns = query.leaves_from_outside and query.returns and home in self._lookup.reached_cities
        ends = [home] if returns and home else self.stops
        for kind, cities, moment, side in (
            (_BEGIN, begins, 0, self._into),
            (_END, ends, self._last, self._exits),
        ):
            keys = [self._program.add(kind, city) for city in cities]
            for key, city in zip(keys, cities, strict=True):
                side[city, moment].append(key)
            self._program.add_row([(key, 1) for key in keys], 1, 1)

    # Rows.

    def _add_balance(self) -> None:
        for city in self.cities:
            for moment in range(self._last + 1):
                terms = [(key, 1.0) for key in self._into[city, moment]]
                self._program.add_row([*terms, *((key, -1.0) for key in self._exits[city, moment])], 0, 0)

    def _add_visits_of_cities(self) -> None:
        """Each city is entered once, or as often as it is named, but for where the journey begins; no leg twice."""
        query, named = self._task.query, Counter(self._task.query.folded_cities)
        for city in self.cities:
            keys = [way.key for way in self.ways if way.move.city == city]
            begin = [(_BEGIN, city)] if (_BEGIN, city) in self._program.keys else []
            if city == query.folded_departure:
                self._program.add_row([(key, 1) for key in keys], high=1)
            else:
                self._program.add_row([(key, 1) for key in [*keys, *begin]], 1, named[city])
        for leg in self._task.reference.transportation:
            keys = [way.key for way in self.ways if way.move.leg and way.move.leg.id == leg.id]
            if len(keys) > 1:
                self._program.add_row([(key, 1) for key in keys], high=1)

    def _add_order(self) -> None:
        for city, after in zip(self.stops, self.stops[1:], strict=False):
            earlier = [(way.key, -float(way.end)) for way in self.ways if way.move.city == city]
            later = [(way.key, float(way.end)) for way in self.ways if way.move.city == after]
            self._program.add_row([*later, *earlier], low=0)
            if (_BEGIN, after) in self._program.keys:
                self._program.add_row([((_BEGIN, after), 1)], high=0)

    # What the rest of the program asks.

    def presence(self, city: str, day: int) -> list[Key]:
        """The variables of which one is 1 if the traveller is in a city at the end of a day."""
        return self._into[city, (day + 1) * _STEPS]

    def departures(self, day: int) -> list[Key]:
        """The legs of a day."""
        return [way.key for way in self.ways if way.move.leg and way.move.day == day]

    def free_time(self, city: str, day: int, period: int) -> list[Key]:
        """The stays and legs that leave time for a sight of a city in a period."""
        window, midnight = VISIT_WINDOWS[period], day * DAY
        start, end = midnight + window.start, midnight + window.end
        early = midnight + self._parameters.early_minutes
        keys: list[Key] = [("stay", city, at) for at in range(max(start, early) // _STEP, end // _STEP)]
        for way in self.ways:
            departs, arrives = way.move.departs, way.move.arrives
            before = way.origin == city and max(early, start + FREE_MIN) <= departs < end
            after = way.move.city == city and way.end * _STEP == end and end - arrives >= FREE_MIN
            if before or after:
                keys.append(way.key)
        return keys

    def moves(self, choice: frozenset[Key]) -> list[Move]:
        """Those of a choice, in order of time."""
        taken = [way for way in self.ways if way.key in choice]
        begins = [Move(None, 0, city, 0, 0) for city in self.stops if (_BEGIN, city) in choice]
        outside = [move for move in begins if move.city != self._task.query.folded_departure]
        return [*outside, *(way.move for way in sorted(taken, key=lambda way: (way.start, way.end)))]


def _thin_ways(ways: Iterable[_Way]) -> list[_Way]:
    """Of legs between the same cities and moments the one that is the shortest: the program can't tell them apart."""
    kept: dict[Key, _Way] = {}
    for way in ways:
        place = (way.origin, way.move.city, way.start, way.end)
        before = kept.get(place)
        if before is None or _minutes(way) < _minutes(before):
            kept[place] = way
    by_day: dict[Key, list[_Way]] = defaultdict(list)
    for way in sorted(kept.values(), key=lambda way: way.move.departs):
        by_day[way.origin, way.move.city, way.move.day].append(way)
    return [way for own in by_day.values() for way in spread(own, _MOST_LEGS)]


def _minutes(way: _Way) -> tuple[int, int]:
    return way.move.arrives - way.move.departs, way.move.departs
