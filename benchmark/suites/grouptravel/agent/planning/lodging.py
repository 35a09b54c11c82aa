"""Hotels worth considering in a city."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from benchmark.suites.grouptravel.agent.planning.geography import Atlas, Point, centre, distance_km
from benchmark.suites.grouptravel.agent.planning.knowledge import Knowledge, Place
from benchmark.suites.grouptravel.agent.planning.spots import Spot, category_of, places_in
from benchmark.suites.grouptravel.agent.planning.tastes import Taste

USUAL_NIGHT_CNY = 250.0
SHABBY_CNY = 60.0
"""A bed for less is a dormitory: only for those whose budget leaves nothing else."""
_KEPT = 3


@dataclass(frozen=True, slots=True)
class Lodging:
    """A hotel: its node, CNY a person and night (a twin room shared), utility a night by traveller."""

    name: str
    node: int
    cost: float
    points: tuple[int, ...]
    worth: float


def lodgings(
    known: Knowledge, city: str, tastes: Sequence[Taste], spots: Sequence[Spot], atlas: Atlas
) -> tuple[Lodging, ...]:
    """The best few by class, nearness to the wanted sights and price, then the cheapest few; never empty."""
    hotels = [place for place in places_in(known, city) if place.kind == "hotel"]
    middle = centre(s.place.point for s in [s for s in spots if not s.meal][:8] if s.place.point)
    rated = [(place, _points(place, tastes)) for place in hotels]
    best = sorted(rated, key=lambda pair: -_worth(pair[0], pair[1], middle))[:_KEPT]
    cheap = sorted(rated, key=lambda pair: (_cost(pair[0]), -sum(pair[1]), pair[0].name))[:_KEPT]
    liked = sorted(rated, key=lambda pair: (-sum(pair[1]), _cost(pair[0]), pair[0].name))[:_KEPT]
    chosen = {pair[0].id: pair for pair in [*best, *liked, *cheap]}
    if not chosen:
        unknown = atlas.add(f"{city}市区酒店", middle)
        return (Lodging(f"{city}市区酒店", unknown, USUAL_NIGHT_CNY, (0,) * len(tastes), 0.0),)
    return tuple(
        Lodging(place.name, atlas.add(place.name, place.point or middle), _cost(place), points, worth)
        for place, points in chosen.values()
        for worth in (_worth(place, points, middle),)
    )


def _points(place: Place, tastes: Sequence[Taste]) -> tuple[int, ...]:
    hotel_class = category_of(place)
    return tuple(taste.hotel_points(hotel_class) for taste in tastes)


def _cost(place: Place) -> float:
    return USUAL_NIGHT_CNY if place.price is None else place.price


def _worth(place: Place, points: Sequence[int], middle: Point | None) -> float:
    """Utility of a night for an average traveller, and small change for price, way and rating."""
    far = distance_km(place.point, middle) if place.point and middle else 10.0
    guess = 0.3 if place.price is None else 1.0 if place.price < SHABBY_CNY else 0.0
    return sum(points) / len(points) + 0.02 * place.rating - 0.0004 * _cost(place) - 0.012 * far - guess
