"""Further forms of the kinds in `test_wire_forms`: other providers and gateways, other spellings, other places."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tests.benchmark.models.server import completion, piece, usage
from tests.benchmark.models.wire_form import (
    ARGUMENTS,
    DONE_LINE,
    OVERFLOW,
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

# Limits that pass, and those that only money lifts.

GITHUB = "Rate limit of 10 per 60s exceeded for UserByModelByMinute. Please wait 42 seconds before retrying."
AZURE = (
    "Requests to the ChatCompletions_Create Operation have exceeded token rate limit of your current AIServices S0 "
    "pricing tier. Please retry after 6 seconds."
)
FREE_TIER = (
    "You exceeded your current quota, please check your plan and billing details.\n* Quota exceeded for metric: "
    "generativelanguage.googleapis.com/generate_content_free_tier_requests, limit: 250, model: gemini-2.5-flash\n"
    "Please retry in 1m17.334s."
)
GOOGLE_DETAILS = [
    {
        "@type": "type.googleapis.com/google.rpc.QuotaFailure",
        "violations": [{"quotaId": "GenerateRequestsPerDay"}],
    },
    {"@type": "type.googleapis.com/google.rpc.Help", "links": [{"url": "https://ai.google.dev/billing"}]},
    {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "17.5s"},
]
OPENAI_BILLING = (
    "Rate limit reached for m on requests per min (RPM): Limit 3, Used 3, Requested 1. You can increase your rate "
    "limit by adding a payment method to your account at https://platform.openai.com/account/billing."
)
OPENROUTER_LIMIT = {
    "error": {
        "code": 429,
        "message": "Provider returned error",
        "metadata": {
            "raw": "m:free is temporarily rate-limited upstream. Please retry shortly",
            "provider_name": "X",
        },
    }
}
VOLC_OVERDUE = {
    "error": {
        "code": "AccountOverdueError",
        "message": "The request failed because your account has an overdue balance.",
    }
}

LIMITS = [
    error("GitHub Models", 429, "rate_limit", GITHUB, wait=42),
    error("Azure, a tier's tokens", 429, "rate_limit", AZURE, wait=6),
    error(
        "Gemini, a day of the free tier",
        429,
        "rate_limit",
        [{"error": {"code": 429, "message": FREE_TIER, "status": "RESOURCE_EXHAUSTED"}}],
        wait=77.334,
    ),
    error(
        "Gemini, details of which one is a pause",
        429,
        "rate_limit",
        {"error": {"message": "Quota", "status": "RESOURCE_EXHAUSTED", "details": GOOGLE_DETAILS}},
        wait=17.5,
    ),
    error(
        "Vertex",
        429,
        "rate_limit",
        [{"error": {"code": 429, "message": "Resource exhausted. Please try again later. See billing."}}],
    ),
    error(
        "Gemini, its status in other letters",
        429,
        "rate_limit",
        {"error": {"message": "You exceeded your current quota", "status": "ResourceExhausted"}},
    ),
    error("OpenAI's limit that names billing", 429, "rate_limit", OPENAI_BILLING),
    error(
        "a limit that names billing, with a pause of 0",
        429,
        "rate_limit",
        OPENAI_BILLING,
        "Retry-After: 0",
        wait=0,
    ),
    error(
        "Together",
        429,
        "rate_limit",
        "You have reached the rate limit specific to this model. The maximum rate limit for this model is 0.6 "
        "queries per minute. Upgrade at https://api.together.xyz/settings/billing",
    ),
    error("OpenRouter, upstream", 429, "rate_limit", OPENROUTER_LIMIT),
    error("Bedrock", 429, "rate_limit", {"message": "Too many tokens, please wait before trying again."}),
    error(
        "Cohere",
        429,
        "rate_limit",
        {"message": "You are using a Trial key, which is limited to 10 calls / minute."},
    ),
    error(
        "Anthropic, rate",
        429,
        "rate_limit",
        {"type": "error", "error": {"type": "rate_limit_error", "message": "x"}},
    ),
    error(
        "Cerebras",
        429,
        "rate_limit",
        {"message": "Tokens per day limit exceeded", "code": "token_quota_exceeded"},
    ),
    error(
        "Moonshot, rate",
        429,
        "rate_limit",
        "reached organization max RPM: 3, please try again after 1 seconds",
        wait=1,
    ),
    error(
        "DashScope, tokens a minute",
        429,
        "rate_limit",
        {
            "code": "Throttling.AllocationQuota",
            "message": "Allocated quota exceeded, please increase your quota limit.",
        },
    ),
    error("Volcengine, overdue", 403, "refused", VOLC_OVERDUE, helps="credit"),
    error("Volcengine, overdue with 429", 429, "refused", VOLC_OVERDUE, helps="credit"),
    error(
        "Perplexity, quota with 401",
        401,
        "refused",
        {"error": {"message": "You exceeded your current quota", "type": "insufficient_quota", "code": 401}},
        helps="credit",
    ),
    error(
        "Hugging Face, credit",
        402,
        "refused",
        "You have exceeded your monthly included credits.",
        helps="credit",
    ),
    error("a payment without words", 402, "refused", {}, helps="credit"),
    error("OpenRouter, a key's limit", 403, "refused", "Key limit exceeded (total limit).", helps="credit"),
    error("credit in traditional Chinese", 429, "refused", "帳戶餘額不足，請儲值", helps="credit"),
    error(
        "credit, used up",
        429,
        "refused",
        "You have run out of credits. Add credits to continue.",
        helps="credit",
    ),
    error("a pause in hours", 429, "rate_limit", "Please try again in 1h2m3.5s.", wait=3723.5),
    error("a pause in days", 429, "rate_limit", "quota used, billing; try again in 2 days", wait=172_800),
    error("a pause, approximate", 429, "rate_limit", "slow down; retry in ~30s", wait=30),
    error("a pause, about", 429, "rate_limit", "Retry in about 30 seconds", wait=30),
    error("a pause, another", 429, "rate_limit", "wait for another 12 seconds", wait=12),
    error(
        "a pause until it is there again",
        503,
        "server",
        "The model will be available again in 20 seconds",
        wait=20,
    ),
    error("a pause of a limit that resets", 429, "rate_limit", "Your limit resets in 45s", wait=45),
    error("a request again after", 429, "rate_limit", "Please retry your request after 31 sec", wait=31),
    error("a pause in Chinese, waited", 429, "rate_limit", "请求频繁，请等待 20 秒", wait=20),
    error("a pause in Chinese, of two parts", 429, "rate_limit", "请求频繁，请在1分30秒后重试", wait=90),
    error("a pause in traditional Chinese", 429, "rate_limit", "請求過於頻繁，請於 20 秒後重試", wait=20),
    error(
        "a pause as an estimate (Hugging Face)",
        503,
        "server",
        {"error": "Model m is currently loading", "estimated_time": 20.5},
        wait=20.5,
    ),
    error(
        "a pause in camel case",
        429,
        "rate_limit",
        {"error": {"message": "slow", "retryAfterSeconds": 9}},
        wait=9,
    ),
    error(
        "a pause in camel milliseconds",
        429,
        "rate_limit",
        {"error": {"message": "slow", "retryAfterMs": 1500}},
        wait=1.5,
    ),
    error("a pause of a gateway", 429, "rate_limit", "slow", "X-RateLimit-Reset-After: 4.5", wait=4.5),
    error("a pause under another name", 429, "rate_limit", "slow", "X-Retry-After: 8s", wait=8),
    error("a pause with a capital header", 429, "rate_limit", "slow", "RETRY-AFTER: 3", wait=3),
    error(
        "a pause in milliseconds of the header", 429, "rate_limit", "slow", "retry-after-ms: 1500", wait=1.5
    ),
]

# Calls that come twice, or in another dress.

FLAT = {"id": "x", "name": "get_weather", "arguments": ARGUMENTS}
TOOL_USE = {"type": "tool_use", "id": "x", "name": "get_weather", "input": {"city": "A"}}
TWO = [
    {
        "index": index,
        "id": id,
        "type": "function",
        "function": {"name": "get_weather", "arguments": f'{{"city":"{id}"}}'},
    }
    for index, id in enumerate("xy")
]
TWO_CALLS = tuple(("get_weather", f'{{"city":"{id}"}}') for id in "xy")
SPACED_CALL = (("get_weather", '{"city": "A"}'),)

CALLS = [
    call_stream(
        "arguments repeated as an object",
        call_piece('{"city":', "get_weather", id="x"),
        call_piece('"A"}'),
        call_piece({"city": "A"}),
    ),
    call_stream(
        "arguments repeated in pieces",
        *(
            call_piece(part, "get_weather" if number == 0 else None)
            for number, part in enumerate(['{"city":', '"A"}'] * 2)
        ),
    ),
    call_stream(
        "arguments repeated twice",
        call_piece('{"city":', "get_weather"),
        call_piece('"A"}'),
        call_piece(ARGUMENTS),
        call_piece(ARGUMENTS),
    ),
    call_stream(
        "arguments repeated beside the reason",
        call_piece('{"city":', "get_weather"),
        call_piece('"A"}'),
        {"choices": [{**call_piece(ARGUMENTS)["choices"][0], "finish_reason": "tool_calls"}]},
    ),
    call_stream(
        "arguments repeated without an index",
        call_piece('{"city":', "get_weather"),
        call_piece('"A"}'),
        call_piece(ARGUMENTS, index=None),
    ),
    call_stream(
        "arguments repeated by id alone",
        call_piece('{"city":', "get_weather", id="x"),
        call_piece('"A"}'),
        call_piece(ARGUMENTS, "get_weather", index=None, id="x"),
    ),
    call_stream("an empty object at the end", call_piece(ARGUMENTS, "get_weather"), call_piece("{}")),
    call_stream("an empty object with a blank", call_piece("{ }", "get_weather"), call_piece(ARGUMENTS)),
    call_stream("null, then arguments", call_piece("null", "get_weather"), call_piece(ARGUMENTS)),
    call_stream("null alone", call_piece("null", "get_weather"), calls=(("get_weather", "null"),)),
    call_stream(
        "an empty text in quotes, then arguments", call_piece('""', "get_weather"), call_piece(ARGUMENTS)
    ),
    call_stream("both of two calls repeated", piece(tool_calls=TWO), piece(tool_calls=TWO), calls=TWO_CALLS),
    call_stream(
        "both of two calls repeated, one after the other",
        *(piece(tool_calls=[one]) for one in TWO * 2),
        calls=TWO_CALLS,
    ),
    call_stream(
        "all so far, and all at the end",
        *(call_piece(ARGUMENTS[:end], "get_weather" if end == 4 else None) for end in (4, 8, 12, 12)),
    ),
    call_stream("a call without function", piece(tool_calls=[{**FLAT, "index": 0}])),
    whole(
        "a call without function, whole",
        message_of("tool_calls", content=None, tool_calls=[FLAT]),
        **WEATHER_CALL,
    ),
    whole(
        "a call as content (Anthropic)",
        message_of("tool_use", content=[{"type": "text", "text": "Hi"}, TOOL_USE]),
        text="Hi",
        finish="tool_calls",
        calls=SPACED_CALL,
    ),
    whole(
        "a call of an input",
        message_of("tool_calls", content=None, tool_calls=[TOOL_USE]),
        finish="tool_calls",
        calls=SPACED_CALL,
    ),
    whole(
        "a call of parameters",
        message_of(
            "tool_calls",
            content=None,
            tool_calls=[
                {"type": "function", "function": {"name": "get_weather", "parameters": {"city": "A"}}}
            ],
        ),
        finish="tool_calls",
        calls=SPACED_CALL,
    ),
    whole(
        "function_call with an object",
        message_of(
            "function_call",
            content=None,
            tool_calls=[],
            function_call={"name": "get_weather", "arguments": {"city": "A"}},
        ),
        finish="tool_calls",
        calls=SPACED_CALL,
    ),
    whole(
        "an empty function_call beside words",
        message_of(content="Hello", function_call={"name": "", "arguments": ""}),
        text="Hello",
    ),
    whole(
        "a null function_call beside words",
        message_of(content="Hello", function_call={"name": None, "arguments": None}, tool_calls=[]),
        text="Hello",
    ),
    whole(
        "function_call on the choice",
        {
            "choices": [
                {
                    "index": 0,
                    "message": {"role": "assistant", "content": None},
                    "function_call": {"name": "get_weather", "arguments": ARGUMENTS},
                    "finish_reason": "function_call",
                }
            ]
        },
        **WEATHER_CALL,
    ),
    call_stream(
        "function_call with its name in each piece",
        *(piece(function_call={"name": "get_weather", "arguments": part}) for part in ('{"city":', '"A"}')),
        finish="function_call",
    ),
    call_stream(
        "function_call repeated at the end",
        *(
            piece(function_call={"arguments": part} | ({"name": "get_weather"} if number == 0 else {}))
            for number, part in enumerate(('{"city":', '"A"}', ARGUMENTS))
        ),
        finish="function_call",
    ),
    call_stream(
        "function_call behind the same in tool_calls",
        call_piece(ARGUMENTS, "get_weather", id="x"),
        piece(function_call={"name": "get_weather", "arguments": ARGUMENTS}),
    ),
    call_stream(
        "function_call ended by stop",
        piece(function_call={"name": "get_weather", "arguments": ARGUMENTS}),
        finish="stop",
        ended="stop",
    ),
]

# Why answers end.

WORDS = "Day 1: we take the tr"
FINISHES = {
    "stop": "eosFound stopStringFound end_of_turn eot_token end_of_text EndTurn",
    "length": "maxPredictedTokensReached MaxTokens max-tokens OUTPUT_LIMIT max_output max_tokens_limit",
    "overflow": "context contextLengthReached ModelContextWindowExceeded context-length-exceeded "
    "context_window_full max_context_length_exceeded CONTEXT_OVERFLOW prompt_too_long",
    "filtered": "ContentFilter content_policy_violation safety_filter unsafe IMAGE_SAFETY "
    "policy_violation output_sensitive censored JAILBREAK",
    "cut": "provider_error upstream_error internal_error stream_error gateway_timeout time_limit not_finished "
    "connection_error ECONNRESET internal_server_error modelUnloaded userStopped preempted "
    "rate_limited model_overloaded NetworkError disconnect",
    "malformed": "malformed-function-call MalformedToolUse invalid_function_call function_call_parse_error "
    "tool_call_parse_failure invalid_json malformed_output",
}


def _finishes() -> Iterator[Form]:
    for ending, reasons in FINISHES.items():
        for reason in reasons.split():
            good = ending in ("stop", "length")
            came: dict[str, Any] = (
                {"text": WORDS, "finish": ending} if good else {"kind": ending, "error_text": reason}
            )
            yield stream(
                f"ended by {reason}", piece(content=WORDS), piece(reason), usage(10, 5), DONE_LINE, **came
            )
            yield whole(f"ended by {reason}, whole", message_of(reason, content=WORDS), **came)
    told = message_of({"type": "abort", "message": "worker 3 died"}, content=WORDS)  # type: ignore[arg-type]
    yield whole("a reason with words (SGLang)", told, kind="server", error_text="worker 3 died")
    details = {
        "choices": [
            {**message_of(None, content=WORDS)["choices"][0], "finish_details": {"type": "max_tokens"}}
        ]
    }
    yield whole("a reason in details", details, text=WORDS, finish="length")
    yield whole(
        "a reason under another name (stop_reason)",
        {"choices": [{"message": {"content": WORDS}, "stop_reason": "model_context_window_exceeded"}]},
        kind="overflow",
    )
    yield whole(
        "a stop word beside the reason (vLLM)",
        {"choices": [{**message_of(content=WORDS)["choices"][0], "stop_reason": "</end>"}]},
        text=WORDS,
        finish="stop",
    )
    yield whole(
        "a token beside the reason (vLLM)",
        {"choices": [{**message_of(content=WORDS)["choices"][0], "stop_reason": 128009}]},
        text=WORDS,
        finish="stop",
    )


# Errors in the place of an answer.


def _on_choice(**more: Any) -> dict[str, Any]:
    return {
        "id": "g",
        "choices": [
            {"index": 0, "message": {"role": "assistant", "content": ""}, "finish_reason": "error", **more}
        ],
    }


ERRORS: dict[str, tuple[object, str, str]] = {
    "on the choice, in metadata": (
        _on_choice(error={"code": 502, "message": "Provider returned error", "metadata": {"raw": OVERFLOW}}),
        "overflow",
        "Provider returned",
    ),
    "on the choice, no credit": (
        _on_choice(error={"code": 402, "message": "Insufficient credits"}),
        "refused",
        "Insufficient credits",
    ),
    "on the choice, a code in words": (
        _on_choice(error={"code": "context_length_exceeded", "message": "too long"}),
        "overflow",
        "too long",
    ),
    "on the choice, in a list": (_on_choice(error=[{"message": "worker died"}]), "server", "worker died"),
    "on the choice, errors": (_on_choice(errors=[{"message": "worker died"}]), "server", "worker died"),
    "on the choice, error_message": (_on_choice(error_message="worker died"), "server", "worker died"),
    "on the second choice": (
        {"choices": [{"index": 0, "message": {"content": ""}}, {"index": 1, "error": {"message": "gone"}}]},
        "server",
        "gone",
    ),
    "on the delta": (
        {"choices": [{"index": 0, "delta": {"content": "", "error": {"code": 503, "message": "no slot"}}}]},
        "server",
        "no slot",
    ),
    "on the choice, a filter": (
        _on_choice(error={"code": 403, "message": "Input was flagged by moderation"}),
        "refused",
        "flagged",
    ),
    "Anthropic": (
        {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}},
        "server",
        "Overloaded",
    ),
    "Tencent": (
        {
            "Response": {
                "Error": {"Code": "LimitExceeded.Rate", "Message": "request rate limit exceeded"},
                "RequestId": "r",
            }
        },
        "rate_limit",
        "rate limit",
    ),
    "Volcengine": (
        {"ResponseMetadata": {"RequestId": "r", "Error": {"Code": "Busy", "Message": "server is busy"}}},
        "server",
        "busy",
    ),
    "Spark": (
        {"header": {"code": 11202, "message": "AppIdQpsOverFlowError: qps limit", "sid": "s"}},
        "rate_limit",
        "qps",
    ),
    "Spark, flat": (
        {"code": 10013, "message": "input content contains sensitive information", "sid": "s"},
        "refused",
        "sensitive",
    ),
    "Cloudflare": (
        {
            "result": None,
            "success": False,
            "errors": [{"code": 3040, "message": "Capacity temporarily exceeded"}],
            "messages": [],
        },
        "server",
        "Capacity",
    ),
    "AWS": ({"Message": "Endpoint request timed out"}, "server", "timed out"),
    "AWS, a type": ({"__type": "ThrottlingException", "message": None}, "rate_limit", "ThrottlingException"),
    "AWS, Lambda": (
        {"errorType": "Runtime.ExitError", "errorMessage": "RequestId: x exited"},
        "server",
        "exited",
    ),
    "OAuth": (
        {"error": "invalid_token", "error_description": "API key is invalid"},
        "auth",
        "API key is invalid",
    ),
    "a status in words": ({"status": "error", "reason": "no worker"}, "server", "no worker"),
    "a retcode": ({"retcode": 1301, "retmsg": "账户余额不足"}, "refused", "余额"),
    "a return code": ({"ret": -1, "errMsg": "系统繁忙"}, "server", "系统繁忙"),
    "FastAPI, an object": (
        {"detail": {"error": "context_length_exceeded", "message": OVERFLOW}},
        "overflow",
        "8192",
    ),
    "gRPC": ({"status": {"code": 8, "message": "quota of requests: rate limit"}}, "rate_limit", "rate limit"),
    "an object of the data": ({"code": 500, "data": {"error_msg": "worker died"}}, "server", "worker died"),
    "MiniMax, beside an empty answer": (
        {
            "choices": [],
            "input_sensitive": True,
            "base_resp": {"status_code": 1026, "status_msg": "input new_sensitive"},
        },
        "refused",
        "sensitive",
    ),
    "MiniMax, words alone": (
        {"choices": None, "base_resp": {"status_msg": "insufficient balance"}},
        "refused",
        "balance",
    ),
    "MiniMax in camel case": (
        {"choices": None, "baseResp": {"statusCode": 1008, "statusMsg": "insufficient balance"}},
        "refused",
        "balance",
    ),
    "MiniMax, a limit of the plan": (
        {"choices": None, "base_resp": {"status_code": 2056, "status_msg": "usage limit exceeded"}},
        "rate_limit",
        "usage limit",
    ),
    "an exception": ({"exception": "CUDA out of memory"}, "server", "CUDA"),
    "err": ({"err": "no slot"}, "server", "no slot"),
    "a text under errors": ({"errors": "worker died"}, "server", "worker died"),
    "unknown names": ({"ergebnis": None, "hinweis": "余额不足"}, "refused", "余额"),
}


def _errors() -> Iterator[Form]:
    for name, (body, kind, told) in ERRORS.items():
        yield from in_place_of_answer(name, body, kind=kind, error_text=told)
    yield whole(
        "unknown names that say nothing", {"ergebnis": 7}, kind="malformed", error_text='“{"ergebnis": 7}”'
    )
    for name, error_beside in {
        "empty": {},
        "empty fields": {"code": None, "message": "", "type": ""},
        "false": False,
        "0": 0,
        "an empty text": "",
        "an empty list": [],
    }.items():
        yield whole(
            f"an error that is {name}, beside an answer",
            {**completion("Hello"), "error": error_beside},
            text="Hello",
        )
        yield stream(
            f"an error that is {name}, beside pieces",
            {**piece("stop", content="Hello"), "error": error_beside},
            DONE_LINE,
            text="Hello",
        )
    on_choice = message_of(content="Hello")["choices"][0] | {"error": {"code": None, "message": ""}}
    yield whole("an empty error on the choice", {"choices": [on_choice]}, text="Hello")


# What keeps a line alive.

LAST = piece("stop", content="o")
ALIVE = {
    "a ping as an object": 'data: {"type": "ping"}\n\n',
    "a heartbeat with a message": 'data: {"type": "heartbeat", "message": "still working"}\n\n',
    "a heartbeat under event": 'data: {"event": "heartbeat", "data": {}}\n\n',
    "a status": 'data: {"status": "processing", "message": "processing"}\n\n',
    "a message alone": 'data: {"message": "ping"}\n\n',
    "an object that says so": 'data: {"object": "chat.completion.keepalive"}\n\n',
    "a flag": 'data: {"keepalive": true}\n\n',
    "a ping's time": 'data: {"ping": 1732612800}\n\n',
    "a ping as a JSON text": 'data: "ping"\n\n',
    "a number": "data: 1\n\n",
    "true": "data: true\n\n",
    "dots": "data: ...\n\n",
    "a dash": "data: -\n\n",
    "heartbeat as data": "data: heartbeat\n\n",
    "alive as data": "data: alive\n\n",
    "noop as data": "data: [NOOP]\n\n",
    "capitals": "data: [KEEP_ALIVE]\n\n",
    "an event with a message": 'event: ping\ndata: {"type": "ping", "message": "hold on"}\n\n',
    "an event of another name": 'event: keep_alive_ping\ndata: {"message": "hold on"}\n\n',
    "a place in the queue as an object": 'event: queue\ndata: {"position": 3, "message": "3 before you"}\n\n',
    "a queued object": 'data: {"status": "queued", "position": 3}\n\n',
    "a comment with a BOM": "\ufeff: alive\n\n",
    "a comment without a blank": ":OPENROUTER PROCESSING\n\n",
    "a comment as data without a blank": "data::keepalive\n\n",
    "an event without data": "event: ping\n\n",
    "a word on a line": "ping\n\n",
}


def _alive() -> Iterator[Form]:
    answer = json.dumps(completion("Hello"))
    for name, kept in ALIVE.items():
        yield stream(
            f"alive by {name}", kept, piece(content="Hell"), kept, LAST, kept, DONE_LINE, text="Hello"
        )
        yield stream(f"a whole object after {name}", kept, kept, answer, text="Hello")
        yield stream(
            f"an error after {name}",
            kept,
            kept,
            json.dumps({"error": {"message": OVERFLOW}}),
            kind="overflow",
        )
    yield whole("comments before an object, declared as JSON", f": a\n\n: b\n\n{answer}", text="Hello")
    yield whole("comments on CR LF before an object", f": a\r\n\r\n: b\r\n\r\n{answer}\r\n", text="Hello")
    yield whole(
        "blank lines before an error",
        '\n\n\n{"error": {"message": "no", "code": 429}}',
        kind="rate_limit",
        error_text="no",
    )
    yield stream(
        "a page after comments",
        ": a\n\n",
        "<html><title>502 Bad Gateway</title></html>",
        kind="server",
        error_text="502 Bad Gateway",
    )
    yield stream(
        "words after comments",
        ": a\n\n",
        "upstream request timeout",
        kind="server",
        error_text="upstream request timeout",
    )
    bom = "\ufeff"
    yield stream(
        "a BOM before each event",
        *(f"{bom}data: {json.dumps(one)}\n\n" for one in (piece(content="Hell"), LAST)),
        DONE_LINE,
        text="Hello",
    )
    yield stream(
        "a BOM before each object",
        *(f"data: {bom}{json.dumps(one)}\n\n" for one in (piece(content="Hell"), LAST)),
        DONE_LINE,
        text="Hello",
    )
    yield stream(
        "a BOM before a comment", f"{bom}: a\n\n", piece(content="Hell"), LAST, DONE_LINE, text="Hello"
    )
    yield stream(
        "a BOM on a line of its own", f"{bom}\n", piece(content="Hell"), LAST, DONE_LINE, text="Hello"
    )
    yield stream(
        "a BOM before the name of an event",
        f"{bom}event: error\ndata: upstream died\n\n",
        kind="server",
        error_text="died",
    )
    yield stream("a BOM before an object after comments", ": a\n\n", bom + answer, text="Hello")
    yield stream("a BOM before the end", piece(content="Hello"), f"data: {bom}[DONE]\n\n", text="Hello")
    yield whole("a BOM and blanks before an object", f"{bom}\n  {answer}", text="Hello")
    yield whole(
        "a BOM before an error with 200",
        bom + '{"error": {"message": "no", "code": 429}}',
        kind="rate_limit",
        error_text="no",
    )
    yield error(
        "a BOM before a page",
        503,
        "server",
        f"{bom}<html><title>Busy</title></html>".encode(),
        error_text="titled “Busy”",
    )


# Thoughts, and last chunks that hold everything.

THOUGHTS = {
    "reasoning": ("<reasoning>a</reasoning>Hello", "a", "Hello"),
    "reason": ("<reason>a</reason>Hello", "a", "Hello"),
    "an attribute": ('<think time="2s">a</think>Hello', "a", "Hello"),
    "a blank in the mark": ("<think >a</think >Hello", "a", "Hello"),
    "one within another": ("<think>a<think>b</think>c</think>Hello", "a<think>b\n\nc", "Hello"),
    "closed twice": ("<think>a</think>\n</think>\n\nHello", "a", "Hello"),
    "three blocks": (
        "One.<think>a</think> Two.<think>b</think> Three.<think>c</think>",
        "a\n\nb\n\nc",
        "One. Two. Three.",
    ),
    "the last one open": ("<think>a</think>Hello\n<think>b", "a\n\nb", "Hello\n"),
    "two forms": ("<think>a</think>Hello<thinking>b</thinking>!", "a\n\nb", "Hello!"),
    "a solution's marks (OpenThoughts)": (
        "<|begin_of_thought|>a<|end_of_thought|>\n\n<|begin_of_solution|>Hello<|end_of_solution|>",
        "a",
        "Hello",
    ),
    "in a list": ("- One\n- <think>a</think>Two", "a", "- One\n- Two"),
    "in a quote": ("> <think>a</think>\nHello", "a", "> \nHello"),
    "in a tilde fence": ("~~~\n<think>\n~~~\nHello", "", "~~~\n<think>\n~~~\nHello"),
    "in two backticks": ("Write ``<think>`` first.", "", "Write ``<think>`` first."),
    "an escaped mark": ("Write \\<think> first.", "", "Write \\<think> first."),
    "a mention within": ("<think>the tag <think> opens</think>Hello", "the tag <think> opens", "Hello"),
}


def _thoughts() -> Iterator[Form]:
    for name, (content, thought, text) in THOUGHTS.items():
        found = {"thought": thought, "text": text}
        yield whole(f"thoughts, {name}, whole", completion(content), **found)
        letters = (piece(content=letter) for letter in content)
        yield stream(f"thoughts, {name}, in letters", *letters, piece("stop"), DONE_LINE, **found)


PARTS = ("We take the train ", "to Suzhou at nine, ", "and stay two nights.")
ALL = "".join(PARTS)
IN_PARTS = tuple(piece(content=part) for part in PARTS)


def _last() -> Iterator[Form]:
    for name, last in {
        "as a delta": piece("stop", content=ALL),
        "as a delta and as a message": {
            "choices": [{**message_of(content=ALL)["choices"][0], "delta": {"content": ALL}}]
        },
        "as a message beside a null delta": {
            "choices": [{**message_of(content=ALL)["choices"][0], "delta": None}]
        },
        "as a message in parts": message_of(content=[{"type": "text", "text": ALL}]),
        "as a completion": completion(ALL),
        "as a message without a role": {
            "choices": [{"index": 0, "message": {"content": ALL}, "finish_reason": "stop"}]
        },
        "as a message that ends in a newline": message_of(content=f"{ALL}\n"),
        "as a message of a choice without a number": {
            "choices": [{"message": {"content": ALL}, "finish_reason": "stop"}]
        },
        "as a text": {"choices": [{"index": 0, "text": ALL, "finish_reason": "stop"}]},
    }.items():
        text = f"{ALL}\n" if "newline" in name else ALL
        yield stream(f"the last chunk holds all {name}", *IN_PARTS, last, usage(10, 5), DONE_LINE, text=text)
    thoughtful = (piece(reasoning_content=part) for part in PARTS)
    last = {
        "choices": [{"index": 0, "delta": {"content": "", "reasoning_content": ALL}, "finish_reason": "stop"}]
    }
    yield stream(
        "the last chunk holds all thoughts",
        *thoughtful,
        piece(content="Hello"),
        last,
        DONE_LINE,
        text="Hello",
        thought=ALL,
    )
    yield stream(
        "a reason, and then the whole message",
        *IN_PARTS,
        piece("stop"),
        message_of(content=ALL),
        DONE_LINE,
        text=ALL,
    )
    yield stream(
        "the whole message, and then figures",
        *IN_PARTS,
        message_of(content=ALL),
        usage(10, 5),
        DONE_LINE,
        text=ALL,
    )
    yield stream(
        "words that a model says twice",
        piece(content="no "),
        piece("stop", content="no "),
        DONE_LINE,
        text="no no ",
    )


# Statuses that pass, and remedies that fit.

STATUSES = [
    *(
        error(f"status {status}", status, "server", "x")
        for status in (444, 449, 460, 502, 504, 520, 522, 524, 530, 598)
    ),
    error("status 420", 420, "rate_limit", "Enhance your calm"),
    *(error(f"status {status}", status, "not_found", "x", helps="address") for status in (405, 410)),
    error(
        "IP addresses",
        403,
        "refused",
        "Your IP address 1.2.3.4 is not in the allowlist",
        helps="let this machine in",
    ),
    error("IP addresses in Chinese", 403, "refused", "IP 不在白名单中", helps="let this machine in"),
    error(
        "terms",
        400,
        "refused",
        "The model `m` requires terms acceptance. Please accept the terms.",
        helps="terms",
    ),
    error(
        "a gated model",
        403,
        "refused",
        "Access to model m is restricted. Cannot access gated repo.",
        helps="terms",
    ),
    error(
        "a model that is gone",
        400,
        "not_found",
        "The model `m` has been decommissioned and is no longer supported.",
        helps="model's name",
    ),
    error(
        "a model that is retired", 404, "not_found", "The model m has been deprecated", helps="model's name"
    ),
    error(
        "tools, not enabled",
        404,
        "refused",
        "Function calling is not enabled for this model",
        helps="text protocol",
    ),
    error(
        "tools, unknown field",
        422,
        "refused",
        {"detail": [{"loc": ["body", "tools"], "msg": "Extra inputs are not permitted"}]},
        helps="text protocol",
    ),
    error(
        "tools, unknown argument",
        400,
        "refused",
        "Unrecognized request argument supplied: tools",
        helps="text protocol",
    ),
    error(
        "tools, unsupported parameter",
        400,
        "refused",
        "Unsupported parameter: 'tools' is not supported with this model.",
        helps="text protocol",
    ),
    error("tools, in Chinese", 400, "refused", "当前模型不支持 tools 参数", helps="text protocol"),
    error(
        "tools, and the parameters of a provider",
        404,
        "refused",
        "No endpoints found that can handle the requested parameters.",
        helps="test the endpoint",
    ),
    error(
        "Doubao's filter",
        400,
        "refused",
        {"error": {"code": "InputTextSensitiveContentDetected", "message": "x"}},
        helps="content filter",
    ),
    error(
        "Azure's policy",
        400,
        "refused",
        {"error": {"message": "x", "innererror": {"code": "ResponsibleAIPolicyViolation"}}},
        helps="content filter",
    ),
    error(
        "xAI's filter",
        403,
        "refused",
        "Content violates usage guidelines. Failed check: SAFETY_CHECK",
        helps="content filter",
    ),
    error(
        "a filter with 451", 451, "refused", "Request blocked by the safety system", helps="content filter"
    ),
    error(
        "a region with 451", 451, "refused", "Unavailable in your country for legal reasons", helps="region"
    ),
    error(
        "no key at all", 401, "auth", "Missing Authentication header", helps="Name the environment variable"
    ),
    error(
        "a key without rights",
        403,
        "auth",
        "You have insufficient permissions. Missing scopes: model.request",
        helps="Name the environment variable",
    ),
]

MORE_FORMS = [*LIMITS, *CALLS, *_finishes(), *_errors(), *_alive(), *_thoughts(), *_last(), *STATUSES]
