"""What a page says when the database takes nothing."""

from __future__ import annotations

import errno
import sqlite3

import pytest
from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore
from django.db import OperationalError, connection
from django.test import Client

from webapp.catalogue.models import Task, World
from webapp.sessions import services
from webapp.storage import is_full, words


@pytest.mark.skipif(not settings.EMBEDDED_DATABASE, reason="a lock of SQLite")
@pytest.mark.django_db(transaction=True)
def test_a_locked_database_is_told_as_such(
    as_researcher: Client, starter_world: World, starter_tasks: list[Task], caplog: pytest.LogCaptureFixture
) -> None:
    session = services.create_session(
        task=starter_tasks[0], world=starter_world, setup=services.Setup(), start=False
    )
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout = 50")
    other = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None, uri=True)
    other.execute("BEGIN IMMEDIATE")
    try:
        answer = as_researcher.post(f"/sessions/{session.pk}/stop/")
    finally:
        other.execute("ROLLBACK")
        other.close()
    assert answer.status_code == 503 and int(answer["Retry-After"]) > 0
    assert "The database is locked" in answer.content.decode()
    assert "Traceback" not in caplog.text


@pytest.mark.django_db
def test_a_database_that_is_away_is_told_before_anybody_is_known(
    as_researcher: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse_connection(*_: object) -> None:
        raise OperationalError("connection refused")

    monkeypatch.setattr(SessionStore, "load", refuse_connection)
    answer = as_researcher.get("/sessions/")
    assert answer.status_code == 503 and int(answer["Retry-After"]) > 0
    assert "The database can&#x27;t be reached" in answer.content.decode()
    assert "Traceback" not in caplog.text


class _OfPostgreSQL(Exception):
    def __init__(self, sqlstate: str) -> None:
        super().__init__("told by the server")
        self.sqlstate = sqlstate


def _error_with_state(sqlstate: str) -> OperationalError:
    error = OperationalError("told by the server")
    error.__cause__ = _OfPostgreSQL(sqlstate)
    return error


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (OperationalError("database or disk is full"), "The disk is full"),
        (OSError(errno.ENOSPC, "No space left on device"), "The disk is full"),
        (_error_with_state("53100"), "The disk is full"),
        (OperationalError("database is locked"), "is locked"),
        (_error_with_state("55P03"), "is locked"),
        (OperationalError("connection refused"), "can't be reached"),
    ],
)
def test_each_trouble_has_its_words(error: Exception, expected: str) -> None:
    assert expected in words(error)
    assert is_full(error) == ("full" in expected)
