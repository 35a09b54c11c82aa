"""Preference tables as the agent writes them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from benchmark.suites.grouptravel.itineraries import first_object


def read_table(content: str, users: Collection[str]) -> dict[str, Any] | None:
    """The first JSON object of a text when it is {user: preference table}, else None.

    Every key has to be a user and every value an object; a table of no user is none.
    """
    found = first_object(content)
    if not found or not all(name in users and isinstance(own, dict) for name, own in found.items()):
        return None
    return found
