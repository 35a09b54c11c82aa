"""What a process keeps of a session's log."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from benchmark.core.events import MessagePosted
from tests.webapp.conftest import Writer
from webapp.sessions.log import _CachedLogs, whole_log

pytestmark = pytest.mark.django_db


def test_of_viewers_who_are_told_the_same_number_one_asks_the_database(begin: Callable[[], Writer]) -> None:
    writer = begin()
    session = writer.session.pk
    whole_log(session)
    seq = writer.add("User1", MessagePosted(role="User1", content="hello", opening=True))
    with CaptureQueriesContext(
        connection,
    ) as asked:
        logs = [whole_log(session, known=seq) for _ in range(4)]
    assert [log[-1].seq for log in logs] == [seq] * 4 and len(asked) == 1


def test_who_was_told_nothing_always_asks(begin: Callable[[], Writer]) -> None:
    writer = begin()
    session = writer.session.pk
    before = len(whole_log(session))
    writer.add("User1", MessagePosted(role="User1", content="hello", opening=True))
    assert len(whole_log(session, known=before)) == before and len(whole_log(session)) == before + 1


def test_logs_are_kept_as_long_as_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webapp.sessions.log.KEPT_EVENTS", 5)
    logs = _CachedLogs()
    for name in "abc":
        logs.of(name).events.extend([None] * 2)  # type: ignore[list-item]
    logs.of("a")
    logs.make_room()
    assert [len(logs.of(name).events) for name in "abc"] == [2, 0, 2]
    logs.of("d").events.extend([None] * 9)  # type: ignore[list-item]
    logs.make_room()
    assert [len(logs.of(name).events) for name in "acd"] == [0, 0, 9]
