"""Where the ends of a route and the centre of a search are: what a coordinate says, or what is cached of the name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sandbox.calls import Call, Example
from sandbox.toolsets.base import Question
from sandbox.toolsets.grouptravel.arguments import unknown_spot
from sandbox.toolsets.grouptravel.nearest.records import good, lists_of, unknown, value_of
from sandbox.toolsets.grouptravel.nearest.sameness import point_of, same_place, same_words
from sandbox.worlds import Spot
from sandbox.worlds.geo import Point, parse_point


def spot_of(question: Question, argument: str, text: str, city: str | None) -> Spot:
    """The spot that an argument names.

    Raises:
        ToolFailure: no cached answer tells where it is.
    """
    point = parse_point(text)
    if point is not None:
        return Spot(text.strip(), city or "", "coordinate", *point)
    for found in _told(question, text, city):
        return Spot(text.strip(), city or "", "landmark", *found)
    raise unknown(unknown_spot(argument, text, city))


def _told(question: Question, text: str, city: str | None) -> Iterator[Point]:
    """What routes to or from it, its address, and searches for it tell."""
    for example in good(question.examples):
        yield from _end_of_route(example, text, city)
    asked: dict[str, Any] = {"address": text} | ({"city": city} if city else {})
    for example in good(question.similar(Call("maps_geo", asked))):
        given, value = example.call.arguments, value_of(example)
        if same_place(text, city, given.get("address"), given.get("city")) and isinstance(value, dict):
            yield from _points(value)
    if city:
        for record in question.places.called(text, city):
            yield from _points(record) if same_words(text, record.get("name")) else ()


def _end_of_route(example: Example, text: str, city: str | None) -> Iterator[Point]:
    given, value = example.call.arguments, value_of(example)
    routes = [value, value.get("route"), *lists_of(example)] if isinstance(value, dict) else []
    for end in ("origin", "destination"):
        if end in given and same_place(text, city, given[end], given.get("city")):
            for route in routes:
                told = route.get(end) if isinstance(route, Mapping) else None
                yield from _points(told) if isinstance(told, Mapping) else ()


def _points(value: Mapping[str, Any]) -> Iterator[Point]:
    point = point_of(value.get("location"))
    if point is not None:
        yield point
