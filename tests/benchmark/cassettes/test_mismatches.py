"""What is said where a request is not the recorded one: the kind of difference first."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from benchmark.cassettes import Cassette, CassetteModel, CassetteTools, Mismatch
from benchmark.core.events import Event, ToolCalled, ToolReturned
from benchmark.models import ChatRequest, Reply
from benchmark.models.exchange import Exchange, Failure
from tests.benchmark.cassettes.script import SEARCH, SETUP, recorded_cassette

SYSTEM = {"role": "system", "content": "Plan.\nBe kind, and ask nobody twice about the same wish.\nEnd."}
TOOL_CALL_MESSAGE = {
    "role": "assistant",
    "content": None,
    "tool_calls": [{"id": "c1", "function": {"name": "web_search"}}],
}
REQUEST = ChatRequest(
    (SYSTEM, {"role": "user", "content": "hello"}, TOOL_CALL_MESSAGE), (SEARCH,), temperature=0.7
)
TAPE = Cassette("s", "llm", "llm", (), (Exchange(1, "Agent", REQUEST, Reply("hi")),))


def messages(*changed: Any) -> ChatRequest:
    return replace(REQUEST, messages=changed)


def user_message(content: str) -> dict[str, Any]:
    return {"role": "user", "content": content}


FIRST, HELLO, _ = REQUEST.messages


@pytest.mark.parametrize(
    ("request_now", "words"),
    [
        (
            messages(
                {**SYSTEM, "content": str(SYSTEM["content"]).replace("twice", "three times")},
                HELLO,
                TOOL_CALL_MESSAGE,
            ),
            "message 1 of role system differs at line 2: "
            "recorded “…e kind, and ask nobody twice about the same wish.”, "
            "now “…e kind, and ask nobody three times about the same wish.”",
        ),
        (
            messages({**SYSTEM, "content": "Plan."}, HELLO, TOOL_CALL_MESSAGE),
            "message 1 of role system differs at line 1: "
            "recorded “Plan.↵Be kind, and ask nobody twice about the same wi…”, now “Plan.”",
        ),
        (
            messages(FIRST, user_message("hullo"), TOOL_CALL_MESSAGE),
            "message 2 of role user differs at line 1: recorded “hello”, now “hullo”",
        ),
        (
            messages(FIRST, {"role": "assistant", "content": "hello"}, TOOL_CALL_MESSAGE),
            "message 2 was recorded of role user, “hello”, now it is of role assistant, “hello”",
        ),
        (messages(FIRST), "message 2 of role user is missing: recorded “hello”"),
        (
            messages(*REQUEST.messages, user_message("more")),
            "message 4 of role user was not there: now “more”",
        ),
        (
            messages(FIRST, HELLO, {**TOOL_CALL_MESSAGE, "tool_calls": []}),
            "message 3 of role assistant differs in tool_calls: "
            'recorded “[{"function": {"name": "web_search"}, "id": "c1"}…”, now “[]”',
        ),
        (replace(REQUEST, tools=()), "tools differ: web_search can no longer be called"),
        (
            replace(REQUEST, tools=(SEARCH, {"function": {"name": "maps_geo"}})),
            "tools differ: maps_geo could not be called",
        ),
        (
            replace(REQUEST, tools=({**SEARCH, "function": {"name": "web_search", "description": "x"}},)),
            "tools differ: web_search is defined otherwise: ",
        ),
        (replace(REQUEST, temperature=0), "temperature differs: recorded 0.7, now 0"),
        (replace(REQUEST, json_object=True), "json_object differs: recorded 0, now 1"),
        (replace(REQUEST, top_p=0.95), "top_p differs: recorded none, now 0.95"),
    ],
)
def test_each_kind_of_difference_is_named(request_now: ChatRequest, words: str) -> None:
    with pytest.raises(Mismatch) as mismatch:
        CassetteModel(SETUP, TAPE, "Agent", lambda: 0).ask(request_now)
    told = str(mismatch.value)
    assert told.startswith(f"model call 1 (Agent) departs from the recording: {words}")
    assert words.endswith(": ") or told.endswith(words)


def test_another_seat_is_told_before_anything_else() -> None:
    with pytest.raises(Mismatch) as mismatch:
        CassetteModel(SETUP, TAPE, "User2", lambda: 0).ask(ChatRequest(()))
    assert str(mismatch.value) == (
        "model call 1 (User2) departs from the recording: another seat asked: recorded Agent, now User2"
    )


def test_what_means_the_same_is_no_mismatch() -> None:
    reordered = {"content": HELLO["content"], "role": "user"}
    request = replace(REQUEST, messages=(FIRST, reordered, TOOL_CALL_MESSAGE), temperature=0.7)
    assert CassetteModel(SETUP, TAPE, "Agent", lambda: 0).ask(request) == Reply("hi")


def test_an_exchange_is_a_reply_or_a_failure() -> None:
    with pytest.raises(ValueError, match="exchange 3 needs a reply or a failure, and not both"):
        Exchange(3, "Agent", REQUEST, Reply(""), Failure("timeout", "late"))
    with pytest.raises(ValueError, match="exchange 3 needs"):
        Exchange(3, "Agent", REQUEST)


@pytest.mark.parametrize(
    ("done", "name", "arguments", "words"),
    [
        (0, "maps_geo", {"query": "西湖"}, "tool call 1 (maps_geo) departs from the recording: "
         "recorded web_search, now maps_geo"),
        (1, "web_search", {"query": "灵隐"}, "tool call 2 (web_search) departs from the recording: the arguments "
         'differ: recorded “{"query": "灵隐寺"}”, now “{"query": "灵隐"}”'),
        (4, "web_search", {"query": "x"}, "tool call 5 (web_search) departs from the recording: "
         "the cassette is at its end, it holds 4 tool calls"),
    ],
)  # fmt: skip
def test_a_tool_call_that_was_not_recorded_is_named(done: int, name: str, arguments: Any, words: str) -> None:
    with pytest.raises(Mismatch) as mismatch:
        CassetteTools(recorded_cassette(), lambda: done).call(name, arguments)
    assert str(mismatch.value) == words


def test_a_tool_call_without_an_answer_says_that_the_session_ended() -> None:
    whole = recorded_cassette()
    last = max(e.seq for e in whole.log if isinstance(e.body, ToolReturned))
    cut: tuple[Event, ...] = tuple(e for e in whole.log if e.seq < last)
    call = [e.body for e in cut if isinstance(e.body, ToolCalled)][-1]
    with pytest.raises(Mismatch, match="the session ended before it was answered"):
        CassetteTools(replace(whole, log=cut), lambda: 3).call(call.name, call.arguments)
