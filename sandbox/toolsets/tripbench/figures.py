"""Items of TRIP-Bench of a world's records: what these say, and drawn figures for what they don't."""

from __future__ import annotations

import hashlib
import math
import re
from typing import Any

from sandbox.toolsets.tripbench.draws import Draws
from sandbox.toolsets.tripbench.hours import daily_hours
from sandbox.toolsets.tripbench.products import admissions_of, menus_of, rooms_of, tickets_of
from sandbox.toolsets.tripbench.records import Attraction, Hotel, Hub, Restaurant, Service
from sandbox.worlds import records

_LEVEL = re.compile(r"[2-5]A", re.ASCII)
_STARS = (3.0, 3.5, 4.0, 4.0, 4.5, 4.5, 5.0)
_VISITS = ((1, 2), (1, 3), (2, 3), (2, 4), (3, 5))
_ID_DIGITS = 10


def attraction_of(place: records.Place) -> Attraction:
    """An attraction; its heat grows with the number of comments."""
    draws = Draws(place.id)
    comments = _reviews(place, draws)
    price = draws.choose("price", (0, 0, 0, 20, 40, 60, 90, 120)) if place.price is None else place.price
    heat = round(min(10.0, max(0.5, 3.25 * math.log10(comments + 1) - 3)), 1)
    categories = place.categories or ((place.category,) if place.category else ())
    return Attraction(
        **_position(place),
        categories=categories,
        rating=round(draws.figure("rating", 3.6, 4.9), 1) if place.rating is None else place.rating,
        comment_count=comments,
        heat=heat,
        sight_level=_level(categories, heat, draws),
        price=price,
        open_hours=daily_hours(place.opening_hours),
        visit_hours=place.stay_hours or draws.choose("visit", _VISITS),
        products=tuple(admissions_of(place, price)),
    )


def hotel_of(place: records.Place) -> Hotel:
    """A hotel; the share of good reviews grows with its stars."""
    draws = Draws(place.id)
    reviewed = _review_figures(place, draws)
    good_rate = min(0.99, 0.55 + 0.08 * reviewed["stars"] + draws.figure("good", -0.05, 0.06))
    return Hotel(
        **_position(place),
        **reviewed,
        type=place.category or None,
        good_rate=round(good_rate, 2),
        pet_friendly=draws.happens("pets", 0.3),
        products=tuple(rooms_of(place)),
    )


def restaurant_of(place: records.Place) -> Restaurant:
    """A restaurant."""
    draws = Draws(place.id)
    hours = daily_hours(place.opening_hours)
    price = round(draws.figure("price", 25, 180)) if place.price is None else place.price
    reservable = draws.happens("reservable", 0.6)
    return Restaurant(
        **_position(place),
        **_review_figures(place, draws),
        category=place.category or None,
        avg_price=price,
        reservable=reservable,
        must_reserve=reservable and draws.happens("must reserve", 0.15),
        open_hours=hours,
        products=tuple(menus_of(place, price, hours)),
    )


def service_id(service: records.Service) -> str:
    """The id of a flight or a train, by its number, its ends and when it departs."""
    named = (service.number, service.origin_station, service.destination_station, service.depart)
    digits = hashlib.sha256("\x1f".join(named).encode()).hexdigest()[:_ID_DIGITS]
    return f"{'Flight' if service.mode == '飞机' else 'Train'}_{digits}"


def service_of(service: records.Service, hubs: tuple[Hub, Hub]) -> Service:
    """A flight or a train. hubs: where it departs and arrives."""
    id_ = service_id(service)
    flies = service.mode == "飞机"
    return Service(
        id=id_,
        kind="flight" if flies else "train",
        number=service.number,
        from_city=service.origin_city,
        to_city=service.destination_city,
        from_place=hubs[0],
        to_place=hubs[1],
        depart=service.depart,
        arrive=service.arrive,
        day_offset=service.day_offset,
        products=tuple(tickets_of(service, id_)),
        **(_flight_figures(service, Draws(id_)) if flies else {}),
    )


def _flight_figures(service: records.Service, draws: Draws) -> dict[str, Any]:
    """Late flights are late for longer."""
    rate = draws.figure("on time", 0.62, 0.98)
    delay = (1 - rate) * draws.figure("delay", 60, 120)
    return {
        "airline": service.operator or service.number[:2],
        "ontime_rate": round(rate, 2),
        "avg_delay": round(delay),
    }


def _position(place: records.Place) -> dict[str, Any]:
    return {
        "id": place.id,
        "name": place.name,
        "city": place.city,
        "lat": place.latitude,
        "lng": place.longitude,
    }


def _reviews(place: records.Place, draws: Draws) -> int:
    """Twenty to five thousand, few of them many."""
    return round(10 ** draws.figure("reviews", 1.3, 3.7)) if place.reviews is None else place.reviews


def _review_figures(place: records.Place, draws: Draws) -> dict[str, Any]:
    """The ratings of aspects are out of ten, and near the stars."""
    stars = draws.choose("stars", _STARS) if place.rating is None else place.rating
    aspects = {
        f"{aspect}_rating": round(min(9.9, max(4.0, 2 * stars + draws.figure(aspect, -0.6, 0.7))), 1)
        for aspect in ("product", "environment", "service")
    }
    return {"stars": stars, "review_count": _reviews(place, draws), **aspects}


def _level(categories: tuple[str, ...], heat: float, draws: Draws) -> str | None:
    """What a category tells (5A景区), else drawn: the better known, the higher."""
    told = next((match[0] for name in categories if (match := _LEVEL.match(name))), None)
    if told:
        return told
    chance = draws.share("level") + (heat - 5) / 20
    return next(
        (level for level, least in (("5A", 0.95), ("4A", 0.7), ("3A", 0.55)) if chance >= least), None
    )
