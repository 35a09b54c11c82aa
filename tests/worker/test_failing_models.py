"""What sessions do while their models fail: how long they are patient, and how they end."""

from __future__ import annotations

import logging
import time
from typing import Any

import pytest

from benchmark.core.events import DraftWithdrawn, ErrorRaised, MessagePosted, ModelCalled
from tests.model_server import ModelServer, model_server
from tests.seating import Make, bodies, calls, endpoint_at, play
from tests.threads import start_in_thread
from tests.worker.raw import raw_server, whole
from webapp.endpoints.models import ModelEndpoint
from webapp.jobs.models import Job
from webapp.sessions.jobs import SESSION
from webapp.sessions.models import Session, Status
from worker.sessions import advance

pytestmark = pytest.mark.django_db(transaction=True)

KEY = "RESEARCH_API_KEY"


def error(session: Session) -> str:
    return next(body.detail for body in bodies(session) if isinstance(body, ErrorRaised))


def test_a_context_that_fills_while_answering_ends_the_session_at_once(make_model_session: Make) -> None:
    with model_server() as server:
        agent = endpoint_at(server.url, "good-agent:context=2600", input_price=1.0, output_price=1.0)
        session = play(make_model_session(agent))
        last = server.ledger.entries[-1]
    assert session.completion_reason == "context_overflow"
    *answered, full = calls(session)
    assert (full.outcome, full.attempt, full.retry_in_s) == ("overflow", 1, None)
    assert all(call.answered for call in answered)
    if last.outcome == "whole":  # it came as an answer, with figures, and not as a refusal
        assert full.tokens is not None and full.cost is not None and not full.unknown
    for switch in ("llama-server -c", "num_ctx", "--max-model-len"):
        assert switch in error(session)


def test_a_worker_without_the_key_sends_nothing_and_another_goes_on(
    make_model_session: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(KEY, raising=False)
    with model_server() as server:
        agent = endpoint_at(server.url, "planner-at-once:key=sk-right", key_variable=KEY)
        session = make_model_session(agent)
        for _ in range(3):
            assert advance(session.pk, budget_s=None, paced=False)
            due = Job.objects.get(kind=SESSION.name, subject=session.pk).due_at
            assert due is not None
            Job.objects.filter(kind=SESSION.name).update(due_at=None)
        assert server.ledger.entries == []
        assert [call.outcome for call in calls(session)] == ["no_key"] * 3
        monkeypatch.setenv(KEY, "sk-right")
        assert play(session).completion_reason == "plan_generated"
        assert {entry.key for entry in server.ledger.entries} == {"sk-right"}


def test_without_any_worker_that_has_the_key_the_session_ends_after_two_minutes(
    make_model_session: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(KEY, raising=False)
    with model_server() as server:
        session = play(make_model_session(endpoint_at(server.url, "good-agent", key_variable=KEY)))
        assert server.ledger.entries == []
    assert (session.status, session.completion_reason) == (Status.CRASHED, "runtime_error")
    assert KEY in error(session) and "not set" in error(session)
    waited = sum((call.retry_in_s or 0) + call.latency_ms / 1000 for call in calls(session))
    assert waited == pytest.approx(120, abs=4)


def test_a_server_may_be_away_for_a_quarter_of_an_hour(make_model_session: Make) -> None:
    with model_server() as gone:
        port = int(gone.url.rsplit(":", 1)[1].split("/")[0])
    session = make_model_session(endpoint_at(gone.url, "planner-at-once"))
    for _ in range(8):  # with six tries in 45 s it had crashed
        assert advance(session.pk, budget_s=None, paced=False)
        Job.objects.filter(kind=SESSION.name).update(due_at=None)
    assert [call.outcome for call in calls(session)] == ["connection"] * 8
    with model_server(port=port):
        assert play(session).completion_reason == "plan_generated"


def test_patience_is_a_setting_and_its_end_a_true_reason(make_model_session: Make) -> None:
    with model_server() as server:
        agent = endpoint_at(server.url, "good-agent:fail=503", patience_s=20)
        session = play(make_model_session(agent))
    assert session.completion_reason == "connection_error" and "503" in error(session)
    waited = sum((call.retry_in_s or 0) + call.latency_ms / 1000 for call in calls(session))
    assert len(calls(session)) > 2 and waited == pytest.approx(20, abs=1)


def test_a_pause_in_words_is_kept(make_model_session: Make) -> None:
    with model_server() as server:
        session = make_model_session(endpoint_at(server.url, "good-agent:busy=20"))
        advance(session.pk, budget_s=None, paced=False)
        (call,) = calls(session)
        assert call.outcome == "rate_limit" and call.retry_in_s is not None and 20 <= call.retry_in_s <= 21
        assert ModelEndpoint.objects.get().not_before is not None


def test_what_a_content_filter_left_is_never_posted(make_model_session: Make) -> None:
    with model_server() as server:
        users = endpoint_at(server.url, "good-user:filter")
        session = play(make_model_session(endpoint_at(server.url, "good-agent"), users))
    assert "content filter" in error(session)
    log = bodies(session)
    first = next(at for at, body in enumerate(log) if isinstance(body, ModelCalled))
    later = [body for body in log[first:] if isinstance(body, MessagePosted | DraftWithdrawn)]
    assert [body.role for body in later if isinstance(body, MessagePosted)] == ["Agent"] and len(later) == 1
    assert [call.outcome for call in calls(session)][-3:] == ["filtered"] * 3


def test_a_connection_that_the_server_had_closed_is_asked_once_more_at_once(make_model_session: Make) -> None:
    with model_server() as server:
        session = play(make_model_session(endpoint_at(server.url, "planner-at-once:stale")))
        assert session.completion_reason == "plan_generated"
        made = calls(session)
        assert len(made) == len(server.ledger.entries)
    closed = [call for call in made if not call.answered]
    assert closed and {(call.outcome, call.retry_in_s) for call in closed} == {("closed", 0.0)}
    assert not any("Is the server running" in call.detail for call in closed)


@pytest.mark.parametrize(
    ("calls", "text"),
    [
        ((), ""),
        ((("search_poi", '{"a":' * 5_000 + "1" + "}" * 5_000),), ""),
        (tuple(("search_poi", f'{{"n":{n}}}') for n in range(1_100)), ""),
    ],
)
def test_what_a_model_does_wrong_prints_no_traceback(
    make_model_session: Make, caplog: pytest.LogCaptureFixture, calls: tuple[tuple[str, str], ...], text: str
) -> None:
    caplog.set_level(logging.DEBUG)

    def answer(body: dict[str, Any]) -> Any:
        return whole(text, calls=calls if body.get("tools") else ())

    with raw_server(answer) as (url, _):
        session = play(make_model_session(endpoint_at(url, "m")))
    assert session.ended
    assert [record.getMessage() for record in caplog.records if record.exc_info] == []


def test_a_server_killed_and_started_again_costs_no_session(make_model_session: Make) -> None:
    with model_server() as first:
        port = int(first.url.rsplit(":", 1)[1].split("/")[0])
        session = make_model_session(endpoint_at(first.url, "planner-at-once:slow=0.3"))
        stepping = start_in_thread(lambda: advance(session.pk, budget_s=None, paced=False))
        time.sleep(1)
    stepping.join()
    Job.objects.filter(kind=SESSION.name).update(due_at=None)
    advance(session.pk, budget_s=None, paced=False)
    with ModelServer(port=port):
        assert play(session).completion_reason == "plan_generated"
