"""What the agent did not come to know, and how that came about: who said what where, or that nobody asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmark.core.events import AgentNoted, Event, MessagePosted, ToolCalled, ToolReturned
from benchmark.suites.grouptravel.preferences import PreferenceField
from webapp.suites.grouptravel.wording.fields import field_of, path_label, value_words

_IN_HISTORY = (MessagePosted, AgentNoted, ToolCalled, ToolReturned)


@dataclass(frozen=True)
class Miss:
    """An item the agent lacks. seq: of the message that `how` speaks of, None where there is none.

    how: the traveller `said` it there, `mentioned` it, or was `asked` about such wishes; "" where nobody asked.
    other_field: the field in which the agent holds it instead, "" for none.
    """

    item: str
    seq: int | None
    how: str
    other_field: str


@dataclass(frozen=True)
class Gap:
    """A field in which the agent's belief is not the traveller's table. stale: held since before a compromise."""

    label: str
    misses: tuple[Miss, ...]
    invented_text: str
    stale: str
    counted: bool


def history_seqs(events: Sequence[Event]) -> list[int]:
    """The event number of each entry of the record's `conversation_history`."""
    return [event.seq for event in events if isinstance(event.body, _IN_HISTORY)]


def gaps(fields: Sequence[Mapping[str, Any]], seqs: Sequence[int]) -> Iterator[Gap]:
    """One for each field of a traveller's completeness evidence that is not fully right."""
    for entry in fields:
        if entry["missed"] or entry["invented"]:
            yield _gap(entry, seqs)


def _gap(entry: Mapping[str, Any], seqs: Sequence[int]) -> Gap:
    field, _city = field_of(entry["path"])
    stale = entry.get("stale", [])
    return Gap(
        label=path_label(entry["path"]),
        misses=tuple(_miss(item, entry, field, seqs) for item in entry["missed"]),
        invented_text=_values([item for item in entry["invented"] if item not in stale], field),
        stale=_values(stale, field),
        counted=entry.get("counted", True),
    )


def _miss(item: Any, entry: Mapping[str, Any], field: PreferenceField | None, seqs: Sequence[int]) -> Miss:
    how, at = _first_heard(item, entry)
    elsewhere = next((path for held, path in entry.get("wrong_tier", ()) if held == item), "")
    return Miss(
        item=value_words(item, field),
        seq=seqs[at] if at is not None and at < len(seqs) else None,
        how=how,
        other_field=path_label(elsewhere) if elsewhere else "",
    )


def _first_heard(item: Any, entry: Mapping[str, Any]) -> tuple[str, int | None]:
    for how in ("said", "mentioned"):
        for text, at in entry.get(how, ()):
            if text == item and at is not None:
                return how, at
    asked = entry.get("asked")
    return "" if asked is None else "asked", asked


def _values(values: Any, field: PreferenceField | None) -> str:
    return "、".join(value_words(value, field) for value in values)
