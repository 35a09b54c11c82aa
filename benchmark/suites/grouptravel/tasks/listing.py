"""What a task shows in lists, and what it needs of a world."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from itertools import pairwise

from benchmark.metrics import gettext_noop as _
from benchmark.suites.base import Needs, Place, TaskColumn, TaskField
from benchmark.suites.grouptravel.preferences import conflicts, filled_fields
from benchmark.suites.grouptravel.tasks.task import Task

LEVELS = {"easy": _("easy"), "medium": _("medium"), "hard": _("hard")}
"""The difficulties, in words."""


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


_IN_TABLES: tuple[Place, ...] = ("tasks", "sessions")
_BESIDE_SESSIONS: tuple[Place, ...] = ("sessions", "groups")
FIELDS: tuple[TaskField[Task], ...] = (
    TaskField(
        "group",
        _("group"),
        "text",
        lambda task: task.metadata.group_name,
        usual=True,
        column="archetype",
        places=("tasks",),
    ),
    TaskField(
        "size",
        _("travellers"),
        "count",
        lambda task: len(task.users),
        filtered=True,
        column="size",
        places=("tasks",),
    ),
    TaskField(
        "cities", _("cities"), "names", lambda task: task.metadata.cities, column="cities", places=_IN_TABLES
    ),
    TaskField(
        "difficulty",
        _("difficulty"),
        "choice",
        lambda task: task.difficulty_type,
        LEVELS,
        filtered=True,
        usual=True,
        column="difficulty",
    ),
    TaskField(
        "conflicts",
        _("conflicts"),
        "count",
        conflict_count,
        {"yes": _("some"), "no": _("none")},
        filtered=True,
        usual=True,
        column="conflicts",
        places=("tasks",),
    ),
    TaskField(
        "children",
        _("children"),
        "some",
        lambda task: len(task.metadata.child_members),
        {"on": _("With young children")},
        filtered=True,
        usual=True,
        column="children",
        places=("tasks",),
    ),
    TaskField("days", _("days"), "count", lambda task: task.days, column="days", places=("tasks",)),
    TaskField(
        "leaves",
        _("date"),
        "date",
        lambda task: date.fromisoformat(task.time),
        usual=True,
        column="departure_date",
        places=("tasks",),
    ),
    # the same, as tables of sessions and groups of tasks have them: everybody who travels is counted there
    TaskField("archetype", _("archetype"), "text", None, column="archetype", places=_BESIDE_SESSIONS),
    TaskField(
        "size", _("group size"), "count", None, filtered=True, column="size+children", places=_BESIDE_SESSIONS
    ),
    TaskField("cities", _("number of cities"), "count", None, column="city_count", places=("groups",)),
)
COLUMNS = (TaskColumn(("leaves", "group"), _("leaves, group")), TaskColumn(("difficulty",)))
"""What short lists show beside the title."""
SEARCH_KEYS = ("cities", "leaves", "group", "difficulty")
"""What a search looks through beside the ids."""
