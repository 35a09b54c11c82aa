"""How long travellers queue at a sight: B·K_date·K_time (section 3.3 and appendix A.2 of the paper)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date, timedelta
from typing import Final, NamedTuple

from benchmark.suites.traveleval.scoring.itinerary import Day, Itinerary, hours_of
from benchmark.suites.traveleval.scoring.reading import Node, UndefinedFigure
from benchmark.suites.traveleval.world import Sight

BASE_MINUTES: Final = {
    "人文景观": 3.0,
    "园林": 3.0,
    "自然风光": 3.5,
    "历史古迹": 4.0,
    "游乐园/体育娱乐": 6.0,
    "博物馆/纪念馆": 10.0,
}
_BY_HOUR: Final = ((8, 10, 0.85), (10, 12, 0.90), (12, 20, 1.10), (20, 24, 0.70))
HOLIDAY, WEEKEND, VACATION, PEAK = 10.06, 7.55, 3.94, 4.63
_HOLIDAYS: Final = (((10, 1), (10, 7)), ((1, 1), (1, 3)), ((5, 1), (5, 5)))
VACATIONS: Final = (((7, 1), (8, 31)), ((1, 15), (2, 15)))
_PEAKS: Final = (((12, 24), (12, 25)), ((4, 4), (4, 5)), ((6, 1), (6, 1)), ((9, 10), (9, 10)))
SATURDAY = 5
MonthDay = tuple[int, int]


def published_date_factor(day: date) -> float:
    """K_date: the first rule that a day meets; "short holidays" (4.39) are never used."""
    if falls_in(day, _HOLIDAYS):
        return HOLIDAY
    if day.weekday() >= SATURDAY:
        return WEEKEND
    return VACATION if falls_in(day, VACATIONS) else PEAK if falls_in(day, _PEAKS) else 1.0


def falls_in(day: date, spans: Iterable[tuple[MonthDay, MonthDay]]) -> bool:
    """Whether a day is in one of several spans of the year, both ends included."""
    return any(first <= (day.month, day.day) <= last for first, last in spans)


def time_factor(hour: int) -> float:
    """K_time, by the hour in which a visit begins."""
    return next((factor for first, end, factor in _BY_HOUR if first <= hour < end), 1.0)


def base_minutes(sight: Sight) -> float:
    """B: of several categories the first in the sight's list; the published program takes one at random."""
    return next((BASE_MINUTES[kind] for kind in sight.type_names if kind in BASE_MINUTES), 0.0)


class Sensitivity(NamedTuple):
    """How long a queue is at least and at most, in minutes, while one factor varies (Table A3)."""

    least: float
    most: float


def sensitivities() -> dict[str, Sensitivity]:
    """By the factor that varies, about a weekday's queue of 3.0·1·1.10 minutes."""
    base, day, hour = min(BASE_MINUTES.values()), 1.0, 1.10
    of_hours = [factor for *_, factor in _BY_HOUR]
    return {
        "base": Sensitivity(base * day * hour, max(BASE_MINUTES.values()) * day * hour),
        "date": Sensitivity(base * day * hour, base * HOLIDAY * hour),
        "time": Sensitivity(base * day * min(of_hours), base * day * max(of_hours)),
    }


class Queues(NamedTuple):
    """How queues are estimated."""

    date_factor: Callable[[date], float] = published_date_factor
    counted: bool = True

    def hours(self, plan: Itinerary, day: Day, activity: Node, sight: Sight) -> float:
        """How long the queue is. Raises UndefinedFigure for a day or a start that can't be read."""
        if not self.counted:
            return 0.0
        hour, _minute = activity.get("start_time", "00:00").hour_and_minute()
        try:
            at = plan.query.first_day + timedelta(days=day.number.integer() - 1)
        except OverflowError as error:
            raise UndefinedFigure(day.number.at) from error
        return base_minutes(sight) * self.date_factor(at) * time_factor(hour) / 60

    def effective_hours(self, plan: Itinerary, day: Day, activity: Node, sight: Sight) -> float:
        """The planned hours without the queue; below 0 where the queue is longer."""
        return hours_of(activity) - self.hours(plan, day, activity, sight)


PUBLISHED_QUEUES: Final = Queues()
NO_QUEUE: Final = Queues(counted=False)
