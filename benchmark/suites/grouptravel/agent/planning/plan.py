"""Plan a trip from what the agent knows: lay out a few frames, fill each with visits, and keep the best."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from benchmark.core.actions import ToolCall
from benchmark.suites.grouptravel.agent.brief import Brief
from benchmark.suites.grouptravel.agent.planning.knowledge import Knowledge
from benchmark.suites.grouptravel.agent.planning.nesting import as_families
from benchmark.suites.grouptravel.agent.planning.render import Renderer, Transfers
from benchmark.suites.grouptravel.agent.planning.schedule import Block, timeline
from benchmark.suites.grouptravel.agent.planning.search import Search
from benchmark.suites.grouptravel.agent.planning.shared_work import SharedWork
from benchmark.suites.grouptravel.agent.planning.skeleton import DRIVE, Frames, Skeleton
from benchmark.suites.grouptravel.agent.planning.spots import (
    Spot,
    category_of,
    numbered_bits,
    places_in,
)
from benchmark.suites.grouptravel.agent.planning.tastes import Taste, read_tastes
from benchmark.suites.grouptravel.agent.planning.trip import Ground, Lodging, Trip, lodgings
from benchmark.suites.grouptravel.agent.planning.wishes import known_wishes

# Frames that are tried, trips that are filled, and trips that are improved.
_FRAMES, _DRAFTS, _RIVALS = 12, 3, 2
# Bounds of the search, counted in work and not in seconds: the same seed has to give the same plan on any machine.
_BUDGET, _ROUNDS, _PASSES = 9000, 2, 6


@dataclass(frozen=True, slots=True)
class Plan:
    """A finished plan, with what the agent has to tell the travellers about it."""

    itinerary: dict[str, Any]
    # The expected utility of each traveller, in points.
    personal: tuple[int, ...]
    # The cities in the order of the trip.
    order: tuple[str, ...]
    # CNY per person.
    cost: float
    # The tool calls that give the cost of routes inside cities, including those that were made already.
    routes: tuple[ToolCall, ...]
    # Named sights that are left out.
    unmet_names: tuple[str, ...]
    # Named sights that no tool knows.
    unknown_names: tuple[str, ...] = ()
    # How many sights the travellers named.
    wished: int = 0
    # Named sights that are left out because another traveller refuses them.
    disputed_names: tuple[str, ...] = ()
    # Planned sights with the travellers who asked for them but are not taken there.
    missed_by: tuple[tuple[str, tuple[str, ...]], ...] = ()
    # Travellers by the named sight that they insist on.
    wanted_by: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    # City by city what travellers insist on eating and do not get there, with those travellers.
    missed_meals: tuple[tuple[str, tuple[tuple[str, tuple[str, ...]], ...]], ...] = ()
    # Legs between cities by car, because no tool returned a train or a flight.
    driven_ways: tuple[tuple[str, str], ...] = ()
    # Travellers who have to use a means of transport that they refuse, or never use one that they insist on.
    rides: tuple[str, ...] = ()


class Planner:
    """One planning problem: everything that stays the same while trips are compared."""

    def __init__(
        self,
        brief: Brief,
        tables: Mapping[str, Any],
        travellers: Sequence[str],
        known: Knowledge,
        seed: int,
        shared_work: SharedWork | None = None,
    ) -> None:
        self._shared_work = shared_work or SharedWork()
        self._brief = _usable(brief)
        self._travellers = tuple(travellers) or ("User1",)
        self._seed = seed
        cities = self._brief.cities
        tastes = read_tastes(tables, self._travellers, cities)
        self._tastes, self._unknown_names = known_wishes(tastes, cities, known)
        self._atlas = self._shared_work.atlas
        self._spots: dict[str, tuple[Spot, ...]] = {}
        shift = [0] * len(self._tastes)
        for city in cities:
            spots = self._shared_work.spots(self._brief, city, self._tastes, known)
            spots = as_families(spots, places_in(known, city))
            self._spots[city] = numbered_bits(spots, shift)
            shift = [by + _items(taste, city) for by, taste in zip(shift, self._tastes, strict=True)]
        self._hotels = {
            city: lodgings(known, city, self._tastes, self._spots[city], self._atlas) for city in cities
        }
        self._knowledge = known
        self._best: Search | None = None
        self._draft_search: Search | None = None
        self._ground = Ground(self._brief, known, self._atlas)
        nights = {city: min(h.cost for h in hotels) for city, hotels in self._hotels.items()}
        self.frames = Frames(self._brief, known, self._tastes, self._spots, nights)

    def plan(self, known: Knowledge | None = None) -> Plan:
        """The best trip found, written out.

        known: what is known by now, where more ways inside cities were told since.
        """
        self._best = self._best or self._search()
        return self._written_out(self._best, Transfers(known or self._knowledge, self._atlas))

    def _search(self) -> Search:
        searches = sorted((self._fill(trip) for trip in self._drafts()), key=lambda search: -search.total)
        for search in searches[:_RIVALS]:
            search.reframe(self._variants(search))
            search.improve(1)
        best = max(searches, key=lambda search: search.total)
        for _ in range(_ROUNDS):
            best.reframe(self._variants(best))
            best.improve(_PASSES)
        best.stretch()
        return best

    def _written_out(self, best: Search, transfers: Transfers) -> Plan:
        trip = best.trip
        cost = trip.fixed_score(self._tastes).cost
        wished = len({name for taste in self._tastes for t in taste.cities.values() for name in t.must_visit})
        renderer = self._renderer(trip, transfers)
        left_out = self._unmet_names(trip)
        disputed = tuple(name for name in left_out if self._refused(name))
        return Plan(
            renderer.itinerary(trip),
            tuple(best.personal()),
            trip.frame.order,
            cost,
            transfers.calls(renderer.rides(trip)),
            tuple(name for name in left_out if name not in disputed),
            self._unknown_names,
            wished + len(self._unknown_names),
            disputed,
            tuple(self._missed_by(trip, left_out)),
            {name: self._fans_of(name) for name in left_out},
            tuple(self._missed_meals(trip)),
            self._driven_ways(trip.frame),
            self._of(lambda taste: taste.put_off_by([ride.mode for ride in trip.frame.rides if ride])),
        )

    def draft(self, known: Knowledge | None = None) -> dict[str, Any]:
        """An itinerary in a fraction of the time: one frame, hardly improved. known: as for `plan`."""
        if self._draft_search is None:
            self._draft_search = self._fill(self._drafts()[0])
            self._draft_search.improve(1)
        transfers = Transfers(known or self._knowledge, self._atlas)
        return self._renderer(self._draft_search.trip, transfers).itinerary(self._draft_search.trip)

    def _renderer(self, trip: Trip, transfers: Transfers) -> Renderer:
        spots = [self._spots[city] for city in trip.frame.order]
        return Renderer(self._brief, self._travellers, spots, self._atlas, transfers)

    def _drafts(self) -> list[Trip]:
        """Empty trips over the best frames whose days hold together."""
        drafts: list[Trip] = []
        for frame in self.frames.best(_FRAMES):
            trip = self._laid_out(frame, {city: options[0] for city, options in self._hotels.items()})
            if trip is not None:
                drafts.append(trip)
            if len(drafts) == _DRAFTS:
                break
        return drafts or [self._stay_home()]

    def _laid_out(self, frame: Skeleton, hotels: Mapping[str, Lodging]) -> Trip | None:
        blocks = self._ground.blocks(frame, hotels)
        if any(timeline(block, (), (), self._atlas, 1) is None for block in blocks):
            return None
        chosen = tuple(hotels[city] if n else None for city, n in zip(frame.order, frame.nights, strict=True))
        return Trip(frame, chosen, blocks, ((),) * len(blocks))

    def _stay_home(self) -> Trip:
        """The last resort: one city and no legs, because none of the services allows more."""
        city = self._brief.cities[0]
        frame = Skeleton((city,), (self._brief.days - 1,), (None, None), 0.0)
        hotels = {city: self._hotels[city][0]}
        blocks = self._ground.blocks(frame, hotels)
        return Trip(frame, (hotels[city] if self._brief.days > 1 else None,), blocks, ((),) * len(blocks))

    def _fill(self, trip: Trip) -> Search:
        search = Search(
            trip,
            [self._spots[city] for city in trip.frame.order],
            self._tastes,
            self._shared_work,
            splits=not self._brief.companions,
            budget=_BUDGET,
            seed=self._seed,
        )
        search.fill()
        return search

    def _variants(self, search: Search) -> Iterator[Trip]:
        """The trip with one hotel or one service changed."""
        for index, city in enumerate(search.trip.frame.order):
            for hotel in self._hotels[city] if search.trip.hotels[index] is not None else ():
                yield from self._variant(search.trip, search.trip.frame, {city: hotel})
        stops = self.frames.stops(search.trip.frame.order)
        for index, ride in enumerate(search.trip.frame.rides):
            day = search.trip.frame.days[index]
            for other in self.frames.options(stops[index], stops[index + 1], day) if ride else ():
                rides = search.trip.frame.rides
                changed = replace(search.trip.frame, rides=(*rides[:index], other, *rides[index + 1 :]))
                yield from self._variant(search.trip, changed, {})

    def _variant(self, trip: Trip, frame: Skeleton, changed: Mapping[str, Lodging]) -> Iterator[Trip]:
        hotels = {city: options[0] for city, options in self._hotels.items()}
        hotels |= {city: h for city, h in zip(frame.order, trip.hotels, strict=True) if h is not None}
        laid = self._laid_out(frame, hotels | dict(changed))
        if laid is not None and _in_order(laid):
            yield laid

    def _unmet_names(self, trip: Trip) -> tuple[str, ...]:
        """Must-visit items that no visited place satisfies."""
        seen = [place for _, place in self._visits(trip)]
        wished = (name for t in self._tastes for name in self._named_sights(t))
        return tuple(dict.fromkeys(name for name in wished if not any(name in place for place in seen)))

    def _missed_by(self, trip: Trip, left_out: Sequence[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
        visits, who = list(self._visits(trip)), dict[str, list[str]]()
        for u, (user, taste) in enumerate(zip(self._travellers, self._tastes, strict=True)):
            seen = [place for mask, place in visits if mask >> u & 1]
            for name in self._named_sights(taste):
                if name not in left_out and not any(name in place for place in seen):
                    who.setdefault(name, []).append(user)
        yield from ((name, tuple(users)) for name, users in who.items())

    def _missed_meals(self, trip: Trip) -> Iterator[tuple[str, tuple[tuple[str, tuple[str, ...]], ...]]]:
        for city in self._brief.cities:
            meals = [(mask, spot.place) for mask, spot in self._visited_spots(trip, city) if spot.meal]
            who = dict[str, tuple[str, ...]]()
            for u, (user, taste) in enumerate(zip(self._travellers, self._tastes, strict=True)):
                own = [place for mask, place in meals if mask >> u & 1]
                for item in taste.of(city).must_eat:
                    if not any(item in place.name or item == category_of(place) for place in own):
                        who[item] = (*who.get(item, ()), user)
            if who:
                yield city, tuple(who.items())

    def _named_sights(self, taste: Taste) -> Iterator[str]:
        return (name for city in self._brief.cities for name in taste.of(city).must_visit)

    def _visits(self, trip: Trip) -> Iterator[tuple[int, str]]:
        """(who, name of the place) of every visit. who: bits of the travellers."""
        for city in trip.frame.order:
            yield from ((mask, spot.place.name) for mask, spot in self._visited_spots(trip, city))

    def _visited_spots(self, trip: Trip, city: str) -> Iterator[tuple[int, Spot]]:
        """What is visited in a city, with the parts of sights. who: as in `_visits`."""
        spots = self._spots[city]
        for block, items in zip(trip.blocks, trip.items, strict=True):
            for mask, spot, _ in itertools.chain.from_iterable(items):
                if trip.frame.order[block.city] == city:
                    yield from ((mask, spots[index]) for index in (spot, *spots[spot].parts))

    def _driven_ways(self, frame: Skeleton) -> tuple[tuple[str, str], ...]:
        """The legs by car that the agent has to mention; none if a traveller likes to drive."""
        if any(taste.ride_points(DRIVE) > 0 for taste in self._tastes):
            return ()
        legs = zip(itertools.pairwise(self.frames.stops(frame.order)), frame.rides, strict=True)
        return tuple(leg for leg, ride in legs if ride and ride.mode == DRIVE)

    def _of(self, test: Callable[[Taste], bool]) -> tuple[str, ...]:
        """The travellers whose wishes pass a test."""
        pairs = zip(self._travellers, self._tastes, strict=True)
        return tuple(name for name, taste in pairs if test(taste))

    def _fans_of(self, name: str) -> tuple[str, ...]:
        return self._of(lambda taste: name in self._named_sights(taste))

    def _refused(self, name: str) -> bool:
        """Whether a traveller refuses to visit a place with this name."""
        refused = [item for t in self._tastes for c in self._brief.cities for item in t.of(c).reject_visit]
        return any(item in name or name in item for item in refused)


def _usable(brief: Brief) -> Brief:
    """A trip needs one city and one day."""
    cities = tuple(dict.fromkeys(brief.cities)) or (brief.departure_city or "目的地",)
    return replace(brief, cities=cities, days=max(1, brief.days))


def _items(taste: Taste, city: str) -> int:
    return max(len(taste.of(city).must_visit), len(taste.of(city).reject_visit))


def _in_order(trip: Trip) -> bool:
    """No stretch of a day begins before the one before it has ended."""
    blocks: tuple[Block, ...] = trip.blocks
    return all(a.day != b.day or a.deadline <= b.start for a, b in itertools.pairwise(blocks))
