"""maps_geo and get_poi_detail: an address, and a place by its id."""

from __future__ import annotations

from typing import cast

from sandbox.toolsets.base import Question
from sandbox.toolsets.grouptravel.arguments import unknown_spot
from sandbox.toolsets.grouptravel.get_poi_detail import GetPoiDetailArguments, unknown_id
from sandbox.toolsets.grouptravel.maps_geo import MapsGeoArguments, MapsGeoResult
from sandbox.toolsets.grouptravel.nearest.listed import detail_of, poi_of
from sandbox.toolsets.grouptravel.nearest.records import good, result_text, unknown, value_of
from sandbox.toolsets.grouptravel.nearest.sameness import same_place, same_words, text_of
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
    for record in question.places.called(asked.address, asked.city) if asked.city else ():
        poi = poi_of(record)
        if poi and same_words(poi.name, asked.address):
            return result_text(
                MapsGeoResult(name=poi.name, city=poi.city, kind=poi.kind, location=poi.location)
            )
    raise unknown(unknown_spot("address", asked.address, asked.city))


def detail(question: Question) -> str:
    """The place with the same id, else what searches tell of it.

    Raises:
        ToolFailure: no cached answer holds it.
    """
    asked = cast("GetPoiDetailArguments", question.valid.arguments).id
    for example in good(question.examples):
        value = value_of(example)
        told = value.get("id", asked) if isinstance(value, dict) else asked
        if text_of(example.call.arguments.get("id")).strip() == asked.strip() == str(told).strip():
            return example.result
    listed = detail_of(question, asked)
    if listed is not None:
        return listed.result
    raise unknown(unknown_id(asked))
