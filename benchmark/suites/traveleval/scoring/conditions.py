"""What the options of a run mean for its scores."""

from __future__ import annotations

from benchmark.core.options import Options
from benchmark.plans.hours import read_window
from benchmark.suites.base import fill_options
from benchmark.suites.traveleval import options
from benchmark.suites.traveleval.scoring.calendar import holiday_date_factor
from benchmark.suites.traveleval.scoring.published_rules import Conditions
from benchmark.suites.traveleval.scoring.queue import NO_QUEUE, PUBLISHED_QUEUES, Queues
from benchmark.suites.traveleval.scoring.routes import rounded_great_circle

HOLIDAY_QUEUES = Queues(holiday_date_factor)
_QUEUES = {
    options.NO_QUEUES: NO_QUEUE,
    options.PUBLISHED_QUEUES: PUBLISHED_QUEUES,
    options.HOLIDAY_QUEUES: HOLIDAY_QUEUES,
}


def conditions_of(given: Options, *, by_paper: bool) -> Conditions:
    """The conditions of a profile."""
    chosen = fill_options(options.SCORING_OPTIONS, given)
    usual = HOLIDAY_QUEUES if by_paper else PUBLISHED_QUEUES
    has_roads = chosen[options.DISTANCE_OPTION.key] != options.NO_DISTANCES
    return Conditions(
        _QUEUES.get(str(chosen[options.QUEUE_OPTION.key]), usual),
        rounded_great_circle if has_roads else None,
        _service_hours(str(chosen[options.SERVICE_OPTION.key])),
    )


def wants_standard_names(given: Options) -> bool:
    """Whether names are changed before plans are scored."""
    return fill_options(options.SCORING_OPTIONS, given)[options.NAMES_OPTION.key] == options.STANDARD


def _service_hours(text: str) -> tuple[float, float] | None:
    """Of a text such as 06:00-23:00, past midnight too; None for any other."""
    first, _, last = text.replace(" ", "").partition("-")
    window = read_window(first, last)
    return None if window is None else (window.start / 60, window.end / 60)
