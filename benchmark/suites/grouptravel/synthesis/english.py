"""English words for what tasks name in Chinese."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import orjson

from benchmark.suites.grouptravel.synthesis.archetypes import DATA

_WORDS: dict[str, Any] = orjson.loads((DATA / "english.json").read_bytes())
Kind = Literal["cities", "modes", "hotels", "attractions", "foods"]


def with_gloss(kind: Kind, name: str) -> str:
    """The English word with the name of tables and tools in brackets; the name alone where there is no word."""
    word = _WORDS[kind].get(name)
    return f"{word} ({name})" if word else name


def word(kind: Kind, name: str) -> str:
    """The English word alone, else the name."""
    english_word: str = _WORDS[kind].get(name, name)
    return english_word


def join_parts(parts: Sequence[str], last: str = "and") -> str:
    """A, B and C."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {last} {parts[-1]}"
