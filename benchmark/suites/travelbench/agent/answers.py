"""Answers, each with the calls that it needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from benchmark.suites.travelbench.agent.cities import cities_in, short
from benchmark.suites.travelbench.agent.looking import Found, Lookups
from benchmark.suites.travelbench.agent.request import Request
from benchmark.suites.travelbench.agent.telling import place_lines, service_lines, way_lines, weather_line
from benchmark.text.prompts import spoken
from sandbox.tools.language import Language, Says

_UNKNOWN = Says(
    "抱歉，我没有从您的话里读出能用工具办的事。我能查地点、路线、火车、航班和天气。",
    "Sorry, I see nothing in this that my tools can do. I can look up places, routes, trains, flights and weather.",
)
_CAN_NOT = Says(
    "抱歉，这件事我办不到：我不能提醒、打电话、预订、付款或操作设备，也看不到别人的位置。我能查地点、路线、火车、航班和天气。",
    "Sorry, I can't do that: I set no reminders, make no calls or bookings, pay nothing, operate no device and see "
    "nobody's position. I can look up places, routes, trains, flights and weather.",
)
_UNNAMED = Says(
    "抱歉，您说的是哪个地方我无从知道，也查不到，所以答不了。",
    "Sorry, I can't know or look up which place you mean, so I can't answer this.",
)
_NOTHING = Says("抱歉，没有查到：{}。", "Sorry, nothing was found for {}.")
_NEAR, _FAR = 3_000, 20_000
"""Metres around a place: a walk or a short ride, and the most that the tool takes."""
_LIMIT = 6
_MODES = ("driving", "transit")


class Words(NamedTuple):
    """An answer. unsolvable: the tools can't do what is asked, or nobody can know what is meant."""

    text: str
    unsolvable: bool = False


def answer(request: Request, lookups: Lookups, language: str) -> Words:
    """The answer to a request.

    Raises:
        NotYet: with the calls that it still lacks.
    """
    return _FLOWS[request.kind](request, lookups, spoken(language))


# What can't be done.


def _cannot(request: Request, lookups: Lookups, language: Language) -> Words:
    return Words(_CAN_NOT.to(language), unsolvable=True)


def _unnamed(request: Request, lookups: Lookups, language: Language) -> Words:
    return Words(_UNNAMED.to(language), unsolvable=True)


def _unknown(request: Request, lookups: Lookups, language: Language) -> Words:
    return Words(_UNKNOWN.to(language), unsolvable=True)


def _nothing(what: str, language: Language) -> Words:
    return Words(_NOTHING.to(language).format(what))


# Timetables.


def _timetables(*tools: str) -> Callable[[Request, Lookups, Language], Words]:
    def flow(request: Request, lookups: Lookups, language: Language) -> Words:
        ends = _cities(request)
        if ends is None:
            return _unnamed(request, lookups, language)
        start, end = ends
        day = request.day or request.now.date()
        given = {"origin": start, "destination": end, "date": day.isoformat()}
        found = lookups.together(*((tool, given) for tool in tools))
        head = Says(
            f"{short(start)}到{short(end)}，{day.isoformat()}",
            f"{short(start)} to {short(end)}, {day.isoformat()}",
        ).to(language)
        parts = [_services(tool, one, request, language) for tool, one in zip(tools, found, strict=True)]
        if not any(found):
            return _nothing(head, language)
        assumed = "" if request.day else Says("（按今天查询）", " (today is assumed)").to(language)
        return Words("\n".join((f"{head}{assumed}", *parts)))

    return flow


_CALLED = {"travel_search_trains": Says("火车", "Trains"), "travel_search_flights": Says("航班", "Flights")}
_ROWS = {"travel_search_trains": "trains", "travel_search_flights": "flights"}


def _services(tool: str, found: Found, request: Request, language: Language) -> str:
    name = _CALLED[tool].to(language)
    if found.text:
        return f"{name}: {found.text}"
    days = found.rows("days")
    rows = [row for row in (days[0].get(_ROWS[tool]) or () if days else ()) if isinstance(row, dict)]
    if request.order == "price:a":
        rows.sort(key=_price)
    lines = service_lines(rows, request.part, language)
    if not lines and rows:
        none = Says("这个时段没有，其他时段有：", "none at that time of day; at other times:").to(language)
        lines = [none, *service_lines(rows, None, language)]
    return (
        "\n".join((f"{name}:", *lines)) if lines else f"{name}: {Says('没有查到', 'none found').to(language)}"
    )


def _price(row: Mapping[str, Any]) -> float:
    held = [
        one.get("price") for one in (row.get("fares") or row.get("prices") or ()) if isinstance(one, dict)
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


# Weather.


def _weather(request: Request, lookups: Lookups, language: Language) -> Words:
    city = request.region
    if not city:
        return _unnamed(request, lookups, language)
    if request.day is None or request.day == request.now.date():
        found = lookups.call("weather_current_conditions", location=city)
        lines = [weather_line(found.told, language)] if found.told else []
    else:
        found = lookups.call("weather_forecast_days", location=city, date=request.day.isoformat())
        rows = found.rows("days")
        asked = [row for row in rows if row.get("date") == request.day.isoformat()]
        lines = [weather_line(row, language) for row in asked or rows]
    told = lines or list(filter(None, (found.text,)))
    what = Says(f"{short(city)}的天气", f"the weather in {short(city)}").to(language)
    if not told:
        return _nothing(what, language)
    return Words("\n".join((f"{what}{Says('：', ': ').to(language)}", *told)))


# Places and ways.


def _spot(name: str, request: Request, lookups: Lookups) -> str:
    """The coordinates of a place by its name, in the city that was named, else near the user; "" for none."""
    if not name:
        return request.here
    named = cities_in(name)
    region = named[0] if named else request.region
    if region:
        found = lookups.call("map_search_places", query=name, region=region, limit=3)
        if found.coordinates or not request.here:
            return found.coordinates
    if not request.here:
        return ""
    return lookups.call(
        "map_search_places", query=name, center=request.here, radius=_FAR, limit=3
    ).coordinates


def _is_city(name: str, city: str) -> bool:
    """Whether a name is that of a city and nothing in it."""
    return cities_in(name) == [city] and name.removesuffix("市") == short(city)


def _route(request: Request, lookups: Lookups, language: Language) -> Words:
    start, end = request.ends
    first = _spot(
        "" if cities_in(start) == [request.city] and len(start) <= len("杭州市") else start, request, lookups
    )
    if not first:
        return _nothing(start or Says("您的位置", "where you are").to(language), language)
    last = _spot(end, request, lookups)
    if not last:
        return _nothing(end, language)
    modes = list(request.modes or _MODES)
    found = lookups.call("map_compute_routes", origin=first, destination=last, modes=modes)
    here = Says("您的位置", "where you are").to(language)
    what = Says(f"从{start or here}到{end}", f"from {start or here} to {end}").to(language)
    lines = [*way_lines(found.rows("routes"), language)] or list(filter(None, (found.text,)))
    return (
        Words("\n".join((f"{what}{Says('：', ':').to(language)}", *lines)))
        if lines
        else _nothing(what, language)
    )


_WIDER = Says(
    "（附近没有完全符合的，放宽了范围和条件）", " (nothing nearby fits fully; this is a wider search)"
)


def _discovery(request: Request, lookups: Lookups, language: Language) -> Words:
    if not request.seek:  # the only kind of place that was named is part of a name
        return _unknown(request, lookups, language)
    center = _spot(request.anchor, request, lookups)
    around = bool(center) and bool(request.anchor or not request.cities)
    where = {"center": center, "radius": _NEAR} if around else {"region": request.region}
    if not any(where.values()):
        return _unnamed(request, lookups, language)
    what = _what(request, around, language)
    found = lookups.call("map_search_places", query=request.seek, limit=_LIMIT, **where, **_wishes(request))
    if found:
        return _listed(what, found, language)
    wide = {**where, "radius": _FAR} if around else where
    found = lookups.call("map_search_places", query=request.seek, limit=_LIMIT, **wide)
    return _listed(what + _WIDER.to(language) if found else what, found, language)


def _what(request: Request, around: bool, language: Language) -> str:
    """What was looked for, and where, in words."""
    if language == "zh":
        beside = f"{request.anchor or '您'}附近" if around else short(request.region)
        return f"{beside}的{request.seek}"
    beside = f"near {request.anchor or 'you'}" if around else f"in {short(request.region)}"
    return f"{request.sought} {beside}"


def _wishes(request: Request) -> dict[str, Any]:
    """What places have to be like, as the tool takes it."""
    priced = request.most is not None or request.order == "price:a"
    category = "price" if request.seek in ("酒店", "民宿", "青年旅舍") else "average_cost"
    return {
        "sort_by": request.order,
        "price_max": request.most,
        "price_category": category if priced else None,
    }


def _ranking(request: Request, lookups: Lookups, language: Language) -> Words:
    if not request.region:
        return _unnamed(request, lookups, language)
    found = lookups.call("map_search_ranking_list", query=request.seek or "餐厅", region=request.region)
    lines = [
        line
        for row in found.rows("lists")
        for line in (f"{row.get('title', '')}", *place_lines(_dicts(row.get("items")), language))
    ]
    told = lines or list(filter(None, (found.text,)))
    what = Says(f"{short(request.region)}的榜单", f"rankings in {short(request.region)}").to(language)
    return Words("\n".join(told)) if told else _nothing(what, language)


def _dicts(held: Any) -> list[Mapping[str, Any]]:
    return [one for one in held if isinstance(one, dict)] if isinstance(held, list) else []


def _along(request: Request, lookups: Lookups, language: Language) -> Words:
    start, end = request.ends[0], request.ends[1] or request.bound_for
    seek = request.seek or "餐厅"
    first, last = _spot(start, request, lookups), _spot(end, request, lookups) if end else ""
    if not (first and last):
        return _nothing(end or Says("路线的终点", "the end of the way").to(language), language)
    mode = "walking" if "walking" in request.modes else "driving"
    found = lookups.call(
        "map_search_along_route",
        query=seek,
        origin=first,
        destination=last,
        transport_mode=mode,
        limit=_LIMIT,
    )
    return _listed(
        Says(f"去{end}沿途的{seek}", f"{request.sought or seek} on the way to {end}").to(language),
        found,
        language,
    )


def _central(request: Request, lookups: Lookups, language: Language) -> Words:
    seek = request.seek or "餐厅"
    if len(request.between) < len(("one", "other")):
        return _unnamed(request, lookups, language)
    spots = [_spot(name, request, lookups) for name in request.between]
    lacking = [name for name, spot in zip(request.between, spots, strict=True) if not spot]
    if lacking:
        return _nothing(lacking[0], language)
    found = lookups.call("map_search_central_places", query=seek, origins=spots, limit=_LIMIT)
    between = Says("和", " and ").to(language).join(request.between)
    return _listed(
        Says(f"{between}之间的{seek}", f"{request.sought or seek} between {between}").to(language),
        found,
        language,
    )


def _hours(request: Request, lookups: Lookups, language: Language) -> Words:
    if not request.subject:
        return _unnamed(request, lookups, language)
    where = {"region": request.region} if request.region else {"center": request.here, "radius": _FAR}
    if not any(where.values()):
        return _unnamed(request, lookups, language)
    found = lookups.call("map_search_places", query=request.subject, limit=3, **where)
    return _listed(request.subject, found, language)


def _listed(what: str, found: Found, language: Language) -> Words:
    lines = [*place_lines(found.rows("places"), language)] or list(filter(None, (found.text,)))
    return (
        Words("\n".join((f"{what}{Says('：', ':').to(language)}", *lines)))
        if lines
        else _nothing(what, language)
    )


_FLOWS: Mapping[str, Callable[[Request, Lookups, Language], Words]] = {
    "": _unknown,
    "cannot": _cannot,
    "unnamed": _unnamed,
    "trains": _timetables("travel_search_trains"),
    "flights": _timetables("travel_search_flights"),
    "tickets": _timetables("travel_search_trains", "travel_search_flights"),
    "weather": _weather,
    "route": _route,
    "discovery": _discovery,
    "ranking": _ranking,
    "along": _along,
    "central": _central,
    "hours": _hours,
}
