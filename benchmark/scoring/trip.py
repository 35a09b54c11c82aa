"""A plan prepared for scoring: who takes part in what, which places are known, what overlaps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from itertools import islice
from typing import Any, NamedTuple

from benchmark.itineraries.reading import (
    ATTRACTION,
    FOOD,
    HOTEL,
    TRANSIT,
    Activity,
    Block,
    Day,
    Leg,
    members,
    read_plan,
)
from benchmark.scoring.catalogue import Catalogue, CataloguePlace


class Outing(NamedTuple):
    """One activity, where it stands in the plan, and the users who take part (`who`).

    place: what a sight, restaurant or hotel is in the catalogue, None where it is unknown or something else.
    """

    day: Day
    block: Block
    activity: Activity
    who: frozenset[str]
    place: CataloguePlace | None


_PLACES = frozenset((ATTRACTION, FOOD, HOTEL))


class Stay(NamedTuple):
    """One city block of one day."""

    day: Day
    block: Block
    outings: tuple[Outing, ...]


class Overlap(NamedTuple):
    """Two activities of one block that overlap in time for the users in `who`; `first` stands first in the list."""

    first: Outing
    second: Outing
    who: frozenset[str]


class Effort(NamedTuple):
    """What one day asks of each user: the number of sights, and the minutes of sights and local transport."""

    day: Day
    sights: dict[str, int]
    minutes: dict[str, int]


class Trip(NamedTuple):
    """Everything the rules look at. `users`: those of the run in its order, then others who have a table.

    sights, meals: by city, those that may earn points: what overlaps something else of one user earns nothing.
    outings: all activities in list order; nights: the hotels among them.
    shared_cost: CNY per person of all legs and nights.
    """

    users: tuple[str, ...]
    days: tuple[Day, ...]
    stays: tuple[Stay, ...]
    outings: list[Outing]
    overlaps: list[Overlap]
    sights: dict[str, list[Outing]]
    meals: dict[str, list[Outing]]
    nights: list[Outing]
    legs: list[tuple[Day, Leg]]
    efforts: list[Effort]
    shared_cost: float


def prepare(plan: Any, users: Sequence[str], catalogue: Catalogue) -> Trip:
    """Read `plan` for a group of `users`."""
    days = read_plan(plan).days
    stays = tuple(_stays(days, users, catalogue))
    outings = [outing for stay in stays for outing in stay.outings]
    overlaps = [overlap for stay in stays for overlap in _overlaps(stay)]
    excluded = {_key(outing) for overlap in overlaps for outing in (overlap.first, overlap.second)}
    sights, meals = _counted(outings, ATTRACTION, excluded), _counted(outings, FOOD, excluded)
    nights = [outing for outing in outings if outing.activity.kind == HOTEL]
    legs = [(day, leg) for day in days for leg in day.legs]
    cost = sum([amount(leg.cost) for _, leg in legs]) + sum([amount(o.activity.cost) for o in nights])
    efforts = _efforts(stays, users)
    return Trip(tuple(users), days, stays, outings, overlaps, sights, meals, nights, legs, efforts, cost)


def amount(cost: Any) -> float:
    """A cost in CNY; one that is no number adds nothing."""
    return cost if isinstance(cost, int | float) else 0


def _stays(days: Sequence[Day], users: Sequence[str], catalogue: Catalogue) -> Iterator[Stay]:
    group = frozenset(users)
    for day in days:
        for block in day.blocks:
            outings = []
            for activity in block.activities:
                who = group if activity.shared else members(activity.participants, users)
                known = catalogue.place(block.city, activity.location) if activity.kind in _PLACES else None
                outings.append(Outing(day, block, activity, who, known))
            yield Stay(day, block, tuple(outings))


def _overlaps(stay: Stay) -> Iterator[Overlap]:
    """Pairs that overlap strictly and share a user; hotels and times that can't be read are left out."""
    spans = sorted(
        [(a.start or 0, a.at, o) for o in stay.outings if (a := o.activity).duration and a.kind != HOTEL]
    )
    for i, (start, at, one) in enumerate(spans):
        until = start + one.activity.duration
        for other_start, other_at, other in islice(spans, i + 1, None):
            if other_start >= until:
                break
            if who := one.who & other.who:
                yield Overlap(one, other, who) if at < other_at else Overlap(other, one, who)


_Key = tuple[Any, str, Any]


def _key(outing: Outing) -> _Key:
    """What tells one activity from another when overlapping ones are left out of the points."""
    return outing.day.label, outing.activity.place, outing.activity.start_text


def _counted(outings: Sequence[Outing], kind: str, excluded: Set[_Key]) -> dict[str, list[Outing]]:
    by_city: dict[str, list[Outing]] = {}
    for outing in outings:
        activity = outing.activity
        if activity.kind == kind and activity.location:
            if excluded and activity.start is not None and _key(outing) in excluded:
                continue
            by_city.setdefault(outing.block.city, []).append(outing)
    return by_city


def _efforts(stays: Sequence[Stay], users: Sequence[str]) -> list[Effort]:
    efforts: dict[int, Effort] = {}
    for stay in stays:
        if stay.day.at not in efforts:
            efforts[stay.day.at] = Effort(stay.day, dict.fromkeys(users, 0), dict.fromkeys(users, 0))
        _add_effort(efforts[stay.day.at], stay.outings)
    return list(efforts.values())


def _add_effort(effort: Effort, outings: Sequence[Outing]) -> None:
    _, sights, minutes = effort
    for _, _, activity, who, _ in outings:
        if activity.kind == ATTRACTION:
            for user in who:
                sights[user] += 1
                minutes[user] += activity.duration
        elif activity.kind == TRANSIT:
            for user in who:
                minutes[user] += activity.duration
