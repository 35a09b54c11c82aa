"""The world of a session (`sandbox.toolsets.tripbench`), and when a place of it is open."""

from __future__ import annotations

from typing import Any

from benchmark.core.setting import Setting
from benchmark.plans.hours import Window, read_window
from sandbox.toolsets.tripbench.records import Hours, TripWorld
from sandbox.toolsets.tripbench.world import trip_world


def holds_visit(hours: Hours, start: int, end: int, slack: float) -> bool:
    """Whether hours of every day hold a visit, those of the evening before too; hours that nobody knows always do.

    start, end: minutes of a day.
    """
    windows = [window for opens, closes in hours if (window := read_window(opens, closes)) is not None]
    return not windows or any(_holds(window, start, end, slack) for window in windows)


def _holds(window: Window, start: int, end: int, slack: float) -> bool:
    return window.holds(start, end, slack) or window.evening_before.holds(start, end, slack)


def world_of(setting: Setting[Any, TripWorld]) -> TripWorld | None:
    """The world that plans of a session are read in; None where it has none."""
    if setting.world is not None:
        return setting.world
    return None if setting.pack is None else trip_world(setting.pack)
