"""search_poi: the city and the kind of place."""

from __future__ import annotations

from typing import cast

from sandbox.calls import Example
from sandbox.toolsets.base import Question
from sandbox.toolsets.grouptravel.nearest.places import search_for
from sandbox.toolsets.grouptravel.nearest.records import (
    difference,
    fit_example,
    good,
    is_read,
    lists_of,
    result_text,
    spot_of,
)
from sandbox.toolsets.grouptravel.nearest.sameness import same_city, same_kind, terms_of
from sandbox.toolsets.grouptravel.search_poi import SearchPoiArguments, SearchPoiResult, check_search
from sandbox.worlds.geo import Point


def search(question: Question) -> str:
    """Places of the kind in the city, filtered, ordered and cut; none where no cached answer tells of any.

    The most similar search of them answers; of one around another place and all that searches list, what tells more.

    Raises:
        BadArgument: a search that nobody can serve.
        ToolFailure: nobody knows where the place is around which is searched.
    """
    asked = cast("SearchPoiArguments", question.valid.arguments)
    check_search(asked)
    examples = [example for example in good(question.examples) if _is_of(example, asked, question)]
    best = min(examples, key=lambda example: _lacks(example, question), default=None)
    if best is None or _is_of_elsewhere(best, question):
        examples = [example for example in (best, _listing(question, asked)) if example]
    else:
        examples = [best]
    answers = [
        Example(example.call, fit_example(example, question, _centre(example, question, asked)), 1.0)
        for example in examples
    ]
    return max(answers, key=lambda answer: len([*lists_of(answer)])).result if answers else _none(asked)


def _is_of_elsewhere(example: Example, question: Question) -> bool:
    """Whether a record was asked for around another place, for other prices, or for all: it holds a part at most."""
    return is_read(example) and difference(example, question).differs(
        "location", "region", "price_min", "price_max"
    )


def _listing(question: Question, asked: SearchPoiArguments) -> Example | None:
    """The places of that very name or category which other searches tell of."""
    listings = (search_for(question, term, asked.city) for term in terms_of(asked.keywords, asked.city))
    return next(filter(None, listings), None)


def _none(asked: SearchPoiArguments) -> str:
    return result_text(SearchPoiResult(total=0, page=asked.page, page_size=asked.page_size, pois=()))


def _is_of(example: Example, asked: SearchPoiArguments, question: Question) -> bool:
    """Whether a record is of the city and kind; a text that nobody can filter must be of the same area too."""
    given = example.call.arguments
    return (
        same_city(asked.city, given.get("city"))
        and same_kind(asked.keywords, asked.city, given.get("keywords"), given.get("city"))
        and (is_read(example) or not difference(example, question).differs("location", "region"))
    )


def _lacks(example: Example, question: Question) -> tuple[bool, ...]:
    """What the call may ask for and a record does not hold, the worst first."""
    new = difference(example, question)
    narrower = bool(new.before.get("location") or new.before.get("region"))
    return (
        not is_read(example),
        narrower and new.differs("location", "region"),
        new.differs("price_min", "price_max"),
        new.differs("page", "page_size", "radius_km"),
    )


def _centre(example: Example, question: Question, asked: SearchPoiArguments) -> Point | None:
    """Where a named place is, if the record was not of the same one."""
    if asked.location is None or not difference(example, question).differs("location"):
        return None
    return spot_of(question, "location", asked.location, asked.city).point
