"""Ended sessions that were played once: each is a file here, and its rows are in the database in milliseconds.

A test that needs an ended session, not the playing of one, asks the fixture `recorded` for it by its name in `NAMES`.
`python -m tests.recordings.make` plays all of them anew; `test_recorded.py` says when they no longer match the code.
"""

from __future__ import annotations

import json
import lzma
import re
from copy import deepcopy
from datetime import date
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from django.apps import apps
from django.db import models
from django.utils import timezone

from tests.stored_rows import StoredRows

if TYPE_CHECKING:
    from webapp.catalogue.models import Task, World
    from webapp.sessions.models import Session

FOLDER = Path(__file__).resolve().parent
NAMES = (
    "easy",
    "english",
    "medium",
    "models",
    "travelbench_single",
    "travelbench_multi",
    "travelbench_unsolvable",
)
"""easy, english, medium: GroupTravelBench without a model (the last of four travellers to two cities). models: agent
and travellers over models, with a cassette. The others: TravelBench without a model, a session a kind of task."""

SESSION = "caravan_sessions.Session"
PARTS = (
    "seats.Seat",
    "caravan_sessions.Event",
    "caravan_sessions.ModelSpending",
    "caravan_sessions.Score",
    "caravan_sessions.MetricValue",
    "cassettes.ModelExchange",
    "cassettes.ModelText",
)
"""The tables, beside its own, that hold what an ended session is."""
ENDPOINT = ("name", "base_url", "model", "input_price", "output_price", "currency")
"""What is recorded of a model's endpoint."""

NOBODY = "http://127.0.0.1:9/v1"
"""The address of the models in a recording: nobody listens there."""
_LOCAL_SERVER = re.compile(r"http://127\.0\.0\.1:\d+/v1")


def path_of(name: str) -> Path:
    """The file of a recorded session."""
    return FOLDER / f"{name}.json.xz"


def write(name: str, session: Session) -> None:
    """Record an ended session under this name."""
    text = json.dumps(recording_of(session), ensure_ascii=False, separators=(",", ":"))
    text = _LOCAL_SERVER.sub(NOBODY, text)
    path_of(name).write_bytes(lzma.compress(text.encode(errors="surrogatepass"), preset=9))


def recording_of(session: Session) -> dict[str, Any]:
    """The rows of a session by table, its task and the endpoints that it names, as JSON holds them."""
    from webapp.endpoints.models import ModelEndpoint

    rows = {
        label: [_columns(row) for row in apps.get_model(label)._default_manager.filter(session=session)]
        for label in PARTS
    }
    rows[SESSION] = [_columns(session)]
    named = {row[column] for label in rows for row in rows[label] for column in _endpoint_columns(label)}
    used = ModelEndpoint.objects.in_bulk([key for key in named if key is not None])
    return {
        "task": _columns(session.task),
        "rows": rows,
        "endpoints": {
            str(key): {field: getattr(endpoint, field) for field in ENDPOINT}
            for key, endpoint in used.items()
        },
    }


def _endpoint_columns(label: str) -> list[str]:
    """The columns of a table that hold the key of an endpoint."""
    from webapp.endpoints.models import ModelEndpoint

    fields = apps.get_model(label)._meta.fields
    return [field.attname for field in fields if field.related_model is ModelEndpoint]


def _columns(row: models.Model) -> dict[str, Any]:
    """The columns of a row; a time as ISO text."""
    values = {field.attname: field.value_from_object(row) for field in row._meta.fields}
    return {name: value.isoformat() if isinstance(value, date) else value for name, value in values.items()}


@cache
def _recording(name: str) -> dict[str, Any]:
    """What a file holds; nobody changes it."""
    text = lzma.decompress(path_of(name).read_bytes()).decode(errors="surrogatepass")
    return cast("dict[str, Any]", json.loads(text))


@cache
def _parts(name: str) -> list[tuple[StoredRows[Any], dict[str, str]]]:
    """The rows of the tables beside its own, and of which recorded endpoint each of their columns holds the key."""
    parts = []
    for label in PARTS:
        model, columns = apps.get_model(label), _endpoint_columns(label)

        def named_endpoints(row: dict[str, Any], columns: list[str] = columns) -> dict[str, str]:
            return {column: str(row[column]) for column in columns}

        for named, alike in groupby(_recording(name)["rows"][label], key=named_endpoints):
            blank = {"id": None, **dict.fromkeys(named)}
            parts.append((StoredRows([_row(model, {**row, **blank}) for row in alike]), named))
    return parts


def load(name: str, world: World, **columns: Any) -> Session:
    """Put a recorded session into the database, as often as it is asked for; its task comes with it if need be.

    columns: of the session's own row, in place of what was recorded.
    """
    from webapp.sessions.models import Session, new_session_id

    recording = _recording(name)
    keys = _store_endpoints(recording["endpoints"])
    own = dict(recording["rows"][SESSION][0])
    if Session.staged_too.filter(pk=own["id"]).exists():
        own["id"] = new_session_id()
    own |= {"task_id": _task(recording["task"], world).pk, "world_id": world.pk, "created_by_id": None}
    own |= {column: keys.get(str(own[column])) for column in _endpoint_columns(SESSION)}
    own |= columns
    Session._default_manager.bulk_create([cast("Session", _row(Session, own))])  # which sends no signal
    new = {"session_id": own["id"], "scored_at": timezone.now()}
    for rows, named in _parts(name):
        rows.store(**new, **{column: keys.get(key) for column, key in named.items()})
    return Session.objects.get(pk=own["id"])


def _row(model: type[models.Model], columns: dict[str, Any]) -> models.Model:
    fields = {field.attname: field for field in model._meta.fields}
    if unknown := columns.keys() - fields.keys():
        raise AssertionError(f"{model.__name__} has no {', '.join(unknown)}: python -m tests.recordings.make")
    return model(**{name: fields[name].to_python(value) for name, value in columns.items()})


def _task(columns: dict[str, Any], world: World) -> Task:
    """The task of this id, which is stored if nobody has brought it in."""
    from webapp.catalogue.models import Task, TaskCollection
    from webapp.catalogue.starter import NAME

    found = Task.objects.filter(task_id=columns["task_id"]).first()
    if found is None:
        collection, _ = TaskCollection.objects.get_or_create(name=NAME, defaults={"world": world})
        given = {**deepcopy(columns), "id": None, "collection_id": collection.pk, "brought_by_id": None}
        found = cast("Task", _row(Task, given))
        found.save(force_insert=True)
    return found


def _store_endpoints(endpoints: dict[str, dict[str, Any]]) -> dict[str, int]:
    """The key here of each endpoint, by its key in the recording."""
    from webapp.endpoints.models import ModelEndpoint

    return {
        key: ModelEndpoint.objects.get_or_create(name=endpoint["name"], defaults=endpoint)[0].pk
        for key, endpoint in endpoints.items()
    }
