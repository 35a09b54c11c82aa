"""Rule 7: every scheduled item carries a cost."""

from __future__ import annotations

from collections.abc import Iterator

from benchmark.suites.grouptravel.itineraries.reading import ATTRACTION, TRANSIT
from benchmark.suites.grouptravel.scoring.paper.background import Background
from benchmark.suites.grouptravel.scoring.trip import Trip
from benchmark.suites.grouptravel.scoring.validity.issue import Issue, at_place

_FREE_AS_PUBLISHED = frozenset((ATTRACTION, TRANSIT))


def uncosted_item(trip: Trip, _background: Background) -> Iterator[Issue]:
    """`missing_avg_cost` for sights and local transport too; 0 is a cost. Rest is nothing that costs."""
    for outing in trip.outings:
        if outing.activity.kind in _FREE_AS_PUBLISHED and outing.activity.cost is None:
            yield at_place("missing_avg_cost", outing, "no_cost", {})
