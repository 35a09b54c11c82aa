"""What a task needs of the world in which it runs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from benchmark.suites.base import Needs
from benchmark.suites.grouptravel.preferences import filled
from benchmark.suites.grouptravel.tasks.task import Task


def needs(task: Task) -> Needs:
    """The city of departure and those of the trip, what somebody must see, and the ways there and back."""
    home = task.metadata.departure_city
    cities = [home, *task.metadata.cities]
    return Needs(cities, list(_sights(task)), list(pairwise([*cities, home])))


def _sights(task: Task) -> Iterator[tuple[str, str]]:
    for card in task.user_preferences.values():
        for field, city, value in filled(card.preference):
            if (field.topic, field.tier) == ("attraction_name", "must") and isinstance(value, list):
                yield from ((city, name) for name in value if isinstance(name, str))
