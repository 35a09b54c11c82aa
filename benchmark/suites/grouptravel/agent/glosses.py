"""Cities as an English group calls them: the data says 杭州市, people say Hangzhou."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from benchmark.core.view import AGENT, Message
from benchmark.text import guarded

_HAN = r"\u3400-\u9fff"
_PLAN = "```"
CityNames = tuple[tuple[str, str], ...]
"""The name that the request gives, and the one in the data."""


def as_people_say(text: str, called: CityNames) -> str:
    """The words before a plan with the cities' names as the request gives them; names of places stay whole."""
    words, fence, plan = text.partition(_PLAN)
    for name, city in called:
        words = guarded.sub(rf"(?<![{_HAN}]){guarded.escape(city)}(?![{_HAN}])", name, words)
    return words + fence + plan


def as_the_data_says(messages: Iterable[Message], called: CityNames) -> tuple[Message, ...]:
    """The chat with the agent's own words as it thought them."""
    return tuple(
        replace(message, content=_in_data(message.content, called)) if message.role == AGENT else message
        for message in messages
    )


def _in_data(text: str, called: CityNames) -> str:
    words, fence, plan = text.partition(_PLAN)
    for name, city in called:
        words = guarded.sub(rf"\b{guarded.escape(name)}\b", city, words)
    return words + fence + plan
