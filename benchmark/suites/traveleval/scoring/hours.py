"""How well a plan uses its time (temporality)."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import fmean

from benchmark.suites.traveleval.scoring.itinerary import ATTRACTION, MIDNIGHT, Itinerary, hours_of
from benchmark.suites.traveleval.scoring.queue import Queues
from benchmark.suites.traveleval.scoring.reading import DAY_H, Node, UndefinedFigure, keep_answers, ratio
from benchmark.suites.traveleval.scoring.results import Result

_FIRST_HOUR, _LAST_HOUR = 8.0, 22.0
Ratios = Mapping[str, float]
"""The share of each visit that is no queue, by the name of the sight."""


def ratios_of(plan: Itinerary, queues: Queues) -> tuple[Ratios, Result]:
    """The ratios, and STR (formula 10), their mean. Of a sight that is visited twice the last visit counts."""
    ratios, rows = {}, []
    for day, activity, sight in plan.known_sights():
        queue = queues.hours(plan, day, activity.get("start_time", MIDNIGHT), sight)
        hours = hours_of(activity)
        useful = hours - queue
        share = 0.0 if useful < sight.least else ratio(useful, hours, activity.at)
        ratios[sight.name] = share
        rows.append({"at": activity.at, "name": sight.name, "hours": hours, "queue": queue, "share": share})
    return ratios, Result(fmean(ratios.values()) if ratios else 0.0, rows=rows)


def day_use(plan: Itinerary, ratios: Ratios) -> Result:
    """DTU (formula 11): which share of each day are visits without queues."""
    shares: dict[object, float] = {}
    rows = []
    for entry in plan.entries:
        day = entry.get("day")
        visits, span = _visits_and_span(plan, entry)
        useful = sum((ratios.get(name, 0.0) * hours for name, hours in visits), 0.0)
        shares[day.value] = ratio(useful, span, entry.at) if entry.get("activities").value else 0.0
        rows.append({"at": entry.at, "useful": useful, "span": span})
    return Result(fmean(shares.values()) if shares else 0.0, rows=rows)


@keep_answers
def _visits_and_span(plan: Itinerary, entry: Node) -> tuple[list[tuple[str, float]], float]:
    """Names and hours of the visits of a day, and all its hours."""
    if not (listed := entry.get("activities")).value:
        return [], 0.0
    activities = listed.items()
    start, end = _ends(plan, entry, activities)
    visits = []
    for activity in activities:
        start = min(start, activity.need("start_time").clock())
        end = max(end, activity.need("end_time").clock())
        name = activity.get("location_name").name()
        if activity.get("type").value == ATTRACTION:
            visits.append((name, hours_of(activity)))
    return visits, end - start


def _ends(plan: Itinerary, entry: Node, activities: list[Node]) -> tuple[float, float]:
    """When a day begins and ends: by the legs on the first and the last one."""
    day, last_day = entry.get("day").value, plan.summary.get("total_days").value
    section = plan.plan.need("intercity_transport").get("transport_type")
    is_last = last_day is not None and day == last_day
    legs = section.items() if is_last or section.value is not None else []
    start = (legs[0] if day == 1 and legs else activities[0]).need("start_time").clock()
    point = entry.need("ending_point")
    end = point.need("end_time").clock()
    if is_last and len(legs) > 1:
        departs, end = legs[1].need("start_time").clock(), legs[1].need("end_time").clock()
        return start, DAY_H if end < departs else end
    if is_last and not point.need("location_name").text().startswith(plan.summary.need("departure").text()):
        return start, DAY_H
    return start, end


@keep_answers
def hours_away(plan: Itinerary) -> float:
    """H: from the start of the first leg to the end of the last one. Raises UndefinedFigure, where it is 0 too."""
    days = plan.summary.need("total_days").integer()
    section = plan.plan.need("intercity_transport").need("transport_type")
    first, last = _FIRST_HOUR, _LAST_HOUR
    if section.value and (legs := section.items()):
        first, last = legs[0].need("start_time").clock(), legs[-1].need("end_time").clock()
    hours = DAY_H * (days - 1) + last - first
    if hours == 0:
        raise UndefinedFigure(section.at)
    return hours


@keep_answers
def _visited_names(plan: Itinerary) -> list[str]:
    """Of all attractions, in days that are not scheduled too."""
    activities = [own for entry in plan.entries for own in entry.get("activities", []).items()]
    names = [(activity.get("location_name").name(), activity.get("type").value) for activity in activities]
    return [name for name, kind in names if kind == ATTRACTION]


def journey_use(plan: Itinerary, ratios: Ratios) -> Result:
    """OTU (formula 12): as published, the sum of ratios for an hour away."""
    if not ratios:
        return Result(0.0)
    useful = sum((ratios.get(name, 0.0) for name in _visited_names(plan)), 0.0)
    hours = hours_away(plan)
    return Result(ratio(useful, hours), rows=[{"useful": useful, "hours": hours}])
