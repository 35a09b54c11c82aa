"""Single cells of the source: names, numbers, positions, times."""

from __future__ import annotations

import math
from collections import Counter
from reprlib import Repr
from typing import Any

from sandbox.worlds.china10.knowledge import Knowledge, SourceCity, fingerprint
from sandbox.worlds.geo import Point, distance_m
from sandbox.worlds.records import OpeningHours, OpeningRule, Place, TimeWindow

DAY = 24 * 60
LARGEST = 1e9
"""Of prices, hours and coordinates: whatever is beyond is a slip."""
SHORT = Repr()
Gaps = Counter[str]
"""How often each known gap of the data was filled."""


def text(value: Any, field: str) -> str:
    """Text that is there. Raises ValueError when it is missing or blank."""
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"no {field}")
    if "\0" in value:
        raise ValueError(f"{field} holds the character NUL; remove it")
    return value.strip()


def number(value: Any, field: str) -> float:
    """A finite number up to LARGEST. Raises ValueError."""
    try:
        read = float(value)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"{field} {SHORT.repr(value)} is not a number") from error
    if not math.isfinite(read):
        raise ValueError(f"{field} {SHORT.repr(value)} is not a number")
    if abs(read) > LARGEST:
        raise ValueError(f"{field} {SHORT.repr(value)} is beyond {LARGEST:g}")
    return read


def minute(value: Any, field: str) -> int:
    """Minutes since midnight of H:MM, HH:MM or 24:00. Raises ValueError."""
    hours, colon, minutes = str(value).strip().partition(":")
    digits = hours.isascii() and minutes.isascii() and hours.isdigit() and minutes.isdigit()
    if colon and digits and len(minutes) == 2 and len(hours) < 3:
        read = int(hours) * 60 + int(minutes)
        if int(minutes) < 60 and read <= DAY:
            return read
    raise ValueError(f"{field} {SHORT.repr(value)} is no time")


def clock(at: int) -> str:
    """HH:MM of minutes since midnight; 24:00 is kept."""
    return f"{at // 60:02d}:{at % 60:02d}"


def opening_hours(begin: Any, end: Any) -> OpeningHours:
    """Daily hours. A closing at or before the opening is on the next day: the night becomes a window of its
    own, from 00:00, beside the one to 24:00, because the published structure knows no window across midnight.
    0:00 to 24:00 and equal times are always open.
    """
    opens, closes = minute(begin, "opentime") % DAY, minute(end, "endtime")
    if opens == closes or (opens, closes) == (0, DAY):
        return OpeningHours(always_open=True)
    windows = (
        [(opens, closes)]
        if closes > opens
        else [(opens, DAY)]
        if closes == 0
        else [(0, closes), (opens, DAY)]
    )
    rule = OpeningRule(time_windows=tuple(TimeWindow(open=clock(a), close=clock(b)) for a, b in windows))
    return OpeningHours(rules=(rule,))


def position(
    city: SourceCity, name: str, latitude: Any, longitude: Any, knowledge: Knowledge, gaps: Gaps
) -> tuple[Point, bool]:
    """(longitude, latitude), and whether it replaces a position that is known to be wrong.

    Raises:
        ValueError: no numbers, or farther from the city's centre than its radius.
    """
    lat, lon = number(latitude, "latitude"), number(longitude, "longitude")
    better = knowledge.misplaced.get(fingerprint(city.name, name, lat, lon))
    if better is not None:
        gaps["positions_corrected"] += 1
        return better, True
    away = distance_m(city.centre, (lon, lat)) / 1000
    if away > city.radius_km:
        raise ValueError(
            f"{name} lies elsewhere: {lat:g}, {lon:g} is {away:.0f} km from the centre of {city.name}"
        )
    return (lon, lat), False


def number_places(places: list[Place], prefix: str, of: int) -> list[Place]:
    """The places with ids and popularity by their order. of: how many rows they were read from."""
    return [
        place.model_copy(update={"id": f"{prefix}-{nth:04d}", "popularity": of - nth})
        for nth, place in enumerate(places, start=1)
    ]
