"""Asking about topics, telling from a question which topics it asked about, and whom it addresses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from benchmark.core.view import AGENT, Message
from benchmark.suites.grouptravel.agent.dialogue.asking import Asking
from benchmark.suites.grouptravel.agent.lexicon.model import Subject
from benchmark.suites.grouptravel.agent.lexicon.phrases import phrases
from benchmark.suites.grouptravel.agent.lexicon.variety import least_said
from benchmark.suites.grouptravel.agent.understanding.belief import Belief
from benchmark.suites.grouptravel.agent.understanding.tongues import tongue
from benchmark.suites.grouptravel.agent.understanding.topics import CITY_SUBJECTS, Topic, all_topics
from benchmark.text import guarded

MOST_FIELDS = 3
"""What one question asks for at most (paper, D.3): a limit, or what somebody thinks of one thing."""
_LONGEST_QUESTION = 1_000
_LIMITS = {"sights_a_day": "max_poi_per_day", "hours_a_day": "max_active_hours"}
_NUMBERS = ("budget", "intensity")


@dataclass(frozen=True, slots=True)
class KnownAnswers:
    """What an answer need not tell again.

    some: topics of which something is known. limits: the one limit of a day that is asked for, by topic.
    """

    some: frozenset[Topic] = frozenset()
    limits: Mapping[Topic, str] | None = None

    def figure(self, topic: Topic) -> str:
        """Which question asks for a number."""
        return (self.limits or {}).get(topic, topic.subject)


def addressee(text: str, names: Iterable[str]) -> str | None:
    """The rightmost mentioned name of `names`, longest name first; None when nobody is."""
    ordered = sorted(names, key=len, reverse=True)
    pattern = "|".join(guarded.escape(name) for name in ordered)
    mentions = guarded.findall(rf"@({pattern})(?![A-Za-z0-9_])", text) if pattern else []
    return mentions[-1] if mentions else None


def question_before(messages: tuple[Message, ...], place: int) -> str | None:
    """The agent's message that the one at `place` replies to: the one right before, if it addresses the speaker."""
    if place == 0 or messages[place - 1].role != AGENT:
        return None
    before, speaker = messages[place - 1].content, messages[place].role
    return (
        before if addressee(before, {message.role for message in messages} | {speaker}) == speaker else None
    )


def fields_of(belief: Belief, topic: Topic) -> int:
    """How many fields a question about a topic asks for: the two limits of a day are two."""
    return 2 if topic.subject == "intensity" and not _lacking(belief) else 1


def ask(user: str, topics: tuple[Topic, ...], how: Asking, known: KnownAnswers | None = None) -> str:
    """A question to one traveller: the numbers first, then one question for the trip and one for each city."""
    words = how.words
    first, *more = _parts(topics, how, known or KnownAnswers())
    single = not more and topics[0].city is None
    link = words.first_links[how.turn % len(words.first_links)] if single else ""
    question = f"@{user} {link}{first}{words.asking}"
    for part in more:
        link = least_said(words.more_links, how.earlier_text + question, how.turn)
        question += f"{words.gap}{link}{part}{words.asking}"
    return question


def _parts(topics: tuple[Topic, ...], how: Asking, known: KnownAnswers) -> Iterator[str]:
    for topic in topics:
        if topic.subject in _NUMBERS:
            yield how.pick(how.words.figures[known.figure(topic)])
    said = ""
    for city in sorted(dict.fromkeys(topic.city for topic in topics), key=bool):
        here = [topic for topic in topics if topic.city == city and topic.subject not in _NUMBERS]
        if here:
            yield (said := _about(city, here, how, known, said))


def _about(city: str | None, topics: list[Topic], how: Asking, known: KnownAnswers, before: str) -> str:
    words = how.words
    frames = words.asks_rest if known.some.intersection(topics) else words.asks
    order = topics if how.turn % 2 or len(topics) < MOST_FIELDS else [*topics[-1:], *topics[:-1]]
    things = words.join_names((how.pick(words.things[topic.subject]) for topic in order), words.last_thing)
    heading = how.pick(words.city_headings).format(city=city) if city else ""
    return heading + how.pick(frames, before).format(things=things)


def rest_of(belief: Belief, topics: Iterable[Topic]) -> KnownAnswers:
    """What is known of topics already, so that only the rest is asked for.

    Where there are more fields than one question asks for, one of the two limits of a day has to do.
    """
    about = tuple(topics)
    some = frozenset(t for t in about if t.subject not in _NUMBERS and belief.holds(t))
    full = sum(fields_of(belief, topic) for topic in about) > MOST_FIELDS
    limit = _lacking(belief) or (next(iter(_LIMITS)) if full else "")
    return KnownAnswers(some, {t: limit for t in about if t.subject == "intensity" and limit})


def _lacking(belief: Belief) -> str:
    """The one limit of a day that is not known, "" where both are known or neither is."""
    lacking = [name for name, cap in _LIMITS.items() if cap not in belief.caps]
    return lacking[0] if len(lacking) == 1 else ""


@lru_cache(maxsize=1024)
def topics_asked(question: str, cities: tuple[str, ...], language: str) -> tuple[Topic, ...]:
    """The topics that a question of the agent asked about; by its own wordings, else by the subjects named."""
    tail = question[question.rfind("@") :][:_LONGEST_QUESTION]
    asked = {
        Topic(subject, city)
        for city, text in _by_city(tail, cities, language)
        for subject in _own_subjects(text, language)
        if (subject in CITY_SUBJECTS) == bool(city)
    }
    return tuple(topic for topic in all_topics(cities) if topic in asked) or _by_subject(
        tail, cities, language
    )


def _own_subjects(text: str, language: str) -> Iterator[Subject]:
    """The subjects of what is worded as this agent words it."""
    words = phrases(language)
    for name, wordings in words.figures.items():
        if any(wording in text for wording in wordings):
            yield "budget" if name == "budget" else "intensity"
    subjects = {thing: subject for subject, things in words.things.items() for thing in things}
    for match in _own_question(language).finditer(text):
        things = next(group for group in match.groups() if group)
        yield from (subjects[thing] for thing in _thing(language).findall(things))


@lru_cache
def _thing(language: str) -> guarded.Pattern:
    words = phrases(language)
    things = sorted((thing for things in words.things.values() for thing in things), key=len, reverse=True)
    return guarded.compile("|".join(map(guarded.escape, things)))


@lru_cache
def _own_question(language: str) -> guarded.Pattern:
    """Every question about things as this agent puts it, with the things in the one group that matches."""
    words, thing = phrases(language), _thing(language).pattern
    between = "|".join(map(guarded.escape, {words.list_joiner, words.last_thing}))
    listed = f"((?:{thing})(?:(?:{between})(?:{thing}))*)"
    frames = (guarded.escape(frame).replace(r"\{things\}", listed) for frame in words.asks + words.asks_rest)
    return guarded.compile("|".join(sorted(frames, key=len, reverse=True)))


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
