"""What an agent over a model is told of a task before it plans: the prompt of a preference pair."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from benchmark.core.engine import Conversation, step
from benchmark.core.events import Event, SessionFinished, TurnGranted
from benchmark.core.participant import Cast, OverModel, SeatContext
from benchmark.core.rules import Rules
from benchmark.core.view import AGENT
from benchmark.exports.messages import conversation_messages
from benchmark.models import ChatRequest, ModelSetup, Reply

PLANNER = "direct"
"""The way of using a model in which everything is told in one request."""
TALKER = "llm"
"""The one in which a model calls tools by the protocol, and talks."""
MOST_STEPS = 8


class _Listener:
    """A model that says nothing of use, and keeps what it was asked."""

    setup = ModelSetup(name="listener", base_url="http://localhost", model="listener")

    def __init__(self) -> None:
        self.request: ChatRequest | None = None

    def ask(self, request: ChatRequest) -> Reply:
        """Keep a request that asks for words, not for a table."""
        if not request.json_object:
            self.request = request
        return Reply(text="{}")


def prompt_messages(
    rules: Rules[Any], cast: Cast, context: SeatContext, events: Iterable[Event]
) -> list[dict[str, Any]]:
    """The messages that an agent gets who is asked for the plan at once, in the language of the task.

    rules, cast: of the benchmark. context: of the agent's seat. events: of a session on this task, as many as there
    are; only its opening counts. Of a benchmark without such an agent they are the opening messages.
    """
    opening = []
    for event in events:
        if isinstance(event.body, TurnGranted | SessionFinished):
            break
        opening.append(event)
    asked = _request(rules, cast, context, opening, PLANNER)
    messages = asked.messages if asked else conversation_messages(opening)
    return [{"role": message["role"], "content": message["content"]} for message in messages]


def talk_request(
    rules: Rules[Any], cast: Cast, context: SeatContext, events: Iterable[Event]
) -> ChatRequest | None:
    """The first request of an agent that calls tools and talks; None where the benchmark has none, or it got no turn.

    The arguments are those of `prompt_messages`; the events up to the agent's first turn count.
    """
    begun = []
    for event in events:
        begun.append(event)
        if isinstance(event.body, TurnGranted) and event.body.speaker == AGENT:
            return _request(rules, cast, context, begun, TALKER)
    return None


def _request(
    rules: Rules[Any], cast: Cast, context: SeatContext, opening: list[Event], way: str
) -> ChatRequest | None:
    kind = cast.agents.get(way)
    if not opening or not isinstance(kind, OverModel):
        return None
    listener = _Listener()
    agent = kind.make(context, listener)
    log: Conversation[Any] = Conversation(rules)
    for event in opening:
        log.apply(event)
    for _ in range(MOST_STEPS):
        if _out_of_hand(log):
            break
        log.append(step(log, {AGENT: agent}, _NoTools()))
        if listener.request is not None:
            return listener.request
    return None


def _out_of_hand(log: Conversation[Any]) -> bool:
    """Whether somebody else has the turn, or nobody ever again."""
    turn = log.state.turn
    others = turn is not None and not log.state.ask_again and turn.speaker != AGENT
    return others or isinstance(log.events[-1].body, SessionFinished)


class _NoTools:
    """A planner that plans at once calls none."""

    def call(self, name: str, arguments: dict[str, Any] | str) -> Any:
        raise AssertionError(f"{name} was called by an agent without tools")
