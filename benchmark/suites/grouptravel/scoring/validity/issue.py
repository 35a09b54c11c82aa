"""One thing wrong with a plan, at its place, in words that can be translated."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from benchmark.suites.grouptravel.itineraries.reading import Day, Leg
from benchmark.suites.grouptravel.scoring.leniency import day_label, place_named
from benchmark.suites.grouptravel.scoring.trip import Outing, Trip

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
    "cost_differs": "{place}: the plan says {cost}, but tools returned {returned}.",
    "cost_unsupported": "{place}: the plan says {cost}, but no tool returned a price for it.",
    "night_twice": "The night is booked twice: in {first} and in {second}.",
    "child_alone": "At {start} all adults are on separate ways ({parties}), and none is with {children}.",
    "no_departure": "No leg at the beginning leads from {from_city}, where the group sets out, to {to_city}.",
    "no_return": "No leg at the end leads from {from_city} back to {to_city}, where the group set out.",
    "service_times": "{mode} {place} from {start} to {end} is at no time that a tool returned ({offered}).",
    "service_unknown": "{mode} {place} from {start} to {end} is no service that a tool returned.",
    "too_fast": "{place}: {km} km from {origin} in {minutes} min ({mode}) is {kmh} km/h; up to {most} is feasible.",
    "too_short": "{mode} {place} takes {minutes} min; the fastest that a tool returned takes {returned} min.",
}
"""English patterns by message key; the placeholders are the issue's params."""

MENDS: dict[str, str] = {
    "intercity_gap": "Add an inter-city leg from {from_city} to {to_city} before this block.",
    "intercity_gap_overnight": "Open the day with an inter-city leg from {from_city} to {to_city}.",
    "no_hotel": "End the day with a hotel.",
    "hotel_not_last": "Make {hotel} the last activity of the day's last block.",
    "time_format": "Write both times as HH:MM, from 00:00 to 23:59.",
    "time_range": "Let it end after {start}.",
    "overlap": "Move one of the two, or let {user} leave one out.",
    "order": "List it in the order of the times, or let it start at {previous_end} or later.",
    "no_transport": "Add local transport from {position} to {place} for {user} before it.",
    "no_transport_after_leg": "Add local transport to {place} as the first thing after the leg.",
    "wrong_origin": "Let the transport start from {position}, or give {user} a way to {origin} first.",
    "closed_day": "Visit {place} on another day.",
    "closed_hours": "Visit {place} within {windows}.",
    "no_cost": "Give avg_cost in CNY a person; 0 where it is free.",
    "participants_shape": "Give a list of names, or leave participants out for everyone.",
    "participants_empty": "Name who takes part, or leave participants out for everyone.",
    "participants_unknown": "Take {name} out; participants are members of the group with a table.",
    "cost_differs": "Give the cost that a tool returned: {returned}.",
    "cost_unsupported": "Look {place} up with a tool and give the price that it returns.",
    "night_twice": "Keep one of the two hotels.",
    "child_alone": "Let one adult be free from {start} on, or let everybody go together.",
    "no_departure": "Open the trip with a leg from {from_city} to {to_city}.",
    "no_return": "Close the trip with a leg from {from_city} to {to_city}.",
    "service_times": "Take one of those returned: {offered}.",
    "service_unknown": "Search {place} by {mode} with a tool and take a service that it returns.",
    "too_fast": "Give it {needed} min or more, or take a faster way from {origin}.",
    "too_short": "Take the times of a service that a tool returned.",
}
"""What would mend an issue, in English, by the same keys and with the same placeholders."""


class Issue(NamedTuple):
    """One validity issue.

    type: as in the published figures. place: what else the published figures say of it (location, or user, or
    from_city and to_city), as the plan writes it. segment, activity: places in `city_segments` and `activities`,
    None where the issue is not about one. users: who is concerned, () where it is the same for all who take part.
    key, params: see MESSAGES. who: those who take part in the activity, None for everyone.
    """

    type: str
    day: Day
    place: Mapping[str, Any]
    segment: int | None
    activity: int | None
    location: str
    users: tuple[str, ...]
    key: str
    params: Mapping[str, Any]
    who: frozenset[str] | None = None

    def as_published(self) -> dict[str, Any]:
        """The issue as it stands among a record's figures."""
        return {"type": self.type, "day": day_label(self.day), **self.place}

    def evidence(self, group: Sequence[str]) -> dict[str, Any]:
        """The issue with its exact place, its message, what would mend it, and who of `group` is concerned.

        Days may carry equal labels: `day_at` is the day's place in `days`.
        """
        concerned = self.users or (
            group if self.who is None else [user for user in group if user in self.who]
        )
        return {
            "type": self.type,
            "day": self.day.label,
            "day_at": self.day.at,
            "segment": self.segment,
            "activity": self.activity,
            "location": self.location,
            "users": list(self.users),
            "participants": list(concerned),
            "message": {"key": self.key, "params": dict(self.params)},
            "mend": MENDS[self.key].format_map(self.params),
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
        outing.day,
        {"location": place_named(outing.activity.source)},
        outing.block.at,
        outing.activity.at,
        place,
        (),
        key,
        {"place": place, **params},
        outing.who,
    )


def at_leg(
    kind: str, day: Day, leg: Leg, key: str, params: Mapping[str, Any], named: Mapping[str, Any] | None = None
) -> Issue:
    """An issue of an inter-city leg, which everybody travels; its figures name the two cities or `named`."""
    name = leg_words(leg)
    cities = {"from_city": leg.from_city, "to_city": leg.to_city}
    return Issue(
        kind, day, cities if named is None else named, leg.at, None, name, (), key, {"place": name, **params}
    )


def leg_words(leg: Leg) -> str:
    """A leg as readers see it."""
    return f"{leg.from_city} → {leg.to_city}"


def of_user(kind: str, user: Any, day: Day, step: Outing | Leg, key: str, params: Mapping[str, Any]) -> Issue:
    """An issue that one activity or leg raises for one user, or for whoever stands among the participants."""
    if isinstance(step, Leg):
        segment, at, place = step.at, None, leg_words(step)
    else:
        segment, at, place = step.block.at, step.activity.at, step.activity.place
    said = {"user": user, "place": place, **params}
    return Issue(kind, day, {"user": user}, segment, at, place, (str(user),), key, said)
