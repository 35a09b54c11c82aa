"""Which sights, and which of them on one day (steps 1 and 2 of appendix A.4)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import chain

import numpy as np

from benchmark.suites.traveleval.baselines.brief import Brief, not_rejected, suits
from benchmark.suites.traveleval.baselines.rides import rides_from
from benchmark.suites.traveleval.world import Sight

_MOST_OF_A_DAY = 8


def most_of_a_ticket(brief: Brief) -> float:
    """CNY that a ticket may cost: what the cheapest rides leave, for each sight and person."""
    fares = [ride.cost for back in (False, True) for ride in rides_from(brief, back=back)]
    left = brief.query.budget - 2 * brief.people * min(fares, default=0.0)
    return left / brief.count_of_sights / brief.people


def choose_sights(brief: Brief, most_each: float) -> list[Sight]:
    """Half of them as preferred, the rest by stars alone. most_each: CNY of a ticket; dearer ones if all are."""
    known = [*brief.city.sight.values()]
    allowed = [sight for sight in known if not_rejected(sight.type_names, brief.query.attractions)]
    affordable = [sight for sight in allowed if sight.price <= max(most_each, 0)]
    ranked = sorted(affordable or allowed, key=_rank)
    wanted = [sight for sight in ranked if suits(sight.type_names, brief.query.attractions)]
    preferred = wanted[: max(brief.count_of_sights // 2, 1)]
    others = [sight for sight in ranked if sight not in preferred]
    return [*preferred, *others][: brief.count_of_sights]


def _rank(sight: Sight) -> tuple[float, str]:
    return (0.0 if math.isnan(sight.star) else -sight.star, sight.name)


def share_by_day(sights: Sequence[Sight], days: int, seed: int) -> list[list[Sight]]:
    """Sights near each other on one day; one on the first and one on the last, the rest evenly.

    k-means by longitude and latitude; then the sights are assigned to places of the clusters so that they are as near
    to the centres as can be.
    """
    if not sights or days == 1:
        return [[*sights[:_MOST_OF_A_DAY]], *([] for _ in range(days - 1))]
    from scipy.cluster.vq import kmeans2  # late: they are large
    from scipy.optimize import linear_sum_assignment

    points = np.array([sight.point for sight in sights])
    clusters = min(days, len(sights))
    rng = np.random.default_rng(seed)
    centres, labels = kmeans2(points, clusters, minit="++", rng=rng, missing="warn")
    order = np.argsort(np.bincount(labels, minlength=clusters), kind="stable")
    places = _places(days, len(sights))
    day_centre = [order[0], *order[2:], *order[1:2]]
    slots = [day for day, count in enumerate(places) for _ in range(count)]
    near = np.array([centres[day_centre[day % clusters]] for day in slots])
    distance = np.linalg.norm(points[:, None] - near[None], axis=2)
    rows, columns = linear_sum_assignment(distance)
    shared: list[list[Sight]] = [[] for _ in range(days)]
    for row, column in zip(rows, columns, strict=True):
        shared[slots[column]].append(sights[row])
    return shared


def _places(days: int, count: int) -> list[int]:
    """How many sights each day takes."""
    inner = max(days - 2, 0)
    ends = [1 if count > 0 else 0, 1 if count > 1 else 0]
    left = max(count - sum(ends), 0) if inner else 0
    middle = [min(left // inner + (n < left % inner), _MOST_OF_A_DAY) for n in range(inner)]
    return [*chain(ends[:1], middle, ends[1:])]
