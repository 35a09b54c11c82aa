"""Which facts a question is about."""

from __future__ import annotations

import sqlite3
from collections import Counter
from math import sqrt

from sandbox.worlds.records import Fact
from sandbox.worlds.text import bare_city, normalise, pairs

_CANDIDATES = 200
_KEYWORD, _TITLE, _CITY = 3.0, 3.0, 0.5
_ENOUGH = 1.0
"""Below it lies a word that a dozen facts share, such as 门票 without the name of a place: chance."""


def facts_about(database: sqlite3.Connection, query: str, limit: int) -> tuple[Fact, ...]:
    """The `limit` best facts for a question, by the keywords and the part of the title that it contains."""
    key = normalise(query)
    if not key:
        return ()
    rows = database.execute(
        "SELECT f.body FROM fact_grams g JOIN facts f ON f.rank = g.rowid WHERE fact_grams MATCH ?"
        f" ORDER BY bm25(fact_grams), f.rank LIMIT {_CANDIDATES}",
        (" OR ".join(f'"{gram}"' for gram in pairs(key)),),
    )
    facts = [Fact.model_validate_json(body) for (body,) in rows]
    held = [_keywords(fact, key) for fact in facts]
    shared_by = Counter(word for words in held for word in words)
    scored = [(_score(fact, words, key, shared_by), fact) for fact, words in zip(facts, held, strict=True)]
    scored.sort(key=lambda pair: -pair[0])
    return tuple(fact for score, fact in scored[:limit] if score >= _ENOUGH)


def _keywords(fact: Fact, key: str) -> set[str]:
    """The keywords that the question contains, but for the name of the city, which its facts all share."""
    cities = {normalise(fact.city), bare_city(fact.city)}
    return {word for word in map(normalise, fact.keywords) if word and word in key} - cities


def _score(fact: Fact, words: set[str], key: str, shared_by: Counter[str]) -> float:
    score = sum(_KEYWORD / sqrt(shared_by[word]) for word in words) + _TITLE * _title_share(fact, key)
    in_city = bool(fact.city) and bare_city(fact.city) in key
    return score + _CITY if score and in_city else score


def _title_share(fact: Fact, key: str) -> float:
    """The share of the title's grams that the question has, nought below a half."""
    grams = pairs(normalise(fact.title))
    share = sum(gram in key for gram in grams if gram) / len(grams)
    return share if share >= 0.5 else 0.0
