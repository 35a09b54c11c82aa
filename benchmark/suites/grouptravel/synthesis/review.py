"""What post-validation says of a task that somebody else wrote (GroupTravelBench, section 3.2, stage 4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from functools import cache

from benchmark.remarks import Remark, gettext_noop
from benchmark.suites.grouptravel.preferences import FIELD
from benchmark.suites.grouptravel.synthesis.candidates import Candidates
from benchmark.suites.grouptravel.synthesis.fares import Fares
from benchmark.suites.grouptravel.synthesis.resources import Trip
from benchmark.suites.grouptravel.synthesis.skeletons import Skeleton
from benchmark.suites.grouptravel.synthesis.validation import Fault, check_table, unreachable
from benchmark.suites.grouptravel.tasks.task import Task
from benchmark.synthesis import Finding, Review
from sandbox.worlds import World


def review(task: Task, world: World, candidates: Callable[[str], Candidates]) -> list[Fault]:
    """What is wrong with each user's table over a world that has all cities of the trip, whose candidates are given.

    As for tasks that are made: names and categories that the world lacks, items in two tiers, a budget below the
    cheapest trip, nothing that is not wanted, luxury on a low budget; and modes that run on no leg for users who do
    not give way. Empty for a task that does not say how long it takes.
    """
    if task.days is None:
        return []
    return list(_faults(task, _trip(task, task.days, world, candidates)))


def reviewer(world: World) -> Review:
    """Checks tasks over a world, whose cities are read once. Belongs to the thread that opened the world."""
    candidates = cache(lambda city: Candidates(world, city))

    def check(task: Task) -> list[Finding]:
        named = dict.fromkeys((task.metadata.departure_city, *task.metadata.cities))
        if missing := [city for city in named if world.city(city) is None]:
            why = gettext_noop("the world has no %(cities)s")
            return [Finding("metadata.cities", Remark(why, {"cities": ", ".join(missing)}))]
        if task.days is None:
            why = gettext_noop("%(date)s does not say how many days the trip takes")
            return [Finding("metadata.date", Remark(why, {"date": repr(task.metadata.date)}))]
        return [Finding(_place(fault), fault.message) for fault in review(task, world, candidates)]

    return check


def _place(fault: Fault) -> str:
    table = f"user_preferences.{fault.user}.preference"
    return f"{table}.{fault.path}" if fault.path else table


def _trip(task: Task, days: int, world: World, candidates: Callable[[str], Candidates]) -> Trip:
    metadata = task.metadata
    skeleton = Skeleton(
        slot=1,
        group_id=metadata.group_id,
        cities=tuple(metadata.cities),
        departure=metadata.departure_city,
        start=date.fromisoformat(task.time),
        days=days,
        pattern=tuple(metadata.compromise_pattern),
    )
    route = Fares(world).route(skeleton.departure, skeleton.cities)
    return Trip(skeleton, route, {city: candidates(city) for city in skeleton.cities}, {})


def _faults(task: Task, trip: Trip) -> Iterator[Fault]:
    served = all(trip.route.offers)
    for user, card in task.user_preferences.items():
        if served:
            faults = check_table(user, card.preference, trip)
            yield from (fault for fault in faults if not _is_part_of_a_name(fault, trip))
        wanted = () if card.compromisable else unreachable(card.preference, trip)
        # each leg counts by itself: a way that runs on one of them is no fault of a task that somebody wrote
        for mode in (mode for mode in wanted if not trip.route.goes_part_of_the_way(mode)):
            legs = ", ".join(f"{leg[0]}–{leg[1]}" for leg in trip.route.lacking(mode))
            why = gettext_noop(
                "%(mode)s does not run (%(legs)s); let %(user)s give way, or name another mode"
            )
            values = {"mode": mode, "legs": legs, "user": user}
            yield Fault("unknown", user, FIELD["transport.must"].path, Remark(why, values))


def _is_part_of_a_name(fault: Fault, trip: Trip) -> bool:
    """Whether what no place is called is part of what one is called: 奎元馆 of 奎元馆(解放路店).

    Utility counts such a wish; of tables that are made, names are asked for as they are.
    """
    values = fault.message.values
    there = trip.candidates.get(str(values.get("city", "")))
    if fault.kind != "unknown" or there is None:
        return False
    names = there.restaurants if ".food." in fault.path else there.names
    return any(str(values["item"]) in name for name in names)
