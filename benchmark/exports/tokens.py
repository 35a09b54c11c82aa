"""The tokens of an agent's messages as trainers read them: which reply made a message, and where its tokens stand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple

from benchmark.core.events import (
    AgentNoted,
    Event,
    MessagePosted,
    ModelCalled,
    ThoughtKept,
    ToolCalled,
    TurnGranted,
)
from benchmark.core.view import AGENT
from benchmark.models import Reply
from benchmark.models.exchange import Exchange
from benchmark.models.tokens import Token, join

_MENDED_SHARE: Final = 0.05
"""The share of a text's characters that mending changes at most."""
Offsets = Literal["tokens", "message", ""]
BY_TOKEN: Final = "tokens"
BY_MESSAGE: Final = "message"
OF_OTHERS: Final = ""
"""Whether tokens are placed in a message one by one, or belong to it as a whole; "" of others' messages."""


class PlacedToken(NamedTuple):
    """start, end: in bytes of the message's content, None where the token is none of its words."""

    token: Token
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True)
class MessageTokens:
    """The tokens that made a message, none where they are not known."""

    offsets: Offsets
    tokens: Sequence[PlacedToken] = ()


OTHERS = MessageTokens(OF_OTHERS)
UNKNOWN_TOKENS = MessageTokens(BY_MESSAGE)


# Which reply made a message.


class Authorship(NamedTuple):
    """What a model wrote in a turn since the last message. thought: as the log has it beside the message."""

    replies: Sequence[Reply] = ()
    thought: str = ""


def read_written(events: Iterable[Event], exchanges: Iterable[Exchange]) -> dict[int, Authorship]:
    """By the number of the event that begins a message of the agent, what may have made it, oldest first."""
    recorded = {exchange.number: exchange for exchange in exchanges}
    found: dict[int, Authorship] = {}
    since, thought, asked = list[Reply](), "", 0
    for event in events:
        match event.body:
            case ModelCalled(seat=seat):
                asked += 1
                exchange = recorded.get(asked)
                if seat == AGENT and exchange is not None and exchange.reply is not None:
                    since.append(exchange.reply)
                thought = "" if seat == AGENT else thought
            case ThoughtKept(speaker=speaker) if speaker == AGENT:
                thought = event.body.content
            case TurnGranted():
                since, thought = [], ""
            case MessagePosted(role=role) if role == AGENT:
                found[event.seq], since, thought = Authorship(since, thought), [], ""
            case AgentNoted() | ToolCalled():
                found[event.seq], since, thought = Authorship(since, thought), [], ""
    return found


def tokens_of(message: Mapping[str, Any], written: Authorship) -> MessageTokens:
    """The tokens of the agent's message: those of the last reply that holds its words or its calls, that is kept as
    the thought beside it, or whose words were mended. Where a program made the message, they are unknown.
    """
    made = [reply for reply in written.replies if _has_made(reply, message, written.thought)]
    return place(made[-1], message["content"] or "") if made else UNKNOWN_TOKENS


def _has_made(reply: Reply, message: Mapping[str, Any], thought: str) -> bool:
    content, words = message["content"] or "", reply.text.strip()
    called = [call["function"]["name"] for call in message.get("tool_calls") or ()]
    if called and called == [call.name for call in reply.calls]:
        return True
    return bool(content and words) and (content in words or words in thought or _is_mended(content, words))


def _is_mended(content: str, words: str) -> bool:
    """Whether two texts consist of almost the same characters: mending a plan's JSON adds and takes a few."""
    one, other = Counter(content), Counter(words)
    return ((one - other) + (other - one)).total() <= _MENDED_SHARE * len(words)


# Where its tokens stand.


def place(reply: Reply, content: str) -> MessageTokens:
    """The tokens of a reply in the content of its message.

    They are placed where their bytes, joined, hold those of the content: thoughts may stand before it, and calls and
    marks of the template around it. The first place behind the thoughts counts.
    """
    if reply.tokens is None:
        return UNKNOWN_TOKENS
    tokens, words = reply.tokens.read(), content.encode("utf-8", "replace")
    begin, length = _find(join(tokens), words, reply.reasoning), len(words)
    if begin is None:
        return MessageTokens(BY_MESSAGE, [PlacedToken(token) for token in tokens])
    placed, at = [], -begin
    for token in tokens:
        start, at = at, at + len(token.content)
        is_word = at > 0 and start < length and at > start
        placed.append(PlacedToken(token, max(start, 0), min(at, length)) if is_word else PlacedToken(token))
    return MessageTokens(BY_TOKEN, placed)


def _find(written: bytes, content: bytes, reasoning: str) -> int | None:
    """Where the content begins in what the model wrote, None where nobody can tell."""
    if not content:
        return None
    thoughts = reasoning.strip().encode("utf-8", "replace")
    at = written.find(thoughts) if thoughts else -1
    behind = at + len(thoughts) if at >= 0 else 0
    begin = written.find(content, behind)
    is_unsure = bool(thoughts) and at < 0 and written.find(content, begin + 1) >= 0
    return None if begin < 0 or is_unsure else begin


# As columns.


MESSAGE_COLUMNS: Final = ("message_offsets", "message_tokens")
TOKEN_COLUMNS: Final = (
    *("token_message", "token_text", "token_bytes", "token_start", "token_end"),
    *("token_logprob", "token_mask", "token_advantage"),
)


def token_columns(
    messages: Sequence[MessageTokens], mask: Sequence[int], advantages: Sequence[float | None]
) -> dict[str, list[Any]]:
    """Messages with their tokens, in one list a column. mask, advantages: of each message."""
    columns: dict[str, list[Any]] = {
        "message_offsets": [each.offsets for each in messages],
        "message_tokens": [len(each.tokens) for each in messages],
        **{name: [] for name in TOKEN_COLUMNS},
    }
    for number, each in enumerate(messages):
        for token, start, end in each.tokens:
            row = (
                *(number, token.content.decode(errors="replace"), token.content.hex(), start, end),
                *(token.logprob, mask[number], advantages[number]),
            )
            for name, value in zip(TOKEN_COLUMNS, row, strict=True):
                columns[name].append(value)
    return columns
