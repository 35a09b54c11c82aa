"""The questions of travellers that wait for an answer, and the places that they are about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from benchmark.core.view import AGENT, Message
from benchmark.suites.grouptravel.agent.brief import Brief
from benchmark.suites.grouptravel.agent.lexicon import lexicon
from benchmark.suites.grouptravel.agent.lexicon.asks import Intent, asks
from benchmark.suites.grouptravel.agent.picture import Picture
from benchmark.suites.grouptravel.agent.understanding.belief import Belief
from benchmark.suites.grouptravel.agent.understanding.cities import owner_of, short_names
from benchmark.suites.grouptravel.agent.understanding.spellings import spellings
from benchmark.suites.grouptravel.agent.understanding.tongues import tongue
from benchmark.suites.grouptravel.view import GroupView
from benchmark.text import guarded
from benchmark.text.languages import spoken_in
from sandbox.toolsets.grouptravel.poi import PartialPlace, PartialPlaces

MOST_QUESTIONS = 12
"""Answered in one message; whoever asked more is told to ask again."""
_SIGHTS = frozenset({"attraction", "landmark"})
_KINDS = {"sights": _SIGHTS, "food": frozenset({"restaurant"}), "hotels": frozenset({"hotel"})}
_ASKED_KINDS: Mapping[Intent, frozenset[str]] = {
    "ticket": _SIGHTS,
    "hours": _SIGHTS | {"restaurant"},
    "meal": frozenset({"restaurant"}),
    "hotel": frozenset({"hotel"}),
}
_BRANCH = guarded.compile(r"[(（][^()（）]*[)）]$")
_SHORTEST = 2


@dataclass(frozen=True, slots=True)
class Query:
    """One factual question: what is wanted (`intent`), about what (`subject`, may be empty), in which city.

    kinds: of places that can be meant, empty where any can.
    """

    asker: str
    text: str
    intent: Intent
    subject: str
    city: str
    kinds: frozenset[str] = frozenset()


def pending_queries(view: GroupView, picture: Picture, brief: Brief) -> list[Query]:
    """The questions put since the agent last spoke, oldest first, as many as it answers at once."""
    return _all_queries(view, picture, brief)[:MOST_QUESTIONS]


def put_off_askers(view: GroupView, picture: Picture, brief: Brief) -> list[str]:
    """Who put questions that are more than the agent answers at once."""
    return list(dict.fromkeys(query.asker for query in _all_queries(view, picture, brief)[MOST_QUESTIONS:]))


def _all_queries(view: GroupView, picture: Picture, brief: Brief) -> list[Query]:
    last = max((place for place, message in enumerate(view.messages) if message.role == AGENT), default=-1)
    return [
        query
        for message in view.messages[last + 1 :]
        if message.role in picture.beliefs
        for query in _queries_of(message, picture.beliefs[message.role], brief)
    ]


def _queries_of(message: Message, belief: Belief, brief: Brief) -> Iterator[Query]:
    """The questions of one message. Asked about the weather again, without a city, is the same question."""
    queries: list[Query] = []
    language = spoken_in(message.content, brief.language)
    brief = replace(brief, language=language)  # questions are understood in the language that they are put in
    for sentence in tongue(language).sentences(message.content):
        if _asks_agent(sentence, message.content, language):
            query = _query(message.role, sentence, belief, brief)
            again = query.intent == "weather" and not _city_named(sentence, brief)
            before = next(
                (place for place, query in enumerate(queries) if query.intent == "weather" and again), None
            )
            if before is None:
                queries.append(query)
            else:
                queries[before] = replace(queries[before], text=f"{queries[before].text} {sentence}")
    yield from queries


def _asks_agent(sentence: str, message: str, language: str) -> bool:
    """A question mark alone may be rhetoric; with a mention, or with the word of a fact, it is a question."""
    if not tongue(language).asks(sentence):
        return False
    factual = [pattern for intent, pattern in asks(language).intents.items() if intent != "web"]
    return f"@{AGENT}" in message or any(guarded.search(pattern, sentence) for pattern in factual)


def _query(asker: str, text: str, belief: Belief, brief: Brief) -> Query:
    words = asks(brief.language)
    intent = next(intent for intent, pattern in words.intents.items() if guarded.search(pattern, text))
    subject = _subject(text, belief, brief)
    return Query(
        asker, text, intent, subject, _city(text, subject, belief, brief), _kinds(intent, subject, belief)
    )


def _kinds(intent: Intent, subject: str, belief: Belief) -> frozenset[str]:
    """By the list of wishes that holds the subject, else by what the question is about."""
    held = (slot.subject for slot, items in belief.items.items() if subject in items)
    return next((_KINDS[name] for name in held if name in _KINDS), _ASKED_KINDS.get(intent, frozenset()))


def _subject(text: str, belief: Belief, brief: Brief) -> str:
    """The traveller's own longest item in the question, else the name that is left when the asking is cut out."""
    own = [item for held in belief.items.values() for item in held if item in text]
    if own:
        return max(own, key=len)
    rest = guarded.sub(asks(brief.language).filling, "，", text)
    named = [name for city in brief.cities for name in short_names(city)] + [
        name for name, _ in brief.glosses
    ]
    names = [_without_city(name, named) for name in tongue(brief.language).names(rest)]
    modes = lexicon(brief.language).modes
    return max((name for name in names if name and name not in modes), key=len, default="")


def _without_city(name: str, cities: list[str]) -> str:
    """A city alone is no subject; 杭州西湖 stays as it is."""
    return "" if name in cities else name


def _city(text: str, subject: str, belief: Belief, brief: Brief) -> str:
    held = next((slot.city for slot, items in belief.items.items() if subject in items and slot.city), None)
    return _city_named(text, brief) or held or (brief.cities[0] if brief.cities else "")


def _city_named(text: str, brief: Brief) -> str | None:
    """The city that a text names."""
    told = next((city for name, city in brief.glosses if name in text), None)
    return told or owner_of(text, brief.cities)


def rows_of(result: PartialPlaces) -> list[PartialPlace]:
    """The places of a result that have a name."""
    return [row for row in result.pois or () if row is not None and row.name]


def place_asked(result: PartialPlaces, query: Query, name: str = "") -> PartialPlace | None:
    """The place of that name (by default the query's subject), None where there is none of the kind asked about.

    A hotel named after a sight is not the sight, nor is a pier or a museum whose name begins with it.
    """
    wanted = name or query.subject
    rows = [row for row in rows_of(result) if _is_of_kind(row, query)]
    same = (row for row in rows if row.name == wanted)
    called = (row for row in rows if wanted and _shares_a_spelling(str(row.name), wanted, query.city))
    return next(same, None) or next(called, None)


def _is_of_kind(row: PartialPlace, query: Query) -> bool:
    return not query.kinds or not row.kind or row.kind in query.kinds


def _shares_a_spelling(name: str, wanted: str, city: str) -> bool:
    return bool(set(_spellings(name, city)) & set(_spellings(wanted, city)))


def _spellings(name: str, city: str) -> Iterator[str]:
    """A name with and without city, branch and title: 杭州西湖风景名胜区 is 西湖 too."""
    for text in (name, _BRANCH.sub("", name).strip()):
        yield from (spelling for spelling in spellings(text, city) if len(spelling) >= _SHORTEST)


def of_word(rows: list[PartialPlace], word: str) -> list[PartialPlace]:
    """The rows whose category or name is what was asked for, all where none is."""
    rows_of_word = [row for row in rows if word and (word in str(row.category) or word in str(row.name))]
    return rows_of_word or rows
