"""What a method is to plan for: the query as it was understood, and sights by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from pydantic import ValidationError

from benchmark.suites.tripscore.scoring.parameters import DEFAULTS, Parameters
from benchmark.suites.tripscore.tasks import Task
from benchmark.suites.tripscore.tasks.task import Query

_KEYS: Final = (
    "departure_city",
    "cities",
    "days",
    "start_date",
    "return_required",
    "fixed_order",
    "preferences",
)
MUST, AVOID = "must_visit", "avoid"


class Unreadable(ValueError):
    """What a model wrote is not what it was asked for; a line for each fault, with its field."""


@dataclass(frozen=True)
class Request:
    """task: with the query as it was understood. must_ids, avoided_ids: of sights. parameters: of the rules."""

    task: Task
    must_ids: frozenset[str] = field(default_factory=frozenset)
    avoided_ids: frozenset[str] = field(default_factory=frozenset)
    parameters: Parameters = DEFAULTS


def read_request(task: Task, told: Mapping[str, Any], parameters: Parameters = DEFAULTS) -> Request:
    """A model's JSON constraints; what it leaves out is as the query has it. Raises Unreadable."""
    known = {sight.id for sight in task.reference.attractions}
    faults = [f"{key}: there is no such field" for key in told if key not in (*_KEYS, MUST, AVOID)]
    own = task.query.model_dump(mode="json", exclude_unset=True)
    query = task.query
    try:
        query = Query.model_validate(
            {**own, **{key: told[key] for key in _KEYS if told.get(key) is not None}}
        )
    except ValidationError as error:
        faults += [f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors()]
    ids = {key: _ids(told, key, known, faults) for key in (MUST, AVOID)}
    if faults:
        raise Unreadable("\n".join(faults))
    return Request(task.model_copy(update={"query": query}), ids[MUST], ids[AVOID] - ids[MUST], parameters)


def _ids(told: Mapping[str, Any], key: str, known: set[str], faults: list[str]) -> frozenset[str]:
    given = told.get(key) or []
    if not isinstance(given, list) or not all(isinstance(id_, str) for id_ in given):
        faults.append(f"{key}: not a list of ids")
        return frozenset()
    faults += [f"{key}: no sight has the id “{id_[:40]}”" for id_ in given if id_ not in known]
    return frozenset(given)
