"""Whatever JSON comes with status "1", the outcome is a result of the tool or a failure that can be told."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, cast, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.backends.amap import fields
from sandbox.backends.amap.client import AmapClient
from sandbox.backends.amap.failures import AmapFailure
from sandbox.backends.amap.gazetteer import Gazetteer, Location
from sandbox.backends.amap.hours import structured_hours
from sandbox.backends.amap.maps_weather import run as weather
from sandbox.backends.amap.places import detail_fields, poi_fields
from sandbox.backends.amap.routing import NoRoute, Trip, route_fields, ways
from sandbox.tools.errors import BadArgument
from sandbox.toolsets.grouptravel.get_poi_detail import GetPoiDetailResult
from sandbox.toolsets.grouptravel.maps_weather import MapsWeatherArguments
from sandbox.toolsets.grouptravel.poi import Poi
from sandbox.toolsets.grouptravel.routing import Route, RouteMode
from sandbox.worlds import Spot
from tests.sandbox.backends import amap_data

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from(["", "0", "120.1,30.2", []]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
MODES: tuple[RouteMode, ...] = get_args(RouteMode)
ROUTES = dict(
    zip(MODES, (amap_data.TRANSIT, amap_data.DRIVING, amap_data.WALKING, amap_data.BICYCLING), strict=True)
)


class Answering:
    """A client that gives one answer to everything."""

    def __init__(self, answer: dict[str, Any]) -> None:
        self._answer = answer

    def get(self, path: str, parameters: Mapping[str, object]) -> dict[str, Any]:
        return self._answer


def client(answer: dict[str, Any]) -> AmapClient:
    return cast(AmapClient, Answering(answer))


@st.composite
def damaged_answers(draw: st.DrawFn, whole: dict[str, Any]) -> dict[str, Any]:
    """An answer of which some values, at any depth, are others or gone."""
    copy = deepcopy(whole)
    for _ in range(draw(st.integers(1, 4))):
        spots = list(_containers(copy))
        if not spots:
            break
        holder, key = draw(st.sampled_from(spots))
        holder[key] = draw(JSON)
    return copy


def _containers(value: Any) -> list[tuple[Any, Any]]:
    keys = value.keys() if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    return [(value, key) for key in keys] + [spot for key in keys for spot in _containers(value[key])]


@given(st.sampled_from(amap_data.PLACES[:8]).flatmap(damaged_answers))
def test_any_place(place: dict[str, Any]) -> None:
    short, full = poi_fields(place, "zh"), detail_fields(place, "en")
    assert (short is None) == (full is None)
    if short and full:
        Poi(**short).model_dump_json()
        GetPoiDetailResult(**full).model_dump_json()


@given(st.data(), st.sampled_from(MODES))
def test_any_route(data: st.DataObject, mode: RouteMode) -> None:
    answer = data.draw(damaged_answers({"route": ROUTES[mode]}))
    end = Location(Spot("西湖", "杭州市", "landmark", 120.1, 30.2), "330106", "0571")
    trip = Trip(mode, end, end, lines=True)
    try:
        offered = ways(client(answer), trip)
    except (NoRoute, AmapFailure):
        return
    for way in offered:
        Route(**route_fields(trip, way)).model_dump_json()
        assert way.minutes >= 0 and way.metres >= 0


@given(damaged_answers({"forecasts": [amap_data.FORECAST]}), st.integers(0, 5))
def test_any_forecast(answer: dict[str, Any], days: int) -> None:
    geocoded = {"geocodes": [amap_data.GEOCODES["西湖"]]}
    gazetteer = Gazetteer(client(answer | geocoded))
    arguments = MapsWeatherArguments(location="西湖", date="2026-05-01", days=days)
    try:
        result = weather(arguments, gazetteer, "zh")
    except (BadArgument, AmapFailure):
        return
    assert result.days[0].date == "2026-05-01" and result.model_dump_json()


@given(
    damaged_answers(
        {
            "geocodes": list(amap_data.GEOCODES.values()),
            "districts": amap_data.DISTRICTS,
            "pois": amap_data.PLACES[:3],
        }
    )
)
def test_any_geocode(answer: dict[str, Any]) -> None:
    gazetteer = Gazetteer(client(answer))
    try:
        city = gazetteer.city("city", "杭州")
        found = gazetteer.locate_known("address", "楼外楼", city)
    except BadArgument:
        return
    assert found.spot.name and isinstance(found.adcode, str)


HOURS_ALPHABET = "周一二六日至每天24小时营业 :,;；-–0123456789٣"


@given(st.text(HOURS_ALPHABET, max_size=30))
def test_any_text_of_hours(text: str) -> None:
    hours = structured_hours(text)
    assert hours is None or hours["always_open"] or hours["rules"]


@given(JSON)
def test_any_value(value: Any) -> None:
    assert fields.text(value).encode() is not None
    for read in (fields.number, fields.whole, fields.record, fields.records, fields.point, fields.line):
        read(value)


@pytest.mark.parametrize("value", [[], "", None, "x", "nan", "inf", True, {}, "1e999"])
def test_what_is_no_number(value: object) -> None:
    assert fields.number(value) is None
