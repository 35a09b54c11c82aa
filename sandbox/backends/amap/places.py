"""A place as AMap describes it (搜索 POI 2.0 with show_fields=business); get_poi_detail."""

from __future__ import annotations

import re
from typing import Any

from sandbox.backends.amap.failures import unreadable
from sandbox.backends.amap.fields import Answer, number, place_kind, point, record, records, text, whole
from sandbox.backends.amap.gazetteer import Gazetteer
from sandbox.backends.amap.hours import structured_hours
from sandbox.tools.errors import BadArgument
from sandbox.tools.language import Language, Says
from sandbox.toolsets.grouptravel.arguments import shorten
from sandbox.toolsets.grouptravel.get_poi_detail import GetPoiDetailArguments, GetPoiDetailResult
from sandbox.worlds.geo import format_point

_ID = re.compile(r"[0-9A-Za-z]{1,40}", re.ASCII)
"""AMap takes several ids with | between them; one is meant here."""


def poi_fields(poi: Answer, language: Language) -> dict[str, Any] | None:
    """The fields of `Poi`; None for an entry without id, name or coordinates. What AMap leaves empty is None."""
    at, identifier, name = point(poi.get("location")), text(poi.get("id")), text(poi.get("name"))
    if at is None or not identifier or not name:
        return None
    business = record(poi.get("business"))
    categories = _categories(poi)
    return {
        "id": identifier,
        "name": name,
        "kind": place_kind(text(poi.get("typecode"))),
        "category": categories[0] if categories else "",
        "city": text(poi.get("cityname")) or text(poi.get("pname")),
        "address": text(poi.get("adname")) + text(poi.get("address")),
        "location": format_point(at),
        "distance_m": whole(poi.get("distance")),
        "rating": number(business.get("rating")),
        "price": number(business.get("cost")),
        "opening_hours": _hours_text(business, language),
        "stay_hours": None,
    }


def detail_fields(poi: Answer, language: Language) -> dict[str, Any] | None:
    """The fields of `GetPoiDetailResult`. The kind follows from AMap's code of the type, structured hours from the
    text of the hours: both are named as derived.
    """
    fields = poi_fields(poi, language)
    if fields is None:
        return None
    business = record(poi.get("business"))
    hours = structured_hours(text(business.get("opentime_week")))
    return fields | {
        "opening_hours": hours,
        "phone": text(business.get("tel")).replace(";", "、") or None,
        "opening_text": fields["opening_hours"],
        "categories": _categories(poi),
        "rooms": (),
        "dishes": _dishes(business) if fields["kind"] == "restaurant" else (),
        "description": "",
        "derived": ("kind", "opening_hours") if hours else ("kind",),
    }


def _categories(poi: Answer) -> tuple[str, ...]:
    """Of 餐饮服务;中餐厅;浙江菜 the last word first, then the others; several types have | between them."""
    words = [word for each in text(poi.get("type")).split("|") for word in reversed(each.split(";")) if word]
    return tuple(dict.fromkeys(words))


def _hours_text(business: Answer, language: Language) -> str | None:
    """The hours of the week; else those of the day of the request, marked so, since the answer is kept."""
    week, today = text(business.get("opentime_week")), text(business.get("opentime_today"))
    if week or not today:
        return week or None
    return Says(f"{today}（仅为查询当日）", f"{today} (on the day of the query only)").to(language)


def _dishes(business: Answer) -> tuple[str, ...]:
    """`tag` names what a restaurant is known for."""
    names = text(business.get("tag")).replace("，", ",").split(",")
    return tuple(dict.fromkeys(name.strip() for name in names if name.strip()))


def get_poi_detail(
    arguments: GetPoiDetailArguments, gazetteer: Gazetteer, language: Language
) -> GetPoiDetailResult:
    """The place with that id."""
    asked = {"id": arguments.id, "show_fields": "business"}
    known = _ID.fullmatch(arguments.id)
    pois = records(gazetteer.client.get("/v5/place/detail", asked).get("pois")) if known else []
    if not pois:
        raise BadArgument(
            "id",
            Says(
                f"高德地图没有 id 为「{shorten(arguments.id)}」的地点；请使用 search_poi 返回的 id",
                f'AMap has no place with the id "{shorten(arguments.id)}"; use an id that search_poi returned',
            ),
        )
    fields = detail_fields(pois[0], language)
    if fields is None:
        raise unreadable("a place without id, name or location")
    return GetPoiDetailResult(**fields)
