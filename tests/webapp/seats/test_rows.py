"""The seats of a session are rows, as its log has them."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection

from benchmark.core.events import ParticipantJoined
from webapp.cassettes.services import replay
from webapp.catalogue.models import Task, World
from webapp.endpoints.models import ModelEndpoint
from webapp.seats.models import Role, Seat
from webapp.sessions import services
from webapp.sessions.log import whole_log
from webapp.sessions.models import Event, Session

pytestmark = pytest.mark.storage


@pytest.fixture
def session(starter_world: World, starter_tasks: list[Task]) -> Session:
    gpt = ModelEndpoint.objects.create(name="gpt", base_url="http://localhost:1/v1", model="gpt-x")
    setup = services.Setup(users="llm", user_model=gpt)
    return services.create_session(task=starter_tasks[0], world=starter_world, setup=setup, start=False)


def seat_rows(session: Session) -> list[tuple[object, ...]]:
    names = ("place", "name", "role", "kind", "model__name", "options")
    return list(Seat.objects.filter(session=session).order_by("place").values_list(*names))


def test_a_new_session_has_its_seats_as_its_log_has_them(session: Session) -> None:
    joined = [event.body for event in whole_log(session.pk) if isinstance(event.body, ParticipantJoined)]
    rows = list(session.seats.all())
    assert [(seat.name, seat.kind) for seat in rows] == [(body.seat, body.kind) for body in joined]
    assert [seat.role for seat in rows] == [Role.AGENT] + [Role.TRAVELLER] * (len(rows) - 1)
    assert [seat.model and seat.model.name for seat in rows] == [None] + ["gpt"] * (len(rows) - 1)
    assert [seat.options.get("model") for seat in rows] == [None] + ["gpt-x"] * (len(rows) - 1)


def fill() -> None:
    with connection.schema_editor() as editor:
        import_module("webapp.seats.migrations.0002_fill_seats").fill(apps, editor)


@pytest.mark.django_db(transaction=True)
def test_stored_sessions_get_the_seats_that_new_ones_write(session: Session) -> None:
    before = seat_rows(session)
    Seat.objects.all().delete()
    fill()
    assert seat_rows(session) == before
    fill()
    assert seat_rows(session) == before


@pytest.mark.django_db(transaction=True)
def test_a_log_from_before_seats_were_events_gets_them_from_its_columns(session: Session) -> None:
    before = seat_rows(session)
    Seat.objects.all().delete()
    Event.objects.filter(session=session, type="participant_joined").delete()
    fill()
    assert [row[:-1] for row in seat_rows(session)] == [row[:-1] for row in before]


def test_a_replay_has_the_seats_of_its_recording(session: Session) -> None:
    Session.objects.filter(pk=session.pk).update(status="crashed")
    session.refresh_from_db()
    assert seat_rows(replay(session=session, start=False)) == seat_rows(session)
