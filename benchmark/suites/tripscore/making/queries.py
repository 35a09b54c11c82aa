"""Drawing queries: destinations, one of five durations, preferences; what no plan fits is dropped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from random import Random
from typing import Any, Final

from benchmark.metrics import gettext_noop as _
from benchmark.suites.tripscore.making.ordering import DURATIONS, SHARES
from benchmark.suites.tripscore.making.reference import Limits, reference_of
from benchmark.suites.tripscore.planner.agent import drafts_of
from benchmark.suites.tripscore.scoring.parameters import DEFAULTS
from benchmark.suites.tripscore.scoring.reward import score_plan
from benchmark.suites.tripscore.scoring.trip import Lookup
from benchmark.suites.tripscore.tasks import Task
from benchmark.suites.tripscore.tasks.task import BANDS, EFFORTS, PACES, REAL, SPLITS, SYNTHETIC
from benchmark.suites.tripscore.tasks.words import request_words
from sandbox.worlds import World

PAPER_SHARES: Final[Mapping[str, Sequence[float]]] = {SYNTHETIC: (3493, 100, 1000), REAL: (0, 58, 219)}
"""Queries of each type for training, validation and test."""
_SHARE_OF_WISHES: Final = 0.7
"""How often a query has a preference of one kind."""
_MOST_CITIES: Final = 3
_FEWEST_OF_KIND: Final = 2
"""Sights of a wished kind that the data has at least."""
_TRIES: Final = 20
"""Queries that are drawn for one that is kept, before making gives up."""


@dataclass(frozen=True)
class Order:
    """What is made. english: every so-manieth query is in English, 0 for none. prefix: before each id. length: days
    of all, 0 for the five durations in turn. split: of all, `SHARES` for the paper's shares, "" for none.
    """

    count: int
    seed: int = 0
    english: int = 3
    first: date = date(2026, 5, 1)
    last: date = date(2026, 9, 30)
    prefix: str = "trip"
    limits: Limits = field(default_factory=Limits)
    length: int = 0
    split: str = ""


class TooFewQueries(ValueError):
    """A world gives too few queries that a plan fits; the message says why the others were dropped."""


def made_tasks(pack: World, order: Order, dropped: Counter[str]) -> Iterator[dict[str, Any]]:
    """Tasks as lines of a file. dropped: counts why others were not kept. Raises TooFewQueries."""
    rng = Random(order.seed)
    splits = splits_of(order.count, PAPER_SHARES[SYNTHETIC], order.seed) if order.split == SHARES else []
    for number in range(1, order.count + 1):
        for _try in range(_TRIES):
            drawn = _drawn_task(rng, pack, order, number)
            fault = why_dropped(Task.model_validate(drawn))
            if not fault:
                split = splits[number - 1] if splits else order.split
                yield {"id": drawn["id"], "split": split, **drawn} if split else drawn
                break
            dropped[fault] += 1
        else:
            reasons = ", ".join(f"{count} {reason}" for reason, count in dropped.most_common())
            raise TooFewQueries(
                f"query {number}: {_TRIES} draws were dropped ({reasons}); choose other limits"
            )


def _drawn_task(rng: Random, pack: World, order: Order, number: int) -> dict[str, Any]:
    targets = [city.name for city in pack.cities() if city.destination]
    days = order.length or DURATIONS[(number - 1) % len(DURATIONS)]
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


def why_dropped(task: Task) -> str:
    """Why a query is not kept, "" where it is: no data, data that contradict it, or no plan that passes the gates.

    The reasons are message ids.
    """
    query, reference = task.query, task.reference
    if not reference.attractions:
        return _("without attractions")
    if not reference.hotels:
        return _("without hotels")
    if not reference.transportation and (query.leaves_from_outside or len(query.cities) > 1):
        return _("without transport")
    if not {*query.folded_cities} <= {hotel.folded_city for hotel in reference.hotels}:
        return _("without a hotel in a city")
    if query.preferences.budget and not _has_stars(task, query.preferences.budget):
        return _("without a hotel of the wished class")
    lookup = Lookup(reference)
    plans = (score_plan(plan, task, DEFAULTS, {}, lookup).feasible for plan in drafts_of(task))
    return "" if any(plans) else _("without a plan that passes the gates")


def _has_stars(task: Task, wish: str) -> bool:
    band = DEFAULTS.band(wish)
    stars = [hotel.star for hotel in task.reference.hotels if hotel.star is not None]
    return band is None or any(band[0] <= star and (band[1] is None or star < band[1]) for star in stars)


# Splits.


def splits_of(count: int, shares: Sequence[float], seed: int) -> list[str]:
    """A split for each of so many queries, in these shares of train, validation and test, shuffled."""
    ends = [round(count * sum(shares[: n + 1]) / sum(shares)) for n in range(len(shares))]
    splits = [
        name for name, begin, end in zip(SPLITS, [0, *ends], ends, strict=False) for _n in range(end - begin)
    ]
    Random(f"{seed}/splits").shuffle(splits)
    return splits
