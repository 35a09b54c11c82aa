"""Asking about topics, and telling from a question which topics it asked about."""

from __future__ import annotations

from benchmark.participants.agents.reference.lexicon.phrases import phrases
from benchmark.participants.agents.reference.understanding.kinds import subjects_in
from benchmark.participants.agents.reference.understanding.topics import CITY_SUBJECTS, Topic, all_topics

MOST_TOPICS = 3


def ask(user: str, topics: tuple[Topic, ...], turn: int, language: str) -> str:
    """A question to one traveller about up to three topics. turn: chooses among equal wordings."""
    words = phrases(language)
    parts = [_wording(topic, turn, language) for topic in topics[:MOST_TOPICS]]
    link = words.more_links[0]
    return f"@{user} {words.first_links[turn % len(words.first_links)]}{link.join(parts)}？"


def _wording(topic: Topic, turn: int, language: str) -> str:
    variants = phrases(language).questions[topic.subject]
    return variants[turn % len(variants)].format(city=topic.city or "")


def topics_asked(question: str, cities: tuple[str, ...], language: str) -> tuple[Topic, ...]:
    """The topics that a question of the agent asked about; by its own wordings, else by the subjects named."""
    tail = question[question.rfind("@") :]
    exact = tuple(
        topic
        for topic in all_topics(cities)
        if any(
            text.format(city=topic.city or "") in tail for text in phrases(language).questions[topic.subject]
        )
    )
    return exact or _by_subject(tail, cities, language)


def _by_subject(tail: str, cities: tuple[str, ...], language: str) -> tuple[Topic, ...]:
    """For a question that somebody else put in the agent's seat."""
    named = tuple(city for city in cities if city in tail or city.removesuffix("市") in tail)
    subjects = subjects_in(tail, language)
    local = tuple(Topic(s, city) for s in subjects if s in CITY_SUBJECTS for city in named or cities)
    return tuple(Topic(s) for s in subjects if s not in CITY_SUBJECTS) + local
