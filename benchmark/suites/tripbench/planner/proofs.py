"""Proofs that no plan meets some constraints (docs/decisions/0087): each looks at all that could meet them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple

from benchmark.suites.tripbench.planner.lodgings import (
    most_of,
    stay_costs,
)
from benchmark.suites.tripbench.planner.needs import Need, cuisine_needs_of, needs_of
from benchmark.suites.tripbench.planner.problem import Problem
from benchmark.suites.tripbench.planner.rides import cost_limit
from benchmark.suites.tripbench.planner.stock import Stock
from benchmark.suites.tripbench.plans.trip import TINY
from benchmark.suites.tripbench.rubrics import attractions, hotels
from benchmark.suites.tripbench.rubrics.base import OfNights

_BARE: Final = ("general", "hotel", "transport", "attraction", "restaurant")


class Proof(NamedTuple):
    """That no plan keeps all rules and meets these constraints at once.

    constraints: their ids, none where the trip itself can't be made; not one of them can be spared. reason: a key.
    nodes: how many choices were looked at.
    """

    constraints: tuple[str, ...]
    reason: str
    nodes: int


def find_proof(problem: Problem, stock: Stock | None = None) -> Proof | None:
    """A proof that no plan is strict; None where none is found, which does not say that there is a plan."""
    stock = stock or Stock(problem)
    unread = [each.id for each in problem.constraints if each.id not in problem.rubrics]
    if unread:
        return Proof((unread[-1],), "unread", 0)
    frame = problem.frame
    if len(frame.dates) != len(frame.nights) + 1 or not frame.stays:
        return Proof((), "frame", 0)
    for test, domains, reason in _TESTS:
        if test(stock):
            return _least(problem, test, domains, reason, stock.nodes)
    return None


def _least(problem: Problem, test: Test, domains: Sequence[str], reason: str, nodes: int) -> Proof:
    """With no constraint that can be spared; the oldest are kept."""
    asked = [*problem.ids_of(*domains)]
    kept = [*asked]
    for id_ in asked:
        rest = [each for each in kept if each != id_]
        own = Stock(problem.keep(rest))
        if test(own):
            kept = rest
        nodes += own.nodes
    order = [each.id for each in problem.constraints if each.id in kept]
    return Proof(tuple(order), reason, nodes)


# Each says whether a part of a plan can't be had.


def _lacks_rides(stock: Stock) -> bool:
    """A leg without a service, or services that all cost too much together."""
    if not all(stock.rides):
        return True
    limit = cost_limit(stock.problem)
    least = math.fsum(_least_cost(ride.cost for ride in leg) for leg in stock.rides)
    return limit is not None and least > limit + TINY


def _lacks_lodgings(stock: Stock) -> bool:
    """A night without a hotel, or nights that all cost too much together."""
    asked = stock.problem.of(OfNights, hotels.Cost, hotels.BreakfastNumber, hotels.Location)  # type: ignore[type-abstract]
    if not stock.problem.frame.nights:
        return bool(asked)
    if any(night.is_whole and not night.options for night in stock.nights):
        return True
    if not all(night.is_whole for night in stock.nights):
        return False
    least = math.fsum(_least_cost(one.cost for one in night.options) for night in stock.nights)
    around = stock.problem.parameters.around_share
    limits = [(most_of(each, around), share) for each, share in stay_costs(stock.problem)]
    return any(limit is not None and least / share > limit + TINY for limit, share in limits)


def _lacks_sights(stock: Stock) -> bool:
    """Too few attractions for the full days, or none of a kind that must be visited."""
    problem = stock.problem
    low, high = problem.visit_counts
    sights = stock.all_sights
    if problem.full_days and (high < 1 or math.ceil(low - TINY) > high + TINY):
        return True
    if _is_short(problem, [sight.id for sight in sights], problem.full_days * math.ceil(low - TINY)):
        return True
    return _is_unmet(needs_of(problem, [sight.place for sight in sights])) or _is_without_first(problem)


def _is_without_first(problem: Problem) -> bool:
    return any(not each.cats for each in problem.of(attractions.CategoryPriority))


def _lacks_meals(stock: Stock) -> bool:
    """Too few restaurants for the full days, or none of a cuisine that must be eaten."""
    eateries = stock.all_eateries
    if _is_short(stock.problem, [eatery.id for eatery in eateries], stock.problem.full_days):
        return True
    return _is_unmet(cuisine_needs_of(stock.problem, [eatery.place for eatery in eateries]))


def _is_short(problem: Problem, ids: Sequence[str], wanted: int) -> bool:
    """Whether places are too few; those that may come again are enough."""
    return len(ids) < wanted and not problem.repeatable & {*ids}


def _is_unmet(needs: Iterable[Need]) -> bool:
    return any(not need.ids for need in needs)


def _is_dear(stock: Stock) -> bool:
    """More than the budget at the least."""
    problem = stock.problem
    if problem.budget is None:
        return False
    return least_cost(stock) > problem.budget + TINY


def least_cost(stock: Stock) -> float:
    """What no strict plan is cheaper than; infinite where what it needs has no price that is known."""
    problem, repeatable = stock.problem, stock.problem.repeatable
    rides = math.fsum(_least_cost(ride.cost for ride in leg) for leg in stock.rides)
    nights = math.fsum(
        _least_cost(one.cost for one in night.options) if night.is_whole else 0.0 for night in stock.nights
    )
    visits = problem.full_days * math.ceil(problem.visit_counts[0] - TINY)
    sights = [(sight.id, sight.cost) for sight in stock.all_sights]
    meals = [(eatery.id, eatery.cost if eatery.is_whole else 0.0) for eatery in stock.all_eateries]
    return (
        rides
        + nights
        + _least_of(sights, visits, repeatable)
        + _least_of(meals, problem.full_days, repeatable)
    )


def _least_of(costs: Sequence[tuple[str, float | None]], count: int, repeatable: frozenset[str]) -> float:
    """Of so many different ones; one that may come again may be all of them."""
    known = sorted(math.inf if cost is None else cost for _, cost in costs)
    least = sum(known[:count]) if len(known) >= count else math.inf
    again = [math.inf if cost is None else cost for id_, cost in costs if id_ in repeatable]
    if again:
        least = count * known[0]
    return least if count else 0.0


def _least_cost(costs: Iterable[float | None]) -> float:
    return min((cost for cost in costs if cost is not None), default=math.inf)


Test = Callable[[Stock], bool]
_TESTS: Final[tuple[tuple[Test, tuple[str, ...], str], ...]] = (
    (_lacks_rides, ("transport",), "rides"),
    (_lacks_lodgings, ("hotel", "transport"), "lodgings"),
    (_lacks_sights, ("attraction", "general"), "sights"),
    (_lacks_meals, ("restaurant", "general"), "meals"),
    (_is_dear, _BARE, "budget"),
)
