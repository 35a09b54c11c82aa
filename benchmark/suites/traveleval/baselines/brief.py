"""What a baseline knows of a query: who travels where, what is wanted, how many sights suit."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from benchmark.suites.traveleval.scoring.queue import PUBLISHED_QUEUES
from benchmark.suites.traveleval.scoring.worth import target_density
from benchmark.suites.traveleval.tasks.query import Query, Tags
from benchmark.suites.traveleval.world import City, Sight, Tables


@dataclass(frozen=True)
class Brief:
    """A query with the tables of its destination. cycles: whether the party takes bicycles to save fares."""

    query: Query
    tables: Tables
    cycles: bool = False

    @property
    def city(self) -> City:
        """The destination."""
        return self.tables.city(self.query.target_city)

    @property
    def people(self) -> int:
        """How many travel; a query for nobody is planned for one."""
        return max(self.query.people_number, 1)

    @property
    def days(self) -> int:
        """At least one."""
        return max(self.query.days, 1)

    @property
    def has_children(self) -> bool:
        """Whether a child travels."""
        return self.query.people_composition.children > 0

    @property
    def count_of_sights(self) -> int:
        """How many sights are looked for: the density that suits these travellers, for each day."""
        return max(int(target_density(self.query) * self.days), 1)

    def day_of(self, number: int) -> date:
        """The date of a day, counted from 1."""
        return self.query.first_day + timedelta(days=number - 1)

    def queue_minutes(self, sight: Sight, day: int, start: int) -> float:
        """How long one waits for a sight, by the published rule."""
        return PUBLISHED_QUEUES.minutes(sight, self.day_of(day), min(start // 60, 23))


def suits(kinds: Iterable[str], wishes: Tags) -> bool:
    """Whether something of these kinds is wanted and not rejected; without preferences everything else is."""
    return not_rejected(kinds, wishes) and (
        not wishes.preferences or not {*wishes.preferences}.isdisjoint(kinds)
    )


def not_rejected(kinds: Iterable[str], wishes: Tags) -> bool:
    """Whether none of these kinds is rejected."""
    return {*wishes.constraints}.isdisjoint(kinds)
