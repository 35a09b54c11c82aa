"""Nobody jumps from place to place: between two places there is local transport that starts where the user is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from benchmark.suites.grouptravel.itineraries.reading import HOTEL, REST, TRANSIT, Block, Day
from benchmark.suites.grouptravel.scoring.published import walked, way_of
from benchmark.suites.grouptravel.scoring.trip import Outing, Trip
from benchmark.suites.grouptravel.scoring.validity.issue import Issue, of_user

HUB = object()
"""Where an inter-city leg leaves the group."""


def local_transport(trip: Trip) -> Iterator[Issue]:
    """`missing_intracity_transport` and `intracity_transport_origin_mismatch`, over each day from the morning on.

    Each user's position is followed, unknown (None) in the morning. At the HUB the first thing to do but rest must be
    local transport. A position moves even after an issue; what has no place leaves it, and so does a hotel without a
    name except on arrival.
    """
    for day in trip.days:
        positions: dict[Any, Any] = {}
        for segment in day.segments:
            if isinstance(segment, Block):
                yield from _block_issues(day, segment, trip.users, positions)
            else:
                positions.update(dict.fromkeys(trip.users, HUB))


def _block_issues(day: Day, block: Block, users: Sequence[str], positions: dict[Any, Any]) -> Iterator[Issue]:
    for activity in block.activities:
        if activity.kind == REST:
            continue
        start, end = way_of(activity)
        for user in users if activity.shared else walked(activity.participants):
            position = positions.get(user)
            if position is not None and position != start and (position is HUB or start is not None):
                yield from _issues(user, position, start, Outing(day, block, activity, frozenset(), None))
            if end is not None and (end != "" or position is HUB or activity.kind != HOTEL):
                positions[user] = end


def _issues(user: Any, position: Any, start: Any, outing: Outing) -> Iterator[Issue]:
    if outing.activity.kind == TRANSIT:
        if position is not HUB:
            params = {"position": position, "origin": start}
            yield of_user(
                "intracity_transport_origin_mismatch", user, outing.day, outing, "wrong_origin", params
            )
    elif position is HUB:
        yield of_user("missing_intracity_transport", user, outing.day, outing, "no_transport_after_leg", {})
    else:
        params = {"position": position}
        yield of_user("missing_intracity_transport", user, outing.day, outing, "no_transport", params)
