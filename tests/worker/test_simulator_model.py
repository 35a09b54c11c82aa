"""Isolated sessions in which a model answers the tool calls that no cache holds, over real HTTP."""

from __future__ import annotations

import json
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from benchmark.core.events import ModelCalled, ParticipantJoined, ToolReturned
from benchmark.core.model_use import ModelUse
from benchmark.core.view import SIMULATOR
from benchmark.suites.grouptravel.events import SessionOpened
from sandbox.simulation.model import MOST_ASKED
from tests.chat_server import ChatServer, chat_server, refuses, says, silent
from tests.seating import bodies, calls, endpoint_at, play
from tests.threads import start_in_thread
from webapp.caches.choice import SandboxChoice
from webapp.caches.models import ToolCache, caches_folder
from webapp.caches.services import create_cache, index_cache
from webapp.cassettes.selectors import verdict_of
from webapp.cassettes.services import replay
from webapp.catalogue.models import Task, World
from webapp.endpoints.models import ModelEndpoint
from webapp.endpoints.selectors import use_by_endpoint
from webapp.endpoints.slots import give_back, take_place
from webapp.jobs.models import Job
from webapp.sessions import services
from webapp.sessions.models import Session, Status
from webapp.sessions.selectors import sessions
from worker.sessions import advance

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("hasty")]

NOTHING = says('{"error":"查无结果"}')
"""What may be said to every call."""


@pytest.fixture
def chat() -> Iterator[ChatServer]:
    with chat_server() as server:
        yield server


@pytest.fixture
def data(tmp_path: Path, settings: Settings) -> Path:
    """A data folder of this test's own."""
    settings.CARAVAN_DATA = tmp_path
    return tmp_path


@pytest.fixture(scope="module")
def filled_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the first test that needs it leaves what `warm` describes."""
    return tmp_path_factory.mktemp("filled") / "local"


@pytest.fixture
def warm(data: Path, starter_world: World, starter_tasks: list[Task], filled_folder: Path) -> ToolCache:
    """A cache with what one online session asked."""
    if filled_folder.exists():
        shutil.copytree(filled_folder, caches_folder() / "local")
        return create_cache(name="local")
    cache = create_cache(name="local")
    setup = services.Setup(sandbox=SandboxChoice("online", cache))
    play(services.create_session(task=starter_tasks[0], world=starter_world, setup=setup, start=False))
    index_cache(name="local")
    shutil.copytree(cache.folder, filled_folder)
    return cache


Make = Callable[..., Session]


@pytest.fixture
def make_session(chat: ChatServer, warm: ToolCache, starter_world: World, starter_tasks: list[Task]) -> Make:
    """A session over that cache and a model at the server, which nobody has played."""

    def create(**fields: Any) -> Session:
        model = endpoint_at(chat.url, "tiny-chat", streams=False, **fields)
        setup = services.Setup(sandbox=SandboxChoice("isolated", warm, simulator_model=model))
        return services.create_session(task=starter_tasks[3], world=starter_world, setup=setup, start=False)

    return create


def simulated_answers(session: Session) -> list[ToolReturned]:
    every = [body for body in bodies(session) if isinstance(body, ToolReturned)]
    return [answer for answer in every if answer.source in ("simulated", "none")]


def test_its_requests_are_steps_of_the_log_and_part_of_the_use(chat: ChatServer, make_session: Make) -> None:
    chat.replies.append(NOTHING)
    session = play(make_session(input_price=2.0, output_price=6.0, max_tokens=321))
    asked = calls(session)
    assert len(asked) == len(chat.requests) > 0
    assert {(call.seat, call.outcome, call.endpoint) for call in asked} == {
        (SIMULATOR, "answered", "tiny-chat")
    }
    assert {request["temperature"] for request in chat.requests} == {0}
    assert {request["max_tokens"] for request in chat.requests} == {321}
    (use,) = map(ModelUse.of, session.model_use)
    assert (use.role, use.calls, use.prompt, use.completion) == (
        "simulator",
        len(asked),
        100 * len(asked),
        10 * len(asked),
    )
    assert use.costs == {"USD": pytest.approx(len(asked) * 260e-6)}
    endpoint = ModelEndpoint.objects.get(name="tiny-chat")
    assert list(sessions(endpoint=endpoint.name)) == [session] and use_by_endpoint(endpoint)[
        "tiny-chat"
    ].whole.calls == len(asked)
    made_up = [answer for answer in simulated_answers(session) if answer.source == "simulated"]
    assert made_up and {answer.error_kind for answer in made_up} == {"answer"}


def test_the_session_records_who_simulates(chat: ChatServer, make_session: Make) -> None:
    session = make_session(temperature=0.25)
    opened, *others = bodies(session)
    assert isinstance(opened, SessionOpened) and opened.sandbox.simulator.startswith("model:tiny-chat:")
    joined = [body for body in others if isinstance(body, ParticipantJoined) and body.seat == SIMULATOR]
    assert [(each.kind, each.model and each.model.temperature) for each in joined] == [("tools", 0.25)]


def test_each_answer_is_stored_before_another_is_asked_for(chat: ChatServer, make_session: Make) -> None:
    chat.replies.append(NOTHING)
    session, after = play(make_session()), 0
    for body in bodies(session):
        after = after + 1 if isinstance(body, ModelCalled) else 0 if isinstance(body, ToolReturned) else after
        assert after <= 1


@pytest.mark.parametrize(
    ("reply", "kind", "each"),
    [
        (says("not JSON at all"), "schema", MOST_ASKED),
        (says(""), "simulator", 1),
        (silent(1.0), "timeout", 1),
        (says("{", finish_reason="length"), "simulator", 1),
    ],
)
def test_what_it_does_wrong_is_a_tool_error_of_its_kind(
    chat: ChatServer, make_session: Make, reply: Any, kind: str, each: int
) -> None:
    """And how often it is asked is bounded: a timeout is not asked again."""
    chat.replies.append(reply)
    session = play(make_session(timeout_s=0.2))
    kinds = Counter(answer.error_kind for answer in simulated_answers(session))
    assert kinds[kind] > 0 and set(kinds) <= {kind, "unanswered"}
    assert len(calls(session)) == len(chat.requests) == each * kinds[kind]
    assert session.status == Status.FINISHED


def test_an_answer_about_something_else_never_reaches_the_agent(chat: ChatServer, make_session: Make) -> None:
    elsewhere = {"name": "火星", "city": "火星市", "id": "mars-1", "pois": [{"name": "火星"}], "total": 1}
    chat.replies.append(says(json.dumps(elsewhere, ensure_ascii=False)))
    session = play(make_session())
    assert simulated_answers(session)
    assert {answer.error_kind for answer in simulated_answers(session)} <= {
        "simulator",
        "schema",
        "unanswered",
    }
    assert not any(
        "火星" in answer.result for answer in simulated_answers(session) if "error" not in answer.result
    )


def test_a_busy_server_is_asked_again_by_a_later_step(chat: ChatServer, make_session: Make) -> None:
    chat.replies.extend([refuses(429, Retry_After="0"), refuses(503, Retry_After="0"), NOTHING])
    session = play(make_session())
    asked = calls(session)
    assert [call.outcome for call in asked[:3]] == ["rate_limit", "server", "answered"]
    assert [call.attempt for call in asked[:4]] == [1, 2, 3, 1]
    assert session.status == Status.FINISHED


def test_a_wrong_key_ends_the_session_with_the_remedy(chat: ChatServer, make_session: Make) -> None:
    chat.replies.append(refuses(401))
    session = play(make_session(key_variable=""))
    assert (session.status, session.completion_reason) == (Status.CRASHED, "runtime_error")
    (error,) = [body for body in bodies(session) if body.type == "error_raised"]
    assert "401" in str(error) and len(chat.requests) == 1


def test_stop_breaks_a_request_off(chat: ChatServer, make_session: Make) -> None:
    chat.replies.append(silent(60))
    session = make_session(timeout_s=50)

    worker = start_in_thread(lambda: advance(session.pk, budget_s=None))
    while not chat.requests:
        time.sleep(0.05)
    services.request_stop(Session.objects.filter(pk=session.pk))
    worker.join(20)
    assert not worker.is_alive()
    session.refresh_from_db()
    assert session.status == Status.STOPPED
    assert [call.outcome for call in calls(session)] == ["cancelled"]


def test_it_waits_for_a_place_at_its_endpoint(chat: ChatServer, make_session: Make) -> None:
    chat.replies.append(NOTHING)
    session = make_session(concurrency=1)
    holder = take_place(endpoint=ModelEndpoint.objects.get(name="tiny-chat"))
    assert advance(session.pk, budget_s=None)
    session.refresh_from_db()
    assert (
        not session.ended
        and not chat.requests
        and Job.objects.get(subject=session.pk).waits_for == "tiny-chat"
    )
    give_back(holder=holder)
    assert play(session).status == Status.FINISHED


@pytest.mark.parametrize(
    "replies",
    [
        [NOTHING],
        [refuses(503, Retry_After="0"), says("no JSON"), NOTHING],
        [silent(1.0), says("no JSON"), refuses(429, Retry_After="0"), NOTHING],
        [NOTHING, refuses(401)],
    ],
)
def test_a_session_is_replayed_without_model_and_cache(
    chat: ChatServer, make_session: Make, replies: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    chat.replies.extend(replies)
    recorded = play(make_session(timeout_s=0.2))
    asked = len(chat.requests)
    monkeypatch.setattr("worker.sessions.table.tools_of", None)
    for budget_s in (None, 0.0):
        again = play(replay(session=recorded, start=False), budget_s=budget_s)
        verdict = verdict_of(again)
        assert verdict is not None and verdict.identical, verdict
    assert len(chat.requests) == asked
