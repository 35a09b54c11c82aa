"""Statements that are written once do what query sets do, on either database."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from benchmark.core.events import PresenceChanged
from tests.recordings import NAMES
from webapp.jobs.models import Job
from webapp.seats.models import Notice
from webapp.sessions.inbox import tell
from webapp.sessions.models import Event, Session
from webapp.sessions.services import wishes
from webapp.statements import insert_rows, row_about, update_rows

pytestmark = [pytest.mark.django_db, pytest.mark.storage]
NOON = datetime(2026, 3, 4, 12, 30, 15, 123456, tzinfo=UTC)


def _job(subject: str, **fields: Any) -> Job:
    return Job.objects.create(kind="session", subject=subject, **fields)


def _of_group(group: str) -> QuerySet[Job, tuple[Any, ...]]:
    return (
        Job.objects.filter(group=group, kind="session").order_by("subject").values_list("subject", "paused")
    )


def test_only_the_rows_that_are_meant_are_changed() -> None:
    open_, ended, other = _job("a", token=3), _job("b", token=3, ended_at=NOON), _job("c", token=4)
    values = {"expires_at": NOON, "attempts": 7, "paused": True}

    assert update_rows(Job, values, {"pk": open_.pk, "token": 3, "ended_at": None}) == 1
    assert update_rows(Job, values, {"pk": ended.pk, "token": 3, "ended_at": None}) == 0
    assert update_rows(Job, values, {"pk": other.pk, "token": 3, "ended_at": None}) == 0

    changed = Job.objects.get(attempts=7)
    assert (changed.pk, changed.expires_at, changed.paused) == (open_.pk, NOON, True)


def test_a_value_may_become_null() -> None:
    job = _job("a", expires_at=NOON)
    assert update_rows(Job, {"expires_at": None}, {"pk": job.pk}) == 1
    assert Job.objects.get().expires_at is None


def test_many_rows_are_stored_with_all_their_fields(recorded_session: Callable[..., Session]) -> None:
    session = recorded_session(NAMES[0])
    begun = session.events.count()
    rows = [
        Event(session=session, seq=begun + 1 + i, type="passed", actor="User1", audience="all",
              payload={"z": i, "a": ["é", None, 1.5]}, at=NOON)
        for i in range(230)
    ]  # fmt: skip
    insert_rows(rows)
    stored = list(Event.objects.filter(session=session, seq__gt=begun).order_by("seq"))
    assert [row.seq for row in stored] == [row.seq for row in rows]
    assert list(stored[-1].payload.items()) == [("z", 229), ("a", ["é", None, 1.5])]
    assert (stored[0].at, stored[0].v, stored[0].actor) == (NOON, 1, "User1")


def test_a_number_that_is_taken_is_refused(recorded_session: Callable[..., Session]) -> None:
    session = recorded_session(NAMES[0])
    with pytest.raises(IntegrityError), transaction.atomic():
        insert_rows([Event(session=session, seq=1, type="passed", actor="a", payload={}, at=NOON)])


def test_a_row_is_found_by_its_subject_and_no_other() -> None:
    _job("a", group="one")
    _job("b", group="two", paused=True)
    assert [bool(value) for value in (row_about("two", _of_group) or ())[1:]] == [True]
    assert (row_about("one", _of_group) or ())[0] == "a"
    assert row_about("three", _of_group) is None


def test_what_is_asked_of_a_session_and_whether_notices_wait(
    recorded_session: Callable[..., Session],
) -> None:
    session, other = recorded_session(NAMES[0]), recorded_session(NAMES[1])
    calm = wishes(session.pk)
    assert (calm.stop, calm.pause, calm.notices) == (False, False, False)

    tell(session_id=other.pk, actor="User1", body=PresenceChanged(seat="User1", presence="joined"))
    assert not wishes(session.pk).notices and wishes(other.pk).notices
    Notice.objects.update(taken_at_seq=3)
    Session.objects.filter(pk=other.pk).update(stop_requested=True, paused=True)
    taken = wishes(other.pk)
    assert (taken.stop, taken.pause, taken.notices) == (True, True, False)
