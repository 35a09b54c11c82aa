"""What a task shows in lists, and what it needs of a world."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from itertools import pairwise
from typing import Any

from benchmark.suites.base import Needs
from benchmark.suites.grouptravel.preferences import conflicts, filled_fields
from benchmark.suites.grouptravel.tasks.task import Task

# What lists of tasks show of one, and filter by.


def task_columns(task: Task) -> dict[str, Any]:
    """The columns of a task's row."""
    return {
        "query": task.query,
        "departure_date": date.fromisoformat(task.time),
        "difficulty": task.difficulty_type,
        "size": len(task.users),
        "children": len(task.metadata.child_members),
        "city_count": len(task.metadata.cities),
        "cities": task.metadata.cities,
        "days": task.days,
        "conflicts": conflict_count(task),
        "archetype": task.metadata.group_name,
        "language": task.language,
    }


def conflict_count(task: Task) -> int:
    """Item-level conflicts over all directed pairs of travellers (appendix A.9.3)."""
    return len(conflicts({user: card.preference for user, card in task.user_preferences.items()}))


def needs(task: Task) -> Needs:
    """The city of departure and those of the trip, what somebody must see, and the ways there and back."""
    home = task.metadata.departure_city
    cities = [home, *task.metadata.cities]
    return Needs(cities, list(_sights(task)), list(pairwise([*cities, home])))


def _sights(task: Task) -> Iterator[tuple[str, str]]:
    for card in task.user_preferences.values():
        for field, city, value in filled_fields(card.preference):
            if (field.topic, field.tier) == ("attraction_name", "must") and isinstance(value, list):
                yield from ((city, name) for name in value if isinstance(name, str))
