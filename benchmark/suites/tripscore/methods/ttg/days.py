"""Sights, hotels and what the days are worth, as variables and rows of the program."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import combinations, pairwise, product
from typing import Final

from benchmark.plans.ways import great_circle_km
from benchmark.suites.tripscore.methods.requests import Request
from benchmark.suites.tripscore.methods.ttg.journey import JourneyRows
from benchmark.suites.tripscore.methods.ttg.program import Key, Program
from benchmark.suites.tripscore.planner.days import (
    MOST_A_PERIOD,
    is_in_band,
    is_open_for,
    opens_late,
    stay_of,
    strength_of,
)
from benchmark.suites.tripscore.scoring.parameters import SOFT, WISHES
from benchmark.suites.tripscore.scoring.trip import PERIODS
from benchmark.suites.tripscore.tasks.names import fold_name
from benchmark.suites.tripscore.tasks.task import SYNTHETIC, Attraction, Hotel

PACING, BUDGET, DENSITY = RELAXABLE = ("pacing", "budget", "density")
"""What is given up, in this order, where nothing keeps everything."""
MOST_SIGHTS: Final = 25
"""Candidates of a city; where there are several cities, they share out twice as many."""
_MOST_HOTELS: Final = 5
_MANY_HOURS: Final = 40.0
_VERY_STRONG: Final = 12.0
"""More than six sights a day can ask of the legs."""
_EVENING: Final = len(PERIODS) - 1


class DayRows:
    """Adds what is visited, where the nights are, and what that is worth.

    relaxed: which of `RELAXABLE` may be broken; each fault then costs what the reward takes off for it.
    """

    def __init__(
        self, program: Program, request: Request, journey: JourneyRows, relaxed: Sequence[str] = ()
    ) -> None:
        self._program, self._request, self._journey, self._relaxations = program, request, journey, relaxed
        self._query, self._parameters = request.task.query, request.parameters
        self._days = range(self._query.days)
        self._add_constant()
        most = min(MOST_SIGHTS, 2 * MOST_SIGHTS // len(journey.stops))
        self.sights = {city: candidates(request, city, most) for city in journey.stops}
        self._visits: dict[tuple[str, int], list[Key]] = {}
        for city in journey.stops:
            self._add_sights(city)
        self._add_hotels()
        for day in self._days:
            self._add_leg_day(day)
            self._add_density(day)
            self._add_daytime(day)
        self._add_far_pairs()
        if self._query.preferences.pacing:
            self._add_pacing(self._query.preferences.pacing)
        if self._query.preferences.effort:
            self._add_effort(fold_name(self._query.preferences.effort))

    # What a part of the reward weighs.

    def _add_constant(self) -> None:
        """So that the worth is what the reward has above 2, and the gap is relative to that."""
        wishes = self._query.preferences
        known = [wishes.budget and BUDGET, wishes.pacing and PACING, wishes.attraction and "attraction"]
        gain = self._parameters.w3 + sum(self._wish(name) for name in known if name)
        self._program.add_row([(self._program.add("all_kept", gain=gain), 1)], low=1)

    def _soft(self, name: str) -> float:
        known = ("density", "hotel", "daytime", "unique", "clustering")
        return (
            self._parameters.w3
            * self._parameters.w1[SOFT[name]]
            / (sum(self._parameters.w1[SOFT[key]] for key in known) or 1)
        )

    def _wish(self, name: str) -> float:
        stated = [key for key in WISHES if getattr(self._query.preferences, key)]
        return (
            self._parameters.w4[SYNTHETIC]
            * self._parameters.w2[name]
            / (sum(self._parameters.w2[key] for key in stated) or 1)
        )

    def _top(self, name: str) -> float:
        return 1.0 if name in self._relaxations else 0.0

    # Sights.

    def _add_sights(self, city: str) -> None:
        wanted = {fold_name(tag) for tag in self._query.preferences.attraction}
        share = self._wish("attraction") / (2 * len(self._days)) if wanted else 0.0
        sights = self.sights[city]
        for day, period in product(self._days, range(len(PERIODS))):
            free = [(key, -1.0) for key in self._journey.free_time(city, day, period)]
            here: list[Key] = []
            for sight in sights:
                if not is_open_for(
                    sight, self._query.start_date + timedelta(days=day), period, self._parameters
                ):
                    continue
                gain = 0.0 if wanted & sight.folded_tags else -share
                here.append(key := self._program.add("see", sight.id, day, period, gain=gain))
                self._program.add_row([(key, 1), *free], high=0)
                self._visits.setdefault((sight.id, day), []).append(key)
            self._program.add_row([(key, 1) for key in here], high=MOST_A_PERIOD)
        for sight in sights:
            keys = [key for day in self._days for key in self._visits.get((sight.id, day), ())]
            self._program.add_row([(key, 1) for key in keys], float(sight.id in self._request.must_ids), 1)
        ids = {sight.id for sight in sights}
        every = [key for (id_, _), keys in self._visits.items() if id_ in ids for key in keys]
        self._program.add_row([(key, 1) for key in every], low=1)

    def _of_day(self, day: int) -> Iterator[tuple[Attraction, Key]]:
        for sights in self.sights.values():
            yield from ((sight, key) for sight in sights for key in self._visits.get((sight.id, day), ()))

    def _hours(self, day: int, factor: float = 1.0) -> list[tuple[Key, float]]:
        return [(key, factor * stay_of(sight, self._parameters)) for sight, key in self._of_day(day)]

    # Nights.

    def _add_hotels(self) -> None:
        wish = self._query.preferences.budget
        nights = self._days[:-1]
        for city, night in product(self._journey.cities, nights):
            keys = []
            for hotel in self._hotels(city):
                misfit = (
                    wish is not None
                    and hotel.star is not None
                    and not is_in_band(hotel.star, wish, self._parameters)
                )
                gain = -self._wish(BUDGET) / len(nights) if misfit else 0.0
                top = self._top(BUDGET) if misfit else 1.0
                keys.append(self._program.add("sleep", hotel.id, night, gain=gain, top=top))
            here = [(key, -1.0) for key in self._journey.presence(city, night)]
            self._program.add_row([*((key, 1.0) for key in keys), *here], 0, 0)
        for before, night in pairwise(nights):
            change = self._program.add("change", night, gain=-self._soft("hotel") / len(nights), whole=False)
            for city in self._journey.cities:
                hotels = self._hotels(city)
                for hotel in hotels:
                    others = [(("sleep", other.id, before), 1.0) for other in hotels if other is not hotel]
                    self._program.add_row([(("sleep", hotel.id, night), 1), *others, (change, -1)], high=1)

    def _hotels(self, city: str) -> list[Hotel]:
        """Those of the wished class first, then the best."""
        wish = self._query.preferences.budget
        hotels = [hotel for hotel in self._request.task.reference.hotels if hotel.folded_city == city]

        def rank(hotel: Hotel) -> tuple[bool, float]:
            fits = (
                wish is not None and hotel.star is not None and is_in_band(hotel.star, wish, self._parameters)
            )
            return not fits, -(hotel.star or 0.0)

        return sorted(hotels, key=rank)[:_MOST_HOTELS]

    # Days.

    def _add_leg_day(self, day: int) -> None:
        leg, legs = self._program.add("leg_day", day), self._journey.departures(day)
        for key in legs:
            self._program.add_row([(key, 1), (leg, -1)], high=0)
        self._program.add_row([(leg, 1), *((key, -1.0) for key in legs)], high=0)

    def _add_density(self, day: int) -> None:
        gain = -self._soft("density") / len(self._days)
        bad = self._program.add("sparse_or_full", day, gain=gain, top=self._top(DENSITY))
        (low, high), (least, most) = self._parameters.density_full, self._parameters.density_transfer
        leg = ("leg_day", day)
        self._program.add_row([*self._hours(day), (leg, low - least), (bad, low)], low=low)
        self._program.add_row([*self._hours(day), (leg, high - most), (bad, -_MANY_HOURS)], high=high)

    def _add_daytime(self, day: int) -> None:
        """A day without anything before the evening is bad, and one that begins with what opens late."""
        idle = self._program.add("idle", day, gain=-self._soft("daytime") / len(self._days))
        of_day = [(sight, key, int(str(key[3]))) for sight, key in self._of_day(day)]
        ways = [way for way in self._journey.ways if way.move.day == day and way.move.leg]
        used = [(key, 1.0) for _, key, period in of_day if period != _EVENING]
        used += [(way.key, 1.0) for way in ways if way.move.period != _EVENING]
        self._program.add_row([*used, (idle, 1)], low=1)
        when = self._query.start_date + timedelta(days=day)
        late = {sight.id for sight, _, _ in of_day if opens_late(sight, when, self._parameters)}
        for sight, key, period in of_day:
            if sight.id in late:
                before = [(k, 1.0) for other, k, at in of_day if other.id not in late and at <= period]
                before += [(way.key, 1.0) for way in ways if way.is_before(period, sight.folded_city)]
                self._program.add_row([*before, (idle, 1), (key, -1)], low=0)

    def _add_far_pairs(self) -> None:
        """Two sights of a day that are among the farthest pairs of the candidates of their city."""
        gain = -self._soft("clustering") / (2 * len(self._days))
        for sights in self.sights.values():
            points = [(sight, sight.point) for sight in sights if sight.point]
            pairs = sorted(
                (
                    (great_circle_km(p, q), one.id, other.id)
                    for (one, p), (other, q) in combinations(points, 2)
                ),
                reverse=True,
            )
            far = pairs[: int(self._parameters.far_share * len(pairs))]
            for (_, one, other), day in product(far, self._days):
                keys = [*self._visits.get((one, day), ()), *self._visits.get((other, day), ())]
                pair = self._program.add("far", one, other, day, gain=gain, whole=False)
                self._program.add_row([*((key, 1.0) for key in keys), (pair, -1)], high=1)

    # Wishes.

    def _add_pacing(self, wish: str) -> None:
        low, high = self._parameters.span(wish)
        gain = -self._wish(PACING) / len(self._days)
        for day in self._days:
            short = self._program.add("short", day, gain=gain, top=self._top(PACING), whole=False)
            over = self._program.add("over", day, gain=gain, top=self._top(PACING), whole=False)
            self._program.add_row([*self._hours(day), (("leg_day", day), low), (short, low)], low=low)
            self._program.add_row([*self._hours(day), (over, -high)], high=high)

    def _add_effort(self, wish: str) -> None:
        """A day fits by the strength of its sights and of those of its neighbours (constraint 21)."""
        gain = self._wish("effort") / len(self._days)
        for day in self._days:
            self._program.add("strong", day)
            self._program.add("very_strong", day)
            sums = [
                (key, float(strength_of(sight))) for sight, key in self._of_day(day) if strength_of(sight)
            ]
            self._program.add_row([*sums, (("strong", day), -1)], low=0)
            self._program.add_row([*sums, (("strong", day), -_VERY_STRONG)], high=0)
            self._program.add_row([*sums, (("very_strong", day), -3)], low=0)
            self._program.add_row([*sums, (("very_strong", day), -_VERY_STRONG)], high=2)
        for day in self._days:
            fits = self._program.add("effort", day, gain=gain)
            own = ("strong", day)
            beside = [("strong", other) for other in (day - 1, day + 1) if other in self._days]
            very = ("very_strong", day)
            if wish == "light":
                for key in (own, *beside):
                    self._program.add_row([(fits, 1), (key, 1)], high=1)
            elif wish == "strenuous":
                self._program.add_row([(fits, 1), (own, -1)], high=0)
                self._program.add_row([(fits, 1), (very, -1), *((key, -1.0) for key in beside)], high=0)
            else:
                self._program.add_row([(fits, 1), *((key, -1.0) for key in (own, *beside))], high=0)
                self._program.add_row([(fits, 1), (very, 1)], high=1)
                for key in beside:
                    self._program.add_row([(fits, 1), (own, 1), (key, 1)], high=2)


def candidates(request: Request, city: str, most: int) -> list[Attraction]:
    """The sights of a city that the program may choose: asked for, of a wished kind, then as the data has them."""
    wanted = {fold_name(tag) for tag in request.task.query.preferences.attraction}
    own = [
        sight
        for sight in request.task.reference.attractions
        if sight.folded_city == city and sight.id not in request.avoided_ids
    ]
    ranked = sorted(own, key=lambda sight: (sight.id not in request.must_ids, not wanted & sight.folded_tags))
    return ranked[:most]
