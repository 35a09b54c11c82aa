"""maps_geo and get_poi_detail: an address, and a place by its id."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from pydantic import ValidationError

from sandbox.calls import Call, Example
from sandbox.toolsets.base import Question, Record
from sandbox.toolsets.grouptravel.arguments import unknown_spot
from sandbox.toolsets.grouptravel.get_poi_detail import GetPoiDetailArguments, GetPoiDetailResult, unknown_id
from sandbox.toolsets.grouptravel.maps_geo import MapsGeoArguments, MapsGeoResult
from sandbox.toolsets.grouptravel.nearest.records import (
    good,
    result_text,
    unknown_failure,
    value_of,
    write_json,
)
from sandbox.toolsets.grouptravel.nearest.sameness import same_place, same_words, text_of
from sandbox.toolsets.grouptravel.poi import Poi
from sandbox.toolsets.grouptravel.search_poi import SearchPoiResult
from sandbox.worlds.geo import format_point, parse_point


def geo(question: Question) -> str:
    """Where the same address is, or the place of that name in the city; a coordinate is where it says.

    Raises:
        ToolFailure: no address that is surely the same is cached.
    """
    asked = cast("MapsGeoArguments", question.valid.arguments)
    point = parse_point(asked.address)
    if point is not None:
        name, city = asked.address.strip(), asked.city or ""
        return result_text(
            MapsGeoResult(name=name, city=city, kind="coordinate", location=format_point(point))
        )
    for example in good(question.examples):
        given = example.call.arguments
        if same_place(asked.address, asked.city, given.get("address"), given.get("city")):
            return example.result
    for record in question.places.places_called(asked.address, asked.city) if asked.city else ():
        poi = poi_of(record)
        if poi and same_words(poi.name, asked.address):
            return result_text(
                MapsGeoResult(name=poi.name, city=poi.city, kind=poi.kind, location=poi.location)
            )
    raise unknown_failure(unknown_spot("address", asked.address, asked.city))


def detail(question: Question) -> str:
    """The place with the same id, else what searches tell of it.

    Raises:
        ToolFailure: no cached answer holds it.
    """
    asked = cast("GetPoiDetailArguments", question.valid.arguments).id
    for example in good(question.examples):
        value = value_of(example)
        named = value.get("id", asked) if isinstance(value, dict) else asked
        if text_of(example.call.arguments.get("id")).strip() == asked.strip() == str(named).strip():
            return example.result
    listed = detail_of(question, asked)
    if listed is not None:
        return listed.result
    raise unknown_failure(unknown_id(asked))


_OF_THE_SEARCH = frozenset(("distance", "distance_m", "detour_m"))
"""Fields that say where a place lies from what was searched around: of another search, or of none."""


def detail_of(question: Question, id_: str) -> Example | None:
    """The place of an id as get_poi_detail would tell it; a record of another form as it is."""
    record = question.places.by_id(id_.strip())
    if record is None:
        return None
    poi = poi_of(record)
    return Example(
        Call("get_poi_detail", {"id": id_}), _detail(poi) if poi else write_json(_own(record)), 1.0
    )


def search_for(question: Question, term: str, city: str) -> Example | None:
    """The known places of a name, category or kind in a city, as one search for them; None where there are none."""
    pois = tuple(_pois(question.places.places_called(term, city)))
    if not pois:
        return None
    result = SearchPoiResult(total=len(pois), page=1, page_size=len(pois), pois=pois)
    call = Call("search_poi", {"keywords": term, "city": city, "page_size": len(pois)})
    return Example(call, result_text(result), 1.0)


def poi_of(record: Record) -> Poi | None:
    """A record in the form of our tools, None where it has another one."""
    try:
        return Poi.model_validate({**_own(record), "distance_m": None})
    except ValidationError:
        return None


def _own(record: Record) -> dict[str, object]:
    return {name: value for name, value in record.items() if name not in _OF_THE_SEARCH}


def _pois(records: Iterable[Record]) -> Iterable[Poi]:
    return (poi for record in records if (poi := poi_of(record)))


def _detail(poi: Poi) -> str:
    """What a search does not tell stays empty, as the tool leaves it where the source has none."""
    known = {name: getattr(poi, name) for name in Poi.model_fields if name != "opening_hours"}
    return result_text(
        GetPoiDetailResult(
            **known,
            opening_hours=None,
            opening_text=poi.opening_hours,
            categories=(poi.category,) if poi.category else (),
            rooms=(),
            dishes=(),
            description="",
            derived=(),
        )
    )
