"""Editing a request: what is done to its messages, and what is refused before it is sent."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pytest
from django.http import QueryDict
from django.utils.datastructures import MultiValueDict
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.properties import examples
from webapp.experiments.comparing import message_changes
from webapp.experiments.editor import Editor, UnknownMessage
from webapp.experiments.requests import message_faults, read_tools

CALL = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"at":  "sea"}'}}
BASE: list[dict[str, Any]] = [
    {"role": "system", "content": "Plan."},
    {"role": "user", "content": "\nGo\nto sea"},
    {"role": "assistant", "content": None, "tool_calls": [CALL], "reasoning_content": ""},
    {"role": "tool", "tool_call_id": "c1", "content": ""},
]


def sent_by(keys: Iterable[str], **fields: str) -> QueryDict:
    """What a page sends: line ends as browsers write them."""
    sent = QueryDict(mutable=True)
    values = {name.replace("__", "-"): [text.replace("\n", "\r\n")] for name, text in fields.items()}
    sent.update(MultiValueDict({"message": list(keys), **values}))
    return sent


def page_of(editor: Editor) -> QueryDict:
    """What the page of an editor sends when nothing is written in it."""
    items = editor.messages()
    fields = {f"{item.key}__{name}": text for item in items for name, text in item.fields.items()}
    return sent_by([item.key for item in items], **fields)


def test_opening_every_message_changes_none() -> None:
    editor = Editor(BASE)
    for number in range(1, 5):
        editor.act("edit", f"k{number}")
    assert Editor(BASE, page_of(editor)).read() == (BASE, [])


@given(
    st.lists(
        st.tuples(st.sampled_from(["edit", "restore", "remove", "up", "down", "add"]), st.integers(0, 5))
    )
)
@settings(max_examples=examples(30), deadline=None)
def test_any_acts_leave_messages_of_the_request_or_new_ones(acts: list[tuple[str, int]]) -> None:
    editor = Editor(BASE)
    for what, place in acts:
        keys = [item.key for item in editor.messages()]
        editor.act(what, keys[place] if place < len(keys) else "")
        editor = Editor(BASE, page_of(editor))
    said, _faults = editor.read()
    old = [message for message in said if message in BASE]
    assert len(said) - len(old) == sum(item.new for item in editor.messages())
    assert len(old) <= len(BASE)
    assert [item.number for item in editor.messages()] == list(range(1, len(said) + 1))


def test_messages_are_moved_removed_and_added() -> None:
    editor = Editor(BASE)
    editor.act("up", "k2")
    editor.act("remove", "k3")
    editor.act("add", "k1")
    assert [item.key for item in editor.messages()] == ["k2", "k1", "n1", "k4"]


@pytest.mark.parametrize("key", ["k5", "k0", "x1", "kk", "", "e9", "k1234567", "k²"])
def test_a_message_that_the_request_does_not_have_is_refused(key: str) -> None:
    with pytest.raises(UnknownMessage):
        Editor(BASE, sent_by([key]))


def faults_of(messages: list[dict[str, Any]]) -> list[tuple[int, str]]:
    return [(fault.number, fault.field) for fault in message_faults(messages)]


def test_what_no_server_takes_is_named_by_message_and_field() -> None:
    user, tool, calling = BASE[1], BASE[3], BASE[2]
    assert faults_of(BASE) == []
    assert faults_of([]) == [(0, "messages")]
    assert faults_of([{"role": "robot", "content": "x"}]) == [(1, "role")]
    assert faults_of([user, {"role": "user", "content": ""}]) == [(2, "content")]
    assert faults_of([user, {"role": "assistant", "content": ""}]) == [(2, "content")]
    assert faults_of([user, calling]) == [(2, "tool_calls")], "a call without an answer"
    assert faults_of([user, calling, user, tool]) == [(2, "tool_calls"), (4, "tool_call_id")]
    assert faults_of([user, tool]) == [(2, "tool_call_id")]
    assert faults_of([user, calling, tool, tool]) == [(4, "tool_call_id")], "answered twice"
    assert faults_of([{**user, "tool_calls": [CALL]}]) == [(1, "tool_calls")]
    assert faults_of([{**calling, "tool_calls": [CALL, CALL]}, tool]) == [(1, "tool_calls")] * 2
    assert faults_of([{**calling, "tool_calls": [{"id": "c1"}]}, tool]) == [(1, "tool_calls")]
    assert faults_of([{**user, "reasoning_content": "hm", "tool_call_id": "c"}]) == [
        (1, "reasoning_content"),
        (1, "tool_call_id"),
    ]


def test_broken_json_of_a_message_is_told_with_its_line() -> None:
    calls = '[\n  {"id": "c1",}\n]'
    editor = Editor(
        BASE, sent_by(["k1", "e3", "k4"], e3__role="assistant", e3__tool_calls=calls, e3__rest="[]")
    )
    _said, faults = editor.read()
    assert [(fault.number, fault.field) for fault in faults][:2] == [(2, "tool_calls"), (2, "rest")]
    assert "line 2" in faults[0].words and "in braces" in faults[1].words


def test_arguments_may_be_written_as_an_object() -> None:
    written = json.dumps([{**CALL, "function": {"name": "look", "arguments": {"at": "海"}}}])
    editor = Editor(BASE, sent_by(["k1", "e3", "k4"], e3__role="assistant", e3__tool_calls=written))
    said, faults = editor.read()
    assert faults == [] and said[1]["tool_calls"][0]["function"]["arguments"] == '{"at": "海"}'
    assert said[1]["content"] is None and said[1]["reasoning_content"] == ""


def test_faults_of_tools_name_the_line_where_each_begins() -> None:
    good = '{"type": "function", "function": {"name": "a", "parameters": {}}}'
    assert read_tools(f"[{good}]")[1] == [] and read_tools(" \n ") == ((), [])
    text = (
        f'[\n  {good},\n\n  {good},\n  {{"type": "x", "function": {{"name": "b c", "parameters": []}}}}, 5]'
    )
    tools, faults = read_tools(text)
    assert tools == () and [fault.words[:15] for fault in faults] == [
        "Line 4, tool 2:",
        *["Line 5, tool 3:"] * 3,
        "Line 5, tool 4:",
    ]
    for wrong, told in (
        ('[\n{"a": NaN}]', "NaN"),
        ("[1", "Line 1"),
        ("{}", "in brackets"),
        ("[" * 99_999, "nested"),
    ):
        (fault,) = read_tools(wrong)[1]
        assert told in fault.words
    assert "half of a character" in read_tools('["\\ud800"]')[1][0].words


def test_what_was_changed_in_the_messages_is_told_one_by_one() -> None:
    edited = [{**BASE[0], "content": "Plan well."}, {"role": "user", "content": "new"}, *BASE[1:3]]
    told = [(change.kind, change.number, change.role) for change in message_changes(BASE, edited)]
    assert told == [("edited", 1, "system"), ("new", 2, "user"), ("gone", 4, "tool")]
