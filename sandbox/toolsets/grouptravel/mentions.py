"""Whether a simulated answer is about what was asked for: it has to name it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from sandbox.calls import Example
from sandbox.tools.results import compact, is_error, read_json
from sandbox.toolsets.base import UnnamedAnswer, ValidCall
from sandbox.toolsets.grouptravel.nearest.records import good, lists_of, value_of
from sandbox.toolsets.grouptravel.nearest.sameness import SAME_POINT_M, day_of, text_of
from sandbox.toolsets.grouptravel.nearest.web import subject_of
from sandbox.worlds.geo import Point, distance_m, parse_point
from sandbox.worlds.text import bare_name, normalise

_POINT = re.compile(r"-?\d{1,3}(?:\.\d+)?\s*[,，]\s*-?\d{1,3}(?:\.\d+)?", re.ASCII)
_NUMBER = re.compile(r"-?\d{1,3}\.\d+", re.ASCII)
_DAY = re.compile(r"\d{4}\s*[-/.年]\s*\d{1,2}\s*[-/.月]\s*\d{1,2}|(?<!\d)\d{8}(?!\d)", re.ASCII)
_HUB = re.compile(r"(?:站|机场|港|码头|station|airport|port)$")
_SHARE = 0.5
"""How many of the pairs of letters of a long phrase an answer must hold: it need not repeat the whole question."""
_PHRASE = 6

_CITY_FIELDS = {"city": "city", "location": "city", "origin": "origin", "destination": "destination"}
"""The argument that names a city, and the field of results in which it stands."""

CallArguments = Mapping[str, Any]


class NameCheck:
    """An answer, and what it names.

    aliases: other names of cities by the name that a call may give: Hangzhou is 杭州市 in cached answers to it.
    """

    def __init__(self, answer: str, aliases: Mapping[str, set[str]]) -> None:
        self.value, self._aliases = _json(answer), aliases
        self.text = answer if self.value is None else compact(self.value)
        self.key = normalise(self.text)
        self.days = {day for text in _DAY.findall(self.text) if (day := day_of(text))}

    @property
    def says_nothing(self) -> bool:
        """Whether it is an error, or an object all of whose lists are empty."""
        lists = (
            [each for each in self.value.values() if isinstance(each, list)]
            if isinstance(self.value, dict)
            else []
        )
        return is_error(self.value) or self.value == [] or (bool(lists) and not any(lists))

    def names(self, name: str) -> bool:
        """Whether it holds a name, with or without 市, another name of the same city, or a coordinate."""
        point = parse_point(name)
        if point:
            return self._holds_point(point)
        return any(bare_name(each) in self.key for each in (name, *self._aliases.get(bare_name(name), ())))

    def _holds_point(self, point: Point) -> bool:
        points = [spot for text in _POINT.findall(self.text) if (spot := parse_point(text))]
        near = any(distance_m(point, spot) <= SAME_POINT_M for spot in points)
        numbers = {float(number) for number in _NUMBER.findall(self.text)}
        return near or all(any(abs(number - part) < 1e-4 for number in numbers) for part in point)


def check_named(valid: ValidCall, examples: Sequence[Example], answer: str) -> None:
    """
    examples: cached answers, which tell how cities are named in them.

    Raises:
        Unnamed: an answer that tells something does not name the place, the id, the cities or the day of the call.
    """
    named = NameCheck(answer, _aliases(examples))
    if named.says_nothing:
        return
    lacking = _LACKING.get(valid.tool.name)
    for each in lacking(valid.arguments.model_dump(), named) if lacking else ():
        raise UnnamedAnswer(each)


def _json(answer: str) -> Any:
    try:
        return read_json(answer)
    except ValueError:
        return None


def _aliases(examples: Sequence[Example]) -> dict[str, set[str]]:
    aliases: dict[str, set[str]] = {}
    for example in good(examples):
        value = value_of(example)
        for argument, field in _CITY_FIELDS.items():
            for thing in (value, *lists_of(example)):
                name = thing.get(field) if isinstance(thing, dict) else None
                if name and isinstance(name, str):
                    aliases.setdefault(bare_name(text_of(example.call.arguments.get(argument))), set()).add(
                        name
                    )
    return aliases


def _address(asked: CallArguments, answer: NameCheck) -> Iterator[str]:
    address = str(asked["address"])
    name = answer.value.get("name") if isinstance(answer.value, dict) else None
    alone = _without_city(address, asked["city"])
    if not answer.names(alone) or (isinstance(name, str) and _is_hub(name) != _is_hub(address)):
        yield address


def _without_city(address: str, city: object) -> str:
    """西湖 for 杭州市西湖 in 杭州: a tool need not repeat the city before the name."""
    key = normalise(address)
    for prefix in (f"{bare_name(city)}市", bare_name(city)) if isinstance(city, str) and city else ():
        if key.startswith(prefix) and len(key) > len(prefix):
            return key.removeprefix(prefix)
    return address


def _is_hub(name: str) -> bool:
    return bool(_HUB.search(normalise(name)))


def _id(asked: CallArguments, answer: NameCheck) -> Iterator[str]:
    if str(asked["id"]).strip() not in answer.text:
        yield str(asked["id"])


def _place_and_day(asked: CallArguments, answer: NameCheck) -> Iterator[str]:
    location, day = str(asked["location"]), str(asked["date"])
    if not parse_point(location) and not answer.names(location):
        yield location
    if day_of(day) not in answer.days:
        yield day


def _pair_and_day(asked: CallArguments, answer: NameCheck) -> Iterator[str]:
    yield from (city for city in (asked["origin"], asked["destination"]) if not answer.names(city))
    if day_of(asked["date"]) not in answer.days:
        yield str(asked["date"])


def _city(asked: CallArguments, answer: NameCheck) -> Iterator[str]:
    if not answer.names(str(asked["city"])):
        yield str(asked["city"])


def _ends(asked: CallArguments, answer: NameCheck) -> Iterator[str]:
    yield from (end for end in (asked["origin"], asked["destination"]) if not answer.names(end))


def _subject(asked: CallArguments, answer: NameCheck) -> Iterator[str]:
    """What the question is about, beside the question itself, which an answer may repeat."""
    key = answer.key.replace(normalise(str(asked["query"])), "", 1)
    yield from (word for word in sorted(subject_of(str(asked["query"]))) if not _speaks_of(word, key))


def _speaks_of(word: str, key: str) -> bool:
    if len(word) <= _PHRASE or word.isascii():
        return word in key
    pairs = {word[at : at + 2] for at in range(len(word) - 1)}
    return sum(pair in key for pair in pairs) >= _SHARE * len(pairs)


_LACKING: Mapping[str, Callable[[CallArguments, NameCheck], Iterator[str]]] = {
    "maps_geo": _address,
    "get_poi_detail": _id,
    "maps_weather": _place_and_day,
    "travel_search_flights": _pair_and_day,
    "travel_search_trains": _pair_and_day,
    "search_poi": _city,
    "plan_route": _ends,
    "compare_routes": _ends,
    "search_along_route": _ends,
    "web_search": _subject,
}
