"""Requirements of flights and trains (appendix B.2.4)."""

from __future__ import annotations

from typing import Final, Literal, Self

from pydantic import model_validator

from benchmark.plans.hours import DAY, Window
from benchmark.suites.tripbench.plans.trip import TINY, Leg, Trip
from benchmark.suites.tripbench.rubrics.base import Clock, Number, OfLegs, Rubric, Texts, names_fit, reaches
from benchmark.suites.tripbench.rubrics.hotels import add_known

PERIODS: Final = {
    "early morning": Window(0, 360),
    "morning": Window(360, 720),
    "afternoon": Window(720, 1080),
    "evening": Window(1080, DAY),
}
"""Parts of a day, without their end."""
Period = Literal["early morning", "morning", "afternoon", "evening"]


class _Time(Rubric):
    is_global = True
    event: Literal["depart", "arrive"]
    op: Literal["period", "window", "before", "after"]
    periods: list[Period] | None = None
    a: Clock | None = None
    b: Clock | None = None

    @model_validator(mode="after")
    def _check_arguments(self) -> Self:
        needed = {"period": (self.periods,), "window": (self.a, self.b)}.get(self.op, (self.a,))
        if None in needed:
            raise ValueError("an argument is missing")
        return self

    def _is_met_by(self, leg: Leg) -> bool:
        minute = leg.times[self.event == "arrive"]
        if minute is None:
            return False
        if self.op == "period":
            return any(PERIODS[name].start <= minute < PERIODS[name].end for name in self.periods or ())
        low = int(self.a or 0) if self.op != "before" else 0
        high = int((self.b if self.op == "window" else self.a) or 0) if self.op != "after" else DAY
        return low <= minute <= high


class TimeDepart(_Time):
    """When the first leg departs or arrives."""

    key = "transport.time_depart"

    def is_met(self, trip: Trip) -> bool:
        """Whether it does so then."""
        return bool(trip.legs) and self._is_met_by(trip.legs[0])


class TimeReturn(_Time):
    """When the last leg departs or arrives."""

    key = "transport.time_return"

    def is_met(self, trip: Trip) -> bool:
        """Whether it does so then."""
        return bool(trip.legs) and self._is_met_by(trip.legs[-1])


class Cost(Rubric):
    """What each leg costs a person at the most, or all legs a person, or all of it."""

    key = "transport.cost"
    is_global = True
    level: Literal["one_way_person", "round_person", "total"]
    a: Number

    def is_met(self, trip: Trip) -> bool:
        """Whether it costs no more."""
        legs = [leg.cost for leg in trip.legs]
        figures = legs if self.level == "one_way_person" else [add_known(legs)]
        share = 1 if self.level == "total" else trip.people
        return bool(legs) and all(cost is not None and cost / share <= self.a + TINY for cost in figures)


class Platform(OfLegs):
    """Where each ticket is bought, or is not."""

    key = "transport.platform"
    op: Literal["in", "not_in"]
    names: Texts

    def passes(self, item: Leg, trip: Trip) -> bool:
        """Whether all tickets of a leg are."""
        return all(names_fit(ticket.platform, self.op, self.names) for ticket, _ in item.tickets)


class OnTime(OfLegs):
    """How often each flight is on time, and how late it is on average; trains are on time."""

    key = "transport.ontime"
    rate: Number | None = None
    delay: Number | None = None

    @model_validator(mode="after")
    def _check_arguments(self) -> Self:
        if self.rate is None and self.delay is None:
            raise ValueError("rate and delay are missing")
        return self

    def passes(self, item: Leg, trip: Trip) -> bool:
        """Whether a leg is punctual enough."""
        if not item.service.is_flight:
            return True
        late = item.service.avg_delay
        is_often = self.rate is None or reaches(item.service.ontime_rate, self.rate)
        return is_often and (self.delay is None or (late is not None and late <= self.delay + TINY))


class Airline(OfLegs):
    """None of these is flown with."""

    key = "transport.airline"
    names: Texts

    def passes(self, item: Leg, trip: Trip) -> bool:
        """Whether a leg is with another one."""
        return item.service.airline not in self.names
