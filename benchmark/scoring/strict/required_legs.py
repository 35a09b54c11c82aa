"""Rule 8: the legs that a trip needs are there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchmark.itineraries.reading import Block, Day, Leg
from benchmark.scoring.strict.background import Background
from benchmark.scoring.strict.finding import Finding, Unchecked
from benchmark.scoring.trip import Trip
from benchmark.scoring.validity.cities import city_stem
from benchmark.scoring.validity.issue import Issue

_TYPE = "missing_required_leg"


def missing_required_leg(trip: Trip, background: Background) -> Iterator[Finding]:
    """The trip opens with a leg from the departure city to its first city and closes with one back from its last.

    Several legs in a row may lead there. Nobody needs one who stays where the group departs.
    """
    segments = [(day, segment) for day in trip.days for segment in day.segments]
    stops = [(i, d, s) for i, (d, s) in enumerate(segments) if isinstance(s, Block) and s.city]
    if not stops:
        return
    (begins, opening, first), (ends, closing, last) = stops[0], stops[-1]
    home = background.departure_city
    if not home:
        yield Unchecked(_TYPE, opening.label, first.at, None, "", "no_departure_city")
        return
    if not _lead(segments[:begins], home, first.city):
        yield _issue(opening, first, home, first.city, "no_departure")
    if not _lead(segments[ends + 1 :], last.city, home):
        yield _issue(closing, last, last.city, home, "no_return")


def _lead(segments: Sequence[tuple[Day, Leg | Block]], origin: str, target: str) -> bool:
    """Whether the legs among them lead from one city to the other, or these are one."""
    wanted = city_stem(origin), city_stem(target)
    legs = [segment for _, segment in segments if isinstance(segment, Leg)]
    if not legs or wanted[0] == wanted[1]:
        return wanted[0] == wanted[1]
    return (city_stem(legs[0].from_city), city_stem(legs[-1].to_city)) == wanted


def _issue(day: Day, block: Block, origin: str, target: str, key: str) -> Issue:
    cities = {"from_city": origin, "to_city": target}
    return Issue(_TYPE, day, cities, block.at, None, "", (), key, cities)
