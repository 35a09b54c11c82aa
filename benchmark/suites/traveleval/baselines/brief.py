"""What a baseline knows of a query: who travels where, what is wanted, how many sights suit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from benchmark.suites.traveleval.scoring.queue import base_minutes, published_date_factor, time_factor
from benchmark.suites.traveleval.tasks.query import Query, Tags
from benchmark.suites.traveleval.world import City, Sight, Tables

_PACKED_RHYTHM, _SLOW_RHYTHM = "特种兵式", "慢游"
_FAR: Final[Mapping[str, str]] = {
    "广州": "北京 上海 南京 成都 杭州 苏州 重庆",
    "成都": "北京 上海 南京 广州 杭州 武汉 深圳 苏州",
    "深圳": "北京 上海 南京 成都 重庆 杭州 苏州",
    "重庆": "北京 上海 南京 广州 杭州 深圳 苏州",
}
"""Cities between which a journey is long."""


@dataclass(frozen=True)
class Brief:
    """A query with the tables of its destination."""

    query: Query
    tables: Tables

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
    def is_long(self) -> bool:
        """Whether the two cities are far from each other, as appendix A.4 lists them."""
        start, target = self.query.start_city, self.query.target_city
        return target in _FAR.get(start, "").split() or start in _FAR.get(target, "").split()

    @property
    def count_of_sights(self) -> int:
        """How many sights are looked for (N)."""
        daily = 5.0 if _PACKED_RHYTHM in self.query.rhythm.preferences else self._usual_density
        if self.is_long and self.days > 2:
            return int(daily * (self.days - 2))
        return max(int(daily * (self.days - 1 if daily > 4 else self.days)), 1)

    @property
    def _usual_density(self) -> float:
        people = self.query.people_composition
        if _SLOW_RHYTHM in self.query.rhythm.preferences:
            return 2.0
        return 2.75 if people.children or people.seniors else 3.54

    def day_of(self, number: int) -> date:
        """The date of a day, counted from 1."""
        return self.query.first_day + timedelta(days=number - 1)

    def queue_minutes(self, sight: Sight, day: int, start: int) -> float:
        """How long one waits for a sight, by the published rule."""
        hour = min(start // 60, 23)
        return base_minutes(sight) * published_date_factor(self.day_of(day)) * time_factor(hour)


def suits(kinds: Iterable[str], wishes: Tags) -> bool:
    """Whether something of these kinds is wanted and not rejected; without preferences everything else is."""
    return not_rejected(kinds, wishes) and (
        not wishes.preferences or not {*wishes.preferences}.isdisjoint(kinds)
    )


def not_rejected(kinds: Iterable[str], wishes: Tags) -> bool:
    """Whether none of these kinds is rejected."""
    return {*wishes.constraints}.isdisjoint(kinds)
