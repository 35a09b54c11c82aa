"""An order for a day: a place for each part of it, one near the other, and the ways between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import pairwise
from typing import Any

from benchmark.suites.travelbench.agent import lexicon
from benchmark.suites.travelbench.agent.cities import cities_in, in_english, short
from benchmark.suites.travelbench.agent.looking import Lookups, ToolAnswer
from benchmark.suites.travelbench.agent.opening import open_on
from benchmark.suites.travelbench.agent.request import LODGINGS, SIGHTS, Request, Step, says
from benchmark.suites.travelbench.agent.spots import NEAR
from benchmark.suites.travelbench.agent.telling import fact_text, way_text
from benchmark.suites.travelbench.agent.words import Words, answer_unnamed_place, nothing
from sandbox.tools.language import Language, Says
from sandbox.toolsets.travelbench.arguments import point_of
from sandbox.worlds.geo import distance_m

_RADIUS_AROUND = 2 * NEAR
_CHOICES = 6
_OTHER_WORDS = {"步行街": "特色街区", "商场": "购物"}
"""What else a kind of place goes by, where nothing has the first name."""
_NEIGHBOUR_M = 50
_WALK_MINUTES = 25
"""Beyond that people ride."""
_DAY = Says("第 {day} 天", "Day {day}")
_TOO_FEW = Says("能查到的{kind}只够排 {day} 天。", "There are not enough places for {kind} beyond day {day}.")
_ESTIMATE_NOTE = " (times on the way are estimates)"
_NEIGHBOUR_WORDS = Says("就在旁边", "right beside it")
_HEADS = {
    "morning": Says("上午", "Morning"),
    "noon": Says("中午", "Noon"),
    "afternoon": Says("下午", "Afternoon"),
    "evening": Says("晚上", "Evening"),
    "": Says("然后", "Then"),
}
_FIRST, _STAY = Says("先", "First"), Says("住", "Stay")
_CLOCK = {"morning": "10:00", "noon": "12:00", "afternoon": "14:30", "evening": "19:00", "": "15:00"}
"""When somebody is there, to see whether a place is open then."""

Place = Mapping[str, Any]


def order(request: Request, lookups: Lookups, language: Language) -> Words:
    """Day by day, and part by part in the order that was asked for."""
    if not request.region:
        return answer_unnamed_place(request, lookups, language)
    days, lacking = _days(request, lookups)
    if not days and lacking:
        what = Says(f"{short(request.region)}的{lacking.seek}", lacking.search_words).to(language)
        return nothing(what, language)
    way_answers = _ways([pair for day in days for pair in pairwise(day.places)], lookups)
    ways = iter([_way(way_answer, language) for way_answer in way_answers])
    cities, told = list(dict.fromkeys(day.city for day in days)), list[str]()
    for number, day in enumerate(days, 1):
        title = [_title(number, day, cities, language)] if request.length > 1 else []
        told += [*title, *_lines(day.steps, day.places, [next(ways) for _ in day.places[1:]], language)]
    if lacking:
        kind = Says(lacking.seek, lacking.search_words).to(language)
        told.append(_TOO_FEW.to(language).format(day=len(days), kind=kind))
    estimated = any(row.get("estimated") for way_answer in way_answers for row in way_answer.rows("routes"))
    head = Says(
        f"{'、'.join(map(short, cities))}这样走顺路{'（路上用时是估算的）' if estimated else ''}：",
        f"An order for {' and '.join(map(in_english, cities))}{_ESTIMATE_NOTE if estimated else ''}:",
    ).to(language)
    return Words("\n".join((head, *told)))


@dataclass(frozen=True, slots=True)
class _PlannedDay:
    """A place for each step of a day in a city."""

    city: str
    steps: Sequence[Step]
    places: Sequence[Place]


def _days(request: Request, lookups: Lookups) -> tuple[list[_PlannedDay], Step | None]:
    """The days that can be filled, and the step for which nothing was left."""
    days = list[_PlannedDay]()
    cities = _cities(request)
    seen = list[Place]()
    for number in range(request.length):
        date_ = (request.day or request.now.date()) + timedelta(number)
        steps = [
            step
            for step in request.steps
            if not number or cities[number] != cities[number - 1] or step.seek not in LODGINGS
        ]
        places = list[Place]()
        for step in steps:
            place = _place(step, places, seen, replace(request, cities=(cities[number],)), date_, lookups)
            if place is None:
                return days, step
            places.append(place)
        days.append(_PlannedDay(cities[number], steps, places))
        seen += places
    return days, None


def _cities(request: Request) -> tuple[str, ...]:
    """The city of each day: those that were named but for where the way begins, the days shared out among them."""
    start = cities_in(request.ends[0])
    named = [city for city in request.cities if city not in start]
    if not 1 < len(named) <= request.length:
        named = [request.region]
    return tuple(named[day * len(named) // request.length] for day in range(request.length))


def _title(number: int, day: _PlannedDay, cities: Sequence[str], language: Language) -> str:
    title = _DAY.to(language).format(day=number)
    if len(cities) == 1:
        return title
    return title + Says(f"（{short(day.city)}）", f" ({in_english(day.city)})").to(language)


def _lines(
    steps: Sequence[Step], places: Sequence[Place], ways: Sequence[str], language: Language
) -> Iterator[str]:
    for number, (step, place) in enumerate(zip(steps, places, strict=True)):
        if number and ways[number - 1]:
            yield f"   ↓ {ways[number - 1]}"
        label = (_STAY if step.seek in LODGINGS else _HEADS[step.part] if number or step.part else _FIRST).to(
            language
        )
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
    names = {place.get("name") for place in (*today, *earlier)}
    for rows in _offers(step, today, request, lookups):
        for row in rows:
            if row.get("name") not in names and _is_open(row, step, day) and _suits(row, step):
                return row
    return None


def _offers(
    step: Step, today: Sequence[Place], request: Request, lookups: Lookups
) -> Iterator[Sequence[Place]]:
    """What a day is offered; several days choose from what was found once for all, or no turn has steps enough."""
    near = str(today[-1].get("coordinates") or "") if today else ""
    words = dict.fromkeys((step.seek, _OTHER_WORDS.get(step.seek, step.seek)))
    if request.length > 1:
        kinds = dict.fromkeys(step.seek for step in request.steps) | words
        wanted = {kind: _search(kind, {"region": request.region}, request) for kind in kinds}
        answers = dict(zip(wanted, lookups.look_up_all(*wanted.values()), strict=True))
        yield from (_nearest_first(answers[word].rows("places"), near) for word in words)
        return
    areas: list[dict[str, Any]] = [{"center": near, "radius": _RADIUS_AROUND}] if near else []
    for area in (*areas, {"region": request.region}):
        for word in words:
            yield lookups.look_up_all(_search(word, area, request))[0].rows("places")


def _search(kind: str, area: Mapping[str, Any], request: Request) -> tuple[str, dict[str, Any]]:
    most = _CHOICES * request.length
    return "map_search_places", {"query": kind, "limit": most, **area, **_price(kind, request)}


def _nearest_first(rows: Sequence[Place], near: str) -> Sequence[Place]:
    here = point_of(near)
    if here is None:
        return rows

    def distance(row: Place) -> float:
        there = point_of(str(row.get("coordinates") or ""))
        return distance_m(here, there) if there else float("inf")

    return sorted(rows, key=distance)


def _suits(row: Place, step: Step) -> bool:
    """Nobody has cake for dinner, unless that is what they look for."""
    return step.seek not in lexicon.FOODS or not says(lexicon.LIGHT_FOOD, str(row.get("category") or ""))


def _price(kind: str, request: Request) -> dict[str, Any]:
    if request.most is None or kind in SIGHTS:
        return {}
    return {"price_max": request.most, "price_category": "price" if kind in LODGINGS else "average_cost"}


def _is_open(row: Place, step: Step, day: date) -> bool:
    hours, at = row.get("hours"), _CLOCK[step.part]
    is_open = open_on(hours, day) if isinstance(hours, str) else None
    return is_open is None or (f"{is_open.start:0>5}" <= at < f"{is_open.end:0>5}")


def _ways(pairs: Sequence[tuple[Place, Place]], lookups: Lookups) -> list[ToolAnswer]:
    """How to get from one place to the next, with nothing in it where a place has no point."""
    ends = [[place.get("coordinates") for place in pair] for pair in pairs]
    known = [all(isinstance(end, str) and end for end in pair) for pair in ends]
    wanted = [
        ("map_compute_routes", {"origin": one, "destination": other, "modes": ["walking", "driving"]})
        for (one, other), tells in zip(ends, known, strict=True)
        if tells
    ]
    answers = iter(lookups.look_up_all(*wanted))
    return [next(answers) if tells else ToolAnswer({}) for tells in known]


def _way(answer: ToolAnswer, language: Language) -> str:
    """On foot where that is near, else by car; "" where nothing tells."""
    ways = {str(row.get("mode")): row for row in answer.rows("routes")}
    minutes, metres = (ways.get("walking", {}).get(key) for key in ("duration_minutes", "distance_m"))
    if isinstance(metres, int | float) and metres < _NEIGHBOUR_M:
        return _NEIGHBOUR_WORDS.to(language)
    walks = isinstance(minutes, int | float) and minutes <= _WALK_MINUTES
    way = ways.get("walking" if walks else "driving") or next(iter(ways.values()), None)
    return way_text({**way, "estimated": False}, language) if way else ""
