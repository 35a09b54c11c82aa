"""Nobody jumps from place to place: between two places there is local transport that starts where the user is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from benchmark.itineraries.reading import REST, TRANSIT, Block, Day
from benchmark.scoring.trip import Outing, Trip
from benchmark.scoring.validity.issue import Issue, of_user

UNKNOWN = ""
ARRIVED = None
_Position = str | None


def local_transport(trip: Trip) -> Iterator[Issue]:
    """`missing_intracity_transport` and `intracity_transport_origin_mismatch`, over each day from the morning on.

    A user's position is UNKNOWN in the morning and ARRIVED after a leg, when the first thing to do but rest must be
    local transport. It moves even after an issue; what has no place leaves it.
    """
    for day in trip.days:
        positions: dict[str, _Position] = {}
        fallback: _Position = UNKNOWN
        for segment in day.segments:
            if isinstance(segment, Block):
                yield from _block_issues(day, segment, trip.users, positions, fallback)
            else:
                positions, fallback = {}, ARRIVED


def _block_issues(
    day: Day, block: Block, users: Sequence[str], positions: dict[str, _Position], fallback: _Position
) -> Iterator[Issue]:
    for activity in block.activities:
        if activity.kind == REST:
            continue
        transit = activity.kind == TRANSIT
        expected = activity.origin if transit else activity.location
        reached = activity.destination if transit else activity.location
        for user in users if activity.shared else _walked(activity.participants):
            position = positions.get(user, fallback)
            if position != expected and position != UNKNOWN:
                yield from _issues(user, position, Outing(day, block, activity, frozenset(), None))
            if reached:
                positions[user] = reached


def _walked(participants: Any) -> list[str]:
    """The names as listed, unknown ones too; the characters of a bare string, as the published check does."""
    listed = participants if isinstance(participants, (list, str, dict)) else ()
    return [name for name in listed if isinstance(name, str)]


def _issues(user: str, position: _Position, outing: Outing) -> Iterator[Issue]:
    activity = outing.activity
    if activity.kind == TRANSIT:
        if position is not ARRIVED:
            params = {"position": position, "origin": activity.origin}
            yield of_user("intracity_transport_origin_mismatch", user, outing, "wrong_origin", params)
    elif position is ARRIVED:
        yield of_user("missing_intracity_transport", user, outing, "no_transport_after_leg", {})
    elif activity.location:
        yield of_user("missing_intracity_transport", user, outing, "no_transport", {"position": position})
