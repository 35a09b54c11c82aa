"""A plan prepared for scoring: who takes part in what, which places are known, what overlaps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
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
    """One activity, where it stands in the plan, and the users who take part (`who`)."""

    day: Day
    block: Block
    activity: Activity
    who: frozenset[str]


class Visit(NamedTuple):
    """An outing to a sight, restaurant or hotel, with the catalogue's place where it is known."""

    outing: Outing
    name: str
    city: str
    who: frozenset[str]
    place: CataloguePlace | None


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
    visits: every sight, meal and night by kind.
    """

    users: tuple[str, ...]
    days: tuple[Day, ...]
    stays: tuple[Stay, ...]
    overlaps: tuple[Overlap, ...]
    visits: dict[str, list[Visit]]
    sights: dict[str, list[Visit]]
    meals: dict[str, list[Visit]]
    legs: tuple[tuple[Day, Leg], ...]
    efforts: tuple[Effort, ...]


def prepare(plan: Any, users: Sequence[str], catalogue: Catalogue) -> Trip:
    """Read `plan` for a group of `users`."""
    days = read_plan(plan).days
    stays = tuple(_stays(days, users))
    overlaps = tuple(overlap for stay in stays for overlap in _overlaps(stay))
    visits = _visits(stays, catalogue)
    excluded = {_key(outing) for overlap in overlaps for outing in (overlap.first, overlap.second)}
    sights, meals = _counted(visits[ATTRACTION], excluded), _counted(visits[FOOD], excluded)
    legs = tuple((day, leg) for day in days for leg in day.legs)
    return Trip(tuple(users), days, stays, overlaps, visits, sights, meals, legs, _efforts(stays, users))


def _stays(days: Sequence[Day], users: Sequence[str]) -> Iterator[Stay]:
    group = frozenset(users)
    for day in days:
        for block in day.blocks:
            outings = [
                Outing(day, block, a, group if a.shared else members(a.participants, users))
                for a in block.activities
            ]
            yield Stay(day, block, tuple(outings))


def _overlaps(stay: Stay) -> Iterator[Overlap]:
    """Pairs that overlap strictly and share a user; hotels and times that can't be read are left out."""
    timed = [o for o in stay.outings if o.activity.duration and o.activity.kind != HOTEL]
    timed.sort(key=_start)
    for i, one in enumerate(timed):
        until = _start(one) + one.activity.duration
        for other in timed[i + 1 :]:
            if _start(other) >= until:
                break
            if who := one.who & other.who:
                pair = (one, other) if one.activity.at < other.activity.at else (other, one)
                yield Overlap(*pair, who)


def _start(outing: Outing) -> int:
    return outing.activity.start or 0


def _efforts(stays: Sequence[Stay], users: Sequence[str]) -> tuple[Effort, ...]:
    efforts: dict[int, Effort] = {}
    for stay in stays:
        if stay.day.at not in efforts:
            efforts[stay.day.at] = Effort(stay.day, dict.fromkeys(users, 0), dict.fromkeys(users, 0))
        _add_effort(efforts[stay.day.at], stay.outings)
    return tuple(efforts.values())


def _add_effort(effort: Effort, outings: Sequence[Outing]) -> None:
    _, sights, minutes = effort
    for _, _, activity, who in outings:
        if activity.kind == ATTRACTION:
            for user in who:
                sights[user] += 1
                minutes[user] += activity.duration
        elif activity.kind == TRANSIT:
            for user in who:
                minutes[user] += activity.duration


_Key = tuple[Any, str, Any]


def _key(outing: Outing) -> _Key:
    """What tells one activity from another when overlapping ones are left out of the points."""
    return outing.day.label, outing.activity.place, outing.activity.start_text


def _counted(visits: Sequence[Visit], excluded: Set[_Key]) -> dict[str, list[Visit]]:
    by_city: dict[str, list[Visit]] = {}
    for visit in visits:
        if visit.name and not (excluded and _in(excluded, visit.outing)):
            by_city.setdefault(visit.city, []).append(visit)
    return by_city


def _in(excluded: Set[_Key], outing: Outing) -> bool:
    return outing.activity.start is not None and _key(outing) in excluded


def _visits(stays: Sequence[Stay], catalogue: Catalogue) -> dict[str, list[Visit]]:
    found: dict[str, list[Visit]] = {ATTRACTION: [], FOOD: [], HOTEL: []}
    for stay in stays:
        for outing in stay.outings:
            visits = found.get(outing.activity.kind)
            if visits is not None:
                city, name = outing.block.city, outing.activity.location
                visits.append(Visit(outing, name, city, outing.who, catalogue.place(city, name)))
    return found
