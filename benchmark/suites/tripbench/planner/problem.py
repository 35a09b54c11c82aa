"""What a planner is asked: a trip in a world and the requirements of its user, sorted by what they are asked of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import TypeVar

from benchmark.plans.clock import minutes
from benchmark.plans.hours import DAY, read_window
from benchmark.plans.ways import great_circle_km
from benchmark.suites.tripbench.frame import Frame
from benchmark.suites.tripbench.plans.parameters import Parameters
from benchmark.suites.tripbench.plans.trip import estimate_minutes
from benchmark.suites.tripbench.rubrics import general, read_rubric
from benchmark.suites.tripbench.rubrics.base import Rubric
from benchmark.suites.tripbench.scoring.verdict import Constraint, Turn
from sandbox.toolsets.tripbench.records import Hours, TripWorld
from sandbox.worlds.geo import Point

R = TypeVar("R", bound=Rubric)
Spans = tuple[tuple[int, int], ...]
"""When a place is open, in minutes of a day."""
km_between = lru_cache(maxsize=2**18)(great_circle_km)


@dataclass(frozen=True)
class Problem:
    """What is to be planned.

    repeatable: ids of attractions and restaurants that may come twice.
    """

    world: TripWorld
    frame: Frame
    constraints: tuple[Constraint, ...] = ()
    parameters: Parameters = field(default_factory=Parameters)
    repeatable: frozenset[str] = frozenset()

    def drop(self, ids: Sequence[str]) -> Problem:
        """The same without some constraints."""
        return replace(self, constraints=tuple(each for each in self.constraints if each.id not in ids))

    def keep(self, ids: Sequence[str]) -> Problem:
        """The same with these constraints alone."""
        return replace(self, constraints=tuple(each for each in self.constraints if each.id in ids))

    @cached_property
    def turn(self) -> Turn:
        """What plans are judged by."""
        return Turn(self.world, self.frame, self.parameters, self.constraints, self.repeatable)

    @property
    def people(self) -> int:
        """The party."""
        return self.frame.people

    @cached_property
    def rubrics(self) -> dict[str, Rubric]:
        """The requirements that can be read, by the ids of their constraints."""
        read = ((each.id, read_rubric(each.rubric, each.arguments)) for each in self.constraints)
        return {id_: rubric for id_, rubric in read if rubric is not None}

    def of(self, *kinds: type[R]) -> list[R]:
        """The requirements of some kinds."""
        return [rubric for rubric in self.rubrics.values() if isinstance(rubric, kinds)]

    def ids_of(self, *domains: str) -> tuple[str, ...]:
        """The ids of the requirements of domains (`hotel`), newest first."""
        held = [id_ for id_, rubric in self.rubrics.items() if rubric.key.split(".")[0] in domains]
        return tuple(reversed(held))

    @cached_property
    def full_days(self) -> int:
        """How many days are without a leg at least: no leg is on more than one."""
        return max(0, len(self.frame.dates) - len(self.frame.legs))

    @cached_property
    def visit_window(self) -> tuple[int, int]:
        """Between which times of a day visits and meals are."""
        windows = self.of(general.DayWindow)
        return (
            max([0, *(int(each.a) for each in windows)]),
            min([DAY, *(int(each.b) for each in windows)]),
        )

    @cached_property
    def visit_counts(self) -> tuple[float, float]:
        """The fewest and the most attractions of a full day."""
        asked = self.of(general.DailyAttractions)
        return (
            max([1.0, *(each.min or 0 for each in asked)]),
            min([float("inf"), *(each.max for each in asked if each.max is not None)]),
        )

    @property
    def budget(self) -> float | None:
        """What all may cost; None where nothing limits it."""
        return min((each.a for each in self.of(general.TotalBudget)), default=None)

    def minutes(self, start: Point, end: Point) -> int:
        """The estimate of a way."""
        return estimate_minutes(km_between(start, end), self.parameters)


@lru_cache(maxsize=2**14)
def open_spans(hours: Hours) -> Spans:
    """When a place is open on a day, the last hours of the evening before too."""
    windows = [window for opens, closes in hours if (window := read_window(opens, closes)) is not None]
    late = [window.evening_before for window in windows if window.end > DAY]
    return tuple((window.start, window.end) for window in sorted((*late, *windows))) or ((-DAY, 2 * DAY),)


def start_within(
    spans: Spans, ready: int, least: int, latest: int, slack: float = 0
) -> tuple[int, int] | None:
    """When a visit of so many minutes can start and must have ended, as soon as one is ready; None if never."""
    for opens, closes in spans:
        start, end = max(ready, int(opens - slack)), min(latest, int(closes + slack))
        if start + least <= end:
            return start, end
    return None


def clock_of(text: str) -> int | None:
    """The minutes of a service's time."""
    return minutes(text)
