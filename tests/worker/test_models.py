"""Sessions whose seats speak through models, over real HTTP."""

from __future__ import annotations

import time
from collections import Counter
from functools import partial

import pytest
from django.core.management import call_command
from django.db import connection
from pytest_django import Settings

from tests.model_server import ModelServer, model_server
from tests.seating import Make, bodies, calls, endpoint_at, play
from tests.threads import start_in_thread
from webapp.catalogue.models import Task, World
from webapp.endpoints.keys import bind
from webapp.endpoints.models import ModelSlot
from webapp.jobs.services import due
from webapp.sessions import services
from webapp.sessions.jobs import SESSION
from webapp.sessions.log import whole_log
from webapp.sessions.models import Session, Status
from webapp.sessions.scoring import record_of
from webapp.sessions.selectors import values_in
from worker.model_calls.live import release_connection
from worker.sessions import advance

pytestmark = pytest.mark.django_db(transaction=True)


def numbered(session: Session) -> bool:
    return [event.seq for event in whole_log(session.pk)] == list(range(1, session.last_seq + 1))


@pytest.mark.both_engines
def test_while_a_model_is_asked_a_connection_to_a_server_is_left_to_others() -> None:
    connection.ensure_connection()
    release_connection()
    assert (connection.connection is None) == (connection.vendor == "postgresql")


@pytest.mark.storage
def test_models_in_every_seat_plan_a_trip(server: ModelServer, make_model_session: Make) -> None:
    agent = endpoint_at(server.url, "good-agent", input_price=2.0, output_price=6.0, currency="USD")
    users = endpoint_at(server.url, "good-user")
    session = play(make_model_session(agent, users))
    assert (session.status, session.completion_reason) == (Status.FINISHED, "plan_generated")
    assert numbered(session)
    made = calls(session)
    asked = Counter(call.endpoint for call in made)
    told = Counter(entry.model for entry in server.ledger.entries)
    assert asked == told and set(asked) == {"good-agent", "good-user"}
    tokens = [call.tokens for call in made if call.tokens]
    assert sum(t.prompt + t.completion for t in tokens) == sum(
        entry.tokens.prompt + entry.tokens.completion for entry in server.ledger.entries
    )
    cost = sum(call.cost or 0 for call in made if call.endpoint == "good-agent")
    agents = [call.tokens for call in made if call.endpoint == "good-agent" and call.tokens]
    assert cost == pytest.approx(sum(2e-6 * t.prompt + 6e-6 * t.completion for t in agents))
    assert "pc" in values_in(session.scores.get(profile="published"))


REASONS = [
    ("good-agent", "plan_generated", Status.FINISHED),
    ("talks-forever", "max_turn_reached", Status.FINISHED),
    ("loops", "multiple_repeated_tool_calls", Status.FINISHED),
    ("loops-in-two-turns", "consecutive_repeated_tool_calls", Status.FINISHED),
    ("overflows", "context_overflow", Status.CRASHED),
    ("good-agent:drop", "connection_error", Status.CRASHED),
    ("good-agent:fail=503", "connection_error", Status.CRASHED),
    ("good-agent:context=2600", "context_overflow", Status.CRASHED),
    ("good-agent:filter", "runtime_error", Status.CRASHED),
    ("good-agent:fail=429:retry_after=0", "rate_limit", Status.CRASHED),
    ("wordless", "runtime_error", Status.CRASHED),
]


@pytest.mark.parametrize(("personality", "reason", "status"), REASONS)
def test_a_session_ends_as_its_agent_makes_it_end(
    server: ModelServer, make_model_session: Make, personality: str, reason: str, status: Status
) -> None:
    agent, users = endpoint_at(server.url, personality), endpoint_at(server.url, "good-user")
    session = play(make_model_session(agent, users))
    assert (session.completion_reason, session.status) == (reason, status)
    assert numbered(session)
    if status == Status.CRASHED:
        assert record_of(session)["error"]


@pytest.mark.parametrize(
    ("personality", "words"),
    [
        ("good-agent:key=sk-test", ["401", "MODEL_API_KEY"]),
        ("no-such-model", ["no-such-model"]),
        ("good-agent:html", ["HTML"]),
        ("overflows", ["context"]),
    ],
)
def test_a_crash_says_what_is_wrong_and_never_the_key(
    server: ModelServer,
    make_model_session: Make,
    monkeypatch: pytest.MonkeyPatch,
    personality: str,
    words: list[str],
) -> None:
    monkeypatch.setenv("MODEL_API_KEY", "sk-very-secret")
    agent = endpoint_at(server.url, personality, key_variable="MODEL_API_KEY")
    session = play(make_model_session(agent))
    error = record_of(session)["error"]
    assert all(word.lower() in error.lower() for word in words), error
    assert "sk-very-secret" not in str([body.model_dump() for body in bodies(session)])


@pytest.mark.parametrize(("hosts", "quoted"), [([], False), (["127.0.0.1"], True)])
def test_what_a_server_says_in_place_of_an_answer_is_read_where_it_was_named(
    server: ModelServer, make_model_session: Make, settings: Settings, hosts: list[str], quoted: bool
) -> None:
    """Else a researcher would add a model at the address of something else, and read what stands there."""
    settings.CARAVAN_MODEL_HOSTS, settings.BEHIND_PROXY = hosts, True
    session = play(make_model_session(endpoint_at(server.url, "no-such-model")))
    assert "404" in record_of(session)["error"]
    said = str([body.model_dump() for body in bodies(session)])
    assert ("The model `no-such-model` does not exist" in said) is quoted


def test_a_session_sends_no_key_to_a_server_that_it_is_not_bound_to(
    server: ModelServer, make_model_session: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MODEL_API_KEY", "sk-very-secret")
    agent = endpoint_at(server.url, "good-agent", key_variable="MODEL_API_KEY")
    started = make_model_session(agent)
    bind(variable="MODEL_API_KEY", address="https://api.example.com")
    session = play(started)
    assert "MODEL_API_KEY is sent to https://api.example.com only" in record_of(session)["error"]
    assert not server.ledger.entries


def test_what_fails_is_asked_again_and_told(make_model_session: Make) -> None:
    with model_server(faults=0.3, seed=5) as server:
        agent, users = endpoint_at(server.url, "good-agent"), endpoint_at(server.url, "good-user")
        session = play(make_model_session(agent, users))
        assert session.completion_reason == "plan_generated"
        whole = [entry for entry in server.ledger.entries if entry.outcome == "whole"]
        cut = [entry for entry in server.ledger.entries if entry.outcome == "cut"]
    made = calls(session)
    assert len([call for call in made if call.answered]) == len(whole)
    assert len(made) == len(server.ledger.entries)
    failed = [call for call in made if not call.answered]
    assert failed and all(call.retry_in_s is not None for call in failed)
    assert sum(call.tokens.completion for call in made if call.tokens) == sum(
        e.tokens.completion for e in whole
    )
    assert len([call for call in made if call.unknown]) <= len(cut)


def test_nobody_knows_how_long_an_answer_was_that_broke_off(
    server: ModelServer, make_model_session: Make
) -> None:
    session = play(make_model_session(endpoint_at(server.url, "good-agent:drop=middle")))
    assert session.completion_reason == "connection_error"
    assert calls(session) and all(call.unknown and not call.answered for call in calls(session))


@pytest.mark.storage
def test_a_failed_attempt_frees_the_worker_until_the_next(
    server: ModelServer, make_model_session: Make
) -> None:
    agent = endpoint_at(server.url, "good-agent:fail=429:retry_after=30")
    session = make_model_session(agent)
    begun = time.monotonic()
    assert advance(session.pk)
    assert time.monotonic() - begun < 10
    assert not advance(session.pk)
    assert due(kind=SESSION) == []
    agent.refresh_from_db()
    assert agent.not_before is not None


@pytest.mark.storage
def test_no_more_requests_at_once_than_the_endpoint_takes(
    server: ModelServer, make_model_session: Make
) -> None:
    agent = endpoint_at(server.url, "planner-at-once:slow=0.05", concurrency=2)
    sessions = [make_model_session(agent, seed=seed) for seed in range(5)]

    for thread in [start_in_thread(partial(play, session)) for session in sessions]:
        thread.join()
    for session in sessions:
        session.refresh_from_db()
        assert session.completion_reason == "plan_generated"
    assert server.ledger.highest["planner-at-once:slow=0.05"] == 2
    assert not ModelSlot.objects.exclude(holder="").exists()


@pytest.mark.storage
def test_stopping_breaks_a_call_off(server: ModelServer, make_model_session: Make) -> None:
    session = make_model_session(endpoint_at(server.url, "good-agent:slow=30"))
    stopping = start_in_thread(
        lambda: services.request_stop(Session.objects.filter(pk=session.pk)), after_s=1.0
    )
    begun = time.monotonic()
    advance(session.pk)
    assert time.monotonic() - begun < 8
    stopping.join()
    session.refresh_from_db()
    assert (session.status, session.completion_reason) == (Status.STOPPED, "stopped")
    assert [call.outcome for call in calls(session)] == ["cancelled"]
    assert not ModelSlot.objects.exclude(holder="").exists()


@pytest.mark.storage
def test_a_paused_session_waits_until_it_is_told_to_go_on(
    server: ModelServer, make_model_session: Make
) -> None:
    session = make_model_session(endpoint_at(server.url, "planner-at-once"))
    services.pause_sessions(Session.objects.filter(pk=session.pk))
    assert not advance(session.pk)
    assert due(kind=SESSION) == []
    services.resume_sessions(Session.objects.filter(pk=session.pk))
    assert play(session).completion_reason == "plan_generated"


@pytest.mark.storage
def test_a_paused_session_can_be_stopped(server: ModelServer, make_model_session: Make) -> None:
    session = make_model_session(endpoint_at(server.url, "good-agent"))
    services.pause_sessions(Session.objects.filter(pk=session.pk))
    services.request_stop(Session.objects.filter(pk=session.pk))
    assert advance(session.pk)
    session.refresh_from_db()
    assert session.status == Status.STOPPED


def test_a_session_in_pieces_is_the_session_in_one(server: ModelServer, make_model_session: Make) -> None:
    agent, users = endpoint_at(server.url, "good-agent"), endpoint_at(server.url, "good-user")
    whole, pieces = (make_model_session(agent, users, seed=2) for _ in range(2))
    play(whole)
    play(pieces, budget_s=0.0)
    one, two = ({k: v for k, v in record_of(s).items() if k != "duration"} for s in (whole, pieces))
    assert one == two


def test_run_session_waits_for_what_the_session_waits_for(
    task: Task, starter_world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    with model_server(faults=0.25, seed=5) as server:
        endpoint_at(server.url, "good-agent")
        call_command(
            "run_session", task.task_id, "--world", "starter", "--agent", "llm", "--model", "good-agent"
        )
    assert "plan_generated" in capsys.readouterr().out
    assert any(not call.answered for call in calls(Session.objects.get()))
