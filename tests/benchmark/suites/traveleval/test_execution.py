from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from benchmark.suites.traveleval.factors import Factors
from benchmark.suites.traveleval.scoring.conditions import HOLIDAY_QUEUES
from benchmark.suites.traveleval.scoring.execution import Execution, Period, execute
from benchmark.suites.traveleval.scoring.itinerary import Itinerary
from benchmark.suites.traveleval.scoring.queue import NO_QUEUE, Queues
from benchmark.suites.traveleval.world import Tables
from tests.scale.traveleval import break_plan, query, sound_plan

Plan = dict[str, Any]
QUIET = query(dates="2025-03-11 to 2025-03-13")


@pytest.fixture
def plan(starter: Tables) -> Plan:
    """A day at the lake, which is always open, and at a museum with hours, and the way home."""
    plan = sound_plan(starter, Random(7))
    hotel = plan["accommodation"]["hotel_name"]
    plan["daily_plans"] = [
        {
            "day": 1,
            "activities": [
                visit("西湖风景名胜区", "09:00", "12:00"),
                visit("中国丝绸博物馆", "12:30", "15:00"),
                {**visit(hotel, "15:30", "16:00"), "type": "meal"},
            ],
            "ending_point": {**visit("杭州东站", "16:30", "17:00"), "type": "intercity_transport"},
        }
    ]
    legs = plan["intercity_transport"]["transport_type"]
    legs[0].update(start_time="06:00", end_time="08:00")
    legs[1].update(start_time="17:30", end_time="22:00")
    return plan


def visit(name: str, start: str, end: str) -> Plan:
    return {
        "type": "attraction",
        "location_name": name,
        "start_time": start,
        "end_time": end,
        "details": {"transport_time": 20},
    }


def run(plan: Any, tables: Tables, queues: Queues = NO_QUEUE) -> Execution:
    return execute(Itinerary.read(plan, QUIET, tables), queues)


def museum(tables: Tables) -> Any:
    return tables.city("杭州").sight["中国丝绸博物馆"]


def test_a_plan_with_time_enough_comes_about_as_planned(starter: Tables, plan: Plan) -> None:
    done = run(plan, starter)
    assert [step.kind for step in done.steps] == [
        "leg", "attraction", "attraction", "meal", "intercity_transport", "leg",
    ]  # fmt: skip
    assert done.first_break is None and all(step.real == step.plan for step in done.steps)


def test_a_late_visit_carries_its_delay_on_until_a_pause_takes_it_up(starter: Tables, plan: Plan) -> None:
    first, second, meal = plan["daily_plans"][0]["activities"]
    first.update(end_time="13:00")
    done = run(plan, starter)
    late = [round(step.late * 60) for step in done.steps]
    assert late == [0, 0, 50, 40, 30, 0], "of each pause of 30 minutes the way leaves 10"
    assert done.first_break is not None
    assert (done.first_break.label, done.first_break.cause) == (second["location_name"], "way")
    assert meal["location_name"] == done.steps[3].label


def test_a_queue_is_told_and_delays_what_follows(starter: Tables, plan: Plan) -> None:
    slow = Queues(lambda day: "peak", factors=Factors(by_day={"peak": 40.0}))
    done = run(plan, starter, slow)
    lake, after = done.steps[1], done.steps[2]
    assert lake.queue == pytest.approx(3.5 * 40 * 0.85 / 60) or lake.queue == pytest.approx(
        3 * 40 * 0.85 / 60
    )
    assert lake.real and lake.real.end == pytest.approx(9 + lake.queue + 3), "the least that is recommended"
    assert after.cause == "queue" and after.late > 0


def test_who_comes_before_the_opening_waits_and_who_stays_too_long_is_sent_out(
    starter: Tables, plan: Plan
) -> None:
    first, second, _ = plan["daily_plans"][0]["activities"]
    first.update(start_time="05:00", end_time="05:30", location_name=museum(starter).name)
    plan["intercity_transport"]["transport_type"][0].update(start_time="02:00", end_time="04:00")
    opens = float(museum(starter).opens.split(":")[0])
    early = run(plan, starter).steps[1]
    assert early.real and early.real.start == opens and early.cause == "closed"
    second.update(start_time="14:30", end_time="23:00")
    long = run(plan, starter).steps[2]
    closes = float(museum(starter).closes.split(":")[0])
    assert long.outcome == "shortened" and long.real and long.real.end == closes


def test_who_comes_after_closing_goes_on(starter: Tables, plan: Plan) -> None:
    _lake, second, meal = plan["daily_plans"][0]["activities"]
    second.update(start_time="19:00", end_time="20:00")
    meal.update(start_time="20:30", end_time="21:00")
    done = run(plan, starter)
    skipped = next(step for step in done.steps if step.label == second["location_name"])
    assert (skipped.outcome, skipped.cause, skipped.real) == ("skipped", "closed", None)


def test_a_missed_leg_ends_the_journey(starter: Tables, plan: Plan) -> None:
    plan["intercity_transport"]["transport_type"][1]["start_time"] = "16:50"
    plan["intercity_transport"]["transport_type"].append(plan["intercity_transport"]["transport_type"][0])
    done = run(plan, starter)
    assert [step.outcome for step in done.steps[-2:]] == ["missed", "not_reached"]
    assert done.count("done") == 5


def test_lateness_crosses_midnight(starter: Tables, plan: Plan) -> None:
    day = plan["daily_plans"][0]
    day["activities"][2].update(start_time="22:00", end_time="06:00")
    day["ending_point"] = None
    plan["daily_plans"].append({"day": 2, "activities": [visit("西湖风景名胜区", "05:00", "07:00")]})
    plan["intercity_transport"]["transport_type"] = []
    last = run(plan, starter).steps[-1]
    assert last.real and last.plan and last.plan.start == 29 and last.real.start == pytest.approx(30 + 1 / 3)


def test_more_rooms_than_the_hotel_has_are_flagged(starter: Tables, plan: Plan) -> None:
    plan["accommodation"]["room_type"][0].update(type="豪华大床房", quantity=99)
    assert run(plan, starter).short_rooms == ("豪华大床房",)


def test_of_a_repeated_day_the_last_is_executed(starter: Tables, plan: Plan) -> None:
    again = {"day": 1, "activities": [visit("西湖风景名胜区", "15:00", "16:00")]}
    plan["daily_plans"].append(again)
    assert [
        step.label for step in run(plan, starter).steps if step.day == 1 and step.kind == "attraction"
    ] == ["西湖风景名胜区"]


def test_no_broken_plan_ends_an_execution_with_an_exception(starter: Tables) -> None:
    random = Random(3)
    for _ in range(300):
        broken = break_plan(sound_plan(starter, random), random)
        json.dumps(run(broken, starter, HOLIDAY_QUEUES).as_json())
    assert run(None, starter).steps == ()


def test_a_place_that_never_closes_keeps_its_guests_past_midnight(starter: Tables, plan: Plan) -> None:
    day = plan["daily_plans"][0]
    day["activities"] = [visit("西湖风景名胜区", "22:30", "01:30")]
    day["ending_point"] = None
    lake = run(plan, starter).steps[1]
    assert (lake.outcome, lake.real) == ("done", lake.plan) and lake.plan == Period(22.5, 25.5)


def test_hours_of_the_next_morning_do_not_count_for_a_visit_of_the_evening_before(
    starter: Tables, plan: Plan
) -> None:
    long, late, meal = plan["daily_plans"][0]["activities"]
    long.update(start_time="09:00", end_time="23:50")
    late.update(start_time="16:00", end_time="17:00")
    meal.update(start_time="18:00", end_time="19:00")
    reached = next(step for step in run(plan, starter).steps if step.label == late["location_name"])
    assert (reached.outcome, reached.real) == ("skipped", None), "at 00:10 nobody waits for nine hours"


def test_what_made_travellers_late_is_told_of_all_that_slips(starter: Tables, plan: Plan) -> None:
    first, second, meal = plan["daily_plans"][0]["activities"]
    first.update(start_time="08:00", end_time="10:00", location_name=museum(starter).name)
    second.update(start_time="10:20", end_time="13:30", location_name="西湖风景名胜区")
    meal.update(start_time="14:00", end_time="14:30")
    early = run(plan, starter, Queues(lambda day: "weekday")).steps
    assert [step.cause for step in early[1:4]] == ["closed", "closed", "closed"]
    assert early[2].queue > 0, "a queue within the planned hours makes nobody late"


def test_what_can_not_be_read_is_told_and_the_others_stay(starter: Tables, plan: Plan) -> None:
    day = plan["daily_plans"][0]
    day["activities"].insert(1, "a walk")
    day["activities"][2]["start_time"] = "noon"
    plan["daily_plans"].append({"day": "third"})
    plan["intercity_transport"]["transport_type"].append(None)
    done = run(plan, starter)
    assert done.unread_parts == (
        ("intercity_transport", "transport_type", 2),
        ("daily_plans", 1, "day"),
        ("daily_plans", 0, "activities", 1),
    )
    assert [step.outcome for step in done.steps] == ["done", "done", "untimed", "done", "done", "done"]
    assert run({"daily_plans": {"day": 1}}, starter).unread_parts == (("daily_plans",),)
