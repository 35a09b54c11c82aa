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

_ACTIVITY = {"food": "food", "sights": "attraction", "categories": "attraction"}


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
    segments = [segment for day in itinerary["days"] for segment in day["city_segments"]]
    if request.subject == "budget":
        return _cost(segments, request.user) > budget
    if request.subject == "transport":
        return any(segment.get("transport_mode") == request.item for segment in segments)
    return any(
        one["type"] == _ACTIVITY.get(request.subject) and _is_of(request, one["location"], known)
        for segment in segments
        if segment.get("city") == request.city
        for one in _joined(segment, request.user)
    )


def with_pledges(tables: Mapping[str, Any], pledged: Iterable[Request]) -> dict[str, Any]:
    """The tables with whoever agreed to an item among those who like it, so that no plan leaves it out."""
    changed: dict[str, Any] = deepcopy(dict(tables))
    for request in pledged:
        _list(changed[request.user], request).append(request.item)
    return changed


def _list(table: dict[str, Any], request: Request) -> list[str]:
    """The list of wishes that an accepted item joins."""
    if request.subject == "transport":
        found: list[str] = table["global_constraints"]["transport"]["prefer"]
        return found
    part = table["city_specific_preferences"][request.city]
    if request.subject == "food":
        found = part["food"]["prefer_eat"]
    elif request.subject == "sights":
        found = part["attractions"]["must_visit"]
    else:
        found = part["attractions"]["category_pref"]["positive"]
    return found


def _is_of(request: Request, name: str, known: Knowledge) -> bool:
    if request.item in name or request.subject == "sights":
        return request.item in name
    places = places_in(known, request.city or "")
    return any(place.name == name and category_of(place) == request.item for place in places)


def _joined(segment: Mapping[str, Any], user: str) -> Iterator[Mapping[str, Any]]:
    """The activities in which a traveller takes part."""
    for activity in segment.get("activities", ()):
        who = activity.get("participants", ["All"])
        if who == ["All"] or user in who:
            yield activity


def _cost(segments: Sequence[Mapping[str, Any]], user: str) -> float:
    """CNY for legs, nights and the traveller's own meals: what a budget covers."""
    paid = (one for segment in segments for one in _joined(segment, user) if one["type"] in {"food", "hotel"})
    return float(
        sum(segment.get("avg_cost", 0) for segment in segments) + sum(one["avg_cost"] for one in paid)
    )
