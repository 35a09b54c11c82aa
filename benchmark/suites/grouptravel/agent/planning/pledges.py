"""What travellers agreed to accept, or might: whether a plan holds it, and planning so that it does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any

from benchmark.core.view import ToolEntry
from benchmark.suites.grouptravel.agent.brief import Brief
from benchmark.suites.grouptravel.agent.dialogue.requests import Request
from benchmark.suites.grouptravel.agent.planning.knowledge import Knowledge, read_log
from benchmark.suites.grouptravel.agent.planning.plan import Planner
from benchmark.suites.grouptravel.agent.planning.spots import category_of, places_in
from benchmark.suites.grouptravel.itineraries.reading import (
    ATTRACTION,
    FOOD,
    HOTEL,
    Activity,
    Block,
    Day,
    read_plan,
)
from benchmark.suites.grouptravel.preferences import FIELD, read

_ACTIVITY = {"food": FOOD, "sights": ATTRACTION, "categories": ATTRACTION}
_JOINED = {
    "transport": FIELD["transport.prefer"],
    "food": FIELD["food.prefer_eat"],
    "sights": FIELD["attractions.must_visit"],
    "categories": FIELD["attractions.category_pref.positive"],
}
"""The list of wishes that an accepted item joins, by its subject."""


class Trial:
    """Drafts over what the tools have said by now."""

    def __init__(self, brief: Brief, travellers: Sequence[str], log: Sequence[ToolEntry], seed: int) -> None:
        self._brief, self._travellers, self._seed = brief, travellers, seed
        self._known = read_log(log)

    def uses(self, tables: Mapping[str, Any], request: Request, budget: float) -> bool:
        """Whether a draft by these tables makes use of what is requested. budget: the limit that is to be raised."""
        draft = Planner(self._brief, tables, self._travellers, self._known, self._seed).draft()
        return holds(draft, request, self._known, budget)


def holds(itinerary: Mapping[str, Any], request: Request, known: Knowledge, budget: float = 0) -> bool:
    """Whether an itinerary holds what somebody was asked to accept, with them taking part; or costs them more."""
    days = read_plan(itinerary).days
    if request.subject == "budget":
        return _cost(days, request.user) > budget
    if request.subject == "transport":
        return any(leg.mode == request.item for day in days for leg in day.legs)
    return any(
        one.kind == _ACTIVITY.get(request.subject) and _is_of(request, one.location, known)
        for day in days
        for block in day.blocks
        if block.city == request.city
        for one in _joined(block, request.user)
    )


def with_pledges(tables: Mapping[str, Any], pledged: Iterable[Request]) -> dict[str, Any]:
    """The tables with whoever agreed to an item among those who like it, so that no plan leaves it out."""
    changed: dict[str, Any] = deepcopy(dict(tables))
    for request in pledged:
        read(changed[request.user], _JOINED[request.subject], request.city or "").append(request.item)
    return changed


def _is_of(request: Request, name: str, known: Knowledge) -> bool:
    if request.item in name or request.subject == "sights":
        return request.item in name
    places = places_in(known, request.city or "")
    return any(place.name == name and category_of(place) == request.item for place in places)


def _joined(block: Block, user: str) -> Iterator[Activity]:
    """The activities in which a traveller takes part."""
    return (one for one in block.activities if one.shared or user in one.participants)


def _cost(days: Sequence[Day], user: str) -> float:
    """CNY for legs, nights and the traveller's own meals: what a budget covers."""
    legs = sum(leg.cost for day in days for leg in day.legs)
    joined = (one for day in days for block in day.blocks for one in _joined(block, user))
    return float(legs + sum(one.cost for one in joined if one.kind in (FOOD, HOTEL)))
