"""Rule 5: an inter-city leg is a service that a tool returned."""

from __future__ import annotations

from collections.abc import Iterator

from benchmark.suites.grouptravel.itineraries.clock import minutes
from benchmark.suites.grouptravel.itineraries.reading import Day, Leg
from benchmark.suites.grouptravel.scoring.paper.answers import (
    DRIVE,
    FLIGHT,
    Answers,
    Drive,
    Service,
    spot_of,
)
from benchmark.suites.grouptravel.scoring.paper.background import Background
from benchmark.suites.grouptravel.scoring.paper.finding import Finding, Unchecked
from benchmark.suites.grouptravel.scoring.trip import Trip
from benchmark.suites.grouptravel.scoring.validity.cities import city_stem
from benchmark.suites.grouptravel.scoring.validity.issue import Issue, at_leg

_TYPE = "unmatched_service"
_SHOWN = 3
_DAY = 24 * 60
_SLACK_MINUTES = 5
"""Drives are written in round times."""


def unmatched_service(trip: Trip, background: Background) -> Iterator[Finding]:
    """A leg whose mode, cities and times are those of no service returned.

    A drive has no timetable: one between these cities must have been returned, and the leg must not be shorter.
    """
    for day, leg in trip.legs:
        if leg.mode == DRIVE:
            yield from _of_drive(day, leg, background.answers)
        else:
            yield from _of_service(day, leg, background.answers)


def services_of(leg: Leg, answers: Answers) -> list[Service]:
    """The returned services of the leg's mode between its cities."""
    wanted = (leg.mode, city_stem(leg.from_city), city_stem(leg.to_city))
    return [service for service in answers.services if service[:3] == wanted]


def drives_of(leg: Leg, answers: Answers) -> list[Drive]:
    """The returned drives between places that are, or are known to lie in, the leg's cities."""
    return [
        drive
        for drive in answers.drives
        if _lies_in(drive.origin, leg.from_city, answers)
        and _lies_in(drive.destination, leg.to_city, answers)
    ]


def _lies_in(end: str, city: str, answers: Answers) -> bool:
    """By its name, or by what a tool found there: a coordinate names no city, and routes are asked for by them."""
    stem, spot = city_stem(city), spot_of(end)
    if spot:
        return stem in answers.spots.get(spot, ())
    return bool(stem) and (stem in end or any(priced.city == stem for priced in answers.places.get(end, ())))


def _of_service(day: Day, leg: Leg, answers: Answers) -> Iterator[Finding]:
    offered = services_of(leg, answers)
    if any(_same_times(leg, service) for service in offered):
        return
    tool = "travel_search_flights" if leg.mode == FLIGHT else "travel_search_trains"
    if not answers.held or answers.unreadable(tool):
        yield _unchecked(day, leg, answers)
    else:
        near = sorted(offered, key=lambda service: _apart(leg, service))[:_SHOWN]
        yield _issue(day, leg, [f"{service.depart}–{service.arrive}" for service in near])


def _of_drive(day: Day, leg: Leg, answers: Answers) -> Iterator[Finding]:
    found = drives_of(leg, answers)
    length = _length(leg)
    if any(length is not None and length + _SLACK_MINUTES >= drive.minutes for drive in found):
        return
    if not found and (
        not answers.held or answers.unreadable("plan_route", "compare_routes", "search_along_route")
    ):
        yield _unchecked(day, leg, answers)
    else:
        yield _issue(day, leg, [f"{drive.minutes:g} min" for drive in found[:_SHOWN]])


def _length(leg: Leg) -> int | None:
    """Minutes; a leg that ends before it starts ends on the next day."""
    if leg.start is None or leg.end is None:
        return None
    return (leg.end - leg.start) % _DAY


def _same_times(leg: Leg, service: Service) -> bool:
    return leg.start is not None and (leg.start, leg.end) == (
        minutes(service.depart),
        minutes(service.arrive),
    )


def _apart(leg: Leg, service: Service) -> int:
    depart = minutes(service.depart)
    return abs(depart - leg.start) if depart is not None and leg.start is not None else _DAY


def _unchecked(day: Day, leg: Leg, answers: Answers) -> Unchecked:
    reason = "unreadable" if answers.held else "no_results"
    return Unchecked(_TYPE, day.label, leg.at, None, f"{leg.from_city} → {leg.to_city}", reason)


def _issue(day: Day, leg: Leg, offered: list[str]) -> Issue:
    key = "service_times" if offered else "service_unknown"
    params = {"mode": leg.mode, "start": leg.start_text, "end": leg.end_text, "offered": ", ".join(offered)}
    return at_leg(_TYPE, day, leg, key, params)
