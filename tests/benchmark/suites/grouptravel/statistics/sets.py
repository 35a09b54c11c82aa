"""Tasks of our own making, for statistics."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmark.suites.grouptravel.tasks import Task

CITY = "杭州市"


def table(
    *,
    budget: Any = 2000,
    sights: Any = 3,
    hours: Any = 8,
    transport: Mapping[str, Any] | None = None,
    hotel: Mapping[str, Any] | None = None,
    city: str = CITY,
    attractions: Mapping[str, Any] | None = None,
    categories: Mapping[str, Any] | None = None,
    food: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """A preference table over one city; lists that are not given are missing."""
    return {
        "global_constraints": {
            "avg_budget": budget,
            "transport": dict(transport or {}),
            "intensity": {"max_poi_per_day": sights, "max_active_hours": hours},
            "hotel_preference": dict(hotel or {}),
        },
        "city_specific_preferences": {
            city: {
                "attractions": {**(attractions or {}), "category_pref": dict(categories or {})},
                "food": dict(food or {}),
            }
        },
    }


def task(*tables: dict[str, Any], **given: Any) -> Task:
    """A task of these users, by the names User1 and so on; given: fields of the task or of its metadata."""
    people = len(tables) + len(given.get("child_members", ()))
    metadata = {
        "departure_city": "上海市",
        "cities": [CITY],
        "date": "两天一夜",
        "group_id": f"{people}-1",
        "group_name": "",
        "compromise_pattern": [],
        "child_members": [],
    }
    whole: dict[str, Any] = {
        "task_id": "task_1",
        "query": "a trip",
        "time": "2025-10-01",
        "difficulty_score": 1.0,
        "difficulty_type": "easy",
    }
    for key, value in given.items():
        (metadata if key in metadata else whole)[key] = value
    users = {
        f"User{number}": {"role": "", "preference": one, "compromisable": False}
        for number, one in enumerate(tables, 1)
    }
    return Task.model_validate({**whole, "metadata": metadata, "user_preferences": users})
