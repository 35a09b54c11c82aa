"""A plan prepared for scoring: who takes part in what, which places are known, what overlaps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from math import inf
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


@dataclass(slots=True, eq=False)
class Outing:
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


class Course(NamedTuple):
    """All outings of one day. in_order: whether nothing starts before all that is listed before it has ended."""

    day: Day
    outings: list[Outing]
    in_order: bool


class Visits(NamedTuple):
    """Sights or meals in one city. text: all their names; what is no part of it is part of none of them."""

    outings: list[Outing]
    text: str


class Overlap(NamedTuple):
    """Two activities of one block that overlap in time for the users in `who`; `first` stands first in the list."""

    first: Outing
    second: Outing
    who: frozenset[str]


class Effort(NamedTuple):
    """Sights of one day, and minutes of sights and local transport: of the whole group, and of each user besides."""

    day: Day
    shared_sights: int
    shared_minutes: int
    own_sights: dict[str, int]
    own_minutes: dict[str, int]


@dataclass(frozen=True, slots=True)
class Trip:
    """Everything the rules look at. `users`: those of the run in its order, then others who have a table.

    sights, meals: by city, those that may earn points: what overlaps something else of one user earns nothing.
    outings: all activities in list order, by day in courses; nights: the hotels among them.
    shared_cost: CNY per person of all legs and nights; meal_costs: of each meal, with those who pay it.
    A cost that is no number is 0.
    """

    users: tuple[str, ...]
    days: tuple[Day, ...]
    stays: tuple[Stay, ...]
    courses: list[Course]
    outings: list[Outing]
    overlaps: list[Overlap]
    sights: dict[str, Visits]
    meals: dict[str, Visits]
    nights: list[Outing]
    legs: list[tuple[Day, Leg]]
    efforts: list[Effort]
    shared_cost: float
    meal_costs: list[tuple[frozenset[str], float]]

    def cities(self) -> set[str]:
        """The cities in which the plan names places, as far as it says which."""
        named = (o.block.city for o in self.outings if o.activity.kind in _PLACES and o.activity.location)
        return {city for city in named if city}


def prepare(plan: Any, users: Sequence[str], catalogue: Catalogue) -> Trip:
    """Read `plan` for a group of `users`."""
    days = read_plan(plan).days
    stays = tuple(_stays(days, users, catalogue))
    courses = _courses(days, stays)
    outings = [outing for course in courses for outing in course.outings]
    muddled = {course.day.at for course in courses if not course.in_order}
    overlaps = [overlap for stay in stays if stay.day.at in muddled for overlap in _overlaps(stay)]
    excluded = {_key(outing) for overlap in overlaps for outing in (overlap.first, overlap.second)}
    legs = [(day, leg) for day in days for leg in day.legs]
    meals, nights = _of_kind(outings, FOOD), _of_kind(outings, HOTEL)
    return Trip(
        tuple(users),
        days,
        stays,
        courses,
        outings,
        overlaps,
        sights=_counted(_of_kind(outings, ATTRACTION), excluded),
        meals=_counted(meals, excluded),
        nights=nights,
        legs=legs,
        efforts=[_effort(course, users) for course in courses],
        shared_cost=sum([_amount(leg.cost) for _, leg in legs])
        + sum([_amount(o.activity.cost) for o in nights]),
        meal_costs=[(outing.who, _amount(outing.activity.cost)) for outing in meals],
    )


def _of_kind(outings: Sequence[Outing], kind: str) -> list[Outing]:
    return [outing for outing in outings if outing.activity.kind == kind]


def _amount(cost: Any) -> float:
    """An integer that no float can hold counts as infinite, so that sums never overflow."""
    if not isinstance(cost, (int, float)):
        return 0
    return cost if isinstance(cost, float) or abs(cost) < 2**63 else inf


def _stays(days: Sequence[Day], users: Sequence[str], catalogue: Catalogue) -> Iterator[Stay]:
    group, place = frozenset(users), catalogue.place
    for day in days:
        for block in day.blocks:
            city = block.city
            outings = [
                Outing(
                    day,
                    block,
                    activity,
                    group if activity.shared else members(activity.participants, users),
                    place(city, activity.location) if activity.kind in _PLACES else None,
                )
                for activity in block.activities
            ]
            yield Stay(day, block, tuple(outings))


def _courses(days: Sequence[Day], stays: Sequence[Stay]) -> list[Course]:
    by_day: dict[int, list[Outing]] = {day.at: [] for day in days}
    for stay in stays:
        by_day[stay.day.at].extend(stay.outings)
    return [Course(day, by_day[day.at], _in_order(by_day[day.at])) for day in days]


def _in_order(outings: Sequence[Outing]) -> bool:
    """Then nothing overlaps, and no user has an issue of order; that of a hotel is no end to wait for."""
    latest = 0
    for outing in outings:
        activity = outing.activity
        if activity.start is not None and activity.start < latest:
            return False
        if activity.end is not None and activity.end > latest:
            latest = activity.end if activity.kind != HOTEL else latest
    return True


def _overlaps(stay: Stay) -> Iterator[Overlap]:
    """Pairs that overlap strictly and share a user; hotels and times that can't be read are left out."""
    spans = sorted(
        [(a.start or 0, a.at, o) for o in stay.outings if (a := o.activity).duration and a.kind != HOTEL]
    )
    for i, (start, at, one) in enumerate(spans, 1):
        until = start + one.activity.duration
        while i < len(spans) and spans[i][0] < until:
            _, other_at, other = spans[i]
            if who := one.who & other.who:
                yield Overlap(one, other, who) if at < other_at else Overlap(other, one, who)
            i += 1


_Key = tuple[Any, str, Any]


def _key(outing: Outing) -> _Key:
    """What tells one activity from another when overlapping ones are left out of the points."""
    return outing.day.label, outing.activity.place, outing.activity.start_text


def _counted(outings: Sequence[Outing], excluded: Set[_Key]) -> dict[str, Visits]:
    by_city: dict[str, list[Outing]] = {}
    for outing in outings:
        if outing.activity.location and not (excluded and _in(excluded, outing)):
            by_city.setdefault(outing.block.city, []).append(outing)
    return {
        city: Visits(held, "\n".join([o.activity.location for o in held])) for city, held in by_city.items()
    }


def _in(excluded: Set[_Key], outing: Outing) -> bool:
    return outing.activity.start is not None and _key(outing) in excluded


def _effort(course: Course, users: Sequence[str]) -> Effort:
    shared_sights = shared_minutes = 0
    sights, minutes = dict.fromkeys(users, 0), dict.fromkeys(users, 0)
    for outing in course.outings:
        activity = outing.activity
        is_sight = activity.kind == ATTRACTION
        if not is_sight and activity.kind != TRANSIT:
            continue
        if activity.shared:
            shared_sights += is_sight
            shared_minutes += activity.duration
        else:
            for user in outing.who:
                sights[user] += is_sight
                minutes[user] += activity.duration
    return Effort(course.day, shared_sights, shared_minutes, sights, minutes)
