"""The visits of a plan by the paper: whether places exist and are open, and what of the time is no queue."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from statistics import fmean
from typing import Any, NamedTuple

from benchmark.plans.hours import DAY, Window
from benchmark.plans.view import Mark
from benchmark.suites.traveleval.scoring.hours import hours_away
from benchmark.suites.traveleval.scoring.itinerary import Day, Itinerary, Stop
from benchmark.suites.traveleval.scoring.queue import Queues
from benchmark.suites.traveleval.scoring.reading import (
    DAY_H,
    Node,
    UndefinedFigure,
    duration,
    keep_answers,
    ratio,
)
from benchmark.suites.traveleval.scoring.results import Result
from benchmark.suites.traveleval.world import Sight

MINUTES = 60
STAR_WHERE_UNKNOWN = 3.0


class PlannedVisit(NamedTuple):
    """A visit to an attraction of the table. hours: as planned."""

    day: Day
    stop: Stop
    sight: Sight
    hours: float


class Visit(NamedTuple):
    """A visit to an attraction of the table. queue, hours: as planned; useful: without the queue, below 0 too;
    share: r, which share is no queue, 0 for a visit that is too short.
    """

    day: Day
    stop: Stop
    sight: Sight
    hours: float
    queue: float
    useful: float
    share: float


class Visits:
    """The visits of a plan. Its members raise UndefinedFigure."""

    def __init__(self, plan: Itinerary, queues: Queues) -> None:
        self._plan, self._queues = plan, queues
        self.answers: dict[object, Any] = {}

    @property
    @keep_answers
    def planned_visits(self) -> list[PlannedVisit]:
        """Those to attractions of the table; a day that can't be read is no harm."""
        refuse_empty(self._plan.city.sights, "attractions")
        return [visit for day in self._plan.schedule for visit in self._of_day(day)]

    def _of_day(self, day: Day) -> Iterator[PlannedVisit]:
        for stop in day.visits:
            sight = self._plan.city.sight.get(stop.name.name())
            if sight is not None:
                yield PlannedVisit(day, stop, sight, duration(stop.begins, stop.ends))

    @property
    @keep_answers
    def to_sights(self) -> list[Visit]:
        """The same with their queues."""
        return [self._with_queue(*visit) for visit in self.planned_visits]

    def _with_queue(self, day: Day, stop: Stop, sight: Sight, hours: float) -> Visit:
        queue = self._queues.hours(self._plan, day, stop.begins, sight)
        useful = hours - queue
        share = useful / hours if hours and useful >= sight.least else 0.0
        return Visit(day, stop, sight, hours, queue, useful, share)

    def fictitious_visits(self) -> Result:
        """FAR (formula 2): the share of visits to what is no attraction of the city."""
        refuse_empty(self._plan.city.sights, "attractions")
        visits = self._plan.visits
        unknown = [visit for visit in visits if visit.name.name() not in self._plan.city.sight]
        marks = [Mark(visit.node.at, "unknown_place", {"name": visit.name.value}) for visit in unknown]
        return Result(ratio(len(unknown), len(visits), ("daily_plans",)), marks)

    def closed_visits(self) -> Result:
        """VROH: the share of visits that lie wholly outside the opening hours."""
        wrong = [visit for visit in self.planned_visits if _misses_hours(visit)]
        marks = [
            Mark(own.stop.node.at, "closed", {"name": s.name, "opens": s.opens, "closes": s.closes})
            for own in wrong
            for s in [own.sight]
        ]
        return Result(ratio(len(wrong), len(self.planned_visits), ("daily_plans",)), marks)

    def of_good_length(self) -> Result:
        """TTCS: whether each visit is planned to last as long as recommended."""
        if not self.planned_visits:
            raise UndefinedFigure(("daily_plans",))
        for visit in self.planned_visits:
            for time in (visit.stop.start, visit.stop.end):
                time.hour_and_minute()  # or the metric is undefined
            least, most = visit.sight.least, visit.sight.most
            if not least <= visit.hours <= most:
                told = {"name": visit.sight.name, "hours": visit.hours, "least": least, "most": most}
                return Result(0, [Mark(visit.stop.node.at, "other_length", told)])
        return Result(1)

    def sightseeing_ratio(self) -> Result:
        """STR (formula 10): the mean over visits."""
        if not self.to_sights:
            raise UndefinedFigure(("daily_plans",))
        rows = [
            {"at": own.stop.node.at, "name": own.sight.name, "hours": own.hours, "queue": own.queue}
            for own in self.to_sights
        ]
        return Result(fmean([visit.share for visit in self.to_sights]), rows=rows)

    def day_use(self) -> Result:
        """DTU (formula 11): the mean over days."""
        days = [self._day_share(day) for day in self._plan.schedule]
        if not days:
            raise UndefinedFigure(("daily_plans",))
        return Result(fmean(days))

    def _day_share(self, day: Day) -> float:
        if not day.activities:
            return 0.0
        useful = sum(max(visit.useful, 0.0) for visit in self.to_sights if visit.day is day)
        start, end = _ends(self._plan, day)
        return ratio(useful, end - start, day.entry.at)

    def journey_use(self) -> Result:
        """OTU (formula 12): the useful hours of visits that are long enough, for each hour away."""
        useful = sum(visit.useful for visit in self.to_sights if visit.share > 0)
        hours = hours_away(self._plan)
        row = {"useful": useful, "hours": hours, "shares": sum(visit.share for visit in self.to_sights)}
        return Result(useful / hours, rows=[row])

    def quality(self) -> Result:
        """AQE (formula 23): stars times useful hours, for each hour away."""
        known = {visit.stop.node.at: visit for visit in self.to_sights}
        gained = 0.0
        for stop in self._plan.visits:
            visit = known.get(stop.node.at)
            stop.start.hour_and_minute()  # or the metric is undefined
            hours = visit.useful if visit else duration(stop.start, stop.end)
            if stop.end.value is not None:
                gained += (star(visit.sight) if visit else STAR_WHERE_UNKNOWN) * max(hours, 0.0)
        return Result(gained / hours_away(self._plan))


def star(sight: Sight) -> float:
    """3.0 where a sight has none."""
    return STAR_WHERE_UNKNOWN if sight.star != sight.star else sight.star


def refuse_empty(table: Iterable[object], name: str) -> None:
    """Raise UndefinedFigure where the city has no such table."""
    if not table:
        raise UndefinedFigure(("world", name))


def _misses_hours(visit: PlannedVisit) -> bool:
    """Whether a visit and the opening hours do not even touch; both may go past midnight."""
    start = round(visit.stop.start.clock() * MINUTES)
    end = round(visit.stop.end.clock() * MINUTES)
    end += DAY if end < start else 0
    return all(window.overlap(start, end) < 0 for window in windows_of(visit.sight.opens, visit.sight.closes))


@lru_cache(maxsize=2**10)
def windows_of(opens: str, closes: str) -> tuple[Window, Window, Window]:
    """When a sight is open on the day before, on a day and on the next. Raises UndefinedFigure."""
    window = Window.of_hours(*(round(Node(time).clock() * MINUTES) for time in (opens, closes)))
    next_day = window._replace(start=window.start + DAY, end=window.end + DAY)
    return window.evening_before, window, next_day


def _ends(plan: Itinerary, day: Day) -> tuple[float, float]:
    """From leaving the hotel, or from the first leg, to the end of the day, or of the second leg."""
    section = plan.plan.get("intercity_transport").value
    legs = plan.legs if isinstance(section, dict) and section.get("transport_type") else []
    summary = plan.plan.get("summary").value
    number, last_day = day.number.value, summary.get("total_days") if isinstance(summary, dict) else None
    if number == 1 and legs:
        start = legs[0].need("start_time").clock()
    else:
        start = day.activities[0].need("start_time").clock() - hours_of_way(day.activities[0])
    if number == last_day and len(legs) > 1:
        end = legs[1].need("end_time").clock()
    else:
        end = day.entry.need("ending_point").need("end_time").clock()
    return start, end + (DAY_H if end < start else 0.0)


def hours_of_way(activity: Node) -> float:
    """Of the way to an activity: minutes, or H:M; what can't be read is 0."""
    details = activity.get("details")
    time = details.get("transport_time") if isinstance(details.value, dict) else Node(None)
    try:
        return max(0.0, time.clock() if ":" in str(time.value) else time.number() / MINUTES)
    except UndefinedFigure:
        return 0.0
