"""Calls about ways: plan_route and compare_routes."""

from __future__ import annotations

import random
from collections.abc import Iterator
from math import ceil, hypot
from typing import Any

from tests.scale.gazetteer import Entry, Gazetteer, Town
from tests.scale.spelling import city, clock, day, option, spot

DrawnCall = tuple[dict[str, Any], dict[str, Any]]

_MODES = {"transit": 300.0, "driving": 500.0, "walking": 75.0, "bicycling": 220.0}
"""Metres a minute."""
_COSTS = {"transit": (4.0, 0.0), "driving": (0.0, 0.6)}
"""CNY, and CNY a kilometre; the rest is free."""
_ROADS = ("人民路", "解放路", "中山路", "建设路", "环城高速", "滨江大道", "学院路", "长江路")
_TURNS = ("左转", "右转", "直行", "调头", "靠右进入辅路", "进入环岛")
_METRES_A_DEGREE = 100_000


def ends(chance: random.Random, town: Town) -> tuple[Entry, Entry]:
    """Two places of a city."""
    origin, destination = chance.sample(town.places, 2)
    return origin, destination


def plan_route(known: Gazetteer, chance: random.Random) -> Iterator[DrawnCall]:
    """The same two places by several modes, dates and spellings."""
    while True:
        town = known.town(chance)
        origin, destination = ends(chance, town)
        for _ in range(chance.choice((1, 1, 2, 4))):
            mode = chance.choices(list(_MODES), (45, 30, 20, 5))[0]
            arguments = {
                "origin": spot(chance, origin),
                "destination": spot(chance, destination),
                "mode": mode,
                **({"city": city(chance, town)} if mode == "transit" else {}),
                **option(chance, 0.15, "date", day(chance)),
                **option(chance, 0.15, "time", clock(chance)),
            }
            yield arguments, route(mode, origin, destination) | {"steps": _steps(chance, mode, destination)}


def compare_routes(known: Gazetteer, chance: random.Random) -> Iterator[DrawnCall]:
    """All modes between two places."""
    while True:
        town = known.town(chance)
        origin, destination = ends(chance, town)
        arguments = {
            "origin": spot(chance, origin),
            "destination": spot(chance, destination),
            **option(chance, 0.8, "city", city(chance, town)),
        }
        yield arguments, {"routes": [route(mode, origin, destination) for mode in _MODES]}


def route(mode: str, origin: Entry, destination: Entry) -> dict[str, Any]:
    """The figures of a way, with the fields of the tools' `Route`."""
    metres = round(_straight(origin, destination) * 1.3)
    fixed, per_kilometre = _COSTS.get(mode, (0.0, 0.0))
    return {
        "mode": mode,
        "origin": {"name": origin["name"], "location": origin["location"]},
        "destination": {"name": destination["name"], "location": destination["location"]},
        "distance_m": metres,
        "duration_minutes": ceil(metres / _MODES[mode]),
        "cost": round(fixed + metres / 1000 * per_kilometre, 1),
        "cost_per": "car" if mode == "driving" else "person",
        "estimated": False,
    }


def _straight(origin: Entry, destination: Entry) -> float:
    x, y = map(float, origin["location"].split(","))
    to_x, to_y = map(float, destination["location"].split(","))
    return hypot(to_x - x, to_y - y) * _METRES_A_DEGREE


def _steps(chance: random.Random, mode: str, destination: Entry) -> list[str]:
    if mode == "transit":
        lines = [
            f"乘地铁{chance.randint(1, 18)}号线经过{chance.randint(2, 14)}站"
            for _ in range(chance.randint(1, 3))
        ]
        return [
            "步行约 420 米到地铁站",
            *lines,
            f"步行约 {chance.randrange(80, 900)} 米到{destination['name']}",
        ]
    steps = [
        f"沿{chance.choice(_ROADS)}向{chance.choice('东南西北')}行驶{metres}米，{chance.choice(_TURNS)}"
        for metres in (chance.randrange(50, 3000) for _ in range(chance.randint(6, 18)))
    ]
    return [*steps, f"到达{destination['name']}"]
