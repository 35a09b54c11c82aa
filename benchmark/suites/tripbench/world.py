"""When a place of TRIP-Bench is open (its world is `sandbox.toolsets.tripbench.records`)."""

from __future__ import annotations

from benchmark.plans.hours import Window, read_window
from sandbox.toolsets.tripbench.records import Hours


def holds_visit(hours: Hours, start: int, end: int, slack: float) -> bool:
    """Whether hours of every day hold a visit, those of the evening before too; hours that nobody knows always do.

    start, end: minutes of a day.
    """
    windows = [window for opens, closes in hours if (window := read_window(opens, closes)) is not None]
    return not windows or any(_holds(window, start, end, slack) for window in windows)


def _holds(window: Window, start: int, end: int, slack: float) -> bool:
    return window.holds(start, end, slack) or window.evening_before.holds(start, end, slack)
