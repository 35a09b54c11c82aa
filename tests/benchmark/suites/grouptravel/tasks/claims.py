"""What a task written for a world has to keep: names, services, opening days, budgets, and its own figures."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from functools import cache
from itertools import pairwise
from statistics import fmean, median
from typing import Any

from benchmark.suites.grouptravel.preferences import Conflict, conflicts, filled_fields
from benchmark.suites.grouptravel.tasks import Task
from sandbox.worlds import World
from sandbox.worlds.records import Mode, Place, PlaceKind

MEALS_A_DAY = 2
MODES: tuple[Mode, ...] = ("高铁", "火车", "飞机")


def people(task: Task) -> int:
    """The group with its young children."""
    return len(task.users) + len(task.metadata.child_members)


def difficulty(task: Task) -> float:
    """Formula (1) of the paper, which leaves the ordinal scales open: these give the score of every published
    task at hand. f_N is N - 1 (2 to 6 people), f_D is D - 1 up to 5 (2 to 6 days and more), f_C is 1, 3, 5.
    """
    assert task.days is not None
    scales = people(task) - 1, min(task.days - 1, 5), 2 * len(task.metadata.cities) - 1
    return round(sum(w * f for w, f in zip((0.5, 0.3, 0.2), scales, strict=True)), 1)


def difficulty_type(score: float) -> str:
    """Table 6."""
    return "easy" if score <= 2.8 else "medium" if score < 4.2 else "hard"


def tables(task: Task) -> dict[str, dict[str, Any]]:
    return {user: card.preference for user, card in task.user_preferences.items()}


def clashes(task: Task) -> list[Conflict]:
    return conflicts(tables(task))


def head_on(task: Task) -> list[Conflict]:
    """What one traveller insists on and another refuses."""
    return [c for c in clashes(task) if ".must" in c.like_path and ".reject" in c.dislike_path]


def dates(task: Task) -> list[date]:
    first = date.fromisoformat(task.time)
    return [first + timedelta(days) for days in range(task.days or 0)]


def unknown_names(task: Task, world: World) -> list[str]:
    """Sights, categories, dishes and hotel classes that the world lacks."""
    return [
        f"{task.task_id} {user} {city or '*'} {field.path}: {name}"
        for user, table in tables(task).items()
        for field, city, value in filled_fields(table)
        if field.kind == "list"
        for name in value
        if not _known(field.topic, name, [city] if city else task.metadata.cities, world)
    ]


def unreachable(task: Task, world: World) -> list[str]:
    """Modes that a traveller insists on although none of the cities can be reached and left by them."""
    home, cities = task.metadata.departure_city, task.metadata.cities
    return [
        f"{task.task_id} {user}: {mode}"
        for user, table in tables(task).items()
        for mode in table["global_constraints"]["transport"]["must"]
        if not any(world.services(home, city, mode) for city in cities)
        or not any(world.services(city, home, mode) for city in cities)
    ]


def closed_at_times(task: Task, world: World) -> dict[str, list[bool]]:
    """Of each sight that somebody must see: on which days of the trip it opens."""
    found: dict[str, list[bool]] = {}
    for table in tables(task).values():
        for city, wishes in table["city_specific_preferences"].items():
            for name in wishes["attractions"]["must_visit"]:
                place = world.place_named(name, city)
                assert place is not None, name
                found[name] = [_opens(place, day) for day in dates(task)]
    return found


def budget_ratios(task: Task, world: World) -> dict[str, float]:
    """Each budget over what the trip costs that traveller at the least: the cheapest fares in a mode they like,
    nights in the cheaper of their hotel classes, two meals a day of the food they like.
    """
    return {
        user: table["global_constraints"]["avg_budget"] / _least(task, table, world)
        for user, table in tables(task).items()
    }


def count_revealed_fields(task: Task, user: str, text: str) -> int:
    """How many fields of a traveller's table an opening message gives away."""
    table, fields = tables(task)[user], set()
    names = {
        name: field for field, _, value in filled_fields(table) if field.kind == "list" for name in value
    }
    for name in sorted(names, key=len, reverse=True):
        if name in text:
            fields.add(names[name].path)
            text = text.replace(name, "…")
    held = table["global_constraints"]
    caps = [
        (held["avg_budget"], "元"),
        (held["intensity"]["max_poi_per_day"], "个景点"),
        (held["intensity"]["max_active_hours"], "小时"),
    ]
    return len(fields) + sum(f"{figure}{unit}" in text.replace("个小时", "小时") for figure, unit in caps)


def _known(topic: str, name: str, cities: list[str], world: World) -> bool:
    if topic == "transport":
        return name in (*MODES, "自驾")
    if topic == "food":
        return any(_serves(place, name) for place in _places(world, cities, "restaurant"))
    if topic == "hotel":
        return any(place.category == name for place in _places(world, cities, "hotel"))
    sights = _places(world, cities, "attraction")
    if topic == "attraction_category":
        return any(place.category == name for place in sights)
    return any(place.name == name for place in sights)


def _places(world: World, cities: list[str], kind: PlaceKind) -> Iterator[Place]:
    for city in cities:
        yield from _of_city(world, city, kind)


@cache
def _of_city(world: World, city: str, kind: PlaceKind) -> tuple[Place, ...]:
    return tuple(world.places(city, kind))


def _serves(place: Place, food: str) -> bool:
    return place.category == food or food in place.name or food in place.dishes


def _opens(place: Place, day: date) -> bool:
    """Whether the rule that decides for a day lets visitors in at all."""
    hours, today = place.opening_hours, f"{day:%m-%d}"
    if hours is None or hours.always_open:
        return True
    for rule in hours.rules:
        span = rule.date_range
        if span is None or (
            span.start <= today <= span.end
            if span.start <= span.end
            else today >= span.start or today <= span.end
        ):
            return day.isoweekday() in rule.weekdays
    return True


def _least(task: Task, table: dict[str, Any], world: World) -> float:
    wishes, days = table["city_specific_preferences"], len(dates(task))
    nights = fmean(_night(table, city, world) for city in wishes) * (days - 1)
    meals = fmean(_meal(wishes[city]["food"], city, world) for city in wishes) * days * MEALS_A_DAY
    return _fares(task, table, world) + nights + meals


def _fares(task: Task, table: dict[str, Any], world: World) -> float:
    modes = table["global_constraints"]["transport"]
    liked, home = modes["must"] or modes["prefer"], task.metadata.departure_city
    total = 0.0
    for origin, destination in pairwise([home, *task.metadata.cities, home]):
        runs = world.services(origin, destination)
        fit = [run.price for run in runs if run.mode in liked]
        total += min(fit or [run.price for run in runs if run.mode not in modes["reject"]])
    return total


def _night(table: dict[str, Any], city: str, world: World) -> float:
    hotels = _of_city(world, city, "hotel")
    wanted = table["global_constraints"]["hotel_preference"]["prefer"]
    prices = [
        median(found)
        for name in wanted
        if (found := [hotel.price or 0 for hotel in hotels if hotel.category == name])
    ]
    return min(prices)


def _meal(food: dict[str, list[str]], city: str, world: World) -> float:
    liked = {*food["must_eat"], *food["prefer_eat"]}
    places = _of_city(world, city, "restaurant")
    return median(place.price or 0 for name in liked for place in places if _serves(place, name))
