"""Which facts a question is about: those whose keywords, or the beginning of whose title, it contains."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from math import sqrt

from sandbox.worlds.records import City, Fact
from sandbox.worlds.text import bare_city, normalise

_KEYWORD, _TITLE, _CITY = 3.0, 3.0, 0.5
_OF_BEST = 0.4
"""A fact that fits much less than the best one is left out."""
_SHARED_BY_TOO_MANY = 200
_SHORTEST, _LONGEST, _SHARE = 2, 16, 0.3
"""Characters of a term; and how much of a title its beginning must be to stand for it, as 故宫 for 故宫博物院."""
_QUESTION, _CANDIDATES, _LEAST_SCORE = 120, 50, 1.0
"""Characters read, facts considered, and the score below which a fact shares a common word and no subject."""


def write_facts(
    database: sqlite3.Connection, facts: Iterable[tuple[Fact, str]], cities: Iterable[City]
) -> None:
    """Store facts, each with its body, and the terms that lead to them.

    A keyword weighs less the more facts have it. The name of one city leads nowhere; those of two, in the order
    of the question, lead to a title that has them in that order.
    """
    cities = list(cities)
    names = {
        key(name) for city in cities for name in (city.name, *city.aliases) for key in (normalise, bare_city)
    }
    numbered = list(enumerate(facts, start=1))
    shared = Counter(word for _, (fact, _) in numbered for word in _words(fact, names))
    for rank, (fact, body) in numbered:
        words = {word: _KEYWORD / sqrt(shared[word]) for word in _words(fact, names)}
        titles = _title_terms(fact, names) | dict.fromkeys(
            _journey(fact.title, (city.name for city in cities)), _TITLE
        )
        database.execute("INSERT INTO facts VALUES (?, ?)", (rank, body))
        database.executemany(
            "INSERT INTO fact_terms VALUES (?, ?, ?, ?)",
            [
                *(
                    (word, rank, 0, weight)
                    for word, weight in words.items()
                    if shared[word] <= _SHARED_BY_TOO_MANY
                ),
                *((term, rank, 1, weight) for term, weight in titles.items()),
            ],
        )


def facts_about(
    database: sqlite3.Connection, query: str, limit: int, cities: Iterable[str]
) -> tuple[Fact, ...]:
    """The `limit` best facts for a question, best first; `cities` are the names of the world's cities.

    A question that names cities is answered from facts about these, or about none.
    """
    cities = list(cities)
    key = normalise(query)[:_QUESTION]
    marks = [*_parts(key), *_journey(key, cities)]
    rows = database.execute(
        "SELECT sum(weight * (1 - title)) + max(weight * title) AS score, body FROM"
        f" fact_terms JOIN facts ON facts.rank = fact WHERE term IN ({', '.join('?' * len(marks))})"
        f" GROUP BY fact ORDER BY score DESC, fact LIMIT {_CANDIDATES}",
        marks,
    )
    asked = {city for city in cities if bare_city(city) in key}
    facts = [(score, Fact.model_validate_json(body)) for score, body in rows if score >= _LEAST_SCORE]
    scored_facts = [
        (score, fact) for score, fact in facts if not asked or not fact.city or fact.city in asked
    ]
    scored = [
        (score + (_CITY if fact.city and bare_city(fact.city) in key else 0), fact)
        for score, fact in scored_facts
    ]
    scored.sort(key=lambda pair: -pair[0])
    return tuple(fact for score, fact in scored[:limit] if score >= _OF_BEST * scored[0][0])


def _parts(key: str) -> Iterator[str]:
    """All pieces of a question that may be a term."""
    return iter(
        dict.fromkeys(
            key[start : start + length]
            for length in range(_SHORTEST, _LONGEST + 1)
            for start in range(len(key) - length + 1)
        )
    )


def _words(fact: Fact, city_names: set[str]) -> list[str]:
    words = dict.fromkeys(map(normalise, fact.keywords))
    return [word for word in words if _SHORTEST <= len(word) <= _LONGEST and word not in city_names]


def _title_terms(fact: Fact, city_names: set[str]) -> dict[str, float]:
    """The beginnings of a title, and of the title without the suffixes of its cities: 北京到上海的交通."""
    terms: dict[str, float] = {}
    for title in (normalise(fact.title), _plain_title(fact)):
        for length in range(_SHORTEST, min(len(title), _LONGEST) + 1):
            if length >= _SHARE * len(title) and title[:length] not in city_names:
                terms[title[:length]] = _TITLE * length / len(title)
    return terms


def _plain_title(fact: Fact) -> str:
    title = normalise(fact.title)
    for name in dict.fromkeys((fact.city, *fact.keywords)):
        if name and normalise(name) in title and bare_city(name) != normalise(name):
            title = title.replace(normalise(name), bare_city(name))
    return title


def _journey(text: str, cities: Iterable[str]) -> list[str]:
    """A term for the first two cities that a text names, in its order; none where it names fewer."""
    key = normalise(text)
    cities_named = sorted(
        (key.index(name), name) for name in set(map(bare_city, cities)) if name and name in key
    )
    return ["\n".join(name for _, name in cities_named[:2])] if len(cities_named) > 1 else []
