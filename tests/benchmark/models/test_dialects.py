"""What is sent under which setup."""

from __future__ import annotations

from typing import Any

import pytest

from benchmark.models import ChatRequest, ModelSetup
from benchmark.models.dialects import parameters

THOUGHT = {"role": "assistant", "content": "好", "reasoning_content": "想"}


def _sent_parameters(request: ChatRequest | None = None, **changes: Any) -> dict[str, Any]:
    given = {"name": "n", "base_url": "http://localhost:1/v1", "model": "m", **changes}
    return parameters(ModelSetup(**given), request or ChatRequest((THOUGHT,), temperature=0.7))


@pytest.mark.parametrize(
    ("dialect", "thinking", "expected"),
    [
        ("enable_thinking", "on", {"extra_body": {"enable_thinking": True}, "temperature": 0.7}),
        ("enable_thinking", "off", {"extra_body": {"enable_thinking": False}, "temperature": 0.7}),
        (
            "chat_template",
            "on",
            {"extra_body": {"chat_template_kwargs": {"enable_thinking": True}}, "temperature": 0.7},
        ),
        ("thinking_type", "on", {"extra_body": {"thinking": {"type": "enabled"}}}),
        ("thinking_type", "off", {"extra_body": {"thinking": {"type": "disabled"}}, "temperature": 0.7}),
        ("thinking_type", "default", {"temperature": 0.7}),
        ("reasoning_effort", "on", {"reasoning_effort": "medium"}),
        ("reasoning_effort", "off", {"reasoning_effort": "none", "temperature": 0.7}),
        ("reasoning_effort", "default", {}),
    ],
)
def test_thinking_in_four_dialects(dialect: str, thinking: str, expected: dict[str, Any]) -> None:
    sent = _sent_parameters(dialect=dialect, thinking=thinking, streams=False)
    assert {key: sent[key] for key in sent if key not in ("model", "messages", "max_tokens")} == expected
    assert sent["messages"][0].get("reasoning_content") == (None if dialect == "reasoning_effort" else "想")


def test_the_setups_temperature_goes_before_the_roles() -> None:
    assert _sent_parameters(temperature=0.2)["temperature"] == 0.2
    assert _sent_parameters(temperature=0)["temperature"] == 0


def test_top_p_is_sent_beside_the_roles_temperature_alone() -> None:
    request = ChatRequest((THOUGHT,), temperature=0.0, top_p=0.95)
    assert (_sent_parameters(request)["temperature"], _sent_parameters(request)["top_p"]) == (0.0, 0.95)
    assert "top_p" not in _sent_parameters() and "top_p" not in _sent_parameters(request, temperature=0)
    assert "top_p" not in _sent_parameters(request, dialect="reasoning_effort")


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({}, "max_tokens"),
        ({"base_url": "https://api.openai.com/v1"}, "max_completion_tokens"),
        ({"base_url": "https://lab.openai.azure.com/openai/v1"}, "max_completion_tokens"),
        ({"base_url": "https://api.openai.com.example.org/v1"}, "max_tokens"),
        ({"limit_parameter": "max_completion_tokens"}, "max_completion_tokens"),
        ({"base_url": "https://api.openai.com/v1", "limit_parameter": "max_tokens"}, "max_tokens"),
    ],
)
def test_the_name_of_the_limit(changes: dict[str, Any], name: str) -> None:
    sent = _sent_parameters(max_tokens=99, **changes)
    assert {key: sent[key] for key in sent if key.startswith("max_")} == {name: 99}


def test_tools_and_json_only_where_they_are_wanted_and_allowed() -> None:
    tool = {"type": "function", "function": {"name": "a"}}
    request = ChatRequest((THOUGHT,), (tool,), json_object=True)
    assert _sent_parameters(request)["tools"] == [tool] and "response_format" not in _sent_parameters(request)
    assert _sent_parameters(request, json_mode=True)["response_format"] == {"type": "json_object"}
    assert "tools" not in _sent_parameters(json_mode=True) and "response_format" not in _sent_parameters(
        json_mode=True
    )
