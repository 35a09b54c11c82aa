"""What a seat does with what no page would send: too much, too often, forged, replayed, and what is not text."""

from __future__ import annotations

import html
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from benchmark.core.events import MessagePosted
from benchmark.core.participant import PERSON
from benchmark.suites.grouptravel.events import TurnGranted
from tests.conftest import store_starter_tasks, store_starter_world
from tests.people import Sitter, with_people
from tests.webapp.conftest import HOSTILE, Writer
from tests.webapp.people.two_people import arrived, inbox_contents, sit_down
from webapp.catalogue.models import Task, World
from webapp.people.models import Guest
from webapp.people.seating import let_in_again, replace
from webapp.people.views import MOST_WAITING
from webapp.seats.models import InboxMessage, Notice
from webapp.sessions.inbox import MOST
from webapp.sessions.models import Session

pytestmark = pytest.mark.storage
VERBS = ("now/", "say/", "unsend/", "leave/", "consent/", "wishes/", "practised/", "answers/")
FAMILY = "👨\u200d👩\u200d👧 \U0001f3f3\ufe0f\u200d🌈 Zoë 王"


@pytest.fixture(scope="module")
def starter(module_rows: None, starter_pack: Path) -> tuple[Task, World]:
    """A task of four travellers, and its world."""
    world = store_starter_world(starter_pack)
    return next(task for task in store_starter_tasks() if task.task_id == "starter_02"), world


@pytest.fixture(scope="module")
def first_turn(starter: tuple[Task, World]) -> tuple[Sitter, Writer]:
    """Two people at the table; it is the first one's turn."""
    return sit_down(*starter)


@pytest.fixture(scope="module")
def empty_table(starter: tuple[Task, World]) -> Session:
    """A session to which nobody has come."""
    return with_people(*starter, "User1", "User2")


@pytest.fixture
def new_session(db: None, empty_table: Session, kept_logs: None) -> Session:
    return Session.objects.get(pk=empty_table.pk)


@pytest.fixture
def sitter(db: None, first_turn: tuple[Sitter, Writer], kept_logs: None) -> Sitter:
    """At User1, whose turn it is."""
    return first_turn[0].copy()


@pytest.fixture
def writer(sitter: Sitter, first_turn: tuple[Sitter, Writer]) -> Writer:
    return deepcopy(first_turn[1])


@pytest.fixture
def session(sitter: Sitter) -> Session:
    return sitter.seat.session


def alert(response: Any) -> str:
    """What the page says against it."""
    page = response.content.decode()
    return html.unescape(page.split('role="alert">')[1].split("</p>")[0]) if 'role="alert">' in page else ""


# Words.


def test_the_longest_message_arrives_whole_and_a_longer_one_is_refused(sitter: Sitter) -> None:
    longest = "好" * MOST
    assert "20001" in alert(sitter.say(longest + "好")).replace(",", "") and inbox_contents(sitter) == []
    assert arrived(sitter.say(longest)) and inbox_contents(sitter) == [longest]


def test_lines_are_counted_and_kept_as_they_were_typed(sitter: Sitter) -> None:
    """Forms send two characters for the end of a line."""
    lines = "\n".join(["好"] * (MOST // 2))
    assert arrived(sitter.say(lines.replace("\n", "\r\n"))) and inbox_contents(sitter) == [lines]


@pytest.mark.parametrize("words", ["", "  \r\n ", "one\x00two"])
def test_what_is_no_message_is_refused_in_words(sitter: Sitter, words: str) -> None:
    assert len(alert(sitter.say(words))) > 5 and inbox_contents(sitter) == []


def test_markup_is_shown_as_text(sitter: Sitter, writer: Writer) -> None:
    words = f"{HOSTILE} }}}}{{{{ {{% now %}} \u202eevil"
    waits = sitter.say(words).content.decode()
    assert inbox_contents(sitter) == [words]
    writer.add("User1", MessagePosted(role="User1", content=words))
    page = sitter.client.get(sitter.path).content.decode()
    for shown in (waits, page):
        assert (
            "&lt;script&gt;alert(1)" in shown and "<script>alert" not in shown and "<img src=x" not in shown
        )


@pytest.mark.parametrize("more", [{"offer": "x|y"}, {"offer": "raise", "figure": "nan"}, {"offer": "\x00"}])
def test_what_cannot_be_given_up_is_refused(sitter: Sitter, more: dict[str, str]) -> None:
    assert len(alert(sitter.say("fine", **more))) > 5 and inbox_contents(sitter) == []


# Again and again.


def test_the_same_request_again_is_the_same_message(sitter: Sitter) -> None:
    """Its answer may be lost: the page is told each time that the words have arrived."""
    for _ in range(3):
        assert arrived(sitter.say("I'd like a quiet place.", client_id="once"))
    assert inbox_contents(sitter) == ["I'd like a quiet place."]


def test_a_pass_again_is_the_same_pass_also_when_the_turn_is_over(sitter: Sitter, writer: Writer) -> None:
    given = {"client_id": "once", "content": "", "pass": "1"}
    assert arrived(sitter.client.post(sitter.path + "say/", given))
    InboxMessage.objects.update(taken_at_seq=9)
    writer.add("system", TurnGranted(speaker="User2", kind="polled", place="lap"))
    assert arrived(sitter.client.post(sitter.path + "say/", given))
    assert InboxMessage.objects.count() == 1


def test_other_words_with_the_id_of_a_message_are_neither_lost_nor_sent(sitter: Sitter) -> None:
    sitter.say("first words", client_id="once")
    response = sitter.say("second words", client_id="once")
    assert response.headers["HX-Trigger"] == "seat:another"  # the page takes a new id, and keeps the words
    assert "first words" in alert(response) and inbox_contents(sitter) == ["first words"]
    assert arrived(sitter.say("second words", client_id="another"))


@pytest.mark.parametrize("client_id", ["", "x" * 101, "a\x00b"])
def test_an_id_that_is_none_is_refused(sitter: Sitter, client_id: str) -> None:
    assert len(alert(sitter.say("hello", client_id=client_id))) > 5 and inbox_contents(sitter) == []


def test_two_seats_may_use_the_same_id(sitter: Sitter, session: Session) -> None:
    other = Sitter(session.seats.get(name="User2"))
    guest = other.guest
    other.client.post(other.link)
    assert guest.pk not in str(other.client.session.get("guests"))  # that link was taken up by somebody else
    InboxMessage.objects.create(seat=other.seat, client_id="said-0", content="theirs")
    assert arrived(sitter.say("mine")) and inbox_contents(sitter) == ["mine"]


def test_thirty_messages_in_a_second(sitter: Sitter) -> None:
    answers = [sitter.say(f"message {number}") for number in range(30)]
    assert [arrived(answer) for answer in answers] == [True] * MOST_WAITING + [False] * 27
    assert all(str(MOST_WAITING) in alert(answer) for answer in answers[MOST_WAITING:])
    assert inbox_contents(sitter) == ["message 0", "message 1", "message 2"]


# Names.


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (FAMILY, FAMILY),
        ("  Ann\t \r\n Bo  ", "Ann Bo"),
        ("x" * 10_000, "x" * 60),
        ("\u202egnp.exe\u202c\x07\u200bAnn\x00", "gnp.exeAnn"),
        ("\u202e\u200b", ""),
        (HOSTILE, HOSTILE[:60]),
        ("=1+1", "=1+1"),
    ],
)
def test_a_name_is_one_line_of_what_can_be_seen(
    new_session: Session, as_researcher: Client, given: str, kept: str
) -> None:
    sitter = Sitter(new_session.seats.get(name="User1"))
    sitter.client.post(sitter.link)
    sitter.client.post(sitter.path + "consent/", {"agree": "1", "name": given})
    assert sitter.guest.name == kept.strip() and sitter.guest.consented_at is not None
    page = as_researcher.get(f"/sessions/{new_session.pk}/seats/").content.decode()
    assert html.escape(kept.strip()) in page and "<script>alert" not in page
    table = as_researcher.get(f"/sessions/{new_session.pk}/people.csv").content.decode()
    assert '"=1+1' not in table and ",=1+1" not in table


# Forged, and whose seat it was.


@pytest.mark.parametrize(
    "verb", ["now/", "say/", "unsend/", "leave/", "consent/", "wishes/", "practised/", "answers/"]
)
def test_a_forged_seat_is_none(sitter: Sitter, session: Session, verb: str) -> None:
    other = Guest.objects.get(seat__session=session, seat__name="User2").pk
    before = Guest.objects.values_list("presence", "stage", "left_at", "holds")
    for guest in (other, "x" * 16, other.upper(), f"{other}%00", "../" + other):
        for client in (sitter.client, Client()):
            method = client.get if verb in ("now/", "leave/") else client.post
            response = method(f"/seat/{guest}/{verb}")
            assert response.status_code in (403, 404), (guest, verb)
            assert "User2" not in response.content.decode()
    assert list(Guest.objects.values_list("presence", "stage", "left_at", "holds")) == list(before)
    assert InboxMessage.objects.count() == 0


@pytest.fixture
def successor(sitter: Sitter, session: Session) -> Sitter:
    """Somebody else in the seat, whose words wait."""
    was = sitter.guest
    replace(sitter.seat, PERSON)
    sitter.seat.refresh_from_db()
    new = Sitter(sitter.seat).come()
    assert new.guest.pk != was.pk
    InboxMessage.objects.create(seat=new.seat, client_id="theirs", content="words of my successor")
    return new


def test_who_was_replaced_sees_and_does_nothing_any_more(
    sitter: Sitter, successor: Sitter, session: Session, writer: Writer
) -> None:
    old = Guest.objects.get(seat=sitter.seat, holds=False)
    path = f"/seat/{old.pk}/"
    Guest.objects.filter(pk=old.pk).update(stage=Guest.Stage.WISHES)
    for stage in Guest.Stage.WISHES, Guest.Stage.READY:
        Guest.objects.filter(pk=old.pk).update(stage=stage)
        Notice.objects.all().delete()
        got = [sitter.client.get(path), sitter.client.get(path + "now/")]
        given = {
            "client_id": "theirs",
            "content": "in their name",
            "compromisable": "on",
            "avg_budget": "900",
        }
        got += [
            sitter.client.post(f"{path}{verb}/", given) for verb in ("say", "unsend", "wishes", "practised")
        ]
        part = sitter.client.get(path + "now/", headers={"HX-Request": "true"})
        assert (part.status_code, part.headers["HX-Refresh"], part.content) == (204, "true", b"")
        assert got[0].status_code == 403
        assert not any(
            "successor" in each.content.decode() or 'id="card"' in each.content.decode() for each in got
        )
        assert inbox_contents(successor) == ["words of my successor"] and not Notice.objects.exists()
    sitter.client.post(path + "leave/", {"leave": "1"})
    assert successor.client.get(successor.path).status_code == 200 and not Notice.objects.exists()
    Session.objects.filter(pk=session.pk).update(status="stopped")
    page = sitter.client.get(path)
    assert page.status_code == 403 and 'id="chat"' not in page.content.decode()


def test_who_leaves_does_not_end_the_link_by_which_somebody_came_after_them(sitter: Sitter) -> None:
    old, client = sitter.guest, sitter.client
    let_in_again(sitter.seat)
    client.post(f"/seat/{old.pk}/leave/", {"leave": "1"})
    old.refresh_from_db()
    assert old.invitation is not None and old.invitation.usable()


def test_a_simulator_that_took_over_is_not_spoken_for(sitter: Sitter, session: Session) -> None:
    session.seats.filter(name="User1").update(kind="scripted")
    assert sitter.client.get(sitter.path).status_code == 403
    sitter.say("I am back")
    assert inbox_contents(sitter) == [] and not Notice.objects.exists()


def test_nothing_of_the_seat_is_shown_before_it_was_agreed(new_session: Session) -> None:
    sitter = Sitter(new_session.seats.get(name="User1"))
    sitter.client.post(sitter.link)
    response = sitter.client.get(sitter.path + "now/")
    assert response.status_code == 302 and response.headers["Location"] == sitter.path
    assert sitter.say("too early").status_code == 302 and inbox_contents(sitter) == []


def test_what_is_posted_needs_the_token_of_a_form(sitter: Sitter) -> None:
    forger = Client(enforce_csrf_checks=True)
    forger.cookies = sitter.client.cookies
    for verb in ("say", "unsend", "leave", "consent", "wishes", "practised", "answers"):
        response = forger.post(f"{sitter.path}{verb}/", {"content": "forged", "client_id": "f", "leave": "1"})
        assert response.status_code == 403, verb
    assert forger.post(sitter.link).status_code == 403
    assert inbox_contents(sitter) == [] and sitter.guest.left_at is None
