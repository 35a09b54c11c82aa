"""Changes that break feasibility. Where one of the first two constraints fails, nothing else is judged."""

from __future__ import annotations

import copy
from datetime import date, timedelta
from random import Random
from typing import Any, Final

from benchmark.suites.tripbench.plans.schema import ATTRACTION, LEG, LOCAL, PLAN, RESTAURANT
from tests.scale.tripmutants.changes import (
    DOMAINS,
    Aim,
    Json,
    Stage,
    aim_at,
    buy,
    change_type,
    days_of,
    full_days_of,
    nights_of,
    objects_of,
    pick,
    spots_of,
)

_DATES: Final[tuple[Any, ...]] = (
    "2026-02-30",
    "20260501",
    "1.5.2026",
    "2026-5-1",
    "2026-05-01T00:00",
    None,
    20260501,
)
_COUNTS: Final[tuple[Any, ...]] = (0, -1, 1.0, 1.5, "2", True, None, [], float("nan"))
_TEXTS: Final[tuple[Any, ...]] = ("", " ", "\n", None, 7, True, ["x"], {})
_LISTS: Final[tuple[Any, ...]] = (None, {}, "", 0, [None], [[]], ["x"])
_TIMES: Final[tuple[Any, ...]] = (
    "9:00-10:00",
    "10:00",
    "10:00-10:00",
    "24:00-24:00",
    "23:00-24:01",
    "10:60-11:30",
    "",
    None,
    600,
)
_ODD_VALUES: Final[dict[str, tuple[Any, ...]]] = {
    **dict.fromkeys(("start_date", "end_date", "date"), _DATES),
    **dict.fromkeys(("number_of_people", "room_num", "quantity"), _COUNTS),
    **dict.fromkeys(("cities", "description", "id"), _TEXTS),
    **dict.fromkeys(("daily_schedule", "activities", "products", "hotel"), _LISTS),
    "time": (*_TIMES, "09:00–10:00", "09:00 - 10:00", "25:00-26:00"),
    "type": ("Museum", "attraction", "", None, 1),
}


@aim_at("structural_validity")
def _key_left_out(plan: Json, stage: Stage, random: Random) -> Aim:
    owner = pick(random, [*objects_of(plan)])
    del owner[pick(random, [key for key in owner if key != "hotel"])]
    return Aim()


@aim_at("structural_validity")
def _stray_key(plan: Json, stage: Stage, random: Random) -> Aim:
    owner = pick(random, [*objects_of(plan)])
    owner[random.choice(("note", "price", "Hotel", ""))] = random.choice((None, 1, "text", []))
    return Aim()


@aim_at("structural_validity")
def _odd_value(plan: Json, stage: Stage, random: Random) -> Aim:
    spots = [(owner, key) for owner in objects_of(plan) for key in owner if key in _ODD_VALUES]
    owner, key = pick(random, spots)
    owner[key] = random.choice(_ODD_VALUES[key])
    return Aim()


@aim_at("structural_validity")
def _days_out_of_order(plan: Json, stage: Stage, random: Random) -> Aim:
    """Two swapped, or one twice."""
    days = days_of(plan)
    if random.random() < 0.5:
        first = pick(random, range(len(days) - 1))
        second = random.randrange(first + 1, len(days))
        days[first], days[second] = days[second], days[first]
    else:
        again = pick(random, range(len(days)))
        days.insert(random.randint(again, len(days)), copy.deepcopy(days[again]))
    return Aim()


@aim_at("structural_validity")
def _activity_turned_round(plan: Json, stage: Stage, random: Random) -> Aim:
    """It ends before it begins."""
    activity = pick(random, spots_of(plan, LOCAL, ATTRACTION, RESTAURANT)).activity
    activity["time"] = "-".join(reversed(activity["time"].split("-")))
    return Aim()


@aim_at("structural_validity")
def _night_without_rooms(plan: Json, stage: Stage, random: Random) -> Aim:
    pick(random, nights_of(plan))[1]["hotel"]["products"] = []
    return Aim()


@aim_at("poi_validity")
def _unknown_item(plan: Json, stage: Stage, random: Random) -> Aim:
    owners = [(spot.day, spot.activity) for spot in spots_of(plan, LEG, ATTRACTION, RESTAURANT)]
    owners += [(n, day["hotel"]) for n, day in nights_of(plan)]
    day, owner = pick(random, owners)
    owner["id"] = random.choice((f"{owner['id']}x", f"{owner['id']} ", "nowhere", "0"))
    return Aim(day + 1)


@aim_at("poi_validity")
def _item_of_another_type(plan: Json, stage: Stage, random: Random) -> Aim:
    spot = pick(random, spots_of(plan, LEG, ATTRACTION, RESTAURANT))
    other = random.choice([kind for kind in (LEG, ATTRACTION, RESTAURANT) if kind != spot.kind])
    spot.activity["id"] = pick(random, [*stage.items_of(other)])
    return Aim(spot.day + 1)


@aim_at("poi_validity")
def _product_of_another(plan: Json, stage: Stage, random: Random) -> Aim:
    spot = pick(random, spots_of(plan, LEG, ATTRACTION, RESTAURANT))
    own = {product.id for product in stage.item(spot.activity).products}
    every = {product.id for item in stage.items_of(spot.kind).values() for product in item.products}
    stray = {"id": pick(random, sorted({*every, "none"} - own)), "quantity": random.randint(1, 4)}
    spot.activity["products"] = [*spot.activity["products"], stray]
    return Aim(spot.day + 1)


@aim_at("poi_validity")
def _item_elsewhere(plan: Json, stage: Stage, random: Random) -> Aim:
    """In a city that is no destination."""
    spot = pick(random, spots_of(plan, ATTRACTION, RESTAURANT))
    strays = [one for one in stage.items_of(spot.kind).values() if one.city not in stage.frame.destinations]
    buy(spot.activity, pick(random, strays), stage.frame.people)
    return Aim(spot.day + 1)


@aim_at("trip_frame")
def _other_party(plan: Json, stage: Stage, random: Random) -> Aim:
    """Beds and tickets are for the task's party, whatever the plan says."""
    plan[PLAN]["number_of_people"] += random.randint(1, 9)
    return Aim()


def _move_date(owner: Json, key: str, days: int) -> None:
    owner[key] = (date.fromisoformat(owner[key]) + timedelta(days)).isoformat()


@aim_at("trip_frame")
def _other_date(plan: Json, stage: Stage, random: Random) -> Aim:
    _move_date(plan[PLAN], random.choice(("start_date", "end_date")), random.choice((-1, 1, 2, 30, -365)))
    return Aim()


@aim_at("trip_frame")
def _days_moved(plan: Json, stage: Stage, random: Random) -> Aim:
    """From one day on later, so that a date is left out."""
    by = random.randint(1, 30)
    for day in days_of(plan)[random.randrange(len(days_of(plan))) :]:
        _move_date(day, "date", by)
    return Aim()


@aim_at("trip_frame", "daily_content", "timeline", "local_transfers", "intercity_buffers", *DOMAINS)
def _leg_left_out(plan: Json, stage: Stage, random: Random) -> Aim:
    """Its day is a full one then, must have and be what those are, and ends elsewhere."""
    pick(random, spots_of(plan, LEG)).remove()
    return Aim()


@aim_at("daily_content", "local_transfers", "spatial_logic", "hotel", "attraction", "general")
def _night_without_hotel(plan: Json, stage: Stage, random: Random) -> Aim:
    """The next day begins where this one ends, and distances are from another hotel."""
    number, day = pick(random, nights_of(plan))
    del day["hotel"]
    return Aim(number + 1)


@aim_at("daily_content", "local_transfers", "spatial_logic", "attraction", "restaurant", "general")
def _full_day_lacks_a_kind(plan: Json, stage: Stage, random: Random) -> Aim:
    """Its visits or meals become ways, which are too long then."""
    number, day = pick(random, full_days_of(plan))
    kind = random.choice((ATTRACTION, RESTAURANT))
    for activity in day["activities"]:
        if activity["type"] == kind:
            change_type(activity, LOCAL)
    return Aim(number + 1)
