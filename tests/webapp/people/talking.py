"""Sessions with a person at the table, played to their ends, and a look through all of a database."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db import connection

from benchmark.core.events import TurnGranted
from benchmark.core.participant import OUTSIDE_KINDS, PERSON
from webapp.catalogue.models import Task, World
from webapp.endpoints.choice import SeatPlayer
from webapp.endpoints.models import ModelEndpoint
from webapp.jobs.models import Job
from webapp.people.invitations import take
from webapp.people.models import Guest
from webapp.seats.models import Seat
from webapp.sessions.inbox import deliver
from webapp.sessions.jobs import SESSION
from webapp.sessions.log import whole_log
from webapp.sessions.models import Session
from webapp.sessions.services import Setup, create_session
from worker.sessions import advance

TOKEN = "quillbracken"
"""In all that our person says; nobody else would."""
NAME = "Wilhelmina"
Words = Callable[[int], str]


def words(number: int) -> str:
    """What our person says first, second …"""
    return f"我希望这趟旅行轻松一点，{TOKEN} 第{number}句，请照顾我的胃口。谢谢 {NAME}"


def session_with_people(task: Task, world: World, *names: str, **setup: Any) -> Session:
    """A session in which people have the seats of these names; nobody plays it."""
    chosen = Setup(seats={name: SeatPlayer(PERSON) for name in names}, **setup)
    return create_session(task=task, world=world, setup=chosen, start=False)


def sits(session: Session, name: str, called: str = NAME) -> Guest:
    """A person who takes a seat."""
    guest = take(seat=session.seats.get(name=name), name=called)
    Guest.objects.filter(pk=guest.pk).update(stage=Guest.Stage.READY)
    guest.refresh_from_db()
    return guest


def guest_at(session: Session) -> Guest:
    """The one person of a session."""
    return Guest.objects.select_related("seat__session__task").get(seat__session=session)


def step(session: Session) -> bool:
    """Play until somebody outside has to speak; whether it has not ended."""
    for _ in range(20):  # a model that did not answer is asked again
        Job.objects.filter(kind=SESSION.name, subject=session.pk).update(due_at=None)
        ModelEndpoint.objects.update(not_before=None)
        advance(session.pk, budget_s=None, paced=False)
        session.refresh_from_db()
        if session.ended or Seat.objects.get(session=session, name=turn(session)).kind in OUTSIDE_KINDS:
            break
    return not session.ended


def turn(session: Session) -> str:
    """Whose turn it is."""
    return [event.body.speaker for event in whole_log(session.pk) if isinstance(event.body, TurnGranted)][-1]


def talk(session: Session, said: Words = words, *, most: int = 60) -> None:
    """Say something whenever a person is asked, to the end of the session."""
    number = 0
    while step(session):
        seat = Seat.objects.get(session=session, name=turn(session))
        deliver(seat=seat, client_id=str(number), content=said(number))
        number += 1
        assert number < most, "the session does not end"


def holding(text: str) -> list[str]:
    """The tables with a row that holds a text."""
    found = []
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT * FROM "{table}"')
            if any(text in str(value) for row in cursor.fetchall() for value in row):
                found.append(table)
    return found
