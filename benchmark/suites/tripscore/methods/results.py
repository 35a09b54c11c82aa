"""What a method gives: a plan or none, and a log of how it came to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise, permutations, product
from pathlib import Path
from typing import Final

from benchmark.agents.briefing import SHARED_PROMPTS
from benchmark.plans.view import Plan
from benchmark.plans.ways import great_circle_km
from benchmark.suites.tripscore.planner.days import DayDraft, opens_late
from benchmark.suites.tripscore.scoring.parameters import Parameters
from benchmark.suites.tripscore.tasks import Task
from benchmark.suites.tripscore.tasks.task import Attraction
from benchmark.text.prompts import Prompts

PROMPTS: Final = Prompts(
    Path(__file__).parent / "prompts", Path(__file__).parents[1] / "briefing" / "prompts", SHARED_PROMPTS
)
_LOG: Final = "log"


class Line(tuple[str, Mapping[str, object]]):
    """A line of a log: the key of its words, and what they take."""

    __slots__ = ()

    @classmethod
    def of(cls, key: str, **fields: object) -> Line:
        """Such a line."""
        return cls((key, fields))

    def text(self, language: str) -> str:
        """In a language."""
        return PROMPTS.line(language, _LOG, self[0], **self[1])


@dataclass(frozen=True)
class Result:
    """plan: None where the method finds none; the log then says why."""

    plan: Plan | None
    log: Sequence[Line]

    def log_text(self, language: str) -> str:
        """A line each."""
        return "\n".join(line.text(language) for line in self.log)


def order_sights(task: Task, at: int, day: DayDraft, parameters: Parameters) -> None:
    """Put the sights of each period of a day on a short way, which does not begin with what opens late."""
    when = task.query.start_date + timedelta(days=at)
    slots = [(visits, period) for visits in day.visits for period in sorted(visits)]

    def strain(order: Iterable[Sequence[Attraction]]) -> tuple[bool, float]:
        way = [sight for part in order for sight in part]
        return bool(way) and opens_late(way[0], when, parameters), sum(_kilometres(way))

    orders = product(*(permutations(visits[period]) for visits, period in slots))
    for (visits, period), part in zip(slots, min(orders, key=strain), strict=True):
        visits[period] = [*part]


def _kilometres(way: Sequence[Attraction]) -> Iterator[float]:
    for one, other in pairwise(way):
        if one.point and other.point and one.folded_city == other.folded_city:
            yield great_circle_km(one.point, other.point)
