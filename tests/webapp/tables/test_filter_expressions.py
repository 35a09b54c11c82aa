"""Regular expressions in the filters of the tables of sessions, runs and tasks."""

from __future__ import annotations

import pytest
from django.test import Client

from webapp.catalogue.models import Task
from webapp.sessions.models import Run, Session
from webapp.sessions.services import sessions_changed
from webapp.tables import expressions

pytestmark = [pytest.mark.storage, pytest.mark.both_engines, pytest.mark.django_db]


@pytest.fixture
def in_runs(eventful: Session) -> Session:
    """A session in a run, beside an empty run."""
    run = Run.objects.create(pk="r1", name="Base line 7", suite=eventful.suite, setup={"agent": "reference"})
    Run.objects.create(pk="r2", name="other", suite=eventful.suite, setup={"agent": "reference"})
    Session.objects.exclude(pk=eventful.pk).delete()
    Session.objects.filter(pk=eventful.pk).update(run=run)
    sessions_changed.send(Session, session_ids=[eventful.pk])
    return eventful


@pytest.mark.parametrize(
    ("run", "count"),
    [
        (r"/line \d/", 1),
        (r"/LINE/", 0),
        (r"/LINE/i", 1),
        ("/^other$/", 0),
        ("Base line 7", 1),
        ("line", 0),
        ("/", 0),
    ],
)
def test_sessions_by_their_runs(as_researcher: Client, in_runs: Session, run: str, count: int) -> None:
    answer = as_researcher.get("/sessions/", {"run": run})
    assert len(answer.context["rows"]) == count
    file = as_researcher.get("/sessions/table.jsonl", {"run": run})
    assert b"".join(file.streaming_content).count(b"\n") == count  # type: ignore[attr-defined]


def test_an_expression_goes_with_the_address(as_researcher: Client, in_runs: Session) -> None:
    query = as_researcher.get("/sessions/", {"run": r"/line \d/", "order": "-created"}).context["query"]
    assert "run=%2Fline+%5Cd%2F" in query


def test_runs_by_their_names(as_researcher: Client, in_runs: Session) -> None:
    rows = as_researcher.get("/runs/", {"find": "/^(Base|x) /"}).context["rows"]
    assert [row[0].pk for row in rows] == ["r1"]


def test_tasks_by_their_words(as_researcher: Client, in_runs: Session) -> None:
    task = Task.objects.get(pk=in_runs.task_id)
    for find, there in ((f"/{task.task_id}/i", True), ("/^nothing$/", False)):
        rows = as_researcher.get("/tasks/", {"find": find}).context["rows"]
        assert (task in [row[0] for row in rows]) is there


@pytest.mark.parametrize(
    ("run", "words"), [("/a(/", "At character 3"), ("/a/ b", "takes one regular expression")]
)
def test_what_cannot_be_read_is_left_out_and_told(
    as_researcher: Client, in_runs: Session, run: str, words: str
) -> None:
    answer = as_researcher.get("/sessions/", {"run": run})
    assert words in answer.content.decode() and len(answer.context["rows"]) == 1


def test_one_that_takes_too_long_is_left_out_and_told(
    as_researcher: Client, in_runs: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    Run.objects.filter(pk="r1").update(name="a" * 90 + "!")
    sessions_changed.send(Session, session_ids=[in_runs.pk])
    monkeypatch.setattr(expressions, "MATCH_S", 0.02)
    answer = as_researcher.get("/sessions/", {"run": "/(a|aa)+$/"})
    assert "took too long" in answer.content.decode() and len(answer.context["rows"]) == 1
    monkeypatch.setattr(expressions, "MOST_VALUES", 0)
    assert "different values" in as_researcher.get("/sessions/", {"run": "/a/"}).content.decode()
