"""The words of one language: how a scripted traveller speaks, and how it reads the agent. Data, not code."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from benchmark.core.view import AGENT
from benchmark.text import guarded

FOLDER = Path(__file__).parent / "languages"
DEFAULT = "zh"
_CLAUSE_END = guarded.compile(r"[,，.。!！?？;；:：]")
LONGEST_NUMBER = 80
"""Characters of a number: what is longer is none."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How a language is written.

    ignore_case: whether capitals mean nothing. short: the number of words (`text.word`) that an aside holds at most.
    elliptic: whether a last digit stands for tenths of the unit before it (两千五 is 2500, two thousand five is not).
    opening: the number of words (`text.word`) by which the beginning of a message is known. run: how many in a row
    make a turn of phrase.
    """

    ignore_case: bool
    short: int
    elliptic: bool
    opening: int
    run: int

    @property
    def flags(self) -> guarded.RegexFlag:
        """The flags that the language's expressions are compiled with."""
        return guarded.IGNORECASE if self.ignore_case else guarded.NOFLAG


@dataclass(frozen=True, slots=True)
class Language:
    """`speech`: wordings by dotted key; `patterns`: compiled expressions by dotted key; `topics` in reading order."""

    speech: Mapping[str, Any]
    patterns: Mapping[str, guarded.Pattern]
    topics: tuple[tuple[guarded.Pattern, tuple[str, ...]], ...]
    aliases: Mapping[str, Mapping[str, str]]
    numerals: Mapping[str, int]
    reading: Reading

    def has(self, pattern: str, text: str) -> bool:
        """Whether the expression named `pattern` occurs in `text`."""
        return bool(self.patterns[pattern].search(text))

    def value(self, text: str) -> float | None:
        """The number that `text` writes (2500, 2,500, 2.5k, 三千, 两千五, two thousand); None when it is none."""
        text = text.replace(",", "").strip()
        if len(text) > LONGEST_NUMBER:
            return None
        try:
            return float(text)
        except ValueError:
            return self._written(text)

    def is_short(self, text: str) -> bool:
        """Whether `text` holds no more words than an aside does."""
        return len(self.patterns["text.word"].findall(text)) <= self.reading.short

    def words(self, text: str) -> list[str]:
        """The words of `text` (characters, where the language has no spaces), without the mention of the agent."""
        return [word.lower() for word in self.patterns["text.word"].findall(_unaddressed(text))]

    def sentences(self, text: str) -> Iterator[str]:
        """What is said in each sentence of `text`, in words alone."""
        said = (
            " ".join(self.words(match.group())) for match in self.patterns["text.sentence"].finditer(text)
        )
        return (sentence for sentence in said if sentence)

    def opens_alike(self, one: str, other: str) -> bool:
        """Whether two messages begin with the same words, or with the same clause."""
        words = [self.words(text)[: self.reading.opening] for text in (one, other)]
        clauses = [self.words(_CLAUSE_END.split(_unaddressed(text).strip())[0]) for text in (one, other)]
        return words[0] == words[1] or clauses[0] == clauses[1]

    def join(self, sentences: Iterable[str]) -> str:
        """Sentences one after the other, as the language spaces them; empty ones leave no trace."""
        return str(self.speech["lists"]["gap"]).join(sentence for sentence in sentences if sentence)

    def _written(self, text: str) -> float | None:
        scaled = guarded.fullmatch(r"(\d+(?:\.\d+)?)\s*(\D+)", text)
        if scaled:
            unit = self.numerals.get(scaled[2].lower() if self.reading.ignore_case else scaled[2], 0)
            return float(scaled[1]) * unit if unit >= 100 else None
        signs = [sign for sign in self.patterns["text.numeral"].findall(text) if sign != "and"]
        if not signs or any(sign.lower() not in self.numerals for sign in signs):
            return None
        values = [self.numerals[sign.lower()] for sign in signs]
        return float(_spelt(values) if self.reading.elliptic else _summed(values))


def _unaddressed(text: str) -> str:
    return text.replace(f"@{AGENT}", " ")


def _summed(values: list[int]) -> int:
    """Numbers and units as English says them: two thousand five hundred and twenty."""
    total, current = 0, 0
    for value in values:
        if value < 100:
            current += value
        elif value == 100:
            current = max(current, 1) * value
        else:
            total, current = total + max(current, 1) * value, 0
    return total + current


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
    reading = Reading(**lexicon["reading"])
    patterns = {
        f"{group}.{key}": guarded.compile(text, reading.flags)
        for group in groups
        for key, text in lexicon[group].items()
    }
    topics = tuple(
        (guarded.compile(text, reading.flags), tuple(lexicon["topic_names"][key]))
        for key, text in lexicon["topics"].items()
    )
    aliases = {kind: _by_word(names) for kind, names in lexicon["aliases"].items()}
    return Language(speech, patterns, topics, aliases, lexicon["numerals"], reading)


def _by_word(names: Mapping[str, list[str]]) -> dict[str, str]:
    return {word: name for name, words in names.items() for word in words}
