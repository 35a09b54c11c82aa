"""The model as a simulator, against a real HTTP server."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from sandbox.calls import Call, Example
from sandbox.simulation import ModelSettings, ModelSimulator, Question
from sandbox.simulation.prompt import PROMPT_VERSION
from sandbox.toolbox.validation import ValidCall, validated
from sandbox.tools.errors import ToolFailure
from sandbox.tools.language import Language
from tests.sandbox.simulation.chat_server import ChatServer, cut, dribbles, refuses, says, silent
from tests.sandbox.simulation.conftest import Cached

KEY = "sk-test-0123456789"
HERE = {"name": "灵隐寺", "city": "杭州市", "kind": "attraction", "location": "120.0967,30.2406"}
GOOD = json.dumps(HERE, ensure_ascii=False, indent=2)
COMPACT = json.dumps(HERE, ensure_ascii=False, separators=(",", ":"))


@pytest.fixture(scope="module")
def simulator(server: ChatServer) -> Iterator[ModelSimulator]:
    settings = ModelSettings(server.url, "tiny-chat", key_variable="TEST_KEY", timeout_s=5, retries=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TEST_KEY", KEY)
        simulator = ModelSimulator(settings)
    yield simulator
    simulator.close()


@pytest.fixture
def examples(cached: Cached) -> list[Example]:
    return [cached("maps_geo", address=address) for address in ("西湖", "武林广场", "杭州东站")]


def call(language: Language = "zh") -> ValidCall:
    return validated("maps_geo", {"address": "灵隐寺景区"}, language)


def question(asked: ValidCall, examples: list[Example], language: Language) -> Question:
    return Question(asked, examples, language, lambda call: ())


def text(result: str, **arguments: Any) -> Example:
    return Example(Call("maps_geo", arguments or {"address": "西湖"}), result, 0.7)


def failure(simulator: ModelSimulator, examples: list[Example], language: Language = "zh") -> ToolFailure:
    with pytest.raises(ToolFailure) as caught:
        simulator.simulate(question(call(language), examples, language))
    return caught.value


def test_a_good_answer_is_handed_on_compact(
    chat: ChatServer, simulator: ModelSimulator, examples: list[Example]
) -> None:
    chat.replies.append(says(GOOD))
    assert simulator.simulate(question(call(), examples, "zh")) == COMPACT


def test_the_request_has_model_temperature_examples_and_call(
    chat: ChatServer, simulator: ModelSimulator, examples: list[Example]
) -> None:
    chat.replies.append(says(GOOD))
    simulator.simulate(question(call(), examples, "zh"))
    (request,) = chat.requests
    assert (request["model"], request["temperature"]) == ("tiny-chat", 0)
    words = "".join(message["content"] for message in request["messages"])
    assert all(example.result in words for example in examples)
    assert all(json.dumps(dict(each.call.arguments), ensure_ascii=False)[12:] in words for each in examples)
    assert '{"address":"灵隐寺景区"}' in words
    assert chat.keys == [f"Bearer {KEY}"]


def test_the_id_names_model_and_prompt(simulator: ModelSimulator) -> None:
    assert simulator.id == f"model:tiny-chat:{PROMPT_VERSION}"


@pytest.mark.parametrize(
    "answer", [f"```json\n{GOOD}\n```", f"<think>hm</think>\n{GOOD}", f"Here:\n```\n{GOOD}\n```"]
)
def test_fences_and_reasoning_are_taken_off(
    chat: ChatServer, simulator: ModelSimulator, examples: list[Example], answer: str
) -> None:
    chat.replies.append(says(answer))
    assert simulator.simulate(question(call(), examples, "zh")) == COMPACT


@pytest.mark.parametrize("bad", [json.dumps(HERE | {"city": None}), "灵隐寺在杭州", "[]"])
def test_a_malformed_answer_is_asked_for_again_with_its_problem(
    chat: ChatServer, simulator: ModelSimulator, examples: list[Example], bad: str
) -> None:
    chat.replies.extend([says(bad), says(GOOD)])
    assert simulator.simulate(question(call("en"), examples, "en")) == COMPACT
    again = chat.requests[1]["messages"]
    assert again[-2] == {"role": "assistant", "content": bad}
    problem = {"[": "it must be a JSON object", "灵": "it is no valid JSON"}.get(
        bad[0], "field city has a wrong"
    )
    assert problem in again[-1]["content"]


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("zh", "模拟结果不符合工具的格式：字段 city 缺失"),
        ("en", "The simulated answer is malformed: field city is missing"),
    ],
)
def test_two_malformed_answers_are_a_schema_failure(
    chat: ChatServer, simulator: ModelSimulator, examples: list[Example], language: Language, told: str
) -> None:
    chat.replies.append(says('{"name":"灵隐寺"}'))
    failed = failure(simulator, examples, language)
    assert (failed.kind, failed.describe(language), len(chat.requests)) == ("schema", told, 2)


def test_an_error_in_the_tools_format_is_an_answer(
    chat: ChatServer, simulator: ModelSimulator, examples: list[Example]
) -> None:
    chat.replies.append(says('{"error": "没有这个地点"}'))
    assert simulator.simulate(question(call(), examples, "zh")) == '{"error":"没有这个地点"}'


def test_any_text_is_taken_where_the_examples_are_text(chat: ChatServer, simulator: ModelSimulator) -> None:
    chat.replies.append(says("灵隐寺位于东经 120.10 度"))
    assert (
        simulator.simulate(question(call(), [text("西湖位于东经 120.14 度")], "zh"))
        == "灵隐寺位于东经 120.10 度"
    )


def test_foreign_json_keeps_its_type_and_its_bytes(chat: ChatServer, simulator: ModelSimulator) -> None:
    chat.replies.extend([says('{"lng": 120.1}'), says('[ {"lng": 120.1} ]')])
    assert (
        simulator.simulate(question(call(), [text('[{"lng": 120.2}]'), text("[]")], "zh"))
        == '[ {"lng": 120.1} ]'
    )
    assert "JSON 数组" in chat.requests[1]["messages"][-1]["content"]


@pytest.mark.parametrize("content", ["", None, "  \n", "<think>for ever"])
def test_an_empty_answer_is_a_failure(
    chat: ChatServer, simulator: ModelSimulator, examples: list[Example], content: str | None
) -> None:
    chat.replies.append(says(content))
    assert failure(simulator, examples).kind == "simulator"
    assert len(chat.requests) == 1


def test_an_answer_that_was_cut_off_is_a_failure(
    chat: ChatServer, simulator: ModelSimulator, examples: list[Example]
) -> None:
    chat.replies.append(says(GOOD[:20], finish_reason="length"))
    failed = failure(simulator, examples, "en")
    assert failed.kind == "simulator"
    assert "cut off" in failed.describe("en")


def test_a_busy_endpoint_is_asked_again_when_it_says(
    chat: ChatServer, simulator: ModelSimulator, examples: list[Example]
) -> None:
    chat.replies.extend([refuses(429, Retry_After="0.05"), says(GOOD)])
    assert simulator.simulate(question(call(), examples, "zh")) == COMPACT
    assert len(chat.requests) == 2


def test_an_endpoint_that_keeps_failing_is_a_failure(
    chat: ChatServer, simulator: ModelSimulator, examples: list[Example]
) -> None:
    chat.replies.append(refuses(500, retry_after_ms="10"))
    assert failure(simulator, examples).kind == "simulator"
    assert len(chat.requests) == 2


@pytest.mark.parametrize(
    "reply",
    [
        refuses(200, "<html>"),
        refuses(200, '{"choices": []}'),
        refuses(200, "[]"),
        refuses(307, "{}", Location="/v1/chat/completions"),
    ],
)
def test_what_is_no_completion_is_a_failure(
    chat: ChatServer, simulator: ModelSimulator, examples: list[Example], reply: Any
) -> None:
    chat.replies.append(reply)
    assert failure(simulator, examples).kind == "simulator"
    assert len(chat.requests) == 1


def test_a_wrong_key_is_told_to_the_log_and_not_to_the_agent(
    chat: ChatServer, simulator: ModelSimulator, examples: list[Example], caplog: pytest.LogCaptureFixture
) -> None:
    chat.replies.append(refuses(401, json.dumps({"error": {"message": f"wrong key {KEY}"}})))
    with caplog.at_level(logging.WARNING, "sandbox.simulation"):
        failed = failure(simulator, examples, "en")
    assert (failed.kind, len(chat.requests)) == ("simulator", 1)
    assert failed.describe("en") == "The tool simulator is not available; try again later"
    assert "AuthenticationError" in caplog.text
    assert KEY not in caplog.text


@pytest.mark.parametrize("reply", [silent(3), dribbles(60, 0.05)])
def test_an_endpoint_that_takes_too_long_is_a_timeout(
    chat: ChatServer, examples: list[Example], reply: Any
) -> None:
    chat.replies.append(reply)
    simulator = ModelSimulator(ModelSettings(chat.url, "tiny-chat", timeout_s=0.15, retries=0))
    started = time.monotonic()
    failed = failure(simulator, examples)
    assert failed.kind == "timeout"
    assert time.monotonic() - started < 2
    simulator.close()


def test_a_broken_connection_is_a_failure(chat: ChatServer, examples: list[Example]) -> None:
    chat.replies.append(cut)
    simulator = ModelSimulator(ModelSettings(chat.url, "tiny-chat", retries=0))
    assert failure(simulator, examples).kind == "simulator"
    simulator.close()


def test_arguments_too_long_for_the_prompt_are_told_to_be_shortened(
    chat: ChatServer, simulator: ModelSimulator, examples: list[Example]
) -> None:
    long = validated("maps_geo", {"address": "长" * 70_000}, "zh")
    with pytest.raises(ToolFailure) as caught:
        simulator.simulate(question(long, examples, "zh"))
    assert (caught.value.kind, chat.requests) == ("simulator", [])
    assert "参数过长" in caught.value.describe("zh")


def test_threads_share_one_simulator(
    chat: ChatServer, simulator: ModelSimulator, examples: list[Example]
) -> None:
    chat.replies.append(says(GOOD))
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: simulator.simulate(question(call(), examples, "zh")), range(12)))
    assert answers == [COMPACT] * 12


def test_no_other_services_key_is_sent_where_none_is_set(
    chat: ChatServer, examples: list[Example], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-another-service")
    chat.replies.append(says(GOOD))
    simulator = ModelSimulator(ModelSettings(chat.url, "tiny-chat", key_variable="UNSET_KEY"))
    simulator.simulate(question(call(), examples, "zh"))
    simulator.close()
    assert chat.keys == ["Bearer none"]


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"base_url": "localhost:1"}, "the address"),
        ({"base_url": "http://"}, "the address"),
        ({"model": ""}, "model"),
        ({"timeout_s": 0}, "timeout_s"),
        ({"retries": -1}, "retries"),
        ({"prompt_characters": 10}, "prompt_characters"),
    ],
)
def test_settings_that_cannot_be_used_are_named(settings: dict[str, Any], named: str) -> None:
    usual: dict[str, Any] = {"base_url": "http://localhost:1/v1", "model": "m"}
    with pytest.raises(ValueError, match=named):
        ModelSettings(**(usual | settings))


def test_a_key_that_no_header_can_carry_is_refused_without_being_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TEST_KEY", "密钥")
    with pytest.raises(ValueError, match="TEST_KEY") as caught:
        ModelSimulator(ModelSettings("http://localhost:1/v1", "m", key_variable="TEST_KEY"))
    assert "密钥" not in str(caught.value)
