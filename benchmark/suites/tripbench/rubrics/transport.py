"""Requirements of flights and trains (appendix B.2.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, ClassVar, Final, Literal, Self

from pydantic import model_validator

from benchmark.plans.clock import minutes
from benchmark.plans.hours import DAY, Window
from benchmark.suites.tripbench.plans.trip import TINY, Leg, Trip
from benchmark.suites.tripbench.rubrics.base import (
    Basis,
    Clock,
    Number,
    OfLegs,
    Rubric,
    Texts,
    clock_text,
    figures_text,
    names_fit,
    reaches,
    sample_names,
)
from benchmark.suites.tripbench.rubrics.candidates import Candidates, quantile
from benchmark.suites.tripbench.rubrics.figures import move_bound, round_figure
from benchmark.suites.tripbench.rubrics.hotels import add_known, propose_names, stricter_names
from sandbox.toolsets.tripbench.records import Service, Ticket

PERIODS: Final = {
    "early morning": Window(0, 360),
    "morning": Window(360, 720),
    "afternoon": Window(720, 1080),
    "evening": Window(1080, DAY),
}
"""Parts of a day, without their end."""
Period = Literal["early morning", "morning", "afternoon", "evening"]
_OPS: Final = ("period", "window", "before", "after")
_STEP: Final = 5
"""Minutes to which times are rounded."""


class _Time(Rubric):
    """leg: which leg, -1 is the last."""

    is_global = True
    leg: ClassVar[int]
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

    def is_met(self, trip: Trip) -> bool:
        """Whether the leg departs or arrives then."""
        return bool(trip.legs) and self.is_met_by(trip.legs[self.leg])

    def read_trip(self, trip: Trip) -> str:
        """When the service departs and arrives."""
        services = [trip.legs[self.leg].service] if trip.legs else []
        return "".join(f"{own.depart}–{own.arrive}" for own in services)

    def is_met_by(self, leg: Leg) -> bool:
        """Whether a leg departs or arrives then."""
        minute = leg.times[self.event == "arrive"]
        return minute is not None and self._holds(minute)

    def _holds(self, minute: int) -> bool:
        if self.op == "period":
            return any(PERIODS[name].start <= minute < PERIODS[name].end for name in self.periods or ())
        low = int(self.a or 0) if self.op != "before" else 0
        high = int((self.b if self.op == "window" else self.a) or 0) if self.op != "after" else DAY
        return low <= minute <= high

    @classmethod
    def _proposals(cls, random: Random, candidates: Candidates) -> Iterator[dict[str, Any]]:
        event, op = random.choice(("depart", "arrive")), random.choice(_OPS)
        times = cls._times(candidates, event)
        if not times:
            return
        low, high = quantile(times, random.uniform(0, 0.3)), quantile(times, random.uniform(0.7, 1))
        periods = [name for name, part in PERIODS.items() if any(part.start <= t < part.end for t in times)]
        told = random.sample(periods, min(2, len(periods)))
        bounds: dict[str, dict[str, Any]] = {
            "period": {"periods": sorted(told, key=[*PERIODS].index)},
            "window": {"a": _round_time(low, up=False), "b": _round_time(high, up=True)},
            "before": {"a": _round_time(high, up=True)},
            "after": {"a": _round_time(low, up=False)},
        }
        yield {"event": event, "op": op, **bounds[op]}

    @classmethod
    def _times(cls, candidates: Candidates, event: str) -> list[int]:
        services = candidates.services_of(cls.leg)
        times = [minutes(own.depart if event == "depart" else own.arrive) for own in services]
        return sorted(minute for minute in times if minute is not None)

    def _stricter(self, random: Random, candidates: Candidates) -> Iterator[dict[str, Any]]:
        times = self._times(candidates, self.event)
        for changes in self._later_bounds(random):
            stricter = self.read({**self.arguments, **changes})
            if stricter is not None and any(stricter._holds(minute) for minute in times):
                yield changes

    def _later_bounds(self, random: Random) -> Iterator[dict[str, Any]]:
        """A period less; bounds that are closer by 10 to 25 % of the time that is allowed."""
        share = random.uniform(0.11, 0.24)
        if self.op == "period":
            periods = self.periods or []
            for name in random.sample(periods, len(periods)) if len(periods) > 1 else ():
                yield {"periods": [each for each in periods if each != name]}
            return
        first = int(self.a or 0)
        if self.op == "before":
            yield {"a": clock_text(first - _whole_step(first * share))}
        elif self.op == "after":
            yield {"a": clock_text(first + _whole_step((DAY - first) * share))}
        else:
            last = int(self.b or 0)
            moved = _whole_step((last - first) * share)
            yield {"a": clock_text(first + moved)}
            yield {"b": clock_text(last - moved)}


def _whole_step(minutes_: float) -> int:
    return max(_STEP, round(minutes_ / _STEP) * _STEP)


def _round_time(minute: float, *, up: bool) -> str:
    """The next time of full 30 minutes, at the latest 23:59."""
    halves = -(-int(minute) // 30) if up else int(minute) // 30
    return clock_text(min(halves * 30, DAY - 1))


class TimeDepart(_Time):
    """When the first leg departs or arrives."""

    key = "transport.time_depart"
    leg = 0


class TimeReturn(_Time):
    """When the last leg departs or arrives."""

    key = "transport.time_return"
    leg = -1


class Cost(Rubric):
    """What each leg costs a person at the most, or all legs a person, or all of it."""

    key = "transport.cost"
    is_global = True
    level: Literal["one_way_person", "round_person", "total"]
    a: Number

    def is_met(self, trip: Trip) -> bool:
        """Whether it costs no more."""
        figures = self._figures(trip)
        return bool(trip.legs) and all(cost is not None and cost <= self.a + TINY for cost in figures)

    def read_trip(self, trip: Trip) -> str:
        """Every figure of the level."""
        return figures_text(self._figures(trip))

    def _figures(self, trip: Trip) -> list[float | None]:
        legs = [leg.cost for leg in trip.legs]
        figures = legs if self.level == "one_way_person" else [add_known(legs)]
        share = 1 if self.level == "total" else trip.people
        return [None if cost is None else cost / share for cost in figures]

    @classmethod
    def _proposals(cls, random: Random, candidates: Candidates) -> Iterator[dict[str, Any]]:
        level = random.choice(("one_way_person", "round_person", "total"))
        figure = usual_fare(candidates, level, random.uniform(0.5, 0.9))
        if figure is not None:
            yield {"level": level, "a": round_figure(figure, up=True)}

    def _stricter(self, random: Random, candidates: Candidates) -> Iterator[dict[str, Any]]:
        moved, least = move_bound(random, self.a, up=False), usual_fare(candidates, self.level, 0)
        if least is not None and moved >= least:
            yield {"a": moved}


def usual_fare(candidates: Candidates, level: str, share: float) -> float | None:
    """What a level costs with tickets at a share of the prices; None where a leg is not served."""
    if not all(candidates.fares):
        return None
    fares = [quantile(fares, share) for fares in candidates.fares]
    if level == "one_way_person":
        return max(fares)
    return sum(fares) * (candidates.people if level == "total" else 1)


class Platform(OfLegs):
    """Where each ticket is bought, or is not."""

    key = "transport.platform"
    figure = "platform"
    has_products = True
    op: Literal["in", "not_in"]
    names: Texts

    def passes(self, item: Service, bought: Ticket | None, basis: Basis) -> bool:
        """Whether a ticket is."""
        return bought is None or names_fit(bought.platform, self.op, self.names)

    @classmethod
    def _proposals(cls, random: Random, candidates: Candidates) -> Iterator[dict[str, Any]]:
        yield from propose_names(random, Counter(_platforms(candidates)), "names")

    def _stricter(self, random: Random, candidates: Candidates) -> Iterator[dict[str, Any]]:
        yield from stricter_names(random, self.names, self.op, {*_platforms(candidates)}, "names")


def _platforms(candidates: Candidates) -> list[str]:
    return [ticket.platform for _, ticket in candidates.tickets if ticket.platform]


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

    def passes(self, item: Service, bought: Ticket | None, basis: Basis) -> bool:
        """Whether a leg is punctual enough."""
        if not item.is_flight:
            return True
        late = item.avg_delay
        is_often = self.rate is None or reaches(item.ontime_rate, self.rate)
        return is_often and (self.delay is None or (late is not None and late <= self.delay + TINY))

    def read_part(self, part: Leg, trip: Trip) -> str:
        """How often it is on time, and how late it is."""
        return figures_text([part.service.ontime_rate, part.service.avg_delay])

    @classmethod
    def _proposals(cls, random: Random, candidates: Candidates) -> Iterator[dict[str, Any]]:
        rates, delays = _rates(candidates), _delays(candidates)
        kinds = random.choice((("rate",), ("delay",), ("rate", "delay")))
        told: dict[str, Any] = {}
        if rates and "rate" in kinds:
            told["rate"] = round_figure(quantile(rates, random.uniform(0, 0.3)), up=False)
        if delays and "delay" in kinds:
            told["delay"] = round_figure(quantile(delays, random.uniform(0.7, 1)), up=True)
        yield told

    def _stricter(self, random: Random, candidates: Candidates) -> Iterator[dict[str, Any]]:
        for share in (0.3, 0.5, 0.7):
            if self.rate is not None:
                rates = [rate for rate in _rates(candidates) if reaches(rate, self.rate)]
                yield from _bounds("rate", rates, share, up=True)
            if self.delay is not None:
                delays = [delay for delay in _delays(candidates) if delay <= self.delay]
                yield from _bounds("delay", delays, 1 - share, up=False)


def _bounds(field: str, values: Sequence[float], share: float, *, up: bool) -> Iterator[dict[str, Any]]:
    if values:
        yield {field: round_figure(quantile(values, share), up=up)}


def _rates(candidates: Candidates) -> list[float]:
    return sorted(own.ontime_rate for own in candidates.services if own.ontime_rate is not None)


def _delays(candidates: Candidates) -> list[float]:
    return sorted(own.avg_delay for own in candidates.services if own.avg_delay is not None)


class Airline(OfLegs):
    """None of these is flown with."""

    key = "transport.airline"
    figure = "airline"
    longest_chain = 1
    names: Texts

    def passes(self, item: Service, bought: Ticket | None, basis: Basis) -> bool:
        """Whether a leg is with another one."""
        return item.airline not in self.names

    @classmethod
    def _proposals(cls, random: Random, candidates: Candidates) -> Iterator[dict[str, Any]]:
        if names := sample_names(random, (own.airline for own in candidates.services if own.airline), 2):
            yield {"names": names}
            yield {"names": names[:1]}
