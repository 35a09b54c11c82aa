"""Answers, each with the calls that it needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from benchmark.suites.travelbench.agent import lexicon
from benchmark.suites.travelbench.agent.cities import cities_in, in_english, short
from benchmark.suites.travelbench.agent.looking import Lookups, ToolAnswer
from benchmark.suites.travelbench.agent.opening import hours
from benchmark.suites.travelbench.agent.ordering import order
from benchmark.suites.travelbench.agent.request import LODGINGS, Request, says
from benchmark.suites.travelbench.agent.spots import FAR, NEAR, spot
from benchmark.suites.travelbench.agent.telling import (
    minutes_text,
    mode_name,
    place_lines,
    service_lines,
    way_lines,
)
from benchmark.suites.travelbench.agent.weather import weather
from benchmark.suites.travelbench.agent.words import (
    Words,
    answer_unknown_request,
    answer_unnamed_place,
    cannot,
    nothing,
    place_list,
)
from benchmark.text.prompts import prompt_language
from sandbox.tools.language import Language, Says

_LIMIT = 6
_MODES = ("driving", "transit")


def answer(request: Request, lookups: Lookups, language: str) -> Words:
    """The answer to a request.

    Raises:
        NotYet: with the calls that it still lacks.
    """
    return _FLOWS[request.kind](request, lookups, prompt_language(language))


# Timetables.


def _timetables(*tools: str) -> Callable[[Request, Lookups, Language], Words]:
    def flow(request: Request, lookups: Lookups, language: Language) -> Words:
        ends = _cities(request)
        if ends is None:
            return answer_unnamed_place(request, lookups, language)
        start, end = ends
        day = request.day or request.now.date()
        given = {"origin": start, "destination": end, "date": day.isoformat()}
        answers = lookups.look_up_all(*((tool, given) for tool in tools))
        head = Says(
            f"{short(start)}到{short(end)}，{day.isoformat()}",
            f"{in_english(start)} to {in_english(end)}, {day.isoformat()}",
        ).to(language)
        parts = [
            _services(tool, answer, request, language) for tool, answer in zip(tools, answers, strict=True)
        ]
        if not any(answers):
            return nothing(head, language)
        assumed = "" if request.day else Says("（按今天查询）", " (today is assumed)").to(language)
        return Words("\n".join((f"{head}{assumed}", *parts)))

    return flow


_SERVICE_WORDS = {
    "travel_search_trains": Says("火车", "Trains"),
    "travel_search_flights": Says("航班", "Flights"),
}
_ROWS = {"travel_search_trains": "trains", "travel_search_flights": "flights"}
_FAST = ("G", "D", "C")
"""What the numbers of fast trains begin with."""


def _services(tool: str, answer: ToolAnswer, request: Request, language: Language) -> str:
    name = _SERVICE_WORDS[tool].to(language)
    if answer.text:
        return f"{name}: {answer.text}"
    rows = _rows(tool, answer, request)
    lines = service_lines(rows, request.part, language)
    if not lines and rows:
        none = Says("这个时段没有，其他时段有：", "none at that time of day; at other times:").to(language)
        lines = [none, *service_lines(rows, None, language)]
    none = Says("没有查到", "none found").to(language)
    head = f"{name}: {_verdict(rows, request, language)}".strip()
    return "\n".join((head, *lines)) if lines else f"{name}: {none}"


def _rows(tool: str, answer: ToolAnswer, request: Request) -> list[Mapping[str, Any]]:
    """The services that are of the kind asked for, the cheapest first where that is asked for."""
    days = answer.rows("days")
    rows: list[Mapping[str, Any]] = [
        row for row in (days[0].get(_ROWS[tool]) or () if days else ()) if isinstance(row, dict)
    ]
    if request.order == "price:a":
        rows.sort(key=_price)
    if says(lexicon.DIRECT, request.words):
        rows = [row for row in rows if row.get("direct")]
    if tool == "travel_search_trains" and says(lexicon.FAST_TRAINS, request.words):
        rows = [row for row in rows if str(row.get("number", "")).startswith(_FAST)]
    return rows


def _verdict(rows: list[Mapping[str, Any]], request: Request, language: Language) -> str:
    """Whether there are direct ones, and how long they take, where that was asked."""
    timed = [row for row in rows if isinstance(row.get("duration_minutes"), int | float)]
    direct, long = (says(pattern, request.words) for pattern in (lexicon.DIRECT, lexicon.HOW_LONG))
    if not timed or not (direct or long):
        return ""
    best = min(timed, key=lambda row: float(row["duration_minutes"]))
    least, number = minutes_text(best["duration_minutes"], language), best.get("number", "?")
    there = Says(f"有直达，{len(rows)} 趟，", f"{len(rows)} direct, ").to(language) if direct else ""
    return there + Says(f"最快 {least}（{number}）。", f"the fastest takes {least} ({number}).").to(language)


def _price(row: Mapping[str, Any]) -> float:
    held = [
        fare.get("price") for fare in (row.get("fares") or row.get("prices") or ()) if isinstance(fare, dict)
    ]
    known = [price for price in held if isinstance(price, int | float)]
    return min(known, default=float("inf"))


def _cities(request: Request) -> tuple[str, str] | None:
    """Where a journey between cities begins and ends; None where that is not said."""
    start, end = (cities_in(name) for name in request.ends)
    if end and (start or request.city):
        return (start[0] if start else request.city), end[-1]
    match request.cities:
        case (first, second, *_):
            return first, second
        case (only,) if request.city and only != request.city:
            return request.city, only
    return None


# Places and ways.


def _route(request: Request, lookups: Lookups, language: Language) -> Words:
    start, end = request.ends
    if start and start.removesuffix("市") == short(request.city):
        start = ""  # the city alone is where the user is
    first = spot(start, request, lookups)
    if not first:
        return nothing(start or Says("您的位置", "where you are").to(language), language)
    last = spot(end, request, lookups)
    if not last:
        return nothing(end, language)
    modes = list(request.modes or _MODES)
    answer = lookups.call("map_compute_routes", origin=first, destination=last, modes=modes)
    here = Says("您的位置", "where you are").to(language)
    what = Says(f"从{start or here}到{end}", f"From {start or here} to {end}").to(language)
    rows = answer.rows("routes")
    lines = [*way_lines(rows, end, language)] or list(filter(None, (answer.text,)))
    if not lines:
        return nothing(what, language)
    faster = _faster(rows, language) if says(lexicon.FASTER, request.words) else ""
    return Words("\n".join((f"{what}{Says('：', ': ').to(language)}{faster}".strip(), *lines)))


def _faster(rows: list[Mapping[str, Any]], language: Language) -> str:
    """Which of several ways is the fastest, "" where there is nothing to compare."""
    timed = [row for row in rows if isinstance(row.get("duration_minutes"), int | float)]
    if len(timed) < len(("one", "other")):
        return ""
    best, second, *_ = sorted(timed, key=lambda row: float(row["duration_minutes"]))
    saved = minutes_text(second["duration_minutes"] - best["duration_minutes"], language)
    return Says(
        f"{mode_name(best, language)}更快，比{mode_name(second, language)}少用 {saved}。",
        f"{mode_name(best, language)} is faster, by {saved}.",
    ).to(language)


_WIDER = Says(
    "（附近没有完全符合的，放宽了范围和条件）", " (nothing nearby fits fully; this is a wider search)"
)


def _discovery(request: Request, lookups: Lookups, language: Language) -> Words:
    if not request.seek:  # the only kind of place that was named is part of a name
        return answer_unknown_request(request, lookups, language)
    center = spot(request.anchor, request, lookups)
    around = bool(center) and bool(request.anchor or not request.cities)
    where = {"center": center, "radius": NEAR} if around else {"region": request.region}
    if not any(where.values()):
        return answer_unnamed_place(request, lookups, language)
    what = _what(request, around, language)
    answer = lookups.call("map_search_places", query=request.seek, limit=_LIMIT, **where, **_wishes(request))
    if answer:
        return place_list(what, answer, language)
    wide = {**where, "radius": FAR} if around else where
    answer = lookups.call("map_search_places", query=request.seek, limit=_LIMIT, **wide)
    return place_list(what + _WIDER.to(language) if answer else what, answer, language)


def _what(request: Request, around: bool, language: Language) -> str:
    """What was looked for, and where, in words."""
    if language == "zh":
        beside = f"{request.anchor or '您'}附近" if around else short(request.region)
        return f"{beside}的{request.seek}"
    beside = f"near {request.anchor or 'you'}" if around else f"in {in_english(request.region)}"
    return f"{request.search_words} {beside}"


def _wishes(request: Request) -> dict[str, Any]:
    """What places have to be like, as the tool takes it."""
    priced = request.most is not None or request.order == "price:a"
    category = "price" if request.seek in LODGINGS else "average_cost"
    return {
        "sort_by": request.order,
        "price_max": request.most,
        "price_category": category if priced else None,
    }


def _ranking(request: Request, lookups: Lookups, language: Language) -> Words:
    if not request.region:
        return answer_unnamed_place(request, lookups, language)
    answer = lookups.call("map_search_ranking_list", query=request.seek or "餐厅", region=request.region)
    lines = [
        line
        for row in answer.rows("lists")
        for line in (f"{row.get('title', '')}", *place_lines(_dicts(row.get("items")), language))
    ]
    told = lines or list(filter(None, (answer.text,)))
    what = Says(f"{short(request.region)}的榜单", f"rankings in {in_english(request.region)}").to(language)
    return Words("\n".join(told)) if told else nothing(what, language)


def _dicts(held: Any) -> list[Mapping[str, Any]]:
    return [item for item in held if isinstance(item, dict)] if isinstance(held, list) else []


def _answer_on_the_way(request: Request, lookups: Lookups, language: Language) -> Words:
    start, end = request.ends[0], request.ends[1] or request.bound_for
    seek = request.seek or "餐厅"
    first, last = spot(start, request, lookups), spot(end, request, lookups) if end else ""
    if not (first and last):
        return nothing(end or Says("路线的终点", "the end of the way").to(language), language)
    mode = "walking" if "walking" in request.modes else "driving"
    answer = lookups.call(
        "map_search_along_route",
        query=seek,
        origin=first,
        destination=last,
        transport_mode=mode,
        limit=_LIMIT,
    )
    return place_list(
        Says(f"去{end}沿途的{seek}", f"{request.search_words or seek} on the way to {end}").to(language),
        answer,
        language,
    )


def _central(request: Request, lookups: Lookups, language: Language) -> Words:
    seek = request.seek or "餐厅"
    if len(request.meeting_points) < len(("one", "other")):
        return answer_unnamed_place(request, lookups, language)
    spots = [spot(name, request, lookups) for name in request.meeting_points]
    lacking = [name for name, spot in zip(request.meeting_points, spots, strict=True) if not spot]
    if lacking:
        return nothing(lacking[0], language)
    answer = lookups.call("map_search_central_places", query=seek, origins=spots, limit=_LIMIT)
    between = Says("和", " and ").to(language).join(request.meeting_points)
    return place_list(
        Says(f"{between}之间的{seek}", f"{request.search_words or seek} between {between}").to(language),
        answer,
        language,
    )


_FLOWS: Mapping[str, Callable[[Request, Lookups, Language], Words]] = {
    "": answer_unknown_request,
    "cannot": cannot,
    "unnamed": answer_unnamed_place,
    "trains": _timetables("travel_search_trains"),
    "flights": _timetables("travel_search_flights"),
    "tickets": _timetables("travel_search_trains", "travel_search_flights"),
    "weather": weather,
    "order": order,
    "route": _route,
    "discovery": _discovery,
    "ranking": _ranking,
    "along": _answer_on_the_way,
    "central": _central,
    "hours": hours,
}
