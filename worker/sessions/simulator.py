"""The line from a simulator of tools to its model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchmark.models import ChatRequest, Model, ModelFailure, ModelSetup
from sandbox.simulation import ModelSimulator, WrittenAnswer
from sandbox.simulation.model import OVERFLOW, PROMPT_CHARACTERS, TIMEOUT
from sandbox.tools.errors import ToolFailure


def simulator_over(model: Model) -> ModelSimulator:
    """A simulator that asks a seat's model, through its place at the endpoint and on the session's log."""

    def ask(messages: Sequence[Mapping[str, str]]) -> WrittenAnswer:
        try:
            reply = model.ask(ChatRequest(tuple(messages)))
        except ModelFailure as failure:
            if (error := _as_tool_error(failure)) is not None:
                raise error from failure
            raise
        return WrittenAnswer(reply.text, cut_off=reply.finish_reason == "length")

    return ModelSimulator(model.setup.model, ask, prompt_characters=_room(model.setup))


def _as_tool_error(failure: ModelFailure) -> ToolFailure | None:
    """What the agent is told at once; all else ends the step, as with any other model.

    A timeout is not tried again: the agent has waited long enough, and may ask for less.
    """
    match failure.kind:
        case "timeout":
            return ToolFailure("timeout", TIMEOUT)
        case "overflow":
            return ToolFailure("simulator", OVERFLOW)
        case _:
            return None


def _room(setup: ModelSetup) -> int:
    """Characters of a prompt beside which an answer fits into the context, at a token a character at most."""
    if setup.context_limit is None:
        return PROMPT_CHARACTERS
    return setup.context_limit - setup.max_tokens
