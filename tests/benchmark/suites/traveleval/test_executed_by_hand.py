"""Three plans whose execution was computed by hand from the tables of the starter world, minute by minute.

A queue is B·K_date·K_time minutes. Comments tell what the tables have of a place, and how its times come about.
"""

from __future__ import annotations

from typing import Any

import pytest

from benchmark.suites.traveleval.scoring.conditions import HOLIDAY_QUEUES
from benchmark.suites.traveleval.scoring.execution import Step, execute
from benchmark.suites.traveleval.scoring.itinerary import Itinerary
from benchmark.suites.traveleval.world import Tables
from tests.scale.traveleval import query

Plan = dict[str, Any]
DAY = 24 * 60
Row = tuple[str, float | None, float | None, float, float, str, str]
"""name, executed from and to (minutes since midnight of the first day), late, queue (minutes), outcome, cause."""


def stop(kind: str, name: str, start: str, end: str, way: int = 0) -> Plan:
    times = {"start_time": start, "end_time": end}
    return {"type": kind, "location_name": name, **times, "details": {"transport_time": way}}


def visit(name: str, start: str, end: str, way: int) -> Plan:
    return stop("attraction", name, start, end, way)


def leg(name: str, start: str, end: str) -> Plan:
    return stop("", name, start, end)


def plan_of(legs: list[Plan], *days: list[Plan]) -> Plan:
    return {
        "summary": {"destination": "杭州"},
        "intercity_transport": {"transport_type": legs},
        "daily_plans": [{"day": n, "activities": stops} for n, stops in enumerate(days, 1)],
    }


def clock(text: str) -> float:
    hours, minutes = text.split(":")
    return int(hours) * 60 + int(minutes)


def row_of(step: Step) -> Row:
    start, end = (hour * 60 for hour in step.real) if step.real else (None, None)
    return (step.label, start, end, step.late * 60, step.queue * 60, step.outcome, step.cause)


def approx(row: Row) -> Any:
    return tuple(pytest.approx(part, abs=1e-6) if isinstance(part, float) else part for part in row)


def test_queues_of_a_saturday_and_a_closing_that_cuts(starter: Tables) -> None:
    """Saturday, 15 March 2025: K_date 7.55."""
    plan = plan_of(
        [leg("杭州东站", "06:00", "08:30"), leg("北京南站", "10:00", "13:00")],
        [
            visit("三潭印月", "09:00", "10:00", 30),  # 08:00–17:30, at least 1 h, 自然风光 3.5
            visit("雷峰塔景区", "10:30", "11:30", 20),  # 08:00–20:00, at least 1 h, 人文景观 3.0
            stop("meal", "楼外楼(孤山路店)", "12:00", "13:00", 10),
            visit("西溪国家湿地公园", "15:30", "18:30", 30),  # 07:30–18:30, at least 3 h, 自然风光 3.5
            visit("胡雪岩故居", "19:00", "20:00", 15),  # 08:00–17:30
            stop("accommodation", "hotel", "20:30", "21:00", 20),
        ],
        [],
    )
    done = execute(Itinerary.read(plan, query(dates="2025-03-15 to 2025-03-16"), starter), HOLIDAY_QUEUES)
    island = 3.5 * 7.55 * 0.85  # 22.46 min at 9 h: 60 min are too few for it and the recommended hour
    assert island == pytest.approx(22.46125)
    tower = 3.0 * 7.55 * 0.90  # 20.385 min: begun at 10:22.46 + 20 = 10:42.46
    wetland = 3.5 * 7.55 * 1.10  # 29.0675 min: 15:30 + 29.07 + 180 is 18:59.07, cut at 18:30
    expected: list[Row] = [
        ("杭州东站", clock("06:00"), clock("08:30"), 0.0, 0.0, "done", ""),
        ("三潭印月", clock("09:00"), 622.46125, 0.0, island, "done", ""),
        ("雷峰塔景区", 642.46125, 722.84625, 12.46125, tower, "done", "queue"),
        ("楼外楼(孤山路店)", 732.84625, 792.84625, 12.84625, 0.0, "done", "queue"),
        ("西溪国家湿地公园", clock("15:30"), clock("18:30"), 0.0, wetland, "shortened", "closed"),
        ("胡雪岩故居", None, None, 0.0, 0.0, "skipped", "closed"),
        ("hotel", clock("20:30"), clock("21:00"), 0.0, 0.0, "done", ""),
        ("北京南站", DAY + clock("10:00"), DAY + clock("13:00"), 0.0, 0.0, "done", ""),
    ]
    assert [row_of(step) for step in done.steps] == [approx(row) for row in expected]
    assert done.first_break is not None and done.first_break.label == "雷峰塔景区"
    assert [done.count(outcome) for outcome in ("done", "shortened", "skipped")] == [6, 1, 1]


def test_a_visit_that_is_too_short_and_a_missed_leg(starter: Tables) -> None:
    """Tuesday, 11 March 2025: K_date 1."""
    plan = plan_of(
        [
            leg("杭州东站", "07:00", "09:30"),
            leg("上海虹桥站", "17:45", "20:00"),
            leg("北京南站", "20:30", "22:30"),
        ],
        [
            visit("浙江自然博物院(杭州馆)", "10:00", "12:00", 30),  # 09:00–16:30, at least 1.5 h, no queue
            visit("西湖风景名胜区", "13:00", "15:00", 30),  # always, at least 3 h, 自然风光 3.5
            stop("meal", "知味观", "15:30", "16:00", 15),
            stop("intercity_transport", "杭州东站", "16:30", "17:00", 40),
        ],
    )
    done = execute(Itinerary.read(plan, query(dates="2025-03-11 to 2025-03-11"), starter), HOLIDAY_QUEUES)
    lake = 3.5 * 1 * 1.10  # 3.85 min: 13:00 + 3.85 + 180 is 16:03.85
    expected: list[Row] = [
        ("杭州东站", clock("07:00"), clock("09:30"), 0.0, 0.0, "done", ""),
        ("浙江自然博物院(杭州馆)", clock("10:00"), clock("12:00"), 0.0, 0.0, "done", ""),
        ("西湖风景名胜区", clock("13:00"), 963.85, 0.0, lake, "done", ""),
        ("知味观", 978.85, 1008.85, 48.85, 0.0, "done", "way"),
        ("杭州东站", 1048.85, 1078.85, 58.85, 0.0, "done", "way"),  # to 17:58.85
        ("上海虹桥站", None, None, 0.0, 0.0, "missed", "way"),
        ("北京南站", None, None, 0.0, 0.0, "not_reached", "leg"),
    ]
    assert [row_of(step) for step in done.steps] == [approx(row) for row in expected]
    assert done.first_break is not None and done.first_break.label == "知味观"


def test_lateness_that_goes_past_midnight_into_a_weekend(starter: Tables) -> None:
    """Friday, 14 March 2025: K_date 1; then Saturday: 7.55."""
    plan = plan_of(
        [leg("杭州东站", "13:00", "17:30"), leg("北京南站", "13:30", "18:00")],
        [
            visit("清河坊历史文化街区", "17:00", "20:00", 45),  # always, at least 1.5 h, 人文景观 3.0
            visit("西湖风景名胜区", "20:30", "23:30", 30),  # always, at least 3 h, 自然风光 3.5
            stop("accommodation", "hotel", "23:45", "06:45", 25),
        ],
        [
            visit("苏堤春晓", "07:00", "09:00", 20),  # always, at least 1 h, 人文景观 3.0
            visit("中国丝绸博物馆", "10:00", "12:00", 15),  # 09:00–17:00, no queue
        ],
    )
    done = execute(Itinerary.read(plan, query(dates="2025-03-14 to 2025-03-15"), starter), HOLIDAY_QUEUES)
    street = 3.0 * 1 * 1.10  # begun at 17:30 + 45 = 18:15
    lake = (
        3.5 * 1 * 0.70
    )  # 2.45 min, begun at 21:15 + 30 = 21:45; 180 planned are too few for it and 180 more
    bank = 3.0 * 7.55 * 0.85  # 19.2525 min, begun on Saturday at 08:32.45; 120 planned are enough
    expected: list[Row] = [
        ("杭州东站", clock("13:00"), clock("17:30"), 0.0, 0.0, "done", ""),
        ("清河坊历史文化街区", clock("18:15"), clock("21:15"), 75.0, street, "done", "way"),
        ("西湖风景名胜区", clock("21:45"), DAY + 47.45, 75.0, lake, "done", "way"),
        ("hotel", DAY + 72.45, DAY + 492.45, 87.45, 0.0, "done", "queue"),  # 01:12.45 to 08:12.45
        ("苏堤春晓", DAY + 512.45, DAY + 632.45, 92.45, bank, "done", "queue"),
        ("中国丝绸博物馆", DAY + 647.45, DAY + 767.45, 47.45, 0.0, "done", "queue"),
        ("北京南站", DAY + clock("13:30"), DAY + clock("18:00"), 0.0, 0.0, "done", ""),
    ]
    assert [row_of(step) for step in done.steps] == [approx(row) for row in expected]
    assert done.first_break is not None and done.first_break.label == "清河坊历史文化街区"
