"""What a question or an answer is about, the ground on which a message is read, and what is understood of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from benchmark.suites.grouptravel.agent.lexicon.model import Subject
from benchmark.suites.grouptravel.agent.understanding.names import NO_NAMES, Names

Tier = Literal["must", "prefer", "avoid", "reject"]
CapField = Literal["avg_budget", "max_poi_per_day", "max_active_hours"]
GLOBAL_SUBJECTS: tuple[Subject, ...] = ("budget", "transport", "intensity", "hotels")
CITY_SUBJECTS: tuple[Subject, ...] = ("sights", "categories", "food")


@dataclass(frozen=True, slots=True)
class Topic:
    """A group of fields that one question covers; `city` only for sights, categories and food."""

    subject: Subject
    city: str | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """One wish of a traveller: `item` as it goes into the table.

    city: None for global subjects, and where nothing tells it. near: the likeliest city then, from the
    neighbouring words. named: whether the words alone say that it is a name: it is quoted, stands in a
    list of words, or ends as the names of places do.
    """

    subject: Subject
    city: str | None
    tier: Tier
    item: str
    near: str | None = None
    named: bool = True


@dataclass(frozen=True, slots=True)
class Cap:
    """A number that a traveller does not want to exceed: CNY, sights a day, or hours a day."""

    field: CapField
    value: float


def all_topics(cities: tuple[str, ...]) -> tuple[Topic, ...]:
    """Everything worth asking one traveller, global topics first."""
    local = tuple(Topic(subject, city) for city in cities for subject in CITY_SUBJECTS)
    return tuple(Topic(subject) for subject in GLOBAL_SUBJECTS) + local


@dataclass(frozen=True, slots=True)
class Ground:
    """What is known before a message is read: the trip's cities, the topics it answers, names from tools.

    glosses: other names of the cities that the request gives, each with the city (Suzhou, 苏州市).
    """

    cities: tuple[str, ...]
    asked_topics: tuple[Topic, ...] = ()
    names: Names = NO_NAMES
    language: str = "zh"
    glosses: tuple[tuple[str, str], ...] = ()

    @property
    def subjects(self) -> frozenset[Subject]:
        """The subjects that were asked about."""
        return frozenset(topic.subject for topic in self.asked_topics)

    @property
    def asked_cities(self) -> tuple[str, ...]:
        """The city that was asked about, when it was one."""
        named = dict.fromkeys(topic.city for topic in self.asked_topics if topic.city)
        return tuple(named) if len(named) == 1 else ()


@dataclass(frozen=True, slots=True)
class Reading:
    """What one message says. indifferent: topics about which it says that anything will do."""

    findings: tuple[Finding, ...] = ()
    caps: tuple[Cap, ...] = ()
    indifferent: tuple[Topic, ...] = ()
