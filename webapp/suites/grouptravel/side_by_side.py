"""What differs between two sessions beside the plan: what the agent believes, points and issues."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from django.utils.translation import gettext as _

from webapp.pages import ComparedPart, ComparedRow
from webapp.sessions.reading import Reading
from webapp.suites.grouptravel.panels import preferences, scores
from webapp.suites.grouptravel.wording.issues import IssueLine


def compare_sessions(first: Reading, second: Reading) -> list[ComparedPart]:
    """Two sessions, part by part."""
    return [
        ComparedPart("points", _("Utility by traveller"), list(_points(first, second))),
        ComparedPart("issues", _("Issues of the plan"), list(_issues(first, second))),
        ComparedPart("beliefs", _("What the agent believes in the end"), list(_beliefs(first, second))),
    ]


def _points(first: Reading, second: Reading) -> Iterator[ComparedRow]:
    sides = [scores.context(reading, "") for reading in (first, second)]
    for user in _users(first, second):
        left, right = (_points_of(side, user) for side in sides)
        yield ComparedRow(user, left, right)


def _points_of(side: dict[str, Any], user: str) -> list[str]:
    """The total, then point by point."""
    share = next((share for share in side.get("shares", ()) if share.user == user), None)
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
