"""A synthetic cache in the published layout, as large as one that researchers have, from a seed.

Shares: GroupTravelBench appendix B.5 (Figure 6) gives search_poi 86 K, plan_route and web_search 47 K each and
search_along_route 259 of 253,533 entries. It leaves 73,274 to the other six tools, which are divided here as sessions
call them: details after searches, geocoding before routes, trains more than flights, comparisons seldom.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import orjson

from sandbox.cache import published_key
from tests.scale.gazetteer import Gazetteer, gazetteer
from tests.scale.knowledge import maps_weather, web_search
from tests.scale.places import get_poi_detail, maps_geo, search_along_route, search_poi
from tests.scale.routes import compare_routes, plan_route
from tests.scale.timetables import travel_search_flights, travel_search_trains

TOTAL = 470_000
PUBLISHED_COUNTS = {
    "search_poi": 86_000,
    "plan_route": 47_000,
    "web_search": 47_000,
    "get_poi_detail": 26_000,
    "maps_geo": 17_000,
    "travel_search_trains": 11_000,
    "maps_weather": 8_500,
    "travel_search_flights": 6_774,
    "compare_routes": 4_000,
    "search_along_route": 259,
}
"""Entries of the published cache."""

MISSED_TOOLS, MISSED_COUNT = ("search_poi", "plan_route"), 50
_TRIES = 1_000
"""Repeated calls in a row after which a tool has no more to ask."""

DrawnCall = tuple[dict[str, Any], dict[str, Any]]
_TOOLS: dict[str, Callable[[Gazetteer, random.Random], Iterator[DrawnCall]]] = {
    "search_poi": search_poi,
    "plan_route": plan_route,
    "web_search": web_search,
    "get_poi_detail": get_poi_detail,
    "maps_geo": maps_geo,
    "travel_search_trains": travel_search_trains,
    "maps_weather": maps_weather,
    "travel_search_flights": travel_search_flights,
    "compare_routes": compare_routes,
    "search_along_route": search_along_route,
}


def counts(total: int = TOTAL) -> dict[str, int]:
    """Entries of each tool in the published proportions; they add up to `total`, and search_poi takes the rest."""
    whole = sum(PUBLISHED_COUNTS.values())
    scaled = {tool: total * count // whole for tool, count in PUBLISHED_COUNTS.items()}
    scaled["search_poi"] += total - sum(scaled.values())
    return scaled


def calls(total: int = TOTAL, seed: int = 0) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Tool, arguments and result (JSON text) of every entry, tool by tool, no call twice.

    A tool's calls with a smaller total are the first of those with a larger one.

    Raises:
        ValueError: a tool has no `total` different calls to ask.
    """
    for tool, count in counts(total).items():
        for arguments, result in calls_of(tool, count, seed):
            yield tool, arguments, result


def calls_of(tool: str, count: int, seed: int = 0, skip: int = 0) -> Iterator[tuple[dict[str, Any], str]]:
    """`count` calls of one tool with their results, after the first `skip` of them."""
    chance = random.Random(f"{seed}/{tool}")
    distinct = _distinct(tool, _TOOLS[tool](gazetteer(seed), chance))
    return islice(distinct, skip, skip + count)


def _distinct(tool: str, drawn: Iterator[DrawnCall]) -> Iterator[tuple[dict[str, Any], str]]:
    seen: set[str] = set()
    repeated = 0
    for arguments, result in drawn:
        key = published_key(arguments)
        repeated = repeated + 1 if key in seen else 0
        if repeated > _TRIES:
            raise ValueError(f"{tool} has no more than {len(seen)} different calls; ask for fewer")
        if not repeated:
            seen.add(key)
            yield arguments, orjson.dumps(result).decode()


def write_published(folder: Path, total: int = TOTAL, seed: int = 0) -> None:
    """Write `TOOL_cache.json` for each tool, and `TOOL_missed.json` for two, streaming."""
    for tool, count in counts(total).items():
        write_tool(folder, tool, count, seed)
    for tool in MISSED_TOOLS:
        missed = calls_of(tool, MISSED_COUNT, seed, skip=counts(total)[tool])
        _write(folder / f"{tool}_missed.json", "[]", (_missed_line(*each) for each in missed))


def write_tool(folder: Path, tool: str, count: int, seed: int = 0) -> None:
    """Write the `TOOL_cache.json` of one tool."""
    folder.mkdir(parents=True, exist_ok=True)
    pairs = ((published_key(arguments), result) for arguments, result in calls_of(tool, count, seed))
    _write(folder / f"{tool}_cache.json", "{}", (f"{_json(key)}:{_json(text)}" for key, text in pairs))


def _missed_line(arguments: dict[str, Any], result: str) -> str:
    told = {"params": _json(arguments), "simulated_result": result, "timestamp": "2026-01-05T09:30:00"}
    return _json(told)


def _write(path: Path, brackets: str, items: Iterable[str]) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.write(brackets[0])
        for number, item in enumerate(items):
            file.write(("," if number else "") + item)
        file.write(brackets[1])


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
