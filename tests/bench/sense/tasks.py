"""Tasks over any world with well-known sights: groups that share some wishes and clash over others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from benchmark.suites.grouptravel.tasks import Task
from sandbox.worlds.reader import World
from sandbox.worlds.records import Place

_NUMERALS = "零一二三四五六七"
_TRIPS: tuple[tuple[int, int, int, str], ...] = (
    (1, 3, 2, "easy"),
    (1, 3, 3, "easy"),
    (2, 4, 3, "medium"),
    (2, 5, 4, "medium"),
    (1, 4, 3, "medium"),
    (2, 5, 5, "hard"),
    (3, 6, 4, "hard"),
)
"""Cities, days, travellers, difficulty."""
_RIDES = ("高铁", "火车", "飞机")
_HOTELS = ("经济型", "舒适型", "高档型", "商务酒店", "民宿")
_SIGHTS, _FOODS = 12, 9


def made_tasks(world: World, count: int, seed: int = 0) -> Iterator[Task]:
    """`count` tasks, the same for the same seed."""
    for number in range(count):
        yield _task(
            world, f"made_{number + 1:02d}", _TRIPS[number % len(_TRIPS)], Random(seed * 1000 + number)
        )


def _task(world: World, name: str, trip: tuple[int, int, int, str], draw: Random) -> Task:
    size, days, people, difficulty = trip
    home, *cities = draw.sample([city.name for city in world.cities()], size + 1)
    users = [f"User{number}" for number in range(1, people + 1)]
    pools = {city: _pool(world, city) for city in cities}
    budget = draw.choice((1400, 2200)) + 600 * days
    tables = {user: _table(pools, budget, draw) for user in users}
    length = f"{_NUMERALS[days]}天{_NUMERALS[days - 1]}夜"
    return Task.model_validate(
        {
            "task_id": name,
            "query": f"{'、'.join(cities)}，{length}，{people}人的旅行计划",
            "time": "2025-10-17",
            "context": f"出发城市：{home}；出行日期：2025-10-17；团队类型：朋友（共{people}人）",
            "metadata": {"departure_city": home, "cities": cities, "date": length},
            "user_preferences": {
                user: {"role": "朋友", "preference": table, "compromisable": draw.random() < 0.7}
                for user, table in tables.items()
            },
            "initial_messages": [{"role": user, "content": _opening(tables[user])} for user in users],
            "difficulty_type": difficulty,
        }
    )


def _pool(world: World, city: str) -> tuple[list[Place], list[str]]:
    """The best-known sights, and the cuisines that are served most."""
    sights = sorted(world.places(city, "attraction"), key=lambda place: (-place.popularity, place.id))
    cuisines = [place.category for place in world.places(city, "restaurant") if place.category]
    foods = sorted(set(cuisines), key=lambda food: (-cuisines.count(food), food))
    return sights[:_SIGHTS], foods[:_FOODS]


def _table(pools: dict[str, tuple[list[Place], list[str]]], budget: int, draw: Random) -> dict[str, Any]:
    ride, refused = draw.sample(_RIDES, 2)
    liked, disliked = draw.sample(_HOTELS, 2)
    return {
        "global_constraints": {
            "avg_budget": budget + 100 * draw.randint(-3, 3),
            "transport": {"must": [ride], "prefer": [], "avoid": [], "reject": [refused]},
            "intensity": {
                "max_poi_per_day": draw.choice((3, 4)),
                "max_active_hours": draw.choice((8, 9, 10)),
            },
            "hotel_preference": {"prefer": [liked], "avoid": [disliked]},
        },
        "city_specific_preferences": {
            city: _city(sights, foods, draw) for city, (sights, foods) in pools.items()
        },
    }


def _city(sights: Sequence[Place], foods: Sequence[str], draw: Random) -> dict[str, Any]:
    first, second, refused = draw.sample([place.name for place in sights], 3)
    liked, disliked = draw.sample(sorted({place.category for place in sights}), 2)
    must, prefer, avoid, reject = draw.sample(foods, 4)
    return {
        "attractions": {
            "must_visit": [first, second],
            "reject_visit": [refused],
            "category_pref": {"positive": [liked], "negative": [disliked]},
        },
        "food": {"must_eat": [must], "prefer_eat": [prefer], "avoid_eat": [avoid], "reject_eat": [reject]},
    }


def _opening(table: dict[str, Any]) -> str:
    city, wishes = next(iter(table["city_specific_preferences"].items()))
    budget, sight = table["global_constraints"]["avg_budget"], wishes["attractions"]["must_visit"][0]
    return f"我人均最多{budget}元。{city}的{sight}我一定要去。"
