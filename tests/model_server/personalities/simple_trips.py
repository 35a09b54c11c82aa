"""TripScore's requests to translate for a search, and plans of somebody who checks nothing.

Signs: the last words ask for `must_visit` or `sights`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any, Final

from benchmark.plans.finding import decode_object
from tests.model_server.request import text_of
from tests.model_server.scene import Scene
from tests.model_server.wire import Answer

Entry = dict[str, Any]
_WISHES, _RANKS, _STATEMENTS = '"must_visit"', '{"sights"', '"hard"'
_PERIODS: Final = ("Morning", "Afternoon", "Evening")
_EARLY, _LATE = "08:00", "17:00"
_FEW: Final = 10


def simple_plan(scene: Scene) -> Entry:
    """The plan of somebody who takes sights as they come, and checks nothing."""
    return _Trip(scene).plan()


def is_asked(scene: Scene) -> bool:
    """Whether a search asks for a translation."""
    return _RANKS in _instruction(scene) or _WISHES in _instruction(scene)


def answer(scene: Scene) -> Answer:
    """A translation that adds nothing to what is known."""
    asked = _instruction(scene)
    if _RANKS in asked:
        ids = [
            line.partition(" | ")[0] for line in scene.request.system.splitlines() if line.count(" | ") == 3
        ]
        return Answer(json.dumps({"sights": ids[1 : _FEW + 1]}, ensure_ascii=False))
    return Answer(json.dumps({"hard": [], "prefer": []} if _STATEMENTS in asked else {"must_visit": []}))


def _instruction(scene: Scene) -> str:
    return text_of(scene.request.messages[-1])


class _Trip:
    """What the prompt tells, a line of JSON each. Sights are taken as they come, and nothing is checked."""

    def __init__(self, scene: Scene) -> None:
        told = [entry for line in scene.request.system.splitlines() if (entry := decode_object(line))]
        [self.query] = [entry for entry in told if "start_date" in entry]
        self.legs = [entry for entry in told if "from_city" in entry]
        self.hotels = [entry for entry in told if "star" in entry]
        self.sights = [entry for entry in told if "openTimeCalendar" in entry]
        self.days = int(self.query["days"])

    def plan(self) -> Entry:
        """In the form of the prompt."""
        days = [
            {"day": n + 1, "scheduleTitle": f"Day {n + 1}", "scheduleDetail": [*self._day(n)]}
            for n in range(self.days)
        ]
        tips = {"title": "Tips", "info": "Enjoy."}
        return {"itineraryName": "A trip", "recommendReason": "As you wish.", "dayInfos": days, "tips": tips}

    def _city(self, day: int) -> str:
        cities = self.query["cities"]
        return str(cities[min(day * len(cities) // self.days, len(cities) - 1)])

    def _leg(self, origin: str | None, city: str | None, day: int, after: str) -> Entry | None:
        when = str(date.fromisoformat(self.query["start_date"]) + timedelta(days=day))
        own = [leg for leg in self.legs if (leg["from_city"], leg["to_city"]) == (origin, city)]
        own = [
            leg
            for leg in own
            if leg["depart"] and leg["depart"] >= f"{when}T{after}" and leg["depart"][:10] == when
        ]
        return min(own, key=lambda leg: str(leg["depart"]), default=None)

    def _day(self, day: int) -> Iterator[Entry]:
        city, home = self._city(day), self.query.get("departure_city")
        before = self._city(day - 1) if day else home
        parts: list[list[tuple[str, Entry]]] = [[], [], []]
        if before != city and (leg := self._leg(before, city, day, _EARLY)):
            parts[_period(leg)].append(("transportation", leg))
            free = range(min(_period(leg) + 1, 2), 2)
        else:
            free = range(2)
        for period in free:
            if sight := next((one for one in self.sights if one["city"] == city), None):
                self.sights.remove(sight)
                parts[period].append(("poi", sight))
        if day < self.days - 1:
            parts[2] += [("hotel", hotel) for hotel in self.hotels if hotel["city"] == city][:1]
        elif leg := self._leg(city, home, day, _LATE):
            parts[_period(leg)].append(("transportation", leg))
        for name, items in zip(_PERIODS, parts, strict=True):
            if items:
                yield _detail(name, items)


def _period(leg: Entry) -> int:
    return min(2, max(0, int(leg["depart"][11:13]) // 6 - 1))


def _detail(period: str, items: list[tuple[str, Entry]]) -> Entry:
    told = [
        one["name"] if kind == "transportation" else f"**[{one['name']}]({one['id']})**"
        for kind, one in items
    ]
    listed = [{"type": kind, "id": one["id"], "name": one["name"]} for kind, one in items]
    return {"period": period, "description": ", ".join(told), "detailList": listed}
