"""What a session asks of cache, retrieval and world, one question at a time."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sandbox.cache import Cache, Normalisation
from sandbox.calls import Call
from sandbox.retrieval import FieldsEmbedder, IndexKind, open_indexes
from sandbox.toolbox import world_tools
from sandbox.worlds import open_world
from tests.bench.sandbox_data import Sandbox

TOP = 8
_UNASKED_RADIUS = 7
"""A radius in kilometres that no synthetic call has."""


def published_hits(sandbox: Sandbox) -> Callable[[Call], object]:
    """Exact hits."""
    return _hits(sandbox, "published")


def semantic_hits(sandbox: Sandbox) -> Callable[[Call], object]:
    """Hits of calls that are written differently."""
    return _hits(sandbox, "strict-semantic")


def _hits(sandbox: Sandbox, normalisation: Normalisation) -> Callable[[Call], object]:
    cache = Cache.open(sandbox.cache)

    def find(call: Call) -> None:
        if cache.find(call, normalisation) is None:
            raise AssertionError(f"{call} is cached, and was not found")

    return find


def misses(sandbox: Sandbox) -> Callable[[Call], object]:
    """From the miss to the eight nearest calls with their answers, by the exact index."""
    return _misses(sandbox, "exact")


def approximate_misses(sandbox: Sandbox) -> Callable[[Call], object]:
    """The same by the approximate one."""
    return _misses(sandbox, "approximate")


def _misses(sandbox: Sandbox, kind: IndexKind) -> Callable[[Call], object]:
    cache = Cache.open(sandbox.cache)
    indexes = open_indexes(sandbox.indexes, cache.pack.digest, FieldsEmbedder(), kind)

    def look(call: Call) -> None:
        if cache.find(call, "published") is not None:
            raise AssertionError(f"{call} should have been missed")
        near = indexes.search(call, TOP)
        if len(cache.pack.entries(call.tool, [each.number for each in near])) != TOP:
            raise AssertionError(f"{call} has fewer than {TOP} neighbours")

    return look


def place_searches(sandbox: Sandbox) -> Callable[[dict[str, Any]], object]:
    """search_poi over the world."""
    toolbox = world_tools(open_world(sandbox.world))

    def search(arguments: dict[str, Any]) -> None:
        if (outcome := toolbox.call("search_poi", arguments)).error_kind:
            raise AssertionError(outcome.result)

    return search


def cached_calls(folder: Path, count: int, tool: str | None = None) -> list[Call]:
    """Calls of a cache at random, of one tool or of all in proportion."""
    cache, chance = Cache.open(folder), random.Random(11)
    counted = {name: number for name, number in cache.counts.items() if tool in (None, name)}
    drawn = chance.choices(list(counted), list(counted.values()), k=count)
    found = []
    for name in counted:
        numbers = [chance.randrange(counted[name]) for _ in range(drawn.count(name))]
        found += [entry.call for entry in cache.pack.entries(name, numbers)]
    cache.close()
    return found


def respelled_call(call: Call) -> Call:
    """The same call to `strict-semantic`, another one to `published`."""
    spaced = {
        name: f" {value} " if isinstance(value, str) else value for name, value in call.arguments.items()
    }
    return Call(call.tool, spaced)


def altered_search(call: Call) -> Call:
    """A search_poi call close to a cached one."""
    changed = {"keywords": f"{call.arguments['keywords']}周边", "radius_km": _UNASKED_RADIUS}
    return Call(call.tool, {**call.arguments, **changed})
