"""A place as the search tools show it."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from sandbox.tools.language import Language, Says
from sandbox.tools.results import Figure, OrNone, Partial, Text
from sandbox.tools.tool import Result
from sandbox.worlds import Hit
from sandbox.worlds.geo import format_point
from sandbox.worlds.records import OpeningHours, OpeningRule, PlaceKind


class Poi(Result):
    """A place in a list of results."""

    id: str
    name: str
    kind: PlaceKind
    category: str
    city: str
    address: str
    location: str = Field(description="lon,lat")
    distance_m: int | None
    rating: float | None
    review_count: int | None = Field(default=None, description="How many people rated it")
    price: float | None = Field(
        description="CNY per person; for a hotel, per person and night when two share a twin room"
    )
    opening_hours: str | None
    stay_hours: tuple[float, float] | None


class PartialRoom(Partial):
    """A room: its price and how many sleep in it."""

    price: Figure = None
    capacity: Figure = None


class PartialSpot(Partial):
    """What something is called, and where it is."""

    name: Text = None
    kind: Text = None
    category: Text = None
    city: Text = None
    address: Text = None
    location: Text = None


class PartialPlace(PartialSpot):
    """A place as a list of results or a detail tells it. opening_hours: a text of a list, an object of a detail."""

    id: Any = None
    rating: Figure = None
    price: Figure = None
    stay_hours: Any = None
    opening_hours: Any = None
    opening_text: Text = None
    rooms: list[Annotated[PartialRoom | None, OrNone]] | None = None


class PartialPlaces(Partial):
    """A list of places."""

    pois: list[Annotated[PartialPlace | None, OrNone]] | None = None


def poi_fields(hit: Hit, language: Language) -> dict[str, Any]:
    """The fields of `Poi` for a place that was found."""
    place = hit.place
    return {
        "id": place.id,
        "name": place.name,
        "kind": place.kind,
        "category": place.category,
        "city": place.city,
        "address": place.address,
        "location": format_point((place.longitude, place.latitude)),
        "distance_m": hit.distance_m,
        "rating": place.rating,
        "review_count": place.reviews,
        "price": place.price,
        "opening_hours": short_hours_text(place.opening_hours, language),
        "stay_hours": place.stay_hours,
    }


_DAYS = {
    "zh": ("周一", "周二", "周三", "周四", "周五", "周六", "周日"),
    "en": ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"),
}
_WEEK = (1, 2, 3, 4, 5, 6, 7)


def hours_text(hours: OpeningHours | None, language: Language) -> str | None:
    """All rules, season by season; None where the hours are unknown."""
    if hours is None:
        return None
    if hours.always_open:
        return Says("全天开放", "always open").to(language)
    rules = [_rule_text(rule, language) for rule in hours.rules]
    return Says("；", "; ").to(language).join(rules) or Says("不开放", "closed").to(language)


def short_hours_text(hours: OpeningHours | None, language: Language) -> str | None:
    """The first rule, and a word that others hold at other times."""
    if hours is None or hours.always_open or len(hours.rules) < 2:
        return hours_text(hours, language)
    return _rule_text(hours.rules[0], language) + Says("（其他日期不同）", " (differs on other days)").to(
        language
    )


def _rule_text(rule: OpeningRule, language: Language) -> str:
    open_at = rule.time_windows if rule.weekdays else ()
    windows = ", ".join(f"{window.open}-{window.close}" for window in open_at)
    parts = (
        f"{rule.date_range.start}~{rule.date_range.end}" if rule.date_range else "",
        _weekdays(rule.weekdays, language),
        windows or Says("不开放", "closed").to(language),
    )
    return " ".join(part for part in parts if part)


def _weekdays(weekdays: tuple[int, ...], language: Language) -> str:
    """Nothing for all days; 周二至周日 for a run; else a list."""
    days, names = sorted(set(weekdays)), _DAYS[language]
    if tuple(days) == _WEEK or not days:
        return ""
    if len(days) > 2 and days[-1] - days[0] == len(days) - 1:
        return Says("至", "-").to(language).join((names[days[0] - 1], names[days[-1] - 1]))
    return Says("、", ", ").to(language).join(names[day - 1] for day in days)
