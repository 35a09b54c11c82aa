"""An agent over a model with native tool calls, as the one of GroupTravelBench (appendix D.3 to D.7)."""

from __future__ import annotations

from typing import Any

import orjson

from benchmark.agents.base import ModelAgent
from benchmark.core.actions import Action, CallTools, ToolCall
from benchmark.core.view import View
from benchmark.models import Reply


class LlmAgent(ModelAgent):
    """Asks, looks up, mediates and plans as its model sees fit.

    Whom it mentions is its own affair: a message to two members goes out, and the benchmark measures it.
    """

    def _offers_tools(self, view: View) -> bool:
        return view.turn.tools_allowed and not self._sums_up(view)

    def _action_of(self, view: View, reply: Reply) -> Action:
        return tool_calls(reply) if reply.calls else self._say(view, reply)


DEEPEST = 100
"""Levels of an object of arguments; none of the tools takes more than one."""


def tool_calls(reply: Reply) -> CallTools:
    """The native calls of an answer, with the words beside them."""
    calls = tuple(ToolCall(call.name, _arguments(call.arguments)) for call in reply.calls)
    return CallTools(calls, note=reply.text.strip(), thought=reply.reasoning)


def _arguments(written: str) -> dict[str, Any] | str:
    """The JSON object, or the text as it was written: the sandbox says what is wrong with it.

    So is an object that is nested deeper than a log can hold.
    """
    try:
        arguments = orjson.loads(written)
    except ValueError:
        return written
    return arguments if isinstance(arguments, dict) and _levels(arguments) <= DEEPEST else written


def _levels(value: object) -> int:
    """How deep objects and lists lie in each other."""
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if inside is None else 1 + max(map(_levels, inside), default=0)
