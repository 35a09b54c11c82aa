"""From a skeleton, tables and openings to a task in the published format (appendix A.3, table 6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmark.suites.grouptravel.synthesis.resources import Trip
from benchmark.suites.grouptravel.synthesis.sentences import context, duration, query
from benchmark.suites.grouptravel.synthesis.validation import yielding


def write_task(
    task_id: str, trip: Trip, tables: Mapping[str, Any], openings: Mapping[str, str], language: str
) -> dict[str, Any]:
    """The task as one line of a task file. tables: in generation order, which is the order of polling."""
    skeleton, archetype = trip.skeleton, trip.archetype
    pattern, lasts = yielding(tables, trip), duration(skeleton.days, language)
    task = {
        "task_id": task_id,
        "query": query(skeleton.cities, lasts, archetype.size, language),
        "time": skeleton.start.isoformat(),
        "context": context(
            skeleton.departure,
            skeleton.start.isoformat(),
            archetype.name(language),
            archetype.size,
            [child.role(language) for child in archetype.children],
            language,
        ),
        "metadata": {
            "departure_city": skeleton.departure,
            "cities": list(skeleton.cities),
            "date": lasts,
            "group_id": archetype.group_id,
            "group_name": archetype.name(language),
            "group_tags": archetype.tags(language),
            "compromise_pattern": list(pattern),
            "child_members": [
                {"user": child.slot, "role": child.role(language)} for child in archetype.children
            ],
        },
        "user_preferences": {
            user: {
                "role": archetype.by_slot[user].role(language),
                "preference": table,
                "compromisable": user in pattern,
            }
            for user, table in tables.items()
        },
        "initial_messages": [
            {"role": member.slot, "content": openings[member.slot]}
            for member in archetype.members
            if member.slot in openings
        ],
        "difficulty_score": skeleton.score,
        "difficulty_type": skeleton.level,
    }
    return task | ({"language": "en"} if language == "en" else {})
