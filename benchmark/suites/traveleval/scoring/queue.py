"""How long travellers queue at a sight: B·K_date·K_time (section 3.3 and appendix A.2 of the paper)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

from benchmark.suites.traveleval.factors import (
    BASE_MINUTES,
    DATE_FACTORS,
    HOLIDAY,
    HOUR_FACTORS,
    PEAK,
    VACATION,
    WEEKDAY,
    WEEKEND,
    Factors,
)
from benchmark.suites.traveleval.scoring.itinerary import MIDNIGHT, Day, Itinerary, hours_of
from benchmark.suites.traveleval.scoring.reading import Node, UndefinedFigure
from benchmark.suites.traveleval.world import Sight

_HOLIDAYS: Final = (((10, 1), (10, 7)), ((1, 1), (1, 3)), ((5, 1), (5, 5)))
VACATIONS: Final = (((7, 1), (8, 31)), ((1, 15), (2, 15)))
_PEAKS: Final = (((12, 24), (12, 25)), ((4, 4), (4, 5)), ((6, 1), (6, 1)), ((9, 10), (9, 10)))
SATURDAY = 5
MonthDay = tuple[int, int]


@lru_cache(maxsize=2**10)
def published_day(day: date) -> str:
    """The kind of a day, by the first rule that it meets; a short holiday is none."""
    if falls_in(day, _HOLIDAYS):
        return HOLIDAY
    if day.weekday() >= SATURDAY:
        return WEEKEND
    return VACATION if falls_in(day, VACATIONS) else PEAK if falls_in(day, _PEAKS) else WEEKDAY


def falls_in(day: date, spans: Iterable[tuple[MonthDay, MonthDay]]) -> bool:
    """Whether a day is in one of several spans of the year, both ends included."""
    return any(first <= (day.month, day.day) <= last for first, last in spans)


class Sensitivity(NamedTuple):
    """How long a queue is at least and at most, in minutes, while one factor varies (Table A3)."""

    least: float
    most: float


def sensitivities() -> dict[str, Sensitivity]:
    """By the factor that varies, about a weekday's queue of 3.0·1·1.10 minutes."""
    base, day, hour = min(BASE_MINUTES.values()), DATE_FACTORS[WEEKDAY], max(HOUR_FACTORS.values())
    return {
        "base": Sensitivity(base * day * hour, max(BASE_MINUTES.values()) * day * hour),
        "date": Sensitivity(base * day * hour, base * max(DATE_FACTORS.values()) * hour),
        "time": Sensitivity(base * day * min(HOUR_FACTORS.values()), base * day * hour),
    }


@dataclass(frozen=True)
class Queues:
    """How queues are estimated. kind_of_day: gives a name of `factors.by_day`. names_of_kinds: what kinds of sights
    are called in `factors.base`, where that is something else.
    """

    kind_of_day: Callable[[date], str] = published_day
    counted: bool = True
    factors: Factors = field(default_factory=Factors)
    names_of_kinds: Mapping[str, str] = field(default_factory=dict)
    _base: dict[str, float] = field(default_factory=dict, init=False, compare=False)
    """By types, as sights have them: visits ask for the same ones again and again."""

    def minutes(self, sight: Sight, day: date, hour: int) -> float:
        """How long one waits: B·K_date·K_time. hour: in which one comes."""
        return self.base_minutes(sight) * self.date_factor(day) * self.hour_factor(hour)

    def base_minutes(self, sight: Sight) -> float:
        """B: of several categories the first in the sight's list; the published program takes one at random."""
        known = self._base.get(sight.types)
        if known is None:
            base, names = self.factors.base, self.names_of_kinds
            kinds = (names.get(kind, kind) for kind in sight.type_names)
            known = self._base[sight.types] = next((base[kind] for kind in kinds if kind in base), 0.0)
        return known

    def date_factor(self, day: date) -> float:
        """K_date."""
        return self.factors.by_day[self.kind_of_day(day)]

    def hour_factor(self, hour: int) -> float:
        """K_time, 1 in the night."""
        return self._by_hour.get(hour, 1.0)

    @cached_property
    def _by_hour(self) -> Mapping[int, float]:
        spans = ((span.split("-"), factor) for span, factor in self.factors.by_hour.items())
        return {hour: factor for (first, end), factor in spans for hour in range(int(first), int(end))}

    def hours(self, plan: Itinerary, day: Day, start: Node, sight: Sight) -> float:
        """How long the queue of a visit is. Raises UndefinedFigure for a day or a start that can't be read."""
        if not self.counted:
            return 0.0
        hour, _minute = start.hour_and_minute()
        try:
            at = plan.query.first_day + timedelta(days=day.number.integer() - 1)
        except OverflowError as error:
            raise UndefinedFigure(day.number.at) from error
        return self.minutes(sight, at, hour) / 60

    def effective_hours(self, plan: Itinerary, day: Day, activity: Node, sight: Sight) -> float:
        """The planned hours without the queue; below 0 where the queue is longer."""
        return hours_of(activity) - self.hours(plan, day, activity.get("start_time", MIDNIGHT), sight)


PUBLISHED_QUEUES: Final = Queues()
NO_QUEUE: Final = Queues(counted=False)
