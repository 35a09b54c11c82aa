"""Each constraint of TRIP-Bench with a plan that breaks it, and one that just keeps it."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from benchmark.suites.base import CaseContext
from benchmark.suites.tripbench.scoring.cases import score_case
from benchmark.suites.tripbench.scoring.verdict import FEASIBILITY, SOUNDNESS
from tests.scale.tripbench import META, WORLD, activity, case, sound_plan, way

Json = Any
Edit = Callable[[Json], None]


def broken_constraints(own: Json) -> set[str]:
    """The constraints that a case breaks."""
    told = score_case(own, CaseContext())
    return {
        key for group in ("feasibility", "soundness") for key, holds in told[group].items() if holds is False
    }


def days(plan: Json) -> Json:
    return plan["trip_plan"]["daily_schedule"]


def at(day: int, number: int, **fields: Any) -> Edit:
    """Sets fields of an activity; None takes one away."""

    def edit(plan: Json) -> None:
        item = days(plan)[day]["activities"][number]
        item.update(fields)
        for key in [key for key, value in fields.items() if value is None]:
            del item[key]

    return edit


def frame(**fields: Any) -> Edit:
    return lambda plan: plan["trip_plan"].update(fields)


def on_day(day: int, **fields: Any) -> Edit:
    return lambda plan: days(plan)[day].update(fields)


def drop(day: int, *numbers: int) -> Edit:
    def edit(plan: Json) -> None:
        kept = days(plan)[day]["activities"]
        days(plan)[day]["activities"] = [item for n, item in enumerate(kept) if n not in numbers]

    return edit


def purchase(day: int, number: int, **counts: int) -> Edit:
    return at(day, number, products=[{"id": key, "quantity": count} for key, count in counts.items()])


def sleep_elsewhere(plan: Json) -> None:
    for day in days(plan)[:2]:
        day["hotel"] = {"id": "h2", "products": [{"id": "k3", "room_num": 1}]}


def single_rooms(count: int) -> Edit:
    return on_day(0, hotel={"id": "h1", "products": [{"id": "k2", "room_num": count}]})


def ride_to_the_airport(more: int) -> Edit:
    """more: minutes beside the estimate."""
    minutes = way("h1", "airport") + more
    return at(2, 0, **activity("Local Transportation", 960 - minutes, minutes))


def end_at_the_sight(plan: Json) -> None:
    days(plan)[0]["activities"].pop()


PLANS: list[tuple[str, Edit, set[str]]] = [
    ("a key too many", frame(note=""), {"structural_validity"}),
    ("a key too few", at(1, 1, description=None), {"structural_validity"}),
    ("a blank text", on_day(0, cities=" "), {"structural_validity"}),
    ("a date of one digit", on_day(0, date="2026-5-01"), {"structural_validity"}),
    ("a date that is none", frame(end_date="2026-02-30"), {"structural_validity"}),
    ("days twice", on_day(1, date="2026-05-01"), {"structural_validity"}),
    ("a party of 2.0", frame(number_of_people=2.0), {"structural_validity"}),
    ("a party of true", frame(number_of_people=True), {"structural_validity"}),
    ("an hour of one digit", at(1, 1, time="9:06-13:06"), {"structural_validity"}),
    ("24:00 as a start", at(1, 8, time="24:00-24:00"), {"structural_validity"}),
    ("an end before the start", at(1, 1, time="13:06-09:06"), {"structural_validity"}),
    ("a type that is none", at(1, 1, type="Museum"), {"structural_validity"}),
    ("products at a check-in", at(0, 2, products=[]), {"structural_validity"}),
    ("a hotel without rooms", on_day(0, hotel={"id": "h1", "products": []}), {"structural_validity"}),
    ("none of a product", purchase(1, 1, t3=0), {"structural_validity"}),
    ("a hotel on the last day", on_day(2, hotel={"id": "h1", "products": [{"id": "k1", "room_num": 1}]}), set()),
    ("an unknown sight", at(1, 1, id="a9"), {"poi_validity"}),
    ("a restaurant as a sight", at(1, 1, id="r2"), {"poi_validity"}),
    ("a ticket of another sight", purchase(1, 1, t2=2), {"poi_validity"}),
    ("another party", frame(number_of_people=3), {"trip_frame"}),
    ("another date", frame(end_date="2026-05-04"), {"trip_frame"}),
    ("no way home", drop(2, 1, 2), {"trip_frame", "daily_content", "timeline"}),
    ("no hotel", lambda plan: days(plan)[1].pop("hotel"), {"daily_content"}),
    ("no meal", drop(1, 2, 3, 6, 7), {"daily_content"}),
    ("an overlap", at(1, 1, time="09:00-13:06"), {"timeline"}),
    ("no overlap", at(1, 1, time="09:06-13:05"), set()),
    ("a gap of two hours", at(1, 3, time="15:06-16:06"), {"timeline"}),
    ("a day begins at 05:59", at(1, 0, time="05:59-06:15"), {"timeline"}),
    ("a visit of half an hour", at(0, 4, time="12:01-12:31"), {"durations"}),
    ("a visit of 31 minutes", at(0, 4, time="12:01-12:32"), set()),
    ("a meal of 91 minutes", at(1, 3, time="13:00-14:31"), {"timeline", "durations"}),
    ("a train of another time", at(0, 0, time="08:01-11:00"), {"intercity_buffers"}),
    ("a check-in of 89 minutes", at(2, 1, time="16:31-18:00"), {"intercity_buffers"}),
    ("a check-in of 90 minutes", at(2, 1, time="16:30-18:00"), set()),
    ("a flight without check-in", drop(2, 1), {"intercity_buffers"}),
    ("a way 20 minutes too long", ride_to_the_airport(20), {"local_transfers"}),
    ("a way 20 minutes too short", ride_to_the_airport(-20), {"local_transfers"}),
    ("a way 19 minutes too long", ride_to_the_airport(19), set()),
    ("a day that ends at a sight", end_at_the_sight, {"local_transfers"}),
    ("no check-in", drop(0, 1, 2), {"local_transfers"}),
    ("another hotel on the second day", lambda plan: sleep_elsewhere({"trip_plan": {"daily_schedule": [
        days(plan)[1]] * 2}}), {"local_transfers"}),
    ("one meal twice", at(1, 7, id="r2", products=[]), {"diversity"}),
    ("a bed too few", single_rooms(1), {"product_consistency"}),
    ("two single rooms", single_rooms(2), set()),
    ("a seat too many in the train", purchase(0, 0, s1=3), {"product_consistency"}),
    ("a ticket too few", purchase(1, 1, t3=1), {"product_consistency"}),
    ("no ticket", purchase(1, 1), {"product_consistency"}),
    ("a menu for four", purchase(1, 7, m4=1), set()),
    ("two menus for four", purchase(1, 7, m4=2), {"product_consistency"}),
    ("a menu left out", purchase(1, 7), {"product_consistency"}),
]  # fmt: skip


@pytest.mark.parametrize(("edit", "expected"), [row[1:] for row in PLANS], ids=[row[0] for row in PLANS])
def test_a_plan_breaks_what_it_aims_at(edit: Edit, expected: set[str]) -> None:
    plan = sound_plan()
    edit(plan)
    assert broken_constraints(case(plan)) == expected


def world(kind: str, number: int, **fields: Any) -> Json:
    own = copy.deepcopy(WORLD)
    own[kind][number].update(fields)
    return {"world": own}


ZIGZAG = {"params": {"route_ratio": 1.01, "route_extra_km": 0.1}}
CASES: list[tuple[str, Json, set[str]]] = [
    ("another city", {"meta": META | {"stays": [["Oldtown", 2]]}}, {"poi_validity"}),
    ("another origin", {"meta": META | {"origin": "Southport"}}, {"trip_frame"}),
    ("two stays in one city", {"meta": META | {"stays": [["Lakeside", 1], ["Lakeside", 1]]}}, {"trip_frame"}),
    ("a visit of an hour more", world("attractions", 2, visit_hours=[1, 2.5]), set()),
    ("a visit of more than that", world("attractions", 2, visit_hours=[1, 2.4]), {"durations"}),
    ("no slack", {"params": {"stay_slack": 0}} | world("attractions", 2, visit_hours=[1, 3]), {"durations"}),
    ("closed for half an hour", world("attractions", 0, open_hours=[["09:00", "13:11"]]), set()),
    ("closed for 31 minutes", world("attractions", 0, open_hours=[["09:00", "13:10"]]), {"opening_hours"}),
    ("open at night", world("attractions", 2, open_hours=[["20:00", "02:00"]]), {"opening_hours"}),
    ("no hours", world("attractions", 2, open_hours=[]), set()),
    ("a train at night", world("services", 0, day_offset=1), {"intercity_buffers"}),
    ("meals at most 3 km away", {"params": {"meal_km": 0.5}}, {"spatial_logic"}),
    ("a short zigzag", world("attractions", 1, lat=30.012), set()),
    ("no zigzag is short enough", ZIGZAG | world("attractions", 1, lat=30.01, lng=110.031), {"spatial_logic"}),
    ("gaps of no minute", {"params": {"gap_max": 0}}, set()),
    ("a day from 09:00", {"params": {"day_start": ["09:00", "10:00"]}}, {"timeline"}),
    ("a day until midnight alone", {"params": {"day_end": ["23:00", "24:00"]}}, {"timeline"}),
    ("exact ways", {"params": {"transfer_tol": 1}}, set()),
    ("a slower estimate", {"params": {"est_base": 31}}, {"local_transfers"}),
    ("one place may come twice", {"allow_repeat": ["a1"]}, set()),
]  # fmt: skip


@pytest.mark.parametrize(("changes", "expected"), [row[1:] for row in CASES], ids=[row[0] for row in CASES])
def test_a_case_breaks_what_it_aims_at(changes: Json, expected: set[str]) -> None:
    assert broken_constraints(case(**changes)) == expected


def test_every_constraint_is_tried() -> None:
    tried = [expected for _, _, expected in (*PLANS, *CASES)]
    assert {key for expected in tried for key in expected} == {*FEASIBILITY, *SOUNDNESS}
    assert sum(not expected for expected in tried) >= 12


def test_a_train_needs_no_check_in_and_some_minutes_on_the_platform() -> None:
    plan, own = sound_plan(), copy.deepcopy(WORLD)
    own["services"][1].update(kind="train")
    assert broken_constraints(case(plan, world=own)) == {"intercity_buffers"}
    ride = way("h1", "airport")
    days(plan)[2]["activities"][:2] = [activity("Local Transportation", 1080 - 31 - ride, ride)]
    assert broken_constraints(case(plan, world=own)) == {"intercity_buffers"}
    days(plan)[2]["activities"][0] = activity("Local Transportation", 1080 - 30 - ride, ride)
    assert not broken_constraints(case(plan, world=own))


def test_a_night_train_arrives_on_the_next_day() -> None:
    plan, own = sound_plan(), copy.deepcopy(WORLD)
    own["services"][1].update(depart="22:00", arrive="06:00", day_offset=1)
    days(plan)[2]["activities"][1:] = [
        activity("Flight Check-in", 1200, 120),
        {**days(plan)[2]["activities"][2], "time": "22:00-06:00"},
    ]
    assert not broken_constraints(case(plan, world=own))
    own["services"][1]["day_offset"] = 0
    assert broken_constraints(case(plan, world=own)) == {"intercity_buffers"}


@pytest.mark.parametrize(
    ("time", "arrive", "nights", "is_right"),
    [
        ("22:00-24:00", "00:00", 1, True),
        ("22:00-00:00", "00:00", 1, True),
        ("22:00-24:00", "24:00", 0, True),
        ("22:00-24:00", "00:00", 0, False),
        ("22:00-23:59", "00:00", 1, False),
        ("22:00-23:00", "23:00", 1, False),
        ("22:00-23:00", "23:00", 2, False),
        ("22:00-06:00", "06:00", 2, False),
    ],
)
def test_a_flight_may_arrive_at_midnight(time: str, arrive: str, nights: int, is_right: bool) -> None:
    plan, own = sound_plan(), copy.deepcopy(WORLD)
    own["services"][1].update(depart="22:00", arrive=arrive, day_offset=nights)
    days(plan)[2]["activities"][1:] = [
        activity("Flight Check-in", 1200, 120),
        {**days(plan)[2]["activities"][2], "time": time},
    ]
    assert broken_constraints(case(plan, world=own)) == (set() if is_right else {"intercity_buffers"})
