"""What lists of tasks show of one, and filter by."""

from __future__ import annotations

from datetime import date
from typing import Any

from benchmark.suites.grouptravel.preferences import conflicts
from benchmark.suites.grouptravel.tasks.task import Task


def listed(task: Task) -> dict[str, Any]:
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
