"""Reading what tools returned: answers may come from other people's caches, or from a model."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

_TEXTS = (
    *("name", "kind", "category", "city", "address", "location", "opening_text", "date", "text"),
    *(
        "mode",
        "number",
        "depart",
        "arrive",
        "from_station",
        "to_station",
        "from_airport",
        "to_airport",
        "cost_per",
    ),
)
_NUMBERS = ("price", "rating", "distance_m", "duration_minutes", "day_offset", "cost", "rain_chance")
_LISTS = ("pois", "trains", "flights", "days", "routes", "answers")
_MOST = 1e9
"""No figure of a trip is as large."""


@lru_cache(maxsize=1024)
def object_in(result: str) -> Mapping[str, Any] | None:
    """The object that a tool returned, None for errors and for what is no object.

    A field that should hold a text, a list or a figure and holds something else is left out, at any depth. The log is
    read several times in a session; an answer is read once, and nobody changes it.
    """
    try:
        read = _sound(json.loads(result))
    except (ValueError, RecursionError):
        return None
    return read if isinstance(read, dict) and "error" not in read else None


def _sound(value: Any) -> Any:
    if isinstance(value, list):
        return [_sound(each) for each in value]
    if isinstance(value, dict):
        return {name: _sound(held) for name, held in value.items() if held is None or _fits(name, held)}
    return value


def _fits(name: str, held: Any) -> bool:
    if name in _TEXTS:
        return isinstance(held, str)
    if name in _NUMBERS:
        return isinstance(held, int | float) and not isinstance(held, bool) and 0 <= held < _MOST
    return isinstance(held, list) if name in _LISTS else True
