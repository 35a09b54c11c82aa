"""Drawing queries: destinations, one of five durations, preferences; what no plan fits is dropped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from random import Random
from typing import Any, Final

from benchmark.suites.tripscore.making.reference import Limits, reference_of
from benchmark.suites.tripscore.planner.agent import make_plan
from benchmark.suites.tripscore.scoring.parameters import DEFAULTS
from benchmark.suites.tripscore.scoring.reward import score_plan
from benchmark.suites.tripscore.tasks import Task
from benchmark.suites.tripscore.tasks.task import BANDS, EFFORTS, PACES, SYNTHETIC
from benchmark.suites.tripscore.tasks.words import request_words
from sandbox.worlds import World

DURATIONS: Final = (1, 2, 3, 4, 5)
_SHARE_OF_WISHES: Final = 0.7
"""How often a query has a preference of one kind."""
_MOST_CITIES: Final = 3
_FEWEST_OF_KIND: Final = 2
"""Sights of a wished kind that the data has at least."""
_TRIES: Final = 20
"""Queries that are drawn for one that is kept, before making gives up."""


@dataclass(frozen=True)
class Order:
    """What is made. english: every so-manieth query is in English, 0 for none. prefix: before each id."""

    count: int
    seed: int = 0
    english: int = 3
    first: date = date(2026, 5, 1)
    last: date = date(2026, 9, 30)
    prefix: str = "trip"
    limits: Limits = field(default_factory=Limits)


class TooFewQueries(ValueError):
    """A world gives too few queries that a plan fits; the message says why the others were dropped."""


def made_tasks(pack: World, order: Order, dropped: Counter[str]) -> Iterator[dict[str, Any]]:
    """Tasks as lines of a file. dropped: counts why others were not kept. Raises TooFewQueries."""
    rng = Random(order.seed)
    for number in range(1, order.count + 1):
        for _ in range(_TRIES):
            drawn = _drawn_task(rng, pack, order, number)
            fault = why_dropped(drawn)
            if not fault:
                yield drawn
                break
            dropped[fault] += 1
        else:
            reasons = ", ".join(f"{count} {reason}" for reason, count in dropped.most_common())
            raise TooFewQueries(
                f"query {number}: {_TRIES} draws were dropped ({reasons}); choose other limits"
            )


def _drawn_task(rng: Random, pack: World, order: Order, number: int) -> dict[str, Any]:
    targets = [city.name for city in pack.cities() if city.destination]
    days = DURATIONS[(number - 1) % len(DURATIONS)]
    cities = rng.sample(targets, min(rng.randint(1, max(1, (days + 1) // 2)), _MOST_CITIES, len(targets)))
    homes = [city.name for city in pack.cities() if city.name not in cities]
    departure = rng.choice(homes) if homes else None
    first = order.first + timedelta(days=rng.randint(0, (order.last - order.first).days))
    reference = reference_of(pack, departure, cities, first, days, order.limits)
    query = {
        "type": SYNTHETIC,
        "departure_city": departure,
        "cities": cities,
        "days": days,
        "start_date": first.isoformat(),
        "return_required": departure is not None,
        "preferences": _preferences(rng, reference),
    }
    english = order.english > 0 and number % order.english == 0
    return _with_words(
        {"id": f"{order.prefix}-{number:04d}", "query": query, "reference": reference}, english
    )


def _preferences(rng: Random, reference: dict[str, Any]) -> dict[str, Any]:
    counts = Counter(tag for sight in reference["attractions"] for tag in sight["tags"])
    kinds = sorted(tag for tag, count in counts.items() if count >= _FEWEST_OF_KIND)
    drawn: dict[str, Any] = {
        "budget": rng.choice(list(BANDS)),
        "pacing": rng.choice(PACES),
        "attraction": rng.sample(kinds, min(len(kinds), rng.randint(1, 2))),
        "effort": rng.choice(EFFORTS),
    }
    return {key: value for key, value in drawn.items() if value and rng.random() < _SHARE_OF_WISHES}


def _with_words(task: dict[str, Any], english: bool) -> dict[str, Any]:
    words = request_words(Task.model_validate(task), "en" if english else "zh")
    return {**task, "query": {**task["query"], "user_request": words}}


def why_dropped(raw: dict[str, Any]) -> str:
    """Why a query is not kept, "" where it is: no data, data that contradict it, or no plan that passes the gates."""
    reference, wishes = raw["reference"], raw["query"]["preferences"]
    for key, entries in reference.items():
        if not entries:
            return f"without {key}"
    cities = {*raw["query"]["cities"]}
    if {hotel["city"] for hotel in reference["hotels"]} < cities:
        return "without a hotel in a city"
    if "budget" in wishes and not _has_stars(reference, BANDS[wishes["budget"]]):
        return "without a hotel of the wished class"
    task = Task.model_validate(raw)
    score = score_plan(make_plan(task), task, DEFAULTS, {})
    return "" if score.feasible else "without a plan that passes the gates"


def _has_stars(reference: dict[str, Any], band: str) -> bool:
    low, high = DEFAULTS.star_bands[band]
    stars = (hotel["star"] for hotel in reference["hotels"] if hotel["star"] is not None)
    return any(low <= star and (high is None or star < high) for star in stars)
