"""From a question to tool calls, and from their results to a sentence."""

from __future__ import annotations

from datetime import date, timedelta

from benchmark.core.actions import ToolCall
from benchmark.suites.grouptravel.agent.facts.desk import Desk
from benchmark.suites.grouptravel.agent.facts.questions import Query, of_word, place_asked, rows_of
from benchmark.suites.grouptravel.agent.facts.weather import told_date, told_day, weather_calls, weather_text
from benchmark.suites.grouptravel.agent.lexicon.asks import asks
from benchmark.suites.grouptravel.agent.lexicon.phrases import phrases
from benchmark.suites.grouptravel.agent.planning.geography import written_point
from benchmark.suites.grouptravel.agent.planning.hours import told_on
from benchmark.suites.grouptravel.agent.planning.knowledge import find_point
from benchmark.suites.grouptravel.agent.results import as_text, service_call, services_in
from benchmark.text import guarded
from sandbox.toolsets.grouptravel.maps_geo import PartialAddress
from sandbox.toolsets.grouptravel.poi import PartialPlace, PartialPlaces
from sandbox.toolsets.grouptravel.routing import PartialRoute
from sandbox.toolsets.grouptravel.services import PartialTrip
from sandbox.toolsets.grouptravel.web_search import PartialAnswers

_ALL_DAY = guarded.compile(
    r"^(?:周一至周日\s*)?(?:24小时(?:营业|开放)?|00:00-24:00)$|^always open$", guarded.IGNORECASE
)
"""As map services write it."""
_MODES = {"high_speed": "高铁", "slow": "火车"}
"""The kinds of train that a question can name, as the tools call them."""


def calls_for(query: Query, desk: Desk) -> list[ToolCall]:
    """The calls whose results answer a question, in order; a later one may depend on the results of the first."""
    if query.intent == "weather":
        return weather_calls(query, desk)
    if query.intent == "services":
        return _service_calls(query, desk)
    if query.intent == "route":
        return _route_calls(query, desk)
    if query.intent == "drive":
        return _drive_calls(query, desk)
    if query.intent == "web" or not _search_word(query, desk):
        return [ToolCall("web_search", {"query": _plain(query.text)})]
    return _place_calls(query, desk)


def _search_word(query: Query, desk: Desk) -> str:
    return query.subject or asks(desk.brief.language).searches.get(query.intent, "")


def _place_calls(query: Query, desk: Desk) -> list[ToolCall]:
    search = _search(_search_word(query, desk), query.city)
    place = place_asked(desk.result(PartialPlaces, search), query)
    needs_detail = place and query.intent == "hours" and not place.opening_hours and place.id
    return [search, *([ToolCall("get_poi_detail", {"id": place.id})] if place and needs_detail else [])]


def _search(word: str, city: str) -> ToolCall:
    return ToolCall("search_poi", {"keywords": word, "city": city})


def _plain(text: str) -> str:
    return guarded.sub(r"@\w+", "", text, flags=guarded.ASCII).strip()


def _service_calls(query: Query, desk: Desk) -> list[ToolCall]:
    words = asks(desk.brief.language)
    brief = desk.brief
    origin, destination, day = brief.departure_city, query.city, brief.start
    if guarded.search(words.back, query.text):
        origin, destination, day = (
            query.city,
            brief.departure_city,
            brief.start + timedelta(days=brief.days - 1),
        )
    kinds = ["trains"] if guarded.search(words.trains, query.text) else []
    kinds += ["flights"] if guarded.search(words.flights, query.text) else []
    return [service_call(kind, origin, destination, day) for kind in kinds or ["trains"]]


def _route_ends(query: Query, desk: Desk) -> tuple[str, str] | None:
    match = guarded.search(asks(desk.brief.language).route_ends, query.text)
    return (match.group("a").strip(), match.group("b").strip()) if match else None


def _route_calls(query: Query, desk: Desk) -> list[ToolCall]:
    ends = _route_ends(query, desk)
    if ends is None:
        return [ToolCall("web_search", {"query": _plain(query.text)})]
    searches = [_search(end, query.city) for end in ends]
    points = [
        place.location if (place := place_asked(desk.result(PartialPlaces, search), query, end)) else None
        for search, end in zip(searches, ends, strict=True)
    ]
    if not all(points):
        return searches
    return [
        *searches,
        ToolCall("plan_route", {"origin": points[0], "destination": points[1], "mode": "driving"}),
    ]


def _drive_ends(query: Query, desk: Desk) -> tuple[str, str]:
    home = desk.brief.departure_city
    return (
        (query.city, home)
        if guarded.search(asks(desk.brief.language).back, query.text)
        else (home, query.city)
    )


def _drive_calls(query: Query, desk: Desk) -> list[ToolCall]:
    """Where both cities are, then the way between them."""
    ends = [ToolCall("maps_geo", {"address": city}) for city in _drive_ends(query, desk)]
    points = [find_point(desk.result(PartialAddress, end)) for end in ends]
    written = [written_point(point) for point in points if point]
    if len(written) < len(ends):
        return ends
    drive = ToolCall("plan_route", {"origin": written[0], "destination": written[1], "mode": "driving"})
    return [*ends, drive]


def answer(query: Query, desk: Desk) -> str:
    """A sentence with what the tools say, without a full stop; says so when they know nothing."""
    text = {
        "weather": weather_text,
        "services": _services,
        "route": _route,
        "drive": _drive,
        "web": _web,
    }.get(query.intent, _place)(query, desk)
    if text:
        return text
    if query.intent == "weather":
        return desk.say("no_weather", city=query.city, date=_day(desk.brief.start.isoformat(), desk))
    return desk.say("unknown", subject=query.subject or _plain(query.text).rstrip("?？"))


def _day(text: str, desk: Desk) -> str:
    """A date as people say it; what is no date stays as it is."""
    try:
        return told_date(date.fromisoformat(text), desk)
    except ValueError:
        return text


def _dates(text: str, desk: Desk) -> str:
    """Month and day as people say them: 04-01~10-31 is 4月1日~10月31日."""
    return guarded.sub(
        r"(?<![\d:])(\d\d)-(\d\d)(?![\d:])",
        lambda match: told_day(int(match.group(1)), int(match.group(2)), desk),
        text,
    )


def _services(query: Query, desk: Desk) -> str:
    texts = (_service_text(call, query, desk) for call in calls_for(query, desk))
    return phrases(desk.brief.language).joiner.join(texts)


def _service_text(call: ToolCall, query: Query, desk: Desk) -> str:
    route = dict(call.arguments) if isinstance(call.arguments, dict) else {}
    route["date"] = _day(str(route.get("date", "")), desk)
    kind = "flights" if call.name.endswith("flights") else _trains_asked(query, desk)
    told = services_in(desk.result(PartialTrip, call))
    rows = [(row, price) for row, price in told if row.mode == _MODES.get(kind, row.mode)]
    mode = phrases(desk.brief.language).modes[kind]
    if not rows:
        return desk.say("no_services", mode=mode, **route)
    prices = [price for _, price in rows]
    return desk.say(
        "services",
        count=len(rows),
        mode=mode,
        span=_span(prices, desk),
        first=min(as_text(row, "depart") for row, _ in rows),
        hours=_duration(min(int(row.duration_minutes or 0) for row, _ in rows), desk),
        **route,
    )


def _trains_asked(query: Query, desk: Desk) -> str:
    """Those of one kind alone, where the question names one kind."""
    words = asks(desk.brief.language)
    kinds = [kind for kind in _MODES if guarded.search(getattr(words, kind), query.text)]
    return kinds[0] if len(kinds) == 1 else "trains"


def _span(prices: list[float], desk: Desk) -> str:
    low, high = (f"{price:g}" for price in (min(prices), max(prices)))
    return low if low == high else desk.say("span", low=low, high=high)


def _duration(minutes: int, desk: Desk) -> str:
    texts = phrases(desk.brief.language).duration
    hours, rest = divmod(minutes, 60)
    key = "minutes" if not hours else "hours" if rest else "whole_hours"
    return texts[key].format(hours=hours, minutes=rest)


def _route(query: Query, desk: Desk) -> str:
    calls = calls_for(query, desk)
    ends = _route_ends(query, desk)
    if ends is None:
        return _web(query, desk)
    result = _way(calls[-1], desk)
    if not result.distance_m:
        return ""
    distance, minutes = float(result.distance_m) / 1000, round(float(result.duration_minutes or 0))
    mode = phrases(desk.brief.language).modes["driving"]
    return desk.say(
        "route", origin=ends[0], destination=ends[1], distance=f"{distance:.1f}", mode=mode, minutes=minutes
    )


def _drive(query: Query, desk: Desk) -> str:
    calls = calls_for(query, desk)
    result = _way(calls[-1], desk)
    if not result.distance_m:
        return ""
    origin, destination = _drive_ends(query, desk)
    told = desk.say(
        "drive",
        origin=origin,
        destination=destination,
        distance=f"{float(result.distance_m) / 1000:.0f}",
        hours=_duration(round(float(result.duration_minutes or 0)), desk),
    )
    cost = result.cost if result.cost_per == "car" else None
    return desk.say("drive_cost", drive=told, cost=f"{cost:.0f}") if cost is not None else told


def _way(call: ToolCall, desk: Desk) -> PartialRoute:
    return desk.result(PartialRoute, call) if call.name == "plan_route" else PartialRoute()


def _web(query: Query, desk: Desk) -> str:
    answers = desk.result(PartialAnswers, calls_for(query, desk)[0]).answers or []
    texts = [as_text(answer_text, "text") for answer_text in answers if answer_text is not None]
    texts = [text for text in texts if query.subject in text]
    return desk.say("web", text=texts[0].rstrip("。")) if texts and texts[0] else ""


def _place(query: Query, desk: Desk) -> str:
    calls = calls_for(query, desk)
    if calls[0].name == "web_search":
        return _web(query, desk)
    places = desk.result(PartialPlaces, calls[0])
    place = place_asked(places, query)
    if place is None or (query.intent in {"hotel", "meal"} and not query.subject):
        return _range(query, desk, places)
    detail = desk.result(PartialPlace, calls[1]) if len(calls) > 1 else PartialPlace()
    told = {name: getattr(detail, name) for name in detail.model_fields_set}
    return _place_text(query, desk, place.model_copy(update=told))


def _place_text(query: Query, desk: Desk, place: PartialPlace) -> str:
    name, price = str(place.name), place.price
    hours = place.opening_text or place.opening_hours
    parts = []
    if query.intent == "hours" and isinstance(hours, str) and hours:
        parts.append(_hours(name, hours, desk))
    if query.intent == "address" and place.address:
        parts.append(desk.say("address", name=name, address=place.address))
    asks_price = query.intent in {"ticket", "meal", "hotel"} or guarded.search(
        asks(desk.brief.language).intents["ticket"], query.text
    )
    if asks_price and price is not None:
        key = {"restaurant": "meal", "hotel": "hotel"}.get(str(place.kind), "ticket" if price else "free")
        parts.append(desk.say(key, name=name, price=f"{price:g}"))
    if not parts and query.intent in {"ticket", "hours"}:
        return desk.say(f"no_{query.intent}", name=name)
    return phrases(desk.brief.language).joiner.join(parts)


def _hours(name: str, hours: str, desk: Desk) -> str:
    hours = told_on(hours, [desk.brief.start + timedelta(days=nth) for nth in range(desk.brief.days)])
    if _ALL_DAY.search(hours):
        return desk.say("all_day", name=name)
    key = "hours" if guarded.search(r"\d", hours) else "always"
    told = _dates(hours, desk)
    for written, word in phrases(desk.brief.language).hours.items():
        told = told.replace(written, word)
    return desk.say(key, name=name, hours=told)


def _range(query: Query, desk: Desk, result: PartialPlaces) -> str:
    """Prices of a kind of restaurant or hotel, when no single place was meant."""
    kind = {"hotel": "hotel", "meal": "restaurant"}.get(query.intent)
    places = of_word([row for row in rows_of(result) if row.kind == kind], query.subject)
    prices = [float(row.price) for row in places if row.price is not None]
    if not prices:
        return ""
    key = "hotels" if kind == "hotel" else "cuisine"
    return desk.say(
        key,
        city=query.city,
        word=_search_word(query, desk),
        count=len(prices),
        span=_span(prices, desk),
    )
