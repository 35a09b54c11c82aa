"""The planner's turn: ask the tools, then say the plan, with what travellers agreed to accept."""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any

from benchmark.core.actions import CallTools, Say, ToolCall
from benchmark.core.view import ToolEntry
from benchmark.suites.grouptravel.agent.brief import Brief
from benchmark.suites.grouptravel.agent.dialogue.requests import CAPS, Request
from benchmark.suites.grouptravel.agent.lexicon.phrases import Phrases, phrases
from benchmark.suites.grouptravel.agent.planning import gather
from benchmark.suites.grouptravel.agent.planning.knowledge import CallKey, Knowledge
from benchmark.suites.grouptravel.agent.planning.limits import (
    BrokenLimit,
    Spending,
    activities_of,
    broken_limits,
    cost_of,
    spendings,
)
from benchmark.suites.grouptravel.agent.planning.memory import PlanMemory
from benchmark.suites.grouptravel.agent.planning.plan import Plan
from benchmark.suites.grouptravel.agent.planning.spots import category_of, places_in
from benchmark.suites.grouptravel.agent.planning.tastes import read_tastes
from benchmark.suites.grouptravel.itineraries.reading import (
    ATTRACTION,
    FOOD,
    read_plan,
)
from benchmark.suites.grouptravel.preferences import FIELD, read

_ACTIVITY = {"food": FOOD, "sights": ATTRACTION, "categories": ATTRACTION}
_FIELD_OF_SUBJECT = {
    "transport": FIELD["transport.prefer"],
    "food": FIELD["food.prefer_eat"],
    "sights": FIELD["attractions.must_visit"],
    "categories": FIELD["attractions.category_pref.positive"],
}
"""The list of wishes that an accepted item joins, by its subject."""
_DATED_FRAMES = 2


class Trial:
    """Drafts over what the tools have said by now."""

    def __init__(
        self,
        brief: Brief,
        travellers: Sequence[str],
        log: Sequence[ToolEntry],
        seed: int,
        memory: PlanMemory,
    ) -> None:
        self._brief, self._travellers, self._seed, self._memory = brief, travellers, seed, memory
        self._knowledge = memory.read(log)

    def uses(self, tables: Mapping[str, Any], request: Request, budget: float) -> bool:
        """Whether a draft by these tables makes use of what is requested. budget: the limit that is to be raised."""
        draft = self._memory.draft(self._brief, tables, self._travellers, self._knowledge, self._seed)
        return holds(draft, request, self._knowledge, budget)


def holds(itinerary: Mapping[str, Any], request: Request, known: Knowledge, budget: float = 0) -> bool:
    """Whether an itinerary holds what somebody was asked to accept, with them taking part; or costs them more."""
    days = read_plan(itinerary).days
    if request.subject == "budget":
        return cost_of(days, request.user) > budget
    if request.subject == "transport":
        return any(leg.mode == request.item for day in days for leg in day.legs)
    return any(
        activity.kind == _ACTIVITY.get(request.subject) and _is_of(request, activity.location, known)
        for day in days
        for block in day.blocks
        if block.city == request.city
        for activity in activities_of(block, request.user)
    )


def with_pledges(tables: Mapping[str, Any], pledged: Iterable[Request]) -> dict[str, Any]:
    """The tables with whoever agreed to an item among those who like it, so that no plan leaves it out."""
    changed: dict[str, Any] = deepcopy(dict(tables))
    for request in pledged:
        read(changed[request.user], _FIELD_OF_SUBJECT[request.subject], request.city or "").append(
            request.item
        )
    return changed


def _is_of(request: Request, name: str, known: Knowledge) -> bool:
    if request.item in name or request.subject == "sights":
        return request.item in name
    places = places_in(known, request.city or "")
    return any(place.name == name and category_of(place) == request.item for place in places)


def next_move(
    brief: Brief,
    tables: Mapping[str, Any],
    travellers: Sequence[str],
    tool_log: Sequence[ToolEntry],
    tools_allowed: bool,
    seed: int,
    pledged: Sequence[Request] = (),
    memory: PlanMemory | None = None,
    unknown: Sequence[str] = (),
) -> CallTools | Say:
    """One step towards the plan: a batch of tool calls that were never made before, or the plan itself.

    tables: {traveller: preference table} as believed, any part may be missing. travellers: everybody with a
    table. tool_log: of the whole session. pledged: what travellers agreed to accept, and the plan holds. memory: of
    the turns before, which changes no move. unknown: places that were named and that no tool knows. Depends on
    nothing but the arguments; never raises on odd answers.
    """
    memory = memory or PlanMemory()
    if tools_allowed:
        calls = calls_wanted(brief, tables, travellers, tool_log, seed, memory)
        if calls:
            return CallTools(calls)
    plan = _plan(brief, tables, travellers, memory.read(tool_log), seed, pledged, memory)
    routes = gather.missing(plan.routes, set(memory.keys(tool_log))) if tools_allowed else ()
    if routes:
        return CallTools(routes)
    written = json.dumps(plan.itinerary, ensure_ascii=False, indent=1)
    broken = tuple(broken_limits(plan.itinerary, tables, travellers))
    spent = spendings(plan.itinerary, travellers)
    return Say(f"{sentence(brief, plan, unknown, broken, spent)}\n\n```json\n{written}\n```")


def _plan(
    brief: Brief,
    tables: Mapping[str, Any],
    travellers: Sequence[str],
    known: Knowledge,
    seed: int,
    pledged: Sequence[Request],
    memory: PlanMemory,
) -> Plan:
    """The best plan, or where that leaves out what somebody agreed to accept, the best that holds it."""
    plan = memory.plan(brief, tables, travellers, known, seed)
    if all(holds(plan.itinerary, request, known) for request in pledged):
        return plan
    return memory.plan(brief, with_pledges(tables, pledged), travellers, known, seed)


def calls_wanted(
    brief: Brief,
    tables: Mapping[str, Any],
    travellers: Sequence[str],
    tool_log: Sequence[ToolEntry],
    seed: int,
    memory: PlanMemory,
) -> tuple[ToolCall, ...]:
    """The next batch of calls that a plan needs and the log does not hold; empty when nothing is missing."""
    problem = (brief, repr(tables), tuple(travellers), seed, tuple(tool_log))

    def find_calls() -> tuple[ToolCall, ...]:
        done = set(memory.keys(tool_log))
        return gather.missing(_calls_of_stage(brief, tables, travellers, tool_log, seed, memory, done), done)

    return memory.calls(problem, find_calls)


def _calls_of_stage(
    brief: Brief,
    tables: Mapping[str, Any],
    travellers: Sequence[str],
    log: Sequence[ToolEntry],
    seed: int,
    memory: PlanMemory,
    done: Container[CallKey],
) -> gather.Calls:
    """The calls of the first stage until it is complete, then those of the second, then of the third."""
    tastes = read_tastes(tables, travellers, brief.cities)
    first = gather.first_stage(brief, tastes)
    if gather.missing(first, done):
        return first
    known = memory.read(log, gather.keys_of(first))
    frames = memory.frames(brief, tables, travellers, known, seed, _DATED_FRAMES)
    second = gather.second_stage(brief, tastes, known, frames, memory.shared_work)
    if gather.missing(second, done):
        return second
    return gather.third_stage(
        brief, tastes, memory.read(log, gather.keys_of([*first, *second])), memory.shared_work
    )


def sentence(
    brief: Brief,
    plan: Plan,
    unknown: Sequence[str] = (),
    broken: Sequence[BrokenLimit] = (),
    spent: Sequence[Spending] = (),
) -> str:
    """What the plan trades off, in the language of the group.

    broken: the limits that it does not keep. spent: what it costs each traveller.
    """
    words = phrases(brief.language)
    texts = words.closing
    people = {"rides": plan.rides}
    nowhere = tuple(dict.fromkeys([*unknown, *plan.unknown_names]))
    missed = {
        "disputed": [_for_whom(name, plan.wanted_by[name], words) for name in plan.disputed_names],
        "unmet": [_for_whom(name, plan.wanted_by[name], words) for name in plan.unmet_names],
        "missed": [_for_whom(name, who, words) for name, who in plan.missed_by],
        "unknown": nowhere,
    }
    names = {kind: words.join_names(names) for kind, names in (people | missed).items() if names}
    kinds = [*names] if any(missed.values()) or not plan.wished else [*names, "all"]
    route = texts["route"] if len(plan.order) > 1 else texts["stay"]
    parts = [route.format(order=words.route_joiner.join(plan.order), cost=f"{plan.cost:.0f}")]
    parts += [_spent_text(spent, words)] if spent else []
    parts += _over_limits(broken, words)
    parts += [texts[kind].format(names=names.get(kind, "")) for kind in kinds]
    parts += [_missed_meals_text(plan, words)] if plan.missed_meals else []
    legs = [
        texts["leg"].format(origin=origin, destination=destination)
        for origin, destination in plan.driven_ways
    ]
    return words.join([*parts, texts["driven"].format(legs=words.join_names(legs))] if legs else parts)


def _for_whom(name: str, users: Iterable[str], words: Phrases) -> str:
    return words.progress["item"][0].format(item=name, users=words.join_names(users))


def _spent_text(spent: Sequence[Spending], words: Phrases) -> str:
    """What counts against the budgets, and what comes on top; a span where travellers differ."""
    figures = {
        "counted": [f"{each.covered_cost:.0f}" for each in sorted(spent, key=lambda each: each.covered_cost)],
        "extra": [f"{each.extra_cost:.0f}" for each in sorted(spent, key=lambda each: each.extra_cost)],
    }
    told = {
        key: low[0] if low[0] == low[-1] else words.facts["span"].format(low=low[0], high=low[-1])
        for key, low in figures.items()
    }
    return words.closing["spent"].format(**told)


def _missed_meals_text(plan: Plan, words: Phrases) -> str:
    meals = (
        words.closing["meals"].format(
            city=city, items=words.join_names(_for_whom(item, who, words) for item, who in items)
        )
        for city, items in plan.missed_meals
    )
    return words.closing["hungry"].format(meals=words.joiner.join(meals))


def _over_limits(broken: Sequence[BrokenLimit], words: Phrases) -> Iterator[str]:
    """Whom the plan costs more, or gives a fuller or longer day, than they said."""
    for subject in CAPS:
        limits = [limit for limit in broken if limit.subject == subject]
        if limits:
            names = words.join_names(
                words.closing["over"].format(
                    user=limit.user, value=f"{limit.sufficient_cap:g}", cap=f"{limit.cap:g}"
                )
                if subject == "budget"
                else limit.user
                for limit in limits
            )
            most = max(limit.sufficient_cap for limit in limits)
            yield words.closing[subject].format(names=names, value=f"{most:g}")
