"""Fills the blocks of a trip: greedy insertion, then local improvement, by one figure (score.Ledger)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from heapq import heappush, heappushpop
from itertools import combinations, islice
from random import Random

from benchmark.suites.grouptravel.agent.planning.schedule import Block, Item, Lane
from benchmark.suites.grouptravel.agent.planning.score import (
    BlockScore,
    Ledger,
    Rest,
    promise_worth,
    score_block,
)
from benchmark.suites.grouptravel.agent.planning.shared_work import BlockScores, SharedWork
from benchmark.suites.grouptravel.agent.planning.skeleton import EARLY, WAKING
from benchmark.suites.grouptravel.agent.planning.spots import Spot
from benchmark.suites.grouptravel.agent.planning.tastes import Taste
from benchmark.suites.grouptravel.agent.planning.trip import Trip
from benchmark.suites.grouptravel.agent.understanding.cities import short_names
from benchmark.text import guarded

_EPS = 1e-6
_MOST_FORKS = 2
_SPLIT_MARGIN = 0.25
_NEAREST, _FAVOURITES = 8, 3
_TRAVEL_WORTH = 0.003
_HOTEL_WORTH, _CNY, _HOUR, _EVENING = 0.1, 0.0003, 0.03, 21 * 60
_BRACKET = guarded.compile(r"[(（]")
Items = tuple[Item, ...]


_NONE = (0,)
_NOT_SCORED = BlockScore(_NONE, _NONE, _NONE, (0.0,), _NONE, _NONE, _NONE, 0, 0.0)
"""Stands for a filling that was not scored yet."""


class Search:
    """Improves one trip in place; it stops at a local optimum or when `budget` evaluations are spent."""

    def __init__(
        self,
        trip: Trip,
        spots: Sequence[tuple[Spot, ...]],
        tastes: tuple[Taste, ...],
        shared_work: SharedWork,
        *,
        splits: bool,
        budget: int,
        seed: int,
    ) -> None:
        self.trip = trip
        self._settled_trip: Trip | None = None
        self._spots, self._tastes, self._atlas = spots, tastes, shared_work.atlas
        self._splits, self._budget_left = splits, budget
        self._random = Random(seed)
        self._full = (1 << len(tastes)) - 1
        self._ledger = Ledger(tastes)
        self._memo: BlockScores = {}
        self._known_scores = [shared_work.scores(spots_of_city) for spots_of_city in spots]
        self._rests: dict[int, Rest] = {}
        self._bases: dict[int, float] = {}
        self._rankings_by_city = [_rankings(spots_of_city) for spots_of_city in spots]
        self._chains = [_chains(spots_of_city) for spots_of_city in spots]
        self._favourites: dict[tuple[int, int, bool], list[int]] = {}
        self._scores = [
            self._require(block, items) for block, items in zip(trip.blocks, trip.items, strict=True)
        ]
        self._fixed_score = trip.fixed_score(tastes)
        self.total = self._total_of(trip, self._scores)

    # -- the phases ----------------------------------------------------------------------------------

    def fill(self) -> None:
        """Meals first (they bind the times of a day), then sights by their gain."""
        for index in range(len(self.trip.blocks)):
            for _ in range(2):
                self._insert_best(index, meal=True)
        for city in range(len(self.trip.frame.order)):
            self._greedy_sights(city)

    def improve(self, passes: int) -> None:
        """Sweeps of every kind of move until none helps; what none has helped is not swept again."""
        for _ in range(passes):
            before, trip = self.total, self.trip
            order = list(range(len(trip.blocks)))
            self._random.shuffle(order)
            if trip is self._settled_trip:
                return
            for index in order:
                self._sweep(index)
            if self.trip is trip:
                self._settled_trip = trip
            if self.total <= before + _EPS or self._budget_left <= 0:
                return

    def stretch(self) -> None:
        """Longer visits, up to the middle of what is recommended, where nothing is lost by it."""
        for index in range(len(self.trip.blocks)):
            for at in range(len(self.trip.items[index])):
                for extra in (60, 30, 15):
                    self._lengthen(index, at, extra)

    def reframe(self, trips: Iterator[Trip]) -> None:
        """Takes over another service or hotel where the same days score better with it."""
        for other in trips:
            scores = [self._score(b, items) for b, items in zip(other.blocks, self.trip.items, strict=True)]
            usable = [score for score in scores if score is not None]
            if len(usable) < len(scores):
                continue
            total = self._total_of(other, usable)
            if total > self.total + _EPS:
                self.trip = replace(other, items=self.trip.items)
                self._scores, self.total = usable, total
                self._fixed_score = self.trip.fixed_score(self._tastes)
                self._rests.clear()
                self._bases.clear()

    def personal(self) -> list[int]:
        """Every traveller's utility as it stands."""
        return self._ledger.personal(self._whole(self.trip, self._scores), _nothing(len(self._tastes)))

    # -- evaluation ----------------------------------------------------------------------------------

    def _score(self, block: Block, items: Items) -> BlockScore | None:
        key = (block, items)
        score = self._memo.get(key, _NOT_SCORED)
        if score is _NOT_SCORED:
            self._budget_left -= (
                1  # also for what another search has scored: who was there first changes no plan
            )
            known = self._known_scores[block.city]
            score = known.get(key, _NOT_SCORED)
            if score is _NOT_SCORED:
                spots = self._spots[block.city]
                score = known[key] = score_block(block, items, spots, self._atlas, len(self._tastes))
            self._memo[key] = score
        return score

    def _require(self, block: Block, items: Items) -> BlockScore:
        score = self._score(block, items)
        if score is None:
            raise ValueError("the block can't hold even what it begins with")
        return score

    def _whole(self, trip: Trip, scores: Sequence[BlockScore]) -> Rest:
        return self._ledger.rest(trip.fixed_score(self._tastes), trip.blocks, scores, -1)

    def _total_of(self, trip: Trip, scores: Sequence[BlockScore]) -> float:
        worth = sum(
            hotel.worth * nights * _HOTEL_WORTH
            for hotel, nights in zip(trip.hotels, trip.frame.nights, strict=True)
            if hotel is not None
        )
        worth -= sum(_CNY * ride.price for ride in trip.frame.rides if ride is not None)
        worth += sum(
            _HOUR * max(0, min(b.deadline, _EVENING) - max(b.start, WAKING)) / 60 for b in trip.blocks
        )
        worth -= sum(
            EARLY * max(0, WAKING - ride.depart) / 60 for ride in trip.frame.rides if ride is not None
        )
        return self._ledger.total(self._whole(trip, scores), _nothing(len(self._tastes))) + worth

    def _rest(self, index: int) -> Rest:
        if index not in self._rests:
            self._rests[index] = self._ledger.rest(self._fixed_score, self.trip.blocks, self._scores, index)
        return self._rests[index]

    def _gain(self, index: int, items: Items) -> float:
        """How much better the trip is with these items in that block; minus infinity where impossible."""
        score = self._score(self.trip.blocks[index], items)
        if score is None:
            return float("-inf")
        if index not in self._bases:
            self._bases[index] = self._ledger.total(self._rest(index), self._scores[index])
        return self._ledger.total(self._rest(index), score) - self._bases[index]

    def _commit(self, index: int, items: Items) -> None:
        rest, score = self._rest(index), self._require(self.trip.blocks[index], items)
        self.total += self._ledger.total(rest, score) - self._ledger.total(rest, self._scores[index])
        self._scores[index] = score
        every = list(self.trip.items)
        every[index] = items
        self.trip = replace(self.trip, items=tuple(every))
        self._rests = {index: rest}
        self._bases.clear()

    def _take(self, index: int, choices: Iterator[Items], least: float = _EPS) -> bool:
        """Commits the best of some fillings of a block if it gains at least `least`."""
        best, best_gain = None, least
        for items in choices:
            gain = self._gain(index, items)
            if gain > best_gain:
                best, best_gain = items, gain
        if best is None:
            return False
        self._commit(index, best)
        return True

    # -- insertion -----------------------------------------------------------------------------------

    def _used_spots(self, city: int) -> set[int]:
        """The spots that are taken, and the other restaurants of their chains."""
        taken = {
            lane[1]
            for block, items in zip(self.trip.blocks, self.trip.items, strict=True)
            if block.city == city
            for item in items
            for lane in item
        }
        return taken.union(*(self._chains[city].get(index, ()) for index in taken))

    def _greedy_sights(self, city: int) -> None:
        """Each sight, best gain first, goes where it does most good."""
        spots = self._spots[city]
        wanted = [i for i, spot in enumerate(spots) if not spot.meal and not spot.part and spot.gain >= 0]
        wanted.sort(key=lambda i: -promise_worth(spots[i]))
        blocks = [i for i, block in enumerate(self.trip.blocks) if block.city == city]
        room = 6 * len(blocks) + 6
        for spot in wanted[:room]:
            lane = (self._full, spot, spots[spot].stay)
            gains = [(self._gain(b, items), b, items) for b in blocks for items in self._places(b, (lane,))]
            gain, index, items = max(gains, key=lambda entry: entry[0])
            if gain > _EPS:
                self._commit(index, items)

    def _places(self, index: int, item: Item) -> Iterator[Items]:
        """A block's items with one more, at every position."""
        items = self.trip.items[index]
        for at in range(len(items) + 1):
            yield (*items[:at], item, *items[at:])

    def _insert_best(self, index: int, meal: bool) -> bool:
        items = self.trip.items[index]
        used = self._used_spots(self.trip.blocks[index].city)
        choices = (
            (*items[:at], ((self._full, spot, self._stay(index, spot)),), *items[at:])
            for at in range(len(items) + 1)
            for spot in self._nearby_spots(index, at, at, meal, used)
        )
        return self._take(index, choices)

    def _stay(self, index: int, spot: int) -> int:
        return self._spots[self.trip.blocks[index].city][spot].stay

    def _nearby_spots(self, index: int, before: int, after: int, meal: bool, used: set[int]) -> list[int]:
        """Unused spots that promise most between item `before` - 1 and item `after` of a block.

        Of full meals and light ones as many each, so that a city of cakes does not go without dinner.
        """
        block, items = self.trip.blocks[index], self.trip.items[index]
        spots, minutes = self._spots[block.city], self._atlas.minutes
        p = self._last_node(spots, items[before - 1][0][1]) if before else block.origin
        q = spots[items[after][0][1]].node if after < len(items) else block.target
        ranked: list[tuple[float, int]] = []
        for ranking in self._rankings_by_city[block.city][meal]:
            best: list[tuple[float, int]] = []
            for worth, i in ranking:
                if len(best) == _NEAREST and worth <= best[0][0]:
                    break
                if i not in used:
                    node = spots[i].node
                    rated = (worth - _TRAVEL_WORTH * (minutes(p, node) + minutes(node, q)), -i)
                    (heappushpop if len(best) == _NEAREST else heappush)(best, rated)
            ranked += best
        return [-i for _, i in sorted(ranked, reverse=True)]

    def _last_node(self, spots: Sequence[Spot], index: int) -> int:
        """Where a visit ends: at the last part of what has parts."""
        return spots[spots[index].parts[-1] if spots[index].parts else index].node

    # -- improvement ---------------------------------------------------------------------------------

    def _sweep(self, index: int) -> None:
        moves: tuple[Callable[[int], object], ...] = (
            lambda i: self._insert_best(i, meal=False),
            lambda i: self._insert_best(i, meal=True),
            self._make_room,
            self._replace_each,
            self._reorder,
            self._move_out,
            self._drop,
            self._split_each,
        )
        for move in moves:
            if self._budget_left > 0:
                move(index)

    def _make_room(self, index: int) -> None:
        """A sight that somebody came for takes the place of what is only liked."""
        city = self.trip.blocks[index].city
        for spot in self._missing(city):
            if spot not in self._used_spots(city):
                self._take(index, self._clear_room(index, spot))

    def _missing(self, city: int) -> list[int]:
        """The sights that keep a promise which no other sight keeps, best first."""
        whole = self._whole(self.trip, self._scores)
        return [
            i
            for _, i in self._rankings_by_city[city][False][0]
            if any(bits & ~kept for bits, kept in zip(self._spots[city][i].must, whole.must, strict=True))
        ][:_FAVOURITES]

    def _clear_room(self, index: int, spot: int) -> Iterator[Items]:
        """A sight among the meals and the promised sights of a block, of which one may have to go too."""
        spots = self._spots[self.trip.blocks[index].city]
        item: Item = ((self._full, spot, spots[spot].stay),)
        firm = tuple(
            item for item in self.trip.items[index] if any(_is_firm(spots[lane[1]]) for lane in item)
        )
        for held in (firm, *(firm[:at] + firm[at + 1 :] for at in range(len(firm)))):
            for at in range(len(held) + 1):
                yield (*held[:at], item, *held[at:])

    def _replace_each(self, index: int) -> None:
        for at in range(len(self.trip.items[index])):
            if at < len(self.trip.items[index]):
                self._take(index, self._replacements(index, at))

    def _replacements(self, index: int, at: int) -> Iterator[Items]:
        """Another spot for each lane of an item, and the item joined again if it is split."""
        items, city = self.trip.items[index], self.trip.blocks[index].city
        spots, used = self._spots[city], self._used_spots(city)
        for number, (mask, spot, _) in enumerate(items[at]):
            for other in self._nearby_spots(index, at, at + 1, spots[spot].meal, used):
                lane = (mask, other, spots[other].stay)
                yield (*items[:at], _with_lane(items[at], number, lane), *items[at + 1 :])
            if len(items[at]) > 1:
                yield (*items[:at], ((self._full, spot, spots[spot].stay),), *items[at + 1 :])

    def _reorder(self, index: int) -> None:
        self._take(index, self._orders(index))

    def _orders(self, index: int) -> Iterator[Items]:
        """Every item moved to every other position."""
        items = self.trip.items[index]
        for a in range(len(items)):
            others = items[:a] + items[a + 1 :]
            for b in range(len(items)):
                if a != b:
                    yield (*others[:b], items[a], *others[b:])

    def _drop(self, index: int) -> None:
        items = self.trip.items[index]
        self._take(index, (items[:at] + items[at + 1 :] for at in range(len(items))))

    def _move_out(self, index: int) -> None:
        """Moves an item to another day of the same city."""
        city = self.trip.blocks[index].city
        others = [i for i, block in enumerate(self.trip.blocks) if block.city == city and i != index]
        for at in reversed(range(len(self.trip.items[index]))):
            for other in others:
                if at < len(self.trip.items[index]):
                    self._transfer(index, at, other)

    def _transfer(self, index: int, at: int, other: int) -> bool:
        blocks, items = self.trip.blocks, self.trip.items[index]
        left = items[:at] + items[at + 1 :]
        without = self._score(blocks[index], left)
        if without is None:
            return False
        scores = [without if i == index else score for i, score in enumerate(self._scores)]
        rest = self._ledger.rest(self._fixed_score, blocks, scores, other)
        before = self._ledger.total(self._rest(index), self._scores[index])
        for choice in self._places(other, items[at]):
            score = self._score(blocks[other], choice)
            if score is not None and self._ledger.total(rest, score) > before + _EPS:
                self._commit(index, left)
                self._commit(other, choice)
                return True
        return False

    # -- splits --------------------------------------------------------------------------------------

    def _split_each(self, index: int) -> None:
        for at in range(len(self.trip.items[index])):
            items = self.trip.items[index]
            forks = sum(len(item) > 1 for item in items)
            if self._splits and (forks < _MOST_FORKS or len(items[at]) > 1):
                least = _SPLIT_MARGIN
                self._take(index, self._forks(index, at), least)

    def _forks(self, index: int, at: int) -> Iterator[Items]:
        """The item with one of its lanes parted in two: the parts see or eat what suits them better."""
        items = self.trip.items[index]
        for number, lane in enumerate(items[at]):
            if lane[0].bit_count() > 1 and len(items[at]) < 3:
                for pair in self._pairs(index, at, lane):
                    item = (*items[at][:number], *pair, *items[at][number + 1 :])
                    yield (*items[:at], item, *items[at + 1 :])

    def _pairs(self, index: int, at: int, lane: Lane) -> list[tuple[Lane, Lane]]:
        """The few pairs of spots that promise most to two parts of a lane."""
        block = self.trip.blocks[index]
        spots, used = self._spots[block.city], self._used_spots(block.city)
        meal = spots[lane[1]].meal
        people = [u for u in range(len(self._tastes)) if lane[0] >> u & 1]
        pool = {lane[1], *self._nearby_spots(index, at, at + 1, meal, used)}
        for u in people:
            pool.update(self._liked_by(block.city, u, meal, used))
        values = {spot: self._values(index, spot, people) for spot in pool}
        rated = []
        for a, b in combinations(sorted(pool), 2):
            best = sum(max(x, y) for x, y in zip(values[a], values[b], strict=True))
            rated.append((best, a, b))
        pairs = []
        for best, a, b in sorted(rated, reverse=True)[:5]:
            mask = sum(1 << u for u, x, y in zip(people, values[a], values[b], strict=True) if x >= y)
            if mask and mask != lane[0] and best > sum(values[lane[1]]):
                pairs.append(((mask, a, spots[a].stay), (lane[0] ^ mask, b, spots[b].stay)))
        return pairs

    def _liked_by(self, city: int, u: int, meal: bool, used: set[int]) -> list[int]:
        """The unused spots that one traveller likes most."""
        if (city, u, meal) not in self._favourites:
            spots = self._spots[city]
            liked = (
                i for i, spot in enumerate(spots) if spot.meal is meal and not spot.part and spot.gains[u] > 0
            )
            order = sorted(liked, key=lambda i: (-spots[i].gains[u], -spots[i].gain, i))
            self._favourites[(city, u, meal)] = order
        unused = (i for i in self._favourites[(city, u, meal)] if i not in used)
        return list(islice(unused, _FAVOURITES))

    def _values(self, index: int, spot: int, people: Sequence[int]) -> list[int]:
        """What each of some travellers gains from a spot on top of what the other blocks give."""
        rest, spot_values = self._rest(index), self._spots[self.trip.blocks[index].city][spot]
        return [
            spot_values.points[u]
            + 2 * (spot_values.must[u] & ~rest.must[u]).bit_count()
            - 2 * (spot_values.reject[u] & ~rest.reject[u]).bit_count()
            for u in people
        ]

    def _lengthen(self, index: int, at: int, extra: int) -> None:
        items = self.trip.items[index]
        spots = self._spots[self.trip.blocks[index].city]
        if len(items[at]) > 1 or spots[items[at][0][1]].meal:
            return
        mask, spot, stay = items[at][0]
        if stay + extra <= (spots[spot].stay + spots[spot].longest) / 2:
            longer = (*items[:at], ((mask, spot, stay + extra),), *items[at + 1 :])
            self._take(index, iter((longer,)), -0.05)


def _is_firm(spot: Spot) -> bool:
    return any(spot.must) or (spot.meal and not spot.light)


Ranking = list[tuple[float, int]]


def _rankings(spots: Sequence[Spot]) -> dict[bool, tuple[Ranking, ...]]:
    """For meals (True) those that make a lunch or a dinner, then the light ones; for sights all in one."""
    return {
        False: (_ranking_of(spots, False, False),),
        True: (_ranking_of(spots, True, False), _ranking_of(spots, True, True)),
    }


def _ranking_of(spots: Sequence[Spot], meal: bool, light: bool) -> Ranking:
    """Those that do no harm, with their worth to an average traveller, best first."""
    rated = [
        (promise_worth(spot) / len(spot.points) + spot.appeal, i)
        for i, spot in enumerate(spots)
        if spot.meal is meal and spot.light is light and not spot.part and spot.gain >= 0
    ]
    return sorted(rated, key=lambda entry: (-entry[0], entry[1]))


def _chains(spots: Sequence[Spot]) -> dict[int, frozenset[int]]:
    """Restaurants to all those of the same name, but for the city and the branch in brackets."""
    named: dict[str, set[int]] = {}
    for index, spot in enumerate(spots):
        if spot.meal:
            name = _BRACKET.split(spot.place.name.replace("’", "'"))[0].strip()
            short = next((short for short in short_names(spot.place.city) if name.startswith(short)), "")
            named.setdefault(name.removeprefix(short) or name, set()).add(index)
    return {
        index: frozenset(same_name)
        for same_name in named.values()
        if len(same_name) > 1
        for index in same_name
    }


def _with_lane(item: Item, number: int, lane: Lane) -> Item:
    return (*item[:number], lane, *item[number + 1 :])


def _nothing(people: int) -> BlockScore:
    none = (0,) * people
    return BlockScore(none, none, none, (0.0,) * people, none, none, none, 0, 0.0)
