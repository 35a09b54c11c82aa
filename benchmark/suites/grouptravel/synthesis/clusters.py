"""Which cities make a trip together: the shipped clusters, and those of another world by the same rule (3.2, A.9.1).

The rule is ours, fitted to 29 clusters of the published tasks. The hub comes first: a city of the first tier or a
capital, else the one of the higher tier. See `CONDITIONS` for the distances.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise, permutations
from math import prod
from typing import Any, NamedTuple

import orjson

from benchmark.remarks import Remark, gettext_noop
from benchmark.suites.grouptravel.synthesis.archetypes import DATA
from benchmark.suites.grouptravel.synthesis.cities import CATALOGUE, Town

LEG_KM, FIRST_LEG_KM, SPAN_KM, REGIONS_KM = 260.0, 300.0, 350.0, 220.0
FAR_PAIR_KM = 450.0
FAR_HUBS = frozenset(("southwest", "northwest", "central"))
CONDITIONS = Remark(
    gettext_noop(
        "legs of at most %(leg)s km, the first of at most %(first)s; at most %(span)s km between any two; pairs "
        "from a hub of the south-west, north-west or centre up to %(far)s km; cities of two regions at most "
        "%(regions)s km apart; never over the sea"
    ),
    {
        "leg": f"{LEG_KM:g}",
        "first": f"{FIRST_LEG_KM:g}",
        "span": f"{SPAN_KM:g}",
        "far": f"{FAR_PAIR_KM:g}",
        "regions": f"{REGIONS_KM:g}",
    },
)
_CAPS = {3: 9, 2: 6, 1: 3}
_MOST = {2: 98, 3: 77}


class Cluster(NamedTuple):
    """Cities in the order of the trip, the hub first. weight: the largest of theirs."""

    cities: tuple[str, ...]
    weight: int


def _read_shipped_clusters() -> tuple[Cluster, ...]:
    data: dict[str, Any] = orjson.loads((DATA / "clusters.json").read_bytes())
    return tuple(Cluster(tuple(entry["cities"]), entry["weight"]) for entry in data["clusters"])


SHIPPED_CLUSTERS = _read_shipped_clusters()
"""The 175 clusters over the whole catalogue."""


def clusters_of(towns: Mapping[str, Town]) -> tuple[Cluster, ...]:
    """The clusters of a world with these cities: the shipped ones where it has the whole catalogue, else its own."""
    return SHIPPED_CLUSTERS if CATALOGUE.keys() <= towns.keys() else derive_clusters(towns.values())


def destinations(towns: Mapping[str, Town]) -> dict[int, tuple[Cluster, ...]]:
    """By the number of cities, 1 to 3, all that a trip may lead to."""
    alone = tuple(Cluster((town.name,), town.weight) for town in towns.values())
    clusters = clusters_of(towns)
    return {1: alone} | {
        size: tuple(cluster for cluster in clusters if len(cluster.cities) == size) for size in (2, 3)
    }


def derive_clusters(towns: Iterable[Town]) -> tuple[Cluster, ...]:
    """Clusters by the rule: pairs, then triples, each the best of every city first."""
    known = sorted(towns, key=lambda town: (town.position, town.name))
    return tuple(
        Cluster(tuple(town.name for town in way), max(town.weight for town in way))
        for size in (2, 3)
        for way in _choose_ways(_ways(known, size), _MOST[size])
    )


def _ways(towns: Sequence[Town], size: int) -> list[tuple[Town, ...]]:
    """Every set of cities that may go together, in its best order; the most worthwhile first."""
    ways = []
    for together in _near(towns, size):
        hub = min(together, key=_rank)
        others = [town for town in together if town is not hub]
        orders = ((hub, *order) for order in permutations(others))
        fitting = [way for way in orders if _fits(way)]
        if fitting:
            ways.append(min(fitting, key=_length))
    return sorted(ways, key=lambda way: (-prod(town.weight for town in way) / _length(way), _names(way)))


def _near(towns: Sequence[Town], size: int) -> Iterator[tuple[Town, ...]]:
    """Sets of cities of which any two may go together, so that few are looked at closely."""
    pairs = [
        (one, other)
        for one, other in combinations(towns, 2)
        if one.km(other) <= FAR_PAIR_KM and _go_together(one, other)
    ]
    if size == 2:
        yield from pairs
        return
    beside: dict[Town, list[Town]] = {}
    for one, other in pairs:
        if one.km(other) <= SPAN_KM:
            beside.setdefault(one, []).append(other)
    known = {(one, other) for one, others in beside.items() for other in others}
    for one, others in beside.items():
        yield from ((one, *pair) for pair in combinations(others, 2) if pair in known)


def _rank(town: Town) -> tuple[bool, int, int, str]:
    first = town.weight == max(_CAPS) or town.capital
    return (not first, -town.weight, town.position, town.name)


def _fits(way: Sequence[Town]) -> bool:
    if not all(_go_together(one, other) for one, other in combinations(way, 2)):
        return False
    far = len(way) == 2 and way[0].region in FAR_HUBS and way[0].region == way[1].region
    legs = [one.km(other) for one, other in pairwise(way)]
    span = max(one.km(other) for one, other in combinations(way, 2))
    if far:
        return span <= FAR_PAIR_KM
    return legs[0] <= FIRST_LEG_KM and max(legs[1:], default=0) <= LEG_KM and span <= SPAN_KM


def _go_together(one: Town, other: Town) -> bool:
    if not one.over_land(other):
        return False
    return one.region == other.region or one.km(other) <= REGIONS_KM


def _length(way: Sequence[Town]) -> float:
    return sum(one.km(other) for one, other in pairwise(way))


def _names(way: Iterable[Town]) -> tuple[str, ...]:
    return tuple(town.name for town in way)


def _choose_ways(ways: Sequence[tuple[Town, ...]], most: int) -> list[tuple[Town, ...]]:
    """Up to `most`: the best of each city, then the others while none of their cities stands in too many."""
    chosen: dict[tuple[str, ...], tuple[Town, ...]] = {}
    used: Counter[str] = Counter()

    def take(way: tuple[Town, ...]) -> None:
        if len(chosen) < most and _names(way) not in chosen:
            chosen[_names(way)] = way
            used.update(_names(way))

    for way in ways:
        if any(not used[name] for name in _names(way)):
            take(way)
    for way in ways:
        if all(used[town.name] < _CAPS[town.weight] for town in way):
            take(way)
    return list(chosen.values())
