"""Times of a block in which nobody parts: the common case, which a search tries by the hundred thousand.

The rules are those of `schedule.timeline`, which times what parts and what is written down. Nothing is made here but
what a score needs, since more than half of what is tried can't be timed.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from benchmark.suites.grouptravel.agent.planning.geography import Atlas
from benchmark.suites.grouptravel.agent.planning.schedule import (
    BETWEEN_MEALS,
    LONGEST_WAIT,
    Block,
    Lane,
    begin_stop,
)
from benchmark.suites.grouptravel.agent.planning.spots import Spot

Stop = tuple[Spot, float, int, int]
"""A spot, the share of the travellers who come, the minutes at which they begin and end."""


class Course(NamedTuple):
    """A timed block: its stops, and the minutes on the way, idle, and of boredom of each traveller."""

    stops: list[Stop]
    travelled: int
    idle: int
    bored: int


def time_together(block: Block, lanes: Sequence[Lane], spots: Sequence[Spot], atlas: Atlas) -> Course | None:
    """The earliest times that keep opening hours, meal times and the deadline; None where there are none.

    slack: how long all may wait, whatever for. Most of what can't be timed has no time for its stays and ways alone,
    or not once the first stops have made people wait.
    """
    visits = _visits(lanes, spots)
    nodes = [block.origin, *[spot.node for spot, _ in visits], block.target]
    ways = list(map(atlas.ways.__getitem__, pairwise(nodes)))
    travelled = sum(ways)
    slack = block.deadline - block.start - travelled - sum([stay for _, stay in visits])
    if slack < 0:
        return None
    free, meal, hungry, idle, bored, stops = block.start, block.first_meal, 0, 0, 0, list[Stop]()
    for (spot, stay), way in zip(visits, ways, strict=False):
        begun = begin_stop(spot, free + way, stay, block, meal, hungry)
        if begun is None:
            return None
        begin, meal = begun
        if wait := begin - free - way:
            slack -= wait
            if slack < 0:
                return None
            if stops:  # nobody waits before the day has begun
                idle += wait
                bored += max(0, wait - LONGEST_WAIT)
        free = begin + stay
        if spot.meal:
            hungry = free + BETWEEN_MEALS
        stops.append((spot, 1.0, begin, free))
    return Course(stops, travelled, idle, bored)


def _visits(lanes: Sequence[Lane], spots: Sequence[Spot]) -> list[tuple[Spot, int]]:
    """The spots with the minutes spent there; the named parts of a sight come directly after it."""
    visits = [(spots[index], stay) for _, index, stay in lanes]
    if not any(spot.parts for spot, _ in visits):
        return visits
    return [
        stop
        for spot, stay in visits
        for stop in ((spot, stay), *((spots[part], spots[part].stay) for part in spot.parts))
    ]
