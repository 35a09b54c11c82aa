"""What differs between two sessions: the plan day by day, what the agent believes, points and issues."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from webapp.pages import ComparedPart, ComparedRow
from webapp.sessions.reading import Reading
from webapp.suites.grouptravel.panels import plan, preferences, scores
from webapp.suites.grouptravel.panels.plan import DayPlan, Stop
from webapp.suites.grouptravel.wording.issues import IssueLine


def compare_sessions(first: Reading, second: Reading) -> list[ComparedPart]:
    """Two sessions, part by part."""
    return [
        ComparedPart("plan", _("Plan"), list(_days(first, second))),
        ComparedPart("points", _("Utility by traveller"), list(_points(first, second))),
        ComparedPart("issues", _("Issues of the plan"), list(_issues(first, second))),
        ComparedPart("beliefs", _("What the agent believes in the end"), list(_beliefs(first, second))),
    ]


def _days(first: Reading, second: Reading) -> Iterator[ComparedRow]:
    """A row a day. What both plans hold at other times is told at its place: moved to another day, or retimed."""
    plans: list[list[DayPlan]] = [plan.context(reading, "")["days"] or [] for reading in (first, second)]
    before, after = (_visits(days) for days in plans)
    pairs = visit_pairs(before, after)
    changed = _changes(pairs), _changes([(right, left) for left, right in pairs])
    for number, (left, right) in enumerate(zip_longest(*plans)):
        label = _("day %(day)s") % {"day": (left or right).label}
        own, other = (side.get(number, {}) for side in changed)
        yield ComparedRow(label, _stops(left), _stops(right), changes=(own, other))


class Visit(NamedTuple):
    """A stop of a plan by its place. number, label: of its day; at: its place in the day."""

    name: str
    time: str
    number: int
    label: str
    at: int


def _visits(days: Sequence[DayPlan]) -> list[Visit]:
    return [
        Visit(stop.name, stop.time, number, str(day.label), at)
        for number, day in enumerate(days)
        for at, stop in enumerate(day.stops)
    ]


def visit_pairs(before: Sequence[Visit], after: Sequence[Visit]) -> list[tuple[Visit, Visit]]:
    """Visits of one place in both plans, each in one pair: first those at the same time, then of the same day."""
    ways: list[Callable[[Visit], tuple[Any, ...]]] = [
        lambda one: (one.name, one.number, one.time),
        lambda one: (one.name, one.number),
        lambda one: (one.name,),
    ]
    left, right, found = list(before), list(after), []
    for key in ways:
        for visit in list(left):
            match = next((one for one in right if key(one) == key(visit)), None)
            if match is not None:
                left.remove(visit)
                right.remove(match)
                found.append((visit, match))
    return found


def _changes(pairs: Iterable[tuple[Visit, Visit]]) -> dict[int, dict[int, str]]:
    """What is said of the first visit of each pair, by its day and its place in that."""
    found: dict[int, dict[int, str]] = {}
    for own, other in pairs:
        if own.number != other.number:
            words = _("moved: day %(day)s in the other plan") % {"day": other.label}
        elif own.time != other.time:
            words = _("retimed: %(time)s in the other plan") % {"time": other.time}
        else:
            continue
        found.setdefault(own.number, {})[own.at] = words
    return found


def _stops(day: DayPlan | None) -> list[str]:
    return [_stop(stop) for stop in day.stops] if day else []


def _stop(stop: Stop) -> str:
    who = f" ({', '.join(stop.who)})" if stop.who else ""
    return " ".join(filter(None, (stop.time, stop.name, stop.cost))) + who


def _points(first: Reading, second: Reading) -> Iterator[ComparedRow]:
    sides = [scores.context(reading, "") for reading in (first, second)]
    for user in _users(first, second):
        left, right = (_points_of(side, user) for side in sides)
        yield ComparedRow(user, left, right)


def _points_of(side: dict[str, Any], user: str) -> list[str]:
    """The total, then point by point."""
    share = next((one for one in side.get("shares", ()) if one.user == user), None)
    if share is None:
        return []
    points = [f"{point.points} {point.why}" for point in share.points]
    return [_("%(n)s in all") % {"n": share.utility}, *sorted(points)]


def _issues(first: Reading, second: Reading) -> Iterator[ComparedRow]:
    """Published issues, then those of the paper's rules alone."""
    sides = [scores.context(reading, "") for reading in (first, second)]
    kinds: list[tuple[str, Callable[[dict[str, Any]], Iterable[IssueLine]]]] = [
        (_("published rules"), lambda side: side.get("issues", ())),
        (_("the paper's rules alone"), lambda side: side["stricter"].issues if side.get("stricter") else ()),
    ]
    for label, of in kinds:
        left, right = ([line.whole for line in of(side)] for side in sides)
        yield ComparedRow(label, left, right)


def _beliefs(first: Reading, second: Reading) -> Iterator[ComparedRow]:
    for user in _users(first, second):
        left, right = (_table(reading, user) for reading in (first, second))
        for label in dict.fromkeys([*left, *right]):
            yield ComparedRow(f"{user} {label}", left.get(label, []), right.get(label, []))


def _table(reading: Reading, user: str) -> dict[str, list[str]]:
    rows = preferences.rows_of(preferences.tables_of(reading, user)) if user in reading.users else ()
    return {row.label: [_belief(belief) for belief in row.beliefs] for row in rows}


def _belief(belief: preferences.Belief) -> str:
    return f"{belief.text} ({belief.note})" if belief.note else belief.text


def _users(first: Reading, second: Reading) -> list[str]:
    return list(dict.fromkeys([*first.users, *second.users]))
