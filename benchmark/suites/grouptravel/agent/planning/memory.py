"""What was read of the tools' log, and the planning problems that were solved last, so that none is solved twice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import permutations
from typing import Any

from benchmark.core.actions import ToolCall
from benchmark.core.view import ToolEntry
from benchmark.suites.grouptravel.agent.brief import Brief
from benchmark.suites.grouptravel.agent.planning.knowledge import CallKey, Knowledge, call_key, read_log
from benchmark.suites.grouptravel.agent.planning.plan import Plan, Planner
from benchmark.suites.grouptravel.agent.planning.shared_work import SharedWork
from benchmark.suites.grouptravel.agent.planning.skeleton import Skeleton, drives

_MOST_PLANS = 4
Problem = tuple[object, ...]


class PlanMemory:
    """Gives the plans that a new planner would give.

    The agent plans, asks what the ways inside the cities of its plan cost, and plans again: the answers change the
    fares that are written into the plan, and the trip stays the same. A worker that takes a session over begins
    with an empty memory and finds the same plans.
    """

    def __init__(self) -> None:
        self.shared_work = SharedWork()
        self._log: list[ToolEntry] = []
        self._keys: list[CallKey] = []
        self._read: list[tuple[list[ToolEntry], Knowledge]] = []
        self._last_calls: tuple[Problem, tuple[ToolCall, ...]] | None = None
        self._planners: list[tuple[Problem, Planner]] = []
        self._draft_planners: list[tuple[Problem, Planner]] = []
        self._frame_lists: list[tuple[Problem, list[Skeleton]]] = []

    def keys(self, log: Sequence[ToolEntry]) -> list[CallKey]:
        """The key of each call of a log; those of its beginning are kept."""
        if list(log[: len(self._log)]) != self._log:
            self._log, self._keys = [], []
        more = log[len(self._log) :]
        self._log += more
        self._keys += (call_key(entry.name, entry.arguments) for entry in more)
        return self._keys

    def read(self, log: Sequence[ToolEntry], only: frozenset[CallKey] | None = None) -> Knowledge:
        """As `read_log(log, only)`; nobody changes it."""
        entries = [
            entry for entry, key in zip(log, self.keys(log), strict=True) if only is None or key in only
        ]
        known = next((known for read, known in self._read if read == entries), None)
        if known is None:
            known = read_log(entries)
            self._read = [(entries, known), *self._read][:_MOST_PLANS]
        return known

    def calls(self, problem: Problem, wanted: Callable[[], tuple[ToolCall, ...]]) -> tuple[ToolCall, ...]:
        """What `wanted` gives, which depends on nothing but `problem`; it is asked for twice in a turn."""
        if self._last_calls is None or self._last_calls[0] != problem:
            self._last_calls = problem, wanted()
        return self._last_calls[1]

    def plan(
        self, brief: Brief, tables: Mapping[str, Any], travellers: Sequence[str], known: Knowledge, seed: int
    ) -> Plan:
        """As `Planner(...).plan()`."""
        return self._planner(self._planners, brief, tables, travellers, known, seed).plan(known)

    def draft(
        self, brief: Brief, tables: Mapping[str, Any], travellers: Sequence[str], known: Knowledge, seed: int
    ) -> dict[str, Any]:
        """As `Planner(...).draft()`; the same request is weighed again until the answers to it have come."""
        return self._planner(self._draft_planners, brief, tables, travellers, known, seed).draft(known)

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
        frames = next((frames for framed, frames in self._frame_lists if framed == problem), None)
        if frames is None:
            frames = Planner(brief, tables, travellers, known, seed, self.shared_work).frames.best(count)
            self._frame_lists = [(problem, frames), *self._frame_lists][:_MOST_PLANS]
        return frames

    def _planner(
        self,
        kept: list[tuple[Problem, Planner]],
        brief: Brief,
        tables: Mapping[str, Any],
        travellers: Sequence[str],
        known: Knowledge,
        seed: int,
    ) -> Planner:
        """The planner of a problem among those that are kept, which a new one joins in front."""
        problem = _problem(brief, tables, travellers, known, seed)
        planner = next((planner for solved, planner in kept if solved == problem), None)
        if planner is None:
            planner = Planner(brief, tables, travellers, known, seed, self.shared_work)
            kept[:] = [(problem, planner), *kept][:_MOST_PLANS]
        return planner


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
