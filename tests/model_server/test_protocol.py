"""The chat completions protocol, as a client sees it."""

from __future__ import annotations

import http.client
import json
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.error import HTTPError

import pytest

from benchmark.models import ModelSetup
from benchmark.models.probe import probe
from sandbox.toolsets.grouptravel import TOOLSET
from tests.model_server import ModelServer, model_server
from tests.model_server.playing import post

WEATHER = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    },
}


def request(model: str, text: str = "Hello", **more: Any) -> dict[str, Any]:
    return {"model": model, "messages": [{"role": "user", "content": text}], **more}


def agent_request(model: str, **more: Any) -> dict[str, Any]:
    """An agent's turn with everybody asked already."""
    system = "你是旅行助手。成员：\n- User1（男友）\n苏州市，两天一夜\n出发城市：上海市；出发日期：2025-11-02"
    said = ["@User1 请问你的人均预算上限是多少？城际交通、住宿有什么要求？"]
    said += [
        "@User1 请问苏州市有哪些一定要去或坚决不去的景点？餐饮上有什么想吃的或不吃的？",
        "@User1 能否让步？",
    ]
    chat = [
        part
        for words in said
        for part in ({"role": "assistant", "content": words}, {"role": "user", "content": "User1：都可以。"})
    ]
    messages = [{"role": "system", "content": system}, *chat]
    return {"model": model, "messages": messages, "tools": TOOLSET.definitions("zh"), **more}


def stream(url: str, body: dict[str, Any]) -> list[str]:
    """The `data:` lines of a streamed answer, as far as they come."""
    wanted = json.dumps({**body, "stream": True}).encode()
    asked = urllib.request.Request(f"{url}/chat/completions", wanted, {"Content-Type": "application/json"})
    lines = []
    with urllib.request.urlopen(asked, timeout=30) as response:
        try:
            lines = [raw.decode().strip() for raw in response]
        except http.client.IncompleteRead as broken:
            lines += broken.partial.decode().splitlines()
    return [line.removeprefix("data: ") for line in lines if line]


def join_chunks(lines: list[str]) -> tuple[str, list[dict[str, Any]], str]:
    """Text, calls and finish reason of the chunks of an answer."""
    chunks = [json.loads(line) for line in lines[:-1]]
    choices = [chunk["choices"][0] for chunk in chunks if chunk["choices"]]
    text = ""
    calls: list[dict[str, Any]] = []
    for choice in choices:
        text += choice["delta"].get("content") or ""
        for piece in choice["delta"].get("tool_calls", ()):
            if piece["index"] == len(calls):
                calls.append({"id": piece["id"], "name": piece["function"]["name"], "arguments": ""})
            calls[piece["index"]]["arguments"] += piece["function"]["arguments"]
    return text, calls, choices[-1]["finish_reason"]


def test_models_are_listed(server: ModelServer) -> None:
    with urllib.request.urlopen(f"{server.url}/models") as response:
        names = [model["id"] for model in json.load(response)["data"]]
    assert "good-agent" in names
    assert "always-breaks" in names


def test_a_streamed_answer_is_the_plain_one_in_pieces(server: ModelServer) -> None:
    whole = post(server.url, agent_request("good-agent"))["choices"][0]
    text, calls, finish = join_chunks(stream(server.url, agent_request("good-agent")))
    assert (text, finish) == (
        whole["message"]["content"],
        whole["finish_reason"] == "tool_calls" and "tool_calls",
    )
    assert len(calls) > 3
    assert [call["arguments"] for call in calls] == [
        call["function"]["arguments"] for call in whole["message"]["tool_calls"]
    ]
    assert len({call["id"] for call in calls}) == len(calls)


def test_usage_ends_a_stream_that_asks_for_it(server: ModelServer) -> None:
    plain = post(server.url, request("good-agent"))["usage"]
    lines = stream(server.url, request("good-agent", stream_options={"include_usage": True}))
    assert lines[-1] == "[DONE]"
    assert json.loads(lines[-2])["usage"]["prompt_tokens"] == plain["prompt_tokens"]
    assert "usage" not in json.loads(stream(server.url, request("good-agent"))[-2])


def test_equal_requests_get_equal_answers(server: ModelServer) -> None:
    with model_server() as other:
        assert post(server.url, agent_request("good-agent")) == post(other.url, agent_request("good-agent"))


def test_thinking_comes_first_and_is_counted(server: ModelServer) -> None:
    lines = stream(server.url, agent_request("thinks", stream_options={"include_usage": True}))
    deltas = [json.loads(line)["choices"][0]["delta"] for line in lines[:-2]]
    kinds = [kind for delta in deltas for kind in ("reasoning_content", "content") if delta.get(kind)]
    assert kinds == sorted(kinds, reverse=True)
    assert "reasoning_content" in kinds
    assert json.loads(lines[-2])["usage"]["completion_tokens_details"]["reasoning_tokens"] > 0


def test_parallel_calls_for_all_that_is_named(server: ModelServer) -> None:
    body = request("good-agent", "What is the weather in Paris and in Rome?", tools=[WEATHER])
    calls = post(server.url, body)["choices"][0]["message"]["tool_calls"]
    assert [json.loads(call["function"]["arguments"]) for call in calls] == [
        {"city": "Paris"},
        {"city": "Rome"},
    ]


def test_structured_output_fits_its_schema(server: ModelServer) -> None:
    schema = {"type": "object", "properties": {"age": {"type": "integer"}}, "required": ["age"]}
    wanted = {"type": "json_schema", "json_schema": {"name": "x", "schema": schema}}
    answer = post(server.url, request("good-agent", response_format=wanted))
    assert json.loads(answer["choices"][0]["message"]["content"]) == {"age": 1}


def test_an_answer_longer_than_allowed_is_cut(server: ModelServer) -> None:
    choice = post(server.url, request("good-agent", max_tokens=1))["choices"][0]
    assert choice["finish_reason"] == "length"
    assert len(choice["message"]["content"]) == 4


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (request("nobody"), 404, "model_not_found"),
        (request("good-agent:colour=red"), 404, "model_not_found"),
        (request("text-tools", tools=[WEATHER]), 400, "unsupported_parameter"),
        ({"model": "good-agent", "messages": []}, 400, "invalid_request"),
        ({"messages": [{"role": "user"}]}, 400, "invalid_request"),
    ],
)
def test_what_cannot_be_answered(server: ModelServer, body: dict[str, Any], status: int, code: str) -> None:
    with pytest.raises(HTTPError) as raised:
        post(server.url, body)
    assert raised.value.code == status
    assert json.load(raised.value)["error"]["code"] == code


def test_a_hundred_streams_at_once() -> None:
    with model_server() as server, ThreadPoolExecutor(100) as callers:
        answers = list(callers.map(lambda _: stream(server.url, agent_request("good-agent")), range(100)))
        assert all(answer == answers[0] for answer in answers)
        assert answers[0][-1] == "[DONE]"
        assert server.ledger.outcomes() == {"whole": 100}


@pytest.mark.parametrize(
    ("name", "tools"), [("good-agent", "native"), ("thinks", "native"), ("text-tools", "text")]
)
def test_a_test_of_the_endpoint_finds_out_what_works(server: ModelServer, name: str, tools: str) -> None:
    found = probe(ModelSetup(name="local", base_url=server.url, model=name))
    failing = {finding.capability for finding in found.findings if not finding.works}
    assert failing == (set() if tools == "native" else {"tools", "parallel_tools"})
    assert (found.tools, found.streams, found.model) == (tools, True, name)
