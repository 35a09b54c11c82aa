"""TRIP-Bench over mutated plans, and over broken plans and worlds: `python -m tests.scale.tripbench [COUNT]`."""

from __future__ import annotations

import copy
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

from pydantic import ValidationError

from benchmark.plans.ways import great_circle_km
from benchmark.suites.base import CaseContext, CaseRefused
from benchmark.suites.tripbench.plans.parameters import Parameters
from benchmark.suites.tripbench.plans.trip import estimate_minutes
from benchmark.suites.tripbench.scoring.cases import score_case
from sandbox.worlds.starter import build_starter
from tests.scale.traveleval import break_plan

COUNT = 10_000


def place(id_: str, name: str, north: float, east: float, **fields: Any) -> dict[str, Any]:
    """A place in Lakeside, so many hundredths of a degree from its centre."""
    where = {"lat": 30 + north / 100, "lng": 110 + east / 100}
    return {"id": id_, "name": name, "city": "Lakeside", **where, **fields}


def menu(id_: str, people: int, price: float, *hours: list[str]) -> dict[str, Any]:
    """hours: when it is served."""
    return {"id": id_, "people": people, "price": price, "time_ranges": [*hours]}


_RATINGS = {"product_rating": 8.0, "environment_rating": 8.5, "service_rating": 9.0}
_HUBS = {
    "station": {"name": "Lakeside Station", "lat": 30.05, "lng": 110.0},
    "airport": {"name": "Lakeside Airport", "lat": 30.15, "lng": 110.1},
}
WORLD: dict[str, Any] = {
    "cities": {"Lakeside": {"lat": 30.0, "lng": 110.0}, "Northwick": {"lat": 33.0, "lng": 111.0}},
    "attractions": [
        place("a1", "Boat House", 1, 1, categories=["History"], rating=4.5, comment_count=300, heat=4.0, price=0)
        | {"sight_level": "4A", "open_hours": [["09:00", "18:00"]], "visit_hours": [1, 2], "products": []},
        place("a2", "Glass Dome", 2, 1, categories=["Gardens", "History"], rating=4.2, comment_count=90, price=50)
        | {"heat": 3.0, "open_hours": None, "visit_hours": [1, 3], "products": [{"id": "t2", "price": 50}]},
        place("a3", "Mill Park", 1, 3, categories=["Parks"], rating=4.8, comment_count=900, heat=4.9, price=80)
        | {"sight_level": "5A", "open_hours": [["08:00", "20:00"]], "products": [{"id": "t3", "price": 80}]},
    ],
    "hotels": [
        place("h1", "Lake Inn", 1, 0, type="Midscale", stars=4, review_count=200, good_rate=0.9, **_RATINGS)
        | {"pet_friendly": True, "products": [
            {"id": "k1", "occupancy": 2, "breakfast": 2, "cancel_hours": 24, "window": True, "price": 300},
            {"id": "k2", "occupancy": 1, "breakfast": 0, "cancel_hours": None, "window": False, "price": 200},
        ]},
        place("h2", "Old Court", 3, 3, type="Luxury", stars=5, review_count=50, good_rate=0.95, **_RATINGS)
        | {"pet_friendly": False, "products": [{"id": "k3", "occupancy": 2, "breakfast": 0, "price": 700}]},
    ],
    "restaurants": [
        place("r1", "Reed Grill", 1, 2, category="Grill", avg_price=90, stars=4.5, review_count=400, **_RATINGS)
        | {"reservable": True, "must_reserve": False, "open_hours": [["11:00", "14:00"], ["17:00", "01:00"]],
           "products": [menu("m2", 2, 160, ["17:00", "22:00"]), menu("m4", 4, 300)]},
        place("r2", "Noodle Bar", 2, 2, category="Noodles", avg_price=30, stars=4.0, review_count=80, **_RATINGS)
        | {"reservable": False, "must_reserve": False, "products": []},
        place("r3", "Tea Room", 0, 2, category="Tea", avg_price=50, stars=3.5, review_count=20, **_RATINGS)
        | {"reservable": True, "must_reserve": True, "products": []},
    ],
    "services": [
        {"id": "g1", "kind": "train", "number": "G1", "from_city": "Northwick", "to_city": "Lakeside",
         "from_place": {"name": "Northwick Station", "lat": 33.0, "lng": 111.0}, "to_place": _HUBS["station"],
         "depart": "08:00", "arrive": "11:00", "products": [{"id": "s1", "platform": "RailWeb", "price": 100}]},
        {"id": "f1", "kind": "flight", "number": "F1", "from_city": "Lakeside", "to_city": "Northwick",
         "from_place": _HUBS["airport"], "to_place": {"name": "Northwick Airport", "lat": 33.1, "lng": 111.1},
         "depart": "18:00", "arrive": "19:30", "airline": "Kestrel", "ontime_rate": 0.9, "avg_delay": 10,
         "products": [{"id": "s2", "platform": "TripGo", "price": 400}]},
    ],
}  # fmt: skip
META: dict[str, Any] = {
    "origin": "Northwick",
    "stays": [["Lakeside", 2]],
    "people": 2,
    "start_date": "2026-05-01",
    "end_date": "2026-05-03",
}
_POINTS: dict[str, tuple[float, float]] = {
    each["id"]: (each["lng"], each["lat"])
    for kind in ("attractions", "hotels", "restaurants")
    for each in WORLD[kind]
} | {name: (hub["lng"], hub["lat"]) for name, hub in _HUBS.items()}


def _clock(minute: int) -> str:
    return f"{minute // 60:02d}:{minute % 60:02d}"


def way(start: str, end: str) -> int:
    """Minutes between two places, by their ids or names, as the estimate has it."""
    return estimate_minutes(great_circle_km(_POINTS[start], _POINTS[end]), Parameters())


def activity(kind: str, start: int, minutes: int, id_: str = "", **bought: int) -> dict[str, Any]:
    """bought: how many of which products."""
    own: dict[str, Any] = {
        "time": f"{_clock(start)}-{_clock(start + minutes)}",
        "type": kind,
        "description": "Go.",
    }
    if id_:
        own |= {"id": id_, "products": [{"id": key, "quantity": count} for key, count in bought.items()]}
    return own


def _calls(
    start: int, here: str, *calls: tuple[str, str, int, Mapping[str, int]], end: str
) -> list[dict[str, Any]]:
    """Calls at places with the ways between them, one right after the other, and the way to `end`.

    calls: type, id, minutes and what is bought.
    """
    told = []
    for kind, id_, minutes, bought in calls:
        told.append(activity("Local Transportation", start, way(here, id_)))
        start += way(here, id_)
        told.append(activity(kind, start, minutes, "" if kind == "Hotel Check-in" else id_, **bought))
        start, here = start + minutes, id_
    return [*told, activity("Local Transportation", start, way(here, end))]


def _day(date: str, activities: list[dict[str, Any]], *, is_night: bool = True) -> dict[str, Any]:
    hotel = {"hotel": {"id": "h1", "products": [{"id": "k1", "room_num": 1}]}} if is_night else {}
    return {"date": date, "cities": "Lakeside", **hotel, "activities": activities}


def sound_plan() -> dict[str, Any]:
    """A train there, a full day, a flight back: nothing is against it."""
    sight, meal = "Attraction", "Restaurant"
    first = _calls(660, "station", ("Hotel Check-in", "h1", 30, {}), (sight, "a1", 100, {}), end="h1")
    full = _calls(
        *(530, "h1", (sight, "a3", 240, {"t3": 2}), (meal, "r2", 60, {}), (sight, "a2", 150, {"t2": 2})),
        *((meal, "r1", 75, {"m2": 1}),),
        end="h1",
    )
    last = [
        activity("Local Transportation", 960 - way("h1", "airport"), way("h1", "airport")),
        activity("Flight Check-in", 960, 120),
        activity("Intercity Transportation", 1080, 90, "f1", s2=2),
    ]
    out = activity("Intercity Transportation", 480, 180, "g1", s1=2)
    days = [_day("2026-05-01", [out, *first]), _day("2026-05-02", full)]
    schedule = [*days, _day("2026-05-03", last, is_night=False)]
    frame = {"start_date": META["start_date"], "end_date": META["end_date"], "number_of_people": 2}
    return {"trip_plan": {**frame, "daily_schedule": schedule}}


def case(plan: Any = None, **changes: Any) -> dict[str, Any]:
    """A case of a plan, else of the sound one."""
    return {
        "id": "own",
        "world": WORLD,
        "meta": META,
        "plan": sound_plan() if plan is None else plan,
        **changes,
    }


def broken_cases(count: int, seed: int = 0) -> Iterator[dict[str, Any]]:
    """Cases of which the plan, and some of whose world, frame, constraints and parameters, are broken."""
    random = Random(seed)
    for n in range(count):
        own = copy.deepcopy(case(constraints=CONSTRAINTS))
        own["id"] = f"b{n}"
        own["plan"] = break_plan(own["plan"], random)
        for key in ("world", "meta", "constraints"):
            if random.random() < 0.1:
                own[key] = break_plan(own[key], random)
        if random.random() < 0.2:
            own["previous"] = break_plan(sound_plan(), random) if random.random() < 0.5 else sound_plan()
            own["needs_plan"] = random.random() < 0.5
        yield own


CONSTRAINTS: list[dict[str, Any]] = [
    {"id": f"c{n}", "rubric": rubric, "args": args}
    for n, (rubric, args) in enumerate(
        [
            ("attraction.include_categories", {"cats": ["History", "Parks"]}),
            ("attraction.exclude_categories", {"cats": ["Zoos"]}),
            ("attraction.include_attractions", {"ids": ["a1"]}),
            ("attraction.exclude_attractions", {"ids": ["a9"]}),
            ("attraction.heat_score", {"op": "more", "a": 3}),
            ("attraction.comment_score", {"op": "range", "a": 4, "b": 5}),
            ("attraction.comment_count", {"op": "more", "a": 90}),
            ("attraction.price", {"op": "less", "a": 80}),
            ("attraction.distance", {"of": "hotel", "km": 5}),
            ("attraction.category_priority", {"cats": ["History", "Parks"]}),
            ("attraction.sight_level", {"op": "at_least", "level": "5A"}),
            ("hotel.cost", {"op": "less", "level": "total", "a": 600}),
            ("hotel.hotel_type", {"op": "in", "types": ["Midscale"]}),
            ("hotel.review_count", {"min": 200}),
            ("hotel.good_rate", {"min": 0.9}),
            ("hotel.star", {"min": 4}),
            ("hotel.aspect_rating", {"aspect": "all", "min": 8}),
            ("hotel.cancel_policy", {"hours": 24}),
            ("hotel.pet_friendly", {}),
            ("hotel.has_window", {}),
            ("hotel.breakfast_number", {"op": "exact", "n": 2}),
            ("hotel.location", {"op": "center", "km": 1.2}),
            ("restaurant.price", {"op": "less", "a": 80}),
            ("restaurant.rating", {"min": 4}),
            ("restaurant.review_count", {"min": 80}),
            ("restaurant.subrating_food", {"min": 8}),
            ("restaurant.subrating_environment", {"min": 8.5}),
            ("restaurant.subrating_service", {"min": 9}),
            ("restaurant.include_cuisine", {"cats": ["Grill", "Tea"], "mode": "any"}),
            ("restaurant.exclude_cuisine", {"cats": ["Tea"]}),
            ("restaurant.open", {"op": "no_must_reserve"}),
            ("transport.time_depart", {"event": "arrive", "op": "before", "a": "11:00"}),
            ("transport.time_return", {"event": "depart", "op": "period", "periods": ["evening"]}),
            ("transport.cost", {"level": "round_person", "a": 500}),
            ("transport.platform", {"op": "in", "names": ["RailWeb", "TripGo"]}),
            ("transport.ontime", {"rate": 0.9, "delay": 10}),
            ("transport.airline", {"names": ["Other Air"]}),
            ("general.total_budget", {"a": 2160}),
            ("general.daily_attractions", {"min": 2, "max": 2}),
            ("general.day_window", {"a": "08:30", "b": "19:00"}),
        ]
    )
]
"""One of each rubric, all met by the sound plan, and most of them just so."""


def outcomes(count: int, seed: int = 0) -> Counter[str]:
    """How many broken cases come to what. Raises whatever a rule should not."""
    told: Counter[str] = Counter()
    for own in broken_cases(count, seed):
        try:
            figures = score_case(own, CaseContext())
        except (ValidationError, CaseRefused):
            told["refused"] += 1
            continue
        json.dumps(figures, allow_nan=False)
        state = (
            "infeasible"
            if figures["F_feas"]
            else "strict"
            if figures["strict"]
            else "loose"
            if figures["loose"]
            else "poor"
        )
        told[state] += 1
    return told


def main() -> int:
    """Score so many plans with one thing wrong, and so many broken cases; 0 where each failed as it should."""
    from tests.scale.tripmutants.changes import draw_stages  # they change the plan above
    from tests.scale.tripmutants.judging import mutant_faults

    count = int(sys.argv[1]) if len(sys.argv) > 1 else COUNT
    with tempfile.TemporaryDirectory() as folder:
        pack = Path(folder) / "starter.sqlite3"
        build_starter(pack)
        begin = perf_counter()
        counts, faults = mutant_faults(draw_stages(pack), count)
    print("\n".join(faults[:20]))
    aims = f"{counts.total():,} plans aimed at {len(counts)} constraints in {perf_counter() - begin:.1f} s"
    print(f"{aims}, {min(counts.values())} or more at each: {len(faults)} faults")
    begin = perf_counter()
    told = outcomes(count)
    print(f"{count:,} broken cases in {perf_counter() - begin:.1f} s, no exception: {dict(told)}")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
