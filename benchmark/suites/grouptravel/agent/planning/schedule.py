"""Times for a stretch of one day in one city: who is where from when to when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from benchmark.suites.grouptravel.agent.planning.geography import Atlas
from benchmark.suites.grouptravel.agent.planning.hours import Window
from benchmark.suites.grouptravel.agent.planning.spots import BREAKFAST, DINNER, Spot

Lane = tuple[int, int, int]
"""Who (bits of the travellers), which spot (index in the city's spots), how many minutes."""
Item = tuple[Lane, ...]
"""A stop of all together (one lane), or of several parts of the group at the same time."""

MEALS: tuple[Window, ...] = (
    (7 * 60 + 40, 9 * 60),
    (11 * 60, 13 * 60 + 30),
    (14 * 60, 16 * 60 + 30),
    (17 * 60, 19 * 60 + 45),
)
"""Earliest and latest start of breakfast, lunch, tea and dinner."""
FIRST_SIGHT = 8 * 60 + 45
MIDNIGHT = 24 * 60
BETWEEN_MEALS = 75
"""Minutes from the end of one meal to the start of the next, at least."""
LONGEST_WAIT = 60
"""Minutes that somebody may wait for the others, or for a place to open, without being bored."""


class Block(NamedTuple):
    """A stretch of a day in one city, between two known positions.

    day: of the trip, from 0. start: minute at which the group is free at node `origin`. deadline: minute by
    which everybody must be at node `target`, the night's hotel (`sleeps`) or a station. first_meal, last_meal:
    the meals (0 breakfast to 3 dinner) that may be taken here. city: index in the order of the trip.
    """

    day: int
    city: int
    origin: int
    start: int
    target: int
    deadline: int
    sleeps: bool
    first_meal: int = BREAKFAST
    last_meal: int = DINNER


class Visit(NamedTuple):
    mask: int
    spot: int
    start: int
    end: int


class Ride(NamedTuple):
    mask: int
    origin: int
    target: int
    start: int
    end: int


@dataclass(slots=True)
class Timeline:
    """A timed block: visits and rides in the order they begin, idle minutes, the end of the last ride.

    bored: minutes of waiting beyond LONGEST_WAIT at a stretch, added up over the travellers.
    """

    visits: list[Visit] = field(default_factory=list)
    rides: list[Ride] = field(default_factory=list)
    idle: int = 0
    end: int = 0
    bored: int = 0


Group = tuple[int, int, int, int, int]
"""Who, at which node, free from which minute, next meal, hungry again from which minute."""


def timeline(
    block: Block, items: Sequence[Item], spots: Sequence[Spot], atlas: Atlas, full: int
) -> Timeline | None:
    """The earliest times that keep opening hours, meal times and the deadline; None where there are none."""
    done = Timeline()
    groups: list[Group] = [(full, block.origin, block.start, block.first_meal, 0)]
    for item in items:
        arrived: list[Group] = []
        for lane in item:
            group = _stop(block, lane, groups, spots, atlas, done)
            if group is None:
                return None
            arrived.append(group)
        groups = arrived
    return done if _home(block, groups, atlas, done) else None


def _stop(
    block: Block, lane: Lane, groups: list[Group], spots: Sequence[Spot], atlas: Atlas, done: Timeline
) -> Group | None:
    if len(groups) == 1 and groups[0][0] == lane[0]:
        return _stop_together(block, lane, groups[0], spots, atlas, done)
    mask, index, stay = lane
    spot = spots[index]
    coming = [group for group in groups if group[0] & mask]
    ways = [atlas.minutes(group[1], spot.node) for group in coming]
    arrive = max(group[2] + way for group, way in zip(coming, ways, strict=True))
    meal, hungry = max(group[3] for group in coming), max(group[4] for group in coming)
    begin_and_meal = begin_stop(spot, arrive, stay, block, meal, hungry)
    if begin_and_meal is None:
        return None
    begin, meal = begin_and_meal
    wait = begin - arrive
    done.idle += wait if done.visits else 0
    if (
        len(coming) > 1
    ):  # who comes first waits for the others: an average over all who come, as of one traveller
        early = (
            (who & mask).bit_count() * (begin - free - way)
            for (who, _, free, _, _), way in zip(coming, ways, strict=True)
        )
        done.idle += sum(early) // mask.bit_count() - wait
        wait = 0
    for (who, node, free, _, _), way in zip(coming, ways, strict=True):
        done.bored += _boredom(begin - free - way, (who & mask).bit_count(), done)
        if way:
            done.rides.append(Ride(who & mask, node, spot.node, free + wait, free + wait + way))
    done.visits.append(Visit(mask, index, begin, begin + stay))
    hungry = begin + stay + BETWEEN_MEALS if spot.meal else hungry
    return _see_parts(block, (mask, spot.node, begin + stay, meal, hungry), spot, spots, atlas, done)


def _boredom(wait: int, people: int, done: Timeline) -> int:
    """Nobody is bored before the day has begun."""
    return max(0, wait - LONGEST_WAIT) * people if done.visits else 0


def _stop_together(
    block: Block, lane: Lane, group: Group, spots: Sequence[Spot], atlas: Atlas, done: Timeline
) -> Group | None:
    """The common case, in which those who come were together before."""
    mask, index, stay = lane
    spot = spots[index]
    _, node, free, meal, hungry = group
    way = atlas.minutes(node, spot.node)
    begin_and_meal = begin_stop(spot, free + way, stay, block, meal, hungry)
    if begin_and_meal is None:
        return None
    begin, meal = begin_and_meal
    wait = begin - free - way
    if wait and done.visits:
        done.idle += wait
        done.bored += _boredom(wait, mask.bit_count(), done)
    if way:
        done.rides.append(Ride(mask, node, spot.node, begin - way, begin))
    end = begin + stay
    done.visits.append(Visit(mask, index, begin, end))
    left = (mask, spot.node, end, meal, end + BETWEEN_MEALS if spot.meal else hungry)
    return _see_parts(block, left, spot, spots, atlas, done) if spot.parts else left


def _see_parts(
    block: Block, group: Group, spot: Spot, spots: Sequence[Spot], atlas: Atlas, done: Timeline
) -> Group | None:
    """The named parts of a sight, one after the other, directly after it."""
    mask, node, free, meal, hungry = group
    for index in spot.parts:
        part = spots[index]
        way = atlas.minutes(node, part.node)
        begin = fit_opening(part.openings[block.day], free + way, part.stay, MIDNIGHT)
        if begin is None:
            return None
        done.idle += begin - free - way
        done.bored += _boredom(begin - free - way, mask.bit_count(), done)
        if way:
            done.rides.append(Ride(mask, node, part.node, begin - way, begin))
        done.visits.append(Visit(mask, index, begin, begin + part.stay))
        node, free = part.node, begin + part.stay
    return mask, node, free, meal, hungry


def _home(block: Block, groups: list[Group], atlas: Atlas, done: Timeline) -> bool:
    for who, node, free, _, _ in groups:
        needed = atlas.minutes(node, block.target)
        late = 0 if block.sleeps or len(groups) > 1 else max(0, block.deadline - free - needed - 15)
        end = free + late + needed
        if end > block.deadline:
            return False
        if needed:
            done.rides.append(Ride(who, node, block.target, free + late, end))
        done.end = max(done.end, end)
    return True


def begin_stop(
    spot: Spot, arrive: int, stay: int, block: Block, meal: int, hungry: int
) -> tuple[int, int] | None:
    """When the stop can begin, and the next meal after it; None where it can't.

    meal: the first that may be taken. hungry: from which minute on.
    """
    openings = spot.openings[block.day]
    if not spot.meal:
        begin = fit_opening(openings, arrive if arrive > FIRST_SIGHT else FIRST_SIGHT, stay, MIDNIGHT)
        return None if begin is None else (begin, meal)
    if arrive < hungry:
        arrive = hungry
    for number in spot.meals:
        earliest, latest = MEALS[number]
        if meal <= number <= block.last_meal and arrive <= latest:
            begin = fit_opening(openings, arrive if arrive > earliest else earliest, stay, latest)
            if begin is not None:
                return begin, number + 1
    return None


def fit_opening(openings: tuple[Window, ...], arrive: int, stay: int, latest: int) -> int | None:
    """When a stay may begin that is over before the place closes; None where it can't by `latest`."""
    for opens, closes in openings:
        begin = arrive if arrive > opens else opens
        if begin <= latest and begin + stay <= closes:
            return begin
    return None
