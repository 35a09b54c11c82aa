"""Each constraint of TripScore with a plan that breaks it and one that just keeps it."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import pytest

from benchmark.suites.base import CaseContext
from benchmark.suites.tripscore.metrics import CONSTRAINTS
from benchmark.suites.tripscore.scoring.cases import score_case
from tests.scale.tripscore import DAYS, REFERENCE, WISHES, case, leg, plan, sight

Days = list[list[tuple[str, str]]]


def figure(key: str, own: Mapping[str, Any]) -> Any:
    told = score_case(own, CaseContext())
    group = next(group for group, keys in CONSTRAINTS.items() if key in keys)
    return None if told[group] is None else told[group][key]


def on(day: int, *parts: tuple[str, str]) -> Days:
    """The sound plan with another day, from 1."""
    return [[*parts] if n == day else own for n, own in enumerate(DAYS, 1)]


def edit(at: str, value: Any) -> dict[str, Any]:
    """The sound plan with another value at `dayInfos.0.day`; None takes it away."""
    whole: Any = plan()
    *way, last = (int(part) if part.isdigit() else part for part in at.split("."))
    owner = whole
    for part in way:
        owner = owner[part]
    if value is None:
        del owner[last]
    else:
        owner[last] = value
    return case(plan=whole)


def world(**lists: list[dict[str, Any]]) -> dict[str, Any]:
    """The reference with more entries, which stand for those of the same id."""
    own = copy.deepcopy(REFERENCE)
    for key, entries in lists.items():
        ids = {entry["id"] for entry in entries}
        own[key] = [entry for entry in own[key] if entry["id"] not in ids] + entries
    return own


def without_legs(*ids: str) -> dict[str, Any]:
    own = copy.deepcopy(REFERENCE)
    own["transportation"] = [entry for entry in own["transportation"] if entry["id"] not in ids]
    return own


def on_weekday(day: int) -> dict[str, Any]:
    """The reference whose first sight is open on one day of the week; the trip begins on a Friday."""
    hours = {"rules": [{"weekdays": [day], "time_windows": [{"open": "9:00", "close": "13:00"}]}]}
    return world(attractions=[sight("s1", "Old Mill", "Elm", 2, openTimeCalendar=hours)])


TEXT = "dayInfos.0.scheduleDetail.0.description"
ITEM = "dayInfos.0.scheduleDetail.1.detailList.0"
OUTSIDE_SIGHT = on(1, ("Morning", "1"), ("Afternoon", "s1 +Well"), ("Evening", "h1"))
LATE_TRAIN = on(1, ("Evening", "4"))
GATES: dict[str, list[tuple[dict[str, Any], bool]]] = {
    "response_format": [
        (case(plan=None), False),
        (case(plan="{}"), False),
        (case(plan={}), False),
        (edit("itineraryName", " "), False),
        (edit("tips.info", None), False),
        (edit("dayInfos", []), False),
        (edit("dayInfos.0.day", "01"), True),
        (edit("dayInfos.1.day", 3), False),
        (edit("dayInfos.1.day", True), False),
        (edit("dayInfos.0.scheduleDetail", []), False),
        (edit("dayInfos.0.scheduleDetail.0.detailList", {}), False),
        (edit("dayInfos.0.scheduleDetail.0.period", "morning"), False),
        (edit(f"{ITEM}.type", "attraction"), False),
        (edit(f"{ITEM}.id", 1.5), False),
        (edit(f"{ITEM}.id", None), False),
        (case(on(1, ("Morning", "1"), ("Afternoon", "s1 s1"), ("Evening", "h1"))), False),
        (case(on(1, ("Morning", "1"), ("Afternoon", "s1 +A +B"), ("Evening", "h1"))), True),
        (edit("more", {"kept": 1}), True),
    ],
    "information_verification": [
        (edit(f"{ITEM}.id", "zz"), False),
        (edit(f"{ITEM}.type", "hotel"), False),
        (case(OUTSIDE_SIGHT), True),
        (case(OUTSIDE_SIGHT, params={"allow_external": False}), False),
    ],
    "information_accuracy": [
        (edit(f"{ITEM}.name", "New Mill"), False),
        (edit(f"{ITEM}.name", " ＯＬＤ  mill "), True),
        (edit(TEXT, "No 1 at 8:00, there at 10:00"), True),
        (edit(TEXT, "No 1 at 8:05"), False),
        (edit(TEXT, "No 1, 28:05 km, 18:055"), True),
        (edit("dayInfos.0.scheduleDetail.1.description", "At 9:59 **[Old Mill](s1)**"), True),
        (edit("dayInfos.0.scheduleDetail.1.description", "**[Mill](s1)**"), False),
        (case(on(1, ("Morning", "1"), ("Afternoon", "s1 +OldMill"), ("Evening", "h1"))), True),
        (
            case(
                on(1, ("Morning", "1"), ("Afternoon", "s1 +Pier"), ("Evening", "h1")),
                reference=world(attractions=[sight("x", "pier", "Elm", 1)]),
            ),
            False,
        ),
    ],
    "information_relevance": [
        (edit("dayInfos.0.scheduleDetail.1.description", "Old Mill"), False),
        (edit("dayInfos.0.scheduleDetail.1.description", "**[Old Mill](s1)** **[Elm Inn](h1)**"), False),
        (case(OUTSIDE_SIGHT), True),
    ],
    "information_completeness": [
        (case(days=3), False),
        (case(on(1, ("Morning", "1"), ("Afternoon", "s1"))), False),
        (case([*on(1, ("Evening", "4"))]), True),
        (case([DAYS[0], [("Morning", "+X"), ("Evening", "h1")], *DAYS[2:]]), True),
        (case([DAYS[0], DAYS[1], [("Morning", "2"), ("Evening", "h3")], [("Evening", "3")]]), False),
        (case([*DAYS[:2], [("Morning", "2"), ("Evening", "+Y h3")], [("Evening", "3")]]), True),
        (case(on(4, ("Morning", "p2"))), False),
        (case(on(4, ("Morning", "p2")), return_required=False), True),
        (case(on(4, ("Morning", "p2")), reference=without_legs("3")), True),
        (
            case(
                on(4, ("Morning", "p2")),
                reference=without_legs("3"),
                params={"waive_missing_legs": False},
            ),
            False,
        ),
    ],
    "chronological_order": [
        (case(on(2, ("Afternoon", "s2"), ("Morning", "s5"), ("Evening", "h1"))), False),
        (case(on(2, ("Evening", "h1 s3"))), False),
        (case(on(2, ("Evening", "h1 s3")), params={"hotel_last": False}), True),
        (case(on(1, ("Afternoon", "1 s1"), ("Evening", "h1"))), False),
        (case(on(3, ("Afternoon", "6 p2"), ("Evening", "h3"))), True),
        (case(on(2, ("Morning", "2"), ("Evening", "h1"))), False),
        (
            case(
                reference=world(transportation=[leg("2", "Elm-Port", "03T12:29", "03T13:00")]),
            ),
            True,
        ),
        (
            case(
                reference=world(transportation=[leg("2", "Elm-Port", "03T12:30", "03T13:00")]),
            ),
            False,
        ),
    ],
    "location_consistency": [
        (case(on(2, ("Morning", "p1"), ("Evening", "h1"))), False),
        (case(on(2, ("Morning", "s2"), ("Evening", "h3"))), False),
        (
            case(
                [DAYS[0], DAYS[1], [("Morning", "p1"), ("Evening", "h3")], DAYS[3]],
                reference=without_legs("2", "5", "6"),
            ),
            True,
        ),
    ],
    "operating_hours": [
        (case(on(2, ("Morning", "s3 s2"), ("Evening", "h1"))), False),
        (case(on(2, ("Morning", "s2"), ("Evening", "s3 h1"))), True),
        (case(reference=on_weekday(5)), True),
        (case(reference=on_weekday(6)), False),
    ],
    "travel_block_out": [
        (case(on(3, ("Morning", "s2 2"), ("Afternoon", "p1"), ("Evening", "h3"))), False),
        (case(on(3, ("Morning", "s2"), ("Afternoon", "6"), ("Evening", "p2 h3"))), True),
        (case(on(3, ("Morning", "s2"), ("Afternoon", "s5 6"), ("Evening", "h3"))), True),
        (
            case(
                on(1, ("Evening", "4")),
                reference=world(transportation=[leg("4", "Home-Elm", "01T20:00", "02T11:31")]),
            ),
            False,
        ),
        (
            case(
                on(1, ("Evening", "4")),
                reference=world(transportation=[leg("4", "Home-Elm", "01T20:00", "02T11:30")]),
            ),
            True,
        ),
    ],
    "transport_consistency": [
        (case(on(1, ("Morning", "7 8"), ("Afternoon", "s1"), ("Evening", "h1"))), True),
        (case(on(1, ("Morning", "7"), ("Afternoon", "s1"), ("Evening", "h1"))), False),
        (case(on(1, ("Morning", "s1"), ("Evening", "h1"))), False),
        (case(on(4, ("Morning", "9"), ("Evening", "3"))), False),
        (case(on(2, ("Morning", "1"), ("Evening", "h1"))), False),
        (case(fixed_order=True), True),
        (case(fixed_order=True, cities=["Port", "Elm"]), False),
        (case(on(4, ("Morning", "9 s2")), return_required=False), False),
        (case(on(4, ("Morning", "9 s2")), return_required=False, cities=["Elm", "Port", "Elm"]), True),
    ],
}
HIKE = on(2, ("Morning", "s4"), ("Evening", "h1"))
FIGURES: dict[str, list[tuple[dict[str, Any], float | None]]] = {
    "schedule_density": [
        (case(), 1.0),
        (case(on(2, ("Morning", "s2"), ("Evening", "h1"))), 0.75),
        (case(on(2, ("Morning", "s2"), ("Evening", "h1")), params={"density_full": [2, 10]}), 1.0),
    ],
    "hotel_consistency": [
        (case(), 1.0),
        (case(on(2, ("Morning", "s2"), ("Afternoon", "s5"), ("Evening", "h2"))), 2 / 3),
        (
            case(
                on(2, ("Morning", "s2"), ("Afternoon", "s5"), ("Evening", "h2")),
                params={"hotel_near_km": 1},
            ),
            1.0,
        ),
    ],
    "daytime_utilization": [
        (case(), 1.0),
        (case(on(2, ("Evening", "s2 h1"))), 0.75),
        (case(on(2, ("Morning", "s2"), ("Evening", "h1")), params={"daytime_mode": "either"}), 0.75),
        (case(params={"daytime_mode": "either"}), 1.0),
        (case(on(2, ("Evening", "s3 h1"))), 0.75),
    ],
    "unique_attractions": [
        (case(), 1.0),
        (case(on(2, ("Morning", "s1"), ("Afternoon", "s5"), ("Evening", "h1"))), 1.0),
        (
            case(on(2, ("Morning", "s5"), ("Afternoon", "s1"), ("Evening", "h1"))),
            1 - 1 / 6 - 0.05 / 6,
        ),
    ],
    "location_clustering": [
        (case(), 1.0),
        (case(params={"far_share": 0.5}), 1 - 1 / 6),
        (case(params={"far_share": 0.5, "far_floor_km": 500}), 1.0),
    ],
    "iconic_landmarks": [(case(ratings={"iconic": 4}), 0.75), (case(ratings={"iconic": 0}), None)],
    "attraction_diversity": [(case(ratings={"diversity": 1}), 0.0), (case(), None)],
    "budget": [
        (case(), 1.0),
        (case(on(1, ("Morning", "1"), ("Afternoon", "s1"), ("Evening", "h2"))), 2 / 3),
        (case(preferences={"budget": "premium"}), 0.0),
    ],
    "pacing": [
        (case(), 1.0),
        (case(preferences={"pacing": "Compact"}), (3 + 5 / 7) / 4),
        (case(preferences={"pacing": "relaxed"}), (3 + (1 - 0.5 / 6)) / 4),
    ],
    "attraction": [(case(), 1 / 6), (case(preferences={"attraction": ["HISTORIC", "museum"]}), 0.5)],
    "effort": [
        (case(preferences={"effort": "light"}), 0.0),
        (case(preferences={"effort": "moderate"}), 1.0),
        (case(HIKE, preferences={"effort": "strenuous"}), 0.0),
        (case(HIKE, preferences={"effort": "moderate"}), 1.0),
    ],
    "user": [
        (case(type="real", ratings={"user": 3}), 0.6),
        (case(type="real", ratings={"user": 0}), 1.0),
        (case(type="real", ratings={"user": 0}, params={"user_zero": 0}), 0.0),
        (case(type="real", ratings={"user": 5.5}), None),
    ],
}


@pytest.mark.parametrize(
    ("key", "own", "kept"), [(key, *one) for key, listed in GATES.items() for one in listed]
)
def test_a_gate_is_kept_or_broken(key: str, own: dict[str, Any], kept: bool) -> None:
    assert figure(key, own) is kept


@pytest.mark.parametrize(
    ("key", "own", "value"), [(key, *one) for key, listed in FIGURES.items() for one in listed]
)
def test_a_figure_is_as_worked_by_hand(key: str, own: dict[str, Any], value: float | None) -> None:
    assert figure(key, own) == (None if value is None else pytest.approx(value, abs=1e-9))


def test_every_constraint_is_tried() -> None:
    tried = {**GATES, **FIGURES}
    assert [*tried] == [key for keys in CONSTRAINTS.values() for key in keys]
    assert all(len({str(value) for _, value in listed}) > 1 for listed in tried.values())


@pytest.mark.parametrize(
    ("own", "reward"),
    [
        (case(), 3 + 0.1 * (0.2 / 6 + 0.6 + 0.6) / 2.0),
        (case(preferences=None), 3.0),
        (case(preferences=None, ratings={"iconic": 1, "diversity": 5}), 2 + (2.8 - 0.1) / 2.8),
        (case(preferences=None, params={"missing": "zero"}), 2 + 2.5 / 2.8),
        (case(type="real", ratings={"user": 2}), 3 + 1.4 * 0.4),
        (case(params={"w1": {"density": 1}, "w3": 0.5, "w4": {"synthetic": 0}}), 2.5),
        (case(days=3), 0),
        (case(days=3, params={"penalty_com": -2}), -1),
        (case(plan={}), -3),
        (case(preferences={**WISHES, "effort": "moderate"}), 3 + 0.1 * (0.2 / 6 + 1.8) / 2.0),
    ],
)
def test_a_reward_is_as_worked_by_hand(own: dict[str, Any], reward: float) -> None:
    assert score_case(own, CaseContext())["reward"] == pytest.approx(reward, abs=1e-9)
