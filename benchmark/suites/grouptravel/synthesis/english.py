"""English words for what tasks name in Chinese."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import orjson

from benchmark.suites.grouptravel.synthesis.archetypes import DATA
from sandbox.worlds.value_names import value_names

_WORDS: dict[str, Any] = orjson.loads((DATA / "english.json").read_bytes())
Kind = Literal["cities", "modes", "values"]
"""`values`: classes of hotels, kinds of attractions and of food, which have one name in all talk."""


def with_gloss(kind: Kind, name: str) -> str:
    """The English word with the name of tables and tools in brackets; the name alone where there is no word."""
    found = word(kind, name)
    return f"{found} ({name})" if found != name else name


def word(kind: Kind, name: str) -> str:
    """The English word alone, else the name."""
    names = value_names("en") if kind == "values" else _WORDS[kind]
    return str(names.get(name, name))


def join_parts(parts: Sequence[str], last: str = "and") -> str:
    """A, B and C."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {last} {parts[-1]}"
