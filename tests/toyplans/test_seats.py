"""What people read before they take a seat of a benchmark that brings no texts of its own."""

from __future__ import annotations

import pytest
from django.test import Client

from benchmark.core.participant import PERSON
from benchmark.core.view import AGENT
from tests.people import with_people
from tests.toyplans.suite import GUEST
from tests.toyplans.test_toyplans import html_of
from webapp.catalogue.models import Task, World
from webapp.people.invitations import invite, open_lobby
from webapp.sessions.models import Session

pytestmark = pytest.mark.django_db


@pytest.fixture
def talk(trip: Task, starter_world: World) -> Session:
    """A session in which people take both seats."""
    return with_people(trip, starter_world, GUEST, agent=PERSON)


def test_an_invitation_says_which_part_one_takes(talk: Session) -> None:
    def read(path: str) -> str:
        html = html_of(Client().get(path))
        assert "traveller" not in html and "trip" not in html
        return html

    agent, guest = (invite(seat=talk.seats.get(name=name)).get_absolute_url() for name in (AGENT, GUEST))
    assert "You take the part of the assistant." in read(agent)
    assert "You take the part of somebody who asks." in read(guest)
    assert "You take the part of somebody who asks." in read(open_lobby(session=talk).get_absolute_url())


def test_what_is_read_first_names_no_trip(talk: Session) -> None:
    for name, words in ((AGENT, "You are the assistant in a chat."), (GUEST, "You talk with an assistant")):
        client = Client()
        path = invite(seat=talk.seats.get(name=name)).get_absolute_url()
        html = html_of(client.post(path, follow=True))
        assert words in html and "traveller" not in html and "trip" not in html


@pytest.mark.usefixtures("starter_tasks")
def test_a_group_and_its_assistant_are_told_of_their_trip(starter_world: World) -> None:
    session = with_people(Task.objects.get(task_id="starter_01"), starter_world, "User1", agent=PERSON)
    for name, words in ((AGENT, "您扮演助手。"), ("User1", "您将扮演其中一位旅行者。")):
        html = html_of(Client().get(invite(seat=session.seats.get(name=name)).get_absolute_url()))
        assert "邀请您一起规划行程" in html and words in html
