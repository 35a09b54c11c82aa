"""The planner of TRIP-Bench: plans that break nothing, proofs that there are none, and plans that are revised."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from benchmark.suites.tripbench.frame import Frame
from benchmark.suites.tripbench.planner import plan_trip
from benchmark.suites.tripbench.plans.parameters import Parameters
from benchmark.suites.tripbench.plans.schema import read_plan
from benchmark.suites.tripbench.plans.trip import Trip
from benchmark.suites.tripbench.rubrics import read_rubric
from benchmark.suites.tripbench.scoring.verdict import Constraint
from sandbox.toolsets.tripbench.records import World as TripWorld
from sandbox.toolsets.tripbench.world import PackWorld, trip_world
from sandbox.worlds import open_world
from tests.scale.tripbench import CONSTRAINTS, META, WORLD, sound_plan

Json = Any
LAKESIDE = TripWorld.model_validate(WORLD)
TRIP = Frame.model_validate(META)
GUANGZHOU, HANGZHOU, SHENZHEN, NANJING = "广州市", "杭州市", "深圳市", "南京市"


def constraint(rubric: str, id_: str = "c", **arguments: object) -> Constraint:
    return Constraint(id_, rubric, arguments)


def journey(origin: str, *stays: tuple[str, int], people: int = 2) -> Frame:
    first = date(2026, 5, 1)
    last = first + timedelta(sum(nights for _, nights in stays))
    return Frame(origin=origin, stays=stays, start_date=first, end_date=last, people=people)


@pytest.fixture(scope="module")
def starter(starter_pack: Path) -> PackWorld:
    return trip_world(open_world(starter_pack))


@pytest.mark.parametrize("own", CONSTRAINTS, ids=[own["rubric"] for own in CONSTRAINTS])
def test_a_plan_meets_each_requirement_alone(own: Json) -> None:
    outcome = plan_trip(LAKESIDE, TRIP, [Constraint(own["id"], own["rubric"], own["args"])])
    assert outcome.state == "strict"
    assert outcome.verdict and outcome.verdict.user == {own["id"]: True}


FRAMES = [
    journey(HANGZHOU, (NANJING, 1)),
    journey(GUANGZHOU, (HANGZHOU, 3), people=3),
    journey(SHENZHEN, (GUANGZHOU, 2), (NANJING, 3), people=5),
    journey(NANJING, (HANGZHOU, 9), people=6),
    journey(HANGZHOU, (NANJING, 4), (GUANGZHOU, 1), people=1),
]


@pytest.mark.parametrize("frame", FRAMES, ids=lambda frame: "-".join([frame.origin, *frame.destinations]))
def test_trips_of_two_to_ten_days_are_planned_alike_each_time(starter: PackWorld, frame: Frame) -> None:
    first, second = plan_trip(starter, frame), plan_trip(starter, frame, language="en")
    assert (first.state, second.state) == ("strict", "strict")
    assert _without_texts(first.plan) == _without_texts(second.plan)
    assert first.plan != second.plan


def _without_texts(value: Json) -> Json:
    if isinstance(value, dict):
        return {key: _without_texts(each) for key, each in value.items() if key != "description"}
    return [_without_texts(each) for each in value] if isinstance(value, list) else value


def test_what_opens_in_the_evening_alone_is_visited_after_dinner(starter: PackWorld) -> None:
    [cruise] = [place.id for place in starter.attractions_in(GUANGZHOU) if "珠江夜游" in place.name]
    asked = [constraint("attraction.include_attractions", ids=[cruise])]
    outcome = plan_trip(starter, journey(SHENZHEN, (GUANGZHOU, 3)), asked)
    assert outcome.state == "strict" and cruise in str(outcome.plan)


def test_a_plan_meets_many_requirements_at_once(starter: PackWorld) -> None:
    asked = [
        constraint("attraction.category_priority", "order", cats=["文物古迹", "公园"]),
        constraint("attraction.sight_level", "level", op="at_least", level="5A"),
        constraint("general.daily_attractions", "count", min=2, max=2),
        constraint("general.day_window", "window", a="09:00", b="20:30"),
        constraint("hotel.cost", "cost", level="night_total", op="range", a=300, b=1500),
        constraint("hotel.breakfast_number", "breakfast", op="min", n=3),
        constraint("hotel.location", "place", op="center_except_last", km=15, hub_km=20),
        constraint("restaurant.open", "table", op="no_must_reserve"),
        constraint("transport.time_return", "home", event="depart", op="after", a="14:00"),
        constraint("general.total_budget", "budget", a=20_000),
    ]
    outcome = plan_trip(starter, journey(HANGZHOU, (NANJING, 3), people=3), asked)
    assert outcome.state == "strict"


IMPOSSIBLE: list[tuple[str, list[Constraint], list[str]]] = [
    ("rides", [constraint("transport.time_depart", event="depart", op="before", a="07:00")], ["c"]),
    ("rides", [constraint("transport.cost", level="total", a=999)], ["c"]),
    ("lodgings", [constraint("hotel.star", min=4.5), constraint("hotel.pet_friendly", "d")], ["c", "d"]),
    ("lodgings", [constraint("hotel.cost", level="total", op="less", a=599)], ["c"]),
    ("lodgings", [constraint("hotel.location", op="last_near_hub", hub_km=1)], ["c"]),
    ("sights", [constraint("attraction.include_categories", cats=["Zoos", "Parks"])], ["c"]),
    ("sights", [constraint("general.daily_attractions", "x", min=4), constraint("hotel.star", min=4)], ["x"]),
    ("meals", [constraint("restaurant.include_cuisine", cats=["Sushi"], mode="any")], ["c"]),
    ("meals", [constraint("restaurant.price", op="less", a=20)], ["c"]),
    ("budget", [constraint("general.total_budget", a=1659)], ["c"]),
    ("unread", [constraint("hotel.moon")], ["c"]),
]


@pytest.mark.parametrize(
    ("reason", "asked", "against"), IMPOSSIBLE, ids=[f"{row[0]}-{n}" for n, row in enumerate(IMPOSSIBLE)]
)
def test_what_can_not_be_met_is_proved_by_the_constraints_that_clash(
    reason: str, asked: list[Constraint], against: list[str]
) -> None:
    others = [constraint("hotel.review_count", "old", min=10), constraint("restaurant.rating", "good", min=3)]
    outcome = plan_trip(LAKESIDE, TRIP, [*others, *asked])
    assert (outcome.state, outcome.plan) == ("infeasible", None)
    assert outcome.proof and outcome.proof.reason == reason
    assert list(outcome.proof.constraints) == against


def test_the_cheapest_trip_just_keeps_its_budget() -> None:
    assert plan_trip(LAKESIDE, TRIP, [constraint("general.total_budget", a=1660)]).state == "strict"


def test_a_trip_that_no_service_serves_can_not_be_made() -> None:
    world = LAKESIDE.model_copy(update={"services": LAKESIDE.services[:1]})
    outcome = plan_trip(world, TRIP)
    assert outcome.state == "infeasible" and outcome.proof and outcome.proof.constraints == ()


def test_what_can_not_be_met_is_left_out_where_that_is_allowed() -> None:
    asked = [constraint("hotel.star", "stars", min=4.5), constraint("hotel.pet_friendly", "dog")]
    outcome = plan_trip(LAKESIDE, TRIP, asked, drop=True)
    assert outcome.state == "infeasible" and outcome.waivers == ("dog",)
    assert outcome.verdict and outcome.verdict.strict


# Against all rooms that can be booked.


def nights_of(world: TripWorld) -> Iterator[Json]:
    """All bookings of up to three rooms of each kind in one hotel."""
    for hotel in world.hotels:
        for counts in product(range(4), repeat=len(hotel.products)):
            rooms = zip(hotel.products, counts, strict=True)
            booked = [{"id": room.id, "room_num": count} for room, count in rooms if count]
            beds = sum(room.occupancy * count for room, count in zip(hotel.products, counts, strict=True))
            if booked and beds >= TRIP.people:
                yield {"id": hotel.id, "products": booked}


def asked_of_hotels(random: Random) -> list[Constraint]:
    level = random.choice(("room_night", "person_night", "night_total", "person_total", "total"))
    a = random.randint(1, 9) * 100
    op = random.choice(("less", "less", "around", "range", "more"))
    return [
        constraint("hotel.cost", "cost", level=level, op=op, a=a, b=a + 150),
        constraint(
            "hotel.breakfast_number", "food", op=random.choice(("exact", "min")), n=random.randint(0, 3)
        ),
    ]


@pytest.mark.parametrize("seed", range(24))
def test_a_proof_about_hotels_agrees_with_all_bookings(seed: int) -> None:
    asked = asked_of_hotels(Random(seed))
    rubrics = [rubric for each in asked if (rubric := read_rubric(each.rubric, each.arguments))]
    plan = sound_plan()
    days = plan["trip_plan"]["daily_schedule"]

    def holds(first: Json, second: Json) -> bool:
        days[0]["hotel"], days[1]["hotel"] = first, second
        trip = Trip(read_plan(plan), LAKESIDE, TRIP, Parameters())
        return all(rubric.is_met(trip) for rubric in rubrics)

    bookings = [*nights_of(LAKESIDE)]
    possible = any(holds(first, second) for first, second in product(bookings, repeat=2))
    state = plan_trip(LAKESIDE, TRIP, asked).state
    assert state == ("strict" if possible else "infeasible") or (possible and state == "unknown")


# Revising.


def visits(plan: Json, *, but: int) -> Json:
    return [day["activities"] for n, day in enumerate(plan["trip_plan"]["daily_schedule"]) if n != but]


def test_a_plan_that_fits_stays(starter: PackWorld) -> None:
    frame = journey(GUANGZHOU, (HANGZHOU, 3))
    first = plan_trip(starter, frame)
    again = plan_trip(starter, frame, [constraint("hotel.star", min=1)], before=first.plan)
    assert again.plan == first.plan


def test_one_day_changes_for_one_more_sight(starter: PackWorld) -> None:
    frame = journey(GUANGZHOU, (HANGZHOU, 3))
    first = plan_trip(starter, frame)
    assert first.plan
    seen = str(first.plan)
    new = next(place.id for place in starter.attractions_in(HANGZHOU) if place.id not in seen)
    again = plan_trip(
        starter, frame, [constraint("attraction.include_attractions", ids=[new])], before=first.plan
    )
    assert again.state == "strict" and new in str(again.plan)
    assert any(visits(first.plan, but=day) == visits(again.plan, but=day) for day in range(4))


def test_other_rooms_of_the_hotel_change_no_day(starter: PackWorld) -> None:
    frame = journey(GUANGZHOU, (HANGZHOU, 3))
    first = plan_trip(starter, frame)
    assert first.plan
    asked = [constraint("hotel.breakfast_number", op="exact", n=2)]
    again = plan_trip(starter, frame, asked, before=first.plan)
    assert again.state == "strict"
    assert visits(again.plan, but=-1) == visits(first.plan, but=-1)
