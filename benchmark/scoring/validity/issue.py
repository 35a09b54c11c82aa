"""One thing wrong with a plan, at its place, in words that can be translated."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from benchmark.scoring.trip import Outing, Trip

MESSAGES: dict[str, str] = {
    "intercity_gap": "The plan is in {to_city} after {from_city}, but no inter-city leg leads there.",
    "intercity_gap_overnight": "The day starts in {to_city}, but the one before it ended in {from_city}.",
    "no_hotel": "The day ends without a hotel.",
    "hotel_not_last": "There is a hotel in this day ({hotel}), but it is not the last activity.",
    "time_format": "{place}: the times {start} to {end} are not both of the form HH:MM.",
    "time_range": "{place}: ends at {end}, which is not after its start at {start}.",
    "overlap": "{user} is at once at {first} ({first_start}–{first_end}) and {second} ({second_start}–{second_end}).",
    "order": "{user}: {place} starts at {start}, before the activity listed before it ends ({previous_end}).",
    "no_transport": "{user} gets from {position} to {place} without local transport.",
    "no_transport_after_leg": "{user} arrives by inter-city transport and is at {place} without local transport.",
    "wrong_origin": "{user} is at {position}, but the local transport starts from {origin}.",
    "closed_day": "{place} is closed on {date}.",
    "closed_hours": "{place} is open {windows} on {date}, not {start}–{end}.",
    "no_cost": "{place} has no avg_cost.",
    "participants_shape": "{place}: participants must be a list of names, not {given}.",
    "participants_empty": "{place}: the list of participants is empty.",
    "participants_unknown": "{place}: {name} is not a member of the group.",
}
"""English patterns by message key; the placeholders are the issue's params."""


class Issue(NamedTuple):
    """One validity issue.

    type: as in the published figures. day: the plan's label. place: what else the published figures say of it
    (location, or user, or from_city and to_city). segment, activity: places in `city_segments` and `activities`,
    None where the issue is not about one. users: who is concerned, () for everyone. key, params: see MESSAGES.
    """

    type: str
    day: Any
    place: Mapping[str, Any]
    segment: int | None
    activity: int | None
    location: str
    users: tuple[str, ...]
    key: str
    params: Mapping[str, Any]

    def published(self) -> dict[str, Any]:
        """The issue as it stands among a record's figures."""
        return {"type": self.type, "day": self.day, **self.place}

    def evidence(self) -> dict[str, Any]:
        """The issue with its exact place and its message."""
        return {
            "type": self.type,
            "day": self.day,
            "segment": self.segment,
            "activity": self.activity,
            "location": self.location,
            "users": list(self.users),
            "message": {"key": self.key, "params": dict(self.params)},
        }


Check = Callable[[Trip], Iterator[Issue]]


def words(issue: Issue) -> str:
    """The English sentence of an issue."""
    return MESSAGES[issue.key].format_map(issue.params)


def at_place(kind: str, outing: Outing, key: str, params: Mapping[str, Any]) -> Issue:
    """An issue of one activity, whoever takes part."""
    place = outing.activity.place
    return Issue(
        kind,
        outing.day.label,
        {"location": place},
        outing.block.at,
        outing.activity.at,
        place,
        (),
        key,
        {"place": place, **params},
    )


def of_user(kind: str, user: str, outing: Outing, key: str, params: Mapping[str, Any]) -> Issue:
    """An issue that one activity raises for one user."""
    return Issue(
        kind,
        outing.day.label,
        {"user": user},
        outing.block.at,
        outing.activity.at,
        outing.activity.place,
        (user,),
        key,
        {"user": user, "place": outing.activity.place, **params},
    )
