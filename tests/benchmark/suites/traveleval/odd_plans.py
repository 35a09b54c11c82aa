"""Queries and plans that miss, repeat and misspell what plans of models do."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import date, timedelta
from random import Random
from typing import Any

from benchmark.suites.traveleval.tasks import Query
from benchmark.suites.traveleval.world import City
from tests.scale.traveleval import query

Plan = dict[str, Any]


def odd_city(city: City) -> City:
    """The same with sights that have no star, or types as the published tables misspell them."""
    odd = (
        {"star": math.nan},
        {"types": "{[自然风光;公园}"},
        {"types": "{人文景观沉浸式体验}"},
        {"types": "{猫狗特色;}"},
    )
    sights = [s._replace(**odd[nth % 9]) if nth % 9 < len(odd) else s for nth, s in enumerate(city.sights)]
    return replace(city, sights=sights)


def odd_query(random: Random) -> Query:
    """With wishes of all kinds, or none, around holidays."""

    def tags(*words: str) -> dict[str, list[str]]:
        order = random.sample(words, len(words))
        return {"preferences": order[: random.randint(0, 2)], "constraints": order[3 : random.randint(3, 5)]}

    first = date(2025, random.choice([1, 5, 7, 10, 11, 12]), random.randint(1, 28))
    return query(
        people_number=2,
        people_composition={"adults": 1, "seniors": random.randint(0, 1), "children": 0},
        dates=f"{first} to {first + timedelta(days=4)}",
        transportation=tags("飞机", "高铁", "自驾", "骑行", "高铁", "骑行"),
        diet=tags("杭帮菜", "火锅", "小吃", "面馆", "川菜", "咖啡"),
        attractions=tags("自然风光", "公园", "人文景观", "沉浸式体验", "宠物特色", "园林"),
        rhythm={"preferences": random.choice([[], ["慢游"], ["特种兵式"], ["特种兵式", "慢游"]])},
    )


def odd_plan(city: City, random: Random) -> Plan:
    """Days may be repeated, empty or without a number, and stops without what they should have."""
    legs = [_leg(random) for _ in range(random.choice([0, 1, 2, 2, 2, 3]))]
    days = [_odd_day(city, random, day) for day in range(1, random.randint(1, 4))]
    if random.random() < 0.2:
        days.append(_odd_day(city, random, random.choice([None, 1, 2])))
    rooms = [{"type": "大床房", "quantity": 1, "price_per_night": 300, "nights": 2}]
    total = random.choice([*[len(days)] * 6, "2", 0, 9])
    return {
        "summary": {"total_days": total, "total_travelers": 2, "destination": "杭州"},
        "accommodation": {"hotel_name": random.choice(city.hotels).name, "room_type": rooms},
        "intercity_transport": {"transport_type": legs} if random.random() < 0.95 else {},
        "daily_plans": days if random.random() < 0.97 else [],
    }  # fmt: skip


def _leg(random: Random) -> Plan:
    hour = random.randint(0, 23)
    return {
        "start_time": f"{hour:02}:15",
        "end_time": f"{(hour + random.randint(1, 9)) % 24:02}:40",
        "location_name": "杭州东站",
        "transportation_to": random.choice(["高铁", "高铁", "飞机", "动车"]),
        "details": {"price": random.choice([0, 350.5]), "number": 2},
    }


def _odd_day(city: City, random: Random, number: int | None) -> Plan:
    day: Plan = {"day": number}
    hour: float = random.randint(0, 12)
    few = random.sample([sight.name for sight in city.sights], 4)
    names = {
        "attraction": [*few, "不存在的景点"],
        "meal": [t.name for t in random.sample([*city.taverns], 9)] + ["路边摊"],
    }
    stops = []
    for _ in range(random.choice([0, 1, 2, 3, 4, 5])):
        kind = random.choice(
            ["attraction", "attraction", "attraction", "meal", "accommodation", "shopping", None]
        )
        length = random.choice([0, 0.25, 1, 1.5, 2, 3, 5])
        stops.append(_odd_stop(random, kind, random.choice(names.get(kind or "", few)), hour, length))
        hour += length + random.randint(0, 3) / 2
    if stops or random.random() < 0.5:
        day["activities"] = stops
    if random.random() < 0.8:
        day["starting_point"] = random.choice([random.choice(city.hotels).name, few[0], "杭州东站", ""])
    if random.random() < 0.9:
        kind = random.choice(["accommodation", "accommodation", "attraction"])
        name = random.choice([random.choice(city.hotels).name, few[0]])
        day["ending_point"] = random.choice([_odd_stop(random, kind, name, hour, 1)] * 9 + ["酒店"])
    return day


def _odd_stop(random: Random, kind: str | None, name: str, hour: float, length: float) -> Plan:
    tickets = {"ticket_price": random.choice([0, 45.5]), "ticket_number": random.choice([0, 2, 3])}
    stop: Plan = {
        "type": kind,
        "location_name": name,
        "start_time": clock_text(hour),
        "end_time": random.choice([*[clock_text(hour + length)] * 9, clock_text(hour + length) + ":00"]),
        "cost": random.choice([0, 60]),
        "transportation_to": random.choice(["地铁", "公交", "骑行", "步行", "驾车", "打车", None]),
        "transportation_cost": random.choice([0, 3.5, 900]),
        "details": random.choice([None, {}, tickets]),
    }
    if stop["details"] is not None:
        stop["details"]["transport_time"] = random.choice([25, "00:40", "soon", "", None, 12.5])
    if random.random() < 0.06:
        key = random.choice(
            ["start_time", "end_time", "type", "location_name", "transportation_cost", "transportation_to"]
        )
        if random.random() < 0.7:
            del stop[key]
        elif key.endswith("time"):
            stop[key] = random.choice(["noon", "9", "25:10", "9:05"])
    return stop


def clock_text(hours: float) -> str:
    """As plans write it."""
    return f"{int(hours) % 24:02}:{round(hours % 1 * 60):02}"
