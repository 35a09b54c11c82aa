"""What people read who come by a lobby's link, and who lose their seat."""

from __future__ import annotations

import pytest
from django.test import Client

from benchmark.core.participant import PERSON
from benchmark.core.view import AGENT
from tests.markup import text
from tests.people import Sitter, with_people
from webapp.catalogue.models import Task, World
from webapp.endpoints.choice import Seated
from webapp.people.guests import change_presence
from webapp.people.invitations import open_lobby, take
from webapp.people.models import Guest, Sitting, Study
from webapp.people.questionnaire import asked_of
from webapp.people.seating import replace
from webapp.sessions.models import Session
from webapp.sessions.services import Setup, create_session

pytestmark = pytest.mark.django_db


@pytest.fixture
def task(starter_tasks: list[Task]) -> Task:
    return next(task for task in starter_tasks if task.language == "en")


@pytest.fixture
def session(task: Task, starter_world: World) -> Session:
    return with_people(task, starter_world, "User1", "User2")


def page_of(client: Client, address: str) -> str:
    return text(client.get(address))


@pytest.mark.parametrize(
    ("study", "told"),
    [
        ({}, ""),
        ({"gather_s": 60.0, "lacking": "end"}, "If too few come, the session ends"),
        ({"gather_s": 60.0, "lacking": "replace"}, "the computer takes the empty seats"),
    ],
)
def test_a_lobby_tells_how_many_are_there_and_what_happens_if_too_few_come(
    session: Session, study: dict[str, object], told: str
) -> None:
    if study:
        Sitting.objects.create(session=session, study=Study.objects.create(name="one", **study))
    link = open_lobby(session=session).get_absolute_url()
    page = page_of(Client(), link)
    assert "0 of 2 seats are taken so far." in page
    assert told in page and ("If too few come" in page) == bool(told)
    Client().post(link)
    assert "1 of 2 seats is taken so far." in page_of(Client(), link)
    Client().post(link)
    assert Client().get(link).status_code == 403


def test_the_link_to_a_seat_tells_nothing_of_others(session: Session) -> None:
    sitter = Sitter(session.seats.get(name="User1"))
    assert "so far" not in page_of(Client(), sitter.link)


@pytest.mark.parametrize("by", [PERSON, "scripted"])
def test_who_is_replaced_gets_their_code(session: Session, by: str) -> None:
    sitter = Sitter(session.seats.get(name="User1")).come()
    was = sitter.guest
    replace(sitter.seat, by)
    page = page_of(sitter.client, f"/seat/{was.pk}/")
    assert "Somebody else has this seat now." in page and was.completion in page


def test_who_leaves_or_was_lost_gets_none(session: Session) -> None:
    for name, presence in (("User1", "left"), ("User2", "")):
        sitter = Sitter(session.seats.get(name=name)).come()
        was = sitter.guest
        if presence:
            change_presence(was, "left")  # as it is said of who misses turns
        else:
            sitter.client.post(sitter.path + "leave/", {"leave": "1"})
        replace(sitter.seat, "scripted")
        page = page_of(sitter.client, f"/seat/{was.pk}/")
        assert "Your part is over" in page and was.completion not in page


def test_who_has_not_begun_gets_none(session: Session) -> None:
    sitter = Sitter(session.seats.get(name="User1"))
    sitter.client.post(sitter.link)
    was = sitter.guest
    replace(sitter.seat, PERSON)
    assert was.completion not in page_of(sitter.client, f"/seat/{was.pk}/")


def test_who_was_the_assistant_is_not_asked_how_it_listened(task: Task, starter_world: World) -> None:
    session = create_session(
        task=task,
        world=starter_world,
        setup=Setup(agent=PERSON, seats={"User1": Seated(PERSON)}),
        start=False,
    )
    asked = {
        seat.name: {question.key for question in asked_of(take(seat=seat))}
        for seat in session.seats.filter(kind=PERSON)
    }
    assert asked["User1"] - asked[AGENT] == {"heard"}
    study = Study.objects.create(name="own", questions=[{"key": "heard", "kind": "text", "en": "Heard?"}])
    Sitting.objects.create(session=session, study=study)
    assert [q.key for q in asked_of(Guest.objects.get(seat__name=AGENT))] == ["heard"], "a study's own words"
