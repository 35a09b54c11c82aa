"""Asking again, and how long to wait before that."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from tenacity import RetryCallState, Retrying, retry_if_exception, stop_after_attempt

from benchmark.models.bridge import ask_now, never
from benchmark.models.chat import ChatRequest, Reply
from benchmark.models.digest import digest
from benchmark.models.failures import ModelFailure
from benchmark.models.setup import ModelSetup
from sandbox.tools.language import Language

_LONGEST_S = 60.0
_LONGEST_ASKED_S = 300.0
_LOOK_S = 0.2


def wait_s(attempt: int, failure: ModelFailure, seed: int | str) -> float:
    """Seconds between the failed attempt of that number, from 1, and the next; the same for the same arguments.

    As the server asked, but 300 s at most and up to 1 s later, lest all come back together; else between half of
    and the whole of min(2^attempt, 60): 1 to 2 s after the first, 30 to 60 s from the sixth on.
    """
    chance = random.Random(f"{seed}:{attempt}").random()
    if failure.retry_after_s is not None:
        return min(failure.retry_after_s + chance, _LONGEST_ASKED_S)
    longest = min(2.0 ** min(attempt, 10), _LONGEST_S)
    return longest * (1 + chance) / 2


def ask_patiently(
    setup: ModelSetup,
    request: ChatRequest,
    *,
    stopped: Callable[[], bool] = never,
    language: Language = "zh",
) -> Reply:
    """`ask_now` up to `setup.attempts` times, as long as another attempt may help. Not for a session's
    participants: there every attempt is an event, and waiting holds no thread.

    Raises:
        ModelFailure: the last one; `cancelled` as soon as stopped says so, also between attempts.
    """
    seed = f"{digest(request, setup.model)}:{time.monotonic_ns()}"
    asking = Retrying(
        stop=stop_after_attempt(setup.attempts),
        retry=retry_if_exception(lambda error: isinstance(error, ModelFailure) and error.retryable),
        wait=lambda state: wait_s(state.attempt_number, _failure(state), seed),
        sleep=lambda seconds: _sleep(seconds, stopped),
        reraise=True,
    )
    return asking(ask_now, setup, request, stopped=stopped, language=language)


def _failure(state: RetryCallState) -> ModelFailure:
    error = state.outcome.exception() if state.outcome else None
    assert isinstance(error, ModelFailure)
    return error


def _sleep(seconds: float, stopped: Callable[[], bool]) -> None:
    until = time.monotonic() + seconds
    while (rest := until - time.monotonic()) > 0:
        if stopped():
            raise ModelFailure("cancelled", "the request was cancelled while it waited for another attempt")
        time.sleep(min(rest, _LOOK_S))
