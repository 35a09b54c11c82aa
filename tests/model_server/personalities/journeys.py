"""The agent of TravelEval: looks places and services up where it may, and writes one plan.

Signs: the system prompt shows the form of a plan, with `daily_plans` and `intercity_transport`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from functools import cached_property
from typing import Any, Final

from benchmark.suites.traveleval.tasks.tags import CITY_WORDS
from tests.model_server.personalities import long_trips
from tests.model_server.personalities.forms import in_form
from tests.model_server.personalities.gathering import services
from tests.model_server.request import text_of
from tests.model_server.scene import Scene
from tests.model_server.wire import Answer, Call

Plan = dict[str, Any]
_SIGNS: Final = ('"daily_plans"', '"intercity_transport"')
_FROM: Final = re.compile(r"从([\u4e00-\u9fff]{2})|from ([A-Z][a-z']+)")
_DAYS: Final = re.compile(r"玩(\d+)天|旅游(\d+)天|(\d+)天|(\d+) days")
_DATE: Final = re.compile(r"(\d{4})年(\d+)月(\d+)日|([A-Z][a-z]+) (\d+), (\d{4})")
_BUDGET: Final = re.compile(r"预算\D{0,3}(\d+)元|([\d,]+) RMB")
_MEMBERS: Final = re.compile(r"([一两二三四五六])[个位](?:大人|孩子|老人)|(\w+) (?:adult|child|senior)")
_WHO: Final = re.compile(
    r"([一两二三四五六])(?:口|人|个人|位)|我们([俩两])"
    r"|(?:family of|The|the) (two|three|four|five|six)\b|\b(two) of us"
)
_NUMBERS: Final = {
    **dict(zip("一两俩二三四五六", (1, 2, 2, 2, 3, 4, 5, 6), strict=True)),
    **dict(zip(("one", "two", "three", "four", "five", "six"), range(1, 7), strict=True)),
}
_MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
_KINDS: Final = {"attraction": "景点", "restaurant": "美食", "hotel": "酒店"}
_HUGE: Final = 5_000_000
_TAGS: Final = "<img src=x onerror=alert(1)><b>"


def is_asked(scene: Scene) -> bool:
    """Whether the request is for this agent."""
    return all(sign in scene.request.system for sign in _SIGNS)


def answer(scene: Scene) -> Answer:
    """The next lookups, else the plan as the option `plan` of the model's name has it written."""
    journey = _Journey(scene)
    if scene.may_call and (calls := journey.open_calls()):
        return in_form(scene, Answer("", tuple(calls)))
    write = _WAYS.get(scene.request.name.options.get("plan", ""), _plan_in_fence)
    return in_form(scene, Answer(write(journey.plan())))


# What of a plan arrives.


def _plan_in_fence(plan: Plan) -> str:
    return f"```json\n{json.dumps(plan, ensure_ascii=False)}\n```"


def _off_schema(plan: Plan) -> str:
    """Impossible dates, costs as words, objects for lists."""
    for day in plan["daily_plans"]:
        day.update(date="2025-02-30", ending_point="hotel")
    plan["daily_plans"][0]["activities"] = {"first": plan["daily_plans"][0]["activities"]}
    plan["accommodation"]["total_cost"] = "about five hundred"
    plan["summary"]["destination"] = "Atlantis"
    return _plan_in_fence(plan)


def _cut_off(plan: Plan) -> str:
    whole = _plan_in_fence(plan)
    return whole[: len(whole) * 2 // 3]


def _huge(plan: Plan) -> str:
    plan["daily_plans"][0]["activities"][0]["description"] = "x" * _HUGE
    return _plan_in_fence(plan)


def _names_in_html(plan: Plan) -> str:
    """HTML in names."""
    for day in plan["daily_plans"]:
        for stop in day["activities"]:
            stop["location_name"] = _TAGS + stop["location_name"]
    plan["accommodation"]["hotel_name"] = _TAGS
    return _plan_in_fence(plan)


_WAYS: Final[Mapping[str, Callable[[Plan], str]]] = {
    "off-schema": _off_schema,
    "cut-off": _cut_off,
    "huge": _huge,
    "html": _names_in_html,
    "empty": lambda plan: "",
}
PLAN_OPTION: Final = (
    "plan",
    f"how TravelEval's plan is written: {', '.join(_WAYS)}; TripScore's: errs, empty, simple; "
    f"TRIP-Bench's: {long_trips.WAYS}",
)


# The plan.


class _Journey:
    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        users = (text_of(message) for message in scene.request.messages if message["role"] == "user")
        self._query = next(users, "")

    @cached_property
    def cities(self) -> tuple[str, str]:
        """Where it starts and where it goes, by their Chinese names."""
        places = {
            self._query.find(word): city for city, words in CITY_WORDS.items() for word in (city, words)
        }
        named = [city for at, city in sorted(places.items()) if at >= 0] or ["北京", "杭州"]
        found = _FROM.search(self._query)
        start = (found[1] or next((c for c, w in CITY_WORDS.items() if w == found[2]), "")) if found else ""
        start = start if start in named else named[0]
        return start, next((city for city in named if city != start), start)

    def _number(self, pattern: re.Pattern[str], usual: int) -> int:
        found = pattern.search(self._query)
        text = next((group for group in found.groups() if group), "") if found else ""
        text = text.replace(",", "")
        return _NUMBERS.get(text, int(text) if text.isdecimal() else usual)

    @property
    def _people(self) -> int:
        """As told one by one, or all together."""
        told = [_NUMBERS.get(zh or en, 0) for zh, en in _MEMBERS.findall(self._query)]
        return sum(told) or self._number(_WHO, 1)

    @property
    def _first(self) -> date:
        found = _DATE.search(self._query)
        if not found:
            return date(2025, 1, 1)
        if found[1]:
            return date(*map(int, found.groups()[:3]))
        return date(int(found[6]), _MONTHS.index(found[4]) + 1, int(found[5]))

    def open_calls(self) -> list[Call]:
        """Places of each kind, then the services there and back, as far as nobody has asked for them yet."""
        asked = {(result.name, result.arguments) for result in self._scene.results}
        start, target = self.cities
        calls = [Call.of("search_poi", keywords=kind, city=target, page_size=20) for kind in _KINDS.values()]
        last = self._first + timedelta(days=self._number(_DAYS, 3) - 1)
        for ends, day in (((start, target), self._first), ((target, start), last)):
            calls.append(Call.of("travel_search_trains", origin=ends[0], destination=ends[1], date=str(day)))
        return [call for call in calls if self._is_offered(call) and (call.name, call.arguments) not in asked]

    def _is_offered(self, call: Call) -> bool:
        """Natively, or in a line of the system prompt."""
        scene = self._scene
        return call.name in scene.tool_names or f"\n{call.name}: " in scene.request.system

    def _places(self, kind: str) -> list[str]:
        """Names that were found; without tools some that anybody may think of."""
        answers = [r.answer for r in self._scene.results if isinstance(r.answer, dict)]
        pois = [poi for found in answers for poi in found.get("pois", ())]
        named = [poi["name"] for poi in pois if poi.get("kind") == kind and poi.get("name")]
        return list(dict.fromkeys(named)) or [f"{self.cities[1]}{_KINDS[kind]}{n}" for n in range(1, 20)]

    def plan(self) -> Plan:
        """Two sights and a meal a day, by train there and back."""
        days, people = self._number(_DAYS, 3), self._people
        hotel, (start, target) = self._places("hotel")[0], self.cities
        rooms, legs = -(-people // 2), list(self._legs(people))
        costs = {
            "attractions": 0,
            "intercity_transportation": sum(leg["cost"] for leg in legs),
            "intracity_transportation": days * 8,
            "accommodation": 300 * rooms * (days - 1),
            "meals": days * 80 * people,
            "other": 0,
        }
        budget, total = self._number(_BUDGET, 5000), sum(costs.values())
        return {
            "summary": {
                "total_days": days,
                "total_travelers": people,
                "departure": start,
                "destination": target,
                "total_budget": budget,
                "calculated_total_cost": total,
                "is_within_budget": total <= budget,
            },
            "accommodation": {
                "hotel_name": hotel,
                "room_type": [
                    {"type": "双人房", "quantity": rooms, "price_per_night": 300, "nights": days - 1}
                ],
                "total_cost": costs["accommodation"],
            },
            "intercity_transport": {
                "transport_type": legs,
                "total_cost": costs["intercity_transportation"],
            },
            "daily_plans": [self._day(n, days, people, hotel) for n in range(days)],
            "cost_breakdown": {**costs, "total": total},
        }

    def _legs(self, people: int) -> Iterator[Plan]:
        for (origin, destination), usual in ((self.cities, "08:00"), (self.cities[::-1], "19:00")):
            found = services(self._scene, origin, destination)
            train = min(found, key=lambda own: abs(_hour(own.get("depart")) - _hour(usual)), default={})
            price = train.get("price") or 300
            yield {
                "description": f"{origin} → {destination}",
                "start_time": train.get("depart") or usual,
                "end_time": train.get("arrive") or f"{int(usual[:2]) + 3:02}:00",
                "location_name": train.get("to_station") or f"{destination}站",
                "cost": price * people,
                "transportation_to": "高铁",
                "transportation_cost": price * people,
                "details": {
                    "transport_number": train.get("number") or "G1",
                    "price": price,
                    "number": people,
                },
            }

    def _day(self, nth: int, days: int, people: int, hotel: str) -> Plan:
        sights, meals = self._places("attraction"), self._places("restaurant")
        stops = [
            _stop("attraction", _pick(sights, 2 * nth), "13:00" if nth == 0 else "09:00", 2, people),
            _stop("meal", _pick(meals, nth), "17:00" if nth == 0 else "12:00", 1, people),
        ]
        if 0 < nth < days - 1:
            stops.append(_stop("attraction", _pick(sights, 2 * nth + 1), "14:00", 2, people))
        last = _stop("intercity_transport", f"{self.cities[1]}站", "17:00", 1, people)
        end = last if nth == days - 1 else _stop("accommodation", hotel, "20:00", 1, people)
        day = self._first + timedelta(days=nth)
        return {
            "day": nth + 1,
            "date": day.isoformat(),
            "starting_point": hotel,
            "activities": stops,
            "ending_point": end,
        }


def _hour(clock: str | None) -> float:
    hours, _, minutes = (clock or "00:00").partition(":")
    return int(hours) + int(minutes[:2]) / 60


def _pick(names: Sequence[str], nth: int) -> str:
    return names[nth % len(names)]


def _stop(kind: str, name: str, start: str, hours: int, people: int) -> Plan:
    return {
        "type": kind,
        "description": name,
        "start_time": start,
        "end_time": f"{int(start[:2]) + hours:02}{start[2:]}",
        "location_name": name,
        "cost": 80 * people if kind == "meal" else 0,
        "transportation_to": "地铁",
        "transportation_cost": 4,
        "details": {"transport_time": 20, "ticket_number": people if kind == "attraction" else 0},
    }
