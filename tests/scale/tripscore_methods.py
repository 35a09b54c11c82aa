"""TripScore's methods that search, against trying everything."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from itertools import combinations, product
from random import Random
from typing import Any

from benchmark.plans.ways import great_circle_km
from benchmark.suites.tripscore.methods.requests import Request
from benchmark.suites.tripscore.methods.ttg.days import RELAXABLE, DayRows
from benchmark.suites.tripscore.methods.ttg.journey import JourneyRows
from benchmark.suites.tripscore.methods.ttg.program import Key, Program
from benchmark.suites.tripscore.methods.ttg.solving import days_of
from benchmark.suites.tripscore.planner.agent import write_plan
from benchmark.suites.tripscore.planner.days import is_open_for
from benchmark.suites.tripscore.scoring.parameters import DEFAULTS
from benchmark.suites.tripscore.scoring.reward import Score, score_plan
from benchmark.suites.tripscore.scoring.trip import Lookup
from benchmark.suites.tripscore.tasks import Task
from tests.scale.tripscore import daily, leg

# A program against all its solutions.


def small_task(seed: int, sights: int = 3, days: int = 2) -> Task:
    """A task of one city, small enough to try everything."""
    rng = Random(seed)
    calendars = [None, None, daily("8:00", "18:00"), daily("13:00", "23:00"), daily("17:00", "23:30")]
    tags = [[], ["museum"], ["hiking"], ["cycling"], ["theme-park", "museum"]]
    places = [
        {
            "id": f"s{n}",
            "name": f"Sight {n}",
            "city": "Elm",
            "lat": 30 + rng.random() / 5,
            "lon": 110 + rng.random() / 5,
            "tags": rng.choice(tags),
            "hours": rng.choice([1, 2, 3, 4.5]),
            "openTimeCalendar": rng.choice(calendars),
        }
        for n in range(sights)
    ]
    hotels = [
        {"id": f"h{n}", "name": f"Inn {n}", "city": "Elm", "star": rng.choice([2, 3, 5])} for n in range(2)
    ]
    last = f"0{days}"
    legs = [
        leg("1", "Home-Elm", "01T08:00", "01T10:00"),
        leg("2", "Elm-Home", f"{last}T16:30", f"{last}T19:00"),
    ]
    legs += [leg("3", "Elm-Home", f"{last}T20:10", f"{last}T22:00")]
    drawn: dict[str, Any] = {
        "budget": rng.choice(["cost-effective", "comfortable", "high-end"]),
        "pacing": rng.choice(["relaxed", "moderate", "compact"]),
        "attraction": ["museum"],
        "effort": rng.choice(["light", "moderate", "strenuous"]),
    }
    query = {
        "type": "synthetic",
        "departure_city": rng.choice(["Home", None]),
        "cities": ["Elm"],
        "days": days,
        "start_date": "2026-05-01",
        "preferences": {key: value for key, value in drawn.items() if rng.random() < 0.7},
    }
    reference = {"attractions": places, "hotels": hotels, "transportation": legs}
    return Task.model_validate({"id": f"small-{seed}", "query": query, "reference": reference})


def solved_worth(task: Task, relaxed: tuple[str, ...] = RELAXABLE) -> float | None:
    """What the program says of its best solution; None where there is none."""
    program = Program()
    DayRows(program, Request(task), JourneyRows(program, task), relaxed)
    solution = program.solve(60, 0)
    return solution.worth if solution.choice is not None else None


def best_worth(task: Task, relaxed: tuple[str, ...] = RELAXABLE) -> float | None:
    """The same by trying all choices: the gates and figures are those of the score, the rest is worked out here."""
    journey, lookup = JourneyRows(Program(), task), Lookup(task.reference)
    worths = (_worth(task, choice, journey, lookup, relaxed) for choice in _choices(task))
    return max((worth for worth in worths if worth is not None), default=None)


def _choices(task: Task) -> Iterator[frozenset[Key]]:
    days = range(task.query.days)
    slots = [
        [None, *(("see", one.id, *slot) for slot in product(days, range(3)) if _is_open(task, one, *slot))]
        for one in task.reference.attractions
    ]
    hotels = [[("sleep", one.id, night) for one in task.reference.hotels] for night in days[:-1]]
    back = [("leg", id_, len(days) - 1) for id_ in ("2", "3")]
    home = task.query.departure_city is not None
    ways = [(("leg", "1", 0), leg_home) for leg_home in back] if home else [(("begin", "Elm".casefold()),)]
    for seen, nights, way in product(product(*slots), product(*hotels), ways):
        yield (
            frozenset(
                [key for key in seen if key],
            )
            | frozenset(nights)
            | frozenset(way)
        )


def _is_open(task: Task, sight: Any, day: int, period: int) -> bool:
    return is_open_for(sight, task.query.start_date + timedelta(days=day), period)


def _worth(
    task: Task, choice: frozenset[Key], journey: JourneyRows, lookup: Lookup, relaxed: tuple[str, ...]
) -> float | None:
    seen = [key for key in choice if key[0] == "see"]
    slots = [key[2:] for key in seen]
    if any(slots.count(slot) > 2 for slot in slots):
        return None
    score = score_plan(write_plan(task, days_of(Request(task), journey, choice)), task, DEFAULTS, {}, lookup)
    if score.soft is None or score.pref is None:
        return None
    soft, pref = score.soft, {key: value for key, value in score.pref.items() if key in score.stated_wishes}
    strict = {"density": soft["schedule_density"], **{key: pref.get(key) for key in ("pacing", "budget")}}
    if any(value is not None and value < 1 for key, value in strict.items() if key not in relaxed):
        return None
    return _linear(task, score, seen)


def _linear(task: Task, score: Score, seen: list[Key]) -> float:
    """Figures that the program has whole, and what stands in it for clustering and kinds of sights."""
    assert score.soft and score.pref
    days, w1, w2 = task.query.days, DEFAULTS.w1, DEFAULTS.w2
    rules = ("schedule_density", "hotel_consistency", "daytime_utilization", "unique_attractions")
    soft = {
        **{key: score.soft[key] or 0.0 for key in rules},
        "location_clustering": 1 - _far(task, seen) / (2 * days),
    }
    wanted = {sight.id for sight in task.reference.attractions if "museum" in sight.tags}
    pref = {key: 1.0 if score.pref[key] is None else score.pref[key] or 0.0 for key in score.stated_wishes}
    if "attraction" in pref:
        pref["attraction"] = 1 - sum(key[1] not in wanted for key in seen) / (2 * days)
    whole = sum(w2[key] for key in pref) or 1.0
    good = sum(w1[key] * value for key, value in soft.items()) / sum(w1[key] for key in soft)
    return good + DEFAULTS.w4["synthetic"] * sum(w2[key] * value for key, value in pref.items()) / whole


def _far(task: Task, seen: list[Key]) -> int:
    """Pairs of a day that are among the farthest fifth of all."""
    points = {sight.id: sight.point for sight in task.reference.attractions}
    pairs = sorted(
        combinations(points, 2),
        key=lambda pair: great_circle_km(points[pair[0]], points[pair[1]]),
        reverse=True,
    )
    day_of = {key[1]: key[2] for key in seen}
    far = pairs[: len(pairs) // 5]
    return sum(one in day_of and day_of[one] == day_of.get(other) for one, other in far)
