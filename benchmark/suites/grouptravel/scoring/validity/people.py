"""Participants are members of the group."""

from __future__ import annotations

from collections.abc import Iterator

from benchmark.suites.grouptravel.itineraries.reading import ALL, HOTEL
from benchmark.suites.grouptravel.scoring.trip import Outing, Trip
from benchmark.suites.grouptravel.scoring.validity.issue import Issue, at_place

_TYPE = "invalid_participants"


def invalid_participants(trip: Trip) -> Iterator[Issue]:
    """Not a list, an empty list, or a name that is neither a user nor "All" (one issue a name). Hotels are exempt."""
    for outing in trip.outings:
        activity = outing.activity
        fine = activity.participants is None or (activity.shared and activity.participants)
        if not fine and activity.kind != HOTEL:
            yield from _issues(outing, trip)


def _issues(outing: Outing, trip: Trip) -> Iterator[Issue]:
    given = outing.activity.participants
    if not isinstance(given, list):
        yield at_place(_TYPE, outing, "participants_shape", {"given": given})
    elif not given:
        yield at_place(_TYPE, outing, "participants_empty", {})
    else:
        for name in given:
            if name != ALL and name not in trip.users:
                yield at_place(_TYPE, outing, "participants_unknown", {"name": name})
