"""What the options of a run mean for its scores."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

from benchmark.core.options import Options, Value
from benchmark.plans.hours import read_window_text
from benchmark.suites.base import fill_options
from benchmark.suites.traveleval import options
from benchmark.suites.traveleval.factors import (
    BASE_MINUTES,
    DATE_FACTORS,
    DENSITIES,
    HOUR_FACTORS,
    KINDS_ELSEWHERE,
    Factors,
    read_numbers,
)
from benchmark.suites.traveleval.scoring.calendar import calendar_day
from benchmark.suites.traveleval.scoring.distances import AskedRoads, distances_by
from benchmark.suites.traveleval.scoring.queue import NO_QUEUE, PUBLISHED_QUEUES, Queues
from benchmark.suites.traveleval.scoring.rules import Conditions
from sandbox.roads import Roads

HOLIDAY_QUEUES = Queues(calendar_day)
_QUEUES = {
    options.NO_QUEUES: NO_QUEUE,
    options.PUBLISHED_QUEUES: PUBLISHED_QUEUES,
    options.HOLIDAY_QUEUES: HOLIDAY_QUEUES,
}
_USUAL_NUMBERS = {
    options.BASE_OPTION.key: BASE_MINUTES,
    options.DATES_OPTION.key: DATE_FACTORS,
    options.HOURS_OPTION.key: HOUR_FACTORS,
    options.DENSITIES_OPTION.key: DENSITIES,
}


def conditions_of(given: Options, *, by_paper: bool, roads: AskedRoads | None = None) -> Conditions:
    """The conditions of a profile. roads: a road service, for runs that want one."""
    chosen = fill_options(options.SCORING_OPTIONS, given)
    own = _conditions(tuple(chosen.items()), by_paper)
    return (
        own
        if roads is None
        else replace(own, distances=distances_by(str(chosen[options.DISTANCE_OPTION.key]), roads))
    )


@lru_cache
def _conditions(pairs: tuple[tuple[str, Value], ...], by_paper: bool) -> Conditions:
    """Without a road service; sessions of a run ask for the same."""
    chosen = {key: str(value) for key, value in pairs}
    usual = HOLIDAY_QUEUES if by_paper else PUBLISHED_QUEUES
    base, by_day, by_hour, densities = (read_numbers(chosen[key], own) for key, own in _USUAL_NUMBERS.items())
    return Conditions(
        replace(
            _QUEUES.get(chosen[options.QUEUE_OPTION.key], usual),
            factors=Factors(base, by_day, by_hour),
            names_of_kinds=KINDS_ELSEWHERE if by_paper else {},
        ),
        distances_by(chosen[options.DISTANCE_OPTION.key], None),
        _service_hours(chosen[options.SERVICE_OPTION.key]),
        densities,
        by_paper,
    )


def asked_roads(given: Options, open_roads: Callable[[], Roads | None]) -> AskedRoads | None:
    """The road service that a run wants; None where it wants none, or nobody gave a key."""
    chosen = fill_options((options.DISTANCE_OPTION,), given)[options.DISTANCE_OPTION.key]
    roads = open_roads() if chosen == options.AMAP else None
    return AskedRoads(roads) if roads is not None else None


def wants_standard_names(given: Options) -> bool:
    """Whether names are changed before plans are scored."""
    return fill_options((options.NAMES_OPTION,), given)[options.NAMES_OPTION.key] == options.STANDARD


def _service_hours(text: str) -> tuple[float, float] | None:
    """Of a text such as 06:00-23:00, past midnight too; None for none."""
    window = read_window_text(text)
    return None if window is None else (window.start / 60, window.end / 60)
