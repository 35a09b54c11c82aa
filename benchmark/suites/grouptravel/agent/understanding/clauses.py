"""Cutting a message into statements: sentences without questions, then clauses."""

from __future__ import annotations

from functools import lru_cache

from benchmark.suites.grouptravel.agent.lexicon import lexicon
from benchmark.suites.grouptravel.agent.lexicon.model import Lexicon
from benchmark.text import guarded
from benchmark.text.lengths import LONGEST_REPLY


def statements(message: str, language: str) -> list[str]:
    """The sentences of a message that state something, without mentions; a tag question (…可以吗？) is cut off.

    Of an endless message the beginning counts.
    """
    words = lexicon(language)
    text = guarded.sub(r"@\w+", " ", message[:LONGEST_REPLY], flags=guarded.ASCII)
    parts = guarded.split(words.sentence_pattern, text)
    kept = (_statement(part.strip(), words) for part in parts)
    return [sentence for sentence in kept if sentence]


def is_question(sentence: str, language: str) -> bool:
    """Whether a sentence asks something."""
    return bool(guarded.search(lexicon(language).question_pattern, sentence))


def _statement(sentence: str, words: Lexicon) -> str:
    if not guarded.search(words.question_pattern, sentence):
        return sentence
    head, comma, _ = sentence.rpartition("，")
    if comma and not guarded.search(words.question_pattern, head) and len(sentence) - len(head) <= 8:
        return head
    return ""


@lru_cache
def _boundary(language: str) -> guarded.Pattern:
    words = lexicon(language)
    return guarded.compile(f"(?:{words.clause_pattern})|(?=(?:{words.turn_pattern}))")


def clauses(sentence: str, language: str) -> list[str]:
    """The clauses of a sentence, cut at commas and before words of contrast or addition; reasons are left out."""
    words = lexicon(language)
    shelter = [match.span() for match in _quoted(language).finditer(sentence)]
    parts: list[str] = []
    start = 0
    for match in _boundary(language).finditer(sentence):
        if match.start() > start and not any(low < match.start() < high for low, high in shelter):
            parts.append(sentence[start : match.start()])
            start = match.end()
        elif match.start() == start:
            start = match.end()
    parts.append(sentence[start:])
    cleaned = (_without_turn(part.strip(), words) for part in parts)
    return [part for part in cleaned if part and not guarded.match(words.reason_pattern, part)]


@lru_cache
def _quoted(language: str) -> guarded.Pattern:
    """Inside quotes nothing is cut."""
    pairs = lexicon(language).quotes
    return guarded.compile(
        "|".join(f"{guarded.escape(a)}[^{guarded.escape(b)}]+{guarded.escape(b)}" for a, b in pairs)
    )


def _without_turn(clause: str, words: Lexicon) -> str:
    if guarded.match(words.reason_pattern, clause):
        return clause
    return guarded.sub(f"^(?:{words.turn_pattern})", "", clause).strip()
