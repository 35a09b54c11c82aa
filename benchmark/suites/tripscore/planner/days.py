"""Which sights and hotels fill the days between the legs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta

from benchmark.plans.hours import DAY
from benchmark.plans.ways import great_circle_km
from benchmark.suites.tripscore.planner.journeys import Move
from benchmark.suites.tripscore.scoring.parameters import DEFAULTS
from benchmark.suites.tripscore.scoring.trip import VISIT_WINDOWS
from benchmark.suites.tripscore.scoring.worth import STRENGTHS
from benchmark.suites.tripscore.tasks.names import fold_name
from benchmark.suites.tripscore.tasks.task import Attraction, Hotel, Task

_FREE_MIN = 60
_MOST_A_PERIOD = 2


@dataclass(frozen=True)
class Stretch:
    """A part of a day in one city, between legs. start, end: minutes of the day."""

    city: str
    start: int
    end: int

    def periods(self) -> list[int]:
        """Those in which there is time for a sight."""
        windows = enumerate(VISIT_WINDOWS)
        return [at for at, window in windows if window.overlap(self.start, self.end) >= _FREE_MIN]


@dataclass
class DayDraft:
    """A day: its stretches, the sights of each by period, the moves between them, the hotel."""

    stretches: list[Stretch]
    moves: list[Move]
    visits: list[dict[int, list[Attraction]]] = field(default_factory=list)
    hotel: Hotel | None = None
    hours: float = 0.0
    strength: int = 0


class Filling:
    """Fills the days of a journey."""

    def __init__(self, task: Task, moves: list[Move]) -> None:
        self._task, self._moves = task, moves
        self._taken_ids: set[str] = set()
        self._seen_cities: set[str] = set()
        self.days = [DayDraft(*self._stretches(day)) for day in range(task.query.days)]

    def fill(self) -> list[DayDraft]:
        """The days with sights and hotels."""
        for at, day in enumerate(self.days):
            self._fill_day(at, day)
            day.hotel = self._hotel(at, day) if at < len(self.days) - 1 else None
        return self.days

    def _stretches(self, day: int) -> tuple[list[Stretch], list[Move]]:
        own = [move for move in self._moves if move.day == day]
        before = [move for move in self._moves if move.day < day]
        city = before[-1].city if before else self._task.query.folded_departure or ""
        start = max([move.arrives - day * DAY for move in before[-1:]] + [0])
        stretches = []
        for move in own:
            departs = move.departs - day * DAY
            stretches.append(Stretch(city, start, departs if departs >= DEFAULTS.early_minutes else 0))
            city, start = move.city, move.arrives - day * DAY
        return [*stretches, Stretch(city, start, DAY)], own

    def _fill_day(self, at: int, day: DayDraft) -> None:
        day.visits = [{} for _ in day.stretches]
        low, high = self._span(day)
        for nth, stretch in enumerate(day.stretches):
            if stretch.city in self._task.query.folded_cities and stretch.city not in self._seen_cities:
                self._add(at, day, [nth], 24.0)
        while day.hours < low + (high - low) / 2 and self._add(at, day, range(len(day.stretches)), high):
            pass

    def _span(self, day: DayDraft) -> tuple[float, float]:
        """The hours that both density and pacing like."""
        with_leg = any(move.leg for move in day.moves)
        low, high = DEFAULTS.density_transfer if with_leg else DEFAULTS.density_full
        wish = self._task.query.preferences.pacing
        if wish and wish in DEFAULTS.pacing:
            lowest, highest = DEFAULTS.span(wish)
            low, high = max(low, 0 if with_leg else lowest), min(high, highest)
        return low, high

    def _add(self, at: int, day: DayDraft, stretches: range | list[int], most: float) -> bool:
        choices = [
            (self._worth(at, day, nth, period, sight), nth, period, sight)
            for nth in stretches
            for sight, period in self._open_sights(at, day, nth)
            if day.hours + _stay(sight) <= most
        ]
        if not choices:
            return False
        _, nth, period, sight = max(choices, key=lambda choice: (choice[0], choice[3].id))
        day.visits[nth].setdefault(period, []).append(sight)
        day.hours += _stay(sight)
        day.strength += strength_of(sight)
        self._taken_ids.add(sight.id)
        self._seen_cities.add(sight.folded_city)
        return True

    def _open_sights(self, at: int, day: DayDraft, nth: int) -> Iterator[tuple[Attraction, int]]:
        stretch, when = day.stretches[nth], self._task.query.start_date + timedelta(days=at)
        for sight in self._task.reference.attractions:
            if sight.folded_city != stretch.city or sight.id in self._taken_ids:
                continue
            windows = sight.openTimeCalendar.windows(when) if sight.openTimeCalendar else None
            for period in stretch.periods():
                visit = VISIT_WINDOWS[period]
                is_open = windows is None or any(own.overlap(*visit) >= _FREE_MIN for own in windows)
                if is_open and len(day.visits[nth].get(period, [])) < _MOST_A_PERIOD:
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
        band = DEFAULTS.band(wish) if wish else None
        if band is None or hotel.star is None:
            return False, hotel.star or 0.0
        return band[0] <= hotel.star and (band[1] is None or hotel.star < band[1]), -abs(hotel.star - band[0])


def _stay(sight: Attraction) -> float:
    return DEFAULTS.default_visit_h if sight.hours is None else sight.hours


def strength_of(sight: Attraction) -> int:
    """What a sight asks of the legs."""
    return max((STRENGTHS.get(tag, 0) for tag in sight.folded_tags), default=0)
