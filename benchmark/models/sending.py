"""A request as its server gets it."""

from __future__ import annotations

from typing import Any

from benchmark.models.chat import ChatRequest
from benchmark.models.dialects import parameters
from benchmark.models.setup import ModelSetup
from benchmark.models.text_tools import as_text, uses_tools
from sandbox.tools.language import Language


def in_text(setup: ModelSetup, request: ChatRequest) -> bool:
    """Whether tools are explained in the text of this request, for a model without tool calls."""
    return setup.tools == "text" and uses_tools(request)


def arguments(setup: ModelSetup, request: ChatRequest, language: Language) -> dict[str, Any]:
    """The arguments of `chat.completions.create`. language: in which the text protocol for tools is explained."""
    return parameters(setup, as_text(request, language) if in_text(setup, request) else request)


def body(arguments: dict[str, Any]) -> dict[str, Any]:
    """The JSON object that these arguments are sent as."""
    own = {name: value for name, value in arguments.items() if name != "extra_body"}
    return {**own, **arguments.get("extra_body", {})}
