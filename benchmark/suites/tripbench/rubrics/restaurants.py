"""Requirements of restaurants (appendix B.2.3)."""

from __future__ import annotations

from typing import ClassVar, Literal

from benchmark.suites.tripbench.plans.trip import Meal, Trip, total_price
from benchmark.suites.tripbench.rubrics.base import (
    FigureRubric,
    Number,
    OfMeals,
    Rubric,
    Texts,
    covers,
    reaches,
)


def meal_cost(meal: Meal, people: int) -> float | None:
    """What a meal costs all of them: its menus, else the average price of each; None where it is not known."""
    if meal.menus:
        return total_price(meal.menus)
    return None if meal.place.avg_price is None else meal.place.avg_price * people


class Price(FigureRubric, OfMeals):
    """What each meal costs a person."""

    key = "restaurant.price"

    def passes(self, item: Meal, trip: Trip) -> bool:
        """Whether the price of a meal fits."""
        cost = meal_cost(item, trip.people)
        return self.fits(None if cost is None else cost / trip.people, trip.parameters.around_share)


class _LeastFigure(OfMeals):
    figure: ClassVar[str]
    min: Number

    def passes(self, item: Meal, trip: Trip) -> bool:
        """Whether the restaurant's figure is high enough."""
        return reaches(getattr(item.place, self.figure), self.min)


class Rating(_LeastFigure):
    """The stars of each."""

    key = "restaurant.rating"
    figure = "stars"


class ReviewCount(_LeastFigure):
    """How many have reviewed each."""

    key = "restaurant.review_count"
    figure = "review_count"


class FoodRating(_LeastFigure):
    """How the food of each is rated."""

    key = "restaurant.subrating_food"
    figure = "product_rating"


class EnvironmentRating(_LeastFigure):
    """How the surroundings of each are rated."""

    key = "restaurant.subrating_environment"
    figure = "environment_rating"


class ServiceRating(_LeastFigure):
    """How the service of each is rated."""

    key = "restaurant.subrating_service"
    figure = "service_rating"


class IncludeCuisine(Rubric):
    """Every cuisine is eaten, or some."""

    key = "restaurant.include_cuisine"
    is_global = True
    cats: Texts
    mode: Literal["all", "any"] = "all"

    def is_met(self, trip: Trip) -> bool:
        """Whether they are."""
        return covers(
            {meal.place.category for meal in trip.meals if meal.place.category}, self.cats, self.mode
        )


class ExcludeCuisine(OfMeals):
    """None of the cuisines is eaten."""

    key = "restaurant.exclude_cuisine"
    cats: Texts

    def passes(self, item: Meal, trip: Trip) -> bool:
        """Whether a restaurant is of none of them."""
        return item.place.category not in self.cats


class Open(OfMeals):
    """Each takes reservations, or needs none."""

    key = "restaurant.open"
    op: Literal["reservable", "no_must_reserve"]

    def passes(self, item: Meal, trip: Trip) -> bool:
        """Whether a restaurant does."""
        return item.place.reservable is True if self.op == "reservable" else item.place.must_reserve is False
