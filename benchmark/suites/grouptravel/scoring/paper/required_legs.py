"""Rule 8: the legs that a trip needs are there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from benchmark.suites.grouptravel.itineraries.reading import Block, Day, Leg
from benchmark.suites.grouptravel.scoring.paper.background import Background
from benchmark.suites.grouptravel.scoring.paper.finding import Finding, Unchecked
from benchmark.suites.grouptravel.scoring.trip import Trip
from benchmark.suites.grouptravel.scoring.validity.cities import city_stem
from benchmark.suites.grouptravel.scoring.validity.issue import Issue

_TYPE = "missing_required_leg"


def missing_required_leg(trip: Trip, background: Background) -> Iterator[Finding]:
    """The trip opens with a leg from the departure city to its first city and closes with one back from its last.

    Several legs in a row may lead there. Nobody needs one who stays where the group departs. Where no block names a
    city, the legs do.
    """
    segments = [(day, segment) for day in trip.days for segment in day.segments]
    stops = _stops(segments)
    if not stops:
        return
    first, last = stops[0], stops[-1]
    home = background.record.departure_city
    if not home:
        yield Unchecked(_TYPE, first.day.label, first.segment.at, None, "", "no_departure_city")
        return
    if not _lead(segments[: first.begins], home, first.city):
        yield _issue(first, home, first.city, "no_departure")
    if not _lead(segments[last.ends :], last.city, home):
        yield _issue(last, last.city, home, "no_return")


class _Stop(NamedTuple):
    """Where the trip comes to a city. begins, ends: how many segments lead there, and how many are over after it."""

    day: Day
    segment: Leg | Block
    city: str
    begins: int
    ends: int


def _stops(segments: Sequence[tuple[Day, Leg | Block]]) -> list[_Stop]:
    placed = list(enumerate(segments))
    blocks = [_Stop(d, s, s.city, i, i + 1) for i, (d, s) in placed if isinstance(s, Block) and s.city]
    return blocks or [_Stop(d, s, s.to_city, i + 1, i + 1) for i, (d, s) in placed if isinstance(s, Leg)]


def _lead(segments: Sequence[tuple[Day, Leg | Block]], origin: str, target: str) -> bool:
    """Whether the legs among them lead from one city to the other, or these are one."""
    wanted = city_stem(origin), city_stem(target)
    legs = [segment for _, segment in segments if isinstance(segment, Leg)]
    if not legs or wanted[0] == wanted[1]:
        return wanted[0] == wanted[1]
    return (city_stem(legs[0].from_city), city_stem(legs[-1].to_city)) == wanted


def _issue(stop: _Stop, origin: str, target: str, key: str) -> Issue:
    cities = {"from_city": origin, "to_city": target}
    return Issue(_TYPE, stop.day, cities, stop.segment.at, None, "", (), key, cities)
