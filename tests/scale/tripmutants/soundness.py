"""Changes that break soundness. Times move as little else as can be, so that hardly one breaks more than its own."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from itertools import pairwise
from math import ceil
from random import Random
from typing import Any, Final

from benchmark.plans.ways import great_circle_km
from benchmark.suites.tripbench.plans.schema import ATTRACTION, CHECK_IN, HOTEL, LEG, LOCAL, RESTAURANT
from tests.scale.tripmutants.changes import (
    DAY,
    Aim,
    Json,
    Spot,
    Stage,
    Unfit,
    aim_at,
    buy,
    change_type,
    clock,
    days_of,
    nights_of,
    others_near,
    pick,
    read_minute,
    set_span,
    span_of,
    spots_of,
)

PLACE_EFFECTS: Final = (
    *("local_transfers", "spatial_logic", "opening_hours", "durations"),
    *("attraction", "restaurant", "general"),
)
"""What another place may break: ways, hours and lengths are others, and it is of another sort and price."""


def _stays(plan: Json) -> list[Spot]:
    """Visits and meals after which nobody waits for a leg."""
    spots = spots_of(plan, ATTRACTION, RESTAURANT)
    return [spot for spot in spots if spot.neighbour(1)["type"] not in (LEG, CHECK_IN)]


@aim_at("timeline")
def _way_too_early(plan: Json, stage: Stage, random: Random) -> Aim:
    """It begins before what comes before it ends, and takes as long as it did."""
    ways = [spot for spot in spots_of(plan, LOCAL) if spot.number]
    spot = pick(random, [one for one in ways if one.neighbour(1)["type"] not in ("", LEG, CHECK_IN)])
    (start, end), (first, last) = span_of(spot.activity), span_of(spot.neighbour(-1))
    if last < first:
        raise Unfit
    by = start - last + random.randint(1, 30)
    set_span(spot.activity, start - by, end - by)
    return Aim(spot.day + 1)


@aim_at("timeline")
def _full_day_begins_early(plan: Json, stage: Stage, random: Random) -> Aim:
    """With its first way, hours before the first visit."""
    spot = pick(random, [one for one in spots_of(plan, LOCAL) if not one.number and not one.has_leg])
    start, end = span_of(spot.activity)
    first = random.randint(0, 359)
    set_span(spot.activity, first, first + end - start)
    return Aim(spot.day + 1)


@aim_at("timeline")
def _gap_before_the_way_back(plan: Json, stage: Stage, random: Random) -> Aim:
    ways = [spot for spot in spots_of(plan, LOCAL) if spot.number and not spot.neighbour(1)["type"]]
    spot = pick(random, [one for one in ways if not one.has_leg])
    start, end = span_of(spot.activity)
    first = pick(random, range(span_of(spot.neighbour(-1))[1] + 121, DAY - (end - start) + 1))
    set_span(spot.activity, first, first + end - start)
    return Aim(spot.day + 1)


@aim_at("timeline", "local_transfers", "spatial_logic", "intercity_buffers")
def _neighbours_turned(plan: Json, stage: Stage, random: Random) -> Aim:
    """Their order is the wrong one, and others lie beside each."""
    spots = [
        spot for spot in spots_of(plan, LOCAL, ATTRACTION, RESTAURANT, HOTEL) if spot.neighbour(1)["type"]
    ]
    _, own, number = pick(random, spots)
    own[number], own[number + 1] = own[number + 1], own[number]
    return Aim()


@aim_at("durations", "timeline", "product_consistency")
def _stay_too_short(plan: Json, stage: Stage, random: Random) -> Aim:
    """The gap after it may be too long, and a menu whose hours it missed may hold it now."""
    spot = pick(random, _stays(plan))
    start, _ = span_of(spot.activity)
    most = 44
    if spot.kind == ATTRACTION:
        hours = stage.item(spot.activity).visit_hours
        most = max(30, ceil(hours[0] * 60 - 90) - 1) if hours else 30
    set_span(spot.activity, start, start + random.randint(1, most))
    return Aim(spot.day + 1)


@aim_at("durations", "timeline", "opening_hours", "product_consistency", "intercity_buffers", "general")
def _stay_too_long(plan: Json, stage: Stage, random: Random) -> Aim:
    """Over what comes before or after, and maybe over the hours of the place and of its menus."""
    spot = pick(random, spots_of(plan, ATTRACTION, RESTAURANT))
    start, end = span_of(spot.activity)
    hours = stage.item(spot.activity).visit_hours or (0, DAY) if spot.kind == ATTRACTION else (0, 0)
    length = int(hours[1] * 60 + 90) + random.randint(1, 60)
    set_span(spot.activity, *random.choice(((start, start + length), (end - length, end))))
    return Aim(spot.day + 1)


def _is_open(item: Any, start: int, end: int) -> bool:
    for opens, closes in item.open_hours:
        first, last = read_minute(opens), read_minute(closes)
        last += DAY if last <= first else 0
        if any(first + by - 30 <= start and end <= last + by + 30 for by in (0, -DAY)):
            return True
    return not item.open_hours


@aim_at("opening_hours", "timeline", "product_consistency", "intercity_buffers", "general")
def _visit_while_closed(plan: Json, stage: Stage, random: Random) -> Aim:
    """As long as before, but over other activities, and in the hours of other menus."""
    spot = pick(random, spots_of(plan, ATTRACTION, RESTAURANT))
    start, end = span_of(spot.activity)
    item, length = stage.item(spot.activity), end - start
    starts = [first for first in range(0, DAY - length, 5) if not _is_open(item, first, first + length)]
    first = pick(random, starts)
    set_span(spot.activity, first, first + length)
    return Aim(spot.day + 1)


@aim_at("intercity_buffers")
def _leg_off_its_times(plan: Json, stage: Stage, random: Random) -> Aim:
    """Shorter at one end, so that nothing overlaps."""
    spot = pick(random, spots_of(plan, LEG))
    start, end = span_of(spot.activity)
    by = random.randint(1, 20)
    later, earlier = random.choice(((start + by, end), (start, end - by)))
    if (earlier < later) != (end < start):
        raise Unfit
    set_span(spot.activity, later, earlier)
    return Aim(spot.day + 1)


@aim_at("intercity_buffers", "timeline")
def _other_check_in(plan: Json, stage: Stage, random: Random) -> Aim:
    """Too short, too long, or none; a long one may begin before what comes before it ends."""
    spot = pick(random, spots_of(plan, CHECK_IN))
    _, end = span_of(spot.activity)
    minutes = random.choice((0, random.randint(1, 89), random.randint(151, 240)))
    if minutes:
        set_span(spot.activity, end - minutes, end)
    else:
        spot.remove()
    return Aim(spot.day + 1)


def _trains(plan: Json, stage: Stage) -> list[Spot]:
    """Those before which there is a way."""
    legs = [spot for spot in spots_of(plan, LEG) if stage.item(spot.activity).kind == "train"]
    return [spot for spot in legs if spot.neighbour(-1)["type"] == LOCAL]


@aim_at("intercity_buffers", "timeline")
def _wait_for_a_train(plan: Json, stage: Stage, random: Random) -> Aim:
    """Too short or too long; for a long one the way there may begin before what comes before it ends."""
    spot = pick(random, _trains(plan, stage))
    (start, end), (departs, _) = span_of(spot.neighbour(-1)), span_of(spot.activity)
    arrives = departs - random.choice((random.randint(0, 14), random.randint(31, 120)))
    set_span(spot.neighbour(-1), arrives - (end - start), arrives)
    return Aim(spot.day + 1)


@aim_at("intercity_buffers")
def _check_in_for_a_train(plan: Json, stage: Stage, random: Random) -> Aim:
    spot = pick(random, _trains(plan, stage))
    arrives, departs = span_of(spot.neighbour(-1))[1], span_of(spot.activity)[0]
    start, end = sorted(random.sample(range(arrives, departs + 1), 2))
    spot.activities.insert(
        spot.number, {"time": f"{clock(start)}-{clock(end)}", "type": CHECK_IN, "description": "x"}
    )
    return Aim(spot.day + 1)


def _ways(plan: Json, stage: Stage) -> list[tuple[Spot, int]]:
    """Ways from one attraction or restaurant to another, with their estimates in minutes."""
    found = []
    for spot in spots_of(plan, LOCAL):
        ends = [spot.neighbour(-1), spot.neighbour(1)]
        if all(end["type"] in (ATTRACTION, RESTAURANT) for end in ends):
            km = great_circle_km(*(stage.item(end).point for end in ends))
            found += [(spot, int(10 + 2 * km + 0.5))] if km > 0.051 else []
    return found


@aim_at("local_transfers", "timeline")
def _way_left_out(plan: Json, stage: Stage, random: Random) -> Aim:
    """The gap may be too long."""
    spot, _ = pick(random, _ways(plan, stage))
    spot.remove()
    return Aim(spot.day + 1)


@aim_at("local_transfers", "timeline")
def _way_of_another_length(plan: Json, stage: Stage, random: Random) -> Aim:
    """Over what comes after, or with a longer gap."""
    spot, estimate = pick(random, _ways(plan, stage))
    start, _ = span_of(spot.activity)
    lengths = [*range(1, estimate - 19), *range(estimate + 20, estimate + 90)]
    set_span(spot.activity, start, start + random.choice(lengths))
    return Aim(spot.day + 1)


@aim_at("local_transfers", "spatial_logic")
def _no_hotel_check_in(plan: Json, stage: Stage, random: Random) -> Aim:
    """On the first night in a hotel; a meal has other neighbours then."""
    hotels = [None, *(day.get("hotel", {}).get("id") for day in days_of(plan))]
    spots = [spot for spot in spots_of(plan, HOTEL) if hotels[spot.day] != hotels[spot.day + 1]]
    spot = pick(random, spots)
    if sum(one["type"] == HOTEL for one in spot.activities) > 1:
        raise Unfit
    change_type(spot.activity, LOCAL)
    return Aim(spot.day + 1)


@aim_at("local_transfers", "timeline")
def _no_way_back(plan: Json, stage: Stage, random: Random) -> Aim:
    """To the hotel; a full day may end too early then."""
    spots = [
        one
        for one in spots_of(plan, LOCAL)
        if not one.neighbour(1)["type"] and one.day < len(days_of(plan)) - 1
    ]
    spot = pick(random, [one for one in spots if one.neighbour(-1)["type"] in (ATTRACTION, RESTAURANT)])
    spot.remove()
    return Aim(spot.day + 1)


@aim_at("spatial_logic", *PLACE_EFFECTS)
def _meal_far_away(plan: Json, stage: Stage, random: Random) -> Aim:
    spots = [
        one for one in spots_of(plan, RESTAURANT) if one.neighbour(-2)["type"] in (ATTRACTION, RESTAURANT)
    ]
    spot = pick(random, [one for one in spots if one.neighbour(-1)["type"] == LOCAL])
    near = stage.item(spot.neighbour(-2)).point
    far = [one for one in others_near(plan, stage, spot) if great_circle_km(near, one.point) > 20.001]
    buy(spot.activity, pick(random, far), stage.frame.people)
    return Aim(spot.day + 1)


def _km(points: Sequence[Any]) -> float:
    return sum(great_circle_km(a, b) for a, b in pairwise(points))


@aim_at("spatial_logic", *PLACE_EFFECTS)
def _zigzag(plan: Json, stage: Stage, random: Random) -> Aim:
    """The sights of a day are others, so that it leads far to and fro: one of some other orders is much shorter."""
    day = random.randrange(len(days_of(plan)))
    spots = [spot for spot in spots_of(plan, ATTRACTION, RESTAURANT) if spot.day == day]
    if not 4 <= len(spots) <= 9:
        raise Unfit
    for _ in range(20):
        for spot in spots:
            if spot.kind == ATTRACTION and (others := others_near(plan, stage, spot)):
                buy(spot.activity, random.choice(others), stage.frame.people)
        first, *middle, last = [stage.item(spot.activity).point for spot in spots]
        orders = [random.sample(middle, len(middle)) for _ in range(20)]
        shortest = min(_km([first, *order, last]) for order in orders)
        if (km := _km([first, *middle, last])) > 1.51 * shortest and km - shortest > 10.1:
            return Aim(day + 1)
    raise Unfit


def split_stay(spot: Spot, random: Random) -> None:
    """In two parts at the same place, one right after the other."""
    start, end = span_of(spot.activity)
    middle = pick(random, range(start + 1, end))
    again = copy.deepcopy(spot.activity)
    set_span(spot.activity, start, middle)
    set_span(again, middle, end)
    spot.insert_again(again)


@aim_at("diversity", "durations", "attraction", "general")
def _visit_in_two_parts(plan: Json, stage: Stage, random: Random) -> Aim:
    """Either may be too short, and there is a visit more of its sort and that day."""
    spot = pick(
        random, [one for one in spots_of(plan, ATTRACTION) if one.activity["id"] not in stage.repeatable]
    )
    split_stay(spot, random)
    return Aim(spot.day + 1)


@aim_at("diversity", "product_consistency", *PLACE_EFFECTS)
def _place_again(plan: Json, stage: Stage, random: Random) -> Aim:
    """A later visit is at the place of an earlier one; the menu for the party may not be served then."""
    spots = spots_of(plan, random.choice((ATTRACTION, RESTAURANT)))
    number = pick(random, range(1, len(spots)))
    first, later = random.choice(spots[:number]).activity, spots[number].activity
    if first["id"] in (*stage.repeatable, later["id"]):
        raise Unfit
    later.update(copy.deepcopy({key: first[key] for key in ("id", "products")}))
    return Aim(spots[number].day + 1)


@aim_at("product_consistency", "transport", "general")
def _tickets_of_a_leg(plan: Json, stage: Stage, random: Random) -> Aim:
    """More, fewer or none."""
    spot = pick(random, spots_of(plan, LEG))
    people, kept = stage.frame.people, spot.activity["products"][:1]
    count = pick(random, [n for n in range(people + 4) if n != people])
    spot.activity["products"] = [{**kept[0], "quantity": count}] if count else []
    return Aim(spot.day + 1)


@aim_at("product_consistency", "general")
def _tickets_of_a_sight(plan: Json, stage: Stage, random: Random) -> Aim:
    """Not the party's, or none where they are needed."""
    spot = pick(random, [one for one in spots_of(plan, ATTRACTION) if stage.item(one.activity).products])
    item, people = stage.item(spot.activity), stage.frame.people
    fewest = 0 if (item.price or 0) > 0 else 1
    count = pick(random, [n for n in range(fewest, people + 4) if n != people])
    spot.activity["products"] = [{"id": random.choice(item.products).id, "quantity": count}] if count else []
    return Aim(spot.day + 1)


@aim_at("product_consistency", "hotel", "general")
def _fewer_beds(plan: Json, stage: Stage, random: Random) -> Aim:
    """Than people, in rooms of any kind."""
    number, day = pick(random, nights_of(plan))
    people = stage.frame.people
    rooms = [(room, n) for room in stage.hotel(day).products for n in range(1, people)]
    few = [{"id": room.id, "room_num": n} for room, n in rooms if room.occupancy * n < people]
    day["hotel"]["products"] = [pick(random, few)]
    return Aim(number + 1)


@aim_at("product_consistency", "restaurant", "general")
def _other_menus(plan: Json, stage: Stage, random: Random) -> Aim:
    """For too few or for too many, or none though one for the party is always served."""
    people = stage.frame.people
    spot = pick(random, [one for one in spots_of(plan, RESTAURANT) if stage.item(one.activity).products])
    menus = [menu for menu in stage.item(spot.activity).products if menu.people]
    if random.random() < 0.3:
        pick(random, [menu for menu in menus if menu.people == people and not menu.time_ranges])
        spot.activity["products"] = []
        return Aim(spot.day + 1)
    menu = pick(random, menus)
    counts = [n for n in range(1, people + 4) if n * menu.people < people or (n - 1) * menu.people >= people]
    spot.activity["products"] = [{"id": menu.id, "quantity": pick(random, counts)}]
    return Aim(spot.day + 1)
