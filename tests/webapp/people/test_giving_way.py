"""A person who is asked to give way: by a tap, by their words, or not at all."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.conf import settings

from benchmark.core.events import MessagePosted, WarningPassedOver
from benchmark.core.participant import INBOX
from benchmark.core.view import AGENT
from benchmark.suites.grouptravel.events import CompromiseApplied
from tests.markup import text
from tests.people import Sitter, with_people
from webapp.catalogue.models import Task, World
from webapp.people.guests import change_presence
from webapp.people.invitations import take
from webapp.sessions.inbox import deliver
from webapp.sessions.log import whole_log
from webapp.sessions.models import Session
from worker.sessions import advance

pytestmark = pytest.mark.django_db


@pytest.fixture
def asked_sitter(starter_tasks: list[Task], starter_world: World) -> tuple[Sitter, str]:
    """Somebody whom the assistant has asked to do without the first of what they must see; and its name."""
    task = next(task for task in starter_tasks if task.language == "en")
    name, sight = next(
        (name, must[0])
        for name, card in task.definition["user_preferences"].items()
        for wishes in card["preference"]["city_specific_preferences"].values()
        if (must := wishes["attractions"]["must_visit"]) and card["compromisable"]
    )
    session = with_people(task, starter_world, name, agent=INBOX)
    change_presence(take(seat=session.seats.get(name=AGENT), program="asks"), "joined")
    sitter = Sitter(session.seats.get(name=name)).come()
    words = f"@{name} Could you do without {sight} this time?"
    for number in range(20):
        advance(session.pk, budget_s=None, paced=False)
        if sitter.table.standing == "yours" and sitter.table.fold.view().turn.solicited:
            return sitter, sight
        if sitter.table.standing == "yours":
            sitter.passes()
        elif sitter.table.speaker == AGENT:
            deliver(seat=session.seats.get(name=AGENT), client_id=f"a{number}", content=words)
    raise AssertionError("they are never asked")


def bodies(session: Session, kind: type[Any]) -> list[Any]:
    return [event.body for event in whole_log(session.pk) if isinstance(event.body, kind)]


def test_words_that_agree_are_asked_about_before_they_are_sent(asked_sitter: tuple[Sitter, str]) -> None:
    sitter, sight = asked_sitter
    session = sitter.seat.session
    page = sitter.say("Sure, no problem.", only_words="")
    assert f"Give up: do without {sight}?" in text(page) and "HX-Trigger" not in page.headers
    advance(session.pk, budget_s=None, paced=False)
    assert not [
        m for m in bodies(session, MessagePosted) if m.role == sitter.seat.name and "Sure" in m.content
    ]
    key = re.search(r'data-give="([^"]*)"', page.content.decode())
    assert key is not None
    sent = sitter.say("Sure, no problem.", only_words="", offer=key[1].replace("&#x27;", "'"))
    assert sent.headers["HX-Trigger"] == "seat:sent"
    advance(session.pk, budget_s=None, paced=False)
    [given] = bodies(session, CompromiseApplied)
    assert given.user == sitter.seat.name and sight not in given.value
    told = text(sitter.client.get(sitter.path))
    assert re.search(
        f"You changed your card: [^:]*: [^→]*{re.escape(sight)}[^→]* → [^.]+. Only you see this.", told
    )
    assert bodies(session, WarningPassedOver) == []


def test_what_would_be_given_up_stands_in_the_language_of_the_page(asked_sitter: tuple[Sitter, str]) -> None:
    sitter, _sight = asked_sitter
    sitter.client.cookies[settings.LANGUAGE_COOKIE_NAME] = "zh-hans"
    page = sitter.say("Sure, no problem.", only_words="").content.decode()
    [change] = re.findall(r'id="agreed".*?<small class="before-after">(.*?)</small>', page, re.DOTALL)
    assert "一定要去" in change and "You must" not in change


def test_only_the_words_can_be_sent_and_the_log_says_that_it_was_asked(
    asked_sitter: tuple[Sitter, str],
) -> None:
    sitter, sight = asked_sitter
    assert sitter.say("Sure, no problem.").headers["HX-Trigger"] == "seat:sent"
    advance(sitter.seat.session.pk, budget_s=None, paced=False)
    assert bodies(sitter.seat.session, CompromiseApplied) == []
    [warned] = bodies(sitter.seat.session, WarningPassedOver)
    assert (warned.why, warned.items) == ("only_words", (f"do without {sight}",))


def test_who_refuses_is_not_asked_and_one_tap_gives_up_what_is_asked_for(
    asked_sitter: tuple[Sitter, str],
) -> None:
    sitter, sight = asked_sitter
    page = sitter.client.get(sitter.path).content.decode()
    [tap] = re.findall(r'<button type="button" class="give"[^>]*>[^<]*</button>', page)
    assert sight in tap
    refused = sitter.say("Sorry, I can't accept that.", only_words="")
    assert refused.headers["HX-Trigger"] == "seat:sent"
