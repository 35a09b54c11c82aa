"""What a person in the agent's seat can take over from a tool's result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from benchmark.suites.grouptravel.preferences import TRANSPORT_MODES
from webapp.pages import Card, FoundThing
from webapp.suites.grouptravel.results import cards

_KINDS = {"attraction": "attraction", "restaurant": "food", "hotel": "hotel"}
"""Of places, and what they are in a plan."""
_MODES = {"transit": "公交地铁", "driving": "驾车", "walking": "步行", "bicycling": "骑行"}
_LISTS = ("pois", "trains", "flights", "days", "routes")


def things_in(result: Any) -> list[FoundThing]:
    """The things in a result as it was parsed from JSON, each with its card."""
    return list(_things_in(result)) if isinstance(result, Mapping) else []


def _things_in(result: Mapping[str, Any]) -> Iterator[FoundThing]:
    for key in _LISTS:
        if isinstance(result.get(key), list):
            items = [item for item in result[key] if isinstance(item, Mapping)]
            for item in items:
                card = next(iter(cards({key: [item]} if key != "routes" else item)), None)
                if card is not None:
                    yield _one(key, item, card, result)
            return
    if (own := cards(result)) and "mode" in result:
        yield _one("routes", result, own[0], result)
    elif own:
        yield _one("pois", result, own[0], result)
    elif "name" in result and "location" in result:
        facts = [str(result[name]) for name in ("kind", "city", "location") if result.get(name)]
        yield FoundThing(Card(str(result["name"]), facts), _place_uses(result))


def _one(key: str, item: Mapping[str, Any], card: Card, result: Mapping[str, Any]) -> FoundThing:
    if key == "pois":
        return FoundThing(card, _place_uses(item), _place(item))
    if key in ("trains", "flights"):
        return FoundThing(card, {}, _service(item, key, result))
    return FoundThing(card, {}, _way(item)) if key == "routes" else FoundThing(card)


def _place_uses(place: Mapping[str, Any]) -> dict[str, str]:
    return {name: str(place[name]) for name in ("name", "location", "id") if place.get(name)}


def _place(place: Mapping[str, Any]) -> dict[str, str]:
    kind = _KINDS.get(str(place.get("kind")))
    if kind is None or not place.get("name"):
        return {}
    return _given_fields(
        open="activity",
        type=kind,
        location=place["name"],
        city=place.get("city"),
        avg_cost=place.get("price"),
    )


def _service(service: Mapping[str, Any], key: str, result: Mapping[str, Any]) -> dict[str, str]:
    usual = "飞机" if key == "flights" else "高铁"
    mode = service.get("mode")
    return _given_fields(
        open="leg",
        from_city=result.get("origin"),
        to_city=result.get("destination"),
        transport_mode=mode if mode in TRANSPORT_MODES else usual,
        start_time=service.get("depart"),
        end_time=service.get("arrive"),
        avg_cost=service.get("price"),
        date=result.get("date"),
    )


def _way(way: Mapping[str, Any]) -> dict[str, str]:
    ends = [way.get("origin"), way.get("destination")]
    first, last = (end.get("name") if isinstance(end, Mapping) else end for end in ends)
    each = way.get("cost") if way.get("cost_per") != "car" else None
    mode = str(way.get("mode", ""))
    return _given_fields(
        open="activity",
        type="intracity_transport",
        origin=first,
        destination=last,
        transport_mode=_MODES.get(mode, mode),
        avg_cost=each,
    )


def _given_fields(**fields: Any) -> dict[str, str]:
    return {name: str(value) for name, value in fields.items() if value is not None}
