"""TripScore over broken plans and tasks: `python -m tests.scale.tripscore [COUNT]`."""

from __future__ import annotations

import copy
import json
import sys
from collections import Counter
from collections.abc import Iterator
from random import Random
from time import perf_counter
from typing import Any

from pydantic import ValidationError

from benchmark.core.setting import Setting
from benchmark.suites.base import CaseContext, CaseRefused
from benchmark.suites.tripscore.plans import view_plan
from benchmark.suites.tripscore.scoring.cases import score_case
from benchmark.suites.tripscore.tasks import Task
from tests.scale.traveleval import break_plan

COUNT = 10_000


def sight(id_: str, name: str, city: str, hours: float | None, *tags: str, **more: Any) -> dict[str, Any]:
    """An attraction; its position follows from its id."""
    step = (sum(map(ord, id_)) % 17) / 100
    where = {"lat": 30 + step, "lon": (110 if city == "Elm" else 112) + step}
    return {"id": id_, "name": name, "city": city, **where, "tags": [*tags], "hours": hours, **more}


def daily(opens: str, closes: str) -> dict[str, Any]:
    """A calendar of the same hours every day."""
    return {"rules": [{"time_windows": [{"open": opens, "close": closes}]}]}


def leg(id_: str, ends: str, depart: str | None, arrive: str | None, mode: str = "train") -> dict[str, Any]:
    """ends: `A-B`; times in May 2026: `01T08:00`."""
    start, end = ends.split("-")
    times = [f"2026-05-{time}" if time else None for time in (depart, arrive)]
    named = {"id": id_, "mode": mode, "name": f"No {id_}", "from_city": start, "to_city": end}
    return {**named, "depart": times[0], "arrive": times[1]}


REFERENCE: dict[str, Any] = {
    "attractions": [
        sight("s1", "Old Mill", "Elm", 2, "historic", openTimeCalendar=daily("8:00", "18:00")),
        sight("s2", "Rose Garden", "Elm", 2, "nature", openTimeCalendar=None),
        sight("s3", "Night Bazaar", "Elm", 1.5, "food", openTimeCalendar=daily("17:00", "1:00")),
        sight("s4", "High Ridge", "Elm", 4, "nature", "hiking", openTimeCalendar={"always_open": True}),
        sight("s5", "River Loop", "Elm", 3, "cycling"),
        sight("p1", "Sea Museum", "Port", 2, "museum", openTimeCalendar=daily("9:00", "17:00")),
        sight("p2", "Light House", "Port", 1.5, "historic"),
        sight("p3", "Wonder Park", "Port", 5, "theme-park"),
    ],
    "hotels": [
        {"id": "h1", "name": "Elm Inn", "city": "Elm", "lat": 30.05, "lon": 110.05, "star": 3},
        {"id": "h2", "name": "Mill House", "city": "Elm", "lat": 30.06, "lon": 110.06, "star": 5},
        {"id": "h3", "name": "Pier Hotel", "city": "Port", "lat": 30.05, "lon": 112.05, "star": 4},
    ],
    "transportation": [
        leg("1", "Home-Elm", "01T08:00", "01T10:00"),
        leg("2", "Elm-Port", "03T09:00", "03T10:30"),
        leg("3", "Port-Home", "04T18:30", "04T20:30"),
        leg("4", "Home-Elm", "01T20:00", "02T06:00"),
        leg("5", "Elm-Port", None, None, "driving"),
        leg("6", "Elm-Port", "03T14:00", "03T15:30"),
        leg("7", "Home-Mid", "01T07:00", "01T08:00"),
        leg("8", "Mid-Elm", "01T09:00", "01T10:30"),
        leg("9", "Port-Elm", "04T08:00", "04T09:30"),
    ],
}
WISHES: dict[str, Any] = {
    "budget": "comfortable",
    "pacing": "moderate",
    "attraction": ["museum"],
    "effort": "light",
}


def query(**changes: Any) -> dict[str, Any]:
    """Four days in two cities, with every preference."""
    own = {"type": "synthetic", "departure_city": "Home", "cities": ["Elm", "Port"], "days": 4}
    dates = {"start_date": "2026-05-01", "preferences": WISHES, "user_request": "Four days, please."}
    return {**own, **dates, **changes}


DAYS: list[list[tuple[str, str]]] = [
    [("Morning", "1"), ("Afternoon", "s1"), ("Evening", "h1")],
    [("Morning", "s2"), ("Afternoon", "s5"), ("Evening", "h1")],
    [("Morning", "2"), ("Afternoon", "p1"), ("Evening", "h3")],
    [("Morning", "p2"), ("Afternoon", "p3"), ("Evening", "3")],
]
"""A sound plan: periods of days, with ids."""
_PARTS = {
    part["id"]: (kind, part)
    for kind, key in (("poi", "attractions"), ("hotel", "hotels"), ("transportation", "transportation"))
    for part in REFERENCE[key]
}


def detail(period: str, words: str) -> dict[str, Any]:
    """words: ids, or `+name` for sights from outside, with blanks between."""
    items, told = [], []
    for word in words.split():
        if word[0] == "+":
            items.append({"type": "poi", "id": "", "name": word[1:]})
            told.append(f"**{word[1:]}**")
            continue
        kind, part = _PARTS[word]
        items.append({"type": kind, "id": word, "name": part["name"]})
        told.append(part["name"] if kind == "transportation" else f"**[{part['name']}]({word})**")
    return {"period": period, "description": f"Go: {', '.join(told)}.", "detailList": items}


def plan(days: list[list[tuple[str, str]]] = DAYS) -> dict[str, Any]:
    """A plan of lists of periods and ids."""
    infos = [
        {"day": n, "scheduleTitle": f"Day {n}", "scheduleDetail": [detail(*part) for part in day]}
        for n, day in enumerate(days, 1)
    ]
    tips = {"title": "Tips", "info": ""}
    return {"itineraryName": "A trip", "recommendReason": "It fits.", "dayInfos": infos, "tips": tips}


def case(written: list[list[tuple[str, str]]] = DAYS, /, **changes: Any) -> dict[str, Any]:
    """A case of a plan that is written as `DAYS`. Changes are those of the query, or of the case."""
    own = {
        key: changes.pop(key)
        for key in ("plan", "ratings", "params", "reference", "answer")
        if key in changes
    }
    return {"id": "own", "query": query(**changes), "reference": REFERENCE, "plan": plan(written), **own}


def broken_cases(count: int, seed: int = 0) -> Iterator[dict[str, Any]]:
    """Cases of which the plan, and some of whose query, reference, ratings and params, are broken."""
    random = Random(seed)
    for n in range(count):
        own = copy.deepcopy(case())
        own["ratings"], own["params"] = (
            {"iconic": 3, "user": 0},
            {"missing": "zero", "pacing": {"moderate": [4, 8]}},
        )
        shuffled = [random.choice(DAYS) for _ in range(random.randint(1, 5))]
        own["plan"] = break_plan(plan(shuffled if n % 2 else DAYS), random) if n % 3 else plan(shuffled)
        if n % 5 == 0:
            part = random.choice(("query", "reference", "ratings", "params"))
            own[part] = break_plan(own[part], random)
        if n % 7 == 0:
            own["answer"] = json.dumps(own.pop("plan"))[: random.randint(0, 4000)]
        yield own


def outcomes(count: int, seed: int = 0) -> Iterator[str]:
    """What becomes of broken cases: refused, or which gate they reach."""
    for own in broken_cases(count, seed):
        try:
            told = score_case(own, CaseContext())
        except (ValidationError, CaseRefused):
            yield "refused"
            continue
        task = Task.model_validate(own)
        shown = own.get("plan")
        if isinstance(shown, dict):
            view_plan(shown, Setting(read_task=lambda task=task: task))  # type: ignore[misc]
        yield "feasible" if told["feasible"] else "delivered" if told["delivered"] else "format"


def main() -> None:
    """Score as many broken cases as the command line says."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else COUNT
    begun = perf_counter()
    told = Counter(outcomes(count))
    print(f"{count} broken cases in {perf_counter() - begun:.1f} s: {dict(told)}")


if __name__ == "__main__":
    main()
