"""What a session gives that people and models compare: a plan, or words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import dropwhile
from typing import Literal

from benchmark.core.events import MessagePosted
from benchmark.core.view import AGENT

AnswerKind = Literal["plan", "words"]
"""A suite whose agents are asked for a plan gives plans; what others give is all that was said."""


def exchange_of(messages: Iterable[MessagePosted]) -> list[MessagePosted]:
    """What was said after the opening, up to the agent's last words; nothing where the agent said nothing.

    Of a single turn that is one answer. Of several it is the questions and replies on the way too.
    """
    said = [message for message in messages if not message.opening and message.content.strip()]
    return list(dropwhile(lambda message: message.role != AGENT, reversed(said)))[::-1]


def exchange_text(exchange: Sequence[MessagePosted]) -> str:
    """An exchange as one text: a single message as it is, of several each with who said it."""
    if len(exchange) == 1:
        return exchange[0].content
    return "\n\n".join(f"{message.role}: {message.content}" for message in exchange)
