"""Scoring sessions by their logs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchmark.core.events import Event
from benchmark.suites.grouptravel.conversation.record import run_record
from benchmark.suites.grouptravel.events import SessionOpened
from benchmark.suites.grouptravel.preferences import descend
from benchmark.suites.grouptravel.scoring.catalogue import Catalogue
from benchmark.suites.grouptravel.scoring.score import scores_by_profile


def score_session(
    events: Sequence[Event],
    *,
    definition: Mapping[str, Any],
    world: Catalogue,
    task_index: int = 0,
    trial_id: int = 0,
) -> dict[str, dict[str, Any]]:
    """What `scores_by_profile` gives to the record of a session."""
    record = run_record(events, task_index=task_index, trial_id=trial_id)
    return scores_by_profile(record | _background(events[0], definition), world)


def score_told(
    record: Mapping[str, Any], *, definition: Mapping[str, Any], world: Catalogue
) -> dict[str, dict[str, Any]]:
    """What `scores_by_profile` gives to a published record; its task tells what the record leaves out."""
    return scores_by_profile({**_metadata(definition), **record}, world)


def _metadata(definition: Mapping[str, Any]) -> dict[str, Any]:
    metadata = definition.get("metadata")
    return {"metadata": metadata} if isinstance(metadata, dict) else {}


def _background(opening: Event, definition: Mapping[str, Any]) -> dict[str, Any]:
    """The young children of the task and the city of departure, which a published record does not name."""
    opened = opening.body
    companions = opened.companions if isinstance(opened, SessionOpened) else ()
    children = [{"user": child.name, "role": child.role} for child in companions]
    home = descend(definition, ("metadata", "departure_city"))
    return {"child_members": children, "departure_city": home}
