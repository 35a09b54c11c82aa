"""The use of models is a fold: requests, tokens and costs of a log, by endpoint and role."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark.core.events import DraftWithdrawn, Event, EventBody, ModelCalled
from benchmark.core.model_use import ModelUse, merge_uses, model_use, total
from benchmark.models import Usage

TOKENS = st.none() | st.builds(Usage, prompt=st.integers(0, 9_000), completion=st.integers(0, 900))
CALLS = st.builds(
    ModelCalled,
    seat=st.sampled_from(["Agent", "User1", "User2"]),
    endpoint=st.sampled_from(["large", "small"]),
    attempt=st.integers(1, 3),
    outcome=st.sampled_from(["answered", "rate_limit", "cut", "server"]),
    answering=st.booleans(),
    tokens=TOKENS,
    cost=st.none() | st.integers(0, 100).map(float),
    currency=st.sampled_from(["USD", "CNY"]),
    latency_ms=st.floats(0, 1e5),
)
DRAFTS = st.builds(
    DraftWithdrawn,
    speaker=st.sampled_from(["Agent", "User1", "User2"]),
    content=st.text(max_size=3),
    why=st.sampled_from(["mentions_user", "format"]),
)


def log_of(*bodies: EventBody) -> list[Event]:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    return [Event(seq, "system", body.audience(), body, at) for seq, body in enumerate(bodies, 1)]


@given(st.lists(CALLS | DRAFTS, max_size=12))
def test_every_request_is_an_answer_or_a_failure_and_none_is_lost(bodies: list[EventBody]) -> None:
    calls = [body for body in bodies if isinstance(body, ModelCalled)]
    whole = total(model_use(log_of(*bodies)))
    assert whole.calls == len(calls) == whole.answered + whole.failure_count
    assert whole.answered == len(whole.latencies)
    assert whole.prompt == sum(call.tokens.prompt for call in calls if call.tokens)
    assert whole.counted + whole.unknown <= whole.calls
    assert sum(whole.costs.values()) == sum(call.cost for call in calls if call.cost is not None)
    assert whole.draft_count <= len(bodies) - len(calls)


@given(st.lists(CALLS | DRAFTS, max_size=12))
def test_what_is_stored_is_read_back_and_adds_up(bodies: list[EventBody]) -> None:
    uses = model_use(log_of(*bodies))
    again = [ModelUse.of(json.loads(json.dumps(use.as_json()))) for use in uses]
    assert again == uses
    both = merge_uses([*uses, *again])
    assert {(use.endpoint, use.role) for use in both} == {(use.endpoint, use.role) for use in uses}
    assert sum(use.calls for use in both) == 2 * total(uses).calls
    assert [use.role for use in both] == sorted(use.role for use in both)


def test_a_role_is_told_apart_from_the_other_at_the_same_endpoint() -> None:
    known = Usage(prompt=100, completion=20, cached=60, reasoning=5)
    agent, users = model_use(
        log_of(
            ModelCalled(seat="Agent", endpoint="e", tokens=known, cost=0.5, currency="USD", latency_ms=900),
            ModelCalled(seat="User1", endpoint="e", outcome="rate_limit", status=429, retry_in_s=1.0),
            ModelCalled(seat="User1", endpoint="e", attempt=2, tokens=known, latency_ms=100),
            DraftWithdrawn(speaker="User1", content="…", why="mentions_user"),
            ModelCalled(seat="User2", endpoint="e", tokens=known, latency_ms=300),
        )
    )
    assert (agent.role, agent.calls, agent.costs, agent.uncosted) == ("agent", 1, {"USD": 0.5}, 0)
    assert (users.role, users.calls, users.answered, users.retries) == ("travellers", 3, 2, 1)
    assert (users.prompt, users.cached, users.reasoning) == (200, 120, 10)
    assert users.failures == {"rate_limit": 1} and users.drafts == {"mentions_user": 1}
    assert users.latency_ms == 200 and users.uncosted == 2 and not users.cost_known


@pytest.mark.parametrize(
    ("call", "unknown", "known"),
    [
        (ModelCalled(seat="Agent", endpoint="e"), 1, False),
        (ModelCalled(seat="Agent", endpoint="e", outcome="cut", answering=True), 1, False),
        (ModelCalled(seat="Agent", endpoint="e", outcome="server"), 0, True),
        (ModelCalled(seat="Agent", endpoint="e", tokens=Usage(prompt=1, completion=1)), 0, True),
    ],
)
def test_what_nobody_counted_is_unknown_and_not_nought(call: ModelCalled, unknown: int, known: bool) -> None:
    (use,) = model_use(log_of(call))
    assert (use.unknown, use.tokens_known) == (unknown, known)


def test_words_of_a_speaker_without_a_model_are_left_out() -> None:
    assert model_use(log_of(DraftWithdrawn(speaker="Agent", content="…", why="format"))) == []
