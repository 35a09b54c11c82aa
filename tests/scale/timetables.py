"""Calls about trains and flights: the same pair of cities over many dates."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from functools import lru_cache
from math import hypot
from typing import Any

from tests.scale.gazetteer import Gazetteer, Town
from tests.scale.spelling import city, clock, day, option

DrawnCall = tuple[dict[str, Any], dict[str, Any]]
Service = dict[str, Any]

_TRAINS = (("G", "高铁", 3.9), ("G", "高铁", 3.9), ("D", "动车", 2.6), ("K", "快速", 1.4))
"""Letter, type, kilometres a minute."""
_FILTERS = {"high_speed": "G", "high_speed_and_emu": "GD", "regular": "K", None: "GDK"}
_AIRLINES = (
    ("CA", "中国国航"),
    ("MU", "东方航空"),
    ("CZ", "南方航空"),
    ("HU", "海南航空"),
    ("3U", "四川航空"),
)
_STATIONS = ("站", "东站", "南站", "西站")
_NOTE = "票价为每人（元）"
_PAIRS_KEPT = 4_000


def travel_search_trains(known: Gazetteer, chance: random.Random) -> Iterator[DrawnCall]:
    """Direct trains of a pair, on one date after another."""
    for origin, destination in _pairs(known, chance):
        filters = option(chance, 0.4, "train_type_filter", chance.choice(tuple(_FILTERS)[:3]))
        sort = option(
            chance, 0.3, "sort_by", chance.choice(("depart_time", "depart_time_desc", "duration", "price"))
        )
        arguments = _timetable_query(chance, origin, destination) | filters | sort
        letters = _FILTERS[arguments.get("train_type_filter")]
        trains = _trains(origin.name, destination.name, _kilometres(origin, destination))
        kept = tuple(train for train in trains if train["number"][0] in letters)
        yield arguments, _answer(origin, destination, arguments, "trains", kept)


def travel_search_flights(known: Gazetteer, chance: random.Random) -> Iterator[DrawnCall]:
    """Direct flights of a pair, on one date after another."""
    for origin, destination in _pairs(known, chance):
        sort = option(chance, 0.4, "sort_by", chance.choice(("depart_time", "price", "duration")))
        airport = option(chance, 0.06, "airport", f"{origin.name}国际机场")
        arguments = _timetable_query(chance, origin, destination) | sort | airport
        flights = _flights(origin.name, destination.name, _kilometres(origin, destination))
        yield arguments, _answer(origin, destination, arguments, "flights", flights)


def _pairs(known: Gazetteer, chance: random.Random) -> Iterator[tuple[Town, Town]]:
    while True:
        pair = known.pair(chance)
        for _ in range(chance.choice((1, 2, 4, 8))):
            yield pair


def _timetable_query(chance: random.Random, origin: Town, destination: Town) -> dict[str, Any]:
    return {
        "origin": city(chance, origin),
        "destination": city(chance, destination),
        "date": day(chance),
        **option(chance, 0.2, "depart_time_start", clock(chance, 6, 12)),
        **option(chance, 0.15, "depart_time_end", clock(chance, 13, 22)),
    }


def _answer(
    origin: Town, destination: Town, arguments: dict[str, Any], name: str, services: tuple[Service, ...]
) -> dict[str, Any]:
    start, end = arguments.get("depart_time_start") or "00:00", arguments.get("depart_time_end") or "24:00"
    kept = [service for service in services if start <= service["depart"] <= end]
    return {
        "origin": f"{origin.name}市",
        "destination": f"{destination.name}市",
        "date": arguments["date"],
        name: kept,
        "note": _NOTE,
    }


@lru_cache(maxsize=_PAIRS_KEPT)
def _trains(origin: str, destination: str, kilometres: float) -> tuple[Service, ...]:
    """The day's trains of a pair, which depend on the names alone."""
    chance = random.Random(f"rail/{origin}/{destination}")
    return _by_departure(
        _train(chance, origin, destination, kilometres) for _ in range(chance.randint(4, 16))
    )


def _train(chance: random.Random, origin: str, destination: str, kilometres: float) -> Service:
    letter, kind, speed = chance.choice(_TRAINS)
    return {
        "number": f"{letter}{chance.randrange(1, 9000)}",
        "type": kind,
        "mode": "高铁" if letter == "G" else "火车",
        "from_station": origin + chance.choice(_STATIONS),
        "to_station": destination + chance.choice(_STATIONS),
        **_times(chance, kilometres / speed),
        "price": round(kilometres * (0.46 if letter == "G" else 0.2), 1),
        "classes": (),
        "stops": None,
    }


@lru_cache(maxsize=_PAIRS_KEPT)
def _flights(origin: str, destination: str, kilometres: float) -> tuple[Service, ...]:
    """The day's flights of a pair, which depend on the names alone."""
    chance = random.Random(f"air/{origin}/{destination}")
    return _by_departure(
        _flight(chance, origin, destination, kilometres) for _ in range(chance.randint(2, 12))
    )


def _flight(chance: random.Random, origin: str, destination: str, kilometres: float) -> Service:
    code, airline = chance.choice(_AIRLINES)
    return {
        "number": f"{code}{chance.randrange(1000, 9999)}",
        "operator": airline,
        "mode": "飞机",
        "from_airport": f"{origin}国际机场",
        "to_airport": f"{destination}国际机场",
        **_times(chance, 45 + kilometres / 12),
        "price": float(round(250 + kilometres * chance.uniform(0.3, 0.9))),
        "classes": (),
        "aircraft": "",
    }


def _by_departure(services: Iterable[Service]) -> tuple[Service, ...]:
    return tuple(sorted(services, key=lambda service: service["depart"]))


def _times(chance: random.Random, minutes: float) -> dict[str, Any]:
    leaves, takes = chance.randrange(6 * 60, 22 * 60), round(minutes)
    over, arrives = divmod(leaves + takes, 24 * 60)
    return {
        "depart": f"{leaves // 60:02d}:{leaves % 60:02d}",
        "arrive": f"{arrives // 60:02d}:{arrives % 60:02d}",
        "day_offset": over,
        "duration_minutes": takes,
    }


def _kilometres(origin: Town, destination: Town) -> float:
    return hypot(destination.longitude - origin.longitude, destination.latitude - origin.latitude) * 120
