"""Who a message addresses."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from benchmark.core.view import AGENT
from benchmark.text import guarded


@lru_cache(maxsize=512)
def _pattern(names: tuple[str, ...]) -> guarded.Pattern:
    longest_first = sorted(names, key=len, reverse=True)
    return guarded.compile("@(" + "|".join(map(guarded.escape, longest_first)) + r")(?![A-Za-z0-9_])")


def mention_pattern(users: Iterable[str]) -> guarded.Pattern:
    """A pattern for `@name` of a user or of the agent: case-sensitive, not followed by an ASCII word character."""
    return _pattern((*users, AGENT))


def rightmost_mention(text: str, users: Iterable[str]) -> str | None:
    """The last name mentioned in `text`, None where nobody is."""
    found = mention_pattern(users).findall(text)
    return found[-1] if found else None
