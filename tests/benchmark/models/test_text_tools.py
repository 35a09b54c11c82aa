"""Tools in plain text: what is written can be read back."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from benchmark.models import ChatRequest, Reply, RequestedCall
from benchmark.models.text_tools import as_text, calls_in, uses_tools, with_calls, write_calls

TOOL = {
    "type": "function",
    "function": {"name": "search", "description": "找$地方", "parameters": {"type": "object"}},
}
_line_text = st.text(alphabet='ab好`{}": \n', max_size=40)
_prose = _line_text.map(str.strip).filter(lambda text: not calls_in(text)[1])
_names = st.from_regex(r"[A-Za-z_.-][A-Za-z0-9_.-]{0,15}", fullmatch=True)
_objects = st.dictionaries(st.text(max_size=6), st.text(max_size=9), max_size=3)
_arguments = _line_text.map(str.strip) | _objects.map(lambda value: json.dumps(value, ensure_ascii=False))
_calls = st.lists(st.tuples(_names, _arguments), min_size=1, max_size=4).map(
    lambda pairs: tuple(RequestedCall(f"call_{n}", name, args) for n, (name, args) in enumerate(pairs, 1))
)


@given(text=_prose, calls=_calls)
def test_a_reply_comes_back_as_it_was(text: str, calls: tuple[RequestedCall, ...]) -> None:
    assert calls_in(write_calls(text, calls)) == (text, calls)


@given(text=_prose, calls=_calls, results=st.lists(_line_text, min_size=4, max_size=4))
def test_former_calls_of_a_request_come_back_as_they_were(
    text: str, calls: tuple[RequestedCall, ...], results: list[str]
) -> None:
    asked = [
        {"id": c.id, "type": "function", "function": {"name": c.name, "arguments": c.arguments}}
        for c in calls
    ]
    answers = [
        {"role": "tool", "tool_call_id": call.id, "content": result}
        for call, result in zip(calls, results, strict=False)
    ]
    request = ChatRequest(
        (
            {"role": "system", "content": "规则"},
            {"role": "user", "content": "问"},
            {"role": "assistant", "content": text or None, "tool_calls": asked, "reasoning_content": "想"},
            *answers,
            {"role": "user", "content": "继续"},
        ),
        (TOOL,),
        temperature=0.3,
    )
    plain = as_text(request, "zh")
    assert [message["role"] for message in plain.messages] == ["system", "user", "assistant", "user", "user"]
    assert not uses_tools(plain) and plain.temperature == 0.3
    assert calls_in(plain.messages[2]["content"]) == (text, calls)
    assert plain.messages[2]["reasoning_content"] == "想"
    told = plain.messages[3]["content"]
    at = 0
    for call, answer in zip(calls, answers, strict=True):
        at = told.index(f"result {call.name}\n{answer['content']}\n", at) + 1


def test_prose_around_calls_stays_and_bad_arguments_are_not_touched() -> None:
    text = '先查。\n```call search\n{"q": 面,}\n```\n再看：\n````call:route\n```\n{}\n```\n````\n就这样。'
    words, calls = calls_in(text)
    assert words == "先查。\n再看：\n就这样。"
    assert [(call.name, call.arguments) for call in calls] == [
        ("search", '{"q": 面,}'),
        ("route", "```\n{}\n```"),
    ]


def test_an_open_block_ends_with_the_text_and_a_nameless_one_is_a_call_too() -> None:
    assert calls_in('```call search\n{"q": "面') == ("", (RequestedCall("call_1", "search", '{"q": "面'),))
    assert calls_in("```call\n{}\n```") == ("", (RequestedCall("call_1", "", "{}"),))


def test_other_blocks_are_text() -> None:
    plan = '方案如下：\n```json\n{"call": 1}\n```\n```callback x\n```  \n'
    assert calls_in(plan) == (plan, ())
    reply = Reply(plan)
    assert with_calls(reply) is reply


def test_the_protocol_stands_at_the_end_of_the_system_message_in_the_language() -> None:
    question = {"role": "user", "content": "q"}
    request = ChatRequest(({"role": "system", "content": "规则"}, question), (TOOL,), json_object=True)
    chinese, english = as_text(request, "zh"), as_text(request, "en")
    assert chinese.messages[0]["content"].startswith("规则\n\n## 如何使用工具")
    assert '{"name": "search", "description": "找$地方"' in chinese.messages[0]["content"]
    assert "How to use tools" in english.messages[0]["content"] and not english.json_object
    assert as_text(ChatRequest((question,), (TOOL,)), "en").messages[0]["role"] == "system"


def test_without_tools_nothing_is_explained() -> None:
    request = ChatRequest(({"role": "user", "content": "q"},), json_object=True)
    assert not uses_tools(request) and as_text(request, "zh") == request


def test_a_cut_answer_stays_cut() -> None:
    assert with_calls(Reply("```call a\n{", finish_reason="length")).finish_reason == "length"
    assert with_calls(Reply("```call a\n{}\n```")).finish_reason == "tool_calls"
