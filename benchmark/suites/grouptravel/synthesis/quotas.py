"""How many tasks of each size, length and archetype (GroupTravelBench, tables 5 and 8)."""

from __future__ import annotations

from typing import NamedTuple

from benchmark.suites.grouptravel.synthesis.archetypes import ARCHETYPES
from benchmark.suites.grouptravel.synthesis.difficulty import QUOTA
from benchmark.suites.grouptravel.synthesis.draws import dice, shares

PAPER_COUNT = sum(cell.tasks for cell in QUOTA)


class Slot(NamedTuple):
    """A place in the set that a task is to fill. number: from 1. users: all members, young children too."""

    number: int
    group_id: str
    users: int
    cities: int
    days: int


def slots(count: int, seed: int) -> list[Slot]:
    """The slots of a set of `count` tasks, in an order that the seed shuffles.

    650 have exactly the marginals of Tables 5 and 8; another count is shared out by largest remainder, cells first,
    then the archetypes of each size.
    """
    sizes = shares(count, [cell.tasks for cell in QUOTA])
    cells = [cell for cell, tasks in zip(QUOTA, sizes, strict=True) for _ in range(tasks)]
    groups = {
        size: _archetypes(size, cells_of, seed) for size, cells_of in _by_size([c.users for c in cells])
    }
    order = list(range(len(cells)))
    dice(seed, "order").shuffle(order)
    left = {size: iter(names) for size, names in groups.items()}
    chosen = [next(left[cell.users]) for cell in cells]
    return [
        Slot(number, chosen[at], cells[at].users, cells[at].cities, cells[at].days)
        for number, at in enumerate(order, start=1)
    ]


def _by_size(users: list[int]) -> list[tuple[int, int]]:
    return [(size, users.count(size)) for size in sorted(set(users))]


def _archetypes(size: int, count: int, seed: int) -> list[str]:
    """Ids of archetypes of a size in the proportion of Table 5, shuffled."""
    fitting = [archetype for archetype in ARCHETYPES.values() if archetype.size == size]
    numbers = shares(count, [archetype.tasks for archetype in fitting])
    pairs = zip(fitting, numbers, strict=True)
    ids = [archetype.group_id for archetype, number in pairs for _ in range(number)]
    dice(seed, "archetypes", size).shuffle(ids)
    return ids
