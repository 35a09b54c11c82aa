"""Conversations as trainers read them: a prompt and what followed, turn by turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import dropwhile, takewhile
from typing import Any, NamedTuple

from benchmark.advantages.gtpo import RewardedTurn, RolloutTurn
from benchmark.core.events import Event, MessagePosted, ModelCalled
from benchmark.core.view import AGENT
from benchmark.exports.messages import Message, numbered_messages

ASSISTANT = "assistant"


class TalkMessage(NamedTuple):
    """turn: from 1, as replies end them. seq: the number of the event that begins the message."""

    turn: int
    message: Message
    seq: int = 0

    @property
    def is_agents(self) -> bool:
        """Whether a trained model would write it."""
        return bool(self.message["role"] == ASSISTANT)


@dataclass(frozen=True)
class Talk:
    """A session up to its last reply. opening: what was said before the agent's first act.

    tools: definitions as JSON. turns: as they are rewarded, empty where only the session is.
    """

    opening: Sequence[Message]
    messages: Sequence[TalkMessage]
    tools: str
    turns: Sequence[RolloutTurn] = ()

    @property
    def length(self) -> int:
        """Turns in it."""
        return max((said.turn for said in self.messages), default=0)


def read_talk(
    events: Sequence[Event],
    tools: str,
    rewarded: Sequence[RewardedTurn] | None = None,
    context: int | None = None,
) -> Talk:
    """The conversation of a session.

    rewarded: its turns, None where only the session is rewarded. context: tokens of a request and its answer beyond
    which a turn is not complete, None for any number.
    """
    replies = [event.seq for event in events if _is_reply(event)]
    ends = replies if rewarded is None else [each.message for each in rewarded]
    said = [
        TalkMessage(number, message, seq)
        for number, part in _parts(events, ends)
        for seq, message in numbered_messages(part)
    ]
    opening = [each.message for each in takewhile(lambda each: not each.is_agents, said)]
    rest = list(dropwhile(lambda each: not each.is_agents, said))
    turns = [
        each.turn._replace(is_complete=each.turn.is_complete and _fits(part, context))
        for each, (_, part) in zip(rewarded or (), _parts(events, ends), strict=False)
    ]
    return Talk(opening, rest, tools, turns)


def _is_reply(event: Event) -> bool:
    return isinstance(event.body, MessagePosted) and event.body.role == AGENT


def _parts(events: Iterable[Event], ends: Sequence[int]) -> Iterator[tuple[int, list[Event]]]:
    """The events of each turn; those after the last reply are of none."""
    before = 0
    for number, end in enumerate(ends, 1):
        yield number, [event for event in events if before < event.seq <= end]
        before = end


def _fits(part: Iterable[Event], context: int | None) -> bool:
    calls = [event.body for event in part if isinstance(event.body, ModelCalled) and event.body.seat == AGENT]
    spent = [call.tokens.prompt + call.tokens.completion for call in calls if call.tokens is not None]
    return context is None or max(spent, default=0) <= context


def message_row(message: Message) -> dict[str, Any]:
    """A message with the same fields as every other, as tables need it; arguments of calls are JSON text."""
    return {
        "role": message["role"],
        "content": message["content"],
        "tool_calls": list(message.get("tool_calls", ())),
        "tool_call_id": message.get("tool_call_id", ""),
    }
