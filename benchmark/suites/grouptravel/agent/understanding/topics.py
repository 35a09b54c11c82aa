"""What a question or an answer is about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from benchmark.suites.grouptravel.agent.lexicon.model import Subject

Tier = Literal["must", "prefer", "avoid", "reject"]
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
    neighbouring words.
    """

    subject: Subject
    city: str | None
    tier: Tier
    item: str
    near: str | None = None


@dataclass(frozen=True, slots=True)
class Cap:
    """A number that a traveller does not want to exceed: CNY, sights a day, or hours a day."""

    field: Literal["avg_budget", "max_poi_per_day", "max_active_hours"]
    value: float


def all_topics(cities: tuple[str, ...]) -> tuple[Topic, ...]:
    """Everything worth asking one traveller, global topics first."""
    local = tuple(Topic(subject, city) for city in cities for subject in CITY_SUBJECTS)
    return tuple(Topic(subject) for subject in GLOBAL_SUBJECTS) + local
