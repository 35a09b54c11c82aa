"""A place as the search tools show it."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from sandbox.tools.language import Language
from sandbox.tools.results import Figure, OrNone, Partial, Text
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
