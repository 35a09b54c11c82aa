"""The planner's own fast reading of the published rules: group utility and split penalty."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from operator import add, or_, sub
from typing import NamedTuple

from benchmark.suites.grouptravel.agent.planning.course import Course, Stop, time_together
from benchmark.suites.grouptravel.agent.planning.geography import Atlas
from benchmark.suites.grouptravel.agent.planning.parting import PartedCourse, time_apart
from benchmark.suites.grouptravel.agent.planning.schedule import Block, Item
from benchmark.suites.grouptravel.agent.planning.spots import Spot
from benchmark.suites.grouptravel.agent.planning.tastes import Taste

FAIRNESS = 0.35
"""How much of the group's utility is that of its worst-off member.

The published fairness (lowest over highest) can't be climbed: from equal scores of 0 every gain of one traveller
looks like a loss. This leads to the same plans without such dead ends.
"""
PROMISE = 5.0
"""What a named sight is worth, to whoever insists on it, beyond the two points of the rules; and what it costs
whoever refuses it.

Without it a trip fills up with sights that everybody likes a little, leaves out what people came for, and takes
somebody along who said no.
"""
_ONE_MORE = 2.2
"""What a second breakfast or tea on a day costs: more than one that all insist on is worth."""
_BOREDOM_COST = 0.01
_TRAVEL, _IDLE, _SAME_FOOD = 0.0015, 0.0008, 0.2
_SIGHT_BASE = (0.0, 0.16, 0.3, 0.4, 0.25, 0.0)
_LATE_START, _LATE_SIGHT = 0.0015, 0.002
_START_BY, _SIGHTS_UNTIL = 9 * 60 + 30, 20 * 60
_BREAKFAST_OVER = 10 * 60
_MEAL_BASE, _BREAKFAST, _SNACK, _CNY = 0.9, 0.12, -0.12, 0.0003
_MOST_SIGHTS = 5


class BlockScore(NamedTuple):
    """What a timed block gives each traveller, and the group.

    points: categories and meals. must, reject: bits of satisfied items. cost: CNY of meals. sights, active:
    number of attractions, minutes of attractions and rides. bites: number of breakfasts and teas. penalty: splits.
    soft: our own likings.
    """

    points: tuple[int, ...]
    must: tuple[int, ...]
    reject: tuple[int, ...]
    cost: tuple[float, ...]
    sights: tuple[int, ...]
    active: tuple[int, ...]
    bites: tuple[int, ...]
    penalty: int
    soft: float


@dataclass(frozen=True, slots=True)
class FixedScore:
    """What legs and hotels give each traveller: utility points, and CNY a person."""

    points: tuple[int, ...]
    cost: float


@dataclass(frozen=True, slots=True)
class Rest:
    """The trip without one block: sums by traveller, and the intensity and bites of that block's day without it."""

    points: Sequence[int]
    must: Sequence[int]
    reject: Sequence[int]
    cost: Sequence[float]
    sights: Sequence[int]
    active: Sequence[int]
    bites: Sequence[int]
    penalty: int
    soft: float


def score_block(
    block: Block, items: Sequence[Item], spots: Sequence[Spot], atlas: Atlas, travellers: int
) -> BlockScore | None:
    """None where the block can't be timed."""
    full = (1 << travellers) - 1
    lanes = [item[0] for item in items if len(item) == 1 and item[0][0] == full]
    if len(lanes) == len(items):
        return _score_together(time_together(block, lanes, spots, atlas), block.start, travellers)
    return _score_apart(time_apart(block, items, spots, atlas, full), block.start, travellers)


def _score_apart(course: PartedCourse | None, start: int, travellers: int) -> BlockScore | None:
    if course is None:
        return None
    tally = _Tally(travellers)
    for visit in course.visits:
        tally.visit(*visit)
    if max(tally.sights) > _MOST_SIGHTS:
        return None
    for who, begin, end in course.rides:
        tally.ride(who, end - begin)
    waited = _IDLE * course.idle + _BOREDOM_COST * course.bored / travellers
    return BlockScore(
        points=tuple(tally.points),
        must=tuple(tally.must),
        reject=tuple(tally.reject),
        cost=tuple(tally.cost),
        sights=tuple(tally.sights),
        active=tuple(tally.active),
        bites=tuple(tally.bites),
        penalty=split_penalty([*course.visits, *course.rides], (1 << travellers) - 1),
        soft=_liking(
            [(spot, who.bit_count() / travellers, begin, end) for who, spot, begin, end in course.visits],
            start,
            tally.travelled / travellers,
            waited,
            _same_food(course, travellers),
        ),
    )


def _score_together(course: Course | None, start: int, travellers: int) -> BlockScore | None:
    """The common case, in which all do the same: most sums are those of one traveller."""
    if course is None:
        return None
    seen = [(spot, begin, end) for spot, _, begin, end in course.stops if not spot.meal]
    if len(seen) > _MOST_SIGHTS:
        return None
    eaten = [(spot, begin) for spot, _, begin, _ in course.stops if spot.meal]
    cost = 0.0
    for spot, _ in eaten:  # in the order of `visit`: sums of floats depend on it, and both must agree
        cost += spot.cost
    none = (0,) * travellers
    named = [spot for spot, _, _ in seen if spot.named]
    active = course.travelled + sum([end - begin for _, begin, end in seen])
    bites = sum([spot.light or begin < _BREAKFAST_OVER for spot, begin in eaten])
    waited = _IDLE * course.idle + _BOREDOM_COST * (course.bored * travellers) / travellers
    return BlockScore(
        points=tuple(map(sum, zip(*[stop[0].points for stop in course.stops], strict=True))) or none,
        must=_all_bits(none, [spot.must for spot in named]),
        reject=_all_bits(none, [spot.reject for spot in named]),
        cost=(cost,) * travellers,
        sights=(len(seen),) * travellers,
        active=(active,) * travellers,
        bites=(bites,) * travellers,
        penalty=0,
        soft=_liking(course.stops, start, course.travelled, waited, _pairs_of_one_food(eaten)),
    )


def _all_bits(none: tuple[int, ...], masks: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """By traveller the bits that any of some spots has."""
    held = none
    for mask in masks:
        held = tuple(map(or_, held, mask))
    return held


@lru_cache(maxsize=1024)
def _travellers_of(mask: int) -> tuple[int, ...]:
    """The numbers of the travellers whose bits are set."""
    return tuple(u for u in range(mask.bit_length()) if mask >> u & 1)


class _Tally:
    """Sums by traveller over one block."""

    def __init__(self, travellers: int) -> None:
        none = [0] * travellers
        self.points, self.must, self.reject, self.cost = none, none[:], none[:], [0.0] * travellers
        self.sights, self.active, self.bites = none[:], none[:], none[:]
        self.travelled = 0

    def visit(self, who: int, spot: Spot, begin: int, end: int) -> None:
        travellers = _travellers_of(who)
        points, sums = spot.points, self.points
        for u in travellers:
            sums[u] += points[u]
        if spot.meal:  # meals count neither as sights nor as active hours
            for u in travellers:
                self.cost[u] += spot.cost
            if spot.light or begin < _BREAKFAST_OVER:
                for u in travellers:
                    self.bites[u] += 1
            return
        for u in travellers:
            self.sights[u] += 1
            self.active[u] += end - begin
        if spot.named:
            for u in travellers:
                self.must[u] |= spot.must[u]
                self.reject[u] |= spot.reject[u]

    def ride(self, who: int, minutes: int) -> None:
        for u in _travellers_of(who):
            self.active[u] += minutes
        self.travelled += minutes * who.bit_count()


def split_penalty(stretches: Iterable[tuple[int, Spot, int, int] | tuple[int, int, int]], full: int) -> int:
    """K - 1 for every cluster of overlapping stretches with K distinct parts of the group.

    stretches: visits and rides, each with who (bits of the travellers) in front, and its begin and end behind. The
    published rule lets parts off that share a traveller; the search does not, so that it never looks for such
    loopholes.
    """
    apart = [(each[-2], each[-1], each[0]) for each in stretches if each[0] != full]
    total, reach, parts = 0, -1, set[int]()
    for start, end, mask in sorted(apart):
        if start >= reach:
            total += max(0, len(parts) - 1)
            parts = set()
        parts.add(mask)
        reach = max(reach, end)
    return total + max(0, len(parts) - 1)


def _liking(stops: Sequence[Stop], start: int, travelled: float, waited: float, same_food: float) -> float:
    """Our own likings: full days of known places, short ways, no waiting, sensible hours.

    waited: what idle and boring minutes cost.
    """
    liked, sights, meals = 0.0, 0.0, 0.0
    if stops and start < _START_BY:
        liked -= _LATE_START * max(0, stops[0][2] - _START_BY)
    for spot, share, begin, end in stops:
        liked += (spot.appeal - _CNY * spot.cost) * share
        if not spot.meal:
            sights += share
            if end > _SIGHTS_UNTIL:
                liked -= _LATE_SIGHT * (end - _SIGHTS_UNTIL) * share
        elif spot.light:
            liked += _SNACK * share
        elif begin >= _BREAKFAST_OVER:
            meals += share
        else:
            liked -= _BREAKFAST * share
    liked -= _SAME_FOOD * same_food
    base = _SIGHT_BASE[min(len(_SIGHT_BASE) - 1, int(sights + 0.01))]
    return liked + base + _MEAL_BASE * meals - _TRAVEL * travelled - waited


def _same_food(course: PartedCourse, travellers: int) -> float:
    """How many travellers, as a share, have the same cuisine twice in the stretch."""
    meals = [(who, spot.place.category) for who, spot, _, _ in course.visits if spot.meal]
    if len({category for _, category in meals}) == len(meals):
        return 0.0
    same = (one[0] & other[0] for one, other in combinations(meals, 2) if one[1] == other[1])
    return sum(mask.bit_count() for mask in same) / travellers


def _pairs_of_one_food(eaten: Sequence[tuple[Spot, int]]) -> int:
    """How often all have the same cuisine twice."""
    if len(eaten) < 2:
        return 0
    times = Counter([spot.place.category for spot, _ in eaten])
    return sum([number * (number - 1) // 2 for number in times.values()])


def promise_worth(spot: Spot) -> float:
    """The utility of a spot for all, with the promises that it keeps and breaks."""
    kept = sum(a.bit_count() - b.bit_count() for a, b in zip(spot.must, spot.reject, strict=True))
    return spot.gain + PROMISE * kept


class _DaySums(NamedTuple):
    """By traveller the sights, the minutes of sights and rides, and the breakfasts and teas of a day."""

    sights: Sequence[int]
    active: Sequence[int]
    bites: Sequence[int]

    @classmethod
    def of(cls, scores: Iterable[BlockScore], travellers: int) -> _DaySums:
        none = [0] * travellers
        sights, active, bites = none, none, none
        for score in scores:
            sights = list(map(add, sights, score.sights))
            active = list(map(add, active, score.active))
            bites = list(map(add, bites, score.bites))
        return cls(sights, active, bites)


class Ledger:
    """Adds blocks, legs and hotels up to the one figure that the search raises."""

    def __init__(self, tastes: Sequence[Taste]) -> None:
        self._tastes = tuple(tastes)
        self._limits = [(taste.max_places, taste.max_hours, taste.budget) for taste in tastes]

    def rest(
        self, fixed: FixedScore, blocks: Sequence[Block], scores: Sequence[BlockScore], without: int
    ) -> Rest:
        """Everything but block `without` (-1: nothing left out)."""
        none = [0] * len(self._tastes)
        must, reject, cost, penalty, soft = none, none, [fixed.cost] * len(none), 0, 0.0
        counted, by_day = list[BlockScore](), dict[int, list[BlockScore]]()
        for index, score in enumerate(scores):
            if index == without:
                continue
            by_day.setdefault(blocks[index].day, []).append(score)
            counted.append(score)
            penalty += score.penalty
            soft += score.soft
            must, reject = list(map(or_, must, score.must)), list(map(or_, reject, score.reject))
            cost = list(map(add, cost, score.cost))
        points = list(map(sum, zip(fixed.points, *[score.points for score in counted], strict=True)))
        today = _DaySums.of(by_day.pop(blocks[without].day, ()) if without >= 0 else (), len(none))
        surfeit = 0.0
        for day in [_DaySums.of(scores_of_day, len(none)) for scores_of_day in by_day.values()]:
            surfeit += self._too_many(day.bites)
            points = list(map(sub, points, self._excesses(day)))
        soft -= surfeit
        return Rest(points, must, reject, cost, today.sights, today.active, today.bites, penalty, soft)

    def _too_many(self, bites: Iterable[int]) -> float:
        """What too many bites on a day cost."""
        return _ONE_MORE * sum([number - 1 for number in bites if number > 1]) / len(self._tastes)

    def _excesses(self, day: _DaySums) -> Iterator[int]:
        """By traveller what a day costs that is fuller or longer than they said."""
        for (places, hours, _), sights, active in zip(self._limits, day.sights, day.active, strict=True):
            yield 2 * (0 < places < sights) + 2 * (0 < hours < active / 60)

    def personal(self, rest: Rest, score: BlockScore) -> list[int]:
        """Every traveller's utility of the trip that `rest` and `score` make."""
        return self._utilities(rest, score)[0]

    def _utilities(self, rest: Rest, score: BlockScore) -> tuple[list[int], int]:
        """Every traveller's utility, and how many promises are kept, less those that are broken."""
        utilities, all_kept = [], 0
        for limits, before, points, must, musts, reject, rejects, sights, seen, active, busy, cost, paid in zip(
            self._limits,
            rest.points, score.points, rest.must, score.must, rest.reject, score.reject,
            rest.sights, score.sights, rest.active, score.active, rest.cost, score.cost,
            strict=True,
        ):  # fmt: skip
            kept = (must | musts).bit_count() - (reject | rejects).bit_count()
            all_kept += kept
            utility = before + points + 2 * kept
            places, hours, budget = limits
            if places > 0 and places < sights + seen:
                utility -= 2
            if hours > 0 and hours < (active + busy) / 60:
                utility -= 2
            if budget > 0 and budget < cost + paid:
                utility -= 2
            utilities.append(utility)
        return utilities, all_kept

    def total(self, rest: Rest, score: BlockScore) -> float:
        """Utility of the average and of the worst-off traveller, less penalties, plus our own likings."""
        personal, kept = self._utilities(rest, score)
        mean, penalty = sum(personal) / len(personal), (rest.penalty + score.penalty) / len(personal)
        utility = (1 - FAIRNESS) * mean + FAIRNESS * min(personal) - penalty
        eaten = self._too_many(map(add, rest.bites, score.bites))
        return utility + PROMISE * kept / len(personal) + rest.soft + score.soft - eaten
