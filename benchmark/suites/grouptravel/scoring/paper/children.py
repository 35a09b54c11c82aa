"""Rule 4: young children are never without an adult."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchmark.suites.grouptravel.itineraries.reading import Activity
from benchmark.suites.grouptravel.scoring.paper.background import Background
from benchmark.suites.grouptravel.scoring.published import members
from benchmark.suites.grouptravel.scoring.splits import splits_of
from benchmark.suites.grouptravel.scoring.trip import Stay, Trip
from benchmark.suites.grouptravel.scoring.validity.issue import Issue


def child_without_adult(trip: Trip, background: Background) -> Iterator[Issue]:
    """A split in which, at some moment, every adult is on a branch that does not name the children.

    Participants never name young children (only "All" includes them), so they are with whoever is on no branch.
    """
    if not background.children:
        return
    for stay in trip.stays:
        for _, cluster in splits_of(stay):
            if (out := _all_away(cluster, background)) is not None:
                yield _issue(stay, out, background)


def _all_away(cluster: Sequence[Activity], background: Background) -> list[Activity] | None:
    """What goes on at the first moment at which no adult is left with the children."""
    for moment in sorted({activity.start or 0 for activity in cluster}):
        out = [a for a in cluster if (a.start or 0) <= moment < (a.start or 0) + a.duration]
        if background.adults <= {name for a in out for name in _names(a, background)} and not _cared_for(
            out, background
        ):
            return out
    return None


def _cared_for(out: Sequence[Activity], background: Background) -> bool:
    """Whether each child that is known by name is named on a branch with an adult."""
    parties = [set(_names(activity, background)) for activity in out]
    return all(any(child in p and p & background.adults for p in parties) for child in background.children)


def _names(activity: Activity, background: Background) -> list[str]:
    given = activity.participants
    return (
        [n for n in given if isinstance(n, str)]
        if isinstance(given, list)
        else sorted(members(given, background.record.users))
    )


def _issue(stay: Stay, out: Sequence[Activity], background: Background) -> Issue:
    last = max(out, key=lambda activity: activity.start or 0)
    parties = " | ".join(
        [
            f"{', '.join(_names(a, background))}: {a.place}" if a.place else ", ".join(_names(a, background))
            for a in out
        ]
    )
    children = ", ".join(background.children)
    params = {"place": last.place, "start": last.start_text, "parties": parties, "children": children}
    return Issue(
        "child_without_adult",
        stay.day,
        {"location": last.place},
        stay.block.at,
        last.at,
        last.place,
        background.children,
        "child_alone",
        params,
    )
