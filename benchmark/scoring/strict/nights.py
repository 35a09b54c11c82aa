"""Rule 3: no night may be booked twice."""

from __future__ import annotations

from collections.abc import Iterator

from benchmark.scoring.strict.background import Background
from benchmark.scoring.trip import Outing, Trip
from benchmark.scoring.validity.issue import Issue, at_place


def double_booked_night(trip: Trip, _background: Background) -> Iterator[Issue]:
    """A day has one night, and the group shares one hotel: each further hotel of a day is an issue."""
    booked: dict[int, Outing] = {}
    for hotel in trip.nights:
        first = booked.setdefault(hotel.day.at, hotel)
        if first is not hotel:
            names = {"first": first.activity.location, "second": hotel.activity.location}
            yield at_place("double_booked_night", hotel, "night_twice", names)
