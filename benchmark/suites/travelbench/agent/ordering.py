"""An order for a day: a place for each part of it, one near the other, and the ways between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import pairwise
from typing import Any

from benchmark.suites.travelbench.agent.cities import in_english, short
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
_DAY = Says("第 {day} 天", "Day {day}")
_TOO_FEW = Says("能查到的{kind}只够排 {day} 天。", "There are not enough places for {kind} beyond day {day}.")
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
    first, chosen, told = request.day or request.now.date(), list[Place](), list[str]()
    for number in range(request.length):
        steps = [step for step in request.steps if not number or step.seek not in LODGINGS]
        places = _of_day(steps, chosen, request, first + timedelta(number), lookups)
        if isinstance(places, Step):
            if not number:
                return nothing(
                    Says(f"{short(request.region)}的{places.seek}", places.search_words).to(language),
                    language,
                )
            told.append(
                _TOO_FEW.to(language).format(
                    day=number, kind=Says(places.seek, places.search_words).to(language)
                )
            )
            break
        ways = [_way(one, other, lookups, language) for one, other in pairwise(places)]
        title = [_DAY.to(language).format(day=number + 1)] if request.length > 1 else []
        told += [*title, *_lines(steps, places, ways, language)]
        chosen += places
    head = Says(f"{short(request.region)}这样走顺路：", f"An order for {in_english(request.region)}:").to(
        language
    )
    return Words("\n".join((head, *told)))


def _of_day(
    steps: Sequence[Step], before: Sequence[Place], request: Request, day: date, lookups: Lookups
) -> list[Place] | Step:
    """A place for each step, none that an earlier day has; the step for which nothing is left."""
    places = list[Place]()
    for step in steps:
        place = _place(step, places, before, request, day, lookups)
        if place is None:
            return step
        places.append(place)
    return places


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
    step: Step,
    today: Sequence[Place],
    earlier: Sequence[Place],
    request: Request,
    day: date,
    lookups: Lookups,
) -> Place | None:
    """The first that is open then and was not chosen yet: near the place before, else anywhere in the city."""
    near = str(today[-1].get("coordinates") or "") if today else ""
    names = {place.get("name") for place in (*today, *earlier)}
    areas: list[dict[str, Any]] = [{"center": near, "radius": _RADIUS_AROUND}] if near else []
    for area in (*areas, {"region": request.region}):
        for word in dict.fromkeys((step.seek, _OTHER_WORDS.get(step.seek, step.seek))):
            found = lookups.call(
                "map_search_places",
                query=word,
                limit=_CHOICES * request.length,
                **area,
                **_price(step, request),
            )
            for row in found.rows("places"):
                if row.get("name") not in names and _is_open(row, step, day):
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
