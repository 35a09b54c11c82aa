"""Whether two logs tell the same session."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from benchmark.cassettes import first_difference
from benchmark.core.events import Event, ModelCalled, ToolReturned
from benchmark.suites.grouptravel.events import TableInferred
from tests.benchmark.cassettes.script import recorded_cassette

LOG = recorded_cassette().log
AT = datetime(2026, 1, 1, tzinfo=UTC)


def event(body: Any, actor: str = "Agent") -> Event:
    return Event(1, actor, body.audience(), body, AT)


def difference_of(one: Any, other: Any) -> str:
    return str(first_difference([event(one)], [event(other)]))


def test_times_and_durations_make_no_difference() -> None:
    called = ModelCalled(seat="Agent", endpoint="e", latency_ms=1, first_ms=1, retry_in_s=2)
    later = called.model_copy(update={"latency_ms": 900.5, "first_ms": None, "retry_in_s": 0.0})
    assert first_difference([event(called)], [replace(event(later), at=datetime.now(UTC))]) is None
    back = ToolReturned(call_id="c", result="r")
    assert first_difference([event(back)], [event(back.model_copy(update={"latency_ms": 3.0}))]) is None


@pytest.mark.parametrize(
    ("one", "other", "words"),
    [
        (
            ToolReturned(call_id="c", result="西湖 4.8"),
            ToolReturned(call_id="c", result="西湖 4.9"),
            "event 1 (tool_returned), result: recorded “西湖 4.8”, now “西湖 4.9”",
        ),
        (
            TableInferred(table={"User1": {"a": [1, 2]}}),
            TableInferred(table={"User1": {"a": [1, 3]}}),
            "event 1 (table_inferred), table.User1.a.1: recorded “2”, now “3”",
        ),
        (
            TableInferred(table={"User1": {"a": [1, 2]}}),
            TableInferred(table={"User1": {"a": [1]}}),
            "event 1 (table_inferred), table.User1.a.1: recorded “2”, now nothing",
        ),
        (
            TableInferred(table={"User1": {"a": True}}),
            TableInferred(table={"User1": {"a": 1}}),
            "event 1 (table_inferred), table.User1.a: recorded “true”, now “1”",
        ),
        (
            TableInferred(table={}),
            TableInferred(table=None, raw="?"),
            "event 1 (table_inferred), table: recorded “{}”, now “null”",
        ),
    ],
)
def test_the_field_is_named_with_both_values(one: Any, other: Any, words: str) -> None:
    assert difference_of(one, other) == words


def test_another_actor_is_a_difference() -> None:
    body = ToolReturned(call_id="c", result="r")
    found = first_difference([event(body)], [event(body, "tools")])
    assert str(found) == "event 1 (tool_returned), actor: recorded “Agent”, now “tools”"


def test_a_log_that_ends_early_or_goes_on_is_told() -> None:
    assert str(first_difference(LOG, LOG[:-1])) == f"event {len(LOG)} (session_finished) is missing now"
    assert str(first_difference(LOG[:-1], LOG)) == f"event {len(LOG)} (session_finished) was not recorded"
    assert first_difference(LOG, LOG) is None
