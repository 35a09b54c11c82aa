"""Requirements of hotels (appendix B.2.2)."""

from __future__ import annotations

from typing import ClassVar, Literal, Self

from pydantic import model_validator

from benchmark.suites.tripbench.plans.trip import TINY, Night, Trip
from benchmark.suites.tripbench.rubrics.base import (
    FigureRubric,
    Number,
    OfNights,
    Rubric,
    Texts,
    names_fit,
    reaches,
)


class Cost(FigureRubric):
    """What a room, a night or the stay costs, whole or for a person."""

    key = "hotel.cost"
    is_global = True
    level: Literal["room_night", "person_night", "night_total", "person_total", "total"]

    def is_met(self, trip: Trip) -> bool:
        """Whether every figure of the level fits."""
        around = trip.parameters.around_share
        figures = self._figures(trip)
        return bool(trip.nights) and all(self.fits(figure, around) for figure in figures)

    def _figures(self, trip: Trip) -> list[float | None]:
        if self.level == "room_night":
            return [room.price for night in trip.nights for room, _ in night.rooms]
        nights = [night.cost for night in trip.nights]
        figures = nights if "night" in self.level else [add_known(nights)]
        share = trip.people if self.level.startswith("person") else 1
        return [None if figure is None else figure / share for figure in figures]


def add_known(figures: list[float | None]) -> float | None:
    """The sum; None where one is not known."""
    return None if None in figures else sum(figure for figure in figures if figure is not None)


class HotelType(OfNights):
    """Each is of some types, or of none of them."""

    key = "hotel.hotel_type"
    op: Literal["in", "not_in"]
    types: Texts

    def passes(self, item: Night, trip: Trip) -> bool:
        """Whether a hotel's type fits."""
        return names_fit(item.hotel.type, self.op, self.types)


class _LeastFigure(OfNights):
    figure: ClassVar[str]
    min: Number

    def passes(self, item: Night, trip: Trip) -> bool:
        """Whether the hotel's figure is high enough."""
        return reaches(getattr(item.hotel, self.figure), self.min)


class ReviewCount(_LeastFigure):
    """How many have reviewed each."""

    key = "hotel.review_count"
    figure = "review_count"


class GoodRate(_LeastFigure):
    """The share of good reviews of each."""

    key = "hotel.good_rate"
    figure = "good_rate"


class Star(_LeastFigure):
    """The stars of each."""

    key = "hotel.star"
    figure = "stars"


class AspectRating(OfNights):
    """How an aspect of each is rated, or every aspect."""

    key = "hotel.aspect_rating"
    aspect: Literal["all", "product", "environment", "service"]
    min: Number

    def passes(self, item: Night, trip: Trip) -> bool:
        """Whether the ratings are high enough."""
        names = ("product", "environment", "service") if self.aspect == "all" else (self.aspect,)
        return all(reaches(getattr(item.hotel, f"{name}_rating"), self.min) for name in names)


class CancelPolicy(OfNights):
    """Each room can be given back until so many hours before the check-in."""

    key = "hotel.cancel_policy"
    hours: Number

    def passes(self, item: Night, trip: Trip) -> bool:
        """Whether all rooms of a night can."""
        hours = [room.cancel_hours for room, _ in item.rooms]
        return all(known is not None and known <= self.hours + TINY for known in hours)


class PetFriendly(OfNights):
    """Each takes pets."""

    key = "hotel.pet_friendly"

    def passes(self, item: Night, trip: Trip) -> bool:
        """Whether a hotel does."""
        return item.hotel.pet_friendly is True


class HasWindow(OfNights):
    """Each room has a window."""

    key = "hotel.has_window"

    def passes(self, item: Night, trip: Trip) -> bool:
        """Whether all rooms of a night have one."""
        return all(room.window is True for room, _ in item.rooms)


class BreakfastNumber(Rubric):
    """How many breakfasts a night comes with."""

    key = "hotel.breakfast_number"
    is_global = True
    op: Literal["exact", "min"]
    n: Number

    def is_met(self, trip: Trip) -> bool:
        """Whether every night has as many."""
        return bool(trip.nights) and all(self._fits(night) for night in trip.nights)

    def _fits(self, night: Night) -> bool:
        if any(room.breakfast is None for room, _ in night.rooms):
            return False
        served = sum((room.breakfast or 0) * count for room, count in night.rooms)
        return reaches(served, self.n) and (self.op == "min" or served <= self.n + TINY)


class Location(Rubric):
    """Near the centre each night, or but the last one, which is near where the last leg starts, or that alone."""

    key = "hotel.location"
    is_global = True
    op: Literal["center", "center_except_last", "last_near_hub"]
    km: Number | None = None
    hub_km: Number | None = None

    @model_validator(mode="after")
    def _check_distances(self) -> Self:
        if self.km is None and (self.op != "last_near_hub" or self.hub_km is None):
            raise ValueError("km is missing")
        return self

    def is_met(self, trip: Trip) -> bool:
        """Whether they are."""
        if not trip.nights:
            return False
        central = {"center": trip.nights, "center_except_last": trip.nights[:-1], "last_near_hub": []}[
            self.op
        ]
        if not all(_is_within(trip.world.km_from_centre(night.hotel), self.km) for night in central):
            return False
        return self.op == "center" or self._is_near_hub(trip)

    def _is_near_hub(self, trip: Trip) -> bool:
        if not trip.legs:
            return False
        limit = self.km if self.hub_km is None else self.hub_km
        hub, hotel = trip.legs[-1].service.from_place, trip.nights[-1].hotel
        return _is_within(trip.km(hub.point, hotel.point), limit)


def _is_within(km: float | None, limit: float | None) -> bool:
    return km is not None and limit is not None and km <= limit + TINY
