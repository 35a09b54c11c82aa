"""A plan prepared for scoring: who takes part in what, which places are known, what overlaps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from typing import Any, NamedTuple

from benchmark.itineraries.reading import (
    ATTRACTION,
    FOOD,
    HOTEL,
    Activity,
    Block,
    Day,
    Leg,
    everyone,
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
    """An outing to a sight, restaurant or hotel, with the catalogue's place where it is known.

    counted: whether it may earn points; a sight or meal that overlaps something else of one user earns none.
    """

    outing: Outing
    name: str
    city: str
    who: frozenset[str]
    place: CataloguePlace | None
    counted: bool


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


class Trip(NamedTuple):
    """Everything the rules look at. `users`: those of the run in its order, then others who have a table."""

    users: tuple[str, ...]
    days: tuple[Day, ...]
    stays: tuple[Stay, ...]
    overlaps: tuple[Overlap, ...]
    sights: tuple[Visit, ...]
    meals: tuple[Visit, ...]
    nights: tuple[Visit, ...]
    legs: tuple[tuple[Day, Leg], ...]
    catalogue: Catalogue


def prepare(plan: Any, users: Sequence[str], catalogue: Catalogue) -> Trip:
    """Read `plan` for a group of `users`."""
    days = read_plan(plan).days
    stays = tuple(_stays(days, users))
    overlaps = tuple(overlap for stay in stays for overlap in _overlaps(stay))
    visits = _visits(stays, overlaps, catalogue)
    legs = tuple((day, leg) for day in days for leg in day.legs)
    return Trip(
        tuple(users), days, stays, overlaps, visits[ATTRACTION], visits[FOOD], visits[HOTEL], legs, catalogue
    )


def _stays(days: Sequence[Day], users: Sequence[str]) -> Iterator[Stay]:
    group = frozenset(users)
    for day in days:
        for block in day.blocks:
            yield Stay(day, block, tuple(Outing(day, block, a, _who(a, users, group)) for a in block.activities))


def _who(activity: Activity, users: Sequence[str], group: frozenset[str]) -> frozenset[str]:
    return group if everyone(activity.participants) else members(activity.participants, users)


def _overlaps(stay: Stay) -> Iterator[Overlap]:
    """Pairs that overlap strictly and share a user; hotels and times that can't be read are left out."""
    timed = [o for o in stay.outings if o.activity.timed and o.activity.kind != HOTEL]
    timed.sort(key=lambda o: o.activity.start or 0)
    for i, one in enumerate(timed):
        for other in timed[i + 1 :]:
            if (other.activity.start or 0) >= (one.activity.end or 0):
                break
            if who := one.who & other.who:
                pair = (one, other) if one.activity.index < other.activity.index else (other, one)
                yield Overlap(*pair, who)


_Key = tuple[Any, str, Any]


def _key(outing: Outing) -> _Key:
    """What tells one activity from another when overlapping ones are left out of the points."""
    return outing.day.label, outing.activity.place, outing.activity.start_text


def _visits(
    stays: Sequence[Stay], overlaps: Sequence[Overlap], catalogue: Catalogue
) -> dict[str, tuple[Visit, ...]]:
    excluded = {_key(outing) for overlap in overlaps for outing in (overlap.first, overlap.second)}
    found: dict[str, list[Visit]] = {ATTRACTION: [], FOOD: [], HOTEL: []}
    for stay in stays:
        for outing in stay.outings:
            if outing.activity.kind in found:
                found[outing.activity.kind].append(_visit(outing, not _in(excluded, outing), catalogue))
    return {kind: tuple(visits) for kind, visits in found.items()}


def _in(excluded: Set[_Key], outing: Outing) -> bool:
    return outing.activity.start is not None and _key(outing) in excluded


def _visit(outing: Outing, counted: bool, catalogue: Catalogue) -> Visit:
    city, name = outing.block.city, outing.activity.location
    return Visit(outing, name, city, outing.who, catalogue.place(city, name), counted)
