"""Runs whose models do not answer: every page says so, and the run pauses itself."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from html import unescape
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client
from django.utils.html import strip_tags

from benchmark.core.events import ModelCalled
from tests.seating import endpoint_at
from webapp import clock
from webapp.endpoints.long_requests import LONG
from webapp.endpoints.models import ModelEndpoint, ModelSlot
from webapp.endpoints.outages import GRACE, NEXT_WITHIN, note_answer, note_failure, outages
from webapp.endpoints.services import change_endpoint
from webapp.endpoints.slots import give_back, take_place
from webapp.runs import control
from webapp.runs.outages import note_calls, outages_of, pause_where_failing
from webapp.runs.selectors import progress
from webapp.sessions.models import PAUSE_AFTER, Run, RunOutage

pytestmark = [pytest.mark.django_db, pytest.mark.storage]
MakeRun = Callable[..., Run]
WHY = "m (http://127.0.0.1:9/v1, model m): the server answered with status 500, “<b>out of order</b>”."


def failed_call(kind: str = "server", model: str = "m") -> ModelCalled:
    return ModelCalled(seat="Agent", endpoint=model, outcome=kind, detail=WHY)


def fail(run: Run, times: int, model: str = "m") -> None:
    note_calls(run_id=run.pk, calls=[failed_call(model=model)] * times)


def text_of(client: Client, address: str) -> str:
    return " ".join(unescape(strip_tags(client.get(address).content.decode())).split())


@pytest.mark.both_engines
def test_failures_in_a_row_are_counted_by_model_until_an_answer(make_run: MakeRun) -> None:
    run, other = make_run(tasks=1), make_run(tasks=1)
    fail(run, 2)
    fail(run, 3, "n")
    note_calls(run_id=run.pk, calls=[failed_call("cancelled")])
    note_calls(run_id=None, calls=[failed_call()])
    found = outages_of([run, other])
    assert [(one.endpoint, one.failed, one.last) for one in found[run.pk]] == [("m", 2, WHY), ("n", 3, WHY)]
    assert found[other.pk] == []
    note_calls(run_id=run.pk, calls=[failed_call(), ModelCalled(seat="Agent", endpoint="m")])
    assert [one.endpoint for one in outages_of([run])[run.pk]] == ["n"]


def test_one_failure_is_told_after_a_moment_and_two_at_once(make_run: MakeRun) -> None:
    run = make_run(tasks=1)
    fail(run, 1)
    assert outages_of([run])[run.pk] == []
    RunOutage.objects.update(since=clock.now() - GRACE)
    assert len(outages_of([run])[run.pk]) == 1
    assert timedelta() < GRACE < timedelta(seconds=10)


@pytest.mark.both_engines
def test_a_run_pauses_itself_after_so_many_and_counts_anew_when_resumed(make_run: MakeRun) -> None:
    run = make_run(tasks=2)
    fail(run, PAUSE_AFTER - 1)
    assert not pause_where_failing(run.pk) and not progress([run])[run.pk].resting
    fail(run, 1)
    assert pause_where_failing(run.pk) and pause_where_failing(run.pk)
    run.refresh_from_db()
    assert run.paused_failing and progress([run])[run.pk].resting
    control.resume(run)
    run.refresh_from_db()
    assert not run.paused_failing and not progress([run])[run.pk].paused
    assert not pause_where_failing(run.pk) and not run.outages.exists()


def test_a_run_that_is_told_so_never_pauses_itself(make_run: MakeRun) -> None:
    run = make_run(tasks=1)
    control.set_limits(run, at_once=None, budget=None, pause_after=0)
    fail(run, 500)
    assert not pause_where_failing(run.pk) and not pause_where_failing(None)
    control.set_limits(run, at_once=None, budget=None)
    assert Run.objects.get().pause_after == 0


def test_every_page_says_which_model_does_not_answer_and_why(
    as_researcher: Client, make_run: MakeRun
) -> None:
    model = endpoint_at("http://127.0.0.1:9/v1", "m")
    run = make_run(tasks=2, agent="llm", agent_model=model)
    pages = (run.get_absolute_url(), "/runs/", "/models/", "/models/m/", "/", "/live/")
    pieces = (f"{run.get_absolute_url()}live/", "/runs/failing/", "/models/failing.html")
    assert not any("requests fail" in text_of(as_researcher, page) for page in pages + pieces)
    fail(run, 3)
    for _ in range(3):
        note_failure(endpoint_name="m", why=WHY)
    for page in pages + pieces:
        words = text_of(as_researcher, page)
        assert "m: all requests fail, retrying since" in words, page
        assert "(3 in a row), last: m (http://127.0.0.1:9/v1" in words and "<b>out of order</b>" in words
    fail(run, PAUSE_AFTER)
    pause_where_failing(run.pk)
    words = text_of(as_researcher, run.get_absolute_url())
    assert f"Paused, because {PAUSE_AFTER} requests to one model in a row got no answer." in words
    assert "all requests failed since" in words and "retrying" not in words
    assert "Sessions that have begun keep their settings" in words
    note_calls(run_id=run.pk, calls=[ModelCalled(seat="Agent", endpoint="m")])
    note_answer(endpoint_name="m")
    assert "all requests" not in text_of(as_researcher, "/models/") + text_of(as_researcher, "/runs/")


def test_every_page_tells_of_a_server_that_hangs_within_ten_seconds(
    as_researcher: Client, make_run: MakeRun
) -> None:
    model = endpoint_at("http://127.0.0.1:9/v1", "m")
    run = make_run(tasks=2, agent="llm", agent_model=model)
    holders = [take_place(endpoint=model) for _ in range(2)]
    pages = (
        f"{run.get_absolute_url()}live/",
        "/runs/failing/",
        "/models/failing.html",
        "/models/m/",
        "/live/",
    )
    assert not any("of their answers" in text_of(as_researcher, page) for page in pages)
    ModelSlot.objects.exclude(holder="").update(taken_at=clock.now() - LONG)
    for page in pages:
        words = text_of(as_researcher, page)
        assert "m: 2 requests wait for the end of their answers, the first since" in words, page
    for holder in holders:
        give_back(holder=holder)
    assert not any("of their answers" in text_of(as_researcher, page) for page in pages)


def test_what_failed_is_no_news_once_nobody_asks_and_forgotten_with_another_address(
    as_researcher: Client,
) -> None:
    model = endpoint_at("http://127.0.0.1:9/v1", "m")
    note_failure(endpoint_name="m", why=f"{WHY}\0" * 100)
    note_failure(endpoint_name="m", why="no")
    (outage,) = outages()
    assert (outage.endpoint, outage.failed, outage.last, outage.retrying) == ("m", 2, "no", True)
    ModelEndpoint.objects.update(failing_since=clock.now() - NEXT_WITHIN, failed_at=clock.now() - NEXT_WITHIN)
    assert not outages()[0].retrying
    assert "m: all requests failed since" in text_of(as_researcher, "/models/")
    assert "all requests" not in text_of(as_researcher, "/")
    change_endpoint(endpoint=model, base_url="http://127.0.0.1:8/v1")
    assert outages() == [] and ModelEndpoint.objects.get().failing_since is None


def test_the_page_and_the_command_say_after_how_many(as_researcher: Client, make_run: MakeRun) -> None:
    run = make_run(tasks=1)
    limits = {"at_once": "", "budget": "", "budget_unit": "tokens"}
    as_researcher.post(f"{run.get_absolute_url()}limits/", {**limits, "pause_after": "0"})
    assert Run.objects.get().pause_after == 0
    as_researcher.post(f"{run.get_absolute_url()}limits/", {**limits, "pause_after": ""})
    assert Run.objects.get().pause_after == PAUSE_AFTER
    refused = as_researcher.post(f"{run.get_absolute_url()}limits/", {**limits, "pause_after": "-1"})
    assert refused.status_code == 200 and Run.objects.get().pause_after == PAUSE_AFTER
    call_command("control_run", "limit", run.pk, "--pause-after", "7", stdout=StringIO())
    assert Run.objects.get().pause_after == 7
    with pytest.raises(CommandError, match="--pause-after takes 0 to"):
        call_command("control_run", "limit", run.pk, "--pause-after", "-1")
    fail(run, 7)
    pause_where_failing(run.pk)
    told = StringIO()
    call_command("control_run", "show", run.pk, "--json", stdout=told)
    state = json.loads(told.getvalue())
    assert (
        state["paused_failing"] and state["failing"][0]["failed"] == 7 and state["failing"][0]["last"] == WHY
    )
    told = StringIO()
    call_command("control_run", "show", run.pk, stdout=told)
    assert "all requests to m fail, 7 in a row since" in told.getvalue()
