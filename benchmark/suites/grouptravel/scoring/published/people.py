"""Participants: a list of names, or whatever stands in its place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

_EVERYONE = ["All"]


def members(participants: Any, users: Sequence[str]) -> frozenset[str]:
    """Those of `users` who take part; missing, empty or exactly ["All"] participants mean everyone.

    A list is taken as it is, an object as its keys; a text holds every name that is a part of it.
    """
    if not participants or participants == _EVERYONE:
        return frozenset(users)
    if not isinstance(participants, (list, str, dict)):
        return frozenset()
    return frozenset([user for user in users if user in participants])


def party(participants: Any) -> frozenset[Any]:
    """Who goes together, as the split penalty compares it: a text is the set of its characters."""
    return frozenset(walked(participants))


def walked(participants: Any) -> list[Any]:
    """The participants one by one, as local transport follows them: unknown names too, a text by characters."""
    listed = participants if isinstance(participants, (list, str, dict)) else ()
    return [name for name in listed if not isinstance(name, (list, dict))]
