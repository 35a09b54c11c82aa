"""Twelve metrics of the profile `paper` from the page of rules alone, by the plainest way."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import permutations
from statistics import fmean

import numpy as np

from benchmark.suites.traveleval.scoring.rules import PlanScore
from tests.benchmark.suites.traveleval.naive_plan import (
    Missing,
    NaivePlan,
    Plan,
    clock,
    exact,
    need,
    quotient,
)

SERVICE = (6.0, 25.5)
"""The first and the last hour of public transport, 01:30 on the next day."""
PUBLIC_MODES, CITY_MODES = ("公交", "地铁"), ("驾车", "骑行")
NAIVE_METRICS = (
    *("str", "dtu", "otu", "frtc", "pas_t", "pas_c", "aqe"),
    *("ssr", "csm_p90", "csm_p95", "be", "ads", "profit"),
)


def differing_metrics(scored: PlanScore, wanted: Mapping[str, float | None]) -> Iterator[str]:
    """The keys of metrics with another figure than wanted."""
    for key, value in wanted.items():
        own = float(scored.results[key].value) if key in scored.results else None
        if value is None or own is None:
            is_same = value is own
        else:
            is_same = math.isclose(value, own, rel_tol=1e-9, abs_tol=1e-9)
        if not is_same:
            yield key


class Naive(NaivePlan):
    """The figures of a plan."""

    def figures(self) -> dict[str, float | None]:
        """By the keys of the metrics."""
        return {key: self._find(key) for key in NAIVE_METRICS}

    def _find(self, key: str) -> float | None:
        try:
            return float(getattr(self, f"find_{key}")())
        except Missing:
            return None

    def find_str(self) -> float:
        """Repeats count."""
        ratios = [self.ratio(*visit) for visit in self.sights()]
        return quotient(sum(ratios), len(ratios))

    def find_otu(self) -> float:
        """Hours that count, of all."""
        useful = sum(self.useful(*visit) for visit in self.sights() if self.ratio(*visit) > 0)
        return quotient(useful, self.hours_away())

    def find_aqe(self) -> float:
        """Stars times hours without queues."""
        self.sights()
        gained = 0.0
        for day, stop, sight in self.visits():
            exact(stop.get("start_time"))
            hours = max(0.0, self.useful(day, stop, sight)) if "end_time" in stop else 0.0
            gained += self.star(sight) * hours
        return quotient(gained, self.hours_away())

    def find_dtu(self) -> float:
        """Days without activities are 0."""
        shares = [self._day_use(day) for day in self.days]
        return quotient(sum(shares), len(shares))

    def _day_use(self, day: Plan) -> float:
        activities = self.activities(day)
        if not activities:
            return 0.0
        last = day["day"] == self.plan["summary"].get("total_days")
        legs = self.plan["intercity_transport"].get("transport_type") or []
        if day["day"] == 1 and legs:
            start = clock(legs[0].get("start_time"))
        else:
            start = clock(activities[0].get("start_time")) - self._way(activities[0])
        closing = legs[1] if last and len(legs) > 1 else day.get("ending_point")
        end = clock(closing.get("end_time") if isinstance(closing, dict) else None)
        hours = sum(max(0.0, self.useful(*visit)) for visit in self.sights() if visit[0] is day)
        return quotient(hours, end - start + (24 if end < start else 0))

    def _way(self, stop: Plan) -> float:
        """Hours from the hotel: a number of minutes, or H:M."""
        told = (stop.get("details") or {}).get("transport_time")
        if isinstance(told, (int, float)):
            return told / 60
        try:
            return clock(told)
        except Missing:
            return 0.0

    def find_frtc(self) -> float:
        """The share of moves that fail."""
        moves = failed = 0
        for day in self.days:
            before: Plan = {}
            names, stops = self.points(day), self.stops(day)
            starts = len(names) > len(stops)
            for nth, stop in enumerate(stops):
                name = stop.get("location_name")
                if (nth or starts) and name != (before.get("location_name") if nth else names[0]):
                    moves += 1
                    if stop.get("transportation_to") in PUBLIC_MODES:
                        left = clock(before.get("end_time")) if before else 0.0
                        left = left or clock(stop.get("start_time")) - 0.5
                        failed += not any(SERVICE[0] <= left + days <= SERVICE[1] for days in (-24, 0, 24))
                before = stop
        ends = [self.activities(day)[-1] for day in self.days if self.activities(day)]
        if ends and len(legs := self.legs()) > 1:
            moves += 1
            failed += clock(legs[-1].get("start_time")) < clock(ends[-1].get("end_time"))
        return quotient(failed, moves)

    def find_pas_t(self) -> float:
        """Planes and fast trains bind legs, cars and bicycles moves in the city."""
        wishes = self.query.transportation
        names = {"自驾": "驾车"}
        wanted = [names.get(mode, mode) for mode in wishes.preferences]
        refused = [names.get(mode, mode) for mode in wishes.constraints]
        if not wanted and not refused:
            return 1.0
        far = [mode for mode in wanted if mode not in CITY_MODES]
        near = [mode for mode in wanted if mode in CITY_MODES]
        kept = True
        if far or {*refused} - {*CITY_MODES}:
            legs = [need(leg.get("transportation_to")) for leg in self.legs()]
            kept = bool(legs) and all(mode not in refused and (not far or mode in far) for mode in legs)
        moves = [stop.get("transportation_to") for day in self.days for stop in self.stops(day)]
        return kept and not any(mode in refused for mode in moves) and all(mode in moves for mode in near)

    def find_pas_c(self) -> float:
        """Each wish at some meal, nothing rejected at any."""
        if not self.city.taverns:
            raise Missing
        meals = [stop for day in self.days for stop in self.activities(day) if stop.get("type") == "meal"]
        taverns = [self.city.tavern.get(meal.get("location_name", "")) for meal in meals]
        served = {tavern.cuisine for tavern in taverns if tavern}
        wishes = self.query.diet
        return {*wishes.preferences} <= served and not {*wishes.constraints} & served

    def find_ssr(self) -> float:
        """The mean over days of what ways are too long."""
        surplus = []
        for day in self.days:
            names = [name for name in self.points(day) if name in self.city.points]
            inner: list[list[str]] = (
                [[names[0], *order, names[-1]] for order in permutations(names[1:-1])] if names else []
            )
            least = min((self._km_along(order) for order in inner), default=0.0) if len(names) > 1 else 0.0
            surplus.append(self._km_along(names) / least - 1 if least else 0.0)
        return quotient(sum(surplus), len(surplus))

    def _km_along(self, names: list[str]) -> float:
        return sum(map(self.km, names, names[1:]))

    def find_csm_p90(self) -> float:
        """Of attractions alone."""
        return self._csm(90)

    def find_csm_p95(self) -> float:
        """The same higher up."""
        return self._csm(95)

    def _csm(self, percent: float) -> float:
        days = [
            [
                stop["location_name"]
                for stop in self.activities(day)
                if stop.get("type") == "attraction" and stop.get("location_name") in self.city.points
            ]
            for day in self.days
        ]
        values = []
        for at, day in enumerate(days):
            for name in day:
                near = [self.km(name, other) for other in day if other != name]
                far = [fmean(self.km(name, x) for x in own) for i, own in enumerate(days) if i != at and own]
                nearest = min(far, default=0.0)
                if near and nearest:
                    values.append(fmean(near) / nearest)
        if not values:
            raise Missing
        return float(np.percentile(values, percent))

    def worth(self) -> float:
        """X."""
        wishes, whole = self.query.attractions, 0.0
        for _day, _stop, sight in self.sights():
            kinds = self.kinds(sight)
            if not any(kind in kinds for kind in wishes.constraints):
                whole += self.star(sight) * (1 + sum(kind in kinds for kind in wishes.preferences))
        return whole

    def find_be(self) -> float:
        """For 1,000 CNY."""
        return quotient(1000 * self.worth(), self.total_cost())

    def find_profit(self) -> float:
        """For a visit."""
        return quotient(self.worth(), len(self.visits()))

    def find_ads(self) -> float:
        """Visits a day against the target."""
        rhythm, people = self.query.rhythm.preferences, self.query.people_composition
        if "特种兵式" in rhythm:
            target = 6.0
        elif "慢游" in rhythm:
            target = 2.0
        else:
            target = 2.75 if people.children or people.seniors else 3.54
        return quotient(len(self.visits()), len(self.days)) / target
