"""Costs and services of a plan, compared with what tools returned."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from math import ceil
from typing import Any

from benchmark.plans.clock import minutes
from benchmark.suites.grouptravel.itineraries.reading import ATTRACTION, FOOD, HOTEL, Day, Leg
from benchmark.suites.grouptravel.scoring.paper.answers import DRIVE, FLIGHT, Answers, Drive, Service, spot_of
from benchmark.suites.grouptravel.scoring.paper.background import Background, Finding, UncheckedPart
from benchmark.suites.grouptravel.scoring.trip import Outing, Trip
from benchmark.suites.grouptravel.scoring.validity.checks import city_stem
from benchmark.suites.grouptravel.scoring.validity.issue import Issue, at_leg, at_place

# Rule 5: an inter-city leg is a service that a tool returned.


_UNMATCHED_SERVICE = "unmatched_service"
_MOST_SHOWN = 3
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
        yield _unchecked_leg(day, leg, answers)
    else:
        near = sorted(offered, key=lambda service: _minutes_apart(leg, service))[:_MOST_SHOWN]
        yield _issue(day, leg, [f"{service.depart}–{service.arrive}" for service in near])


def _of_drive(day: Day, leg: Leg, answers: Answers) -> Iterator[Finding]:
    drives = drives_of(leg, answers)
    length = length_of(leg)
    if any(length is not None and length + _SLACK_MINUTES >= drive.minutes for drive in drives):
        return
    if not drives and (
        not answers.held or answers.unreadable("plan_route", "compare_routes", "search_along_route")
    ):
        yield _unchecked_leg(day, leg, answers)
    else:
        yield _issue(day, leg, [f"{drive.minutes:g} min" for drive in drives[:_MOST_SHOWN]])


def length_of(leg: Leg) -> int | None:
    """Minutes; a leg that ends before it starts ends on the next day."""
    if leg.start is None or leg.end is None:
        return None
    return (leg.end - leg.start) % _DAY


def _same_times(leg: Leg, service: Service) -> bool:
    return leg.start is not None and (leg.start, leg.end) == (
        minutes(service.depart),
        minutes(service.arrive),
    )


def _minutes_apart(leg: Leg, service: Service) -> int:
    depart = minutes(service.depart)
    return abs(depart - leg.start) if depart is not None and leg.start is not None else _DAY


def _unchecked_leg(day: Day, leg: Leg, answers: Answers) -> UncheckedPart:
    reason = "unreadable" if answers.held else "no_results"
    return UncheckedPart(
        _UNMATCHED_SERVICE, day.label, leg.at, None, f"{leg.from_city} → {leg.to_city}", reason
    )


def _issue(day: Day, leg: Leg, offered: list[str]) -> Issue:
    key = "service_times" if offered else "service_unknown"
    params = {"mode": leg.mode, "start": leg.start_text, "end": leg.end_text, "offered": ", ".join(offered)}
    return at_leg(_UNMATCHED_SERVICE, day, leg, key, params)


# Rule 2: a cost agrees with what a tool returned for that item.


_MISMATCH = "cost_mismatch"
_PLACES = ("search_poi", "get_poi_detail", "search_along_route")
_ROUNDING_CNY = 1.0
_ROUNDING_SHARE = 0.01
_SEATS = 5
"""In a car, driver included."""


def cost_mismatch(trip: Trip, background: Background) -> Iterator[Finding]:
    """Every cost that is given for a meal, hotel, sight or leg; a missing one is another issue.

    Costs are compared to a yuan or a hundredth. What no readable result names is an issue where all results can be
    read, and can't be checked otherwise.
    """
    for outing in trip.outings:
        if outing.activity.cost is not None and outing.activity.kind in (FOOD, HOTEL, ATTRACTION):
            yield from _of_place(outing, background.answers)
    for day, leg in trip.legs:
        if leg.cost is not None:
            yield from _of_leg(day, leg, background)


def _of_place(outing: Outing, answers: Answers) -> Iterator[Finding]:
    activity = outing.activity
    priced_places = answers.place(outing.block.city, activity.location)
    prices = [price for priced in priced_places for price in priced.prices]
    if not priced_places:
        reason = _why_unknown(answers, activity.location, _PLACES)
    else:
        reason = "" if prices else "no_price"
    if reason:
        place = (outing.day.label, outing.block.at, activity.at, activity.place)
        yield UncheckedPart(_MISMATCH, *place, reason)
    elif not prices:
        yield at_place(_MISMATCH, outing, "cost_unsupported", {"cost": _money(activity.cost)})
    elif not agrees(activity.cost, prices):
        params = {"cost": _money(activity.cost), "returned": _several(prices)}
        yield at_place(_MISMATCH, outing, "cost_differs", params)


def _of_leg(day: Day, leg: Leg, background: Background) -> Iterator[Finding]:
    answers = background.answers
    tools = _drive_tools if leg.mode == DRIVE else _service_tools
    prices, known = _leg_prices(leg, background)
    reason = ("" if prices else "no_price") if known else _why_unknown(answers, "", tools)
    name = f"{leg.from_city} → {leg.to_city}"
    if reason:
        yield UncheckedPart(_MISMATCH, day.label, leg.at, None, name, reason)
    elif not prices:
        yield at_leg(_MISMATCH, day, leg, "cost_unsupported", {"cost": _money(leg.cost)})
    elif not agrees(leg.cost, prices):
        params = {"cost": _money(leg.cost), "returned": _several(prices)}
        yield at_leg(_MISMATCH, day, leg, "cost_differs", params)


_service_tools = ("travel_search_flights", "travel_search_trains")
_drive_tools = ("plan_route", "compare_routes", "search_along_route")


def _leg_prices(leg: Leg, background: Background) -> tuple[list[float], bool]:
    """What may be given for a leg, and whether a tool returned it at all.

    A drive's cost is for a car, so each pays a part of as many cars as the group needs. Of services the one at the
    leg's times counts, or any between its cities where none is at these times.
    """
    if leg.mode == DRIVE:
        drives = drives_of(leg, background.answers)
        heads = {len(background.record.users), background.heads} - {0}
        shares = {ceil(n / _SEATS) / n for n in heads} | {1.0}
        return [d.cost * share for d in drives if d.cost is not None for share in sorted(shares)], bool(
            drives
        )
    services = services_of(leg, background.answers)
    exact = [s for s in services if (s.depart, s.arrive) == (leg.start_text, leg.end_text)] or services
    return [price for service in exact for price in service.prices], bool(services)


def agrees(cost: Any, prices: Iterable[float]) -> bool:
    """Whether a cost as written is one of these prices, but for rounding."""
    if isinstance(cost, bool) or not isinstance(cost, (int, float)):
        return False
    return any(abs(cost - price) <= max(_ROUNDING_CNY, _ROUNDING_SHARE * abs(price)) for price in prices)


def _why_unknown(answers: Answers, name: str, tools: tuple[str, ...]) -> str:
    """Why an item that no readable result names can't be checked; "" where it can, and fails."""
    if not answers.held:
        return "no_results"
    if answers.unreadable(*tools) or (name and any(name in text for text in answers.web_texts)):
        return "unreadable"
    return ""


def _money(cost: Any) -> str:
    if isinstance(cost, (int, float)) and not isinstance(cost, bool):
        with suppress(OverflowError):  # an integer that no float holds
            return f"¥{cost:,.10g}"
    return str(cost)[:40]


def _several(prices: Iterable[float]) -> str:
    return ", ".join([_money(round(price, 2)) for price in sorted(set(prices))[:4]])
