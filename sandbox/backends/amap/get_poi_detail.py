"""get_poi_detail by AMap's look-up of a place's id."""

from __future__ import annotations

import re

from sandbox.backends.amap.failures import unreadable
from sandbox.backends.amap.fields import records
from sandbox.backends.amap.gazetteer import Gazetteer
from sandbox.backends.amap.places import detail_fields
from sandbox.tools.errors import BadArgument
from sandbox.tools.language import Language, Says
from sandbox.toolsets.grouptravel.arguments import shorten
from sandbox.toolsets.grouptravel.get_poi_detail import GetPoiDetailArguments, GetPoiDetailResult

_ID = re.compile(r"[0-9A-Za-z]{1,40}", re.ASCII)
"""AMap takes several ids with | between them; one is meant here."""


def run(arguments: GetPoiDetailArguments, gazetteer: Gazetteer, language: Language) -> GetPoiDetailResult:
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
