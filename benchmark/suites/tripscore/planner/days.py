"""Which sights and hotels fill the days between the legs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta

from benchmark.plans.hours import DAY
from benchmark.plans.ways import great_circle_km
from benchmark.suites.tripscore.planner.journeys import Move
from benchmark.suites.tripscore.scoring.parameters import Parameters
from benchmark.suites.tripscore.scoring.trip import VISIT_WINDOWS
from benchmark.suites.tripscore.scoring.worth import STRENGTHS
from benchmark.suites.tripscore.tasks.names import fold_name
from benchmark.suites.tripscore.tasks.task import Attraction, Hotel, Task

FREE_MIN = 60
"""Of a period, so that a sight can be visited in it."""
MOST_A_PERIOD = 2
"""Sights."""


@dataclass(frozen=True)
class Stretch:
    """A part of a day in one city, between legs. start, end: minutes of the day."""

    city: str
    start: int
    end: int

    def periods(self) -> list[int]:
        """Those in which there is time for a sight."""
        windows = enumerate(VISIT_WINDOWS)
        return [at for at, window in windows if window.overlap(self.start, self.end) >= FREE_MIN]


@dataclass
class DayDraft:
    """A day: its stretches, the sights of each by period, the moves between them, the hotel."""

    stretches: list[Stretch]
    moves: list[Move]
    visits: list[dict[int, list[Attraction]]] = field(default_factory=list)
    hotel: Hotel | None = None
    hours: float = 0.0
    strength: int = 0

    @property
    def legs(self) -> list[Move]:
        """The moves for which there is a leg."""
        return [move for move in self.moves if move.leg]


def empty_days(task: Task, moves: list[Move], parameters: Parameters) -> list[DayDraft]:
    """The days of a journey, in which nothing is visited yet."""
    return [DayDraft(*_stretches(task, moves, day, parameters)) for day in range(task.query.days)]


def _stretches(
    task: Task, moves: list[Move], day: int, parameters: Parameters
) -> tuple[list[Stretch], list[Move]]:
    own = [move for move in moves if move.day == day]
    before = [move for move in moves if move.day < day]
    city = before[-1].city if before else task.query.folded_departure or ""
    start = max([move.arrives - day * DAY for move in before[-1:]] + [0])
    stretches = []
    for move in own:
        departs = move.departs - day * DAY
        stretches.append(Stretch(city, start, departs if departs >= parameters.early_minutes else 0))
        city, start = move.city, move.arrives - day * DAY
    return [*stretches, Stretch(city, start, DAY)], own


class Filling:
    """Fills the days of a journey, as the parameters in force like them."""

    def __init__(self, task: Task, moves: list[Move], parameters: Parameters) -> None:
        self._task, self._moves, self._parameters = task, moves, parameters
        self._taken_ids: set[str] = set()
        self._seen_cities: set[str] = set()
        self.days = empty_days(task, moves, parameters)

    def fill(self) -> list[DayDraft]:
        """The days with sights and hotels."""
        for at, day in enumerate(self.days):
            self._fill_day(at, day)
            day.hotel = self._hotel(at, day) if at < len(self.days) - 1 else None
        return self.days

    def _fill_day(self, at: int, day: DayDraft) -> None:
        day.visits = [{} for _ in day.stretches]
        low, high = liked_hours(self._task, bool(day.legs), self._parameters)
        for nth, stretch in enumerate(day.stretches):
            if stretch.city in self._task.query.folded_cities and stretch.city not in self._seen_cities:
                any(self._add(at, day, [nth], most) for most in (high, 24.0))
        while day.hours < low + (high - low) / 2 and self._add(at, day, range(len(day.stretches)), high):
            pass

    def _add(self, at: int, day: DayDraft, stretches: range | list[int], most: float) -> bool:
        choices = [
            (self._worth(at, day, nth, period, sight), nth, period, sight)
            for nth in stretches
            for sight, period in self._open_sights(at, day, nth)
            if day.hours + stay_of(sight, self._parameters) <= most
        ]
        if not choices:
            return False
        _, nth, period, sight = max(choices, key=lambda choice: (choice[0], choice[3].id))
        day.visits[nth].setdefault(period, []).append(sight)
        day.hours += stay_of(sight, self._parameters)
        day.strength += strength_of(sight)
        self._taken_ids.add(sight.id)
        self._seen_cities.add(sight.folded_city)
        return True

    def _open_sights(self, at: int, day: DayDraft, nth: int) -> Iterator[tuple[Attraction, int]]:
        stretch, when = day.stretches[nth], self._task.query.start_date + timedelta(days=at)
        for sight in self._task.reference.attractions:
            if sight.folded_city != stretch.city or sight.id in self._taken_ids:
                continue
            for period in stretch.periods():
                has_room = len(day.visits[nth].get(period, [])) < MOST_A_PERIOD
                if has_room and is_open_for(sight, when, period, self._parameters):
                    yield sight, period

    def _worth(self, at: int, day: DayDraft, nth: int, period: int, sight: Attraction) -> float:
        wishes, taken = self._task.query.preferences, day.visits[nth]
        wanted = {fold_name(tag) for tag in wishes.attraction}
        worth = 3.0 if wanted & sight.folded_tags else 0.0
        worth -= len(taken.get(period, [])) * 2 + (period == 2) * 4 - (period in (0, 1)) * 0.5
        worth += self._effort(at, day, sight)
        near = [one for sights in taken.values() for one in sights if one.point and sight.point]
        if near and sight.point:
            worth -= min(great_circle_km(one.point, sight.point) for one in near if one.point) / 5
        return worth

    def _effort(self, at: int, day: DayDraft, sight: Attraction) -> float:
        wish, strength = fold_name(self._task.query.preferences.effort or ""), strength_of(sight)
        if wish == "light":
            return -8.0 * bool(strength)
        if wish == "strenuous":
            return 6.0 * bool(strength)
        before = self.days[at - 1].strength if at else 0
        total = day.strength + strength
        return 6.0 * (0 < total <= 2 and before == 0 and not day.strength) if wish == "moderate" else 0.0

    def _hotel(self, at: int, day: DayDraft) -> Hotel | None:
        city = day.stretches[-1].city
        if day.moves and day.moves[-1].arrives >= (at + 1) * DAY:
            return None
        hotels = [hotel for hotel in self._task.reference.hotels if hotel.folded_city == city]
        kept = [one.hotel for one in self.days[:at] if one.hotel and one.hotel.folded_city == city]
        return kept[-1] if kept else max(hotels, key=self._stars, default=None)

    def _stars(self, hotel: Hotel) -> tuple[bool, float]:
        wish = self._task.query.preferences.budget
        if wish is None or hotel.star is None:
            return False, hotel.star or 0.0
        least = least_stars(wish, self._parameters)
        return is_in_band(hotel.star, wish, self._parameters), -abs(hotel.star - least)


def liked_hours(task: Task, with_leg: bool, parameters: Parameters) -> tuple[float, float]:
    """The hours of a day that both density and pacing like."""
    low, high = parameters.density_transfer if with_leg else parameters.density_full
    if wish := task.query.preferences.pacing:
        lowest, highest = parameters.span(wish)
        low, high = max(low, 0 if with_leg else lowest), min(high, highest)
    return low, high


def least_stars(wish: str, parameters: Parameters) -> float:
    """Of a wished class of hotels."""
    band = parameters.band(wish)
    return band[0] if band else 0.0


def is_in_band(star: float, wish: str, parameters: Parameters) -> bool:
    """Whether a hotel is of the wished class."""
    band = parameters.band(wish)
    return band is None or (band[0] <= star and (band[1] is None or star < band[1]))


def is_open_for(sight: Attraction, when: date, period: int, parameters: Parameters) -> bool:
    """Whether there is time for a sight in a period of a date; also where nobody knows its hours."""
    windows = sight.openTimeCalendar.windows(when) if sight.openTimeCalendar else None
    least = max(FREE_MIN, parameters.min_visit_min)
    return windows is None or any(own.overlap(*VISIT_WINDOWS[period]) >= least for own in windows)


def opens_late(sight: Attraction, when: date, parameters: Parameters) -> bool:
    """Whether a day should not begin with it."""
    windows = sight.openTimeCalendar.windows(when) if sight.openTimeCalendar else None
    return bool(windows) and min(window.start for window in windows or ()) >= parameters.late_minutes


def stay_of(sight: Attraction, parameters: Parameters) -> float:
    """Hours of a visit."""
    return parameters.default_visit_h if sight.hours is None else sight.hours


def strength_of(sight: Attraction) -> int:
    """What a sight asks of the legs."""
    return max((STRENGTHS.get(tag, 0) for tag in sight.folded_tags), default=0)
