"""Models asked outside of sessions: patience, places, and answers that nobody wants any more."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from benchmark.core.events import ModelCalled
from benchmark.models import ChatRequest, ModelFailure, Reply
from tests.chat_server import ChatServer, chat_server, refuses, says, silent
from tests.seating import endpoint_at
from tests.threads import start_in_thread
from webapp.endpoints.models import ModelEndpoint, ModelSlot
from webapp.endpoints.slots import give_back, take_place
from worker.model_calls.patient import PatientModel

pytestmark = pytest.mark.django_db(transaction=True)
REQUEST = ChatRequest(({"role": "user", "content": "hello"},))


@pytest.fixture
def chat() -> Iterator[ChatServer]:
    with chat_server() as server:
        yield server


def ask(endpoint: ModelEndpoint, wanted: threading.Event | None = None) -> Reply:
    model = PatientModel(endpoint.setup(), endpoint, wanted.is_set if wanted else lambda: True)
    return model.ask(REQUEST, language="zh")


def test_a_failure_is_waited_out_as_long_as_the_endpoint_has_patience(chat: ChatServer) -> None:
    chat.replies.extend([refuses(500), says("hi")])
    assert ask(endpoint_at(chat.url, "m", patience_s=60)).text == "hi"
    assert len(chat.requests) == 2 and not ModelSlot.objects.exclude(holder="").exists()


def test_each_request_is_told_with_what_came_of_it(chat: ChatServer) -> None:
    chat.replies.extend([refuses(500), says("hi")])
    endpoint, calls = endpoint_at(chat.url, "m", patience_s=60), list[ModelCalled]()
    model = PatientModel(endpoint.setup(), endpoint, lambda: True, "writer", calls.append)
    model.ask(REQUEST, language="zh")
    assert [(call.seat, call.endpoint, call.attempt, call.outcome) for call in calls] == [
        ("writer", "m", 1, "server"),
        ("writer", "m", 2, "answered"),
    ]
    assert calls[0].retry_in_s is not None and calls[1].answered


def test_without_patience_the_first_failure_is_told(chat: ChatServer) -> None:
    chat.replies.append(refuses(500))
    with pytest.raises(ModelFailure) as failed:
        ask(endpoint_at(chat.url, "m", patience_s=0))
    assert failed.value.kind == "server" and len(chat.requests) == 1


def test_what_can_not_succeed_is_not_asked_again(chat: ChatServer) -> None:
    chat.replies.append(refuses(401))
    with pytest.raises(ModelFailure) as failed:
        ask(endpoint_at(chat.url, "m", patience_s=60))
    assert failed.value.kind == "auth" and len(chat.requests) == 1


def test_it_asks_when_others_have_left_a_place(chat: ChatServer) -> None:
    chat.replies.append(says("hi"))
    endpoint = endpoint_at(chat.url, "m", concurrency=1)
    holder = take_place(endpoint=endpoint)
    leaving = start_in_thread(lambda: give_back(holder=holder), after_s=1.5)
    assert ask(endpoint).text == "hi"
    leaving.join()


@pytest.mark.parametrize("reply", [silent(30), refuses(500)], ids=["asked", "waiting"])
def test_an_answer_that_nobody_wants_any_more_is_broken_off(chat: ChatServer, reply: object) -> None:
    chat.replies.append(reply)  # type: ignore[arg-type]
    wanted = threading.Event()
    wanted.set()
    stopping = start_in_thread(wanted.clear, after_s=0.5)
    begun = time.monotonic()
    with pytest.raises(ModelFailure) as failed:
        ask(endpoint_at(chat.url, "m", patience_s=600), wanted)
    stopping.join()
    assert failed.value.kind == "cancelled" and time.monotonic() - begun < 20
