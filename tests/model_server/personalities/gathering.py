"""Which tools the agent calls before it plans: first what is there, then hours and ways of what it chose."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Any

from tests.model_server.personalities.understanding import Table, wishes
from tests.model_server.scene import Scene
from tests.model_server.wire import Call

_KINDS = (("景点", "attraction"), ("餐厅", "restaurant"), ("酒店", "hotel"))
_MOST_NAMED = 4
Place = dict[str, Any]


def stops(scene: Scene) -> list[tuple[str, str, int]]:
    """The legs of the trip: from, to, and the day (from 0) on which it is made."""
    cities, last = scene.cities, scene.days - 1
    legs = [(scene.home, cities[0], 0)]
    legs += [
        (a, b, at * scene.days // len(cities)) for at, (a, b) in enumerate(itertools.pairwise(cities), 1)
    ]
    legs.append((cities[-1], scene.home, last))
    return [leg for leg in legs if leg[0] and leg[1]]


def first_calls(scene: Scene, tables: dict[str, Table]) -> list[Call]:
    """Trains and flights of every leg; sights, restaurants and hotels of every city; sights that must be visited."""
    calls = [
        Call.of(
            tool, origin=origin, destination=destination, date=(scene.start + timedelta(days=day)).isoformat()
        )
        for origin, destination, day in stops(scene)
        for tool in ("travel_search_trains", "travel_search_flights")
    ]
    for city in scene.cities:
        kinds = (words[scene.english] for words in _KINDS)
        calls += [Call.of("search_poi", keywords=kind, city=city, page_size=20) for kind in kinds]
        named = wishes(tables, city, "attractions", "must_visit")[:_MOST_NAMED]
        calls += [Call.of("search_poi", keywords=name, city=city) for name in named]
    return offered_calls(scene, calls)


def second_calls(scene: Scene, chosen: Iterable[Place]) -> list[Call]:
    """Opening hours of the chosen sights, and the way from each to the next."""
    places = list(chosen)
    calls = [Call.of("get_poi_detail", id=place["id"]) for place in places if place.get("id")]
    for a, b in itertools.pairwise(places):
        if a.get("city") == b.get("city") and a.get("location") and b.get("location"):
            calls.append(Call.of("plan_route", origin=a["location"], destination=b["location"]))
    return offered_calls(scene, calls)


def offered_calls(scene: Scene, calls: Iterable[Call]) -> list[Call]:
    """Calls of tools that the request offers, each once, without those that it shows answered."""
    names = scene.tool_names
    done = {call_key(result.name, result.arguments) for result in scene.results if not result.failed}
    fresh = {call_key(call.name, call.arguments): call for call in calls if call.name in names}
    return [call for key, call in fresh.items() if key not in done]


def places(scene: Scene, city: str, kind: str) -> list[Place]:
    """Places of a city and kind (attraction, restaurant, hotel) that the searches have found, each once."""
    found = {
        place["name"]: place
        for place in _found_places(scene)
        if place.get("kind") == kind and place.get("city") == city
    }
    return list(found.values())


def detail(scene: Scene, place: Place) -> Place:
    """What `get_poi_detail` said of a place, {} where it has not been asked."""
    answers = (r.answer for r in scene.results if r.name == "get_poi_detail" and isinstance(r.answer, dict))
    return next((answer for answer in answers if answer.get("id") == place.get("id")), {})


def services(scene: Scene, origin: str, destination: str) -> list[dict[str, Any]]:
    """Trains and flights between two cities, as the tools listed them."""
    found = []
    for result in scene.results:
        answer = result.answer if isinstance(result.answer, dict) else {}
        if (answer.get("origin"), answer.get("destination")) == (origin, destination):
            found += [*answer.get("trains", ()), *answer.get("flights", ())]
    return found


def _found_places(scene: Scene) -> Iterator[Place]:
    for result in scene.results:
        answer = result.answer if isinstance(result.answer, dict) else {}
        yield from (
            place for place in answer.get("pois", ()) if isinstance(place, dict) and place.get("name")
        )


def call_key(name: str, arguments: str) -> str:
    """The same for calls that differ in spaces or in the order of their arguments."""
    try:
        return name + json.dumps(json.loads(arguments), sort_keys=True)
    except ValueError:
        return name + arguments
