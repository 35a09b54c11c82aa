"""Plans for TravelEval's rules, sound and broken: `python -m tests.scale.traveleval [COUNT]` scores broken ones.

No plan may end a rule with an exception: what can't be computed has a reason and a field.
"""

from __future__ import annotations

import copy
import json
import math
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

from benchmark.core.events import ALL, Event, PlanProposed
from benchmark.core.setting import Setting
from benchmark.core.view import AGENT
from benchmark.suites.traveleval.scoring.cases import figures_as_published
from benchmark.suites.traveleval.scoring.conditions import HOLIDAY_QUEUES
from benchmark.suites.traveleval.scoring.itinerary import Itinerary
from benchmark.suites.traveleval.scoring.rules import Conditions, PlanScore, score_plan
from benchmark.suites.traveleval.scoring.sessions import score_session
from benchmark.suites.traveleval.tasks import Query
from benchmark.suites.traveleval.world import City, Tables, tables_of
from sandbox.worlds import open_world
from sandbox.worlds.starter import build_starter

COUNT = 10_000
ODD_VALUES: tuple[Any, ...] = (
    *(
        None,
        "",
        0,
        -1,
        2.5,
        True,
        "3",
        "３",
        "many",
        "25:00",
        "9:5",
        "09:00:00",
        "24:00",
        [],
        {},
        [1],
        {"a": 1},
    ),
    *(math.nan, math.inf, 10**400, "1" * 400, "nan", [[]], "attraction", "杭州", "hangzhou", "高铁", "飞机"),
)


def query(**fields: Any) -> Query:
    """A query of two people for three days in Hangzhou."""
    usual = {
        "uid": "own-1",
        "tag": "hard",
        "start_city": "北京",
        "target_city": "杭州",
        "days": 3,
        "people_number": 2,
        "people_composition": {"adults": 2},
        "budget": 6000,
        "dates": "2025-04-30 to 2025-05-02",
        "transportation": {"preferences": ["高铁"], "constraints": ["飞机"]},
        "diet": {"preferences": ["杭帮菜"], "constraints": ["火锅"]},
        "attractions": {"preferences": ["自然风光"], "constraints": ["商业街区"]},
    }
    return Query.model_validate({**usual, **fields})


def sound_plan(tables: Tables, random: Random, days: int = 3, people: int = 2) -> dict[str, Any]:
    """A plan for Hangzhou, drawn from the tables."""
    city = tables.city("杭州")
    hotel = random.choice(city.hotels)
    costs = dict.fromkeys(
        ("attractions", "intercity_transportation", "intracity_transportation", "accommodation", "meals"),
        100.0,
    )
    rooms = [{"type": "大床房", "quantity": people, "price_per_night": 300, "nights": days - 1}]
    return {
        "summary": {
            "total_days": days,
            "total_travelers": people,
            "departure": "北京",
            "destination": "杭州",
            "total_budget": 6000,
            "is_within_budget": True,
        },
        "accommodation": {"hotel_name": hotel.name, "room_type": rooms},
        "intercity_transport": {"transport_type": list(_legs(tables, random, people))},
        "daily_plans": [_day(city, random, day, people, hotel.name) for day in range(1, days + 1)],
        "cost_breakdown": costs,
    }


def _legs(tables: Tables, random: Random, people: int) -> Iterator[dict[str, Any]]:
    trains = tables.trains_between("北京", "杭州")
    for origin in ("北京", "杭州"):
        train = random.choice([train for train in trains if train.origin.startswith(origin)])
        yield {
            "start_time": train.departs,
            "end_time": train.arrives,
            "location_name": train.destination,
            "transportation_to": "高铁",
            "details": {"transport_number": train.number, "price": train.cost, "number": people},
        }


def _day(city: City, random: Random, day: int, people: int, hotel: str) -> dict[str, Any]:
    stops = []
    for nth, sight in enumerate(random.sample(list(city.sights), 2)):
        details = {"ticket_price": sight.price, "ticket_number": people, "load_limit": 5, "car_number": 1}
        stops.append(_stop("attraction", sight.name, 9 + 4 * nth, 2, details))
    stops.insert(1, _stop("meal", random.choice(city.taverns).name, 12, 1, None))
    end = _stop("accommodation", hotel, 20, 1, {})
    date = f"2025-0{4 if day == 1 else 5}-{30 if day == 1 else day - 1:02}"
    return {"day": day, "date": date, "starting_point": hotel, "activities": stops, "ending_point": end}


def _stop(kind: str, name: str, hour: int, hours: int, details: Any) -> dict[str, Any]:
    return {
        "type": kind,
        "location_name": name,
        "start_time": f"{hour:02}:00",
        "end_time": f"{hour + hours:02}:30",
        "cost": 80,
        "transportation_to": "地铁",
        "transportation_cost": 4,
        "details": details,
    }


def paths_of(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where the parts of a plan stand."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in pairs:
        yield (*at, key)
        yield from paths_of(part, (*at, key))


def break_plan(plan: dict[str, Any], random: Random) -> Any:
    """A copy with one to three parts taken away, replaced or moved."""
    broken: Any = copy.deepcopy(plan)
    for _ in range(random.randint(1, 3)):
        places = [*paths_of(broken)]
        if not places:
            return random.choice(ODD_VALUES)
        *way, last = random.choice(places)
        owner = broken
        for key in way:
            owner = owner[key]
        chance = random.random()
        if chance < 0.3:
            del owner[last]
        elif chance < 0.4 and isinstance(owner, list):
            owner.insert(0, copy.deepcopy(owner[last]))
        else:
            owner[last] = copy.deepcopy(random.choice((*ODD_VALUES, owner[last], broken)))
    return broken


def scores(tables: Tables, count: int, seed: int = 0) -> Iterator[PlanScore]:
    """The scores of broken plans."""
    random = Random(seed)
    for _ in range(count):
        asked = query(people_number=random.randint(0, 4), days=random.randint(0, 4))
        plan = break_plan(sound_plan(tables, random), random)
        own = Itinerary.read(plan, asked, tables)
        by_paper = Conditions(HOLIDAY_QUEUES, service_hours=(6.0, 23.0), by_paper=True)
        for conditions in (by_paper, Conditions()):
            score = score_plan(own, conditions)
            figures_as_published(score)
        if isinstance(plan, dict):
            setting = Setting[Query, Tables](read_task=lambda asked=asked: asked, world=tables)
            sheets = score_session(
                [Event(1, AGENT, ALL, PlanProposed(plan=plan), datetime.now(UTC))], setting
            )
            json.dumps([sheet.as_json() for sheet in sheets.values()], allow_nan=False)
        yield score


def main() -> None:
    """Score as many broken plans as the command line says."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else COUNT
    with tempfile.TemporaryDirectory() as folder:
        build_starter(Path(folder) / "starter.world")
        tables = tables_of(open_world(Path(folder) / "starter.world"))
    begun = perf_counter()
    runs = [score.run for score in scores(tables, count)]
    told = ", ".join(f"{run}: {runs.count(run)}" for run in sorted({*runs}))
    print(f"{count} broken plans in {perf_counter() - begun:.1f} s: {told}")


if __name__ == "__main__":
    main()
