"""Requirements of restaurants (appendix B.2.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import ceil
from random import Random
from typing import Any, Literal

from benchmark.suites.tripbench.plans.trip import Meal, Trip, total_price
from benchmark.suites.tripbench.rubrics.attractions import (
    propose_exclusion,
    propose_inclusion,
    stricter_inclusion,
)
from benchmark.suites.tripbench.rubrics.base import (
    Basis,
    OfMeals,
    Rubric,
    Texts,
    covers,
    figures_text,
    value_text,
)
from benchmark.suites.tripbench.rubrics.candidates import Candidates
from benchmark.suites.tripbench.rubrics.figures import EachFigure, LeastFigure
from sandbox.toolsets.tripbench.records import Menu, Restaurant


def meal_cost(meal: Meal, people: int) -> float | None:
    """What a meal costs all of them: its menus, else the average price of each; None where it is not known."""
    if meal.menus:
        return total_price(meal.menus)
    return None if meal.place.avg_price is None else meal.place.avg_price * people


def _cost_a_head(meal: Meal, trip: Trip) -> float | None:
    cost = meal_cost(meal, trip.people)
    return None if cost is None else cost / trip.people


class Price(EachFigure[Meal, Restaurant, Menu], OfMeals):
    """What each meal costs a person. Alone, a menu is bought as often as the party needs it, and no other."""

    key = "restaurant.price"
    has_products = True

    @classmethod
    def value(cls, item: Restaurant, bought: Menu | None, people: int) -> float | None:
        """What a person pays."""
        if bought is None or bought.price is None:
            return item.avg_price if bought is None else None
        return bought.price * ceil(people / bought.people) / people

    def holds(self, part: Meal, trip: Trip) -> bool:
        """Whether the price of a meal fits."""
        return self.fits(_cost_a_head(part, trip), trip.parameters.around_share)

    def read_part(self, part: Meal, trip: Trip) -> str:
        """What a person pays."""
        return figures_text([_cost_a_head(part, trip)])


class Rating(LeastFigure[Meal, Restaurant, Menu], OfMeals):
    """The stars of each."""

    key = "restaurant.rating"
    figure = "stars"


class ReviewCount(LeastFigure[Meal, Restaurant, Menu], OfMeals):
    """How many have reviewed each."""

    key = "restaurant.review_count"
    figure = "review_count"


class FoodRating(LeastFigure[Meal, Restaurant, Menu], OfMeals):
    """How the food of each is rated."""

    key = "restaurant.subrating_food"
    figure = "product_rating"


class EnvironmentRating(LeastFigure[Meal, Restaurant, Menu], OfMeals):
    """How the surroundings of each are rated."""

    key = "restaurant.subrating_environment"
    figure = "environment_rating"


class ServiceRating(LeastFigure[Meal, Restaurant, Menu], OfMeals):
    """How the service of each is rated."""

    key = "restaurant.subrating_service"
    figure = "service_rating"


def cuisine_counts(candidates: Candidates) -> Counter[str]:
    """Restaurants of the destinations by cuisine."""
    places = {place.id: place for place, _ in candidates.meals}
    return Counter(place.category for place in places.values() if place.category)


def _cuisines(trip: Trip) -> set[str]:
    return {meal.place.category for meal in trip.meals if meal.place.category}


class IncludeCuisine(Rubric):
    """Every cuisine is eaten, or some."""

    key = "restaurant.include_cuisine"
    is_global = True
    cats: Texts
    mode: Literal["all", "any"] = "all"

    def is_met(self, trip: Trip) -> bool:
        """Whether they are."""
        return covers(_cuisines(trip), self.cats, self.mode)

    def read_trip(self, trip: Trip) -> str:
        """The cuisines that are eaten."""
        return ", ".join(sorted(_cuisines(trip)))

    @classmethod
    def _proposals(cls, random: Random, candidates: Candidates) -> Iterator[dict[str, Any]]:
        yield from propose_inclusion(random, cuisine_counts(candidates))

    def _stricter(self, random: Random, candidates: Candidates) -> Iterator[dict[str, Any]]:
        yield from stricter_inclusion(random, self.cats, self.mode, cuisine_counts(candidates))


class ExcludeCuisine(OfMeals):
    """None of the cuisines is eaten."""

    key = "restaurant.exclude_cuisine"
    figure = "category"
    longest_chain = 1
    cats: Texts

    def passes(self, item: Restaurant, bought: Menu | None, basis: Basis) -> bool:
        """Whether a restaurant is of none of them."""
        return item.category not in self.cats

    @classmethod
    def _proposals(cls, random: Random, candidates: Candidates) -> Iterator[dict[str, Any]]:
        yield from propose_exclusion(random, cuisine_counts(candidates))


class Open(OfMeals):
    """Each takes reservations, or needs none."""

    key = "restaurant.open"
    longest_chain = 1
    op: Literal["reservable", "no_must_reserve"]

    def passes(self, item: Restaurant, bought: Menu | None, basis: Basis) -> bool:
        """Whether a restaurant does."""
        return item.reservable is True if self.op == "reservable" else item.must_reserve is False

    def read_part(self, part: Meal, trip: Trip) -> str:
        """Whether a restaurant takes them, or needs one."""
        return value_text(part.place.reservable if self.op == "reservable" else part.place.must_reserve)

    @classmethod
    def _proposals(cls, random: Random, candidates: Candidates) -> Iterator[dict[str, Any]]:
        for op in random.sample(("reservable", "no_must_reserve"), 2):
            yield {"op": op}
