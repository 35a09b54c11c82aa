"""Every night but the last is spent in a hotel, and the hotel ends the day."""

from __future__ import annotations

from collections.abc import Iterator

from benchmark.suites.grouptravel.itineraries.reading import HOTEL, Activity, Block, Day
from benchmark.suites.grouptravel.scoring.published import has_activities
from benchmark.suites.grouptravel.scoring.trip import Trip
from benchmark.suites.grouptravel.scoring.validity.issue import Issue


def hotel_nights(trip: Trip) -> Iterator[Issue]:
    """`missing_hotel`, or `hotel_not_last_activity` where a hotel stands elsewhere in the day.

    A day ends with its last block that says what is done there, even where a leg follows it.
    """
    for day in trip.days[:-1]:
        block = next((block for block in reversed(day.blocks) if has_activities(block)), None)
        if block is None or not block.activities:
            yield _issue("missing_hotel", day, block, None)
        elif block.activities[-1].kind != HOTEL:
            hotel = next(_hotels(day), None)
            yield _issue("hotel_not_last_activity" if hotel else "missing_hotel", day, block, hotel)


def _hotels(day: Day) -> Iterator[Activity]:
    return (activity for block in day.blocks for activity in block.activities if activity.kind == HOTEL)


def _issue(kind: str, day: Day, block: Block | None, hotel: Activity | None) -> Issue:
    last = block.activities[-1].at if block and block.activities else None
    segment = block.at if block else None
    if hotel is None:
        return Issue(kind, day, {}, segment, last, "", (), "no_hotel", {})
    params = {"hotel": hotel.location}
    return Issue(kind, day, {}, segment, last, hotel.location, (), "hotel_not_last", params)
