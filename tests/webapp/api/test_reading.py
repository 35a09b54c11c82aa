"""What programs read: the rows of pages, whole or page by page, and nothing that they must not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client

from tests.webapp.api.conftest import Program, check_refusal
from webapp.accounts.models import User
from webapp.accounts.tokens import READ_EVENTS, READ_LABELS, READ_RUNS
from webapp.api import answers
from webapp.catalogue.models import Task
from webapp.sessions.models import MetricValue, Run, Session

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(recorded_session: Callable[..., Session], researcher: User) -> Run:
    """Of three ended sessions."""
    run = Run.objects.create(
        name="good", setup={"agent": "reference", "world": "starter"}, created_by=researcher
    )
    sessions = [recorded_session(name) for name in ("easy", "medium", "english")]
    Session.objects.filter(pk__in=[each.pk for each in sessions]).update(run=run)
    from webapp.tables.entries import refresh

    refresh([each.pk for each in sessions])
    return run


def test_runs_are_those_of_the_table(program: Program, run: Run) -> None:
    (told,) = program.get("runs", {"find": "good"})["items"]
    assert (told["id"], told["name"], told["state"], told["sessions"]) == (run.pk, "good", "ended", 3)
    assert program.get("runs", {"find": "bad"}) == {"items": [], "next": None, "total": 0}
    whole = program.get(f"runs/{run.pk}")
    assert whole.items() >= told.items() and whole["costs"] == {} and whole["budget"] is None


def test_sessions_come_page_by_page_or_whole(program: Program, run: Run) -> None:
    whole = program.lines("sessions", {"run": "good"})
    assert len(whole) == 3 and program.pages("sessions", {"run": "good", "limit": 1}) == whole
    assert program.get(f"runs/{run.pk}/sessions")["items"] == whole
    assert program.get("sessions")["total"] == 3
    told = program.get(f"sessions/{whole[0]['id']}")
    assert told.items() >= whole[0].items() and told["scores"]["published"]


def test_filters_and_orders_are_those_of_the_page(program: Program, as_researcher: Client, run: Run) -> None:
    for query in (
        "order=rounds",
        "order=-events",
        "of=rounds&low=1&order=cost",
        "said=hotel",
        "city=上海市",
        "size=3",
    ):
        given = dict(pair.split("=") for pair in query.split("&"))
        listed = [each["id"] for each in program.lines("sessions", given)]
        rows = as_researcher.get(f"/sessions/table.jsonl?{query}")
        page = b"".join(rows).decode()
        assert [line.split('"')[3] for line in page.splitlines()] == listed, query


def test_a_question_that_can_t_be_understood_is_refused(program: Program, run: Run) -> None:
    for given, where in (
        ({"sort": "rounds"}, "sort"),
        ({"status": "good"}, "status"),
        ({"low": "many"}, "low"),
        ({"order": "nothing"}, "order"),
        ({"cursor": "x"}, "cursor"),
        ({"limit": "0"}, "limit"),
        ({"limit": "1001"}, "limit"),
        ({"task": "a\0b"}, "task"),
    ):
        told = check_refusal(program.ask("sessions", given), 422, "unfit")
        assert told["problems"][0]["where"] == where, told
    told = check_refusal(program.ask("sessions", {"sort": "rounds"}), 422, "unfit", "status", "agent")


def test_what_is_not_there_is_unknown(program: Program, db: None) -> None:
    for path in (
        "runs/none",
        "sessions/none",
        "sessions/none/events",
        "runs/none/sessions",
        "tasks/none",
        "nothing",
    ):
        check_refusal(program.ask(path), 404, "unknown")
    check_refusal(program.client.delete("/api/v1/runs"), 405, "method", "GET")


def test_scores_are_a_line_each(program: Program, run: Run) -> None:
    every = program.lines("scores", {"run": "good", "profile": "published"})
    stored = MetricValue.objects.filter(session__run=run, profile="published", rater="")
    assert len(every) == stored.count() > 10
    assert program.pages("scores", {"run": "good", "profile": "published", "limit": 7}) == every
    some = program.lines("scores", {"metric": "gu", "agent": "reference"})
    assert {each["metric"] for each in some} == {"gu"}
    session = Session.objects.get(pk=some[0]["session"])
    assert (some[0]["run"], some[0]["task"], some[0]["agent"]) == (
        run.pk,
        session.task.task_id,
        session.agent,
    )


def test_answers_of_people_name_nobody(program: Program, run: Run) -> None:
    session = run.sessions.first()
    assert session is not None
    MetricValue.objects.create(
        session=session, profile="", rater="person:abcdef", key="satisfaction", value=4
    )
    from webapp.tables.entries import refresh

    refresh([session.pk])
    (told,) = program.lines("scores", {"rater": "person"})
    assert (told["rater"], told["value"]) == ("person", 4.0)
    assert program.lines("scores", {"rater": "person:abcdef"}) == []
    assert program.lines("scores", {"rater": "rules"}) != []
    assert "abcdef" not in str(program.lines("sessions"))


def test_the_log_comes_in_pieces_and_ends(program: Program, run: Run) -> None:
    session = run.sessions.first()
    assert session is not None
    whole = program.lines(f"sessions/{session.pk}/events")
    assert [each["seq"] for each in whole] == list(range(1, session.last_seq + 1))
    pieces, cursor = [], ""
    while cursor is not None:
        piece = program.get(f"sessions/{session.pk}/events", {"limit": 50, "cursor": cursor})
        pieces += piece["items"]
        cursor = piece["next"]
    assert pieces == whole and piece["ended"]
    said = program.lines(f"sessions/{session.pk}/events", {"types": "message_posted,plan_proposed"})
    assert {each["type"] for each in said} == {"message_posted", "plan_proposed"}


def test_a_log_that_has_ended_is_not_sent_twice(program: Program, run: Run) -> None:
    session = run.sessions.first()
    assert session is not None
    for path in (f"sessions/{session.pk}", f"sessions/{session.pk}/events"):
        first = program.ask(path)
        again = program.ask(path, **{"If-None-Match": first["ETag"]})
        assert (again.status_code, again.content) == (304, b"")
    other = program.ask(f"sessions/{session.pk}/events", {"limit": 5}, **{"If-None-Match": first["ETag"]})
    assert other.status_code == 200


def test_a_list_that_breaks_off_says_so(program: Program, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*given: Any) -> Any:
        raise OperationalError("database is locked")

    monkeypatch.setattr(answers, "json_line", lambda value: b"{}\n" if "problem" in value else fail())
    response = program.ask("sessions", Accept="application/x-ndjson")
    assert b"".join(response) == b"{}\n"


def test_tasks_and_worlds(program: Program, starter_tasks: list[Task], run: Run) -> None:
    some = program.pages("tasks", {"find": "starter_en", "limit": 2})
    assert len(some) == 3 and {each["language"] for each in some} == {"en"}
    told = program.get(f"tasks/{some[0]['id']}")
    assert told["definition"] == Task.objects.get(task_id=some[0]["id"]).definition
    (world,) = program.lines("worlds")
    assert world["places"] > 100 and "上海市" in world["cities"]


def test_a_scope_lets_do_what_it_names(program_with: Callable[..., Program], run: Run) -> None:
    session = run.sessions.first()
    assert session is not None
    reads, events, labels = (program_with(scope) for scope in (READ_RUNS, READ_EVENTS, READ_LABELS))
    assert reads.ask("runs").status_code == events.ask(f"sessions/{session.pk}/events").status_code == 200
    assert labels.ask("labels").status_code == 200
    check_refusal(reads.ask(f"sessions/{session.pk}/events"), 403, "scope", READ_EVENTS)
    check_refusal(events.ask("runs"), 403, "scope", READ_RUNS)
    check_refusal(reads.ask("labels"), 403, "scope", READ_LABELS)
    check_refusal(reads.post(f"runs/{run.pk}/pause"), 403, "scope", "write:runs")
