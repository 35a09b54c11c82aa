"""Cached answers of the same thing, and answering from one of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar

from pydantic import ValidationError

from sandbox.calls import Call, Example
from sandbox.tools.errors import BadArgument, ToolFailure
from sandbox.tools.language import Says
from sandbox.tools.results import compact, is_error, read_json
from sandbox.tools.tool import Result
from sandbox.toolsets.base import Question
from sandbox.toolsets.grouptravel.arguments import unknown_spot
from sandbox.toolsets.grouptravel.nearest.change import Change, change, with_arguments
from sandbox.toolsets.grouptravel.nearest.items import with_items_fitted
from sandbox.toolsets.grouptravel.nearest.sameness import point_of, same_place, same_words
from sandbox.worlds import Spot
from sandbox.worlds.geo import Point, parse_point

R = TypeVar("R", bound=Result)

NOTHING = object()
"""Stands for a result that is no JSON."""


def value_of(example: Example) -> Any:
    """A cached result as JSON, `NOTHING` where it is none."""
    try:
        return read_json(example.result)
    except ValueError:
        return NOTHING


def good(examples: Iterable[Example]) -> list[Example]:
    """Those that are no errors: why another call failed says nothing about this one."""
    return [example for example in examples if not is_error(value_of(example))]


def read_as(result: type[R], example: Example) -> R | None:
    """A cached result in the form of our tool, None where it has another one."""
    try:
        return result.model_validate(value_of(example))
    except ValidationError:
        return None


def lists_of(example: Example) -> Iterator[Mapping[str, Any]]:
    """The objects in the outermost lists of a cached result."""
    value = value_of(example)
    lists = value.values() if isinstance(value, dict) else (value,)
    for each in lists:
        yield from (item for item in each if isinstance(item, dict)) if isinstance(each, list) else ()


def fit_example(example: Example, question: Question, point: Point | None = None) -> str:
    """A cached result of the same thing as an answer: its lists filtered, ordered and cut as the call wants them.

    What is no JSON, or needs no change, stays byte for byte. found: where the call's `location` is.
    """
    new, value = change(example.call, question.valid, point), value_of(example)
    try:
        changed = with_items_fitted(with_arguments(value, new), new)
        return example.result if changed == value else write_json(changed)
    except (ValueError, RecursionError):
        return example.result


def is_read(example: Example) -> bool:
    """Whether a cached result is JSON with objects and lists, which can be fitted."""
    return isinstance(value_of(example), dict | list)


def result_text(result: Result) -> str:
    """A result as tools return it."""
    return compact(result.model_dump(mode="json"))


def unknown_failure(problem: BadArgument) -> ToolFailure:
    """The tool's own words for something that nobody knows, as a failure of the cache and not of the caller."""
    return ToolFailure("unanswered", Says(problem.describe("zh"), problem.describe("en")))


def difference(example: Example, question: Question) -> Change:
    """How the call to answer differs from a record's."""
    return change(example.call, question.valid)


def write_json(value: object) -> str:
    """Compact JSON; escaped where a record holds half of a surrogate pair, which is not text that could be stored."""
    text = compact(value)
    if text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text):
        return text
    return json.dumps(value, separators=(",", ":"))


def spot_of(question: Question, argument: str, text: str, city: str | None) -> Spot:
    """The spot that an argument names.

    Raises:
        ToolFailure: no cached answer tells where it is.
    """
    point = parse_point(text)
    if point is not None:
        return Spot(text.strip(), city or "", "coordinate", *point)
    for landmark in _points_of(question, text, city):
        return Spot(text.strip(), city or "", "landmark", *landmark)
    raise unknown_failure(unknown_spot(argument, text, city))


def _points_of(question: Question, text: str, city: str | None) -> Iterator[Point]:
    """What routes to or from it, its address, and searches for it tell."""
    for example in good(question.examples):
        yield from _end_of_route(example, text, city)
    asked: dict[str, Any] = {"address": text} | ({"city": city} if city else {})
    for example in good(question.similar(Call("maps_geo", asked))):
        given, value = example.call.arguments, value_of(example)
        if same_place(text, city, given.get("address"), given.get("city")) and isinstance(value, dict):
            yield from _points(value)
    if city:
        for record in question.places.places_called(text, city):
            yield from _points(record) if same_words(text, record.get("name")) else ()


def _end_of_route(example: Example, text: str, city: str | None) -> Iterator[Point]:
    given, value = example.call.arguments, value_of(example)
    routes = [value, value.get("route"), *lists_of(example)] if isinstance(value, dict) else []
    for end in ("origin", "destination"):
        if end in given and same_place(text, city, given[end], given.get("city")):
            for route in routes:
                place = route.get(end) if isinstance(route, Mapping) else None
                yield from _points(place) if isinstance(place, Mapping) else ()


def _points(value: Mapping[str, Any]) -> Iterator[Point]:
    point = point_of(value.get("location"))
    if point is not None:
        yield point
