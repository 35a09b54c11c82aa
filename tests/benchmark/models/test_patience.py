"""Asking again."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark.models import ChatRequest, ModelFailure, ModelSetup
from benchmark.models.patience import ask_patiently, wait_s
from tests.benchmark.models.server import Exchange, Server, completion, says

Setups = Callable[..., ModelSetup]
FAILED = ModelFailure("server", "no")


@given(attempt=st.integers(1, 10_000), seed=st.integers())
def test_waits_grow_within_bounds(attempt: int, seed: int) -> None:
    longest = min(2 ** min(attempt, 6), 60)
    assert max(1, longest / 2) <= wait_s(attempt, FAILED, seed) <= longest
    assert wait_s(attempt, FAILED, seed) == wait_s(attempt, FAILED, seed)


def test_two_sessions_do_not_come_back_together() -> None:
    assert len({wait_s(3, FAILED, seed) for seed in range(50)}) == 50


@pytest.mark.parametrize(
    ("asked", "least", "most"), [(0, 0, 1), (7, 7, 8), (299.9, 299.9, 300), (9e9, 300, 300)]
)
def test_the_servers_wish_is_honoured_within_reason(asked: float, least: float, most: float) -> None:
    failure = ModelFailure("rate_limit", "no", retry_after_s=asked)
    assert all(least <= wait_s(attempt, failure, 1) <= most for attempt in (1, 9))


def _fails_first(server: Server, times: int, status: int) -> None:
    async def script(exchange: Exchange) -> None:
        refused = len(server.seen) <= times
        answer = (
            says({"error": {"message": "no"}}, status, retry_after_ms="1") if refused else says(completion())
        )
        await answer(exchange)

    server.script = script


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """No jitter to wait for."""
    monkeypatch.setattr("benchmark.models.patience.wait_s", lambda attempt, failure, seed: 0.01 * attempt)


@pytest.mark.usefixtures("quick")
def test_what_may_pass_is_asked_again(server: Server, setup_for: Setups, question: ChatRequest) -> None:
    _fails_first(server, 2, 503)
    assert ask_patiently(setup_for(streams=False, attempts=3), question).text == "好的"
    assert len(server.seen) == 3


@pytest.mark.usefixtures("quick")
def test_the_last_failure_is_raised(server: Server, setup_for: Setups, question: ChatRequest) -> None:
    _fails_first(server, 9, 429)
    with pytest.raises(ModelFailure) as caught:
        ask_patiently(setup_for(attempts=2), question)
    assert (caught.value.kind, len(server.seen)) == ("rate_limit", 2)


def test_what_cannot_succeed_is_not_asked_again(
    server: Server, setup_for: Setups, question: ChatRequest
) -> None:
    _fails_first(server, 9, 401)
    with pytest.raises(ModelFailure):
        ask_patiently(setup_for(), question)
    assert len(server.seen) == 1


def test_waiting_ends_when_nobody_wants_the_answer(
    server: Server, setup_for: Setups, question: ChatRequest
) -> None:
    server.script = says({}, 429, Retry_After="200")
    begun = time.monotonic()
    with pytest.raises(ModelFailure) as caught:
        ask_patiently(setup_for(), question, stopped=lambda: time.monotonic() > begun + 0.3)
    assert caught.value.kind == "cancelled" and time.monotonic() - begun < 2
