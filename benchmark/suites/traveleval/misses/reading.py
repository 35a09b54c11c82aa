"""A plan as those read it who look for what it lost: its evidence, its tables, and what was looked up before it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from benchmark.core.events import DraftWithdrawn, Event, MessagePosted, PlanProposed
from benchmark.core.setting import Setting
from benchmark.core.view import AGENT
from benchmark.misses import AnsweredCalls, ToolFailure
from benchmark.plans.view import Plan
from benchmark.suites.base import Figures
from benchmark.suites.traveleval.itineraries import find_plan
from benchmark.suites.traveleval.names import Names
from benchmark.suites.traveleval.scoring.conditions import conditions_of
from benchmark.suites.traveleval.scoring.itinerary import Itinerary
from benchmark.suites.traveleval.scoring.rules import score_plan
from benchmark.suites.traveleval.tasks import Query
from benchmark.suites.traveleval.world import City, Tables

Mark = Mapping[str, Any]


class LostPlan:
    """An ended session. Nothing of it is looked up before it is asked for."""

    def __init__(self, log: Sequence[Event], setting: Setting[Query, Tables], figures: Figures) -> None:
        self._log, self._setting, self._figures = log, setting, figures
        evidence = figures.get("evidence")
        self._evidence: Mapping[str, Any] = evidence if isinstance(evidence, dict) else {}

    def missing(self, metric: str) -> Mapping[str, Any]:
        """Why a figure has no value."""
        told = self._figures.get("missing")
        why: Mapping[str, Any] = told.get(metric, {}) if isinstance(told, dict) else {}
        return why

    def marks(self, *keys: str) -> list[Mark]:
        """What the rules found, by its names."""
        return [mark for mark in self._evidence.get("marks", ()) if mark["key"] in keys]

    def rows(self, metric: str) -> Sequence[Mapping[str, Any]]:
        """What a figure is made of."""
        rows: Sequence[Mapping[str, Any]] = self._evidence.get("rows", {}).get(metric, ())
        return rows

    @property
    def query(self) -> Query:
        """What was asked for."""
        return self._setting.task

    @cached_property
    def _versions(self) -> list[tuple[int, Plan]]:
        """The plans that the agent wrote, each with the event that shows it."""
        return list(_versions(self._log))

    @property
    def plan_seq(self) -> tuple[int, ...]:
        """The event that shows the plan, the last one of a session without."""
        return (self._versions[-1][0] if self._versions else self._log[-1].seq,)

    @property
    def request_seq(self) -> tuple[int, ...]:
        """The event of the request, () without one."""
        said = (e.seq for e in self._log if isinstance(e.body, MessagePosted) and e.body.role != AGENT)
        return tuple([*said][:1])

    @cached_property
    def itinerary(self) -> Itinerary:
        """The plan as the rules go through it; there must be one, and a world."""
        assert self._setting.world is not None and self._versions
        return Itinerary.read(self._versions[-1][1], self.query, self._setting.world)

    @property
    def city(self) -> City:
        """What the destination has."""
        return self.itinerary.city

    @cached_property
    def names(self) -> Names:
        """The names of its places."""
        return Names(list(self.city.points))

    def began(self, mark: Mark | None) -> int | None:
        """The first plan in which something was found; None of what no mark tells."""
        if mark is None or not self._versions:
            return None
        if len(self._versions) == 1:
            return self._versions[0][0]
        sought = _key_of(mark["key"], mark["params"])
        return next((seq for seq, found in self._findings if sought in found), self._versions[-1][0])

    @cached_property
    def _findings(self) -> list[tuple[int, set[str]]]:
        """What the rules find in each plan."""
        conditions, tables = conditions_of(self._setting.options, by_paper=False), self._setting.world
        assert tables is not None
        found = []
        for seq, plan in self._versions:
            results = score_plan(Itinerary.read(plan, self.query, tables), conditions).results.values()
            found.append((seq, {_key_of(m.key, m.params) for result in results for m in result.marks}))
        return found

    @cached_property
    def _calls(self) -> AnsweredCalls:
        return AnsweredCalls(self._log)

    def look_up(self, name: str) -> tuple[str, tuple[int, ...], tuple[ToolFailure, ...]]:
        """The cause of what a look at a name would show, with the result that does, and failed calls about it."""
        before = self.plan_seq[0]
        if failures := self._calls.failures_about([name] if name else [], before):
            return "tool_failed", (), failures
        seen = [call.seq for call in self._calls.all if not call.error_kind and name and name in call.result]
        return ("not_kept", (seen[-1],), ()) if seen else ("not_looked_up", (), ())


def _versions(log: Sequence[Event]) -> Iterator[tuple[int, Plan]]:
    message = log[0].seq
    for event in log:
        body = event.body
        if isinstance(body, MessagePosted) and body.role == AGENT:
            message = event.seq
        elif isinstance(body, PlanProposed):
            yield message, body.plan
        elif isinstance(body, DraftWithdrawn) and body.speaker == AGENT:
            plan = find_plan(body.content)
            if plan is not None:
                yield event.seq, plan


def _key_of(key: str, params: Mapping[str, Any]) -> str:
    return f"{key} {params.get('name') or params.get('cuisine') or ''}"
