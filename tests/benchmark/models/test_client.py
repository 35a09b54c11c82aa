"""One attempt over a real socket: answers whole and in pieces, and everything that goes wrong."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from email.utils import formatdate
from typing import Any

import pytest

from benchmark.models import ChatRequest, Delta, ModelFailure, ModelSetup, Reply, RequestedCall, Usage
from benchmark.models.client import ModelClient
from tests.benchmark.models.conftest import KEY
from tests.benchmark.models.server import Exchange, Server, completion, piece, says, streams, usage

Setups = Callable[..., ModelSetup]


async def _answer(setup: ModelSetup, request: ChatRequest, told: Any = None) -> Reply:
    client = ModelClient(setup)
    try:
        return await client.answer(request, told)
    finally:
        await client.close()


async def _failure(setup: ModelSetup, request: ChatRequest) -> ModelFailure:
    with pytest.raises(ModelFailure) as caught:
        await _answer(setup, request)
    assert KEY not in str(caught.value)
    return caught.value


async def test_a_stream_becomes_one_reply(server: Server, setup_for: Setups, question: ChatRequest) -> None:
    server.script = streams(
        piece(role="assistant", content=""),
        piece(reasoning_content="想一"),
        piece(reasoning_content="想"),
        piece(content="去"),
        piece(content="杭州"),
        piece("stop"),
        usage(
            11,
            5,
            prompt_tokens_details={"cached_tokens": 4},
            completion_tokens_details={"reasoning_tokens": 2},
        ),
        "[DONE]",
    )
    told: list[Delta] = []
    reply = await _answer(setup_for(), question, told.append)
    assert (reply.text, reply.reasoning, reply.finish_reason) == ("去杭州", "想一想", "stop")
    assert reply.usage == Usage(11, 5, cached=4, reasoning=2)
    assert reply.model == "served"
    assert reply.first_ms is not None and 0 < reply.first_ms <= reply.latency_ms
    assert told == [
        Delta("reasoning", "想一"),
        Delta("reasoning", "想"),
        Delta("text", "去"),
        Delta("text", "杭州"),
    ]
    sent = server.exchanges[0]
    assert sent.path == "/v1/chat/completions" and sent.headers["authorization"] == f"Bearer {KEY}"
    assert sent.body["stream"] is True and sent.body["stream_options"] == {"include_usage": True}


async def test_a_whole_answer(server: Server, setup_for: Setups, question: ChatRequest) -> None:
    server.script = says(completion("<think>嗯</think>\n\n好"))
    reply = await _answer(setup_for(streams=False), question)
    assert (reply.text, reply.reasoning, reply.usage) == ("好", "嗯", Usage(7, 3))
    assert reply.first_ms is None
    assert "stream" not in server.exchanges[0].body


async def test_a_server_that_ignores_the_wish_for_a_stream(
    server: Server, setup_for: Setups, question: ChatRequest
) -> None:
    server.script = says(json.dumps(completion(), indent=2))
    reply = await _answer(setup_for(), question)
    assert (reply.text, reply.first_ms) == ("好的", None)


async def test_calls_in_a_stream(server: Server, setup_for: Setups, question: ChatRequest) -> None:
    def call(index: int, **function: str) -> dict[str, Any]:
        return {"index": index, **({"id": f"c{index}"} if "name" in function else {}), "function": function}

    server.script = streams(
        piece(tool_calls=[call(0, name="search", arguments="")]),
        piece(tool_calls=[call(0, arguments='{"q": ')]),
        piece(tool_calls=[call(1, name="route", arguments="{")]),
        piece(tool_calls=[call(0, arguments='"面"}'), call(1, arguments='"a"')]),
        piece("tool_calls"),
        "[DONE]",
    )
    reply = await _answer(setup_for(), question)
    assert reply.calls == (RequestedCall("c0", "search", '{"q": "面"}'), RequestedCall("c1", "route", '{"a"'))
    assert reply.finish_reason == "tool_calls"


async def test_comments_other_fields_and_separators_inside_texts_do_no_harm(
    server: Server, setup_for: Setups, question: ChatRequest
) -> None:
    async def script(exchange: Exchange) -> None:
        await exchange.open_stream()
        chunk = json.dumps(piece(content="一\u2028二\x85三"), ensure_ascii=False)
        raw = f": keep-alive\r\n\r\nevent: message\r\nid: 1\r\ndata:{chunk}\r\n\r\n".encode()
        for at in range(len(raw)):
            await exchange.send(raw[at : at + 1])
        await exchange.event(piece("stop"))
        await exchange.event("[DONE]")

    server.script = script
    assert (await _answer(setup_for(), question)).text == "一\u2028二\x85三"


async def test_a_stream_without_its_end_is_cut(
    server: Server, setup_for: Setups, question: ChatRequest
) -> None:
    server.script = streams(piece(content="去杭"))
    failure = await _failure(setup_for(), question)
    assert (failure.kind, failure.answering, failure.retryable) == ("cut", True, True)

    async def only_alive(exchange: Exchange) -> None:
        await exchange.open_stream()
        await exchange.send(": alive\n\n")

    server.script = only_alive
    assert (await _failure(setup_for(), question)).kind == "cut"


async def test_a_connection_that_breaks_inside_a_chunked_stream_is_cut(
    server: Server, setup_for: Setups, question: ChatRequest
) -> None:
    async def script(exchange: Exchange) -> None:
        await exchange.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n40\r\ndata: {")
        exchange.writer.transport.abort()

    server.script = script
    failure = await _failure(setup_for(), question)
    assert (failure.kind, failure.answering) == ("cut", True)


async def test_a_finish_reason_or_done_alone_ends_an_answer(
    server: Server, setup_for: Setups, question: ChatRequest
) -> None:
    server.script = streams(piece(content="好"), piece("stop"))
    assert (await _answer(setup_for(), question)).text == "好"
    server.script = streams(piece(content="好"), "[DONE]")
    assert (await _answer(setup_for(), question)).finish_reason == "stop"


async def test_an_answer_that_the_server_gave_up_is_cut(
    server: Server, setup_for: Setups, question: ChatRequest
) -> None:
    server.script = streams(piece(content="去杭"), piece("insufficient_system_resource"), "[DONE]")
    failure = await _failure(setup_for(), question)
    assert (failure.kind, failure.answering) == ("cut", True)


async def test_a_server_that_keeps_the_connection_open_after_the_end_holds_nobody_up(
    server: Server, setup_for: Setups, question: ChatRequest
) -> None:
    async def script(exchange: Exchange) -> None:
        await exchange.open_stream()
        for event in (piece("stop", content="好"), usage(3, 1), "[DONE]"):
            await exchange.event(event)
        await asyncio.sleep(4)

    server.script = script
    begun = time.monotonic()
    reply = await _answer(setup_for(), question)
    assert (reply.text, reply.usage) == ("好", Usage(3, 1))
    assert time.monotonic() - begun < 2


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ({"error": {"message": "Rate limit reached", "code": "rate_limit_exceeded"}}, "rate_limit"),
        ({"error": {"message": "overloaded", "type": "overloaded_error"}}, "server"),
        ({"error": {"message": "busy", "code": 429}}, "rate_limit"),
        (
            {"object": "error", "message": "This model's maximum context length is 8192", "code": 400},
            "overflow",
        ),
        ({"error": "something broke"}, "server"),
        ({"code": "Throttling", "message": "slow down", "request_id": "1"}, "rate_limit"),
    ],
)
async def test_an_error_inside_a_stream(
    server: Server, setup_for: Setups, question: ChatRequest, error: dict[str, Any], kind: str
) -> None:
    server.script = streams(piece(content="去"), error)
    failure = await _failure(setup_for(), question)
    assert (failure.kind, failure.answering) == (kind, True)


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (401, {"error": {"message": f"Incorrect API key provided: {KEY}"}}, "auth"),
        (403, {"error": {"message": "no"}}, "auth"),
        (400, [{"error": {"code": 400, "message": "API key not valid."}}], "auth"),
        (404, {"error": {"message": "The model `x` does not exist", "code": "model_not_found"}}, "not_found"),
        (404, "<!DOCTYPE html><title>Nothing here</title>", "not_found"),
        (400, {"error": {"message": "Model x does not exist"}}, "not_found"),
        (400, {"error": {"message": "temperature must be 1"}}, "refused"),
        (402, {"error": {"message": "Insufficient Balance"}}, "refused"),
        (
            429,
            {"error": {"message": "You exceeded your current quota", "code": "insufficient_quota"}},
            "refused",
        ),
        (429, {"error": {"message": "slow down"}}, "rate_limit"),
        (408, "", "server"),
        (409, {"message": "conflict"}, "server"),
        (500, "oops", "server"),
        (503, {"detail": "loading the model"}, "server"),
        (413, {"error": {"message": "too large"}}, "overflow"),
        (304, "", "not_found"),
    ],
)
async def test_statuses(
    server: Server, setup_for: Setups, question: ChatRequest, status: int, body: Any, kind: str
) -> None:
    server.script = says(body, status)
    failure = await _failure(setup_for(), question)
    assert (failure.kind, failure.status, failure.answering) == (kind, status, False)
    assert failure.latency_ms > 0
    assert all(part in str(failure) for part in ("本地", server.url, "m-1"))


@pytest.mark.parametrize(
    "words",
    [
        "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens.",
        "The decoder prompt (length 9000) is longer than the maximum model length of 8192.",
        "The input (9000 tokens) is longer than the model's context length (8192 tokens).",
        "the request exceeds the available context size. try increasing the context size",
        "<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 30720]",
        "prompt is too long: 213462 tokens > 200000 maximum",
        "input length and `max_tokens` exceed context limit: 199759 + 8192 > 200000",
        "the input length exceeds the context length",
        "Your input exceeds the context window of this model",
        "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575)",
        "Invalid request: Your request exceeded model token limit: 8192",
        "Please reduce the length of the messages or completion.",
        "Prompt 超长",
    ],
)
@pytest.mark.parametrize("status", [400, 500])
async def test_the_context_limit_in_the_words_of_many_servers(
    server: Server, setup_for: Setups, question: ChatRequest, words: str, status: int
) -> None:
    server.script = says({"error": {"message": words}}, status)
    failure = await _failure(setup_for(), question)
    assert (failure.kind, failure.retryable) == ("overflow", False)
    assert "longer context" in str(failure)


@pytest.mark.parametrize(
    ("prompt", "completion", "settings"),
    [
        (32, 992, {}),  # llama.cpp with -c 1024, by itself
        (4090, 6, {"context_limit": 4096}),
        (4090, 0, {}),
        (100, 900, {"context_limit": 1000, "max_tokens": 900}),
    ],
)
@pytest.mark.parametrize("said", [{}, {"content": "去杭州"}])
async def test_a_context_that_fills_while_answering_is_an_overflow(
    server: Server,
    setup_for: Setups,
    question: ChatRequest,
    prompt: int,
    completion: int,
    settings: dict[str, Any],
    said: dict[str, str],
) -> None:
    server.script = streams(piece("length", **said), usage(prompt, completion))
    failure = await _failure(setup_for(**settings), question)
    assert (failure.kind, failure.retryable, failure.usage) == ("overflow", False, Usage(prompt, completion))
    for switch in ("llama-server -c", "num_ctx", "--max-model-len"):
        assert switch in str(failure)


@pytest.mark.parametrize(
    ("events", "settings"),
    [
        ([usage(32, 992)], {"max_tokens": 992}),
        ([usage(32, 950)], {"max_tokens": 992, "context_limit": 4096}),
        ([usage(0, 0)], {}),
        ([usage(32, 100, completion_tokens_details={"reasoning_tokens": 900})], {"max_tokens": 1000}),
        ([], {"context_limit": 4096}),
    ],
)
async def test_an_answer_as_long_as_it_may_be_is_no_overflow(
    server: Server,
    setup_for: Setups,
    question: ChatRequest,
    events: list[dict[str, Any]],
    settings: dict[str, Any],
) -> None:
    server.script = streams(piece("length", content="去杭州"), *events)
    assert (await _answer(setup_for(**settings), question)).finish_reason == "length"


@pytest.mark.parametrize(("thoughts", "counted"), [(0, 100), (100, 100), (101, 201)])
async def test_thoughts_that_are_counted_apart_are_part_of_the_answer(
    server: Server, setup_for: Setups, question: ChatRequest, thoughts: int, counted: int
) -> None:
    figures = usage(7, 100, completion_tokens_details={"reasoning_tokens": thoughts})
    server.script = streams(piece("stop", content="好"), figures)
    assert (await _answer(setup_for(), question)).usage == Usage(7, counted, reasoning=thoughts)


@pytest.mark.parametrize("reason", ["content_filter", "SAFETY", "sensitive"])
async def test_what_a_content_filter_left_of_an_answer_is_no_answer(
    server: Server, setup_for: Setups, question: ChatRequest, reason: str
) -> None:
    server.script = streams(piece(content="我们先去"), piece(reason), usage(20, 3))
    failure = await _failure(setup_for(), question)
    assert (failure.kind, failure.usage) == ("filtered", Usage(20, 3))
    assert "content filter" in str(failure)


@pytest.mark.parametrize(
    ("words", "seconds"),
    [
        ("Try again in 20 seconds.", 20),
        ("No deployments available for selected model, Try again in 5 seconds. Passed model=x", 5),
        ("Limit 30, Used 30. Please try again in 1.2s. Visit …", 1.2),
        ("Please try again in 7m12.5s.", 432.5),
        ("Please retry in 120ms", 0.12),
        ("retry after 2 minutes", 120),
        ("please try again in a moment", None),
        (f"please try again in {'9' * 400} s", None),
        ("try again, in room 5", None),
    ],
)
@pytest.mark.parametrize("status", [429, 503])
async def test_a_pause_asked_for_in_words(
    server: Server, setup_for: Setups, question: ChatRequest, words: str, seconds: float | None, status: int
) -> None:
    server.script = says({"error": {"message": words}}, status)
    assert (await _failure(setup_for(), question)).retry_after_s == pytest.approx(seconds)
    server.script = says({"error": {"message": words}}, status, Retry_After="3")
    assert (await _failure(setup_for(), question)).retry_after_s == 3


async def test_the_gateways_words_for_a_wrong_model_have_a_remedy(
    server: Server, setup_for: Setups, question: ChatRequest
) -> None:
    words = "/chat/completions: Invalid model name passed in model=m-1. Call `/v1/models` to view models"
    server.script = says({"error": {"message": words, "type": "None", "param": "None", "code": "400"}}, 400)
    failure = await _failure(setup_for(), question)
    assert failure.kind == "not_found" and "Check the model's name" in str(failure)


def _endless_words(count: int) -> list[Any]:
    return [piece(content="好" * 10_000) for _ in range(count)]


@pytest.mark.parametrize(
    "script",
    [
        streams(*_endless_words(40), piece("stop"), "[DONE]"),
        streams(*[piece(reasoning_content="x" * 100_000) for _ in range(11)], piece("stop"), "[DONE]"),
        says(completion("好" * 400_000)),
        says(" " * 9_000_000 + "{}"),
        streams("x" * 9_000_000),
        streams(piece(tool_calls=[{"index": 0, "id": "x" * 1_100_000}]), piece("stop"), "[DONE]"),
    ],
    ids=["pieces", "thoughts", "whole", "no JSON", "one line", "an id"],
)
async def test_an_answer_is_read_up_to_a_megabyte_and_that_is_said(
    server: Server, setup_for: Setups, question: ChatRequest, script: Any
) -> None:
    server.script = script
    failure = await _failure(setup_for(), question)
    assert failure.kind == "oversized" and "longer than 1,000,000 bytes" in str(failure)
    assert "Lower the endpoint's maximum output" in str(failure)


async def test_an_answer_just_below_a_megabyte_is_whole(
    server: Server, setup_for: Setups, question: ChatRequest
) -> None:
    server.script = streams(*_endless_words(33), piece("stop"), "[DONE]")
    assert len((await _answer(setup_for(), question)).text) == 330_000


async def test_names_in_an_answer_are_kept_short(
    server: Server, setup_for: Setups, question: ChatRequest
) -> None:
    server.script = says({**completion(finish="f" * 5_000_000), "model": "m" * 2_000_000})
    reply = await _answer(setup_for(), question)
    assert (reply.model, reply.finish_reason) == ("m" * 200, "f" * 200)


@pytest.mark.parametrize("depth", [900, 960, 985, 100_000])
@pytest.mark.parametrize("status", [200, 500])
@pytest.mark.parametrize("bare", [True, False])
async def test_json_nested_too_deeply_is_told_as_any_other(
    server: Server, setup_for: Setups, question: ChatRequest, depth: int, status: int, bare: bool
) -> None:
    deep = "[" * depth + "]" * depth
    server.script = says(deep if bare else f'{{"error": {{"x": {deep}}}}}', status)
    assert (await _failure(setup_for(), question)).kind in ("malformed", "server")


async def test_without_the_key_nothing_is_sent(
    server: Server, setup_for: Setups, question: ChatRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NOBODYS_API_KEY", raising=False)
    failure = await _failure(setup_for(key_variable="NOBODYS_API_KEY"), question)
    assert (failure.kind, failure.retryable, server.connections) == ("no_key", True, 0)
    assert "NOBODYS_API_KEY" in str(failure)


@pytest.mark.parametrize(
    ("headers", "least", "most"),
    [
        ({"Retry_After": "7"}, 7, 7),
        ({"Retry_After": "1.5"}, 1.5, 1.5),
        ({"retry_after_ms": "250", "Retry_After": "9"}, 0.25, 0.25),
        ({"Retry_After": 3600}, 3000, 3601),
        ({"Retry_After": -60}, 0, 0),
        ({"Retry_After": "soon"}, None, None),
        ({"Retry_After": "-3"}, None, None),
        ({}, None, None),
    ],
)
async def test_retry_after(
    server: Server, setup_for: Setups, question: ChatRequest, headers: dict[str, Any], least: Any, most: Any
) -> None:
    """A number stands for the date that is so many seconds from now."""
    given = {
        name: formatdate(time.time() + value, usegmt=True) if isinstance(value, int) else value
        for name, value in headers.items()
    }
    server.script = says({"error": {"message": "slow down"}}, 429, **given)
    asked = (await _failure(setup_for(), question)).retry_after_s
    assert (asked is None) if least is None else (asked is not None and least <= asked <= most)


@pytest.mark.parametrize(
    ("body", "kind", "names"),
    [
        ("<html><head><title>Sign in</title></head></html>", "text/html", "HTML page titled “Sign in”"),
        ("hello", "text/plain", "“hello”"),
        ("", "application/json", "empty"),
        ("[1, 2]", "application/json", "no object"),
        (
            '{"object": "list", "data": []}',
            "application/json",
            'without choices “{"object": "list", "data": []}”',
        ),
        ('{"choices": []}', "application/json", "without choices"),
    ],
)
@pytest.mark.parametrize("streaming", [True, False])
async def test_what_is_no_chat_completion(
    server: Server,
    setup_for: Setups,
    question: ChatRequest,
    body: str,
    kind: str,
    names: str,
    streaming: bool,
) -> None:
    server.script = says(body, kind=kind)
    failure = await _failure(setup_for(streams=streaming), question)
    assert failure.kind == "malformed" and names in str(failure) and "/v1" in str(failure)


async def test_a_piece_that_is_no_json(server: Server, setup_for: Setups, question: ChatRequest) -> None:
    server.script = streams(piece(content="去"), '{"choices": [')
    failure = await _failure(setup_for(), question)
    assert (failure.kind, failure.answering) == ("malformed", True)


async def test_a_slow_first_byte_is_a_timeout(
    server: Server, setup_for: Setups, question: ChatRequest
) -> None:
    server.script = lambda exchange: asyncio.sleep(3)
    failure = await _failure(setup_for(timeout_s=0.2), question)
    assert (failure.kind, failure.answering) == ("timeout", False) and "0.2 s" in str(failure)


async def test_silence_in_the_middle_is_a_timeout(
    server: Server, setup_for: Setups, question: ChatRequest
) -> None:
    async def script(exchange: Exchange) -> None:
        await exchange.open_stream()
        await exchange.event(piece(content="去"))
        await asyncio.sleep(3)

    server.script = script
    failure = await _failure(setup_for(timeout_s=0.2), question)
    assert (failure.kind, failure.answering) == ("timeout", True)


async def test_dribbling_ends_at_the_deadline(
    server: Server, setup_for: Setups, question: ChatRequest
) -> None:
    async def script(exchange: Exchange) -> None:
        await exchange.open_stream()
        for _ in range(100):
            await exchange.send(": still here\n\n")
            await asyncio.sleep(0.03)

    server.script = script
    begun = time.monotonic()
    failure = await _failure(setup_for(timeout_s=1, deadline_s=0.3), question)
    assert (failure.kind, failure.answering) == ("timeout", True) and "0.3 s" in str(failure)
    assert time.monotonic() - begun < 1


async def test_nobody_listens(setup_for: Setups, question: ChatRequest) -> None:
    failure = await _failure(setup_for(base_url="http://127.0.0.1:9/v1"), question)
    assert (failure.kind, failure.answering) == ("connection", False)
    assert "Is the server running" in str(failure)


async def test_a_connection_closed_without_a_word(
    server: Server, setup_for: Setups, question: ChatRequest
) -> None:
    async def script(exchange: Exchange) -> None:
        exchange.writer.close()

    server.script = script
    failure = await _failure(setup_for(), question)
    assert (failure.kind, failure.answering) == ("closed", False)
    assert "Is the server running" not in str(failure)


async def test_a_reused_connection_that_the_server_had_closed(
    server: Server, setup_for: Setups, question: ChatRequest
) -> None:
    async def script(exchange: Exchange) -> None:
        if len(server.exchanges) == 2:
            return exchange.writer.close()
        return await exchange.respond(200, json.dumps(completion()))

    server.script = script
    client = ModelClient(setup_for(streams=False))
    assert (await client.answer(question)).text == "好的"
    with pytest.raises(ModelFailure) as caught:
        await client.answer(question)
    assert caught.value.kind == "closed"
    assert (await client.answer(question)).text == "好的"
    assert server.connections == 2
    await client.close()


async def test_an_address_that_cannot_be_asked(setup_for: Setups, question: ChatRequest) -> None:
    assert (await _failure(setup_for(base_url="http://ａ/v1"), question)).kind == "connection"
    for url in ("http://127.0.0.1:99999/v1", "http://a b/v1", f"http://host/v1?api_key={KEY}"):
        with pytest.raises(ValueError, match="address") as refused:
            setup_for(base_url=url)
        assert url not in str(refused.value) and KEY not in str(refused.value)


@pytest.mark.parametrize("figure", [10**18, -1, True, "7", None])
@pytest.mark.parametrize("name", ["prompt_tokens", "completion_tokens"])
async def test_figures_that_can_be_no_count_are_no_usage(
    server: Server, setup_for: Setups, question: ChatRequest, name: str, figure: Any
) -> None:
    figures = {"prompt_tokens": 7, "completion_tokens": 3, name: figure}
    server.script = says({**completion(), "usage": figures})
    assert (await _answer(setup_for(), question)).usage is None


async def test_a_part_of_the_figures_that_can_be_no_count_spoils_them(
    server: Server, setup_for: Setups, question: ChatRequest
) -> None:
    for cached in (10**18, -1):
        figures = usage(7, 3, prompt_tokens_details={"cached_tokens": cached})
        server.script = streams(piece("stop", content="好"), figures, "[DONE]")
        assert (await _answer(setup_for(), question)).usage is None


async def test_remedies_name_the_variable_of_the_key(
    server: Server, setup_for: Setups, question: ChatRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.script = says({"error": {"message": "no"}}, 401)
    assert "Check the key in the environment variable MODELS_TEST_KEY" in str(
        await _failure(setup_for(), question)
    )
    monkeypatch.delenv("MODELS_TEST_KEY")
    assert "Set the environment variable MODELS_TEST_KEY" in str(await _failure(setup_for(), question))
    assert "Name the environment variable" in str(await _failure(setup_for(key_variable=""), question))
    monkeypatch.setenv("MODELS_TEST_KEY", "clé\n")
    failure = await _failure(setup_for(), question)
    assert failure.kind == "auth" and "printable ASCII" in str(failure) and "clé" not in str(failure)


async def test_a_wrong_address_is_told_from_a_wrong_model(
    server: Server, setup_for: Setups, question: ChatRequest
) -> None:
    server.script = says("<html></html>", 404)
    bare = server.url.removesuffix("/v1")
    assert f"({bare}/v1)" in str(await _failure(setup_for(base_url=bare), question))
    assert "Check the model's name" in str(await _failure(setup_for(), question))


async def test_a_key_that_a_server_repeats_is_hidden_even_at_the_cut(
    server: Server, setup_for: Setups, question: ChatRequest
) -> None:
    for padding in range(330, 400, 7):
        server.script = says({"error": {"message": "x" * padding + KEY}}, 400)
        failure = await _failure(setup_for(), question)
        assert KEY[:8] not in str(failure)
        assert failure.__cause__ is None and failure.__suppress_context__


async def test_a_key_in_a_body_that_is_no_json_is_hidden_even_at_the_cut(
    server: Server, setup_for: Setups, question: ChatRequest
) -> None:
    for padding in (*range(178, 200, 5), *range(330, 400, 7)):
        for status in (200, 500):
            server.script = says("x" * padding + KEY, status, "text/plain")
            assert KEY[:8] not in str(await _failure(setup_for(), question))


async def test_a_key_that_an_answer_repeats_is_hidden(
    server: Server, setup_for: Setups, question: ChatRequest
) -> None:
    function = {"name": "search", "arguments": json.dumps({"q": KEY})}
    call = {"index": 0, "id": "c", "function": function}
    server.script = says(completion(f"it is {KEY}.", reasoning_content=KEY, tool_calls=[call]))
    told: list[Delta] = []
    reply = await _answer(setup_for(streams=False), question, told.append)
    assert (reply.text, reply.reasoning) == ("it is ***.", "***")
    assert reply.calls == (RequestedCall("c", "search", '{"q": "***"}'),)
    assert KEY not in "".join(delta.text for delta in told)


@pytest.mark.parametrize("size", [1, 3, 7])
async def test_a_key_split_over_pieces_is_hidden(
    server: Server, setup_for: Setups, question: ChatRequest, size: int
) -> None:
    parts = [KEY[at : at + size] for at in range(0, len(KEY), size)]
    calls = [[{"index": 0, "id": "c", "function": {"name": "f", "arguments": part}}] for part in parts]
    server.script = streams(
        *(piece(reasoning_content=part) for part in parts),
        *(piece(content=part) for part in ("so: ", *parts, " or sk-v")),
        *(piece(tool_calls=call) for call in calls),
        piece("tool_calls"),
        "[DONE]",
    )
    told: list[Delta] = []
    reply = await _answer(setup_for(), question, told.append)
    assert (reply.reasoning, reply.text, reply.calls[0].arguments) == ("***", "so: *** or sk-v", "***")
    for kind, says_it in (("reasoning", "***"), ("text", "so: *** or sk-v"), ("call", "f***")):
        assert "".join(delta.text for delta in told if delta.kind == kind) == says_it


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize(
    ("location", "target"),
    [
        ("https://me:pw@other.example:8443/v2/chat/completions?token=t#f", "https://other.example:8443/v2"),
        ("/api/chat/completions?token=t", "{host}/api"),
    ],
)
async def test_a_redirect_is_not_followed_but_told(
    server: Server, setup_for: Setups, question: ChatRequest, status: int, location: str, target: str
) -> None:
    server.script = says("", status, Location=location)
    failure = await _failure(setup_for(), question)
    told = target.format(host=server.url.removesuffix("/v1"))
    assert f"redirects to {told}; write that address." in str(failure)
    assert str(failure).endswith("write that address.") and "token" not in str(failure)
    assert (failure.kind, failure.status, failure.retryable) == ("not_found", status, False)
    assert len(server.exchanges) == 1


async def test_two_hundred_calls_at_once(server: Server, setup_for: Setups, question: ChatRequest) -> None:
    async def script(exchange: Exchange) -> None:
        while len(server.exchanges) < 200:  # none is answered before all are there
            await asyncio.sleep(0.01)
        await exchange.respond(200, json.dumps(completion()))

    server.script = script
    client = ModelClient(setup_for(streams=False, timeout_s=20, deadline_s=20))
    replies = await asyncio.gather(*(client.answer(question) for _ in range(200)))
    assert {reply.text for reply in replies} == {"好的"}
    assert server.connections == 200
    await client.answer(question)
    assert server.connections == 200
    await client.close()


async def test_cancelling_closes_the_connection(
    server: Server, setup_for: Setups, question: ChatRequest
) -> None:
    async def script(exchange: Exchange) -> None:
        await exchange.open_stream()
        for _ in range(300):
            await exchange.event(piece(content="去"))
            await asyncio.sleep(0.01)

    server.script = script
    client, begun = ModelClient(setup_for()), asyncio.Event()
    task = asyncio.create_task(client.answer(question, lambda _: begun.set()))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await client.close()
    assert await asyncio.to_thread(server.caller_left.wait, 2)


async def test_closing_waits_for_the_calls_under_way(
    server: Server, setup_for: Setups, question: ChatRequest
) -> None:
    async def script(exchange: Exchange) -> None:
        await asyncio.sleep(0.2)
        await exchange.respond(200, json.dumps(completion()))

    server.script = script
    client = ModelClient(setup_for(streams=False))
    task = asyncio.create_task(client.answer(question))
    while not server.exchanges:
        await asyncio.sleep(0.01)
    await client.close()
    assert (await task).text == "好的"
    assert (await client.answer(question)).text == "好的"
    await client.close()


async def test_tools_in_text_where_the_model_has_none(server: Server, setup_for: Setups) -> None:
    tool = {"type": "function", "function": {"name": "search", "description": "d", "parameters": {}}}
    request = ChatRequest(({"role": "user", "content": "吃什么"},), (tool,), json_object=True)
    server.script = says(completion('先查一下。\n```call search\n{"q": "面"}\n```'))
    client = ModelClient(setup_for(tools="text", streams=False, json_mode=True))
    reply = await client.answer(request, language="en")
    await client.close()
    assert (reply.text, reply.finish_reason) == ("先查一下。", "tool_calls")
    assert reply.calls == (RequestedCall("call_1", "search", '{"q": "面"}'),)
    sent = server.exchanges[0].body
    assert "tools" not in sent and "response_format" not in sent
    assert "How to use tools" in sent["messages"][0]["content"]
