"""Whether and when a model is asked again."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark.models import FAILURES, ModelFailure
from benchmark.models.patience import KEY_PATIENCE_S, Failing, wait_s

FAILURE = ModelFailure("server", "no")
QUARTER = 900.0


def failing(attempts: int, seconds: float = 0.0, kind: str = "server") -> Failing:
    return Failing(Counter({kind: attempts}), seconds)


def pauses_until_end(failure: ModelFailure, patience_s: float = QUARTER, seed: int = 1) -> list[float]:
    """The pauses until nobody asks any more."""
    before, pauses = Failing(), []
    while (pause := wait_s(failure, before, patience_s, seed)) is not None:
        pauses.append(pause)
        before.take(failure.kind, failure.latency_ms, pause)
    return pauses


@given(attempt=st.integers(1, 10_000), seed=st.integers())
def test_waits_grow_within_bounds(attempt: int, seed: int) -> None:
    longest = min(2 ** min(attempt, 6), 60)
    wait = wait_s(FAILURE, failing(attempt - 1), QUARTER, seed)
    assert wait is not None and max(1, longest / 2) <= wait <= longest
    assert wait == wait_s(FAILURE, failing(attempt - 1), QUARTER, seed)


def test_two_sessions_do_not_come_back_together() -> None:
    assert len({wait_s(FAILURE, failing(2), QUARTER, seed) for seed in range(50)}) == 50


@pytest.mark.parametrize(
    ("asked", "least", "most"), [(1, 1, 2), (7, 7, 8), (299.9, 299.9, 300), (9e9, 300, 300)]
)
def test_the_servers_wish_is_honoured_within_reason(asked: float, least: float, most: float) -> None:
    failure = ModelFailure("rate_limit", "no", retry_after_s=asked)
    waits = [wait_s(failure, failing(before), QUARTER, 1) for before in (0, 8)]
    assert all(wait is not None and least <= wait <= most for wait in waits)


@pytest.mark.parametrize("asked", [0.0, 0.9])
def test_a_server_that_wants_to_be_asked_at_once_is_not_asked_a_thousand_times(asked: float) -> None:
    pauses = pauses_until_end(ModelFailure("rate_limit", "no", retry_after_s=asked))
    assert len(pauses) < 40 and sum(pauses) == pytest.approx(QUARTER)


@given(
    kind=st.sampled_from(["rate_limit", "server", "connection", "timeout"]),
    patience=st.floats(0, 5_000),
    latency_ms=st.floats(0, 200_000),
    seed=st.integers(0, 50),
)
def test_patience_is_a_time_and_no_number_of_tries(
    kind: str, patience: float, latency_ms: float, seed: int
) -> None:
    failure = ModelFailure(kind, "no", latency_ms=latency_ms)  # type: ignore[arg-type]
    pauses = pauses_until_end(failure, patience, seed)
    spent = sum(pauses) + max(len(pauses) - 1, 0) * latency_ms / 1000
    assert spent <= patience + 1e-6
    assert spent + latency_ms / 1000 >= patience - 1e-6
    assert bool(pauses) == (patience > 0)


def test_a_server_that_restarts_has_a_quarter_of_an_hour() -> None:
    assert sum(pauses_until_end(ModelFailure("connection", "no"))) == pytest.approx(900)


def test_a_key_is_waited_for_two_minutes_whatever_the_patience() -> None:
    for patience in (0.0, QUARTER):
        assert (
            sum(pauses_until_end(ModelFailure("no_key", "no"), patience))
            == pytest.approx(KEY_PATIENCE_S)
            == 120
        )


def test_a_closed_connection_is_asked_again_at_once_and_then_with_pauses() -> None:
    first, second, *_ = pauses_until_end(ModelFailure("closed", "no"))
    assert first == 0 and second > 0


@pytest.mark.parametrize(("kind", "most"), [("filtered", 3), ("oversized", 3), ("cut", 6), ("malformed", 6)])
def test_what_waiting_does_not_mend_is_asked_a_few_times(kind: str, most: int) -> None:
    assert len(pauses_until_end(ModelFailure(kind, "no"))) == most - 1  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", ["auth", "not_found", "refused", "overflow", "cancelled"])
def test_what_cannot_succeed_is_not_asked_again(kind: str) -> None:
    assert kind in FAILURES and pauses_until_end(ModelFailure(kind, "no")) == []  # type: ignore[arg-type]


def test_an_answer_ends_the_count_and_a_broken_off_request_is_none() -> None:
    before = failing(3, 70.0)
    before.take("cancelled", 5_000, None)
    assert (before.attempts, before.seconds) == (3, 70.0)
    before.take("answered", 5_000, None)
    assert (before.attempts, before.seconds) == (0, 0.0)
