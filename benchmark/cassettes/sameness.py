"""Whether two logs tell the same session."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from benchmark.cassettes.wording import both, same, shorten
from benchmark.core.events import Event

DURATIONS = frozenset({"latency_ms", "first_ms", "retry_in_s"})
"""Fields of events that no two runs share."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Where two logs first differ in an event.

    type: of the recorded event, or of the other where nothing more was recorded. path: the field, dotted; empty
    where one log has no such event. recorded, now: the values around their difference, quoted; empty for nothing.
    """

    seq: int
    type: str
    path: str
    recorded: str
    now: str

    def __str__(self) -> str:
        name = f"event {self.seq} ({self.type})"
        if self.path:
            return f"{name}, {self.path}: recorded {self.recorded or 'nothing'}, now {self.now or 'nothing'}"
        return f"{name} is missing now" if self.recorded else f"{name} was not recorded"


def differences(recorded: Iterable[Event], now: Iterable[Event]) -> Iterator[Difference]:
    """The events in which two logs differ but for times and durations, each with its first field that does."""
    for one, other in zip_longest(recorded, now):
        if (difference := _difference_of(one, other)) is not None:
            yield difference


def first_difference(recorded: Iterable[Event], now: Iterable[Event]) -> Difference | None:
    """Where a log first departs from the recorded one, None where both are the same but for times and durations."""
    return next(differences(recorded, now), None)


def _difference_of(one: Event | None, other: Event | None) -> Difference | None:
    if one is None or other is None:
        there = one or other
        assert there is not None
        shown = shorten(there.body.type)
        return Difference(there.seq, there.body.type, "", *((shown, "") if other is None else ("", shown)))
    path, was, is_now = _first(_plain(one), _plain(other))
    return Difference(one.seq, one.body.type, path, was, is_now) if path else None


def _plain(event: Event) -> dict[str, Any]:
    fields = event.body.model_dump(mode="json", exclude=set(DURATIONS))
    return {"type": fields.pop("type"), "actor": event.actor, "audience": event.audience, **fields}


def _first(one: Any, other: Any, path: str = "") -> tuple[str, str, str]:
    """The path of the first difference with both values; an empty path where there is none."""
    if same(one, other):
        return "", "", ""
    if isinstance(one, dict) and isinstance(other, dict):
        keys = list(dict.fromkeys([*one, *other]))
        return _first_of(
            {k: one[k] for k in keys if k in one}, {k: other[k] for k in keys if k in other}, path
        )
    if isinstance(one, list) and isinstance(other, list):
        return _first_of(dict(enumerate(one)), dict(enumerate(other)), path)
    return path, *both(one, other)


def _first_of(one: dict[Any, Any], other: dict[Any, Any], path: str) -> tuple[str, str, str]:
    for key in dict.fromkeys([*one, *other]):
        below = f"{path}.{key}" if path else str(key)
        if key not in other:
            return below, shorten(one[key]), ""
        if key not in one:
            return below, "", shorten(other[key])
        difference = _first(one[key], other[key], below)
        if difference[0]:
            return difference
    raise AssertionError("two values that are not the same differ nowhere")
