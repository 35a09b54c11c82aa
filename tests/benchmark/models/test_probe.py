"""What a test of an endpoint finds."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from benchmark.models import ModelSetup
from benchmark.models.listing import read_listing
from benchmark.models.probe import Probe, probe
from tests.benchmark.models.server import Exchange, Server, completion, piece, usage

Setups = Callable[..., ModelSetup]


@dataclass
class Able:
    """A server that can do some things and refuses, or does not understand, the others."""

    tools: bool = True
    parallel: bool = True
    follows_text: bool = True
    streams: bool = True
    whole: bool = True
    json: bool = True
    counts: bool = True
    limit: str = "max_tokens"
    words: str = "ready"

    async def __call__(self, exchange: Exchange) -> None:
        """Answer one request."""
        sent = exchange.body
        if self.limit not in sent:
            return await self._refuse(exchange, f"Unsupported parameter. Use '{self.limit}' instead.")
        if sent.get("stream") and not self.streams:
            return await self._refuse(exchange, "streaming is not supported")
        if not sent.get("stream") and not self.whole:
            return await self._refuse(exchange, "this model only supports streaming")
        if "tools" in sent and not self.tools:
            return await self._refuse(exchange, "auto tool choice requires --enable-auto-tool-choice")
        message = self._message(sent)
        return await (
            self._stream(exchange, message) if sent.get("stream") else self._whole(exchange, message)
        )

    def _message(self, sent: dict[str, Any]) -> dict[str, Any]:
        asked = sent["messages"][-1]["content"]
        if "tools" in sent:
            cities = ["杭州", "苏州"] if "Suzhou" in asked and self.parallel else ["杭州"]
            return {"content": None, "tool_calls": [_call(at, city) for at, city in enumerate(cities)]}
        if "weather" in asked and self.follows_text:
            return {"content": '```call get_weather\n{"city": "杭州"}\n```'}
        if "response_format" in sent:
            return {"content": '{"city": "杭州"}' if self.json else "Hangzhou"}
        return {"content": self.words}

    async def _refuse(self, exchange: Exchange, words: str) -> None:
        await exchange.respond(400, json.dumps({"error": {"message": words}}))

    async def _whole(self, exchange: Exchange, message: dict[str, Any]) -> None:
        answer = completion(**message)
        await exchange.respond(200, json.dumps(answer if self.counts else {**answer, "usage": None}))

    async def _stream(self, exchange: Exchange, message: dict[str, Any]) -> None:
        await exchange.open_stream()
        for event in (piece("stop", **message), *([usage(5, 2)] if self.counts else []), "[DONE]"):
            await exchange.event(event)


def _call(index: int, city: str) -> dict[str, Any]:
    function = {"name": "get_weather", "arguments": json.dumps({"city": city})}
    return {"index": index, "id": f"c{index}", "type": "function", "function": function}


def _works(found: Probe) -> dict[str, bool | None]:
    return {finding.capability: finding.works for finding in found.findings}


def _detail(found: Probe, capability: str) -> str:
    return next(finding.detail for finding in found.findings if finding.capability == capability)


ALL = ("chat", "streaming", "tools", "parallel_tools", "structured_output", "usage")


def test_an_endpoint_that_can_everything(server: Server, setup_for: Setups) -> None:
    server.script = Able()
    found = probe(setup_for(tools="text", streams=False))
    assert _works(found) == dict.fromkeys(ALL, True)
    assert (found.model, found.tools, found.streams, found.json_mode) == ("served", "native", True, True)
    assert found.limit_parameter == "max_tokens" and found.works
    assert all(finding.latency_ms > 0 for finding in found.findings if finding.capability != "usage")


@pytest.mark.parametrize(
    ("follows", "says", "suits"),
    [
        (True, "calls in plain text work", "text"),
        (False, "neither works, so agents cannot use tools with this model", "native"),
    ],
)
def test_without_native_tools_the_text_protocol_is_tried(
    server: Server, setup_for: Setups, follows: bool, says: str, suits: str
) -> None:
    server.script = Able(tools=False, follows_text=follows)
    found = probe(setup_for())
    assert [name for name, works in _works(found).items() if not works] == ["tools", "parallel_tools"]
    assert says in _detail(found, "tools") and "--enable-auto-tool-choice" in _detail(found, "tools")
    assert found.tools == suits and found.works


def test_where_no_tools_work_the_setting_stays(server: Server, setup_for: Setups) -> None:
    server.script = Able(tools=False, follows_text=False)
    assert probe(setup_for(tools="text")).tools == "text"


@pytest.mark.parametrize("fails", ["native", "text"])
def test_a_way_of_calling_tools_that_is_busy_decides_nothing(
    server: Server, setup_for: Setups, fails: str
) -> None:
    able = Able(tools=False, follows_text=False)

    async def script(exchange: Exchange) -> None:
        weather = "weather" in exchange.body["messages"][-1]["content"]
        if weather and ("tools" in exchange.body) == (fails == "native"):
            await exchange.respond(503, "", Retry_After="0.1")
        else:
            await able(exchange)

    server.script = script
    found = probe(setup_for())
    tools = next(finding for finding in found.findings if finding.capability == "tools")
    assert (tools.works, tools.failure, found.tools) == (None, "server", "native")
    assert "cannot use tools" not in tools.detail and "503" in tools.detail


@pytest.mark.parametrize("message", [{}, {"reasoning_content": "hm"}])
def test_an_answer_without_words_is_no_chat(
    server: Server, setup_for: Setups, message: dict[str, str]
) -> None:
    figures = {"usage": {"prompt_tokens": 7, "completion_tokens": 2048}}
    answer = {**completion(" ", "length", **message), **figures}
    server.script = lambda exchange: exchange.respond(200, json.dumps(answer))
    found = probe(setup_for())
    assert [(finding.capability, finding.works) for finding in found.findings] == [("chat", False)]
    for hint in ("finish reason length", "at most 2048 tokens", "max_tokens", "thinking off"):
        assert hint in _detail(found, "chat")


def test_words_in_one_way_of_answering_are_enough(server: Server, setup_for: Setups) -> None:
    able, silent = Able(), Able(words="")

    async def script(exchange: Exchange) -> None:
        await (able if exchange.body.get("stream") else silent)(exchange)

    server.script = script
    assert all(_works(probe(setup_for())).values())


@pytest.mark.parametrize("status", [0, 429, 500, 503])
def test_one_request_that_breaks_is_sent_again(server: Server, setup_for: Setups, status: int) -> None:
    able, broken = Able(), set[str]()

    async def script(exchange: Exchange) -> None:
        asked = exchange.body["messages"][-1]["content"]
        if asked in broken:
            await able(exchange)
        elif status:
            await exchange.respond(status, "", Retry_After="0.1")
        else:
            exchange.writer.close()
        broken.add(asked)

    server.script = script
    assert _works(probe(setup_for())) == dict.fromkeys(ALL, True)
    assert len(server.exchanges) == 2 * len(broken) == 10


def test_a_request_that_breaks_twice_counts(server: Server, setup_for: Setups) -> None:
    server.script = lambda exchange: exchange.respond(500, "", Retry_After="0.1")
    found = probe(setup_for())
    assert [(finding.failure, finding.works) for finding in found.findings] == [("server", None)]
    assert len(server.exchanges) == 4  # whole, and in pieces


@pytest.mark.parametrize("kind", ["rate_limit", "closed", "timeout"])
@pytest.mark.parametrize("capability", ["tools", "structured_output", "streaming"])
def test_what_got_no_answer_is_not_found_out(
    server: Server, setup_for: Setups, kind: str, capability: str
) -> None:
    able = Able()
    signs = {
        "tools": lambda sent: "weather" in sent["messages"][-1]["content"],
        "structured_output": lambda sent: "response_format" in sent,
        "streaming": lambda sent: "ten" in sent["messages"][-1]["content"],
    }

    async def script(exchange: Exchange) -> None:
        if not signs[capability](exchange.body):
            return await able(exchange)
        if kind == "rate_limit":
            return await exchange.respond(429, "", Retry_After="0.1")
        if kind == "timeout":
            return await asyncio.sleep(3)
        return exchange.writer.close()

    server.script = script
    found = probe(setup_for(timeout_s=0.5))
    finding = next(each for each in found.findings if each.capability == capability)
    assert (finding.works, finding.failure) == (None, kind) and found.works


def test_a_server_that_is_not_there_may_still_be_able_to_all(setup_for: Setups) -> None:
    found = probe(setup_for(base_url="http://127.0.0.1:9/v1"))
    assert [(f.capability, f.works, f.failure) for f in found.findings] == [("chat", None, "connection")]


def test_questions_come_one_after_another(server: Server, setup_for: Setups) -> None:
    able = Able()

    async def script(exchange: Exchange) -> None:
        await asyncio.sleep(0.05)
        await able(exchange)

    server.script = script
    assert _works(probe(setup_for())) == dict.fromkeys(ALL, True)
    assert (len(server.exchanges), server.highest) == (5, 1)


@pytest.mark.parametrize(
    ("entry", "context"),
    [
        ({"meta": {"n_ctx": 1024, "n_ctx_train": 8192}, "aliases": ["m-1"]}, 1024),
        ({"max_model_len": 32768}, 32768),
        ({"context_length": 4096, "max_model_len": None}, 4096),
        ({"context_window": "large"}, None),
        ({}, None),
    ],
)
def test_what_a_server_lists_is_read(
    server: Server, setup_for: Setups, entry: dict[str, Any], context: int | None
) -> None:
    server.script = Able()
    server.models = {"object": "list", "data": [{"id": "served", **entry}]}
    listed = probe(setup_for()).listing
    assert listed.model_names == ("served", *entry.get("aliases", ())) and listed.context == context


@pytest.mark.parametrize(
    "models", [None, [], {"data": "x"}, {"data": 5}, {"data": [1, {"id": 2}, {"id": "x" * 201}]}, "x"]
)
def test_a_list_that_is_none_says_nothing(server: Server, setup_for: Setups, models: object) -> None:
    server.script, server.models = Able(), models
    found = probe(setup_for())
    assert found.works and (found.listing.model_names, found.listing.context) == ((), None)


SECRET = "token of the metadata service 7f3a"


@pytest.mark.parametrize(
    ("status", "body", "kept"),
    [
        (404, SECRET, "the server answered with status 404, …"),
        (404, f"<html><title>{SECRET}</title></html>", "status 404, an HTML page titled …"),
        (403, json.dumps({"error": {"message": f"“quoted” {SECRET}"}}), "status 403, …"),
        (400, json.dumps({"role": SECRET}), "status 400, …"),
        (200, f"{SECRET}\n" * 60, "the answer is not JSON but …"),
        (200, json.dumps({SECRET: 1}), "the answer is JSON without choices …"),
    ],
)
def test_a_detail_without_what_the_server_said(
    server: Server, setup_for: Setups, status: int, body: str, kept: str
) -> None:
    async def answer(exchange: Exchange) -> None:
        await exchange.respond(status, body)

    server.script = answer
    (chat,) = probe(setup_for()).findings
    assert SECRET[:12] in chat.detail and chat.unquoted_detail
    assert SECRET[:5] not in chat.unquoted_detail and "quoted" not in chat.unquoted_detail
    assert kept in chat.unquoted_detail and setup_for().base_url in chat.unquoted_detail


def test_a_key_that_a_server_lists_is_masked(
    server: Server, setup_for: Setups, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = "sk-proj-Zq8Lw2nR5tYx0VbC3mKd7HfJ"
    monkeypatch.setenv("SOME_API_KEY", key)
    server.script = Able()
    server.models = {"data": [{"id": f"for {key}", "aliases": [key, "served"], "max_model_len": 4096}]}
    found = probe(setup_for(key_variable="SOME_API_KEY"))
    assert found.works and found.listing.model_names == ("for ***", "***", "served")
    assert key not in repr(found)


def test_the_context_is_that_of_the_model_asked_for(server: Server, setup_for: Setups) -> None:
    server.script = Able()
    server.models = {"data": [{"id": "big", "context_length": 9}, {"id": "models/m-1", "context_length": 7}]}
    assert probe(setup_for()).listing.context == 7


@pytest.mark.parametrize(
    "listed",
    [
        [{"id": "m-1", "context_length": 7}],
        {"models": [{"name": "m-1", "context_length": 7}]},
        {"object": "list", "data": None, "models": [{"id": "m-1", "context_length": 7}]},
    ],
)
def test_lists_of_models_in_other_forms(listed: object) -> None:
    """Together answers with a bare list, others with `models` or with names."""
    found = read_listing(listed, "m-1")
    assert (found.model_names, found.context) == (("m-1",), 7)


def test_one_call_at_a_time(server: Server, setup_for: Setups) -> None:
    server.script = Able(parallel=False)
    assert [name for name, works in _works(probe(setup_for())).items() if not works] == ["parallel_tools"]


def test_no_streaming(server: Server, setup_for: Setups) -> None:
    server.script = Able(streams=False)
    found = probe(setup_for())
    assert [name for name, works in _works(found).items() if not works] == ["streaming"]
    assert not found.streams and "Switch streaming off" in _detail(found, "streaming")


def test_streaming_alone(server: Server, setup_for: Setups) -> None:
    server.script = Able(whole=False)
    found = probe(setup_for(streams=False))
    assert _works(found) == dict.fromkeys(ALL, True) and found.streams


def test_neither_json_nor_figures(server: Server, setup_for: Setups) -> None:
    server.script = Able(json=False, counts=False)
    found = probe(setup_for())
    assert [name for name, works in _works(found).items() if not works] == ["structured_output", "usage"]
    assert not found.json_mode and "whole answers and streams" in _detail(found, "usage")


def test_the_other_name_of_the_limit(server: Server, setup_for: Setups) -> None:
    server.script = Able(limit="max_completion_tokens")
    found = probe(setup_for())
    assert found.limit_parameter == "max_completion_tokens" and all(_works(found).values())


@pytest.mark.parametrize(("status", "kind"), [(401, "auth"), (404, "not_found")])
def test_where_nothing_can_work_it_is_said_once(
    server: Server, setup_for: Setups, status: int, kind: str
) -> None:
    server.script = lambda exchange: exchange.respond(status, '{"error": {"message": "no"}}')
    found = probe(setup_for())
    assert [(finding.capability, finding.works, finding.failure) for finding in found.findings] == [
        ("chat", False, kind)
    ]
    assert len(server.exchanges) == 1 and not found.works


@pytest.mark.parametrize(("status", "served"), [(401, ()), (404, ("other",))])
def test_a_model_that_is_not_there_is_told_with_those_that_are(
    server: Server, setup_for: Setups, status: int, served: tuple[str, ...]
) -> None:
    server.script = lambda exchange: exchange.respond(status, '{"error": {"message": "no"}}')
    server.models = {"data": [{"id": "other"}]}
    assert probe(setup_for()).listing.model_names == served


def test_silence_ends_in_time(server: Server, setup_for: Setups) -> None:
    server.script = lambda exchange: asyncio.sleep(5)
    found = probe(setup_for(timeout_s=0.2))
    assert [finding.failure for finding in found.findings] == ["timeout"]
