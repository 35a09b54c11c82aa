"""A small invented world that answers the tools' shapes from memory, and groups who travel in it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import date
from random import Random
from typing import Any

from benchmark.core.actions import CallTools, Say
from benchmark.core.view import ToolEntry
from benchmark.suites.grouptravel.agent.brief import Brief
from benchmark.suites.grouptravel.agent.planning import next_move

SIGHTS = ("博物馆", "公园", "寺庙", "游乐园", "文物古迹", "自然风光", "广场", "旅游景点", "")
FOODS = ("川菜", "火锅", "粤菜", "小吃快餐", "面馆", "烧烤", "海鲜", "西餐", "食堂")
HOTELS = ("经济型", "舒适型", "高档型", "豪华型", "民宿", "商务酒店")
MODES = ("高铁", "火车", "飞机", "自驾")
CITIES = ("云州市", "河阳市", "青川市")
HOME = "远安市"
_KINDS = {"attraction": "attractions", "restaurant": "food", "hotel": "hotels"}


@dataclass
class FakeToolbox:
    """Answers like the sandbox's toolbox: `call` gives JSON text, errors are objects with one field."""

    seed: int
    cities: tuple[str, ...] = CITIES
    sights: int = 14
    restaurants: int = 16
    hotels: int = 8
    services: bool = True
    flaky: float = 0.0
    places: dict[str, dict[str, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._random = Random(self.seed)
        for number, city in enumerate(self.cities):
            for kind, count, categories in (
                ("attraction", self.sights, SIGHTS),
                ("restaurant", self.restaurants, FOODS),
                ("hotel", self.hotels, HOTELS),
            ):
                for index in range(count):
                    place = self._place(city, number, kind, index, categories)
                    self.places[place["id"]] = place

    def _place(
        self, city: str, number: int, kind: str, index: int, categories: tuple[str, ...]
    ) -> dict[str, Any]:
        draw = self._random
        category = draw.choice(categories)
        spread = draw.choice((0.03, 0.1, 0.5))
        lon, lat = (104 + number + draw.uniform(-spread, spread), 30 + draw.uniform(-spread, spread))
        return {
            "id": f"{kind[0]}{number}-{index}",
            "name": f"{city[:2]}{category[:2]}{kind[0].upper()}{index}",
            "kind": kind,
            "category": category,
            "city": city,
            "address": "",
            "location": draw.choice((f"{lon:.5f},{lat:.5f}",) * 9 + (None,)),
            "distance_m": None,
            "rating": draw.choice((None, 3.5, 4.2, 4.9)),
            "price": draw.choice((None, 0, 35, 80, 260, 520)),
            "hours": self._hours() if kind != "hotel" else None,
            "stay_hours": draw.choice((None, [1, 2], [0.5, 1.5], [2, 4])) if kind == "attraction" else None,
        }

    def _hours(self) -> dict[str, Any] | None:
        draw = self._random
        all_week = [1, 2, 3, 4, 5, 6, 7]
        weekdays = draw.choice((all_week, [2, 3, 4, 5, 6, 7], [6, 7], []))
        windows = draw.choice(
            (
                [("09:00", "17:00")],
                [("08:30", "11:30"), ("13:30", "17:30")],
                [("00:00", "24:00")],
                [("18:00", "02:00")],
                [("9:00", "17:00")],
                [],
            )
        )
        rule = {
            "date_range": draw.choice((None, None, {"start": "11-01", "end": "03-31"})),
            "weekdays": weekdays,
            "time_windows": [{"open": o, "close": c} for o, c in windows],
        }
        later = {
            "date_range": None,
            "weekdays": all_week,
            "time_windows": [{"open": "10:00", "close": "16:00"}],
        }
        return draw.choice(
            (None, {"always_open": True, "rules": []}, {"always_open": False, "rules": [rule, later]})
        )

    def call(self, name: str, arguments: dict[str, Any]) -> str:
        if self._random.random() < self.flaky:
            return self._random.choice(
                ('{"error": "try later"}', "not json", "[]", "{}", '{"pois": [null, {}]}')
            )
        return json.dumps(getattr(self, f"_{name}")(**arguments), ensure_ascii=False)

    def _search_poi(self, keywords: str, city: str, page_size: int = 10, **_: Any) -> dict[str, Any]:
        kinds = {"景点": "attraction", "餐厅": "restaurant", "酒店": "hotel"}
        found = [
            self._brief(place)
            for place in self.places.values()
            if place["city"] == city
            and (
                keywords in place["name"]
                or keywords == place["category"]
                or place["kind"] == kinds.get(keywords)
            )
        ]
        return {"total": len(found), "page": 1, "page_size": page_size, "pois": found[:page_size]}

    def _brief(self, place: dict[str, Any]) -> dict[str, Any]:
        return {key: value for key, value in place.items() if key != "hours"} | {"opening_hours": "见详情"}

    def _get_poi_detail(self, id: str) -> dict[str, Any]:
        place = self.places.get(id)
        if place is None:
            return {"error": "unknown id"}
        details = {"opening_text": "见规则", "categories": [place["category"]], "rooms": [], "dishes": []}
        return self._brief(place) | {"opening_hours": place["hours"]} | details

    def _maps_geo(self, address: str, city: str | None = None) -> dict[str, Any]:
        return {"results": [{"name": address, "location": "104.02,30.01"}]}

    def _plan_route(self, origin: str, destination: str, **_: Any) -> dict[str, Any]:
        return {"routes": [{"distance_m": 210000, "duration_minutes": 160}]}

    def _travel_search_trains(self, origin: str, destination: str, **_: Any) -> dict[str, Any]:
        draw = Random(f"{self.seed}{origin}{destination}")
        return {
            "trains": [self._train(draw, origin, destination) for _ in range(draw.randrange(9))]
            if self.services
            else []
        }

    def _train(self, draw: Random, origin: str, destination: str) -> dict[str, Any]:
        depart, length = draw.randrange(24 * 60), draw.randrange(30, 900)
        arrive = depart + length
        return {
            "number": f"G{draw.randrange(1000)}",
            "mode": draw.choice(("高铁", "火车")),
            "from_station": f"{origin[:2]}站",
            "to_station": f"{destination[:2]}站",
            "depart": f"{depart // 60:02d}:{depart % 60:02d}",
            "arrive": f"{arrive // 60 % 24:02d}:{arrive % 60:02d}",
            "day_offset": arrive // 1440,
            "duration_minutes": length,
            "price": draw.choice((45, 180.5, 600)),
        }

    def _travel_search_flights(self, origin: str, destination: str, **_: Any) -> dict[str, Any]:
        return {"flights": []} if self.services else {"error": "no airport"}

    def catalogue(self) -> dict[str, list[dict[str, Any]]]:
        """The world as the scorer's catalogue."""
        found: dict[str, list[dict[str, Any]]] = {city: [] for city in self.cities}
        for place in self.places.values():
            entry = {
                "name": place["name"],
                "custom_category": place["category"],
                "opening_hours": place["hours"],
            }
            found[place["city"]].append(entry | {"poi_type": _KINDS[place["kind"]]})
        return found


def group(seed: int, people: int, cities: tuple[str, ...], world: FakeToolbox) -> dict[str, Any]:
    """Preference tables with some fields left out."""
    draw = Random(seed)
    return {f"User{n}": _table(draw, cities, world) for n in range(1, people + 1)}


def _table(draw: Random, cities: tuple[str, ...], world: FakeToolbox) -> dict[str, Any]:
    table: dict[str, Any] = {
        "global_constraints": {
            "avg_budget": draw.choice((0, 900, 2500, 6000)),
            "transport": _tiers(draw, MODES, ("must", "prefer", "avoid", "reject")),
            "intensity": {
                "max_poi_per_day": draw.choice((2, 3, 4)),
                "max_active_hours": draw.choice((6, 8, 10)),
            },
            "hotel_preference": _tiers(draw, HOTELS, ("prefer", "avoid")),
        },
        "city_specific_preferences": {city: _city(draw, city, world) for city in cities},
    }
    if draw.random() < 0.15:
        table.pop(draw.choice(tuple(table)))
    return table


def _city(draw: Random, city: str, world: FakeToolbox) -> dict[str, Any]:
    names = [p["name"] for p in world.places.values() if p["city"] == city and p["kind"] == "attraction"]
    names.append(f"{city[:2]}无名谷")
    return {
        "attractions": {
            "must_visit": draw.sample(names, 1),
            "reject_visit": draw.sample(names, draw.randrange(2)),
            "category_pref": _tiers(draw, SIGHTS[:7], ("positive", "negative")),
        },
        "food": _tiers(draw, FOODS[:7], ("must_eat", "prefer_eat", "avoid_eat", "reject_eat")),
    }


def _tiers(draw: Random, items: tuple[str, ...], tiers: tuple[str, ...]) -> dict[str, list[str]]:
    chosen = draw.sample(items, min(len(items), len(tiers)))
    return {tier: [item] if draw.random() < 0.75 else [] for tier, item in zip(tiers, chosen, strict=True)}


def brief_of(cities: tuple[str, ...], days: int, people: int, start: date = date(2025, 11, 1)) -> Brief:
    return Brief(HOME, cities, days, start, people, (), "zh")


@dataclass
class Session:
    """What came out of asking the planner until it spoke."""

    say: str
    log: tuple[ToolEntry, ...]
    steps: int

    @property
    def plan(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.say.split("```json")[1].split("```")[0])
        return found


def converse(
    brief: Brief, tables: dict[str, Any], people: tuple[str, ...], world: Any, seed: int = 0, most: int = 20
) -> Session:
    """Runs the planner against a toolbox, with at most `most` model steps."""
    log: list[ToolEntry] = []
    for step in range(most + 1):
        move = next_move(brief, tables, people, tuple(log), step < most, seed)
        if isinstance(move, Say):
            return Session(move.content, tuple(log), step)
        assert isinstance(move, CallTools)
        for call in move.calls:
            assert isinstance(call.arguments, dict)
            result = world.call(call.name, call.arguments)
            log.append(ToolEntry(str(len(log)), call.name, call.arguments, result, False, "world"))
    raise AssertionError("the planner never spoke")
