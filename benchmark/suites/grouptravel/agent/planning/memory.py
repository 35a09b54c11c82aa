"""The planning problems that were solved last, so that none is solved twice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Any

from benchmark.suites.grouptravel.agent.brief import Brief
from benchmark.suites.grouptravel.agent.planning.knowledge import Knowledge
from benchmark.suites.grouptravel.agent.planning.plan import Plan, Planner
from benchmark.suites.grouptravel.agent.planning.skeleton import Skeleton, drives

_KEPT = 4
Problem = tuple[object, ...]


class PlanMemory:
    """Gives the plans that a new planner would give.

    The agent plans, asks what the ways inside the cities of its plan cost, and plans again: the answers change the
    fares that are written into the plan, and the trip stays the same. A worker that takes a session over begins
    with an empty memory and finds the same plans.
    """

    def __init__(self) -> None:
        self._solved: list[tuple[Problem, Planner]] = []
        self._framed: list[tuple[Problem, list[Skeleton]]] = []

    def plan(
        self, brief: Brief, tables: Mapping[str, Any], travellers: Sequence[str], known: Knowledge, seed: int
    ) -> Plan:
        """As `Planner(...).plan()`."""
        problem = _problem(brief, tables, travellers, known, seed)
        planner = next((planner for solved, planner in self._solved if solved == problem), None)
        if planner is None:
            planner = Planner(brief, tables, travellers, known, seed)
            self._solved = [(problem, planner), *self._solved][:_KEPT]
        return planner.plan(known)

    def frames(
        self,
        brief: Brief,
        tables: Mapping[str, Any],
        travellers: Sequence[str],
        known: Knowledge,
        seed: int,
        count: int,
    ) -> list[Skeleton]:
        """As `Planner(...).frames.best(count)`."""
        problem = (*_problem(brief, tables, travellers, known, seed), count)
        frames = next((frames for framed, frames in self._framed if framed == problem), None)
        if frames is None:
            frames = Planner(brief, tables, travellers, known, seed).frames.best(count)
            self._framed = [(problem, frames), *self._framed][:_KEPT]
        return frames


def _problem(
    brief: Brief, tables: Mapping[str, Any], travellers: Sequence[str], known: Knowledge, seed: int
) -> Problem:
    """All that a search depends on: of the drives only those between cities.

    Lists keep the order in which places were learnt, which decides between equals.
    """
    cities = (brief.departure_city, *brief.cities)
    places = [(city, list(places.items())) for city, places in known.places.items()]
    roads = [drives(brief, known, *pair) for pair in permutations(dict.fromkeys(cities), 2)]
    return (
        brief,
        repr(tables),
        tuple(travellers),
        seed,
        places,
        dict(known.services),
        dict(known.points),
        roads,
    )
