"""What people read who come by a lobby's link, and who lose their seat."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.db import IntegrityError, transaction
from django.test import Client

from benchmark.core.participant import PERSON
from benchmark.core.view import AGENT
from tests.markup import text
from tests.people import Sitter, with_people
from webapp.catalogue.models import Task, World
from webapp.endpoints.choice import SeatPlayer
from webapp.people.exports import Naming, people_of
from webapp.people.guests import acting, change_presence, leave
from webapp.people.invitations import open_lobby, redeem, take
from webapp.people.models import Guest, Sitting, Study
from webapp.people.questionnaire import asked_of
from webapp.people.seating import replace
from webapp.seats.inbox import unread_messages
from webapp.sessions.inbox import MessageRefused
from webapp.sessions.models import Session
from webapp.sessions.services import Setup, create_session, request_stop
from worker.sessions import advance

pytestmark = pytest.mark.django_db


@pytest.fixture
def task(starter_tasks: list[Task]) -> Task:
    return next(task for task in starter_tasks if task.language == "en")


@pytest.fixture
def session(task: Task, starter_world: World) -> Session:
    return with_people(task, starter_world, "User1", "User2")


def page_of(client: Client, address: str) -> str:
    return text(client.get(address))


def html_of(client: Client, address: str) -> str:
    return client.get(address).content.decode()


@pytest.mark.parametrize(
    ("study", "told"),
    [
        ({}, ""),
        ({"gather_s": 60.0, "lacking": "end"}, "If too few people come, the session ends"),
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
    assert told in page and ("If too few people come" in page) == bool(told)
    Client().post(link)
    assert "1 of 2 seats is taken so far." in page_of(Client(), link)
    Client().post(link)
    assert Client().get(link).status_code == 403


def test_one_holder_of_a_lobbys_link_takes_one_seat(session: Session) -> None:
    link, browser = open_lobby(session=session).get_absolute_url(), Client()
    browser.get(link)
    first = browser.post(link)
    assert browser.post(link).url == first.url
    leave(Guest.objects.get(), withdraw=False)
    assert browser.post(link).url == first.url
    Client().post(link)
    assert Guest.objects.count() == 2


def test_requests_of_one_browser_at_one_moment_take_one_seat(session: Session) -> None:
    link = open_lobby(session=session)
    came = redeem(token=link.token, visitor="v")
    assert redeem(token=link.token, visitor="v") == came
    other = session.seats.filter(kind=PERSON).exclude(pk=came.seat_id).get()
    with pytest.raises(IntegrityError), transaction.atomic():
        take(seat=other, invitation=link, visitor="v")


def test_who_takes_a_seat_gets_a_new_session_key(session: Session) -> None:
    link, browser = open_lobby(session=session).get_absolute_url(), Client()
    browser.get(link)
    planted = browser.cookies[settings.SESSION_COOKIE_NAME].value
    seat = browser.post(link).url
    other = Client()
    other.cookies[settings.SESSION_COOKIE_NAME] = planted
    assert (browser.get(seat).status_code, other.get(seat).status_code) == (200, 403)


@pytest.mark.parametrize("by", ["link", "seat"])
def test_a_return_code_lets_a_person_go_on_in_another_browser(session: Session, by: str) -> None:
    sitter = Sitter(session.seats.get(name="User1")).come()
    code, other = sitter.guest.return_code, Client()
    assert code in page_of(sitter.client, sitter.path)
    address = sitter.link if by == "link" else sitter.path
    refused = other.get(address)
    assert refused.status_code == 403 and 'name="return_code"' in refused.content.decode()
    back = address if by == "link" else f"{sitter.path}back/"
    wrong = other.post(back, {"return_code": "aaaaa-aaaaa"}, headers={"accept-language": "zh-CN"})
    assert wrong.status_code == 403 and "not the code of this seat" in text(wrong), "the seat's language"
    assert other.get(sitter.path).status_code == 403
    assert other.post(back, {"return_code": f" {code.upper().replace('-', ' ')} "}).url == sitter.path
    page = html_of(other, sitter.path)
    assert 'id="say"' in page and "id_name" not in page, "consent and practice aren't asked twice"
    assert Guest.objects.count() == 1


def test_a_program_has_no_return_code(session: Session) -> None:
    guest = take(seat=session.seats.get(name="User1"), program="robot")
    assert Client().post(f"/seat/{guest.pk}/back/", {"return_code": guest.return_code}).status_code == 403


def test_a_person_switches_the_language_at_the_seat(session: Session) -> None:
    sitter = Sitter(session.seats.get(name="User1")).come()
    assert 'lang="zh-hans"' in html_of(sitter.client, sitter.path)
    sitter.client.post("/language/", {"language": "zh-hans", "next": sitter.path})
    page = html_of(sitter.client, sitter.path)
    assert '<html lang="zh-hans"' in page and ">发送<" in page


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
        setup=Setup(agent=PERSON, seats={"User1": SeatPlayer(PERSON)}),
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


def test_who_took_part_can_withdraw_after_the_end_and_once_is_enough(session: Session) -> None:
    sitter = Sitter(session.seats.get(name="User1")).come()
    path, leave = sitter.path, f"{sitter.path}leave/"
    request_stop(Session.objects.filter(pk=session.pk))
    while advance(session.pk):
        pass
    assert leave in html_of(sitter.client, path)
    offered = html_of(sitter.client, leave)
    assert 'name="withdraw"' in offered and 'name="leave"' not in offered
    sitter.client.post(leave, {"leave": "1"})
    assert Guest.objects.get().left_at is None
    sitter.client.post(leave, {"withdraw": "1"})
    withdrew = Guest.objects.get().withdrew_at
    sitter.client.post(leave, {"leave": "1"})
    assert withdrew is not None and Guest.objects.get().withdrew_at == withdrew
    assert leave not in html_of(sitter.client, path)


def test_who_has_left_can_still_withdraw(session: Session) -> None:
    sitter = Sitter(session.seats.get(name="User1")).come()
    leave = f"{sitter.path}leave/"
    sitter.client.post(leave, {"leave": "1"})
    left = Guest.objects.get().left_at
    assert leave in html_of(sitter.client, f"/seat/{Guest.objects.get().pk}/")
    sitter.client.post(leave, {"withdraw": "1"})
    assert Guest.objects.get().withdrew_at is not None and Guest.objects.get().left_at == left


def test_what_is_kept_of_who_withdraws_has_no_name_and_what_waits_is_not_said(session: Session) -> None:
    sitter = Sitter(session.seats.get(name="User1")).come()
    Guest.objects.update(name="Ottoline")
    sitter.say("not yet")
    assert unread_messages(sitter.seat).exists()
    sitter.client.post(f"{sitter.path}leave/", {"withdraw": "1"})
    assert not unread_messages(sitter.seat).exists()
    guest = Guest.objects.get()
    while advance(session.pk) and not session.events.filter(type="presence_changed").exists():
        pass
    said = session.events.filter(type="message_posted").values_list("payload", flat=True)
    assert not [payload for payload in said if "not yet" in payload["content"]]
    people = people_of(Session.objects.filter(pk=session.pk), Naming())
    assert guest.shown_name == "" and [person["name"] for person in people] == [None]


def test_a_withdrawal_stands_whatever_another_tab_asks_or_sends_at_the_same_time(session: Session) -> None:
    sitter = Sitter(session.seats.get(name="User1")).come()
    here, there, sending = (Guest.objects.get() for _tab in range(3))
    leave(here, withdraw=True)
    leave(there, withdraw=False)
    guest = Guest.objects.get()
    assert guest.withdrew_at is not None and guest.presence == "withdrawn" and guest.shown_name == ""
    with pytest.raises(MessageRefused, match="withdrawn"), acting(sending):
        raise AssertionError("nobody acts there any more")
    assert not unread_messages(sitter.seat).exists()


def test_who_left_and_withdraws_counts_as_withdrawn(session: Session) -> None:
    Sitter(session.seats.get(name="User1")).come()
    leave(Guest.objects.get(), withdraw=False)
    assert Guest.objects.get().presence == "left"
    leave(Guest.objects.get(), withdraw=True)
    assert Guest.objects.get().presence == "withdrawn"
