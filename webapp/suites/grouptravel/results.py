"""Results of tools as cards: a place, a train or a flight, a day's weather, a way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from webapp.pages import Card
from webapp.wording.facts import distance_words, minutes_words, price_words
from webapp.wording.tools import travel_mode_words


def cards(result: Any) -> list[Card]:
    """The cards of a result as it was parsed from JSON; none for what no card is made of."""
    if not isinstance(result, Mapping):
        return []
    for key, card in _LISTS.items():
        if isinstance(result.get(key), list):
            return [card(item) for item in result[key] if isinstance(item, Mapping)]
    if "category" in result and "name" in result:
        return [_place(result)]
    if "distance_m" in result and "mode" in result:
        return [_way(result)]
    return []


def _place(place: Mapping[str, Any]) -> Card:
    hours = place.get("opening_text") or place.get("opening_hours")
    facts = [
        place.get("category"),
        price_words(place.get("price")),
        hours if isinstance(hours, str) else None,
        _("rated %(n)s") % {"n": place["rating"]} if place.get("rating") else None,
        distance_words(place.get("distance_m")),
        place.get("address"),
    ]
    return Card.of(place.get("name"), facts)


def _service(service: Mapping[str, Any]) -> Card:
    start = service.get("from_station") or service.get("from_airport")
    end = service.get("to_station") or service.get("to_airport")
    facts = [
        f"{service.get('depart', '?')} {start or ''} → {service.get('arrive', '?')} {end or ''}".strip(),
        minutes_words(service.get("duration_minutes")),
        ", ".join(_classes(service)) or price_words(service.get("price")),
    ]
    return Card.of(service.get("number"), facts)


def _classes(service: Mapping[str, Any]) -> Iterator[str]:
    classes = service.get("classes")
    for row in classes if isinstance(classes, list) else ():
        if isinstance(row, Mapping) and row.get("name"):
            yield f"{row['name']} {price_words(row.get('price')) or ''}".strip()


def _day(day: Mapping[str, Any]) -> Card:
    low, high = day.get("low"), day.get("high")
    return Card.of(day.get("date"), [day.get("text"), f"{low}–{high} °C" if low is not None else None])


def _way(way: Mapping[str, Any]) -> Card:
    ends = (way.get("origin"), way.get("destination"))
    names = [str(end.get("name", "?")) if isinstance(end, Mapping) else "?" for end in ends]
    facts = [
        " → ".join(names),
        distance_words(way.get("distance_m")),
        minutes_words(way.get("duration_minutes")),
        price_words(way.get("cost")),
    ]
    return Card.of(travel_mode_words(str(way.get("mode"))), facts)


_LISTS: Mapping[str, Callable[[Mapping[str, Any]], Card]] = {
    "pois": _place,
    "trains": _service,
    "flights": _service,
    "days": _day,
}
"""By the key of the list that a result holds."""
