"""What it costs a group to go separate ways (the K − 1 term of group utility)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from benchmark.suites.grouptravel.itineraries.reading import ATTRACTION, FOOD, REST, TRANSIT, Activity
from benchmark.suites.grouptravel.scoring.leniency import party
from benchmark.suites.grouptravel.scoring.trip import Stay, Trip

_SPLITTABLE = frozenset((ATTRACTION, FOOD, REST, TRANSIT))


class Split(NamedTuple):
    """A cluster of activities that overlap in time, in which disjoint parties go separate ways.

    parties: the distinct participant sets, each sorted; penalty: their number less one.
    """

    day: Any
    segment: int
    activities: tuple[int, ...]
    parties: tuple[tuple[str, ...], ...]
    penalty: int


def splits(trip: Trip) -> list[Split]:
    """Every split of the plan."""
    return [split for stay in trip.stays for split, _ in splits_of(stay)]


def splits_of(stay: Stay) -> Iterator[tuple[Split, list[Activity]]]:
    """The splits of one block, each with the activities of its cluster by their start."""
    for cluster in _clusters(stay):
        if split := _split(stay, cluster):
            yield split, cluster


def _clusters(stay: Stay) -> list[list[Activity]]:
    """Activities with participants of their own, joined as long as each overlaps the cluster so far."""
    own = [a for o in stay.own if not (a := o.activity).shared and _splits(a)]
    own.sort(key=lambda a: a.start or 0)
    clusters: list[list[Activity]] = []
    until = 0
    for activity in own:
        if clusters and (activity.start or 0) < until:
            clusters[-1].append(activity)
            until = max(until, activity.end or 0)
        else:
            clusters.append([activity])
            until = activity.end or 0
    return clusters


def _splits(activity: Activity) -> bool:
    return activity.kind in _SPLITTABLE and activity.duration > 0


def _split(stay: Stay, cluster: Sequence[Activity]) -> Split | None:
    if len(cluster) < 2:
        return None
    parties = list(dict.fromkeys([party(activity.participants) for activity in cluster]))
    if len(parties) < 2 or len(frozenset().union(*parties)) < sum(map(len, parties)):
        return None
    names = tuple([tuple(sorted(map(str, each))) for each in parties])
    return Split(stay.day.label, stay.block.at, tuple([a.at for a in cluster]), names, len(parties) - 1)
