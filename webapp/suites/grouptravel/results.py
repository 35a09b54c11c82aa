"""Results of tools as cards: a place, a train or a flight, a day's weather, a way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from webapp.pages import Card
from webapp.wording.numbers import amount_words
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
        _price(place.get("price")),
        hours if isinstance(hours, str) else None,
        _("rated %(n)s") % {"n": place["rating"]} if place.get("rating") else None,
        _distance(place.get("distance_m")),
        place.get("address"),
    ]
    return _card(place.get("name"), facts)


def _service(service: Mapping[str, Any]) -> Card:
    start = service.get("from_station") or service.get("from_airport")
    end = service.get("to_station") or service.get("to_airport")
    facts = [
        f"{service.get('depart', '?')} {start or ''} → {service.get('arrive', '?')} {end or ''}".strip(),
        _minutes(service.get("duration_minutes")),
        ", ".join(_classes(service)) or _price(service.get("price")),
    ]
    return _card(service.get("number"), facts)


def _classes(service: Mapping[str, Any]) -> Iterator[str]:
    classes = service.get("classes")
    for row in classes if isinstance(classes, list) else ():
        if isinstance(row, Mapping) and row.get("name"):
            yield f"{row['name']} {_price(row.get('price')) or ''}".strip()


def _day(day: Mapping[str, Any]) -> Card:
    low, high = day.get("low"), day.get("high")
    return _card(day.get("date"), [day.get("text"), f"{low}–{high} °C" if low is not None else None])


def _way(way: Mapping[str, Any]) -> Card:
    ends = (way.get("origin"), way.get("destination"))
    names = [str(end.get("name", "?")) if isinstance(end, Mapping) else "?" for end in ends]
    facts = [
        " → ".join(names),
        _distance(way.get("distance_m")),
        _minutes(way.get("duration_minutes")),
        _price(way.get("cost")),
    ]
    return _card(travel_mode_words(str(way.get("mode"))), facts)


_LISTS: Mapping[str, Callable[[Mapping[str, Any]], Card]] = {
    "pois": _place,
    "trains": _service,
    "flights": _service,
    "days": _day,
}
"""By the key of the list that a result holds."""


def _card(title: Any, facts: list[Any]) -> Card:
    return Card(str(title or "?"), [str(fact) for fact in facts if fact not in (None, "")])


def _price(price: Any) -> str | None:
    if not isinstance(price, int | float) or isinstance(price, bool):
        return None
    return f"¥{amount_words(price)}" if price else _("free")


def _minutes(minutes: Any) -> str | None:
    return _("%(n)s min") % {"n": minutes} if isinstance(minutes, int | float) else None


def _distance(metres: Any) -> str | None:
    return f"{metres / 1000:.1f} km" if isinstance(metres, int | float) else None
