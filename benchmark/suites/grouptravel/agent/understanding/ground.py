"""What a reader of messages is given and gives back, in any language."""

from __future__ import annotations

from dataclasses import dataclass

from benchmark.suites.grouptravel.agent.lexicon.model import Subject
from benchmark.suites.grouptravel.agent.understanding.names import NO_NAMES, Names
from benchmark.suites.grouptravel.agent.understanding.topics import Cap, Finding, Topic


@dataclass(frozen=True, slots=True)
class Ground:
    """What is known before a message is read: the trip's cities, the topics it answers, names from tools.

    called: other names of the cities that the request gives, each with the city (Suzhou, 苏州市).
    """

    cities: tuple[str, ...]
    asked: tuple[Topic, ...] = ()
    names: Names = NO_NAMES
    language: str = "zh"
    called: tuple[tuple[str, str], ...] = ()

    @property
    def subjects(self) -> frozenset[Subject]:
        """The subjects that were asked about."""
        return frozenset(topic.subject for topic in self.asked)

    @property
    def asked_cities(self) -> tuple[str, ...]:
        """The city that was asked about, when it was one."""
        named = dict.fromkeys(topic.city for topic in self.asked if topic.city)
        return tuple(named) if len(named) == 1 else ()


@dataclass(frozen=True, slots=True)
class Reading:
    """What one message says. indifferent: topics about which it says that anything will do."""

    findings: tuple[Finding, ...] = ()
    caps: tuple[Cap, ...] = ()
    indifferent: tuple[Topic, ...] = ()
