"""What is wrong with a plan, as far as its agent can know: by the rules, the request and its own preference table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import date, timedelta
from itertools import islice
from typing import Any

from benchmark.plans.clock import calendar_day
from benchmark.suites.grouptravel.briefing.wording import fault
from benchmark.suites.grouptravel.itineraries.reading import ATTRACTION, FOOD, read_plan
from benchmark.suites.grouptravel.preferences import FIELD, TRANSPORT_MODES, FieldValues, filled_by_city
from benchmark.suites.grouptravel.scoring.catalogue import Catalogue
from benchmark.suites.grouptravel.scoring.paper import PAPER_CHECKS, Background
from benchmark.suites.grouptravel.scoring.run_record import RunRecord, ToolResult
from benchmark.suites.grouptravel.scoring.trip import Trip, prepare
from benchmark.suites.grouptravel.scoring.utility import PUBLISHED_POINTS, Point, stated_tiers, visit_point
from benchmark.suites.grouptravel.scoring.validity import PUBLISHED_CHECKS, Issue
from benchmark.suites.grouptravel.view import GroupView
from benchmark.text import guarded
from benchmark.text.lengths import LONGEST_REPLY
from benchmark.text.numerals import chinese, english

_DAYS = guarded.compile(rf"(?<![第\d{chinese.HAN}])({chinese.NUMBER})\s*(?:天|日游)")
_NIGHTS = guarded.compile(rf"({chinese.NUMBER})\s*[晚夜]")
_ENGLISH_DAYS = guarded.compile(rf"({english.NUMBER})[\s-]*days?\b", guarded.IGNORECASE)
_ENGLISH_NIGHTS = guarded.compile(rf"({english.NUMBER})[\s-]*nights?\b", guarded.IGNORECASE)
_LONGEST = 100
_CAPS = {"avg_budget": "budget"}
_SHELVES = {ATTRACTION: "attractions", FOOD: "food"}
_NO_CATEGORY = "\0"
"""A category that stands in no table."""
_LODGING = (FIELD["hotel_preference.prefer"], FIELD["hotel_preference.avoid"])


def days_asked(query: str) -> int | None:
    """Days of the trip by the words of the request (三天两夜, `a three-day trip`), else by its nights.

    None where it says neither, or names several numbers: then it is not clear which is meant.
    """
    for pattern, more, read in (
        (_DAYS, 0, chinese.read_number),
        (_ENGLISH_DAYS, 0, english.read_number),
        (_NIGHTS, 1, chinese.read_number),
        (_ENGLISH_NIGHTS, 1, english.read_number),
    ):
        counts = _counts(pattern, read, query[:LONGEST_REPLY])
        if counts:
            return counts.pop() + more if len(counts) == 1 else None
    return None


def _counts(pattern: guarded.Pattern, read: Callable[[str], float | None], query: str) -> set[int]:
    values = (read(count) for count in pattern.findall(query))
    return {int(value) for value in values if value and value < _LONGEST and value.is_integer()}


def faults(plan: dict[str, Any], view: GroupView) -> tuple[str, ...]:
    """Short sentences in the session's language, each with its place in the plan; () when nothing is found.

    Validity by the rules of the session's protocol; days that are missing, too many, empty or wrongly dated; modes
    that the format does not allow; and what costs points by the agent's own table.

    No card, no task and no world is looked at, so some faults stay hidden: opening hours; places that do not exist;
    a cuisine, a class of hotel or a category of sights that the place's name does not tell; under the paper's
    protocol a missing leg from or to the city of departure. What a plan leaves out of what somebody must have costs
    no points and is no fault.
    """
    trip = prepare(plan, [traveller.name for traveller in view.travellers], _by_name(plan))
    all_faults = [*_issues(trip, view), *_length(trip, view), *_dates(trip, view)]
    return (*all_faults, *_modes(trip, view.language), *_violations(trip, view))


def _by_name(plan: dict[str, Any]) -> Catalogue:
    """The plan's own sights and restaurants, so that the rules can go by their names."""
    places: dict[str, list[dict[str, str]]] = {}
    for block in (block for day in read_plan(plan).days for block in day.blocks):
        places.setdefault(block.city, []).extend(
            {"name": activity.location, "poi_type": _SHELVES[activity.kind], "custom_category": _NO_CATEGORY}
            for activity in block.activities
            if activity.kind in _SHELVES
        )
    return Catalogue(places)


def _issues(trip: Trip, view: GroupView) -> Iterator[str]:
    """One sentence for all users whom the same thing concerns."""
    language = view.language
    users: dict[tuple[str, str, str], list[str]] = {}
    first: dict[tuple[str, str, str], Issue] = {}
    for issue in _find_issues(trip, view):
        params = {name: value for name, value in issue.params.items() if name != "user"}
        key = (issue.key, repr(params), repr((issue.day.label, issue.segment, issue.activity)))
        first.setdefault(key, issue)
        users.setdefault(key, []).extend(issue.users)
    for key, issue in first.items():
        sentence = fault(language, issue.key, **{**issue.params, "user": _join_names(users[key], language)})
        yield _at_place(language, sentence, issue.day.label, issue.segment, issue.activity)


def _find_issues(trip: Trip, view: GroupView) -> Iterator[Issue]:
    """Validity issues: by the published rules, and under the paper's protocol by its stricter ones too."""
    for check in PUBLISHED_CHECKS:
        yield from check(trip)
    if view.protocol == "paper":
        background = Background(_record(view))
        for rule in PAPER_CHECKS:
            yield from (finding for finding in rule(trip, background) if isinstance(finding, Issue))


def _record(view: GroupView) -> RunRecord:
    """What the agent knows of the run's record beside its plan."""
    results = [
        ToolResult(entry.name, entry.result, bool(entry.error))
        for entry in view.tool_log
        if entry.result is not None
    ]
    return RunRecord(
        query=view.query,
        users=tuple(traveller.name for traveller in view.travellers),
        children=tuple(child.name for child in view.companions),
        roles={traveller.name: traveller.role for traveller in view.travellers},
        results=results,
        called_no_tool=not results,
    )


def _length(trip: Trip, view: GroupView) -> Iterator[str]:
    expected = days_asked(view.query)
    if expected and len(trip.days) != expected:
        yield f"- {fault(view.language, 'days', given=len(trip.days), expected=expected)}"
    for day in trip.days:
        if not day.legs and not any(block.activities for block in day.blocks):
            yield _at_place(view.language, fault(view.language, "empty_day"), day.label)


def _dates(trip: Trip, view: GroupView) -> Iterator[str]:
    start = calendar_day(view.time)
    for day in trip.days:
        expected = _later(start, day.at)
        if expected and calendar_day(day.date) != expected:
            sentence = fault(view.language, "wrong_date", expected=expected, given=day.date)
            yield _at_place(view.language, sentence, day.label)


def _later(start: date | None, days: int) -> date | None:
    try:
        return start + timedelta(days=days) if start else None
    except OverflowError:
        return None


def _modes(trip: Trip, language: str) -> Iterator[str]:
    for day, leg in trip.legs:
        if leg.mode not in TRANSPORT_MODES:
            modes, place = _join_names(TRANSPORT_MODES, language), f"{leg.from_city} → {leg.to_city}"
            sentence = fault(language, "mode", place=place, modes=modes, given=repr(leg.mode))
            yield _at_place(language, sentence, day.label, leg.at)


def _violations(trip: Trip, view: GroupView) -> Iterator[str]:
    for user in trip.users:
        wanted = filled_by_city((view.table or {}).get(user))
        points = [
            point for rule in (*PUBLISHED_POINTS, _hotels_by_name) for point in rule(user, wanted, trip)
        ]
        yield from (
            _violation(point, view.language) for point in points if point["points"] < 0 and point["item"]
        )


def _hotels_by_name(user: str, wanted: FieldValues, trip: Trip) -> Iterator[Point]:
    """Nights in a hotel whose name tells a class that somebody prefers or avoids; the first that it tells counts."""
    classes = [
        (field, item)
        for field, value in stated_tiers(wanted.get("", {}), _LODGING)
        for item in value
        if isinstance(item, str) and item
    ]
    for visit in trip.nights:
        told = ((field, item) for field, item in classes if item in visit.activity.location)
        for field, item in islice(told, 1):
            yield visit_point(user, field, item, visit, "name")


def _violation(point: Point, language: str) -> str:
    user = point["user"]
    if point["tier"] == "cap":
        name = point["path"].rpartition(".")[2]
        figures = {"figure": point["matched"], "cap": f"{point['item']:g}"}
        sentence = fault(language, _CAPS.get(name, name), user=user, **figures)
    else:
        sentence = fault(language, point["tier"], user=user, item=point["item"], place=point["place"])
    return _at_place(language, sentence, point["day"], point["segment"], point["activity"])


def _at_place(
    language: str, sentence: str, day: Any, segment: int | None = None, activity: int | None = None
) -> str:
    """The sentence after its place, everything counted from 1; without one where it is about the whole trip."""
    if day is None:
        return f"- {sentence}"
    key = "place" if segment is None else "segment" if activity is None else "activity"
    counted = {"segment": (segment or 0) + 1, "activity": (activity or 0) + 1}
    place = fault(language, key, day=day, **counted)
    return f"- {place}{_colon(language)}{sentence}"


def _colon(language: str) -> str:
    return ": " if language == "en" else "："


def _join_names(names: Iterable[str], language: str) -> str:
    return (", " if language == "en" else "、").join(names)
