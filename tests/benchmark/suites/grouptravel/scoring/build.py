"""Small plans, tables, catalogues and records to score."""

from __future__ import annotations

import json
from typing import Any

from benchmark.metrics import aggregate
from benchmark.suites.grouptravel.metrics import METRICS
from benchmark.suites.grouptravel.scoring import PROFILES, Catalogue, score_record

CITY = "杭州市"
Json = dict[str, Any]


def sight(name: str, start: str = "09:00", end: str = "10:00", who: Any = ("All",), **more: Any) -> Json:
    return _timed_activity("attraction", start, end, who, location=name, avg_cost=10, **more)


def meal(name: str, start: str = "12:00", end: str = "13:00", who: Any = ("All",), **more: Any) -> Json:
    return _timed_activity("food", start, end, who, **{"location": name, "avg_cost": 10, **more})


def ride(origin: str, to: str, start: str = "10:00", end: str = "10:20", who: Any = ("All",)) -> Json:
    return _timed_activity(
        "intracity_transport",
        start,
        end,
        who,
        **{"from": origin, "to": to, "transport_mode": "地铁", "avg_cost": 0},
    )


def rest(start: str = "14:00", end: str = "15:00", who: Any = ("All",)) -> Json:
    return _timed_activity("rest", start, end, who)


def hotel(name: str = "湖边旅舍", start: str = "21:00", end: str = "08:00", **more: Any) -> Json:
    return {"type": "hotel", "location": name, "start_time": start, "end_time": end, "avg_cost": 100, **more}


def leg(
    origin: str, to: str, mode: str = "高铁", start: str = "08:00", end: str = "09:00", **more: Any
) -> Json:
    timing = {"start_time": start, "end_time": end, "avg_cost": 50}
    return {
        "type": "intercity_transport",
        "from_city": origin,
        "to_city": to,
        "transport_mode": mode,
        **timing,
        **more,
    }


def block(*activities: Json, city: str = CITY) -> Json:
    return {"city": city, "activities": list(activities)}


def day(*segments: Json, number: int = 1, date: Any = "2026-02-03") -> Json:
    return {"day": number, "date": date, "city_segments": list(segments)}


def plan(*days: Json) -> Json:
    return {"days": list(days)}


def one_day(*activities: Json, date: Any = "2026-02-03") -> Json:
    return plan(day(block(*activities), date=date))


def _timed_activity(kind: str, start: Any, end: Any, who: Any, **more: Any) -> Json:
    given = list(who) if isinstance(who, tuple) else who
    return {"type": kind, "start_time": start, "end_time": end, "participants": given, **more}


def place(name: str, category: str = "", kind: str = "attractions", hours: Any = None) -> Json:
    return {"name": name, "custom_category": category, "poi_type": kind, "opening_hours": hours}


def table(city: str = CITY, food: Json | None = None, sights: Json | None = None, **constraints: Any) -> Json:
    """A table with these fields of one city, and these global constraints."""
    return {
        "global_constraints": constraints,
        "city_specific_preferences": {city: {"attractions": sights or {}, "food": food or {}}},
    }


def record(plan: Any, tables: Json | None = None, users: list[str] | None = None, **more: Any) -> Json:
    held = tables if tables is not None else {"User1": table()}
    said = "```json\n" + json.dumps(plan, ensure_ascii=False) + "\n```"
    return {
        "task_id": "t",
        "trial_id": 0,
        "success": True,
        "plan_generated": True,
        "user_names": users if users is not None else list(held),
        "effective_preferences": {
            user: {"role": user, "preference": own, "compromisable": True} for user, own in held.items()
        },
        "agent_preference_table": {},
        "conversation_history": [{"type": "message", "role": "Agent", "content": said}],
        **more,
    }


def score(plan: Any, *places: Json, tables: Json | None = None, users: list[str] | None = None) -> Json:
    """The figures of a record with this plan, over a catalogue of these places of CITY."""
    return score_record(record(plan, tables, users), Catalogue({CITY: list(places)}))


def points(plan: Any, own: Json, *places: Json) -> int:
    """The utility of one traveller who has the table `own` and travels alone."""
    utility: int = score(plan, *places, tables={"User1": own})["per_user_utility"]["User1"]
    return utility


def issues(plan: Any, *places: Json, users: tuple[str, ...] = ("User1",)) -> list[str]:
    """The types of all validity issues, in the order found."""
    found = score(plan, *places, tables={user: table() for user in users})
    return [issue["type"] for issue in found["pv_issues"]]


def averages(scores: list[Json], profile: str = "published") -> Json:
    """The figures of a benchmark, with the published decimals."""
    return aggregate(scores, METRICS, PROFILES[profile].averaging, 2)
