"""What sessions have beside the plan: what the agent believes, points and issues."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from django.utils.translation import gettext as _

from webapp.pages import ComparedPart, ComparedRow
from webapp.sessions.reading import Reading
from webapp.suites.grouptravel.panels import preferences, scores
from webapp.suites.grouptravel.wording.issues import IssueLine


def compare_sessions(readings: Sequence[Reading]) -> list[ComparedPart]:
    """Sessions, part by part."""
    return [
        ComparedPart("points", _("Utility by traveller"), list(_points(readings))),
        ComparedPart("issues", _("Issues of the plan"), list(_issues(readings))),
        ComparedPart("beliefs", _("What the agent believes in the end"), list(_beliefs(readings))),
    ]


def _points(readings: Sequence[Reading]) -> Iterator[ComparedRow]:
    sides = [scores.context(reading, "") for reading in readings]
    for user in _users(readings):
        yield ComparedRow(user, [_points_of(side, user) for side in sides])


def _points_of(side: dict[str, Any], user: str) -> list[str]:
    """The total, then point by point."""
    share = next((share for share in side.get("shares", ()) if share.user == user), None)
    if share is None:
        return []
    points = [f"{point.points} {point.why}" for point in share.points]
    return [_("%(n)s in all") % {"n": share.utility}, *sorted(points)]


def _issues(readings: Sequence[Reading]) -> Iterator[ComparedRow]:
    """Published issues, then those of the paper's rules alone."""
    sides = [scores.context(reading, "") for reading in readings]
    kinds: list[tuple[str, Callable[[dict[str, Any]], Iterable[IssueLine]]]] = [
        (_("published rules"), lambda side: side.get("issues", ())),
        (_("the paper's rules alone"), lambda side: side["stricter"].issues if side.get("stricter") else ()),
    ]
    for label, of in kinds:
        yield ComparedRow(label, [[line.whole for line in of(side)] for side in sides])


def _beliefs(readings: Sequence[Reading]) -> Iterator[ComparedRow]:
    for user in _users(readings):
        tables = [_table(reading, user) for reading in readings]
        for label in dict.fromkeys(label for table in tables for label in table):
            yield ComparedRow(f"{user} {label}", [table.get(label, []) for table in tables])


def _table(reading: Reading, user: str) -> dict[str, list[str]]:
    rows = preferences.rows_of(preferences.tables_of(reading, user)) if user in reading.users else ()
    return {row.label: [_belief(belief) for belief in row.beliefs] for row in rows}


def _belief(belief: preferences.Belief) -> str:
    return f"{belief.text} ({belief.note})" if belief.note else belief.text


def _users(readings: Sequence[Reading]) -> list[str]:
    return list(dict.fromkeys(user for reading in readings for user in reading.users))
