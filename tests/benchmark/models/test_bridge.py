"""Asking from threads."""

from __future__ import annotations

import asyncio
import json
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from benchmark.models import ChatRequest, Delta, ModelFailure, ModelSetup
from benchmark.models.bridge import CLIENTS, ask_now, client_for
from tests.benchmark.models.server import Exchange, Server, completion, piece, says, streams

Setups = Callable[..., ModelSetup]


async def _stream_endlessly(exchange: Exchange) -> None:
    await exchange.open_stream()
    for _ in range(500):
        await exchange.event(piece(content="去"))
        await asyncio.sleep(0.01)


def test_pieces_are_told_in_the_calling_thread(
    server: Server, setup_for: Setups, question: ChatRequest
) -> None:
    server.script = streams(piece(content="去"), piece("stop", content="吧"), "[DONE]")
    told: list[tuple[Delta, int]] = []
    reply = ask_now(setup_for(), question, told=lambda delta: told.append((delta, threading.get_ident())))
    assert reply.text == "去吧"
    assert told == [(Delta("text", part), threading.get_ident()) for part in "去吧"]


def test_a_call_that_is_not_wanted_any_more_ends_at_once(
    server: Server, setup_for: Setups, question: ChatRequest
) -> None:
    server.script = _stream_endlessly
    told: list[Delta] = []
    with pytest.raises(ModelFailure) as caught:
        ask_now(setup_for(), question, told=told.append, stopped=lambda: len(told) > 3, look_s=0.05)
    assert (caught.value.kind, caught.value.answering, caught.value.retryable) == ("cancelled", True, False)
    assert caught.value.latency_ms > 0
    assert server.caller_left.wait(2)


def test_a_silent_server_is_left_as_well(server: Server, setup_for: Setups, question: ChatRequest) -> None:
    server.script = lambda exchange: asyncio.sleep(5)
    begun = time.monotonic()
    with pytest.raises(ModelFailure) as caught:
        ask_now(setup_for(), question, stopped=lambda: time.monotonic() > begun + 0.2, look_s=0.05)
    assert (caught.value.kind, caught.value.answering) == ("cancelled", False)
    assert time.monotonic() - begun < 1


def test_stopped_is_not_asked_with_every_piece(
    server: Server, setup_for: Setups, question: ChatRequest
) -> None:
    server.script = streams(*(piece(content="去") for _ in range(300)), "[DONE]")
    looks: list[int] = []
    ask_now(setup_for(), question, told=lambda _: None, stopped=lambda: bool(looks.append(1)), look_s=5)
    assert len(looks) == 1


def test_an_error_of_the_listener_is_not_hidden(
    server: Server, setup_for: Setups, question: ChatRequest
) -> None:
    server.script = _stream_endlessly

    def fail_on_delta(delta: Delta) -> None:
        raise LookupError(delta.text)

    with pytest.raises(LookupError):
        ask_now(setup_for(), question, told=fail_on_delta)
    assert server.caller_left.wait(2)


def test_two_hundred_threads_share_one_loop(server: Server, setup_for: Setups, question: ChatRequest) -> None:
    async def script(exchange: Exchange) -> None:
        while len(server.exchanges) < 200:
            await asyncio.sleep(0.01)
        await exchange.respond(200, json.dumps(completion()))

    server.script, setup = script, setup_for(streams=False, timeout_s=30, deadline_s=30)
    with ThreadPoolExecutor(200) as pool:
        replies = list(pool.map(lambda _: ask_now(setup, question), range(200)))
    assert {reply.text for reply in replies} == {"好的"}
    assert sum(thread.name == "models" for thread in threading.enumerate()) == 1


def test_clients_are_kept_up_to_a_bound_and_dropped_ones_still_work(
    server: Server, setup_for: Setups, question: ChatRequest
) -> None:
    server.script = says(completion())
    first = setup_for(streams=False)
    client = client_for(first)
    ask_now(first, question)
    ask_now(first, question)
    assert server.connections == 1 and client_for(first) is client
    for number in range(CLIENTS):
        client_for(setup_for(name=f"n{number}"))
    assert client_for(first) is not client
    assert ask_now(first, question).text == "好的"


def test_the_key_is_read_for_every_call(
    server: Server, setup_for: Setups, question: ChatRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.script = says(completion())
    setup = setup_for(streams=False)
    ask_now(setup, question)
    monkeypatch.setenv("MODELS_TEST_KEY", "another")
    ask_now(setup, question)
    assert [each.headers["authorization"][-7:] for each in server.exchanges] == ["et-0815", "another"]


def test_a_forked_child_has_a_loop_of_its_own(
    server: Server, setup_for: Setups, question: ChatRequest
) -> None:
    server.script = says(completion())
    setup = setup_for(streams=False)
    ask_now(setup, question)
    child = os.fork()
    if not child:
        answered = False
        try:
            answered = ask_now(setup, question).text == "好的"
        finally:
            os._exit(0 if answered else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert ask_now(setup, question).text == "好的"
