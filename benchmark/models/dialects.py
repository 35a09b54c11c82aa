"""What is sent to a server: one request under one setup, in the words that this server takes."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from benchmark.models.chat import ChatRequest, Message
from benchmark.models.setup import LimitParameter, ModelSetup

_NEW_LIMIT_HOSTS = ("api.openai.com", ".openai.azure.com")
"""OpenAI's reasoning models refuse max_tokens, and its others take both names; elsewhere max_tokens is the name that
every server knows, and some refuse the new one."""


def parameters(setup: ModelSetup, request: ChatRequest) -> dict[str, Any]:
    """The arguments of `chat.completions.create`, with `extra_body` for what OpenAI's own servers don't have."""
    sent: dict[str, Any] = {"model": setup.model, "messages": _messages(setup, request)}
    sent[limit_parameter(setup)] = setup.max_tokens
    if takes_temperature(setup):
        sent |= _sampling(setup, request)
    if setup.seed is not None:
        sent["seed"] = setup.seed
    if request.tools:
        sent["tools"] = [dict(tool) for tool in request.tools]
    if request.json_object and setup.json_mode:
        sent["response_format"] = {"type": "json_object"}
    return sent | _logprobs(setup) | _streaming(setup) | _thinking(setup)


def limit_parameter(setup: ModelSetup) -> LimitParameter:
    """The name of the limit of an answer: the setup's own, else by the address."""
    if setup.limit_parameter:
        return setup.limit_parameter
    host = urlsplit(setup.base_url).hostname or ""
    return "max_completion_tokens" if host.endswith(_NEW_LIMIT_HOSTS) else "max_tokens"


def _logprobs(setup: ModelSetup) -> dict[str, Any]:
    """One alternative a token: llama.cpp sends 20 where nothing is said, and no log-probabilities at all for none."""
    return {"logprobs": True, "top_logprobs": 1} if setup.logprobs else {}


def _streaming(setup: ModelSetup) -> dict[str, Any]:
    return {"stream": True, "stream_options": {"include_usage": True}} if setup.streams else {}


def _thinking(setup: ModelSetup) -> dict[str, Any]:
    """Nothing where the server's own default shall hold."""
    if setup.thinking == "default":
        return {}
    on = setup.thinking == "on"
    if setup.dialect == "reasoning_effort":
        return {"reasoning_effort": "medium" if on else "none"}
    if setup.dialect == "thinking_type":
        return {"extra_body": {"thinking": {"type": "enabled" if on else "disabled"}}}
    if setup.dialect == "chat_template":
        return {"extra_body": {"chat_template_kwargs": {"enable_thinking": on}}}
    return {"extra_body": {"enable_thinking": on}}


def _sampling(setup: ModelSetup, request: ChatRequest) -> dict[str, float]:
    """What is chosen, else the endpoint's own temperature alone, else what the role asks for: some servers take no
    top_p beside a temperature, so that none is sent that nobody chose for this model.
    """
    if setup.temperature is not None:
        own = {"temperature": setup.temperature}
        return own if setup.top_p is None else own | {"top_p": setup.top_p}
    top_p = request.top_p if setup.top_p is None else setup.top_p
    return {"temperature": request.temperature} | ({} if top_p is None else {"top_p": top_p})


def takes_temperature(setup: ModelSetup) -> bool:
    """Whether a temperature may be sent.

    OpenAI's reasoning models refuse one unless they are told not to reason; DeepSeek's thinking ignores it.
    """
    if setup.dialect == "reasoning_effort":
        return setup.thinking == "off"
    return not (setup.dialect == "thinking_type" and setup.thinking == "on")


def _messages(setup: ModelSetup, request: ChatRequest) -> list[dict[str, Any]]:
    """Former thoughts go back, as DeepSeek demands beside tool calls; OpenAI-like servers refuse them."""
    if setup.dialect == "reasoning_effort":
        return [_without_thoughts(message) for message in request.messages]
    return [dict(message) for message in request.messages]


def _without_thoughts(message: Message) -> dict[str, Any]:
    return {name: value for name, value in message.items() if name != "reasoning_content"}
