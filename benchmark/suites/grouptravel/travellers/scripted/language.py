"""The words of one language: how a scripted traveller speaks, and how it reads the agent. Data, not code."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Literal

from benchmark.core.view import AGENT
from benchmark.text import guarded
from benchmark.text.numerals import chinese, english
from sandbox.worlds.value_names import value_names

FOLDER = Path(__file__).parent / "languages"
DEFAULT = "zh"
_CLAUSE_END = guarded.compile(r"[,，.。!！?？;；:：]")


@dataclass(frozen=True, slots=True)
class Reading:
    """How a language is written.

    ignore_case: whether capitals mean nothing. numbers: how they are written. short: the number of words
    (`text.word`) that an aside holds at most. opening: the number of words by which the beginning of a message is
    known. run: how many in a row make a turn of phrase.
    """

    ignore_case: bool
    short: int
    numbers: Literal["chinese", "english"]
    opening: int
    run: int

    def number(self, text: str) -> float | None:
        """The value of a written number, None when it is none."""
        return (
            english.read_number(text) if self.numbers == "english" else chinese.read_number(text, loose=True)
        )

    @property
    def flags(self) -> guarded.RegexFlag:
        """The flags that the language's expressions are compiled with."""
        return guarded.IGNORECASE if self.ignore_case else guarded.NOFLAG


@dataclass(frozen=True, slots=True)
class Opening:
    """The first few words of a message, and its first clause, in words alone."""

    words: list[str]
    clause: list[str]

    def is_like(self, other: Opening) -> bool:
        """Whether two messages begin with the same words, or with the same clause."""
        return self.words == other.words or self.clause == other.clause


@dataclass(frozen=True, slots=True, eq=False)
class Language:
    """`speech`: wordings by dotted key, and the `glosses` of the tables' values; `patterns`: compiled expressions by
    dotted key; `topics` in reading order.
    """

    speech: Mapping[str, Any]
    patterns: Mapping[str, guarded.Pattern]
    topics: tuple[tuple[guarded.Pattern, tuple[str, ...]], ...]
    aliases: Mapping[str, Mapping[str, str]]
    reading: Reading

    def has(self, pattern: str, text: str) -> bool:
        """Whether the expression named `pattern` occurs in `text`."""
        return bool(self.patterns[pattern].search(text))

    def value(self, text: str) -> float | None:
        """The number that `text` writes (2500, 2,500, 2.5k, 三千, 两千五, two thousand); None when it is none."""
        return self.reading.number(text)

    def is_short(self, text: str) -> bool:
        """Whether `text` holds no more words than an aside does."""
        return len(self.patterns["text.word"].findall(text)) <= self.reading.short

    def words(self, text: str) -> list[str]:
        """The words of `text` (characters, where the language has no spaces), without the mention of the agent."""
        return list(_words(self.patterns["text.word"], text))

    def sentences(self, text: str) -> Iterator[str]:
        """What is said in each sentence of `text`, in words alone."""
        said = (
            " ".join(self.words(match.group())) for match in self.patterns["text.sentence"].finditer(text)
        )
        return (sentence for sentence in said if sentence)

    def opening(self, text: str) -> Opening:
        """How a message begins."""
        clause = _CLAUSE_END.split(_without_address(text).strip(), 1)[0]
        return Opening(self.words(text)[: self.reading.opening], self.words(clause))

    def join(self, sentences: Iterable[str]) -> str:
        """Sentences one after the other, as the language spaces them; empty ones leave no trace."""
        return str(self.speech["lists"]["gap"]).join(sentence for sentence in sentences if sentence)


@lru_cache(maxsize=4096)
def _words(word: guarded.Pattern, text: str) -> tuple[str, ...]:
    """The words of a text: those of a chat are compared with every draft of every message."""
    return tuple(each.lower() for each in word.findall(_without_address(text)))


def _without_address(text: str) -> str:
    return text.replace(f"@{AGENT}", " ")


def language(code: str) -> Language:
    """The words of `code`, those of Chinese where the code has none."""
    return _load(_known_code(code))


@lru_cache(maxsize=64)
def _known_code(code: str) -> str:
    return code if code.isalpha() and (FOLDER / code).is_dir() else DEFAULT


@cache
def _load(code: str) -> Language:
    speech = tomllib.loads((FOLDER / code / "speech.toml").read_text(encoding="utf-8"))
    speech["glosses"] = value_names(code)
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
    return Language(speech, patterns, topics, aliases, reading)


def _by_word(names: Mapping[str, list[str]]) -> dict[str, str]:
    return {word: name for name, words in names.items() for word in words}
