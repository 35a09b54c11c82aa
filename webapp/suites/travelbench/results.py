"""Results of tools as cards: a place, a way, a train or a flight, a day's weather, a list of places."""

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
    if "condition" in result:
        return [_weather(result)]
    for key, card in _LISTS.items():
        if isinstance(result.get(key), list):
            return [card(item) for item in result[key] if isinstance(item, Mapping)]
    return list(_days(result))


def _days(result: Mapping[str, Any]) -> Iterator[Card]:
    for day in _rows(result, "days"):
        if "condition" in day:
            yield _weather(day)
        for service in (*_rows(day, "trains"), *_rows(day, "flights")):
            yield _service(service, str(day.get("date", "")))


def _rows(held: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    rows = held.get(key)
    return [row for row in rows if isinstance(row, Mapping)] if isinstance(rows, list) else []


def _place(place: Mapping[str, Any]) -> Card:
    facts = [
        place.get("category"),
        price_words(place.get("cost")),
        place.get("hours"),
        _("rated %(n)s") % {"n": place["rating"]} if place.get("rating") else None,
        distance_words(place.get("distance_m")),
        place.get("address") or place.get("area"),
    ]
    return Card.of(place.get("name"), facts)


def _list(ranking: Mapping[str, Any]) -> Card:
    return Card.of(
        ranking.get("title"),
        [f"{row.get('rank', '?')}. {row.get('name', '?')}" for row in _rows(ranking, "items")],
    )


def _way(way: Mapping[str, Any]) -> Card:
    facts = [
        distance_words(way.get("distance_m")),
        minutes_words(way.get("duration_minutes")),
        price_words(way.get("fare")),
    ]
    return Card.of(travel_mode_words(str(way.get("mode"))), facts)


def _service(service: Mapping[str, Any], date: str) -> Card:
    start = service.get("origin_station") or service.get("origin_airport") or ""
    end = service.get("destination_station") or service.get("destination_airport") or ""
    fares = [
        f"{fare.get('name', '')} {price_words(fare.get('price')) or ''}".strip()
        for fare in (*_rows(service, "fares"), *_rows(service, "prices"))
    ]
    facts = [
        date,
        f"{service.get('depart', '?')} {start} → {service.get('arrive', '?')} {end}".strip(),
        minutes_words(service.get("duration_minutes")),
        ", ".join(fares),
    ]
    return Card.of(service.get("number"), facts)


def _weather(day: Mapping[str, Any]) -> Card:
    low, high = day.get("low"), day.get("high")
    facts = [day.get("condition"), f"{low}–{high} °C" if low is not None else None, day.get("wind")]
    return Card.of(day.get("date") or day.get("location"), facts)


_LISTS: Mapping[str, Callable[[Mapping[str, Any]], Card]] = {"places": _place, "routes": _way, "lists": _list}
"""By the key of the list that a result holds."""
