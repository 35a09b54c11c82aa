"""Times of a block in which the group parts, with nothing but what a score needs.

The rules are those of `schedule.timeline`, which times what is written down. Two thirds of what is tried can't be
timed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from benchmark.suites.grouptravel.agent.planning.geography import Atlas
from benchmark.suites.grouptravel.agent.planning.schedule import (
    BETWEEN_MEALS,
    LONGEST_WAIT,
    MIDNIGHT,
    Block,
    Group,
    Item,
    Lane,
    begin_stop,
    fit_opening,
)
from benchmark.suites.grouptravel.agent.planning.spots import Spot

PartVisit = tuple[int, Spot, int, int]
"""Who (bits of the travellers), which spot, the minutes at which they begin and end."""
PartRide = tuple[int, int, int]
"""Who, the minutes at which they begin and end."""


class PartedCourse(NamedTuple):
    """A timed block: visits and rides in the order of the items, minutes idle, minutes of boredom of all together."""

    visits: list[PartVisit]
    rides: list[PartRide]
    idle: int
    bored: int


def time_apart(
    block: Block, items: Sequence[Item], spots: Sequence[Spot], atlas: Atlas, full: int
) -> PartedCourse | None:
    """The earliest times that keep opening hours, meal times and the deadline; None where there are none."""
    ways, deadline = atlas.ways, block.deadline
    visits, rides, idle, bored = list[PartVisit](), list[PartRide](), 0, 0
    groups: list[Group] = [(full, block.origin, block.start, block.first_meal, 0)]
    for item in items:
        arrived: list[Group] = []
        for lane in item:
            mask, index, stay = lane
            spot = spots[index]
            if len(groups) == 1:
                _, origin, free, meal, hungry = groups[0]
                way = ways[origin, spot.node]
                begun = begin_stop(spot, free + way, stay, block, meal, hungry)
                if begun is None:
                    return None
                begin, meal = begun
                wait = begin - free - way
                if wait and visits:  # nobody waits before the day has begun
                    idle += wait
                    bored += max(0, wait - LONGEST_WAIT) * mask.bit_count()
                if way:
                    rides.append((mask, begin - way, begin))
            else:
                meeting = _meet(block, lane, spot, groups, atlas, rides, bool(visits))
                if meeting is None:
                    return None
                begin, meal, hungry, waited, bore = meeting
                idle += waited
                bored += bore
            end = begin + stay
            if end > deadline:
                return None
            visits.append((mask, spot, begin, end))
            left = (mask, spot.node, end, meal, end + BETWEEN_MEALS if spot.meal else hungry)
            if spot.parts:
                seen = _see_parts(block, left, spot, spots, atlas, visits, rides)
                if seen is None:
                    return None
                left, waited, bore = seen
                idle += waited
                bored += bore
            arrived.append(left)
        groups = arrived
    return PartedCourse(visits, rides, idle, bored) if _go_home(block, groups, atlas, rides) else None


def _see_parts(
    block: Block,
    group: Group,
    spot: Spot,
    spots: Sequence[Spot],
    atlas: Atlas,
    visits: list[PartVisit],
    rides: list[PartRide],
) -> tuple[Group, int, int] | None:
    """The named parts of a sight, directly after it: the group when it has seen them, minutes idle and of boredom."""
    mask, node, free, meal, hungry = group
    idle = bored = 0
    for part in [spots[index] for index in spot.parts]:
        way = atlas.ways[node, part.node]
        begin = fit_opening(part.openings[block.day], free + way, part.stay, MIDNIGHT)
        if begin is None:
            return None
        wait = begin - free - way
        idle += wait
        bored += max(0, wait - LONGEST_WAIT) * mask.bit_count()
        if way:
            rides.append((mask, begin - way, begin))
        node, free = part.node, begin + part.stay
        visits.append((mask, part, begin, free))
    return (mask, node, free, meal, hungry), idle, bored


_Meeting = tuple[int, int, int, int, int]
"""The minute at which a visit begins, the next meal, hungry again from which minute; minutes idle and of boredom."""


def _meet(
    block: Block,
    lane: Lane,
    spot: Spot,
    groups: Sequence[Group],
    atlas: Atlas,
    rides: list[PartRide],
    has_begun: bool,
) -> _Meeting | None:
    """Those who come from several places begin together; the rides there are added. has_begun: the day has."""
    mask, _, stay = lane
    coming = [
        (who & mask, free, atlas.ways[origin, spot.node], meal, hungry)
        for who, origin, free, meal, hungry in groups
        if who & mask
    ]
    arrive = max([free + way for _, free, way, _, _ in coming])
    hungry = max([group[4] for group in coming])
    begun = begin_stop(spot, arrive, stay, block, max([group[3] for group in coming]), hungry)
    if begun is None:
        return None
    begin, meal = begun
    wait, late, bored = begin - arrive, begin - arrive, 0
    idle = wait if has_begun else 0
    if len(coming) > 1:
        early = sum([who.bit_count() * (begin - free - way) for who, free, way, _, _ in coming])
        idle += early // mask.bit_count() - wait
        late = 0
    for who, free, way, _, _ in coming:
        if has_begun:
            bored += max(0, begin - free - way - LONGEST_WAIT) * who.bit_count()
        if way:
            rides.append((who, free + late, free + late + way))
    return begin, meal, hungry, idle, bored


def _go_home(block: Block, groups: Sequence[Group], atlas: Atlas, rides: list[PartRide]) -> bool:
    """Whether all are at the block's target by its deadline; the rides there are added."""
    for who, node, free, _, _ in groups:
        way = atlas.ways[node, block.target]
        late = 0 if block.sleeps or len(groups) > 1 else max(0, block.deadline - free - way - 15)
        end = free + late + way
        if end > block.deadline:
            return False
        if way:
            rides.append((who, end - way, end))
    return True
