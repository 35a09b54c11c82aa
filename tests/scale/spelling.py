"""How models write the same thing differently."""

from __future__ import annotations

import random
from datetime import date, timedelta
from typing import Any

from tests.scale.gazetteer import Entry, Town

_FIRST_DAY, _DAYS = date(2025, 3, 1), 420
_WIDE = {ord(" "): "\u3000", ord(","): "，"} | {code: code + 0xFEE0 for code in range(ord("0"), ord("z") + 1)}
_WIDE_SHARE, _SPACE_SHARE, _NULL_SHARE = 0.02, 0.01, 0.03


def varied_spelling(chance: random.Random, text: str) -> str:
    """The text; now and then in full-width forms, or with a space after it."""
    drawn = chance.random()
    if drawn < _WIDE_SHARE:
        return text.translate(_WIDE)
    return text + " " if drawn < _WIDE_SHARE + _SPACE_SHARE else text


def city(chance: random.Random, town: Town) -> str:
    """With or without 市."""
    return varied_spelling(chance, town.name + chance.choice(("", "", "市")))


def coordinate(chance: random.Random, place: Entry, metres: float = 60) -> str:
    """ "lon,lat" with six decimals, at the place or some metres off."""
    if chance.random() < 0.5:
        return varied_spelling(chance, place["location"])
    longitude, latitude = map(float, place["location"].split(","))
    off = metres / 111_000
    return f"{chance.gauss(longitude, off):.6f},{chance.gauss(latitude, off):.6f}"


def spot(chance: random.Random, place: Entry) -> str:
    """A coordinate, or the name of the place."""
    return varied_spelling(chance, place["name"]) if chance.random() < 0.35 else coordinate(chance, place)


def day(chance: random.Random) -> str:
    """A date, YYYY-MM-DD."""
    return (_FIRST_DAY + timedelta(chance.randrange(_DAYS))).isoformat()


def clock(chance: random.Random, first: int = 6, last: int = 22) -> str:
    """A time, HH:MM, on the half hour."""
    return f"{chance.randint(first, last):02d}:{chance.choice(('00', '00', '30'))}"


def option(chance: random.Random, share: float, name: str, value: Any) -> dict[str, Any]:
    """An optional argument: absent, null now and then, or with that value."""
    drawn = chance.random()
    if drawn < share:
        return {name: value}
    return {name: None} if drawn < share + _NULL_SHARE else {}
