"""travel_search_flights and travel_search_trains: the pair, in its order, and the day."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from sandbox.calls import Example
from sandbox.tools.language import Says
from sandbox.tools.tool import Result
from sandbox.toolsets.base import Question
from sandbox.toolsets.grouptravel.nearest.change import Change
from sandbox.toolsets.grouptravel.nearest.records import (
    difference,
    fit_example,
    good,
    is_read,
    lists_of,
    result_text,
)
from sandbox.toolsets.grouptravel.nearest.sameness import same_city, same_day, same_words
from sandbox.toolsets.grouptravel.services import Window, check_ends, check_window, services_note
from sandbox.toolsets.grouptravel.travel_search_flights import (
    TravelSearchFlightsArguments,
    TravelSearchFlightsResult,
)
from sandbox.toolsets.grouptravel.travel_search_trains import (
    TravelSearchTrainsArguments,
    TravelSearchTrainsResult,
)

ServiceArguments = TravelSearchFlightsArguments | TravelSearchTrainsArguments
_WIDER = {"high_speed": (None, "high_speed_and_emu")}
"""Train filters that leave in all that another one does."""


def flights(question: Question) -> str:
    """The flights of the same pair and day, filtered and ordered; none where they are not cached."""
    return _services(question, _no_flights)


def trains(question: Question) -> str:
    """The trains of the same pair and day, filtered and ordered; none where they are not cached."""
    return _services(question, _no_trains)


def _services(question: Question, none: Callable[[Question, int], Result]) -> str:
    asked = cast("ServiceArguments", question.valid.arguments)
    check_ends(same=same_city(asked.origin, asked.destination))
    check_window(Window(asked.depart_time_start, asked.depart_time_end))
    example = _best(question, asked)
    if example is None:
        return result_text(none(question, 0))
    answer = fit_example(example, question)
    before = len([*lists_of(example)])
    left = [*lists_of(Example(example.call, answer, 1.0))]
    return result_text(none(question, before)) if before and not left else answer


def _best(question: Question, asked: ServiceArguments) -> Example | None:
    """The record that holds the most of what is asked for."""
    examples = [
        example
        for example in good(question.examples)
        if _is_of(example, asked) and _holds_all(difference(example, question))
    ]
    return _first_that_can_be_fitted(examples)


def _first_that_can_be_fitted(examples: Sequence[Example]) -> Example | None:
    return next(filter(is_read, examples), next(iter(examples), None))


def _is_of(example: Example, asked: ServiceArguments) -> bool:
    given = example.call.arguments
    return (
        same_city(asked.origin, given.get("origin"))
        and same_city(asked.destination, given.get("destination"))
        and same_day(asked.date, given.get("date"))
    )


def _holds_all(new: Change) -> bool:
    """Whether the cached call's filters let through all that this call's do: else "no train" would be a guess."""
    before, now = new.before, new.now
    return (
        _no_later(before["depart_time_start"], now["depart_time_start"])
        and _no_later(now["depart_time_end"], before["depart_time_end"], latest=True)
        and _is_wider(before.get("train_type_filter"), now.get("train_type_filter"))
        and (not before.get("airport") or same_words(before.get("airport"), now.get("airport")))
    )


def _no_later(one: Any, other: Any, *, latest: bool = False) -> bool:
    open_end = "24:00" if latest else "00:00"
    return str(one or open_end) <= str(other or open_end)


def _is_wider(before: Any, now: Any) -> bool:
    return before is None or before == now or before in _WIDER.get(str(now), ())


def _no_flights(question: Question, before: int) -> Result:
    asked = cast("TravelSearchFlightsArguments", question.valid.arguments)
    note = services_note([], before, Says("航班", "flights"), question.language)
    return TravelSearchFlightsResult(
        origin=asked.origin, destination=asked.destination, date=asked.date, flights=(), note=note
    )


def _no_trains(question: Question, before: int) -> Result:
    asked = cast("TravelSearchTrainsArguments", question.valid.arguments)
    note = services_note([], before, Says("火车", "trains"), question.language)
    return TravelSearchTrainsResult(
        origin=asked.origin, destination=asked.destination, date=asked.date, trains=(), note=note
    )
