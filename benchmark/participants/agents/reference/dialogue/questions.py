"""Asking about topics, and telling from a question which topics it asked about."""

from __future__ import annotations

import re

from benchmark.participants.agents.reference.lexicon.phrases import phrases
from benchmark.participants.agents.reference.understanding.tongues import tongue
from benchmark.participants.agents.reference.understanding.topics import CITY_SUBJECTS, Topic, all_topics

MOST_TOPICS = 3
_LONGEST_QUESTION = 1_000


def ask(user: str, topics: tuple[Topic, ...], turn: int, language: str) -> str:
    """A question to one traveller about up to three topics, city by city. turn: chooses among equal wordings."""
    words = phrases(language)
    link = words.more_links[turn % len(words.more_links)]
    cities = dict.fromkeys(
        topic.city for topic in sorted(topics[:MOST_TOPICS], key=lambda topic: bool(topic.city))
    )
    parts = (
        _heading(city, turn, language)
        + link.join(_wording(topic, turn, language) for topic in topics[:MOST_TOPICS] if topic.city == city)
        for city in cities
    )
    first = "" if None not in cities else words.first_links[turn % len(words.first_links)]
    return f"@{user} {first}{link.join(parts)}{words.asking}"


def _heading(city: str | None, turn: int, language: str) -> str:
    headings = phrases(language).city_headings
    return headings[turn % len(headings)].format(city=city) if city else ""


def _wording(topic: Topic, turn: int, language: str) -> str:
    variants = phrases(language).questions[topic.subject]
    return variants[turn % len(variants)]


def topics_asked(question: str, cities: tuple[str, ...], language: str) -> tuple[Topic, ...]:
    """The topics that a question of the agent asked about; by its own wordings, else by the subjects named."""
    tail = question[question.rfind("@") :][:_LONGEST_QUESTION]
    questions = phrases(language).questions
    asked = {
        Topic(subject, city)
        for city, text in _by_city(tail, cities, language)
        for subject, wordings in questions.items()
        if (subject in CITY_SUBJECTS) == bool(city) and any(wording in text for wording in wordings)
    }
    return tuple(topic for topic in all_topics(cities) if topic in asked) or _by_subject(
        tail, cities, language
    )


def _by_city(tail: str, cities: tuple[str, ...], language: str) -> list[tuple[str | None, str]]:
    """A question cut at its headings: what each part is about, None for the part before the first heading."""
    headings = {text.format(city=city): city for text in phrases(language).city_headings for city in cities}
    if not headings:
        return [(None, tail)]
    pattern = "|".join(re.escape(text) for text in sorted(headings, key=len, reverse=True))
    first, *rest = re.split(f"({pattern})", tail)
    return [(None, first), *((headings[rest[at]], rest[at + 1]) for at in range(0, len(rest), 2))]


def _by_subject(tail: str, cities: tuple[str, ...], language: str) -> tuple[Topic, ...]:
    """For a question that somebody else put in the agent's seat."""
    named = tuple(city for city in cities if city in tail or city.removesuffix("市") in tail)
    subjects = tongue(language).subjects(tail)
    local = tuple(Topic(s, city) for s in subjects if s in CITY_SUBJECTS for city in named or cities)
    return tuple(Topic(s) for s in subjects if s not in CITY_SUBJECTS) + local
