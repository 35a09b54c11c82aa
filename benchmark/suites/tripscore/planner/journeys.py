"""Which legs lead through the cities, and on which days."""

from __future__ import annotations

from collections.abc import Iterator
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


def journeys(task: Task) -> Iterator[list[Move]]:
    """Ways through all cities in order, the most even ones first."""
    query = task.query
    stops = list(query.folded_cities)
    home = query.folded_departure
    if home in stops and stops[0] != home and not query.fixed_order:
        stops.remove(home)
        stops.insert(0, home)
    goes_home = home is not None and query.leaves_from_outside and query.returns
    yield from _moves(task, stops, home, [], goes_home)


def _moves(
    task: Task, stops: list[str], here: str | None, done: list[Move], goes_home: bool
) -> Iterator[list[Move]]:
    at = len(done)
    if at == len(stops):
        if not goes_home:
            yield done
            return
        for move in _choices(task, here, str(task.query.folded_departure), done, task.query.days - 1, True):
            if move.day == task.query.days - 1:
                yield [*done, move]
        return
    even = at * task.query.days // len(stops)
    for move in _choices(task, here, stops[at], done, even, False):
        yield from _moves(task, stops, stops[at], [*done, move], goes_home)


def _choices(task: Task, here: str | None, city: str, done: list[Move], even: int, back: bool) -> list[Move]:
    """The moves into a city after those that are done, the best first."""
    ready = done[-1].arrives if done else 0
    legs = [leg for leg in task.reference.transportation if leg.ends == (here, city)]
    if here in (None, city) or not legs:
        return [Move(None, max(even, ready // DAY), city, max(even * DAY, ready), max(even * DAY, ready))]
    moves = [move for leg in legs for move in _of_leg(task, leg, city, even, back)]
    fit = [move for move in moves if move.departs >= ready and 0 <= move.day < task.query.days]
    return sorted(fit, key=lambda move: _strain(move, even, back))


def _of_leg(task: Task, leg: Leg, city: str, even: int, back: bool) -> Iterator[Move]:
    if leg.times is None:
        departs, arrives = _WAY_BACK if back else _WAY_OUT
        yield Move(leg, even, city, even * DAY + departs, even * DAY + arrives)
        return
    first = task.query.start_date
    departs, arrives = (
        (moment.date() - first) // timedelta(days=1) * DAY + moment.hour * 60 + moment.minute
        for moment in leg.times
    )
    yield Move(leg, departs // DAY, city, departs, arrives)


def _strain(move: Move, even: int, back: bool) -> tuple[float, float]:
    """Small for legs on the day that is wished, at a time that leaves room for sights."""
    departs, arrives = (minutes - move.day * DAY for minutes in (move.departs, move.arrives))
    clock = (
        abs(departs - _WAY_BACK[0])
        if back
        else max(arrives - _WAY_OUT[1], 0) + max(_WAY_OUT[0] - 60 - departs, 0) / 2
    )
    return abs(move.day - even), clock
