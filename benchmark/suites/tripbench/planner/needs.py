"""What a trip must hold some of, and how far hotels are from it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from statistics import fmean
from typing import Final, NamedTuple

from benchmark.suites.tripbench.planner.items import Sight
from benchmark.suites.tripbench.planner.problem import Problem, km_between
from benchmark.suites.tripbench.rubrics import attractions, restaurants
from sandbox.toolsets.tripbench.records import Attraction, Restaurant

_BEST_SIGHTS: Final = 20
_WITHOUT_NEEDED, _NEAR_SIGHT = 1000.0, 20.0
"""Kilometres that a hotel counts as farther without what is needed near it, and as nearer for each sight."""


class Need(NamedTuple):
    """Something of which the trip must hold some: the ids of a constraint, and of the places that will do."""

    constraint: str
    ids: frozenset[str]


def needs_of(problem: Problem, sights: Sequence[Attraction]) -> list[Need]:
    """What must be visited, of these attractions alone."""
    found = list[Need]()
    for id_, rubric in problem.rubrics.items():
        if isinstance(rubric, attractions.IncludeAttractions):
            known = {place.id for place in sights}
            found += [Need(id_, frozenset({one} & known)) for one in rubric.ids]
        elif isinstance(rubric, attractions.IncludeCategories):
            found += _needs_of_names(id_, rubric, [(each.id, each.categories) for each in sights])
        elif isinstance(rubric, attractions.CategoryPriority):
            found.append(Need(id_, _of_category(rubric.cats[:1], sights)))
        elif isinstance(rubric, attractions.SightLevel) and rubric.quant == "any":
            found.append(Need(id_, frozenset(one.id for one in sights if rubric.has_level(one.sight_level))))
    return found


def _of_category(names: Sequence[str], sights: Iterable[Attraction]) -> frozenset[str]:
    return frozenset(one.id for one in sights if {*names} & {*one.categories})


def with_steps(problem: Problem, needs: list[Need], sights: Sequence[Attraction]) -> list[Need]:
    """With what must be visited before a category of lower priority may be."""
    by_id = {one.id: {*one.categories} for one in sights}
    steps = dict[Need, None]()
    for rubric in problem.of(attractions.CategoryPriority):
        for need in needs:
            ranks = [_rank(rubric.cats, by_id[id_]) for id_ in need.ids]
            for name in rubric.cats[: min(ranks, default=0)]:
                steps[Need(need.constraint, _of_category([name], sights))] = None
    return [*dict.fromkeys((*steps, *needs))]


def _rank(cats: Sequence[str], own: set[str]) -> int:
    """How many categories come before the first of its own."""
    return next((rank for rank, name in enumerate(cats) if name in own), 0)


def cuisine_needs_of(problem: Problem, eateries: Sequence[Restaurant]) -> list[Need]:
    """What must be eaten, of these restaurants alone."""
    named = [(each.id, (each.category,) if each.category else ()) for each in eateries]
    return [
        need
        for id_, rubric in problem.rubrics.items()
        if isinstance(rubric, restaurants.IncludeCuisine)
        for need in _needs_of_names(id_, rubric, named)
    ]


def _needs_of_names(
    id_: str,
    rubric: attractions.IncludeCategories | restaurants.IncludeCuisine,
    named: Sequence[tuple[str, Sequence[str]]],
) -> Iterator[Need]:
    for group in [[name] for name in rubric.cats] if rubric.mode == "all" else [rubric.cats]:
        yield Need(id_, frozenset(place for place, names in named if {*group} & {*names}))


def remoteness_of(
    problem: Problem, sights: Sequence[Sight], needs: Sequence[Need], limit: float
) -> dict[str, float]:
    """Kilometres of each hotel from what must be visited and what is best, by id.

    limit: how far sights may be from their hotel.
    """
    found = dict[str, float]()
    for city in dict.fromkeys(problem.frame.destinations):
        own = [sight for sight in sights if sight.place.city == city]
        best = sorted(own, key=lambda each: (-(each.place.rating or 0), each.id))[:_BEST_SIGHTS]
        middle = (_mean(each.point[0] for each in best), _mean(each.point[1] for each in best))
        wanted = [own_need for need in needs if (own_need := [each for each in own if each.id in need.ids])]
        for hotel in problem.world.hotels_in(city):
            point = hotel.point
            mean = km_between(point, middle) if best else 0.0
            ways = [min(km_between(point, each.point) for each in needed) for needed in wanted]
            far = _mean(ways)
            if limit < float("inf"):
                near = sum(km_between(point, sight.point) <= limit for sight in own)
                far = _WITHOUT_NEEDED * sum(way > limit for way in ways) - _NEAR_SIGHT * min(near, 30)
            found[hotel.id] = mean / 2 + far
    return found


def _mean(figures: Iterable[float]) -> float:
    """0 of nothing."""
    return fmean(known) if (known := [*figures]) else 0.0
