"""One lane per traveller, and what became of clashes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from benchmark.core.events import MessagePosted
from benchmark.suites.grouptravel.events import TableInferred, TurnGranted
from tests.markup import tight
from tests.webapp.conftest import HOSTILE, Writer
from webapp.sessions.models import Session
from webapp.sessions.reading import Reading
from webapp.suites.grouptravel.panels.travellers import Wish, _items, context

pytestmark = pytest.mark.django_db


def test_a_lane_tells_what_happened_when(as_researcher: Client, eventful: Session) -> None:
    reading = Reading.of(eventful)
    found = context(reading, "")
    assert [lane.user for lane in found["lanes"]] == reading.users
    marks = {(mark.kind, lane.user) for lane in found["lanes"] for cell in lane.cells for mark in cell}
    assert ("asked", reading.users[2]) in marks
    assert any(kind == "yielded" for kind, _ in marks) and any(kind == "refused" for kind, _ in marks)
    assert {len(lane.cells) for lane in found["lanes"]} == {len(found["parts"])}
    assert all(lane.got_count is not None for lane in found["lanes"])
    page = tight(as_researcher.get(f"/sessions/{eventful.pk}/panel/travellers/").content.decode())
    assert HOSTILE not in page


def test_a_clash_is_open_until_the_end_or_a_compromise(
    eventful: Session, begin: Callable[[], Writer]
) -> None:
    ended = context(Reading.of(eventful), "")["clashes"]
    fresh = context(Reading.of(begin().session), "")["clashes"]
    assert [(one.liker, one.disliker, one.what) for one in ended] == [
        (one.liker, one.disliker, one.what) for one in fresh
    ]
    assert fresh and {one.how for one in fresh} == {"open"}
    assert "open" not in {one.how for one in ended}


def test_before_the_end_nobody_has_got_anything(eventful: Session) -> None:
    lanes = context(Reading.of(eventful, eventful.last_seq - 1), "")["lanes"]
    assert {lane.got_count for lane in lanes} == {None}


def test_a_message_leads_to_what_became_of_the_wishes_in_it(
    as_researcher: Client, begin: Callable[[], Writer]
) -> None:
    writer = begin()
    user = writer.log.state.users[0]
    card = writer.log.state.cards[user].preference
    items = [item for _, item in _items(card) if len(item) > 1 and not item.replace(".", "").isdigit()]
    before = {words for _, words in wishes(writer.session, user)}
    writer.add("system", TurnGranted(speaker=user, kind="polled", place="lap"))
    writer.add(user, MessagePosted(role=user, content=f"我说一下：{'，'.join(items)}。"))
    seq = writer.log.state.seq
    now = {words: wish for (at, words), wish in wishes(writer.session, user).items() if at == seq}
    assert len(now) + len(before) >= len(set(items)) and now
    assert not any(wish.noted for wish in now.values()) and {wish.points for wish in now.values()} == {None}
    writer.add("system", TurnGranted(speaker="Agent", kind="summary", place="hidden"))
    writer.add("Agent", TableInferred(table={user: card}))
    assert all(wish.noted for wish in wishes(writer.session, user).values())
    page = tight(as_researcher.get(f"/sessions/{writer.session.pk}/?tab=travellers").content.decode())
    assert f'<tbody id="became-{seq}">' in page
    assert f'href="?tab=travellers#became-{seq}" data-panel' in page


def wishes(session: Session, user: str) -> dict[tuple[int, str], Wish]:
    """By message and words."""
    session.refresh_from_db()
    told = dict(context(Reading.of(session), "")["told"]).get(user, ())
    return {(one.seq, wish.words): wish for one in told for wish in one.wishes}


def test_of_an_ended_session_each_wish_that_was_said_has_its_points(
    as_researcher: Client, eventful: Session
) -> None:
    found = context(Reading.of(eventful), "")
    assert found["scored"] and found["told"]
    assert all(wish.points is not None for _, told in found["told"] for one in told for wish in one.wishes)
