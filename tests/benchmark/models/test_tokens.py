"""Tokens with their log-probabilities: as servers send them, and as logs keep them."""

from __future__ import annotations

import json
import math
import struct
import zlib
from base64 import b64encode
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from benchmark.exports.tokens import place
from benchmark.models import ChatRequest, ModelFailure, ModelSetup, Reply
from benchmark.models.client import ModelClient
from benchmark.models.dialects import parameters
from benchmark.models.probe import Probe, examine, probe
from benchmark.models.tokens import MOST_TOKENS, Token, TokenAssembly, TokenLog, join
from tests.benchmark.models.conftest import KEY
from tests.benchmark.models.server import Server, completion, piece, says, streams
from tests.model_server import ModelServer, model_server
from tests.model_server.test_protocol import agent_request
from tests.properties import examples

Setups = Callable[..., ModelSetup]
LOGPROBS = some.none() | some.floats(width=32, max_value=0, allow_nan=False, allow_infinity=False)
TOKEN_LISTS = some.lists(some.builds(Token, some.binary(max_size=12), LOGPROBS), min_size=1, max_size=60)
WEATHER = {"type": "function", "function": {"name": "get_weather", "parameters": {"type": "object"}}}


@pytest.fixture(scope="module")
def models() -> Iterator[ModelServer]:
    with model_server() as server:
        yield server


@given(tokens=TOKEN_LISTS)
@settings(max_examples=examples(60), deadline=None)
def test_tokens_come_back_as_they_were_kept(tokens: list[Token]) -> None:
    log = TokenLog.of(tokens)
    assert log.read() == tuple(tokens) and log.count == len(tokens)
    assert log.text == join(tokens).decode(errors="replace")


def test_a_token_takes_few_bytes() -> None:
    """Words as tokens of four bytes, most of them nearly sure, as models draw them: 7 bytes, in JSON 150."""
    words = json.dumps(
        [{"day": n, "city": "杭州市", "spend": n * 37.5} for n in range(300)], ensure_ascii=False
    )
    cut = [words.encode()[at : at + 4] for at in range(0, len(words.encode()), 4)]
    tokens = [
        Token(each, -math.exp(-12 + (zlib.crc32(each, at) % 1200) / 100)) for at, each in enumerate(cut)
    ]
    assert len(TokenLog.of(tokens).columns) < 8 * len(tokens)


def _pack(columns: bytes) -> str:
    return b64encode(zlib.compress(columns)).decode()


@pytest.mark.parametrize(
    ("count", "columns", "says"),
    [
        (1, "no base64!", "can't be unpacked"),
        (1, b64encode(b"no zlib").decode(), "can't be unpacked"),
        (2, _pack(struct.pack("<2f", 1, 1)), "does not hold the tokens that are counted"),
        (1, _pack(struct.pack("<If", 3, -1.0) + b"ab"), "does not hold the tokens that are counted"),
        (1, _pack(b"\0" * 60_000_000), "holds more than the tokens of an answer"),
        (1, TokenLog.of([Token(b"abcdefgh", -1.0)]).columns[:12], "columns: it"),
        (0, "", "count: 0 is no number of tokens"),
        (MOST_TOKENS + 1, "", "is no number of tokens from 1 to"),
    ],
)
def test_what_is_damaged_is_refused(count: int, columns: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        TokenLog(count, columns).read()


# As servers send them.


def entry(token: str, logprob: Any = -0.5, **more: Any) -> dict[str, Any]:
    return {"token": token, "logprob": logprob, **more}


def content(*entries: dict[str, Any]) -> dict[str, Any]:
    return {"logprobs": {"content": [*entries], "refusal": None}}


def with_logprobs(chunk: dict[str, Any], *entries: dict[str, Any]) -> dict[str, Any]:
    """A chunk, or a completion, whose choice has these."""
    [choice] = chunk["choices"]
    return {**chunk, "choices": [{**choice, **content(*entries)}]}


async def ask_model(setup: ModelSetup, request: ChatRequest) -> Reply:
    client = ModelClient(setup)
    try:
        return await client.answer(request)
    finally:
        await client.close()


def tokens_of(*choices: dict[str, Any]) -> list[Token]:
    assembly = TokenAssembly()
    for choice in choices:
        assembly.take(choice)
    log = assembly.log()
    return [*log.read()] if log else []


def test_bytes_count_before_texts_and_what_is_no_figure_is_unknown() -> None:
    split = content(entry("\ufffd", bytes=[0xF0, 0x9F]), entry("\ufffd", bytes=[0x8F, 0xA8]), entry("去"))
    assert join(tokens_of(split)).decode() == "🏨去"
    odd = content(
        entry("a", None), entry("b", "-1"), entry("c", True), entry("d", -math.inf), {"logprob": -1}
    )
    assert tokens_of(odd) == [*(Token(letter.encode(), None) for letter in "abcd"), Token(b"", -1.0)]
    assert tokens_of({"logprobs": {"content": [entry("a", bytes=[300])]}}) == [Token(b"a", -0.5)]
    assert tokens_of({"logprobs": {"content": ["a"]}}) == [Token(b"", None)]
    assert tokens_of({"logprobs": None}, {"logprobs": []}, {"logprobs": {"content": None}}, {}) == []


def test_the_older_form_of_completions_is_read_too() -> None:
    older = {"logprobs": {"content": None, "tokens": ["Hel", "lo", "!"], "token_logprobs": [-1, -0.25]}}
    assert tokens_of(older) == [Token(b"Hel", -1.0), Token(b"lo", -0.25), Token(b"!", None)]


def test_what_is_sent_twice_is_taken_once() -> None:
    words = [entry(word) for word in ("Hangzhou ", "is ", "a city ", "with a lake.")]
    in_pieces = [content(each) for each in words]
    assert len(tokens_of(*in_pieces, content(*words))) == 4, "all at the end once more"
    assert len(tokens_of(content(entry("ha"), entry("ha")), content(entry("ha"), entry("ha")))) == 4
    assembly = TokenAssembly()
    for choice in in_pieces:
        assembly.take({"delta": {}, **choice})
    assembly.take({"message": {}, **content(*words)}, after_pieces=True)
    assert assembly.log() == TokenLog.of([Token(each["token"].encode(), -0.5) for each in words])
    growing = [{"message": {}, **content(*words[:count])} for count in (1, 2, 4)]
    assert len(tokens_of(*growing)) == 4, "each message holds those before"
    apart = [{"message": {}, **content(each)} for each in words]
    assert len(tokens_of(*apart)) == 4, "each message goes on"


def test_more_tokens_than_an_answer_has_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmark.models.tokens.MOST_TOKENS", 5)
    assembly = TokenAssembly()
    for _ in range(4):
        assembly.take(content(entry("a"), entry("b")))
    assert assembly.log() is None and "more log-probabilities came" in assembly.problem


async def test_a_stream_and_a_whole_answer_have_the_same_tokens(
    server: Server, setup_for: Setups, question: ChatRequest
) -> None:
    words = [entry("去", -0.25, bytes=[*"去".encode()]), entry("杭州", -1.5), entry("。", -0.0)]
    server.script = says(with_logprobs(completion("去杭州。"), *words))
    whole = await ask_model(setup_for(streams=False, logprobs=True), question)
    sent = server.exchanges[-1].body
    assert (sent["logprobs"], sent["top_logprobs"]) == (True, 1)
    server.script = streams(
        piece(role="assistant", content=""),
        with_logprobs(piece(content="去"), words[0]),
        with_logprobs(piece(content="杭州。"), *words[1:]),
        piece("stop"),
        "[DONE]",
    )
    pieces = await ask_model(setup_for(logprobs=True), question)
    assert whole.tokens == pieces.tokens and whole.note == pieces.note == ""
    assert whole.tokens and whole.tokens.read() == (
        Token("去".encode(), -0.25), Token("杭州".encode(), -1.5), Token("。".encode(), 0.0),
    )  # fmt: skip


async def test_a_server_that_sends_none_with_words_is_told(server: Server, setup_for: Setups) -> None:
    server.script = says(completion("Okay."))
    told, detail = finding(await examine(setup_for(streams=False, logprobs=True)))
    assert told is False and detail.startswith("no log-probabilities came")


async def test_nobody_who_asks_for_none_keeps_any(
    server: Server, setup_for: Setups, question: ChatRequest
) -> None:
    server.script = says(with_logprobs(completion("去杭州。"), entry("去杭州。")))
    reply = await ask_model(setup_for(streams=False), question)
    assert reply.tokens is None and reply.note == "" and "logprobs" not in server.exchanges[-1].body
    server.script = says(completion("去杭州。"))
    reply = await ask_model(setup_for(streams=False, logprobs=True), question)
    assert reply.tokens is None and reply.note == "no log-probabilities came, though they were asked for"


async def test_a_key_in_pieces_is_not_kept(server: Server, setup_for: Setups, question: ChatRequest) -> None:
    halves = entry(f"Your key is {KEY[:9]}"), entry(KEY[9:])
    server.script = says(with_logprobs(completion(f"Your key is {KEY}"), *halves))
    reply = await ask_model(setup_for(streams=False, logprobs=True), question)
    assert reply.text == "Your key is ***" and reply.tokens is None
    assert "its tokens are not kept" in reply.note


async def test_a_cut_answer_keeps_the_tokens_that_came(
    server: Server, setup_for: Setups, question: ChatRequest
) -> None:
    server.script = streams(
        with_logprobs(piece(content="去杭"), entry("去"), entry("杭")), piece("length"), "[DONE]"
    )
    reply = await ask_model(setup_for(logprobs=True), question)
    assert reply.finish_reason == "length" and reply.tokens and reply.tokens.text == reply.text == "去杭"


# Servers that refuse them, or pass over them.


@pytest.mark.parametrize(
    ("words", "remedy"),
    [
        ("logprobs is not supported with this model", "Do not ask this model for log-probabilities"),
        (
            "logprobs is not supported with tools + stream",
            "Switch streaming off for the endpoint, or do not ask",
        ),
    ],
)
async def test_a_refusal_says_what_helps(
    server: Server, setup_for: Setups, question: ChatRequest, words: str, remedy: str
) -> None:
    async def refuse(exchange: Any) -> None:
        await exchange.respond(400, json.dumps({"error": {"message": words}}))

    server.script = refuse
    with pytest.raises(ModelFailure, match=remedy) as caught:
        await ask_model(setup_for(logprobs=True), question)
    assert caught.value.kind == "refused"


def setup_at(models: ModelServer, model: str, **more: Any) -> ModelSetup:
    return ModelSetup(name="local", base_url=models.url, model=model, logprobs=True, **more)


def finding(found: Probe) -> tuple[bool | None, str]:
    return next((each.works, each.detail) for each in found.findings if each.capability == "logprobs")


@pytest.mark.parametrize(
    ("option", "works", "says"),
    [
        ("", True, "tokens"),
        (":logprobs=words", None, "no log-probabilities came"),
        (":logprobs=refuse", False, "switch them off"),
    ],
)
def test_the_test_of_an_endpoint_tells(
    models: ModelServer, option: str, works: bool | None, says: str
) -> None:
    found = probe(setup_at(models, f"good-agent{option}"))
    told, detail = finding(found)
    assert told is works and says in detail and found.works
    assert found.logprobs is (works is not False)


def test_an_endpoint_that_asks_for_none_is_not_tested_for_them(models: ModelServer) -> None:
    found = probe(ModelSetup(name="local", base_url=models.url, model="good-agent"))
    assert "logprobs" not in {each.capability for each in found.findings}


# The local server.


@pytest.mark.parametrize("streaming", [False, True])
async def test_joined_tokens_hold_the_answer(models: ModelServer, streaming: bool) -> None:
    asked = ChatRequest(tuple(agent_request("")["messages"]))
    reply = await ask_model(setup_at(models, "thinks", streams=streaming), asked)
    assert reply.tokens and reply.tokens.text == f"<think>\n{reply.reasoning}\n</think>\n\n{reply.text}"
    tokens = reply.tokens.read()
    assert place(reply, reply.text).offsets == "tokens" and len(reply.text) > 100
    assert any(not _is_whole(token.content) for token in tokens), "a token ends inside a character"
    assert all(token.logprob is not None and token.logprob <= 0 for token in tokens)


def _is_whole(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


async def test_calls_are_tokens_with_the_marks_around_them(models: ModelServer) -> None:
    asked = ChatRequest(
        ({"role": "user", "content": "What is the weather in 杭州? Use get_weather."},), (WEATHER,)
    )
    whole, streamed = [
        await ask_model(setup_at(models, "good-agent", streams=streaming), asked)
        for streaming in (False, True)
    ]
    assert whole.calls and whole.tokens and whole.tokens == streamed.tokens
    assert f'"arguments": {whole.calls[0].arguments}}}' in whole.tokens.text


def test_parameters_ask_for_one_alternative() -> None:
    setup = ModelSetup(name="m", base_url="http://m/v1", model="m")
    request = ChatRequest(({"role": "user", "content": "?"},))
    assert not {"logprobs", "top_logprobs"} & parameters(setup, request).keys()
    asking = parameters(setup.model_copy(update={"logprobs": True}), request)
    assert (asking["logprobs"], asking["top_logprobs"]) == (True, 1)
