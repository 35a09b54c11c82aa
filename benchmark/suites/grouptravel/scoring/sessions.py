"""Scoring sessions by their logs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmark.core.events import Event
from benchmark.core.setting import Definition, Setting
from benchmark.core.sheets import Sheet
from benchmark.suites.base import Log
from benchmark.suites.grouptravel.conversation.record import run_record
from benchmark.suites.grouptravel.events import SessionOpened
from benchmark.suites.grouptravel.preferences import descend
from benchmark.suites.grouptravel.scoring.catalogue import Catalogue
from benchmark.suites.grouptravel.scoring.score import scores_by_profile
from benchmark.suites.grouptravel.tasks import Task


def score_session(log: Log, setting: Setting[Task, Catalogue]) -> dict[str, Sheet]:
    """What `scores_by_profile` gives to the record of a session."""
    return _sheets(session_record(log, setting), setting)


def session_record(log: Log, setting: Setting[Task, Catalogue]) -> dict[str, Any]:
    """The record of a session, with what its task tells beside it."""
    return run_record(log, trial_id=setting.trial_id) | _background(log[0], setting.definition)


def score_told(record: Mapping[str, Any], setting: Setting[Task, Catalogue]) -> dict[str, Sheet]:
    """What `scores_by_profile` gives to a published record; its task tells what the record leaves out."""
    return _sheets({**_metadata(setting.definition), **record}, setting)


def _sheets(record: Mapping[str, Any], setting: Setting[Task, Catalogue]) -> dict[str, Sheet]:
    assert setting.world is not None  # `Scoring.world` makes one of any pack
    scores = scores_by_profile(record, setting.world)
    return {name: Sheet(figures, figures.pop("evidence")) for name, figures in scores.items()}


def _metadata(definition: Definition) -> dict[str, Any]:
    metadata = definition.get("metadata")
    return {"metadata": metadata} if isinstance(metadata, dict) else {}


def _background(opening: Event, definition: Definition) -> dict[str, Any]:
    """The young children of the task and the city of departure, which a published record does not name."""
    opened = opening.body
    companions = opened.companions if isinstance(opened, SessionOpened) else ()
    children = [{"user": child.name, "role": child.role} for child in companions]
    home = descend(definition, ("metadata", "departure_city"))
    return {"child_members": children, "departure_city": home}
