"""Cities and the values of the tables as an English group calls them: Hangzhou for 杭州市, hotpot for 火锅."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from benchmark.core.view import AGENT, Message
from benchmark.text import guarded
from sandbox.worlds.value_names import value_names

_HAN = r"\u3400-\u9fff"
_PLAN = "```"
_SENTENCE_ENDS = (".", "!", "?")
CalledNames = tuple[tuple[str, str], ...]
"""The name that people use, and the one in the data."""


def called_names(cities: CalledNames, language: str) -> CalledNames:
    """What English talk calls the cities of the request and the tables' values; nothing for other talk.

    cities: those that the request gives another name.
    """
    values = value_names(language) if language == "en" else {}
    return (*cities, *((name, value) for value, name in values.items()))


def as_people_say(text: str, called: CalledNames) -> str:
    """The words before a plan as people say them; names of places stay whole."""
    if not called:
        return text
    words, fence, plan = text.partition(_PLAN)
    names = {datum: name for name, datum in called}

    def in_words(match: guarded.Match) -> str:
        name, before = names[match.group()], words[: match.start()].rstrip()
        starts = not before or before.endswith(_SENTENCE_ENDS)
        return name[:1].upper() + name[1:] if starts else name

    return _data(called).sub(in_words, words) + fence + plan


def as_the_data_says(messages: Iterable[Message], called: CalledNames) -> tuple[Message, ...]:
    """The chat with the agent's own words as it thought them."""
    return tuple(
        replace(message, content=_in_data(message.content, called)) if message.role == AGENT else message
        for message in messages
    )


def _in_data(text: str, called: CalledNames) -> str:
    if not called:
        return text
    words, fence, plan = text.partition(_PLAN)
    data = {name.lower(): datum for name, datum in called}
    return _names(called).sub(lambda match: data[match.group().lower()], words) + fence + plan


@lru_cache(maxsize=64)
def _data(called: CalledNames) -> guarded.Pattern:
    """What stands alone: neither within a longer name, nor in the brackets of one."""
    data = _any_of(datum for _, datum in called)
    return guarded.compile(rf"(?<![{_HAN}(（·/])(?:{data})(?![{_HAN})）·/])")


@lru_cache(maxsize=64)
def _names(called: CalledNames) -> guarded.Pattern:
    names = _any_of(name for name, _ in called)
    return guarded.compile(rf"\b(?:{names})\b", guarded.IGNORECASE)


def _any_of(names: Iterable[str]) -> str:
    """The longest first, so that Hangzhou cooking is no city."""
    return "|".join(map(guarded.escape, sorted(names, key=len, reverse=True)))
