"""An order for a day: a place for each part of it, one near the other, and the ways between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from itertools import pairwise
from typing import Any

from benchmark.suites.travelbench.agent.cities import short
from benchmark.suites.travelbench.agent.looking import Lookups
from benchmark.suites.travelbench.agent.opening import open_on
from benchmark.suites.travelbench.agent.request import LODGINGS, Request, Step
from benchmark.suites.travelbench.agent.spots import NEAR
from benchmark.suites.travelbench.agent.telling import fact_text, way_text
from benchmark.suites.travelbench.agent.words import Words, answer_unnamed_place, nothing
from sandbox.tools.language import Language, Says

_RADIUS_AROUND = 2 * NEAR
_CHOICES = 6
_OTHER_WORDS = {"步行街": "特色街区", "商场": "购物"}
"""What else a kind of place goes by, where nothing has the first name."""
_SIGHTS = frozenset({"景点", "园林", "博物馆", "寺", "老街", "公园", "动物园", "主题公园", "步行街", "商场"})
"""Kinds of place for which a price that was named is not meant."""
_WALK_MINUTES = 25
"""Beyond that people ride."""
_HEADS = {
    "morning": Says("上午", "Morning"),
    "noon": Says("中午", "Noon"),
    "afternoon": Says("下午", "Afternoon"),
    "evening": Says("晚上", "Evening"),
    "": Says("然后", "Then"),
}
_CLOCK = {"morning": "10:00", "noon": "12:00", "afternoon": "14:30", "evening": "19:00", "": "15:00"}
"""When somebody is there, to see whether a place is open then."""

Place = Mapping[str, Any]


def order(request: Request, lookups: Lookups, language: Language) -> Words:
    """Part by part in the order that was asked for."""
    if not request.region:
        return answer_unnamed_place(request, lookups, language)
    day, chosen = request.day or request.now.date(), list[Place]()
    for step in request.steps:
        place = _place(step, chosen, request, day, lookups)
        if place is None:
            return nothing(Says(f"{short(request.region)}的{step.seek}", step.sought).to(language), language)
        chosen.append(place)
    ways = [_way(one, other, lookups, language) for one, other in pairwise(chosen)]
    head = Says(f"{short(request.region)}这样走顺路：", f"An order for {short(request.region)}:").to(language)
    return Words("\n".join((head, *_lines(request.steps, chosen, ways, language))))


def _lines(
    steps: Sequence[Step], places: Sequence[Place], ways: Sequence[str], language: Language
) -> Iterator[str]:
    for number, (step, place) in enumerate(zip(steps, places, strict=True)):
        if number and ways[number - 1]:
            yield f"   ↓ {ways[number - 1]}"
        label = _HEADS[step.part].to(language) if number or step.part else Says("先", "First").to(language)
        yield f"{number + 1}. {label}{Says('：', ': ').to(language)}{place.get('name')}{_known_of(place, language)}"


def _known_of(place: Place, language: Language) -> str:
    """Without the distance to where it was looked for: the way there is told in its own line."""
    return fact_text({key: held for key, held in place.items() if key != "distance_m"}, language)


def _place(
    step: Step, before: Sequence[Place], request: Request, day: date, lookups: Lookups
) -> Place | None:
    """The first that is open then and was not chosen yet: near the place before, else anywhere in the city."""
    near = str(before[-1].get("coordinates") or "") if before else ""
    areas: list[dict[str, Any]] = [{"center": near, "radius": _RADIUS_AROUND}] if near else []
    for area in (*areas, {"region": request.region}):
        for word in dict.fromkeys((step.seek, _OTHER_WORDS.get(step.seek, step.seek))):
            found = lookups.call(
                "map_search_places", query=word, limit=_CHOICES, **area, **_price(step, request)
            )
            for row in found.rows("places"):
                if row not in before and _is_open(row, step, day):
                    return row
    return None


def _price(step: Step, request: Request) -> dict[str, Any]:
    if request.most is None or step.seek in _SIGHTS:
        return {}
    return {"price_max": request.most, "price_category": "price" if step.seek in LODGINGS else "average_cost"}


def _is_open(row: Place, step: Step, day: date) -> bool:
    hours, at = row.get("hours"), _CLOCK[step.part]
    found = open_on(hours, day) if isinstance(hours, str) else None
    return found is None or (f"{found.start:0>5}" <= at < f"{found.end:0>5}")


def _way(one: Place, other: Place, lookups: Lookups, language: Language) -> str:
    """How to get from one place to the next, "" where nothing tells."""
    ends = [place.get("coordinates") for place in (one, other)]
    if not all(isinstance(end, str) and end for end in ends):
        return ""
    found = lookups.call(
        "map_compute_routes", origin=ends[0], destination=ends[1], modes=["walking", "driving"]
    )
    ways = {str(row.get("mode")): row for row in found.rows("routes")}
    minutes = ways.get("walking", {}).get("duration_minutes")
    walks = isinstance(minutes, int | float) and minutes <= _WALK_MINUTES
    way = ways.get("walking" if walks else "driving") or next(iter(ways.values()), None)
    return way_text(way, language) if way else ""
