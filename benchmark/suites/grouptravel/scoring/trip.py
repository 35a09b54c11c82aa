"""A plan prepared for scoring: who takes part in what, which places are known, what overlaps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple, Self

from benchmark.suites.grouptravel.itineraries.reading import (
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
from benchmark.suites.grouptravel.scoring.catalogue import Catalogue, CataloguePlace
from benchmark.suites.grouptravel.scoring.leniency import amount, overlap_key


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


class Stay(NamedTuple):
    """One city block of one day. own: the outings that list participants, be it none, rather than everyone."""

    day: Day
    block: Block
    outings: tuple[Outing, ...]
    own: list[Outing]


Step = Outing | Leg


class Effort(NamedTuple):
    """Sights of one day, and minutes of sights and local transport: of the whole group, and of each user besides."""

    day: Day
    shared_sights: int
    shared_minutes: int
    own_sights: dict[str, int]
    own_minutes: dict[str, int]


_PaidCost = tuple[frozenset[str], float]
"""Who pays, and CNY per person."""


class Course(NamedTuple):
    """One day in list order. outings: its activities; steps: these and its legs.

    in_order: whether nothing starts before all that is listed before it has ended (but for the end of a hotel): then
    nothing overlaps, and no user has an issue of order. costs: what counts against budgets; tickets and local
    transport do not.
    """

    day: Day
    outings: list[Outing]
    steps: list[Step]
    in_order: bool
    costs: list[_PaidCost]
    effort: Effort


class Visits(NamedTuple):
    """Sights or meals in one city. text: their names and categories; what is no part of it fits none of them."""

    outings: list[Outing]
    text: str

    @classmethod
    def of(cls, outings: list[Outing]) -> Self:
        """With the text of `outings`."""
        words = [outing.activity.location for outing in outings]
        words += [outing.place.category for outing in outings if outing.place is not None]
        return cls(outings, "\n".join(words))


class Overlap(NamedTuple):
    """Two activities of one block that overlap in time for the users in `who`; `first` stands first in the list."""

    first: Outing
    second: Outing
    who: frozenset[str]


@dataclass(slots=True, eq=False)
class Trip:
    """Everything the rules look at. `users`: those of the run in its order. Not frozen, for speed alone.

    outings: all activities in list order, by day in courses; places: the sights, meals and hotels among them by kind.
    sights, meals: by city, those that may earn points: what overlaps something else of one user earns nothing.
    costs: CNY per person of each leg, night and meal in list order, with those who pay it.
    """

    users: tuple[str, ...]
    days: tuple[Day, ...]
    stays: tuple[Stay, ...]
    courses: list[Course]
    outings: list[Outing]
    places: dict[str, list[Outing]]
    overlaps: list[Overlap]
    sights: dict[str, Visits]
    meals: dict[str, Visits]
    legs: list[tuple[Day, Leg]]
    efforts: list[Effort]
    costs: list[_PaidCost]

    @property
    def nights(self) -> list[Outing]:
        """The hotels, one a night."""
        return self.places[HOTEL]

    def cities(self) -> set[str]:
        """The cities in which the plan names places, as far as it says which."""
        named = (o.block.city for held in self.places.values() for o in held if o.activity.location)
        return {city for city in named if city}


def prepare(plan: Any, users: Sequence[str], catalogue: Catalogue) -> Trip:
    """Read `plan` for a group of `users`."""
    group = frozenset(users)
    days = read_plan(plan).days
    stays: list[Stay] = []
    places: dict[str, list[Outing]] = {ATTRACTION: [], FOOD: [], HOTEL: []}
    courses = [_course(day, users, group, catalogue, stays, places) for day in days]
    # nothing overlaps in a day whose items follow one another, so that most days need no second look
    muddled = {course.day.at for course in courses if not course.in_order}
    overlaps = [overlap for stay in stays if stay.day.at in muddled for overlap in _overlaps(stay)]
    excluded = {
        overlap_key(o.day, o.activity) for overlap in overlaps for o in (overlap.first, overlap.second)
    }
    return Trip(
        tuple(users),
        days,
        tuple(stays),
        courses,
        list(chain.from_iterable([course.outings for course in courses])),
        places,
        overlaps,
        sights=_count_visits(places[ATTRACTION], excluded),
        meals=_count_visits(places[FOOD], excluded),
        legs=[(day, segment) for day in days for segment in day.segments if isinstance(segment, Leg)],
        efforts=[course.effort for course in courses],
        costs=list(chain.from_iterable([course.costs for course in courses])),
    )


def _course(
    day: Day,
    users: Sequence[str],
    group: frozenset[str],
    catalogue: Catalogue,
    stays: list[Stay],
    places: Mapping[str, list[Outing]],
) -> Course:
    """The day; its stays are added to `stays`, its sights, meals and hotels to `places`."""
    outings: list[Outing] = []
    steps: list[Step] = []
    for segment in day.segments:
        if isinstance(segment, Leg):
            steps.append(segment)
            continue
        here: list[Outing] = []
        own: list[Outing] = []
        for activity in segment.activities:
            alike = places.get(activity.kind)
            place = None if alike is None else catalogue.place(segment.city, activity.location)
            if activity.participants is None or (activity.shared and activity.participants):
                outing = Outing(day, segment, activity, group, place)
            else:
                outing = Outing(day, segment, activity, members(activity.participants, users), place)
                own.append(outing)
            here.append(outing)
            if alike is not None:
                alike.append(outing)
        stays.append(Stay(day, segment, tuple(here), own))
        outings += here
        steps += here
    return Course(day, outings, steps, *_sum_up(day, steps, users, group))


def _sum_up(
    day: Day, steps: Sequence[Step], users: Sequence[str], group: frozenset[str]
) -> tuple[bool, list[_PaidCost], Effort]:
    """The in_order, costs and effort of a course. One loop over the steps gives all three, for speed."""
    in_order, latest = True, 0
    costs: list[_PaidCost] = []
    shared_sights = shared_minutes = 0
    sights, minutes = dict.fromkeys(users, 0), dict.fromkeys(users, 0)
    for step in steps:
        part = step if isinstance(step, Leg) else step.activity
        kind, start, end = part.kind, part.start, part.end
        if start is not None and start < latest:
            in_order = False
        if kind == HOTEL:  # its end is none to wait for
            costs.append((group, amount(part.cost)))
            continue
        if end is not None and end > latest:
            latest = end
        if isinstance(step, Leg):
            costs.append((group, amount(step.cost)))
        elif kind == FOOD:
            costs.append((step.who, amount(part.cost)))
        elif kind in (ATTRACTION, TRANSIT):
            activity, is_sight = step.activity, kind == ATTRACTION
            if activity.shared:
                shared_sights += is_sight
                shared_minutes += activity.duration
            else:
                for user in step.who:
                    sights[user] += is_sight
                    minutes[user] += activity.duration
    return in_order, costs, Effort(day, shared_sights, shared_minutes, sights, minutes)


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


def _count_visits(outings: Sequence[Outing], excluded: Set[Any]) -> dict[str, Visits]:
    by_city: dict[str, list[Outing]] = {}
    for outing in outings:
        if not excluded or overlap_key(outing.day, outing.activity) not in excluded:
            by_city.setdefault(outing.block.city, []).append(outing)
    return {city: Visits.of(held) for city, held in by_city.items()}
