"""How a run does while it goes on: requests, what is slow, what waits for what, and the alarm of its budget."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from tests.webapp.runs.conftest import end
from webapp.endpoints.services import create_endpoint
from webapp.jobs import services as jobs
from webapp.jobs.models import Job
from webapp.jobs.waits import Reason, waits
from webapp.runs import control
from webapp.runs.budget import Budget, expected_spending, keep_to_budget, raised_alarms
from webapp.runs.health import run_health
from webapp.sessions.jobs import SESSION
from webapp.sessions.models import Event, ModelSpending, Run, Session, Status
from webapp.sessions.spending import spending_by_run

pytestmark = pytest.mark.django_db
MakeRun = Callable[..., Run]


def call(session: Session, seconds_ago: float = 5.0, **payload: Any) -> None:
    """A request of a session."""
    Event.objects.create(
        session=session,
        seq=Event.objects.filter(session=session).count() + 1,
        type="model_called",
        actor="system",
        audience="research",
        payload={"seat": "agent", "endpoint": "first", "latency_ms": 1000.0, **payload},
        at=timezone.now() - timedelta(seconds=seconds_ago),
    )


def begin(run: Run) -> list[Session]:
    """Let all sessions of a run be under way for an hour."""
    began = timezone.now() - timedelta(hours=1)
    Run.objects.filter(pk=run.pk).update(created_at=began)
    run.sessions.update(status=Status.RUNNING, started_at=began)
    run.refresh_from_db()
    return list(run.sessions.order_by("task__position"))


def spend(session: Session, tokens: int) -> None:
    ModelSpending.objects.create(session=session, run=session.run, currency="", tokens=tokens, requests=1)


def test_requests_of_the_last_ten_minutes_are_counted_by_model(make_run: MakeRun) -> None:
    run = make_run()
    first, second, _third = begin(run)
    call(first, tokens={"prompt": 10, "completion": 600})
    call(first, outcome="rate_limit", latency_ms=10.0)
    call(second, attempt=2, latency_ms=9000.0, tokens={"prompt": 10, "completion": 600})
    call(second, endpoint="other", outcome="timeout")
    call(second, seconds_ago=700, outcome="server")
    health = run_health(run)
    assert (health.total.requests, health.total.failed, health.total.repeated) == (4, 2, 1)
    assert health.total.tokens_per_s == pytest.approx(1200 / 600)
    assert [(row.endpoint, row.requests, row.failures_by_kind) for row in health.models] == [
        ("first", 3, [("rate_limit", 1)]),
        ("other", 1, [("timeout", 1)]),
    ]
    assert (health.slow_requests[0].session, health.slow_requests[0].latency_ms) == (second.pk, 9000.0)
    assert {slow.session.pk for slow in health.slow_sessions} == set(
        run.sessions.values_list("pk", flat=True)
    )


def test_the_page_shows_it_as_a_part_and_by_itself(as_researcher: Client, make_run: MakeRun) -> None:
    run = make_run()
    create_endpoint(name="first", base_url="http://127.0.0.1:9/v1", model="m")
    session = begin(run)[0]
    call(session, outcome="rate_limit")
    call(session)
    assert f"/runs/{run.pk}/health/" in as_researcher.get(run.get_absolute_url()).content.decode()
    page = unescape(as_researcher.get(f"/runs/{run.pk}/health/").content.decode())
    part = unescape(
        as_researcher.get(f"/runs/{run.pk}/health/", headers={"HX-Request": "true"}).content.decode()
    )
    for shown in (page, part):
        assert "too many requests 1" in shown and f"/sessions/{session.pk}/?at=" in shown
    assert "<html" in page and "<html" not in part


def test_strangers_see_none_of_it(client: Client, make_run: MakeRun) -> None:
    assert client.get(f"/runs/{make_run().pk}/health/").status_code in (302, 403, 404)


def test_jobs_tell_what_they_wait_for(as_researcher: Client, make_run: MakeRun) -> None:
    run = make_run(tasks=6, name="a queue")
    control.set_limits(run, at_once=2, budget=None)
    rows = list(Job.objects.filter(kind=SESSION.name, group=run.pk).order_by("pk"))
    now = timezone.now()
    Job.objects.filter(pk=rows[0].pk).update(started_at=now, waits_for="first", due_at=now)
    Job.objects.filter(pk=rows[1].pk).update(started_at=now, waits_for=jobs.MAIL)
    Job.objects.filter(pk=rows[2].pk).update(paused=True)
    found = {wait.reason: wait for wait in waits() if wait.group and wait.group.name == "a queue"}
    assert {reason: wait.count for reason, wait in found.items()} == {
        Reason.PLACE: 1,
        Reason.MAIL: 1,
        Reason.PAUSED: 1,
        Reason.ROOM: 3,
    }
    assert found[Reason.PLACE].model == "first" and found[Reason.ROOM].limit == 2
    page = unescape(as_researcher.get("/jobs/").content.decode())
    assert "others to end: at most 2 at once" in page and "a place at first" in page
    control.set_limits(run, at_once=5, budget=None)
    assert {wait.reason for wait in waits()} == {Reason.PLACE, Reason.MAIL, Reason.PAUSED, Reason.WORKER}


def test_the_alarm_is_raised_once_before_the_budget_is_used_up(
    as_researcher: Client, make_run: MakeRun
) -> None:
    run = make_run(name="dear")
    control.set_limits(run, at_once=None, budget=Budget(1000, alarm=50))
    session = run.sessions.first()
    assert session is not None
    spend(session, 499)
    assert not keep_to_budget(run.pk) and raised_alarms() == []
    ModelSpending.objects.update(tokens=500)
    assert not keep_to_budget(run.pk)
    [(alarming, share, _budget)] = raised_alarms()
    assert (alarming, share) == (run, 0.5)
    raised = alarming.alarm_raised_at
    assert not keep_to_budget(run.pk) and Run.objects.get(pk=run.pk).alarm_raised_at == raised
    for address in ("/runs/", "/", "/live/"):
        page = unescape(as_researcher.get(address).content.decode())
        assert "has used 50.0% of its budget of 1,000 tokens" in page, address
    assert "Budget alarm: 50 % of 1,000 tokens" in unescape(
        as_researcher.get(run.get_absolute_url()).content.decode()
    )
    control.set_limits(run, at_once=None, budget=Budget(2000, alarm=50))
    assert raised_alarms() == []


def test_a_budget_without_alarm_raises_none(make_run: MakeRun) -> None:
    run = make_run()
    control.set_limits(run, at_once=None, budget=Budget(1000, alarm=None))
    session = run.sessions.first()
    assert session is not None
    spend(session, 999)
    assert not keep_to_budget(run.pk) and raised_alarms() == []


def test_what_a_run_will_have_spent_is_told_from_the_sessions_that_have_ended(make_run: MakeRun) -> None:
    run = make_run(tasks=5)
    sessions = begin(run)
    for session in sessions[:3]:
        spend(session, 100)
        end(session)
    spend(sessions[3], 30)
    budget = Budget(1000)
    spent = spending_by_run([run.pk])[run.pk]
    assert expected_spending(run, budget, spent, ended=3, left=2) == pytest.approx(300 + 2 * 100)
    assert expected_spending(run, budget, spent, ended=2, left=3) is None
    ModelSpending.objects.filter(session=sessions[3]).update(tokens=450)
    spent = spending_by_run([run.pk])[run.pk]
    assert expected_spending(run, budget, spent, ended=3, left=2) == pytest.approx(750)
