"""What meets at a bad moment around a request: stops, lost database connections, other sessions."""

from __future__ import annotations

import threading
import time
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError
from django.utils import timezone

from tests.model_server import model_server
from tests.seating import Make, calls, endpoint_at, play
from tests.threads import start_in_thread
from tests.worker.raw import Answer, raw_server, whole
from webapp.catalogue.models import Task
from webapp.endpoints.models import ModelEndpoint, ModelSlot
from webapp.endpoints.slots import NoPlace, give_back, take_place
from webapp.jobs import services as jobs
from webapp.jobs.models import Job
from webapp.jobs.services import due
from webapp.sessions import services
from webapp.sessions.jobs import SESSION
from webapp.sessions.models import Session, Status
from worker import lease_keeper as keepers
from worker.model_calls import live
from worker.sessions import advance, storage, table
from worker.sessions.work import Budget

pytestmark = [pytest.mark.storage, pytest.mark.django_db(transaction=True)]


@pytest.mark.both_engines
def test_a_lease_that_is_given_back_while_it_is_renewed_breaks_nothing_off(
    make_model_session: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    entered, go, real = threading.Event(), threading.Event(), jobs.renew

    def slow(*, claimed: jobs.Claim) -> bool:
        entered.set()
        go.wait(10)
        return real(claimed=claimed)

    monkeypatch.setattr(jobs, "renew", slow)
    monkeypatch.setattr(Budget, "RENEWALS", 0)
    with model_server() as server:
        session = make_model_session(endpoint_at(server.url, "good-agent:slow=4"))
        claimed = services.claim(session_id=session.pk)
        assert claimed is not None
        with keepers.lease_keeper().keep_lease(claimed):
            assert entered.wait(10)
        jobs.release(claimed=claimed)
        next_one = start_in_thread(lambda: advance(session.pk, budget_s=3.0, paced=False))
        time.sleep(1.5)
        go.set()
        next_one.join(30)
        assert [call.answered for call in calls(session)] == [True]


def test_a_stop_is_not_lost_behind_a_pause(make_model_session: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    real = jobs.release
    with model_server() as server:
        session = make_model_session(endpoint_at(server.url, "good-agent"))
        ModelEndpoint.objects.update(not_before=timezone.now() + timedelta(seconds=300))

        def stopping(**given: Any) -> None:
            services.request_stop(Session.objects.filter(pk=session.pk))
            real(**given)

        monkeypatch.setattr(jobs, "release", stopping)
        advance(session.pk, paced=False)
        monkeypatch.setattr(jobs, "release", real)
        assert due(kind=SESSION) == [session.pk]
        assert advance(session.pk)
        session.refresh_from_db()
        assert session.status == Status.STOPPED


@pytest.mark.both_engines
def test_a_lowered_limit_holds_at_once(task: Task) -> None:
    endpoint = endpoint_at("http://127.0.0.1:9/v1", "m", concurrency=4)
    holders = [take_place(endpoint=endpoint) for _ in range(4)]
    ModelEndpoint.objects.update(concurrency=1)
    give_back(holder=holders[0])
    with pytest.raises(NoPlace):
        take_place(endpoint=endpoint)
    for holder in holders[1:]:
        give_back(holder=holder)
    assert take_place(endpoint=endpoint)


def test_a_place_that_cannot_be_given_back_costs_no_answer(
    make_model_session: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, count = live.give_back, 0

    def failing(*, holder: str) -> None:
        nonlocal count
        count += 1
        if count == 3:
            raise OperationalError("database is locked")
        real(holder=holder)

    monkeypatch.setattr(live, "give_back", failing)
    with model_server() as server:
        session = play(make_model_session(endpoint_at(server.url, "planner-at-once")))
        assert session.completion_reason == "plan_generated"
        assert len(calls(session)) == len(server.ledger.entries)


@pytest.mark.both_engines
def test_an_answer_outlives_its_connection_to_the_database(
    make_model_session: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, count = services.append, 0

    def failing(**given: Any) -> services.Wishes:
        nonlocal count
        count += 1
        if count == 4:
            raise OperationalError("the connection is lost")
        return real(**given)

    monkeypatch.setattr(storage.services, "append", failing)
    with model_server() as server:
        session = play(make_model_session(endpoint_at(server.url, "planner-at-once")))
        assert session.completion_reason == "plan_generated"
        assert len(calls(session)) == len(server.ledger.entries)


def test_stopping_does_not_wait_for_a_batch_of_slow_tools(
    make_model_session: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Slow:
        def __init__(self, tools: Any) -> None:
            self.tools = tools

        def call(self, name: str, arguments: Any) -> Any:
            time.sleep(0.5)
            return self.tools.call(name, arguments)

    def answer(body: dict[str, Any]) -> Answer:
        some = tuple(("search_poi", f'{{"n":{n}}}') for n in range(30))
        return whole(calls=some) if body.get("tools") else whole("{}")

    real = table.tools_of
    monkeypatch.setattr(table, "tools_of", lambda *given: Slow(real(*given)))
    with raw_server(answer) as (url, _):
        session = make_model_session(endpoint_at(url, "m"))
        stepped = start_in_thread(lambda: advance(session.pk, budget_s=None, paced=False))
        time.sleep(3)
        begun = time.monotonic()
        services.request_stop(Session.objects.filter(pk=session.pk))
        stepped.join(30)
        assert time.monotonic() - begun < 6
        session.refresh_from_db()
        assert session.status == Status.STOPPED


def test_a_request_broken_off_by_the_end_of_its_worker_is_in_the_log(make_model_session: Make) -> None:
    with model_server() as server:
        session = make_model_session(endpoint_at(server.url, "good-agent:slow=20"))
        stepped = start_in_thread(lambda: advance(session.pk, paced=False))
        time.sleep(1.5)
        keepers.lease_keeper().end()
        stepped.join(10)
        keepers.lease_keeper().revive()
        assert [call.outcome for call in calls(session)] == ["cancelled"]
        lease = Job.objects.get(kind=SESSION.name, subject=session.pk)
        assert lease.expires_at is None and due(kind=SESSION) == [session.pk]
        assert not ModelSlot.objects.exclude(holder="").exists()


@pytest.mark.both_engines
def test_whoever_leaves_a_place_wakes_who_has_waited_longest(make_model_session: Make) -> None:
    with model_server() as server:
        endpoint = endpoint_at(server.url, "planner-at-once", concurrency=1)
        held = take_place(endpoint=endpoint)
        waiting = [make_model_session(endpoint, seed=seed) for seed in range(2)]
        for session in waiting:
            assert advance(session.pk, paced=False)
            assert not advance(session.pk, paced=False)
        assert due(kind=SESSION) == []
        give_back(holder=held)
        jobs.wake_waiting(endpoint=endpoint.name)
        assert due(kind=SESSION) == [waiting[0].pk]
        play(waiting[0])
        assert waiting[1].pk in due(kind=SESSION)
