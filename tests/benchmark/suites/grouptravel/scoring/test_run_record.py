"""What a record tells, and that nothing odd in it is an error."""

from __future__ import annotations

import pytest

from benchmark.suites.grouptravel.scoring.run_record import (
    Compromise,
    Message,
    RunRecord,
    ToolResult,
    read_record,
)

FIELDS = (
    "user_names", "query", "effective_preferences", "original_preferences", "compromise_log",
    "conversation_history", "child_members", "metadata", "departure_city", "agent_tool_stats",
)  # fmt: skip


@pytest.mark.parametrize("value", [None, 3, "text", [], [None, 3, {}], {}, {"User1": None}])
def test_a_record_with_odd_fields_reads_as_one_that_tells_little(value):
    read = read_record(dict.fromkeys(FIELDS, value))
    assert (read.users, read.messages, read.results, read.compromises) == ((), [], [], [])
    assert not any(own.counted for own in read.references.values())


def test_an_empty_record_is_the_default():
    empty = read_record({})
    assert empty == RunRecord(messages=[], results=[], compromises=[])


def test_messages_keep_their_place_and_notes_are_private():
    history = [
        {"type": "tool_result", "role": "Agent", "content": "no message", "name": "maps_geo", "error": "x"},
        {"role": "User1", "content": "早", "has_tool_calls": True},
        {"type": "message", "role": "Agent", "content": None},
        {"type": "message", "role": "Agent", "content": "查一下", "has_tool_calls": True},
    ]
    read = read_record({"conversation_history": history})
    assert read.messages == [Message(1, "User1", "早", False), Message(3, "Agent", "查一下", True)]
    assert read.results == [ToolResult("maps_geo", None, True)]


def test_only_applied_compromises_count():
    entry = {"user": "User1", "field_path": "food.must_eat", "new_value": []}
    log = [{**entry, "applied": False}, {**entry, "applied": True}]
    assert read_record({"compromise_log": log}).compromises == [Compromise(1, "User1", "food.must_eat", [])]
