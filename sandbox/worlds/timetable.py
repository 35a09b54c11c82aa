"""A made-up timetable over a real network: trains and flights that run every day.

Stations, distances and running times come from a network file; numbers, times and prices are drawn from
hashes of the names on a line, so the same network always gives the same services. Each is marked `generated`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from sandbox.worlds.geo import distance_m
from sandbox.worlds.records import Call, ClockTime, Fare, Mode, Record, Service, Station

DAY = 24 * 60
_TYPES: dict[str, tuple[Mode, str]] = {
    "G": ("高铁", "高铁"),
    "D": ("高铁", "动车"),
    "C": ("高铁", "城际"),
    "Z": ("火车", "直达"),
    "T": ("火车", "特快"),
    "K": ("火车", "快速"),
}
_FIRST_NUMBER = {"G": 101, "D": 301, "C": 3801, "Z": 35, "T": 101, "K": 201}
_CNY_PER_KM = {"G": 0.46, "D": 0.34, "C": 0.46}
_HARD_SEAT = ((300, 0.15), (700, 0.12), (float("inf"), 0.10))
"""(kilometres, CNY for each): ordinary fares fall with distance."""
_FIRST_FLIGHT, _LAST_FLIGHT = 6 * 60 + 50, 21 * 60 + 30
_TAXI_MINUTES, _CRUISE_KM_PER_MINUTE = 45, 13.0
_FLIGHT_BASE_CNY, _FLIGHT_CNY_PER_KM = 210.0, 0.52

_SEATS: dict[str, tuple[tuple[str, float], ...]] = {
    "G": (("二等座", 1.0), ("一等座", 1.6), ("商务座", 3.0)),
    "D": (("二等座", 1.0), ("一等座", 1.6)),
    "C": (("二等座", 1.0), ("一等座", 1.6)),
    **dict.fromkeys("ZTK", (("硬座", 1.0), ("硬卧", 1.75), ("软卧", 2.7))),
}
_CABINS = (("经济舱", 1.0), ("公务舱", 2.6))
"""(class, multiple of the cheapest fare)."""
_AIRCRAFT = ("空客A320", "空客A321", "波音737-800", "空客A330-300")
_CALLS_LEAST = 0.25
"""The chance that the fastest train stops at a station on its way; the slowest stops at all."""
_DWELL_MINUTES = {"G": 2, "D": 2, "C": 1, "Z": 6, "T": 6, "K": 6}

Ends = tuple[str, str]


class Line(Record):
    """Trains of one letter between two stations, as many a day each way.

    km: along the track. minutes: fastest and slowest run. first, last: departures at either end.
    """

    letter: Literal["G", "D", "C", "Z", "T", "K"]
    ends: Ends
    km: float = Field(gt=0)
    minutes: tuple[Annotated[int, Field(gt=0)], int]
    daily: int = Field(ge=1)
    first: ClockTime
    last: ClockTime


class Corridor(Record):
    """The stations, with km along the track, past which trains of these letters run from its one end to the other."""

    letters: str
    calls: tuple[tuple[str, float], ...] = Field(min_length=2)

    def stations_between(self, origin: str, destination: str) -> list[tuple[str, float]] | None:
        """The stations on the way, each with its share of it (0 to 1); None where an end lies elsewhere."""
        marks = dict(self.calls)
        if origin not in marks or destination not in marks:
            return None
        start, length = marks[origin], marks[destination] - marks[origin]
        shares = ((name, (mark - start) / length) for name, mark in self.calls)
        return sorted((each for each in shares if 0 < each[1] < 1), key=lambda each: each[1])


class Route(Record):
    """Flights between two airports, as many a day each way."""

    ends: Ends
    daily: int = Field(ge=1)


class Network(Record):
    """What the timetable runs on.

    carriers: airline by its code; based: the airlines of each airport. corridors: the first that a line lies on tells
    where its trains may stop; of a line on none nobody knows.
    """

    note: str
    stations: tuple[Station, ...]
    carriers: dict[str, str]
    based: dict[str, tuple[str, ...]]
    lines: tuple[Line, ...]
    corridors: tuple[Corridor, ...] = ()
    routes: tuple[Route, ...]

    @model_validator(mode="after")
    def _names_are_known(self) -> Self:
        known = {station.name for station in self.stations}
        flown = {end for route in self.routes for end in route.ends}
        used = {end for line in self.lines for end in line.ends} | flown | set(self.based)
        if used - known:
            raise ValueError(f"no such station: {', '.join(sorted(used - known))}")
        unbased = flown - set(self.based)
        codes = {code for based in self.based.values() for code in based}
        if unbased or codes - set(self.carriers):
            raise ValueError(
                f"airports without airlines {sorted(unbased)}, unknown {sorted(codes - set(self.carriers))}"
            )
        return self


def load_network(path: Path) -> Network:
    """Read a network file.

    Raises:
        pydantic.ValidationError: naming each bad field, or a station that a line uses and the list lacks.
    """
    return Network.model_validate_json(path.read_bytes())


def generate(network: Network) -> Iterator[Service]:
    """Every service of a day, in a fixed order; numbers are unique."""
    stations = {station.name: station for station in network.stations}
    numbers = _FIRST_NUMBER.copy()
    for line in network.lines:
        yield from _trains(line, stations, numbers[line.letter], network.corridors)
        numbers[line.letter] += 2 * line.daily
    taken: set[str] = set()
    for route in network.routes:
        yield from _flights(route, stations, network, taken)


def draw(*names: object) -> float:
    """A number in [0, 1) that depends on nothing but the names."""
    digest = hashlib.sha256("\x1f".join(map(str, names)).encode()).digest()
    return int.from_bytes(digest[:6]) / 2**48


def clock(minute: int) -> str:
    """HH:MM of a minute counted from midnight; days are dropped."""
    return f"{minute % DAY // 60:02d}:{minute % 60:02d}"


def _trains(
    line: Line, stations: dict[str, Station], number: int, corridors: tuple[Corridor, ...]
) -> Iterator[Service]:
    for back, (origin, destination) in enumerate((line.ends, line.ends[::-1])):
        for turn in range(line.daily):
            seed = (line.letter, origin, destination, turn)
            fastest, slowest = line.minutes
            minutes = fastest + round((slowest - fastest) * draw("minutes", *seed))
            train = f"{line.letter}{number + 2 * turn + back}"
            depart = _departure(line, turn, draw("depart", *seed))
            fare = _rail_fare(line, minutes)
            service = _service(
                train, _TYPES[line.letter], (stations[origin], stations[destination]), depart, minutes, fare
            )
            calls = _calls(line, (origin, destination), depart, minutes, turn, corridors)
            yield service.model_copy(
                update={"classes": _classes(fare, _SEATS[line.letter], _to_half), "calls": calls}
            )


def _calls(
    line: Line, ends: Ends, depart: int, minutes: int, turn: int, corridors: tuple[Corridor, ...]
) -> tuple[Call, ...] | None:
    """Where a train stops: the slower it is, the more often. None where the line lies on no corridor."""
    ways = (corridor.stations_between(*ends) for corridor in corridors if line.letter in corridor.letters)
    way = next((way for way in ways if way is not None), None)
    if way is None:
        return None
    fastest, slowest = line.minutes
    chance = _CALLS_LEAST + (1 - _CALLS_LEAST) * (minutes - fastest) / max(1, slowest - fastest)
    dwell, calls, last = _DWELL_MINUTES[line.letter], list[Call](), 0
    for station, share in way:
        at = round(minutes * share)
        if draw("call", line.letter, *ends, turn, station) < chance and last < at < minutes - dwell:
            arrive, last = depart + at, at + dwell
            calls.append(Call(station=station, arrive=clock(arrive), depart=clock(arrive + dwell)))
    return tuple(calls)


def _classes(
    fare: float, seats: tuple[tuple[str, float], ...], rounded: Callable[[float], float]
) -> tuple[Fare, ...]:
    """The classes, each at a multiple of the cheapest fare."""
    return tuple(Fare(name=name, price=rounded(fare * times)) for name, times in seats)


def _departure(line: Line, turn: int, jitter: float) -> int:
    """Even steps from the first to the last departure, moved by up to a third of a step; the ends stay."""
    first, last = _minute(line.first), _minute(line.last)
    if line.daily == 1:
        return first
    step = (last - first) / (line.daily - 1)
    moved = 0.0 if turn in (0, line.daily - 1) else (jitter - 0.5) * step * 2 / 3
    return round(first + turn * step + moved)


def _rail_fare(line: Line, minutes: int) -> float:
    """CNY to the half yuan. High speed: dearer by up to a tenth for the fastest runs."""
    if line.letter not in _CNY_PER_KM:
        return _to_half(_hard_seat(line.km))
    fastest, slowest = line.minutes
    haste = (slowest - minutes) / max(1, slowest - fastest)
    return _to_half(line.km * _CNY_PER_KM[line.letter] * (0.96 + 0.1 * haste))


def _hard_seat(km: float) -> float:
    fare, left = 0.0, km
    for length, rate in _HARD_SEAT:
        fare += min(left, length) * rate
        left = max(0.0, left - length)
    return fare


def _flights(
    route: Route, stations: dict[str, Station], network: Network, taken: set[str]
) -> Iterator[Service]:
    for ends in (route.ends, route.ends[::-1]):
        origin, destination = stations[ends[0]], stations[ends[1]]
        km = (
            distance_m((origin.longitude, origin.latitude), (destination.longitude, destination.latitude))
            / 1000
        )
        for turn in range(route.daily):
            seed = ("flight", *ends, turn)
            step = (_LAST_FLIGHT - _FIRST_FLIGHT) / route.daily
            depart = _to_five(_FIRST_FLIGHT + (turn + draw("depart", *seed)) * step)
            minutes = _to_five(_TAXI_MINUTES + km / _CRUISE_KM_PER_MINUTE + 10 * draw("minutes", *seed))
            code = _carrier(network.based[ends[0]], network.based[ends[1]], draw("carrier", *seed))
            flight = _flight_number(code, seed, taken)
            fare = _air_fare(km, depart, draw("fare", *seed))
            service = _service(
                flight, ("飞机", "航班"), (origin, destination), depart, minutes, fare, network.carriers[code]
            )
            aircraft = _AIRCRAFT[int(draw("aircraft", *seed) * len(_AIRCRAFT))]
            yield service.model_copy(
                update={"classes": _classes(fare, _CABINS, _to_ten), "aircraft": aircraft}
            )


def _carrier(here: tuple[str, ...], there: tuple[str, ...], choice: float) -> str:
    """An airline of both airports, else of the first."""
    shared = [code for code in here if code in there] or list(here)
    return shared[int(choice * len(shared))]


def _flight_number(code: str, seed: tuple[object, ...], taken: set[str]) -> str:
    number = 1000 + int(draw("number", code, *seed) * 8000)
    while f"{code}{number}" in taken:
        number += 1
    taken.add(f"{code}{number}")
    return f"{code}{number}"


def _air_fare(km: float, depart: int, chance: float) -> float:
    """CNY to ten yuan: by distance, cheaper before 8 and after 20 o'clock, with a spread of a third."""
    quiet = 0.8 if depart < 8 * 60 or depart >= 20 * 60 else 1.0
    return round((_FLIGHT_BASE_CNY + km * _FLIGHT_CNY_PER_KM) * quiet * (0.85 + chance / 3) / 10) * 10.0


def _service(
    number: str,
    kind: tuple[Mode, str],
    ends: tuple[Station, Station],
    depart: int,
    minutes: int,
    fare: float,
    operator: str = "",
) -> Service:
    origin, destination = ends
    return Service(
        number=number,
        mode=kind[0],
        type=kind[1],
        origin_city=origin.city,
        destination_city=destination.city,
        origin_station=origin.name,
        destination_station=destination.name,
        depart=clock(depart),
        arrive=clock(depart + minutes),
        day_offset=(depart + minutes) // DAY,
        duration_minutes=minutes,
        price=fare,
        operator=operator,
        generated=True,
    )


def _minute(text: str) -> int:
    hours, minutes = text.split(":")
    return int(hours) * 60 + int(minutes)


def _to_half(amount: float) -> float:
    return round(amount * 2) / 2


def _to_ten(amount: float) -> float:
    return round(amount / 10) * 10.0


def _to_five(minutes: float) -> int:
    return round(minutes / 5) * 5
