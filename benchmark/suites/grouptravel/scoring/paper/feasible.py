"""Transport that nobody can make, and lodging at the time of something else (GroupTravelBench, appendix A.8)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from benchmark.plans.clock import minutes
from benchmark.suites.grouptravel.itineraries.reading import ATTRACTION, FOOD, HOTEL, TRANSIT, Day, Leg
from benchmark.suites.grouptravel.scoring.paper.answers import DRIVE, Answers, Spot
from benchmark.suites.grouptravel.scoring.paper.background import (
    Background,
    Finding,
    PaperCheck,
    UncheckedPart,
)
from benchmark.suites.grouptravel.scoring.paper.costs import drives_of, length_of, services_of
from benchmark.suites.grouptravel.scoring.trip import Course, Outing, Overlap, Trip
from benchmark.suites.grouptravel.scoring.validity.checks import issues_of_overlaps
from benchmark.suites.grouptravel.scoring.validity.issue import Issue, at_leg, at_place
from benchmark.text import guarded
from sandbox.worlds.geo import distance_m

# Check 6: the transport is feasible.


_DAY = 24 * 60
_INFEASIBLE = "infeasible_transport"


@dataclass(frozen=True, slots=True)
class Tolerances:
    """What still counts as feasible; the paper names no figures.

    walk_kmh, cycle_kmh, ride_kmh: over the straight line between two places, which no way is shorter than; the last
    holds for taxis, the metro and whatever else drives. leg_share: of the time of the fastest service returned.
    """

    walk_kmh: float = 8
    cycle_kmh: float = 30
    ride_kmh: float = 90
    leg_share: float = 0.5

    def kmh(self, mode: str) -> float:
        """How fast a way of local transport may be; where a mode names several, the fastest counts."""
        if _WALK.fullmatch(mode):
            return self.walk_kmh
        return self.cycle_kmh if _CYCLE.fullmatch(mode) else self.ride_kmh


_SEPARATOR = r"[\s+、,/&，和]{0,3}"
_WALK_WORDS = r"步行|徒步|走路|散步|行走|walk(?:ing)?|by foot|on foot|foot"
_CYCLE_WORDS = r"骑行|骑车|自行车|共享单车|单车|bik(?:e|ing)|bicycl(?:e|ing)|cycling"
_WALK = guarded.compile(rf"\s*(?:(?:{_WALK_WORDS}){_SEPARATOR}){{1,4}}", guarded.IGNORECASE)
_CYCLE = guarded.compile(rf"\s*(?:(?:{_WALK_WORDS}|{_CYCLE_WORDS}){_SEPARATOR}){{1,4}}", guarded.IGNORECASE)


def infeasible_transport(tolerances: Tolerances) -> PaperCheck:
    """The check of local transport that is too fast, and of legs that are too short, by these tolerances.

    Where no tool result tells where both ends of a way lie, it can't be checked. A leg without a service returned is
    the matter of `unmatched_service`.
    """

    def check(trip: Trip, background: Background) -> Iterator[Finding]:
        for outing in trip.outings:
            if outing.activity.kind == TRANSIT and outing.activity.duration:
                yield from _of_way(outing, background.answers, tolerances)
        for day, leg in trip.legs:
            yield from _of_leg(day, leg, background.answers, tolerances)

    return check


def _of_way(outing: Outing, answers: Answers, tolerances: Tolerances) -> Iterator[Finding]:
    way = outing.activity
    if not way.origin or not way.destination or way.origin == way.destination:
        return
    metres = _metres(answers, outing.block.city, way.origin, way.destination)
    if metres is None:
        reason = "no_coordinates" if answers.held else "no_results"
        yield UncheckedPart(_INFEASIBLE, outing.day.label, outing.block.at, way.at, way.destination, reason)
        return
    mode = way.source.get("transport_mode")
    mode = mode if isinstance(mode, str) else ""
    kmh, most = metres / 1000 / (way.duration / 60), tolerances.kmh(mode)
    if kmh > most:
        yield _too_fast(outing, mode, metres, kmh, most)


def _too_fast(outing: Outing, mode: str, metres: float, kmh: float, most: float) -> Issue:
    way = outing.activity
    figures = {
        "km": f"{metres / 1000:.1f}",
        "minutes": way.duration,
        "kmh": f"{kmh:.0f}",
        "most": f"{most:g}",
        "needed": _minutes_at(metres, most),
    }
    return at_place(_INFEASIBLE, outing, "too_fast", {"origin": way.origin, "mode": mode or "?", **figures})


def _minutes_at(metres: float, kmh: float) -> int:
    return int(metres / 1000 / kmh * 60) + 1


def _metres(answers: Answers, city: str, origin: str, destination: str) -> float | None:
    """Straight metres between two places; between the nearest two where a name is that of several."""
    ends = answers.spots_named(city, origin), answers.spots_named(city, destination)
    return min((_distance(one, other) for one in ends[0] for other in ends[1]), default=None)


def _distance(one: Spot, other: Spot) -> float:
    return distance_m(one, other)


def _of_leg(day: Day, leg: Leg, answers: Answers, tolerances: Tolerances) -> Iterator[Issue]:
    length, returned = length_of(leg), _fastest(leg, answers)
    if length is not None and returned and length < tolerances.leg_share * returned:
        figures = {"minutes": length, "returned": f"{returned:g}"}
        yield at_leg(_INFEASIBLE, day, leg, "too_short", {"mode": leg.mode, **figures})


def _fastest(leg: Leg, answers: Answers) -> float | None:
    """Minutes of the fastest service or drive returned between the leg's cities, None without any."""
    if leg.mode == DRIVE:
        return min((drive.minutes for drive in drives_of(leg, answers)), default=None)
    times = [(minutes(s.depart), minutes(s.arrive)) for s in services_of(leg, answers)]
    return min((float((b - a) % _DAY) for a, b in times if a is not None and b is not None), default=None)


# Check 4: lodging is an activity like any other.


_BESIDE_LODGING = frozenset((ATTRACTION, FOOD, TRANSIT))


def overlap_with_lodging(trip: Trip, _background: Background) -> Iterator[Finding]:
    """`time_overlap` of a hotel and something else of its day: one issue for each user and pair.

    A hotel that ends no later than it starts is slept in until the next day. When the room is given back there says
    nothing of that morning. Rest may well be taken in the hotel.
    """
    for course in trip.courses:
        yield from issues_of_overlaps(trip.users, list(_with_lodging(course, frozenset(trip.users))))


def _with_lodging(course: Course, group: frozenset[str]) -> Iterator[Overlap]:
    for at, hotel in enumerate(course.outings):
        if hotel.activity.kind != HOTEL:
            continue
        for other_at, other in enumerate(course.outings):
            if other.activity.kind in _BESIDE_LODGING and _at_once(hotel, other):
                first, second = (hotel, other) if at < other_at else (other, hotel)
                yield Overlap(first, second, other.who & group)


def _at_once(hotel: Outing, other: Outing) -> bool:
    night, part = hotel.activity, other.activity
    if night.start is None or night.end is None or part.start is None or not part.duration:
        return False
    until = night.end if night.end > night.start else _DAY
    return part.start < until and night.start < part.start + part.duration
