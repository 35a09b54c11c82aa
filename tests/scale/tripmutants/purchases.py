"""What users ask for, broken by what is bought or by when something is done."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from benchmark.suites.tripbench.plans.schema import ATTRACTION, LEG, LOCAL, RESTAURANT
from benchmark.suites.tripbench.scoring.verdict import Constraint
from tests.scale.tripmutants.changes import (
    Aim,
    Json,
    Spot,
    Stage,
    Unfit,
    aim_at,
    buy,
    change_type,
    clock,
    full_days_of,
    nights_of,
    others_near,
    pick,
    set_span,
    shuffle,
    span_of,
    spots_of,
)
from tests.scale.tripmutants.exchanges import compare_figures
from tests.scale.tripmutants.soundness import PLACE_EFFECTS, split_stay


def _ask(rubric: str, **arguments: object) -> Constraint:
    return Constraint("aimed", rubric, arguments)


def _cost(item: Any, bought: list[Json], key: str = "quantity") -> float:
    """Of what is bought of an item. Raises Unfit where a price is not known."""
    prices = [(item.product(one["id"]).price, one[key]) for one in bought]
    if any(price is None for price, _ in prices):
        raise Unfit
    return float(sum(price * count for price, count in prices))


def _meal_cost(stage: Stage, activity: Json) -> float:
    item = stage.item(activity)
    if activity["products"]:
        return _cost(item, activity["products"])
    if item.avg_price is None:
        raise Unfit
    return float(item.avg_price * stage.frame.people)


@aim_at("restaurant.price", *PLACE_EFFECTS)
def _meal_at_another_price(plan: Json, stage: Stage, random: Random) -> Aim:
    people, meals = stage.frame.people, spots_of(plan, RESTAURANT)
    known: list[float | None] = [_meal_cost(stage, one.activity) / people for one in meals]
    spot = pick(random, meals)
    for new in shuffle(random, others_near(plan, stage, spot))[:30]:
        buy(spot.activity, new, people)
        try:
            arguments = compare_figures(random, known, _meal_cost(stage, spot.activity) / people)
        except Unfit:
            continue
        return Aim(spot.day + 1, _ask("restaurant.price", **arguments))
    raise Unfit


@aim_at("transport.platform", "transport", "general")
def _another_platform(plan: Json, stage: Stage, random: Random) -> Aim:
    """The same service with a ticket from elsewhere, at another price."""
    legs = spots_of(plan, LEG)
    known = {
        stage.item(one.activity).product(own["id"]).platform
        for one in legs
        for own in one.activity["products"]
    }
    spot = pick(random, legs)
    others = [one for one in stage.item(spot.activity).products if one.platform and one.platform not in known]
    ticket = pick(random, others)
    spot.activity["products"] = [{"id": ticket.id, "quantity": stage.frame.people}]
    op, names = random.choice((("in", sorted(known)), ("not_in", [ticket.platform])))
    return Aim(spot.day + 1, _ask("transport.platform", op=op, names=names))


def _dearest(costs: list[float]) -> int:
    return costs.index(max(costs))


@aim_at("transport.cost", "product_consistency", "transport", "general")
def _too_many_tickets(plan: Json, stage: Stage, random: Random) -> Aim:
    people, legs = stage.frame.people, spots_of(plan, LEG)
    costs = [_cost(stage.item(one.activity), one.activity["products"]) for one in legs]
    level, figure = random.choice(
        (
            ("one_way_person", max(costs) / people),
            ("round_person", sum(costs) / people),
            ("total", sum(costs)),
        )
    )
    spot = legs[_dearest(costs)]
    random.choice(spot.activity["products"])["quantity"] += random.randint(1, 3)
    if _cost(stage.item(spot.activity), spot.activity["products"]) <= max(costs):
        raise Unfit
    return Aim(None, _ask("transport.cost", level=level, a=figure))


@aim_at("hotel.cost", "hotel", "general")
def _rooms_that_nobody_needs(plan: Json, stage: Stage, random: Random) -> Aim:
    people, nights = stage.frame.people, nights_of(plan)
    costs = [_cost(stage.hotel(day), day["hotel"]["products"], "room_num") for _, day in nights]
    level, figure = random.choice(
        (
            *(("night_total", max(costs)), ("person_night", max(costs) / people)),
            *(("total", sum(costs)), ("person_total", sum(costs) / people)),
        )
    )
    _, day = nights[_dearest(costs)]
    random.choice(day["hotel"]["products"])["room_num"] += random.randint(1, 3)
    if _cost(stage.hotel(day), day["hotel"]["products"], "room_num") <= max(costs):
        raise Unfit
    return Aim(None, _ask("hotel.cost", op="less", level=level, a=figure))


@aim_at("hotel.breakfast_number", "hotel", "general")
def _breakfasts_that_nobody_needs(plan: Json, stage: Stage, random: Random) -> Aim:
    """With the rooms that have them."""
    counts = []
    for _, day in nights_of(plan):
        rooms = [(stage.hotel(day).product(one["id"]), one["room_num"]) for one in day["hotel"]["products"]]
        counts.append(sum((room.breakfast or 0) * count for room, count in rooms))
        if any(room.breakfast is None for room, _ in rooms):
            raise Unfit
    _, day = pick(random, nights_of(plan))
    own = random.choice(day["hotel"]["products"])
    if len({*counts}) > 1 or not stage.hotel(day).product(own["id"]).breakfast:
        raise Unfit
    own["room_num"] += random.randint(1, 3)
    return Aim(None, _ask("hotel.breakfast_number", op="exact", n=counts[0]))


@aim_at("general.total_budget", "product_consistency", "transport", "hotel", "restaurant", "general")
def _more_of_something(plan: Json, stage: Stage, random: Random) -> Aim:
    """Of what is bought: tickets or menus for too many, or rooms that nobody needs."""
    owners: list[tuple[Json, str, Any]] = []
    total = 0.0
    for spot in spots_of(plan, LEG, ATTRACTION, RESTAURANT):
        item, bought = stage.item(spot.activity), spot.activity["products"]
        total += _meal_cost(stage, spot.activity) if spot.kind == RESTAURANT else _cost(item, bought)
        owners += [(one, "quantity", item.product(one["id"])) for one in bought]
    for _, day in nights_of(plan):
        hotel, bought = stage.hotel(day), day["hotel"]["products"]
        total += _cost(hotel, bought, "room_num")
        owners += [(one, "room_num", hotel.product(one["id"])) for one in bought]
    own, key, _ = pick(random, [one for one in owners if one[2].price > 0])
    own[key] += random.randint(1, 3)
    return Aim(None, _ask("general.total_budget", a=total + 1e-6))


def _full_day_visits(plan: Json) -> tuple[Counter[int], list[Spot]]:
    """How many visits a full day has, by its number from 0, and the visits."""
    visits = [spot for spot in spots_of(plan, ATTRACTION) if not spot.has_leg]
    return Counter(spot.day for spot in visits), visits


@aim_at("general.daily_attractions", "diversity", "durations", "attraction", "general")
def _visit_more(plan: Json, stage: Stage, random: Random) -> Aim:
    """The last part of one, on a day that has most of them."""
    counts, visits = _full_day_visits(plan)
    most = max(counts.values(), default=0)
    split_stay(pick(random, [spot for spot in visits if counts[spot.day] == most]), random)
    return Aim(None, _ask("general.daily_attractions", max=most))


@aim_at(
    *("general.daily_attractions", "local_transfers", "spatial_logic", "daily_content"),
    *("attraction", "general"),
)
def _visit_less(plan: Json, stage: Stage, random: Random) -> Aim:
    """It becomes a way, which is too long then, on a day that has fewest of them."""
    counts, visits = _full_day_visits(plan)
    least = min((counts[n] for n, _ in full_days_of(plan)), default=0)
    change_type(pick(random, [spot for spot in visits if counts[spot.day] == least]).activity, LOCAL)
    return Aim(None, _ask("general.daily_attractions", min=least))


@aim_at(
    *("general.day_window", "timeline", "opening_hours", "durations"),
    *("product_consistency", "intercity_buffers", "general"),
)
def _earlier_or_later(plan: Json, stage: Stage, random: Random) -> Aim:
    """A visit begins before all others, or ends after them, over what is there."""
    spots = spots_of(plan, ATTRACTION, RESTAURANT)
    first, last = (
        min(span_of(one.activity)[0] for one in spots),
        max(span_of(one.activity)[1] for one in spots),
    )
    spot = pick(random, spots)
    start, end = span_of(spot.activity)
    by = random.randint(1, 60)
    set_span(spot.activity, *random.choice(((first - by, end), (start, last + by))))
    return Aim(None, _ask("general.day_window", a=clock(first), b=clock(last)))
