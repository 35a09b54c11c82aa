"""Which legs lead through the cities, and on which days."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta

from benchmark.plans.hours import DAY
from benchmark.suites.tripscore.tasks.task import Leg, Task

_WAY_OUT, _WAY_BACK = (540, 660), (1080, 1200)
"""When somebody drives on a leg without times, in minutes of its day."""


@dataclass(frozen=True)
class Move:
    """A leg on a day, from 0, or a change of city for which there is none. departs, arrives: minutes of the trip."""

    leg: Leg | None
    day: int
    city: str
    departs: int
    arrives: int

    @property
    def period(self) -> int:
        """In which it departs."""
        return min(2, max(0, (self.departs - self.day * DAY) // 360 - 1))


@dataclass(frozen=True)
class Course:
    """What a journey is to be like. days: of each stop. drives: whether somebody drives without a leg."""

    stops: Sequence[str]
    days: Sequence[int]
    drives: bool = False


def even_course(task: Task) -> Course:
    """Through the cities as the query has them, with as many days in each."""
    query = task.query
    stops = list(query.folded_cities)
    home = query.folded_departure
    if home in stops and stops[0] != home and not query.fixed_order:
        stops.remove(home)
        stops.insert(0, home)
    return Course(stops, [at * query.days // len(stops) for at in range(len(stops))])


def journeys(task: Task, course: Course | None = None) -> Iterator[list[Move]]:
    """Ways through all cities in order, those that keep to the days of the course first."""
    yield from _moves(task, course or even_course(task), task.query.folded_departure, [])


def _moves(task: Task, course: Course, here: str | None, done: list[Move]) -> Iterator[list[Move]]:
    at, query = len(done), task.query
    if at < len(course.stops):
        city = course.stops[at]
        for move in _choices(task, course, (here, city), done, course.days[at], False):
            yield from _moves(task, course, city, [*done, move])
    elif query.folded_departure is None or not (query.leaves_from_outside and query.returns):
        yield done
    else:
        for move in _choices(task, course, (here, query.folded_departure), done, query.days - 1, True):
            if move.day == query.days - 1:
                yield [*done, move]


def _choices(
    task: Task, course: Course, way: tuple[str | None, str], done: list[Move], day: int, back: bool
) -> list[Move]:
    """The moves along a way after those that are done, the best first."""
    ready, city = done[-1].arrives if done else 0, way[1]
    legs = [leg for leg in task.reference.transportation if leg.ends == way]
    if way[0] in (None, city) or not legs:
        clock = (_WAY_BACK if back else _WAY_OUT) if course.drives and way[0] not in (None, city) else (0, 0)
        departs, arrives = (max(day * DAY + minutes, ready) for minutes in clock)
        return [Move(None, max(day, ready // DAY), city, departs, arrives)]
    moves = [move for leg in legs for move in moves_of(task, leg, day, back)]
    fit = [move for move in moves if move.departs >= ready and 0 <= move.day < task.query.days]
    return sorted(fit, key=lambda move: _strain(move, day, back))


def moves_of(task: Task, leg: Leg, day: int, back: bool) -> Iterator[Move]:
    """A leg at its time; one without times on a day, in the morning or back in the evening."""
    if leg.times is None:
        departs, arrives = _WAY_BACK if back else _WAY_OUT
        yield Move(leg, day, leg.ends[1], day * DAY + departs, day * DAY + arrives)
        return
    first = task.query.start_date
    departs, arrives = (
        (moment.date() - first) // timedelta(days=1) * DAY + moment.hour * 60 + moment.minute
        for moment in leg.times
    )
    yield Move(leg, departs // DAY, leg.ends[1], departs, arrives)


def _strain(move: Move, even: int, back: bool) -> tuple[float, float]:
    """Small for legs on the day that is wished, at a time that leaves room for sights."""
    departs, arrives = (minutes - move.day * DAY for minutes in (move.departs, move.arrives))
    clock = (
        abs(departs - _WAY_BACK[0])
        if back
        else max(arrives - _WAY_OUT[1], 0) + max(_WAY_OUT[0] - 60 - departs, 0) / 2
    )
    return abs(move.day - even), clock
