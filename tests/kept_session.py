"""A session that was made by the code once, put in again as another one: a tenth of the time."""

from __future__ import annotations

from typing import Any

from django.apps import apps

from tests.stored_rows import StoredRows
from webapp.catalogue.models import Task, World
from webapp.jobs.models import Job
from webapp.sessions.models import Event, Session, new_session_id
from webapp.tables.models import SessionSearchIndex
from webapp.tables.search import store_lines, stored_lines

TABLES = (
    "seats.Seat",
    "caravan_sessions.Event",
    "caravan_sessions.Score",
    "caravan_sessions.MetricValue",
    "reports.SessionFigures",
    "tables.Entry",
)
"""Beside its own, the jobs and what is searched: their rows name the session and no row of one another."""


class KeptSession:
    """An ended, scored session with all that the database holds of it, in the first test that wanted it."""

    def __init__(self, session: Session) -> None:
        _refuse_others(session)
        self._session = StoredRows([session])
        self._parts = [StoredRows(rows) for label in TABLES if (rows := _rows(label, session))]
        self._jobs = StoredRows(Job.objects.filter(subject=session.pk))
        searched = stored_lines(SessionSearchIndex.objects.get(session=session))
        # results are nine tenths of what is searched, and take as much of the time
        self._lines = [line for line in searched if line.part != "results"]
        assert not any(session.pk in str(payload) for payload in _payloads(session))

    def store(self, task: Task, world: World) -> Session:
        """Put it in under an id of its own."""
        pk = new_session_id()
        self._session.store(id=pk, task_id=task.pk, world_id=world.pk)
        for rows in self._parts:
            rows.store(session_id=pk)
        self._jobs.store(subject=pk)
        store_lines({pk: self._lines})
        return Session.objects.get(pk=pk)


def _rows(label: str, session: Session) -> list[Any]:
    return list(apps.get_model(label)._default_manager.filter(session=session))


def _payloads(session: Session) -> list[Any]:
    return list(Event.objects.filter(session=session).values_list("payload", flat=True))


def _refuse_others(session: Session) -> None:
    """A table that names sessions and is not among those here would be left out in silence."""
    for relation in Session._meta.related_objects:
        model = relation.related_model
        if model is not SessionSearchIndex and model._meta.label not in TABLES:
            found = model._default_manager.filter(**{relation.field.name: session})
            assert not found.exists(), f"{model._meta.label} is not kept"
