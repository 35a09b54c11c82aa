"""The draft of a plan: the published JSON, changed in place, one thing at a time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from benchmark.plans.clock import calendar_day, minutes
from benchmark.suites.grouptravel.itineraries.reading import HOTEL, LEG
from webapp.plans.text import read_plan

MOST_DAYS = 60


class Place(NamedTuple):
    """Where something stands in a plan; all count from 0. activity is None for a leg, both are for a day."""

    day: int
    segment: int | None = None
    activity: int | None = None


@dataclass(frozen=True)
class Item:
    """An activity, or a leg between cities, and where it belongs. city: of an activity."""

    day: int
    city: str
    content: dict[str, Any]

    @property
    def is_leg(self) -> bool:
        return bool(self.content["type"] == LEG)


def empty(first: str, days: int) -> dict[str, Any]:
    """A plan of so many days with nothing in them. first: the date of the first one, YYYY-MM-DD."""
    plan: dict[str, Any] = {"days": [{"day": 1, "date": first, "city_segments": []}]}
    for _n in range(min(days, MOST_DAYS) - 1):
        add_day(plan)
    return plan


def place_of(text: str) -> Place:
    """The place that `0-1-2` names.

    Raises:
        ValueError: it names none.
    """
    numbers = text.split("-")
    if not 1 <= len(numbers) <= 3 or not all(part.isdecimal() and len(part) < 5 for part in numbers):
        raise _missing_item_error()
    return Place(*map(int, numbers))


def _missing_item_error() -> ValueError:
    return ValueError(_("This is no longer in the plan."))


# Reading a plan that somebody wrote.


def plan_in(text: str) -> dict[str, Any]:
    """The plan in a text, alone or in a fence.

    Raises:
        ValueError: it is none, or has parts that can't be shown.
    """
    plan = read_plan(text)
    _refuse_shapes(plan)
    return plan


def _refuse_shapes(plan: Mapping[str, Any]) -> None:
    days = plan.get("days")
    if not isinstance(days, list) or not all(isinstance(day, dict) for day in days):
        raise ValueError(_("A plan is an object with a list “days” of objects."))
    for number, day in enumerate(days, 1):
        segments = day.get("city_segments")
        if not isinstance(segments, list) or not all(isinstance(segment, dict) for segment in segments):
            raise ValueError(_("Day %(n)s has no list “city_segments” of objects.") % {"n": number})
        for segment in segments:
            parts = [] if segment.get("type") == LEG else segment.get("activities")
            if not isinstance(parts, list) or not all(isinstance(part, dict) for part in parts):
                raise ValueError(_("Day %(n)s has a city without a list “activities”.") % {"n": number})


# Days.


def add_day(plan: dict[str, Any]) -> None:
    """One more day at the end, the day after the last one.

    Raises:
        ValueError: there are enough.
    """
    days = plan["days"]
    if len(days) >= MOST_DAYS:
        raise ValueError(_("At most %(most)s days are allowed.") % {"most": MOST_DAYS})
    last = calendar_day(days[-1].get("date")) if days else None
    days.append({"day": len(days) + 1, "date": _after(last), "city_segments": []})


def _after(day: date | None) -> str:
    return "" if day is None or day == date.max else (day + timedelta(days=1)).isoformat()


def remove_day(plan: dict[str, Any], at: int) -> None:
    """A day less; those after it are counted anew, their dates stay.

    Raises:
        ValueError: there is no such day.
    """
    _day(plan, at)
    del plan["days"][at]
    for number, day in enumerate(plan["days"], 1):
        day["day"] = number


def date_day(plan: dict[str, Any], at: int, text: str) -> None:
    """Give a day its date, YYYY-MM-DD.

    Raises:
        ValueError: there is no such day, or it is no date.
    """
    day = calendar_day(text)
    if day is None:
        raise ValueError(_("Write the date of day %(n)s as YYYY-MM-DD.") % {"n": at + 1})
    _day(plan, at)["date"] = day.isoformat()


def _day(plan: Mapping[str, Any], at: int) -> dict[str, Any]:
    if at >= len(plan["days"]):
        raise _missing_item_error()
    day: dict[str, Any] = plan["days"][at]
    return day


# What a day holds.


def item_at(plan: Mapping[str, Any], place: Place) -> Item:
    """The activity or leg at a place.

    Raises:
        ValueError: there is none.
    """
    siblings, at = _siblings(plan, place)
    segment = _day(plan, place.day)["city_segments"][place.segment]
    city = segment.get("city")
    return Item(place.day, city if isinstance(city, str) else "", siblings[at])


def _siblings(plan: Mapping[str, Any], place: Place) -> tuple[list[Any], int]:
    """The list that a place is in, and where."""
    segments: list[Any] = _day(plan, place.day)["city_segments"]
    if place.segment is None or place.segment >= len(segments):
        raise _missing_item_error()
    if place.activity is None:
        return segments, place.segment
    activities = activities_of(segments[place.segment])
    if place.activity >= len(activities):
        raise _missing_item_error()
    return activities, place.activity


def activities_of(segment: Mapping[str, Any]) -> list[Any]:
    """What a stay holds; nothing of a leg."""
    activities: list[Any] = [] if segment.get("type") == LEG else segment["activities"]
    return activities


def put(plan: dict[str, Any], item: Item, at: Place | None = None) -> None:
    """Take an item in, at its time of the day; `at` is the place of the one that it replaces, None for a new one.

    Raises:
        ValueError: the day, or what it replaces, is not there.
    """
    _day(plan, item.day)
    if at is not None:
        siblings, index = _siblings(plan, at)
        if _stays(item_at(plan, at), item):
            siblings[index] = item.content
            return
        del siblings[index]
    segments = _day(plan, item.day)["city_segments"]
    if item.is_leg:
        segments.insert(_leg_slot(segments, item.content), item.content)
    else:
        activities = _block(segments, item)
        activities.insert(_slot(activities, item.content), item.content)
    _prune(plan)


def _stays(old: Item, new: Item) -> bool:
    """Whether a changed item keeps its place."""
    times = (each.content.get("start_time") for each in (old, new))
    kinds = ((each.content.get("type") == HOTEL, each.content.get("type") == LEG) for each in (old, new))
    same = old.day == new.day and len(set(times)) == 1 and len(set(kinds)) == 1
    return same and (new.is_leg or old.city == new.city)


def _block(segments: list[Any], item: Item) -> list[Any]:
    """The activities of the stay that an item belongs to: the last one in its city that has begun by then."""
    start = minutes(item.content.get("start_time")) or 0
    stays = (segment for segment in segments if segment.get("type") != LEG)
    stays_in_city = [segment for segment in stays if segment.get("city") == item.city]
    begun = [segment for segment in stays_in_city if (_begins(segment) or 0) <= start]
    if stays_in_city:
        activities: list[Any] = (begun[-1] if begun else stays_in_city[0])["activities"]
        return activities
    block: dict[str, Any] = {"city": item.city, "activities": []}
    segments.insert(_block_slot(segments, item.city), block)
    fresh: list[Any] = block["activities"]
    return fresh


def _begins(segment: Mapping[str, Any]) -> int | None:
    first: Mapping[str, Any] = next(iter(segment["activities"]), {})
    return minutes(first.get("start_time"))


def _block_slot(segments: list[Any], city: str) -> int:
    """After the leg that arrives there, else before the one that leaves, else at the end."""
    for at in reversed(range(len(segments))):
        if segments[at].get("to_city") == city:
            return at + 1
    leaving = (at for at, segment in enumerate(segments) if segment.get("from_city") == city)
    return next(leaving, len(segments))


def _slot(activities: list[Any], content: Mapping[str, Any]) -> int:
    """After what begins before it or with it; a hotel is last."""
    if content["type"] == HOTEL:
        return len(activities)
    start = minutes(content.get("start_time")) or 0
    slot = 0
    for at, other in enumerate(activities):
        begins = minutes(other.get("start_time"))
        if other.get("type") != HOTEL and begins is not None and begins <= start:
            slot = at + 1
    return slot


def _leg_slot(segments: list[Any], leg: Mapping[str, Any]) -> int:
    """After the stay that it leaves, else before the one where it arrives, else at the end."""
    for at in reversed(range(len(segments))):
        if leg["from_city"] in (segments[at].get("city"), segments[at].get("to_city")):
            return at + 1
    reached = (
        at
        for at, segment in enumerate(segments)
        if leg["to_city"] in (segment.get("city"), segment.get("from_city"))
    )
    return next(reached, len(segments))


def remove(plan: dict[str, Any], place: Place) -> None:
    """Take an activity or a leg out.

    Raises:
        ValueError: there is none.
    """
    siblings, at = _siblings(plan, place)
    del siblings[at]
    _prune(plan)


def move(plan: dict[str, Any], place: Place, by: int) -> None:
    """Exchange an activity or a leg with its neighbour; at the edge it stays.

    Raises:
        ValueError: there is none.
    """
    siblings, at = _siblings(plan, place)
    if 0 <= at + by < len(siblings):
        siblings[at], siblings[at + by] = siblings[at + by], siblings[at]


def _prune(plan: dict[str, Any]) -> None:
    """A stay in which nothing is left is none."""
    for day in plan["days"]:
        day["city_segments"] = [
            segment for segment in day["city_segments"] if segment.get("type") == LEG or segment["activities"]
        ]
