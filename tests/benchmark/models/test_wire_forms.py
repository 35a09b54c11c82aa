"""What the servers of the world send, byte by byte, and what becomes of it: one table over a real socket.

Each row stands for wire forms that people reported of a provider or a gateway: an answer is read rightly, or there is
a failure that says why.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from benchmark.models import ChatRequest, ModelFailure, ModelSetup, Reply
from benchmark.models.bridge import ask_now
from tests.benchmark.models.more_wire_forms import MORE_FORMS
from tests.benchmark.models.server import Exchange, Server, completion, piece, serving, usage
from tests.benchmark.models.wire_form import (
    ARGUMENTS,
    DONE_LINE,
    HELLO,
    OVERFLOW,
    TOOLS,
    WEATHER_CALL,
    Form,
    call_piece,
    call_stream,
    error,
    in_place_of_answer,
    message_of,
    stream,
    whole,
)

# a. Limits that pass, and those that only money lifts.

GEMINI = "You exceeded your current quota, please check your plan and billing details."


def _gemini(message: str, **more: Any) -> dict[str, Any]:
    return {"error": {"code": 429, "message": message, "status": "RESOURCE_EXHAUSTED", **more}}


def _retry_info(delay: object) -> list[dict[str, Any]]:
    return [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay}]


LIMITS = [
    error(
        "Gemini, pause in words", 429, "rate_limit", _gemini(f"{GEMINI} Please retry in 31.2s."), wait=31.2
    ),
    error(
        "Gemini, RetryInfo in a list",
        429,
        "rate_limit",
        [_gemini("Resource has been exhausted (e.g. check quota).", details=_retry_info("34s"))],
        wait=34,
    ),
    error("Gemini, RetryInfo", 429, "rate_limit", _gemini(GEMINI, details=_retry_info("1.5s")), wait=1.5),
    error(
        "Gemini, RetryInfo in seconds",
        429,
        "rate_limit",
        _gemini(GEMINI, details=_retry_info({"seconds": 12})),
        wait=12,
    ),
    error("Gemini without a pause", 429, "rate_limit", _gemini(GEMINI)),
    error(
        "Gemini quoted by a gateway",
        429,
        "rate_limit",
        "litellm.RateLimitError: VertexAIException - "
        + json.dumps(_gemini(GEMINI, details=_retry_info("34s"))),
        wait=34,
    ),
    error("Gemini, credit", 429, "refused", _gemini("Your prepayment credits are depleted."), helps="credit"),
    error(
        "OpenAI, quota",
        429,
        "refused",
        {"error": {"message": GEMINI, "type": "insufficient_quota", "code": "insufficient_quota"}},
        helps="credit",
    ),
    error("OpenAI, quota in words alone", 429, "refused", GEMINI, helps="credit"),
    error("quota, but a pause in the header", 429, "rate_limit", GEMINI, "Retry-After: 20", wait=20),
    error(
        "insufficient_quota with a pause",
        429,
        "rate_limit",
        {"error": {"message": "Please try again in 20s", "code": "insufficient_quota"}},
        wait=20,
    ),
    error(
        "OpenAI, billing",
        429,
        "refused",
        {"error": {"message": "Limit", "code": "billing_hard_limit_reached"}},
    ),
    error(
        "Moonshot, credit",
        429,
        "refused",
        {"error": {"type": "exceeded_current_quota_error", "message": "Your account is suspended"}},
        helps="credit",
    ),
    error(
        "Zhipu, credit",
        429,
        "refused",
        {"error": {"code": "1113", "message": "您的账户已欠费，请充值后重试。"}},
    ),
    error("Zhipu, rate", 429, "rate_limit", {"error": {"code": "1302", "message": "您的账户已达到速率限制"}}),
    error(
        "xAI, credit", 429, "refused", "Your team has either used all available credits or reached its limit"
    ),
    error(
        "OpenRouter, a day's limit",
        429,
        "rate_limit",
        "Rate limit exceeded: free-models-per-day. Add 10 credits",
    ),
    error(
        "Mistral, capacity", 429, "rate_limit", {"message": "Service tier capacity exceeded for this model."}
    ),
    error("Groq", 429, "rate_limit", "Rate limit reached. Please try again in 7m12.5s. Upgrade.", wait=432.5),
    error("Azure", 429, "rate_limit", "exceeded call rate limit. Please retry after 13 seconds.", wait=13),
    error(
        "a request beyond the limit", 429, "refused", "Request too large for m: Limit 6000, Requested 8000"
    ),
    error("a pause with a unit", 429, "rate_limit", "slow down", "Retry-After: 20s", wait=20),
    error("a pause in words of the header", 429, "rate_limit", "slow", "Retry-After: 1 minute", wait=60),
    error("a pause in minutes and seconds", 429, "rate_limit", "slow", "Retry-After: 1m30s", wait=90),
    error("a pause in Chinese", 429, "rate_limit", "请求过于频繁，请在 20 秒后重试", wait=20),
    error("a pause in Chinese minutes", 503, "server", "系统繁忙，请2分钟之后再试", wait=120),
    error(
        "a pause as a field",
        429,
        "rate_limit",
        {"error": {"message": "slow", "details": {"retry_after": 7}}},
        wait=7,
    ),
    error("a pause in milliseconds", 503, "server", {"detail": "busy", "retry_after_ms": 1500}, wait=1.5),
    error("wait 20 seconds", 429, "rate_limit", "Please wait 20 seconds and try again", wait=20),
    error(
        "Anthropic, credit",
        400,
        "refused",
        "Your credit balance is too low to access the API",
        helps="credit",
    ),
    error("DeepSeek, credit", 402, "refused", "Insufficient Balance", helps="credit"),
    error(
        "SiliconFlow, credit", 403, "refused", {"code": 30001, "message": "account balance is insufficient"}
    ),
]


# b. Thoughts in the text of an answer: each is sent whole, in one piece, and letter by letter.

THOUGHTS = {
    "at the beginning": ("<think>a</think>Hello", "a", "Hello"),
    "on lines of their own": ("<think>\na\n</think>\n\nHello", "a", "Hello"),
    "after words": ("Hello.\n<think>second thoughts</think>\nBye.", "second thoughts", "Hello.\n\nBye."),
    "twice": ("<think>a</think>Hello<think>b</think> world", "a\n\nb", "Hello world"),
    "not closed": ("Hello <think>half a th", "half a th", "Hello "),
    "opened in the prompt": ("a\n</think>\n\nHello", "a", "Hello"),
    "opened in the prompt, on a line": ("we go</think>\nHello", "we go", "Hello"),
    "opened in the prompt, and again": ("a</think>\nHello<think>b</think>!", "a\n\nb", "Hello!"),
    "a closing tag in a line": ("In the tag </think> there is", "", "In the tag </think> there is"),
    "a mention": ("Write `<think>` first.", "", "Write `<think>` first."),
    "mentions of both": ("`<think>x</think>` is one", "", "`<think>x</think>` is one"),
    "in a fenced block": ("```\n<think>\n```\nHello", "", "```\n<think>\n```\nHello"),
    "behind a fenced block": ("```\nx\n```\n<think>a</think>Hello", "a", "```\nx\n```\nHello"),
    "with a mention inside": (
        "<think>end with `</think>` now</think>Hello",
        "end with `</think>` now",
        "Hello",
    ),
    "a lone backtick": ("a ` b <think>c</think>d", "c", "a ` b d"),
    "thinking": ("<thinking>a</thinking>Hello", "a", "Hello"),
    "thought (Gemini)": ("<thought>a</thought>Hello", "a", "Hello"),
    "Doubao": ("<seed:think>a</seed:think>Hello", "a", "Hello"),
    "Mistral": ("[THINK]a[/THINK]Hello", "a", "Hello"),
    "Kimi": ("◁think▷a◁/think▷Hello", "a", "Hello"),
    "Cohere": ("<|START_THINKING|>a<|END_THINKING|>Hello", "a", "Hello"),
    "capitals": ("<THINK>a</Think>Hello", "a", "Hello"),
    "harmony": (
        "<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>Hello<|return|>",
        "a",
        "Hello",
    ),
    "harmony, begun in the prompt": (
        "a<|end|><|start|>assistant<|channel|>final<|message|>Hello<|return|>",
        "a",
        "Hello",
    ),
    "harmony, a preamble": (
        "<|channel|>commentary<|message|>Hi<|end|><|start|>assistant<|channel|>analysis<|message|>a<|end|>",
        "a",
        "Hi",
    ),
    "nothing inside": ("<think>\n\n</think>\n\nHello", "", "Hello"),
    "not a tag": ("a < b [T] <thin> Hello", "", "a < b [T] <thin> Hello"),
}


def _thoughts() -> Iterator[Form]:
    for name, (content, thought, text) in THOUGHTS.items():
        found = {"thought": thought, "text": text}
        yield whole(f"thoughts {name}, whole", completion(content), **found)
        yield stream(
            f"thoughts {name}, in one piece", piece(content=content), piece("stop"), DONE_LINE, **found
        )
        letters = (piece(content=letter) for letter in content)
        yield stream(f"thoughts {name}, in letters", *letters, piece("stop"), DONE_LINE, **found)
    parts = [
        {"type": "thinking", "thinking": [{"type": "text", "text": "a"}]},
        {"type": "text", "text": "Hello"},
    ]
    yield whole(
        "thoughts as a part (Mistral)", completion() | message_of(content=parts), thought="a", text="Hello"
    )
    yield stream(
        "thoughts as a part, in a stream", piece(content=parts[:1]), HELLO, thought="a", text="Hello"
    )
    yield whole(
        "thoughts as details (OpenRouter)",
        message_of(content="Hello", reasoning_details=[{"type": "reasoning.text", "text": "a"}]),
        thought="a",
        text="Hello",
    )
    yield whole(
        "thoughts beside and within",
        message_of(content="Hello<think>b</think>", reasoning_content="a"),
        thought="a\n\nb",
        text="Hello",
    )
    yield whole(
        "the same thoughts beside and within",
        message_of(content="<think>a</think>Hello", reasoning="a"),
        thought="a",
        text="Hello",
    )
    yield whole("a refusal is words", message_of(content=None, refusal="I can't"), text="I can't")
    yield whole(
        "a call in a channel",
        message_of(
            content='<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city":"A"}<|call|>'
        ),
        calls=(("get_weather", '{"city":"A"}'),),
        note="functions.get_weather",
    )


# c, g, h, k. Calls, and messages that come twice.


def _forms_of_tool_name(name: str, note: str = "", meant: str = "get_weather") -> Iterator[Form]:
    found = {"calls": ((meant, ARGUMENTS),), "note": note or name}
    yield call_stream(f"a tool named {name}", call_piece(ARGUMENTS, name), **found)
    call = [{"id": "x", "type": "function", "function": {"name": name, "arguments": ARGUMENTS}}]
    yield whole(
        f"a tool named {name}, whole", message_of("tool_calls", content=None, tool_calls=call), **found
    )


CALLS = [
    call_stream(
        "arguments in pieces",
        call_piece("", "get_weather", id="x"),
        call_piece('{"city":'),
        call_piece('"A"}'),
    ),
    call_stream(
        "arguments repeated at the end",
        call_piece("", "get_weather", id="x"),
        call_piece('{"city":'),
        call_piece('"A"}'),
        call_piece(ARGUMENTS),
    ),
    call_stream(
        "the whole call repeated at the end",
        call_piece('{"city":', "get_weather", id="x"),
        call_piece('"A"}'),
        call_piece(ARGUMENTS, "get_weather", id="x"),
    ),
    call_stream(
        "repeated with other blanks",
        call_piece(ARGUMENTS, "get_weather", id="x"),
        call_piece('{"city": "A"}'),
    ),
    call_stream(
        "repeated without an id",
        call_piece(ARGUMENTS, "get_weather"),
        call_piece(ARGUMENTS, "get_weather"),
        call_piece(""),
    ),
    call_stream("an empty object first", call_piece("{}", "get_weather", id="x"), call_piece(ARGUMENTS)),
    call_stream(
        "an empty object, then pieces",
        call_piece("{}", "get_weather", id="x"),
        call_piece('{"city":'),
        call_piece('"A"}'),
    ),
    call_stream(
        "an empty object, named again",
        call_piece("{}", "get_weather", id="x"),
        call_piece(ARGUMENTS, "get_weather", id="x"),
    ),
    call_stream(
        "each piece has all so far",
        call_piece('{"ci', "get_weather"),
        call_piece('{"city":'),
        call_piece(ARGUMENTS),
    ),
    call_stream("glued by a gateway", call_piece("{}" + ARGUMENTS, "get_weather")),
    call_stream("glued twice", call_piece(ARGUMENTS + ARGUMENTS, "get_weather")),
    call_stream(
        "two that differ stay",
        call_piece('{"a":1}{"a":2}', "get_weather"),
        calls=(("get_weather", '{"a":1}{"a":2}'),),
    ),
    call_stream("no arguments", call_piece("{}", "get_weather"), calls=(("get_weather", "{}"),)),
    call_stream(
        "two alike calls with ids of their own",
        call_piece(ARGUMENTS, "get_weather", 0, "x"),
        call_piece(ARGUMENTS, "get_weather", 1, "y"),
        calls=(("get_weather", ARGUMENTS),) * 2,
    ),
    call_stream(
        "an object within an object",
        call_piece('{"a":', "get_weather"),
        call_piece('{"a":1}'),
        call_piece("}"),
        calls=(("get_weather", '{"a":{"a":1}}'),),
    ),
    call_stream(
        "arguments as an object",
        call_piece({"city": "A"}, "get_weather"),
        calls=(("get_weather", '{"city": "A"}'),),
    ),
    call_stream(
        "function_call in pieces",
        piece(function_call={"name": "get_weather", "arguments": ""}),
        piece(function_call={"arguments": '{"city":'}),
        piece(function_call={"arguments": '"A"}'}),
        finish="function_call",
    ),
    whole(
        "function_call",
        message_of(
            "function_call", content=None, function_call={"name": "get_weather", "arguments": ARGUMENTS}
        ),
        **WEATHER_CALL,
    ),
    whole(
        "function_call beside tool_calls null",
        message_of(
            "stop",
            content=None,
            tool_calls=None,
            function_call={"name": "get_weather", "arguments": ARGUMENTS},
        ),
        calls=WEATHER_CALL["calls"],
    ),
    whole(
        "function_call beside the same in tool_calls",
        message_of(
            "tool_calls",
            content="",
            tool_calls=[{"id": "x", "function": {"name": "get_weather", "arguments": ARGUMENTS}}],
            function_call={"name": "get_weather", "arguments": ARGUMENTS},
        ),
        **WEATHER_CALL,
    ),
    stream(
        "the last chunk holds the whole message",
        piece(content="Hel"),
        piece(content="lo"),
        {"choices": [{"index": 0, "delta": {}, **message_of(content="Hello")["choices"][0]}]},
        DONE_LINE,
        text="Hello",
    ),
    stream(
        "the last chunk, as MiniMax has it",
        piece(content="Hel"),
        piece(content="lo"),
        message_of(content="Hello"),
        text="Hello",
    ),
    stream(
        "a last message that is cleaned",
        piece(content=" Hel"),
        piece(content="lo "),
        message_of(content="Hello"),
        text="Hello",
    ),
    stream("a last message without words", piece(content="Hello"), message_of(content=""), text="Hello"),
    stream(
        "a last message with thoughts",
        piece(reasoning_content="a"),
        piece(content="Hello"),
        message_of(content="Hello", reasoning_content="a"),
        text="Hello",
        thought="a",
    ),
    stream(
        "a last message with calls",
        call_piece('{"city":', "get_weather", id="x"),
        call_piece('"A"}'),
        message_of(
            "tool_calls",
            content=None,
            tool_calls=[{"id": "x", "function": {"name": "get_weather", "arguments": ARGUMENTS}}],
        ),
        **WEATHER_CALL,
    ),
    stream(
        "messages in place of deltas",
        message_of(None, content="Hel"),
        message_of("stop", content="lo"),
        text="Hello",
    ),
    stream(
        "messages that grow",
        message_of(None, content="Hel"),
        message_of("stop", content="Hello"),
        text="Hello",
    ),
    *_forms_of_tool_name("functions.get_weather"),
    *_forms_of_tool_name("functions.get_weather:0"),
    *_forms_of_tool_name("get_weather<|channel|>commentary"),
    *_forms_of_tool_name("default_api:get_weather"),
    *_forms_of_tool_name("assistant to=functions.get_weather"),
    call_stream(
        "a name that two tools fit",
        call_piece("{}", "get_weather.search_poi"),
        calls=(("get_weather.search_poi", "{}"),),
    ),
    call_stream(
        "a name that no tool fits", call_piece("{}", "functions.book"), calls=(("functions.book", "{}"),)
    ),
    call_stream("a name that is longer", call_piece("{}", "get_weathers"), calls=(("get_weathers", "{}"),)),
]


# d. Finish reasons: each is sent whole and in a stream, with words.

FINISHES: dict[str, str] = {
    "stop": "stop STOP eos eos_token end_turn stop_sequence COMPLETE FINISH_REASON_STOP FinishReason.STOP",
    "length": "length LENGTH max_tokens MAX_TOKENS model_length max_output_tokens FINISH_REASON_MAX_TOKENS",
    "overflow": "model_context_window_exceeded context_length_exceeded ERROR_LIMIT",
    "filtered": "content_filter SAFETY RECITATION BLOCKLIST PROHIBITED_CONTENT SPII sensitive refusal content-filter "
    "guardrail_intervened ERROR_TOXIC MODEL_ARMOR",
    "cut": "error abort network_error insufficient_system_resource NETWORK_ERROR USER_CANCEL timeout incomplete",
    "malformed": "MALFORMED_FUNCTION_CALL UNEXPECTED_TOOL_CALL TOO_MANY_TOOL_CALLS MALFORMED_RESPONSE "
    "malformed_tool_use",
}
_PHRASES = {
    "content_filter: PROHIBITED_CONTENT": "filtered",
    "function_call_filter: MALFORMED_FUNCTION_CALL": "malformed",
}


def _finishes() -> Iterator[Form]:
    known = {reason: ending for ending, reasons in FINISHES.items() for reason in reasons.split()}
    for reason, ending in (known | _PHRASES).items():
        words = "Day 1: we take the tr"
        good = ending in ("stop", "length")
        came = {"text": words, "finish": ending} if good else {"kind": ending, "error_text": reason}
        yield stream(
            f"ended by {reason}", piece(content=words), piece(reason), usage(10, 5), DONE_LINE, **came
        )
        yield whole(f"ended by {reason}, whole", message_of(reason, content=words), **came)
    spoken = usage(4000, 96)
    yield stream(
        "length where the context ends",
        piece("length", content="Hel"),
        spoken,
        kind="overflow",
        error_text="4000",
    )
    for reason in ("MAX_TOKENS", "max_tokens"):
        yield stream(
            f"{reason} means that", piece(reason, content="Hel"), spoken, text="Hel", finish="length"
        )
    for reason in ("tool_calls", "tool_use", "TOOL_CALL", "function_call", "tool-calls"):
        yield call_stream(f"ended by {reason}", call_piece(ARGUMENTS, "get_weather"), finish=reason)
        yield stream(
            f"{reason} without a call",
            piece(content=""),
            piece(reason),
            kind="malformed",
            error_text="sends none",
        )
    cut = call_piece('{"city":"Suz', "search_poi")
    yield call_stream(
        "a call cut by a network error", cut, finish="network_error", kind="cut", error_text="network_error"
    )
    yield stream("nothing but a network error", piece(content=""), piece("network_error"), kind="cut")
    yield stream(
        "unknown, with words",
        piece("pause_turn", content="Hello"),
        text="Hello",
        note="pause_turn",
        finish="pause_turn",
    )
    yield call_stream(
        "unknown, with a call",
        call_piece(ARGUMENTS, "get_weather"),
        finish="OTHER",
        note="OTHER",
        calls=WEATHER_CALL["calls"],
    )
    yield stream(
        "unknown, with nothing", piece(content=""), piece("OTHER"), kind="malformed", error_text="OTHER"
    )
    yield call_stream("unknown, with half a call", cut, finish="OTHER", kind="malformed", error_text="OTHER")
    yield stream(
        "null as a word",
        piece("null", content="Hel"),
        piece("stop", content="lo"),
        text="Hello",
        finish="stop",
    )
    hidden = {"native_finish_reason": "MALFORMED_FUNCTION_CALL"}
    yield whole(
        "what a gateway's stop hides",
        {"choices": [message_of(content="")["choices"][0] | hidden]},
        kind="malformed",
        error_text="MALFORMED_FUNCTION_CALL",
        helps="text protocol",
    )
    yield whole(
        "a reason as an object", message_of({"type": "length"}, content="Hel"), text="Hel", finish="length"
    )  # type: ignore[arg-type]


# e. Errors in the place of an answer: each is sent as a body, in a stream's first event, and behind comments.


def _on_choice(message: str, code: int | str, finish: str | None = None) -> dict[str, Any]:
    choice = message_of(finish, content="")["choices"][0]
    return {"id": "g", "choices": [choice | {"error": {"code": code, "message": message}}]}


def _minimax(code: int, message: str, **more: Any) -> dict[str, Any]:
    return {"choices": None, "base_resp": {"status_code": code, "status_msg": message}, **more}


ERRORS: dict[str, tuple[object, str, str]] = {
    "on the choice": (
        _on_choice("Provider returned error: upstream overloaded", 502),
        "server",
        "upstream overloaded",
    ),
    "overflow on the choice": (_on_choice(OVERFLOW, 400, "error"), "overflow", "8192"),
    "a limit on the choice": (_on_choice("slow down", 429), "rate_limit", "slow down"),
    "a text on the choice": ({"choices": [{"index": 0, "error": "no worker"}]}, "server", "no worker"),
    "on the message": ({"choices": [{"message": {"error": {"message": "gone"}}}]}, "server", "gone"),
    "MiniMax, credit": (
        _minimax(1008, "insufficient balance", usage={"total_tokens": 0}),
        "refused",
        "insufficient",
    ),
    "MiniMax, rate": (_minimax(1002, "rate limit exceeded(RPM)"), "rate_limit", "RPM"),
    "MiniMax, tokens a minute": (_minimax(1039, "token limit"), "rate_limit", "token limit"),
    "MiniMax, key": (_minimax(1004, "login fail"), "auth", "login fail"),
    "MiniMax, overflow": (
        _minimax(2013, "invalid params, context window exceeds limit"),
        "overflow",
        "context",
    ),
    "MiniMax, parameters": (_minimax(2013, "invalid params, tool"), "refused", "invalid params"),
    "MiniMax, a code as text": (
        {"base_resp": {"status_code": "1008", "status_msg": "no money"}},
        "refused",
        "no money",
    ),
    "MiniMax, a code alone": ({"choices": [], "base_resp": {"status_code": 1002}}, "rate_limit", "1002"),
    "LiteLLM, overflow": (
        {"error": {"message": "litellm.ContextWindowExceededError: too long", "code": "400"}},
        "overflow",
        "too long",
    ),
    "MiniMax, inner": (_minimax(1000, "unknown error"), "server", "unknown error"),
    "MiniMax, sensitive": (_minimax(1026, "input new_sensitive"), "refused", "sensitive"),
    "FastAPI": ({"detail": "Model is overloaded, please wait"}, "server", "please wait"),
    "FastAPI, a list": ({"detail": [{"loc": ["body"], "msg": "field required"}]}, "server", "field required"),
    "code and msg": ({"code": 500, "msg": "system busy", "success": False}, "server", "system busy"),
    "code in words": (
        {"code": "Throttling.RateQuota", "message": "Requests rate limit exceeded"},
        "rate_limit",
        "limit",
    ),
    "Baidu": ({"error_code": 18, "error_msg": "Open api qps request limit reached"}, "rate_limit", "qps"),
    "a list of errors": ({"errors": [{"message": "worker died"}]}, "server", "worker died"),
    "a text": ({"error": "Unauthorized", "message": "Invalid API key"}, "auth", "Invalid API key"),
    "a flag": ({"error": True, "message": "上游负载已饱和，请稍后再试"}, "server", "上游负载"),
    "choices empty": ({"choices": [], "error": {"message": "boom"}}, "server", "boom"),
    "a message beside no choices": ({"choices": [], "message": "no available channel"}, "server", "channel"),
    "quota": (
        {"error": {"message": "insufficient_quota: exceeded", "code": "insufficient_quota"}},
        "refused",
        "quota",
    ),
    "overflow": ({"error": {"message": OVERFLOW, "code": 400}}, "overflow", "8192"),
    "overflow quoted": (
        {"error": {"message": "Provider returned error", "code": 400, "metadata": {"raw": OVERFLOW}}},
        "overflow",
        "Provider returned",
    ),
    "Chinese, busy": (
        {"error": {"code": "1305", "message": "该模型当前访问量过大，请您稍后再试"}},
        "server",
        "访问量",
    ),
    "Chinese, rate": ({"error": {"code": "1302", "message": "请求过多，请降低频率"}}, "rate_limit", "频率"),
    "Chinese, credit": ({"error": {"message": "账户余额不足，请充值"}}, "refused", "余额"),
    "Chinese, filter": ({"error": {"code": "1301", "message": "输入内容含敏感信息"}}, "refused", "敏感"),
}


def _errors() -> Iterator[Form]:
    for name, (body, kind, told) in ERRORS.items():
        yield from in_place_of_answer(name, body, kind=kind, error_text=told)
    listed = [_gemini(GEMINI, details=_retry_info("34s"))]
    yield stream("an error in a list (Gemini)", piece(content="Hel"), listed, kind="rate_limit", wait=34)
    yield whole("an error in a list, whole", listed, kind="rate_limit", wait=34)
    yield stream(
        "an event named error", 'event: error\ndata: {"why": "gone"}\n\n', kind="server", error_text="gone"
    )
    yield stream(
        "an event named error, in words",
        "event: error\ndata: upstream died\n\n",
        kind="server",
        error_text="died",
    )
    yield stream(
        "an error behind the reason",
        piece(content="Hel"),
        piece("error"),
        {"error": {"message": OVERFLOW}},
        kind="overflow",
    )
    yield stream(
        "success beside an answer",
        {**HELLO, "code": 0, "msg": "success", "base_resp": {"status_code": 0}},
        text="Hello",
    )
    yield whole(
        "success beside a whole answer",
        {**message_of(content="Hello"), "base_resp": {"status_code": 0, "status_msg": ""}, "error": None},
        text="Hello",
    )
    yield stream(
        "success beside the figures",
        HELLO,
        {"choices": [], "code": 200, "message": "ok"},
        DONE_LINE,
        text="Hello",
    )
    yield whole(
        "no choices at all", {"object": "list", "data": []}, kind="malformed", error_text="without choices"
    )


# f. What keeps a line alive, in every form, and where events end.

LAST = piece("stop", content="o")


def _alive() -> Iterator[Form]:
    whole_answer = json.dumps(completion("Hello"))
    for name, kept in {
        "a comment": ": keep-alive\n\n",
        "an empty comment": ":\n\n",
        "a comment as data": "data: : OPENROUTER PROCESSING\n\n",
        "a word as data": "data: ping\n\n",
        "a word in brackets": "data: [PING]\n\n",
        "keep-alive as data": "data: keep-alive\n\n",
        "an event with text": "event: ping\ndata: ping\n\n",
        "an event with an object": 'event: ping\ndata: {"type": "ping"}\n\n',
        "a counter as data": "data: keep-alive 3\n\n",
        "a place in the queue": "event: status\ndata: 3 before you\n\n",
        "an event with the time": "event: heartbeat\ndata: 2026-11-26T10:00:00Z\n\n",
        "no data": "data:\n\n",
        "an empty object": "data: {}\n\n",
        "null": "data: null\n\n",
        "blank lines": "\n\n\n",
        "other fields": "retry: 3000\nid: 1\n\n",
        "a chunk without anything": 'data: {"choices": []}\n\n',
    }.items():
        yield stream(
            f"alive by {name}", kept, piece(content="Hell"), kept, LAST, kept, DONE_LINE, text="Hello"
        )
        if name not in ("a chunk without anything",):
            yield stream(f"a whole object after {name}", kept, kept, whole_answer, text="Hello")
    yield stream("nothing but comments", ": alive\n\n", kind="cut")
    yield stream("a whole object among comments", ": a\n\n", completion("Hello"), ": b\n\n", text="Hello")
    yield stream(
        "a whole object on many lines", ": a\n\n", json.dumps(completion("Hello"), indent=1), text="Hello"
    )
    yield stream(
        "a BOM before a stream", b"\xef\xbb\xbf", piece(content="Hell"), LAST, DONE_LINE, text="Hello"
    )
    yield whole("a BOM before an object", b"\xef\xbb\xbf" + whole_answer.encode(), text="Hello")
    yield whole(
        "a BOM before an error",
        b'\xef\xbb\xbf{"error": {"message": "no", "code": "x"}}',
        400,
        kind="refused",
        error_text="“no”",
    )
    yield stream("blanks before an object", " \n\n  \n", whole_answer, text="Hello")
    event = "data: " + json.dumps(HELLO, indent=0).replace("\n", "\ndata: ") + "\n\n"
    yield stream("an event on many lines", event, DONE_LINE, text="Hello")
    lines = f"data: {json.dumps(piece(content='Hell'))}\ndata: {json.dumps(LAST)}\ndata: [DONE]\n"
    yield stream("no blank lines between events", lines, text="Hello")
    yield stream("lines that end in CR alone", lines.replace("\n", "\r"), text="Hello")
    yield stream("lines that end in CR LF", lines.replace("\n", "\r\n\r\n"), text="Hello")
    yield stream(
        "chunks a line each", *(f"{json.dumps(one)}\n" for one in (piece(content="Hell"), LAST)), text="Hello"
    )
    yield stream("chunks a line each, cut", f"{json.dumps(piece(content='Hell'))}\n", kind="cut")
    yield stream("done in small letters", piece(content="Hello"), "data: [done]\n\n", text="Hello")
    yield stream("done without data", piece(content="Hello"), "[DONE]\n\n", text="Hello")
    yield stream(
        "a page in a stream",
        piece(content="Hel"),
        "\n<html><title>502</title></html>\n",
        kind="cut",
        error_text="titled “502”",
    )
    yield stream("half an event", piece(content="Hel"), 'data: {"choices": [\n\n', kind="malformed")


# i, j. Statuses that pass, and remedies that fit.

STATUSES = [
    *(
        error(f"status {status}", status, "server", "x")
        for status in (408, 409, 423, 424, 425, 498, 499, 500, 529)
    ),
    error(
        "TGI",
        424,
        "server",
        {"error": "Request failed: CUDA out of memory", "error_type": "generation"},
        error_text="CUDA",
    ),
    error("overloaded with 400", 400, "server", "The model is overloaded. Please try again later."),
    error("overloaded with 403", 403, "server", "当前分组上游负载已饱和，请稍后再试"),
    error("busy in Chinese with 400", 400, "server", "服务器繁忙，请稍后重试"),
    error("rate in Chinese with 400", 400, "rate_limit", "您的请求过于频繁"),
    error("loading with 404", 404, "server", "The model is loading"),
    error(
        "moderation",
        403,
        "refused",
        {
            "error": {
                "code": 403,
                "message": "Input was flagged for moderation",
                "metadata": {"reasons": ["violence"]},
            }
        },
        helps="content filter",
    ),
    error(
        "Azure's filter",
        400,
        "refused",
        {"error": {"code": "content_filter", "message": "The response was filtered"}},
        helps="content filter",
    ),
    error(
        "DashScope's filter",
        400,
        "refused",
        {"code": "DataInspectionFailed", "message": "Input data may contain inappropriate content."},
        helps="content filter",
    ),
    error(
        "a filter in Chinese",
        403,
        "refused",
        "系统检测到输入内容可能包含不安全或敏感内容",
        helps="content filter",
    ),
    error("OpenAI's regions", 403, "refused", "Country, region, or territory not supported", helps="region"),
    error(
        "Gemini's regions", 400, "refused", "User location is not supported for the API use.", helps="region"
    ),
    error("a tier", 403, "refused", "This model is only available on the Pro plan", helps="plan"),
    error("no access", 403, "refused", "Project `x` does not have access to model `gpt-5`", helps="plan"),
    error("no access in Chinese", 403, "refused", "您尚未开通该模型服务", helps="plan"),
    error(
        "a firewall",
        403,
        "refused",
        "<!DOCTYPE html><title>Attention Required! | Cloudflare</title>",
        helps="firewall",
    ),
    error("a key", 403, "auth", "permission denied", helps="Name the environment variable"),
    error(
        "tools",
        404,
        "refused",
        {
            "error": {
                "message": 'No endpoints found that support tool use. Try disabling "search_poi".',
                "code": 404,
            }
        },
        helps="text protocol",
    ),
    error("Ollama's tools", 400, "refused", "m does not support tools", helps="text protocol"),
    error("data policy", 404, "refused", "No endpoints found matching your data policy", helps="privacy"),
    error("a model", 404, "not_found", "No endpoints found for vendor/x.", helps="model's name"),
    error("a model in Chinese", 400, "not_found", "模型不存在，请检查模型代码", helps="model's name"),
    error("overflow with 424", 424, "overflow", "`inputs` tokens + `max_new_tokens` must be <= 4096"),
    error("overflow with 502", 502, "overflow", OVERFLOW),
]


FORMS = [*LIMITS, *_thoughts(), *CALLS, *_finishes(), *_errors(), *_alive(), *STATUSES, *MORE_FORMS]


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """Answers as the form says whose number it is asked for."""
    with serving() as server:

        async def answer(exchange: Exchange) -> None:
            form = FORMS[int(exchange.body["messages"][0]["content"])]
            head = f"HTTP/1.1 {form.status} X\r\n{form.headers}\r\nConnection: close\r\n\r\n"
            await exchange.send(head.encode() + form.body)

        server.script = answer
        yield server


@pytest.fixture(scope="module")
def setup(server: Server) -> ModelSetup:
    return ModelSetup(name="m", base_url=server.url, model="0", timeout_s=10, deadline_s=20)


def test_forms_have_names_of_their_own() -> None:
    assert len({form.name for form in FORMS}) == len(FORMS)


@pytest.mark.parametrize("number", range(len(FORMS)), ids=[form.name for form in FORMS])
def test_what_servers_send_is_read_rightly_or_fails_for_a_true_reason(number: int, setup: ModelSetup) -> None:
    form = FORMS[number]
    request = ChatRequest(({"role": "user", "content": str(number)},), TOOLS)
    if form.kind:
        with pytest.raises(ModelFailure) as caught:
            ask_now(setup, request)
        _check_failure(caught.value, form)
    else:
        _check_reply(ask_now(setup, request), form)


def _check_failure(failure: ModelFailure, form: Form) -> None:
    assert failure.kind == form.kind, str(failure)
    assert form.error_text in str(failure) and form.helps in str(failure)
    assert failure.retry_after_s == (form.wait and pytest.approx(form.wait))


def _check_reply(reply: Reply, form: Form) -> None:
    assert (reply.text, reply.reasoning) == (form.text, form.thought)
    assert tuple((call.name, call.arguments) for call in reply.calls) == form.calls
    assert form.note in reply.note and bool(reply.note) == bool(form.note)
    assert reply.finish_reason == form.finish or form.note or not form.finish
