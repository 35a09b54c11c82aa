"""What tables and charts call the rubrics, and how their figures are named."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from benchmark.metrics import gettext_noop as _

DOMAINS: Final[Mapping[str, str]] = {
    "attraction": _("attractions"),
    "hotel": _("hotels"),
    "restaurant": _("restaurants"),
    "transport": _("transport"),
    "general": _("the whole trip"),
}
LABELS: Final[Mapping[str, str]] = {
    "attraction.include_categories": _("kinds of attractions to visit"),
    "attraction.exclude_categories": _("kinds of attractions to leave out"),
    "attraction.include_attractions": _("attractions to visit"),
    "attraction.exclude_attractions": _("attractions to leave out"),
    "attraction.heat_score": _("popularity of attractions"),
    "attraction.comment_score": _("rating of attractions"),
    "attraction.comment_count": _("reviews of attractions"),
    "attraction.price": _("price of attractions"),
    "attraction.distance": _("way to attractions"),
    "attraction.category_priority": _("preferred kinds of attractions"),
    "attraction.sight_level": _("level of sights"),
    "hotel.cost": _("cost of hotels"),
    "hotel.hotel_type": _("type of hotel"),
    "hotel.review_count": _("reviews of hotels"),
    "hotel.good_rate": _("good reviews of hotels"),
    "hotel.star": _("stars of hotels"),
    "hotel.aspect_rating": _("ratings of hotels"),
    "hotel.cancel_policy": _("free cancellation"),
    "hotel.pet_friendly": _("pets in hotels"),
    "hotel.has_window": _("rooms with windows"),
    "hotel.breakfast_number": _("number of breakfasts"),
    "hotel.location": _("location of hotels"),
    "restaurant.price": _("price of meals"),
    "restaurant.rating": _("stars of restaurants"),
    "restaurant.review_count": _("reviews of restaurants"),
    "restaurant.subrating_food": _("rating of the food"),
    "restaurant.subrating_environment": _("rating of the rooms"),
    "restaurant.subrating_service": _("rating of the service"),
    "restaurant.include_cuisine": _("cuisines to eat"),
    "restaurant.exclude_cuisine": _("cuisines to leave out"),
    "restaurant.open": _("reservations"),
    "transport.time_depart": _("times of the way out"),
    "transport.time_return": _("times of the way back"),
    "transport.cost": _("cost of transport"),
    "transport.platform": _("where tickets are sold"),
    "transport.ontime": _("punctuality"),
    "transport.airline": _("airlines to avoid"),
    "general.total_budget": _("budget"),
    "general.daily_attractions": _("attractions a day"),
    "general.day_window": _("hours of the day"),
}
"""By the keys of `RUBRICS`."""


def figure_key(rubric: str) -> str:
    """The key of the figure that says how often constraints of a rubric are met."""
    return rubric.replace(".", "_")


def domain_of(rubric: str) -> str:
    """The domain of a rubric."""
    return rubric.partition(".")[0]
