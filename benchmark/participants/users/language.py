"""The words of one language: how a scripted traveller speaks, and how it reads the agent. Data, not code."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "languages"
DEFAULT = "zh"


@dataclass(frozen=True, slots=True)
class Language:
    """`speech`: wordings by dotted key; `patterns`: compiled expressions by dotted key; `topics` in reading order."""

    speech: Mapping[str, Any]
    patterns: Mapping[str, re.Pattern[str]]
    topics: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]
    aliases: Mapping[str, Mapping[str, str]]
    numerals: Mapping[str, int]

    def has(self, pattern: str, text: str) -> bool:
        """Whether the expression named `pattern` occurs in `text`."""
        return bool(self.patterns[pattern].search(text))

    def value(self, text: str) -> float | None:
        """The number that `text` writes (2500, 2,500, 2.5k, 三千, 两千五); None when it is none."""
        text = text.replace(",", "").strip()
        try:
            return float(text)
        except ValueError:
            return self._written(text)

    def _written(self, text: str) -> float | None:
        unit = self.numerals.get(text[-1:], 0)
        if unit >= 1000 and text[:-1].strip().replace(".", "", 1).isdecimal():
            return float(text[:-1]) * unit
        if not text or any(sign not in self.numerals for sign in text):
            return None
        return float(_spelt([self.numerals[sign] for sign in text]))


def _spelt(signs: list[int]) -> int:
    """Digits and units in order; a last digit after a unit stands for tenths of it (两千五 is 2500)."""
    total, digit, unit = 0, 0, 1
    for sign in signs:
        if sign < 10:
            digit = sign
            continue
        total, digit = (total + digit) * sign if sign > max(unit, 1) > 1 else total + max(digit, 1) * sign, 0
        unit = sign
    zero = 0 in signs
    return total + digit * (unit // 10 if unit >= 100 and not zero else 1)


def language(code: str) -> Language:
    """The words of `code`, those of Chinese where the code has none."""
    return _load(code if code.isalpha() and (FOLDER / code).is_dir() else DEFAULT)


@cache
def _load(code: str) -> Language:
    speech = tomllib.loads((FOLDER / code / "speech.toml").read_text(encoding="utf-8"))
    lexicon = tomllib.loads((FOLDER / code / "lexicon.toml").read_text(encoding="utf-8"))
    groups = ("text", "signal", "concession", "proposal", "concession_units")
    patterns = {
        f"{group}.{key}": re.compile(text) for group in groups for key, text in lexicon[group].items()
    }
    topics = tuple(
        (re.compile(text), tuple(lexicon["topic_names"][key])) for key, text in lexicon["topics"].items()
    )
    aliases = {kind: _by_word(names) for kind, names in lexicon["aliases"].items()}
    return Language(speech, patterns, topics, aliases, lexicon["numerals"])


def _by_word(names: Mapping[str, list[str]]) -> dict[str, str]:
    return {word: name for name, words in names.items() for word in words}
