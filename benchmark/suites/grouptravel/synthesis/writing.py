"""From a skeleton, tables and openings to a task in the published format (appendix A.3, table 6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchmark.suites.grouptravel.synthesis.archetypes import Member
from benchmark.suites.grouptravel.synthesis.english import glossed, listed
from benchmark.suites.grouptravel.synthesis.resources import Trip
from benchmark.suites.grouptravel.synthesis.skeletons import Skeleton
from benchmark.suites.grouptravel.synthesis.validation import yielding

_HAN = "零一两三四五六七"


def write_task(
    task_id: str, trip: Trip, tables: Mapping[str, Any], openings: Mapping[str, str], language: str
) -> dict[str, Any]:
    """The task as one line of a task file. tables: in generation order, which is the order of polling."""
    skeleton, archetype = trip.skeleton, trip.archetype
    pattern = yielding(tables, trip)
    task = {
        "task_id": task_id,
        "query": _query(skeleton, language),
        "time": skeleton.start.isoformat(),
        "context": _context(skeleton, language),
        "metadata": {
            "departure_city": skeleton.departure,
            "cities": list(skeleton.cities),
            "date": duration(skeleton.days, language),
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


def duration(days: int, language: str) -> str:
    """三天两夜; 3 days and 2 nights."""
    nights = days - 1
    if language == "en":
        return f"{days} days and {nights} night{'s' if nights > 1 else ''}"
    return f"{_HAN[days]}天{_HAN[nights]}夜"


def _query(skeleton: Skeleton, language: str) -> str:
    people, length = skeleton.archetype.size, duration(skeleton.days, language)
    if language == "en":
        cities = listed([glossed("cities", city) for city in skeleton.cities])
        return f"{cities}, {length}, a trip for {people} people"
    return f"{'、'.join(skeleton.cities)}，{length}，{people}人的旅行计划"


def _context(skeleton: Skeleton, language: str) -> str:
    archetype, start = skeleton.archetype, skeleton.start.isoformat()
    if language == "en":
        home = glossed("cities", skeleton.departure)
        group = f"{archetype.name_en} ({archetype.size} people)"
        text = f"Departure city: {home}; departure date: {start}; group: {group}"
        return text + _children("; children along: ", archetype.children, language)
    text = f"出发城市：{skeleton.departure}；出行日期：{start}；团队类型：{archetype.name_zh}（共{archetype.size}人）"
    return text + _children("；随行儿童：", archetype.children, language)


def _children(label: str, children: Sequence[Member], language: str) -> str:
    joint = ", " if language == "en" else "、"
    return label + joint.join(child.role(language) for child in children) if children else ""
