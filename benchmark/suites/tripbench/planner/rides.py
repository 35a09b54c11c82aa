"""Flights and trains for each leg, and which of them go together."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final, NamedTuple

from benchmark.plans.hours import DAY
from benchmark.suites.tripbench.planner.problem import Problem, clock_of
from benchmark.suites.tripbench.plans.schema import Activity, Day
from benchmark.suites.tripbench.plans.trip import TINY, Leg
from benchmark.suites.tripbench.rubrics import transport
from benchmark.suites.tripbench.rubrics.base import OfLegs
from sandbox.toolsets.tripbench.records import Service, Ticket

_DAY = Day(0, None, None, ())  # type: ignore[arg-type]
_ACTIVITY = Activity((), "", 0, 0)
_IDEAL: Final = (8 * 60, 10 * 60, 18 * 60)
"""When the first leg, those between and the last one had best depart."""
_LATEST_ARRIVAL: Final = 21 * 60
_MOST_LIKED, _MOST_CHEAP = 10, 4


class Ride(NamedTuple):
    """A service with a ticket for each. cost: of the party. departs, arrives: minutes of the day of departure."""

    service: Service
    ticket: Ticket
    cost: float | None
    departs: int
    arrives: int

    @property
    def is_overnight(self) -> bool:
        """Whether it arrives on the next day."""
        return self.arrives > DAY


def rides_of(problem: Problem, leg: int) -> list[Ride]:
    """The rides of a leg that pass alone, each with its cheapest ticket that passes. leg: its number from 0."""
    asked = problem.of(OfLegs)  # type: ignore[type-abstract]
    last = len(problem.frame.legs) - 1
    times = [*(problem.of(transport.TimeDepart) if leg == 0 else ())]
    returns = [*(problem.of(transport.TimeReturn) if leg == last else ())]
    most = min(
        (each.a for each in problem.of(transport.Cost) if each.level == "one_way_person"), default=None
    )
    people = problem.people
    found = list[Ride]()
    for service in problem.world.services_between(*problem.frame.legs[leg]):
        ends = (clock_of(service.depart), clock_of(service.arrive))
        if ends[0] is None or ends[1] is None or (ends[1] < ends[0]) != (service.day_offset == 1):
            continue
        bare = Leg(_DAY, _ACTIVITY, service, ())
        if not all(each.is_met_by(bare) for each in (*times, *returns)):
            continue
        tickets = [
            ticket
            for ticket in service.products
            if all(each.passes(service, ticket, problem) for each in asked)
            and (most is None or (ticket.price is not None and ticket.price <= most + TINY))
        ]
        if tickets:
            best = min(tickets, key=lambda one: math.inf if one.price is None else one.price)
            cost = None if best.price is None else best.price * people
            arrives = ends[1] + (DAY if service.day_offset == 1 else 0)
            found.append(Ride(service, best, cost, ends[0], arrives))
    return found


def cost_limit(problem: Problem) -> float | None:
    """What all legs may cost the party together; None where nothing limits them."""
    people = problem.people
    limits = [
        each.a * (people if each.level == "round_person" else 1)
        for each in problem.of(transport.Cost)
        if each.level != "one_way_person"
    ]
    return min(limits, default=None)


def journeys(
    problem: Problem, rides: Sequence[Sequence[Ride]], liked: frozenset[str], thrifty: bool
) -> Iterator[tuple[Ride, ...]]:
    """Rides for all legs that go together, the best first. liked: ids of services that come first.

    thrifty: whether cheap ones do.
    """
    last = len(rides) - 1
    limit = cost_limit(problem)
    chosen = [_likeliest(each, leg, last, liked, thrifty) for leg, each in enumerate(rides)]
    ranked = list[tuple[float, int, tuple[Ride, ...]]]()
    for number, combination in enumerate(product(*chosen)):
        costs = [ride.cost for _, ride in combination]
        known = math.inf if None in costs else sum(cost for cost in costs if cost is not None)
        if limit is None or known <= limit + TINY:
            worth = sum(penalty for penalty, _ in combination)
            ranked.append((worth, number, tuple(ride for _, ride in combination)))
    yield from (combination for *_, combination in sorted(ranked))


def _likeliest(
    rides: Sequence[Ride], leg: int, last: int, liked: frozenset[str], thrifty: bool
) -> list[tuple[float, Ride]]:
    """With the penalty of each."""
    usable = [ride for ride in rides if not ride.is_overnight or leg == last]
    ranked = sorted((_penalty(ride, leg, last, liked, thrifty), n, ride) for n, ride in enumerate(usable))
    cheap = sorted((math.inf if ride.cost is None else ride.cost, n, ride) for n, ride in enumerate(usable))
    kept = {n for _, n, _ in (*ranked[:_MOST_LIKED], *cheap[:_MOST_CHEAP])}
    return [(penalty, ride) for penalty, n, ride in ranked if n in kept]


def _penalty(ride: Ride, leg: int, last: int, liked: frozenset[str], thrifty: bool) -> float:
    """In minutes: out in the morning, back in the evening, soon there."""
    ideal = _IDEAL[0 if leg == 0 else 2 if leg == last else 1]
    late = max(0, ride.arrives - _LATEST_ARRIVAL) * (1 if leg == last else 5)
    early = max(0, 390 - ride.departs) * 2
    cost = 1000.0 if ride.cost is None else ride.cost * (20.0 if thrifty else 0.05)
    wanted = -10_000 if ride.service.id in liked else 0
    return abs(ride.departs - ideal) + (ride.arrives - ride.departs) / 2 + late + early + cost + wanted
