"""Rule 3: no night may be booked twice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from benchmark.suites.grouptravel.itineraries.clock import calendar_day
from benchmark.suites.grouptravel.scoring.paper.background import Background
from benchmark.suites.grouptravel.scoring.trip import Outing, Trip
from benchmark.suites.grouptravel.scoring.validity.cities import city_stem
from benchmark.suites.grouptravel.scoring.validity.issue import Issue, at_place

_Hotel = tuple[str, str]
"""City and name."""


def double_booked_night(trip: Trip, _background: Background) -> Iterator[Issue]:
    """Two hotels for one night, which the group spends together in one: each further hotel is an issue.

    A night is that of a date, else of a day's label. Whoever comes back to a hotel books it once, and a stop at the
    hotel of the night before books nothing.
    """
    left: _Hotel | None = None
    for hotels in _nights(trip):
        slept = _hotel(hotels[-1])
        booked: dict[_Hotel, Outing] = {}
        for hotel in hotels:
            house = _hotel(hotel)
            if house not in booked and (house != left or house == slept):
                booked[house] = hotel
                if len(booked) > 1:
                    yield _issue(next(iter(booked.values())), hotel)
        left = slept


def _nights(trip: Trip) -> list[list[Outing]]:
    nights: dict[Any, list[Outing]] = {}
    for hotel in trip.nights:
        nights.setdefault(calendar_day(hotel.day.date) or hotel.day.label, []).append(hotel)
    return list(nights.values())


def _hotel(hotel: Outing) -> _Hotel:
    name = hotel.place.name if hotel.place else hotel.activity.location
    return city_stem(hotel.block.city), name


def _issue(first: Outing, second: Outing) -> Issue:
    names = {"first": first.activity.location, "second": second.activity.location}
    return at_place("double_booked_night", second, "night_twice", names)
