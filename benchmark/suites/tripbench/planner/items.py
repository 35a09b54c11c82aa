"""What there is to choose from: attractions and restaurants that pass alone, with what is bought at them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from benchmark.suites.tripbench.planner.problem import Problem, Spans, open_spans, start_within
from benchmark.suites.tripbench.plans.trip import total_price
from benchmark.suites.tripbench.rubrics.attractions import Distance, SightLevel
from benchmark.suites.tripbench.rubrics.base import OfMeals, OfVisits
from benchmark.suites.tripbench.rubrics.restaurants import Price
from benchmark.suites.tripbench.world import holds_visit
from sandbox.toolsets.tripbench.records import Attraction, Menu, Restaurant
from sandbox.worlds.geo import Point

_MOST_ORDERS: Final = 3_000
"""Ways to order at one restaurant that are looked at."""
_LONGEST_VISIT: Final = 150
Purchases = tuple[tuple[str, int], ...]


class Sight(NamedTuple):
    """An attraction. least, usual, most: minutes of a visit, all within the rules. cost: of the whole party."""

    place: Attraction
    spans: Spans
    least: int
    usual: int
    most: int
    purchases: Purchases
    cost: float | None

    @property
    def id(self) -> str:
        """Its id."""
        return self.place.id

    @property
    def point(self) -> Point:
        """Where it is."""
        return self.place.point


class Order(NamedTuple):
    """What is ordered of a restaurant. cost: of the whole party, None where it is not known."""

    menus: tuple[tuple[Menu, int], ...]
    cost: float | None

    @property
    def purchases(self) -> Purchases:
        """As plans have it."""
        return tuple((menu.id, count) for menu, count in self.menus)


class Eatery(NamedTuple):
    """A restaurant. orders: cheapest first. is_whole: whether these are all orders that pass."""

    place: Restaurant
    spans: Spans
    orders: tuple[Order, ...]
    is_whole: bool = True

    @property
    def id(self) -> str:
        """Its id."""
        return self.place.id

    @property
    def point(self) -> Point:
        """Where it is."""
        return self.place.point

    @property
    def cost(self) -> float | None:
        """Of the cheapest order."""
        return self.orders[0].cost if self.orders else None

    def order_at(self, start: int, end: int, people: int, slack: float) -> Order | None:
        """A menu for the party where one is served then, else the cheapest of what may be had; None for nothing."""
        served = [
            order
            for order in self.orders
            if all(holds_visit(menu.time_ranges, start, end, slack) for menu, _ in order.menus)
            and (order.menus or not self._has_menu(start, end, people, slack))
        ]
        exact = [each for each in served if len(each.menus) == 1 and each.menus[0][0].people == people]
        return next(iter((*exact, *served)), None)

    def _has_menu(self, start: int, end: int, people: int, slack: float) -> bool:
        return any(
            menu.people == people and holds_visit(menu.time_ranges, start, end, slack)
            for menu in self.place.products
        )


def sights_of(problem: Problem, city: str) -> list[Sight]:
    """The attractions of a city that pass alone and are open long enough for a visit."""
    asked = [each for each in problem.of(OfVisits) if not isinstance(each, Distance) or each.of == "center"]  # type: ignore[type-abstract]
    levels = [each for each in problem.of(SightLevel) if each.quant == "all"]
    found = list[Sight]()
    for place in problem.world.attractions_in(city):
        if not all(each.passes(place, None, problem) for each in asked):
            continue
        if not all(each.has_level(place.sight_level) for each in levels):
            continue
        if (sight := _sight(problem, place)) is not None:
            found.append(sight)
    return found


def _sight(problem: Problem, place: Attraction) -> Sight | None:
    parameters = problem.parameters
    low, high = _visit_span(problem, place)
    usual = max(low, min(high, _LONGEST_VISIT, 30 * sum(place.visit_hours) if place.visit_hours else 90))
    spans = open_spans(place.open_hours)
    first, last = problem.visit_window
    if high < low or start_within(spans, first, low, last, parameters.hours_slack) is None:
        return None
    if not place.products or (place.price or 0) <= 0:
        return Sight(place, spans, low, int(usual), high, (), 0.0)
    ticket = min(place.products, key=lambda one: math.inf if one.price is None else one.price)
    people = problem.people
    return Sight(
        place, spans, low, int(usual), high, ((ticket.id, people),), total_price(((ticket, people),))
    )


def _visit_span(problem: Problem, place: Attraction) -> tuple[int, int]:
    """The shortest and the longest visit."""
    parameters, hours = problem.parameters, place.visit_hours
    low = math.floor(parameters.attraction_min) + 1
    if not hours:
        return low, 24 * 60
    shortest = math.ceil(hours[0] * 60 - parameters.stay_slack - 1e-9)
    return max(low, shortest), math.floor(hours[1] * 60 + parameters.stay_slack + 1e-9)


def eateries_of(problem: Problem, city: str) -> list[Eatery]:
    """The restaurants of a city that pass alone with some order and are open long enough for a meal."""
    asked = [each for each in problem.of(OfMeals) if not isinstance(each, Price)]  # type: ignore[type-abstract]
    prices = problem.of(Price)
    first, last = problem.visit_window
    low = math.ceil(problem.parameters.meal[0])
    found = list[Eatery]()
    for place in problem.world.restaurants_in(city):
        if not all(each.passes(place, None, problem) for each in asked):
            continue
        spans = open_spans(place.open_hours)
        if start_within(spans, first, low, last, problem.parameters.hours_slack) is None:
            continue
        orders, is_whole = _orders(place, problem.people)
        passing = [order for order in orders if _suits(order, prices, problem)]
        if passing or not is_whole:
            passing.sort(key=lambda order: (order.cost is None, order.cost or 0, len(order.menus)))
            found.append(Eatery(place, spans, tuple(passing), is_whole))
    return found


def _suits(order: Order, prices: Sequence[Price], problem: Problem) -> bool:
    share = None if order.cost is None else order.cost / problem.people
    return all(each.fits(share, problem.parameters.around_share) for each in prices)


def _orders(place: Restaurant, people: int) -> tuple[list[Order], bool]:
    """Nothing from the menus, and all choices of menus for the party; and whether these are all that the rules allow.

    None is larger than the party by a whole menu.
    """
    plain = Order((), None if place.avg_price is None else place.avg_price * people)
    menus = [menu for menu in place.products if menu.people > 0]
    found = [plain]
    for count, chosen in enumerate(_choices(menus, people)):
        if count >= _MOST_ORDERS:
            return found, False
        seats = sum(menu.people * number for menu, number in chosen)
        if people <= seats < people + min(menu.people for menu, _ in chosen):
            found.append(Order(chosen, total_price(chosen)))
    return found, len(menus) == len(place.products)


def _choices(menus: Sequence[Menu], left: int) -> Iterator[tuple[tuple[Menu, int], ...]]:
    """Choices of some of each menu, of which none is without need."""
    if not menus:
        return
    menu, others = menus[0], menus[1:]
    yield from _choices(others, left)
    for count in range(1, -(-left // menu.people) + 1):
        rest = left - count * menu.people
        yield ((menu, count),)
        if rest > 0:
            for chosen in _choices(others, rest):
                yield ((menu, count), *chosen)
