"""Asking about topics, telling from a question which topics it asked about, and whom it addresses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from benchmark.core.view import AGENT, Message
from benchmark.suites.grouptravel.agent.lexicon.model import Subject
from benchmark.suites.grouptravel.agent.lexicon.phrases import Phrases, phrases
from benchmark.suites.grouptravel.agent.understanding.belief import Belief
from benchmark.suites.grouptravel.agent.understanding.tongues import tongue
from benchmark.suites.grouptravel.agent.understanding.topics import CITY_SUBJECTS, Topic, all_topics
from benchmark.text import guarded

MOST_TOPICS = 3
_LONGEST_QUESTION = 1_000
_LIMITS = {"sights_a_day": "max_poi_per_day", "hours_a_day": "max_active_hours"}


def addressed(text: str, names: Iterable[str]) -> str | None:
    """The rightmost mentioned name of `names`, longest name first; None when nobody is."""
    ordered = sorted(names, key=len, reverse=True)
    pattern = "|".join(guarded.escape(name) for name in ordered)
    found = guarded.findall(rf"@({pattern})(?![A-Za-z0-9_])", text) if pattern else []
    return found[-1] if found else None


def question_before(messages: tuple[Message, ...], place: int) -> str | None:
    """The agent's message that the one at `place` replies to: the one right before, if it addresses the speaker."""
    if place == 0 or messages[place - 1].role != AGENT:
        return None
    before, speaker = messages[place - 1].content, messages[place].role
    return (
        before if addressed(before, {message.role for message in messages} | {speaker}) == speaker else None
    )


def ask(
    user: str, topics: tuple[Topic, ...], turn: int, language: str, known: Mapping[Topic, str] | None = None
) -> str:
    """A question to one traveller about up to three topics, city by city. turn: chooses among equal wordings.

    known: topics of which something is known already, each with the question that asks for the rest.
    """
    words = phrases(language)
    link = words.more_links[turn % len(words.more_links)]
    cities = dict.fromkeys(
        topic.city for topic in sorted(topics[:MOST_TOPICS], key=lambda topic: bool(topic.city))
    )
    parts = (
        _heading(city, turn, language)
        + link.join(
            _wording(topic, turn, language, known or {})
            for topic in topics[:MOST_TOPICS]
            if topic.city == city
        )
        for city in cities
    )
    first = "" if None not in cities else words.first_links[turn % len(words.first_links)]
    return f"@{user} {first}{link.join(parts)}{words.asking}"


def _heading(city: str | None, turn: int, language: str) -> str:
    headings = phrases(language).city_headings
    return headings[turn % len(headings)].format(city=city) if city else ""


def _wording(topic: Topic, turn: int, language: str, known: Mapping[Topic, str]) -> str:
    words = phrases(language)
    variants = words.more[known[topic]] if topic in known else words.questions[topic.subject]
    return variants[turn % len(variants)]


def rest_of(belief: Belief, topics: Iterable[Topic]) -> dict[Topic, str]:
    """For the topics of which something is known, which question asks only for the rest."""
    return {topic: rest for topic in topics if (rest := _rest(belief, topic))}


def _rest(belief: Belief, topic: Topic) -> str:
    if topic.subject == "intensity":
        lacking = [name for name, cap in _LIMITS.items() if cap not in belief.caps]
        return lacking[0] if len(lacking) == 1 else ""
    return topic.subject if topic.subject != "budget" and belief.holds(topic) else ""


def _wordings(words: Phrases) -> Iterator[tuple[Subject, str]]:
    """Every question with its subject."""
    for subject, variants in words.questions.items():
        rests = [subject, *(_LIMITS if subject == "intensity" else ())]
        yield from (
            (subject, text) for text in (*variants, *(t for r in rests for t in words.more.get(r, ())))
        )


def topics_asked(question: str, cities: tuple[str, ...], language: str) -> tuple[Topic, ...]:
    """The topics that a question of the agent asked about; by its own wordings, else by the subjects named."""
    tail = question[question.rfind("@") :][:_LONGEST_QUESTION]
    wordings = list(_wordings(phrases(language)))
    asked = {
        Topic(subject, city)
        for city, text in _by_city(tail, cities, language)
        for subject, wording in wordings
        if (subject in CITY_SUBJECTS) == bool(city) and wording in text
    }
    return tuple(topic for topic in all_topics(cities) if topic in asked) or _by_subject(
        tail, cities, language
    )


def _by_city(tail: str, cities: tuple[str, ...], language: str) -> list[tuple[str | None, str]]:
    """A question cut at its headings: what each part is about, None for the part before the first heading."""
    headings = {text.format(city=city): city for text in phrases(language).city_headings for city in cities}
    if not headings:
        return [(None, tail)]
    pattern = "|".join(guarded.escape(text) for text in sorted(headings, key=len, reverse=True))
    first, *rest = guarded.split(f"({pattern})", tail)
    return [(None, first), *((headings[rest[at]], rest[at + 1]) for at in range(0, len(rest), 2))]


def _by_subject(tail: str, cities: tuple[str, ...], language: str) -> tuple[Topic, ...]:
    """For a question that somebody else put in the agent's seat."""
    named = tuple(city for city in cities if city in tail or city.removesuffix("市") in tail)
    subjects = tongue(language).subjects(tail)
    local = tuple(Topic(s, city) for s in subjects if s in CITY_SUBJECTS for city in named or cities)
    return tuple(Topic(s) for s in subjects if s not in CITY_SUBJECTS) + local
