"""Constraints 11 to 22: how good a plan is. A rule gives a figure in [0, 1], None if missing, with what lowers it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from typing import Any, Final, NamedTuple

from benchmark.plans.view import Mark
from benchmark.plans.ways import great_circle_km
from benchmark.suites.tripscore.scoring.parameters import SOFT, USER, WISHES, Parameters
from benchmark.suites.tripscore.scoring.trip import HOTEL, POI, TRANSPORT, Item, Trip
from benchmark.suites.tripscore.tasks.names import fold_name
from benchmark.suites.tripscore.tasks.task import REAL

Ratings = Mapping[str, Any]
_TINY: Final = 1e-9
"""So that sums of hours and shares of pairs that are whole stay so."""


class Worth(NamedTuple):
    """A figure, and what lowers it."""

    value: float | None
    marks: Sequence[Mark] = ()


def _day_mark(day: int, key: str, **params: object) -> Mark:
    return Mark(("dayInfos", day), key, {"day": day + 1, **params})


def _of_days(trip: Trip, bad: list[Mark]) -> Worth:
    return Worth(1 - len(bad) / trip.day_count, bad)


# Soft constraints.


def density(trip: Trip, _ratings: Ratings) -> Worth:
    """11: days with as many hours as are good."""
    bad = []
    for day, hours in enumerate(trip.day_hours):
        with_leg = trip.has_leg(day)
        low, high = trip.parameters.density_transfer if with_leg else trip.parameters.density_full
        if not low - _TINY <= hours <= high + _TINY:
            bad.append(_day_mark(day, "density", hours=hours, low=low, high=high))
    return _of_days(trip, bad)


def same_hotel(trip: Trip, _ratings: Ratings) -> Worth:
    """12: nights without a change of hotel near by."""
    switches = [
        night.mark("switch", before=before.name[:80])
        for before, night in pairwise(trip.nights)
        if _switches(before, night, trip.parameters.hotel_near_km)
    ]
    return Worth(1 - len(switches) / len(trip.nights) if trip.nights else 1.0, switches)


def _switches(before: Item, night: Item, near_km: float) -> bool:
    one, other = before.place, night.place
    if one is None or other is None or one.id == other.id or one.folded_city != other.folded_city:
        return False
    points = one.point, other.point
    return points[0] is None or points[1] is None or great_circle_km(points[0], points[1]) <= near_km


def daytime(trip: Trip, _ratings: Ratings) -> Worth:
    """13: days that are used before the evening, and begin with a sight that opens early."""
    bad = []
    for day, items in enumerate(trip.days):
        used = {item.period for item in items if item.kind in (POI, TRANSPORT)}
        empty = [period for period in (0, 1) if period not in used]
        if len(empty) >= (2 if trip.parameters.daytime_mode == "both" else 1):
            bad.append(_day_mark(day, "empty_day"))
        elif late := _late_first(trip, items):
            bad.append(late)
    return _of_days(trip, bad)


def _late_first(trip: Trip, items: Iterable[Item]) -> Mark | None:
    first = next((item for item in items if item.kind != HOTEL), None)
    windows = trip.open_windows(first) if first else None
    opens = min((window.start for window in windows or ()), default=0)
    return first.mark("opens_late") if first and opens >= trip.parameters.late_minutes and windows else None


def unique(trip: Trip, _ratings: Ratings) -> Worth:
    """14: sights that are not visited again."""
    count = len(trip.visits)
    again = {key: times for key, times in Counter(item.key for item in trip.visits).items() if times > 1}
    if not count:
        return Worth(1.0)
    squares = sum((times - 1) ** 2 for times in again.values())
    value = max(0.0, 1 - len(again) / count - trip.parameters.dup_weight * squares / count)
    last = {item.key: item for item in trip.visits}
    return Worth(value, [last[key].mark("again", times=times) for key, times in again.items()])


def clustering(trip: Trip, _ratings: Ratings) -> Worth:
    """15: ways between sights that are none of the longest ones."""
    places = {item.key: item for item in trip.visits if item.place and item.place.point}
    lengths = sorted(
        (_km(one, other) for one, other in combinations(places.values(), 2) if _pairs_up(trip, one, other)),
        reverse=True,
    )
    most = math.floor(trip.parameters.far_share * len(lengths) + _TINY)
    if not most:
        return Worth(1.0)
    least = lengths[most - 1]
    far = [
        item.mark("far", before=before.name[:80], km=round(km, 1))
        for before, item, km in _ways(trip)
        if km >= least and km > trip.parameters.far_floor_km
    ]
    return Worth(max(0.0, 1 - len(far) / len(trip.visits)), far)


def _pairs_up(trip: Trip, one: Item, other: Item) -> bool:
    assert one.place and other.place
    return trip.parameters.cluster_pairs == "all" or one.place.folded_city == other.place.folded_city


def _km(one: Item, other: Item) -> float:
    assert one.place and other.place and one.place.point and other.place.point
    return great_circle_km(one.place.point, other.place.point)


def _ways(trip: Trip) -> Iterator[tuple[Item, Item, float]]:
    """From sight to sight, where both lie somewhere."""
    for day in trip.day_visits:
        for before, item in pairwise(day):
            located = before.place and before.place.point and item.place and item.place.point
            if located and _pairs_up(trip, before, item):
                yield before, item, _km(before, item)


def _rating_rule(key: str) -> Any:
    return lambda _trip, ratings: Worth(of_sights(_rating(ratings, key)))


def of_sights(rating: float | None) -> float | None:
    """16, 17: what a rating of 1 to 5 is worth; None for any other."""
    return (rating - 1) / 4 if rating is not None and 1 <= rating <= 5 else None


def of_request(rating: float | None, zero: float) -> float | None:
    """22: the same of the request, where 0 says that nothing in particular was asked, which is worth `zero`."""
    if rating == 0:
        return zero
    return 0.2 * rating if rating is not None and 1 <= rating <= 5 else None


def _rating(ratings: Ratings, key: str) -> float | None:
    value = ratings.get(key)
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= 5:
        return None
    return float(value)


# Preferences.


def budget(trip: Trip, _ratings: Ratings) -> Worth:
    """18: nights in a hotel of the wished stars."""
    wish = trip.task.query.preferences.budget
    band = trip.parameters.band(wish) if wish else None
    nights = [(item, star) for item in trip.nights if (star := getattr(item.place, "star", None)) is not None]
    if not nights or band is None:
        return Worth(None)
    low, high = band
    others = [
        item.mark("stars", star=star, wish=wish)
        for item, star in nights
        if star < low or (high is not None and star >= high)
    ]
    return Worth(1 - len(others) / len(nights), others)


def pacing(trip: Trip, _ratings: Ratings) -> Worth:
    """19: days with as many hours as the traveller likes."""
    wish = trip.task.query.preferences.pacing
    if wish is None:
        return Worth(None)
    low, high = trip.parameters.span(wish)
    fits = [_fit(hours, 0 if trip.has_leg(day) else low, high) for day, hours in enumerate(trip.day_hours)]
    marks = [
        _day_mark(day, "pace", hours=trip.day_hours[day], low=low, high=high, wish=wish)
        for day, fit in enumerate(fits)
        if fit < 1
    ]
    return Worth(sum(fits) / trip.day_count, marks)


def _fit(hours: float, low: float, high: float) -> float:
    if hours < low - _TINY:
        return hours / low
    return 1.0 if hours <= high + _TINY else max(0.0, 1 - (hours - high) / high)


def attraction(trip: Trip, _ratings: Ratings) -> Worth:
    """20: sights of a wished kind."""
    wished = {fold_name(tag) for tag in trip.task.query.preferences.attraction}
    if not wished:
        return Worth(None)
    others = [item for item in trip.visits if not (item.sight and item.sight.folded_tags & wished)]
    tags = ", ".join(trip.task.query.preferences.attraction)[:200]
    marks = [item.mark("other_kind", tags=tags) for item in others]
    return Worth(1 - len(others) / len(trip.visits) if trip.visits else 0.0, marks)


STRENGTHS: Final = {"hiking": 1, "theme-park": 1, "mountain-climbing": 1, "cycling": 2}
"""Of what a day asks of the legs, by tags of its sights."""


def effort(trip: Trip, _ratings: Ratings) -> Worth:
    """21: days that are as hard as the traveller likes."""
    wish = trip.task.query.preferences.effort
    if wish is None:
        return Worth(None)
    sums = [0, *(sum(map(_strength, day)) for day in trip.day_visits), 0]
    labels = [effort_label(*sums[day : day + 3]) for day in range(trip.day_count)]
    others = [
        _day_mark(day, "effort", label=label, wish=wish)
        for day, label in enumerate(labels)
        if label != fold_name(wish)
    ]
    return _of_days(trip, others)


def _strength(item: Item) -> int:
    tags = item.sight.folded_tags if item.sight else ()
    return max((STRENGTHS.get(tag, 0) for tag in tags), default=0)


def effort_label(before: int, own: int, after: int) -> str:
    """What a day asks of the legs, by its sum of strengths and those of its neighbours."""
    neighbours = before > 0 or after > 0
    if own > 2 or (own > 0 and neighbours):
        return "strenuous"
    return "light" if own == 0 and not neighbours else "moderate"


def user(trip: Trip, ratings: Ratings) -> Worth:
    """22: what a judge says of a person's request; 0 where it asks for nothing in particular."""
    return Worth(of_request(_rating(ratings, USER), trip.parameters.user_zero))


SOFT_RULES: Final = dict(
    zip(
        SOFT.values(),
        (density, same_hotel, daytime, unique, clustering, _rating_rule("iconic"), _rating_rule("diversity")),
        strict=True,
    )
)
WISH_RULES: Final = dict(zip(WISHES, (budget, pacing, attraction, effort), strict=True))
USER_RULES: Final = {USER: user}


def wish_rules(trip: Trip) -> Mapping[str, Any]:
    """The rules of the preferences of a query of its type."""
    return USER_RULES if trip.task.query.type == REAL else WISH_RULES


def is_stated(trip: Trip, wish: str) -> bool:
    """Whether the query has a preference; a person's request always has."""
    return wish == USER or bool(getattr(trip.task.query.preferences, wish))


def weigh(values: Mapping[str, float | None], weights: Mapping[str, float], parameters: Parameters) -> float:
    """The weighted mean; missing values leave it, or count 0. 0 where nothing is left."""
    counts_zero = parameters.missing == "zero"
    known = {key: value or 0.0 for key, value in values.items() if counts_zero or value is not None}
    whole = sum(weights.get(key, 0.0) for key in known)
    return sum(weights.get(key, 0.0) * value for key, value in known.items()) / whole if whole else 0.0
