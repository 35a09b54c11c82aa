"""A place as the search tools show it."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from sandbox.tools.language import Language
from sandbox.tools.tool import Result
from sandbox.toolsets.grouptravel.hours import short_hours_text
from sandbox.worlds import Hit
from sandbox.worlds.geo import format_point
from sandbox.worlds.records import PlaceKind


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
