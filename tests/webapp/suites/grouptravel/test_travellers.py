"""A lane a traveller, and what became of clashes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from tests.markup import tight
from tests.webapp.conftest import HOSTILE, Writer
from webapp.sessions.models import Session
from webapp.sessions.reading import Reading
from webapp.suites.grouptravel.panels.travellers import context

pytestmark = pytest.mark.django_db


def test_a_lane_tells_what_happened_when(as_researcher: Client, eventful: Session) -> None:
    reading = Reading.of(eventful)
    found = context(reading, "")
    assert [lane.user for lane in found["lanes"]] == reading.users
    marks = {(mark.kind, lane.user) for lane in found["lanes"] for cell in lane.cells for mark in cell}
    assert ("asked", reading.users[2]) in marks
    assert any(kind == "yielded" for kind, _ in marks) and any(kind == "refused" for kind, _ in marks)
    assert {len(lane.cells) for lane in found["lanes"]} == {len(found["parts"])}
    assert all(lane.got is not None for lane in found["lanes"])
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
    assert {lane.got for lane in lanes} == {None}
