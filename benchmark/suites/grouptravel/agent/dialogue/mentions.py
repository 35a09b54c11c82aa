"""Who is addressed by a message."""

from __future__ import annotations

from collections.abc import Iterable

from benchmark.core.view import AGENT, Message
from benchmark.text import guarded


def addressed(text: str, names: Iterable[str]) -> str | None:
    """The rightmost mentioned name of `names`, longest name first; None when nobody is."""
    ordered = sorted(names, key=len, reverse=True)
    pattern = "|".join(guarded.escape(name) for name in ordered)
    found = guarded.findall(rf"@({pattern})(?![A-Za-z0-9_])", text) if pattern else []
    return found[-1] if found else None


def question_before(messages: tuple[Message, ...], place: int) -> str | None:
    """The agent's message that the one at `place` replies to: the one right before, if it addresses the speaker."""
    if place == 0 or messages[place - 1].role != AGENT:
        return None
    before, speaker = messages[place - 1].content, messages[place].role
    return (
        before if addressed(before, {message.role for message in messages} | {speaker}) == speaker else None
    )
