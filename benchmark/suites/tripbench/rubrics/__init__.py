"""The requirements that users have, by their keys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pydantic import ValidationError

from benchmark.suites.tripbench.rubrics import attractions, general, hotels, restaurants, transport
from benchmark.suites.tripbench.rubrics.base import Rubric

RUBRICS: Final[Mapping[str, type[Rubric]]] = {
    rubric.key: rubric
    for rubric in (
        attractions.IncludeCategories,
        attractions.ExcludeCategories,
        attractions.IncludeAttractions,
        attractions.ExcludeAttractions,
        attractions.HeatScore,
        attractions.CommentScore,
        attractions.CommentCount,
        attractions.Price,
        attractions.Distance,
        attractions.CategoryPriority,
        attractions.SightLevel,
        hotels.Cost,
        hotels.HotelType,
        hotels.ReviewCount,
        hotels.GoodRate,
        hotels.Star,
        hotels.AspectRating,
        hotels.CancelPolicy,
        hotels.PetFriendly,
        hotels.HasWindow,
        hotels.BreakfastNumber,
        hotels.Location,
        restaurants.Price,
        restaurants.Rating,
        restaurants.ReviewCount,
        restaurants.FoodRating,
        restaurants.EnvironmentRating,
        restaurants.ServiceRating,
        restaurants.IncludeCuisine,
        restaurants.ExcludeCuisine,
        restaurants.Open,
        transport.TimeDepart,
        transport.TimeReturn,
        transport.Cost,
        transport.Platform,
        transport.OnTime,
        transport.Airline,
        general.TotalBudget,
        general.DailyAttractions,
        general.DayWindow,
    )
}


def read_rubric(key: object, arguments: object) -> Rubric | None:
    """A requirement with its arguments; None where there is no such one, or the arguments are not its own."""
    rubric = RUBRICS.get(key) if isinstance(key, str) else None
    if rubric is None or not isinstance(arguments, Mapping):
        return None
    try:
        return rubric.model_validate(dict[str, Any](arguments))
    except ValidationError:
        return None
