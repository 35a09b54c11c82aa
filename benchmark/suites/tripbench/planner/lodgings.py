"""Hotels with rooms for the party, and which of them go together."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Final, Literal, NamedTuple

from benchmark.suites.tripbench.planner.problem import Problem, km_between
from benchmark.suites.tripbench.plans.trip import TINY
from benchmark.suites.tripbench.rubrics import hotels
from benchmark.suites.tripbench.rubrics.base import OfNights
from benchmark.suites.tripbench.rubrics.figures import FigureRubric
from sandbox.toolsets.tripbench.records import Hotel, Room
from sandbox.worlds.geo import Point

_MOST_STEPS: Final = 3_000
"""Choices of rooms of one hotel that are looked at."""
_MOST_ROOMS: Final = 20
_MOST_SETS: Final = 6
"""Choices of rooms of one hotel that are kept where what a stay costs may have to be more than the least."""
_MOST_LIKED: Final = 40
_UNKNOWN_PRICE: Final = 1e6
STAY_LEVELS: Final = ("person_total", "total")
"""Of a hotel's cost: what all nights cost."""
Role = Literal["central", "last"]
"""Of a night: the last one of the trip, or any other."""


Rooms = tuple[tuple[Room, int], ...]


class Lodging(NamedTuple):
    """A hotel with rooms for a night. cost: of all rooms, None where it is not known."""

    hotel: Hotel
    rooms: Rooms
    cost: float | None


class Lodgings(NamedTuple):
    """Those of a city that pass for a night, cheapest first. is_whole: whether each hotel was searched to its end."""

    options: tuple[Lodging, ...]
    is_whole: bool
    steps: int


def lodgings_of(problem: Problem, city: str, hubs: Sequence[Point] | None = None) -> Lodgings:
    """hubs: where the last leg may start, for the last night alone."""
    role: Role = "central" if hubs is None else "last"
    room_costs = [each for each in problem.of(hotels.Cost) if each.level == "room_night"]
    options, steps, is_whole = list[Lodging](), 0, True
    asked = [each for each in problem.of(OfNights) if not isinstance(each, hotels.Location)]  # type: ignore[type-abstract]
    for hotel in problem.world.hotels_in(city):
        if not lies_well(problem, hotel, role, hubs or ()):
            continue
        rooms = [
            room
            for room in hotel.products
            if all(each.passes(hotel, room, problem) for each in asked)
            and all(each.fits(room.price, problem.parameters.around_share) for each in room_costs)
        ]
        steps += 1
        if rooms:
            sets = _RoomSets(problem, rooms)
            options += [Lodging(hotel, chosen, cost) for chosen, cost in sets.search()]
            steps += sets.steps
            is_whole = is_whole and (bool(sets.options) or not (sets.is_cut or sets.steps >= _MOST_STEPS))
    options.sort(key=lambda one: (one.cost is None, one.cost or 0))
    return Lodgings(tuple(options), is_whole, steps)


def lies_well(problem: Problem, hotel: Hotel, role: Role, hubs: Sequence[Point]) -> bool:
    """Whether a hotel is where it is asked for. hubs: where the last leg may start."""
    for rubric in problem.of(hotels.Location):
        if rubric.op == "center" or (rubric.op == "center_except_last" and role == "central"):
            km = problem.world.km_from_centre(hotel)
            if km is None or rubric.km is None or km > rubric.km + TINY:
                return False
        elif role == "last":
            limit = rubric.km if rubric.hub_km is None else rubric.hub_km
            if limit is None or not any(km_between(hub, hotel.point) <= limit + TINY for hub in hubs):
                return False
    return True


def asks_for_hub(problem: Problem) -> bool:
    """Whether the last night is to be near where the last leg starts."""
    return any(rubric.op != "center" for rubric in problem.of(hotels.Location))


class _RoomSets:
    """Rooms of one hotel with beds for the party and what else is asked of a night, cheapest first."""

    def __init__(self, problem: Problem, rooms: Sequence[Room]) -> None:
        costs, around = problem.of(hotels.Cost), problem.parameters.around_share
        self._people, self._around_share = problem.people, around
        self._breakfasts = problem.of(hotels.BreakfastNumber)
        self._nights = [
            (each, self._people if each.level == "person_night" else 1)
            for each in costs
            if each.level in ("night_total", "person_night")
        ]
        limits = [(most_of(each, around), share) for each, share in self._nights]
        self._most_cost = min(
            (limit * share for limit, share in limits if limit is not None), default=math.inf
        )
        self._most_breakfasts = min(
            (each.n for each in self._breakfasts if each.op == "exact"), default=math.inf
        )
        self._breakfast_cap = max((int(each.n) for each in self._breakfasts), default=-1) + 1
        self._wants_least = all(each.op == "less" for each in costs)
        self._rooms = self._useful(rooms)
        self.steps, self.is_cut = 0, False
        self.options = list[tuple[Rooms, float | None]]()

    def _useful(self, rooms: Sequence[Room]) -> list[Room]:
        """Those with a bed, or a breakfast if there must be some; where cheap is best the cheapest of each size."""
        if self._breakfasts:
            rooms = [room for room in rooms if room.breakfast is not None]
        useful = [room for room in rooms if room.occupancy > 0 or self._breakfasts]
        if not self._wants_least:
            return useful
        cheapest = dict[tuple[int, int | None], Room]()
        for room in sorted(useful, key=_price):
            cheapest.setdefault((room.occupancy, room.breakfast if self._breakfasts else None), room)
        return [*cheapest.values()]

    def search(self) -> list[tuple[Rooms, float | None]]:
        """The rooms and their price; more than the cheapest ones where the stay may have to cost more."""
        wanted, people = 1 if self._wants_least else _MOST_SETS, self._people
        rooms = [(_price(room), room.occupancy, room.breakfast or 0) for room in self._rooms]
        queue: list[tuple[float, int, int, int, tuple[int, ...]]] = [(0.0, 0, 0, 0, ())]
        seen = set[tuple[float, int, int, int]]()
        if not self._is_possible(rooms):
            return []
        while queue and self.steps < _MOST_STEPS and len(self.options) < wanted:
            cost, first, beds, breakfasts, chosen = heapq.heappop(queue)
            self.steps += 1
            if beds >= people and self._suits(breakfasts, cost):
                self.options.append((self._count_rooms(chosen), cost if cost < _UNKNOWN_PRICE else None))
            for at in range(first, len(rooms)):
                price, occupancy, served = rooms[at]
                state = (
                    cost + price,
                    at,
                    min(beds + occupancy, people),
                    min(breakfasts + served, self._breakfast_cap),
                )
                if (
                    state in seen
                    or state[0] > self._most_cost + TINY
                    or state[3] > self._most_breakfasts + TINY
                ):
                    continue
                seen.add(state)
                if len(chosen) < _MOST_ROOMS:
                    heapq.heappush(queue, (*state, (*chosen, at)))
                else:
                    self.is_cut = True
        return self.options

    def _is_possible(self, rooms: Sequence[tuple[float, int, int]]) -> bool:
        """Whether any number of rooms has the beds and the breakfasts, whatever they cost."""
        reached, new = {(0, 0)}, [(0, 0)]
        while new and len(reached) < _MOST_STEPS:
            beds, breakfasts = new.pop()
            if beds >= self._people and self._serves(breakfasts):
                return True
            for _, occupancy, served in rooms:
                state = (min(beds + occupancy, self._people), min(breakfasts + served, self._breakfast_cap))
                if state not in reached:
                    reached.add(state)
                    new.append(state)
        self.steps += len(reached)
        return bool(new)

    def _serves(self, breakfasts: int) -> bool:
        return all(
            breakfasts >= each.n - TINY and (each.op == "min" or breakfasts <= each.n + TINY)
            for each in self._breakfasts
        )

    def _suits(self, breakfasts: int, cost: float) -> bool:
        if not self._serves(breakfasts):
            return False
        known = cost if cost < _UNKNOWN_PRICE else None
        return all(
            each.fits(None if known is None else known / share, self._around_share)
            for each, share in self._nights
        )

    def _count_rooms(self, chosen: Sequence[int]) -> Rooms:
        return tuple((self._rooms[at], chosen.count(at)) for at in dict.fromkeys(chosen))


def _price(room: Room) -> float:
    return _UNKNOWN_PRICE if room.price is None else room.price


def most_of(rubric: FigureRubric, around: float) -> float | None:
    """The figure above which a rubric fails; None where it has no such one."""
    if rubric.op == "less":
        return rubric.a
    if rubric.op == "around":
        return rubric.a + around * abs(rubric.a)
    return rubric.b if rubric.op == "range" else None


def stay_costs(problem: Problem) -> list[tuple[hotels.Cost, float]]:
    """What is asked of the cost of all nights, with what that is divided by."""
    return [
        (each, problem.people if each.level == "person_total" else 1)
        for each in problem.of(hotels.Cost)
        if each.level in STAY_LEVELS
    ]


Choice = tuple[Lodging, ...]
"""A lodging for each night."""


def choose_lodgings(
    problem: Problem, by_stay: Sequence[Sequence[Lodging]], last: Sequence[Lodging], worth: Worth
) -> Iterator[Choice]:
    """Lodgings for all nights that go together, the best first; one hotel a stay where that will do.

    by_stay: those for the nights of each stay but the trip's last one. last: those for that one.
    """
    stays = [(city, nights) for city, nights in problem.frame.stays if nights]
    if not stays:
        yield ()
        return
    options = list[list[tuple[float, float, Choice]]]()
    for at, (_, nights) in enumerate(stays):
        if at < len(stays) - 1:
            own = [(one,) * nights for one in by_stay[at]]
        else:
            own = _last_stays(by_stay[at], last, nights, worth)
        ranked = sorted(
            ((worth(each), n, sum(one.cost or 0 for one in each), each) for n, each in enumerate(own)),
            key=lambda one: one[:2],
        )
        cheap = sorted(ranked, key=lambda one: one[2])[:_MOST_LIKED]
        kept = {n for _, n, _, _ in (*ranked[: 5 * _MOST_LIKED], *cheap)}
        options.append([(value, cost, each) for value, n, cost, each in ranked if n in kept])
    asked = stay_costs(problem)
    around = problem.parameters.around_share
    best = list[tuple[float, int, Choice]]()
    for number, parts in enumerate(
        product(*(each[: _MOST_LIKED if not asked else None] for each in options))
    ):
        chosen = tuple(one for _, _, each in parts for one in each)
        if asked:
            known = None if any(one.cost is None for one in chosen) else sum(cost for _, cost, _ in parts)
            if not all(each.fits(None if known is None else known / share, around) for each, share in asked):
                continue
        best.append((sum(value for value, _, _ in parts), number, chosen))
    yield from (chosen for *_, chosen in sorted(best, key=lambda one: one[:2]))


def _last_stays(
    central: Sequence[Lodging], last: Sequence[Lodging], nights: int, worth: Worth
) -> list[Choice]:
    """For the last stay: hotels for all its nights, else one for the last night alone."""
    if nights == 1:
        return [(one,) for one in last]
    both = {*central}
    if whole := [(one,) * nights for one in last if one in both]:
        return whole
    some = sorted(central, key=lambda one: worth((one,)))[:_MOST_LIKED]
    return [(*((one,) * (nights - 1)), end) for one in some for end in last[:_MOST_LIKED]]


class Worth:
    """How little one likes lodgings: far from where the sights are, bad, or dear."""

    def __init__(self, remoteness: Mapping[str, float], liked: frozenset[str], thrifty: bool) -> None:
        """remoteness: of hotels by id, in kilometres. liked: ids of hotels that come first."""
        self._remoteness, self._favourites, self._thrifty = remoteness, liked, thrifty

    def __call__(self, chosen: Choice) -> float:
        """The sum over different ones."""
        return sum(self._of(one) for one in dict.fromkeys(chosen))

    def _of(self, one: Lodging) -> float:
        hotel = one.hotel
        cost = 1000.0 if one.cost is None else one.cost * (5 if self._thrifty else 1 / 150)
        liked = -10_000 if hotel.id in self._favourites else 0
        return self._remoteness.get(hotel.id, 0.0) - 2 * (hotel.stars or 0) + cost + liked
