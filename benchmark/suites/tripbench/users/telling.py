"""A plan as its user reads it: prose, a line for each activity."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from benchmark.plans.view import Plan
from benchmark.suites.tripbench.itineraries import DAYS
from benchmark.suites.tripbench.plans.schema import PLAN
from benchmark.suites.tripbench.users.words import say


def parts(owner: object, key: str) -> Sequence[Mapping[str, Any]]:
    """The objects of a list, whatever the shape of their owner."""
    listed = owner.get(key) if isinstance(owner, Mapping) else None
    return [part for part in listed if isinstance(part, Mapping)] if isinstance(listed, list) else []


def tell_plan(plan: Plan, language: str) -> str:
    """A plan of any shape in words."""
    lines = list(_lines(plan.get(PLAN), language))
    return "\n".join(lines) or say(language, "plan_unchanged")


def _lines(trip: object, language: str) -> Iterator[str]:
    for number, day in enumerate(parts(trip, DAYS), 1):
        yield say(language, "plan_day", day=number, date=day.get("date"), cities=day.get("cities"))
        hotel = day.get("hotel")
        if isinstance(hotel, Mapping):
            yield say(language, "plan_hotel", id=hotel.get("id"))
        for one in parts(day, "activities"):
            id_ = say(language, "plan_id", id=one["id"]) if one.get("id") else ""
            told = {key: one.get(key, "") for key in ("time", "type", "description")}
            yield say(language, "plan_activity", item=id_, **told)
