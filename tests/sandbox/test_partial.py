"""Results as others tell them: what does not fit is left out, and its neighbours are read."""

from __future__ import annotations

from typing import Any

import pytest

from sandbox.toolbox import world_tools
from sandbox.tools.results import Partial, read_json, read_partial
from sandbox.toolsets.grouptravel.poi import PartialPlace, PartialPlaces
from sandbox.toolsets.grouptravel.routing import PartialRoute
from sandbox.toolsets.grouptravel.search_along_route import PartialAlong
from sandbox.toolsets.grouptravel.services import PartialService
from sandbox.toolsets.grouptravel.tools import TOOLS
from sandbox.worlds import World


def test_a_value_that_does_not_fit_is_left_out_and_known_to_be() -> None:
    place = read_partial(PartialPlace, {"name": "西湖", "city": 5, "price": "12", "other": 1})
    assert place is not None
    assert (place.name, place.city, place.price) == ("西湖", None, None)
    assert (place.has("price"), place.is_unfit("price")) == (True, True)
    assert (place.has("name"), place.is_unfit("name")) == (True, False)
    assert (place.has("rooms"), place.is_unfit("rooms")) == (False, False)
    assert not place.has("other")


@pytest.mark.parametrize(
    ("price", "read"), [(120, "120"), (1.5, "1.5"), (-3, "-3"), (True, "None"), ("9", "None"), (None, "None")]
)
def test_a_figure_stays_as_it_was_told(price: Any, read: str) -> None:
    place = read_partial(PartialPlace, {"price": price})
    assert place is not None
    assert str(place.price) == read


def test_an_item_that_is_no_object_counts_as_none() -> None:
    places = read_partial(PartialPlaces, {"pois": [5, {"name": "a", "rooms": [{"price": 3}, "x"]}, None]})
    assert places is not None
    assert places.pois is not None
    first, second, third = places.pois
    assert first is third is None
    assert second is not None
    assert second.rooms is not None
    assert second.rooms[1] is None


@pytest.mark.parametrize("mode", ["", 0, False, [], None])
def test_an_empty_mode_is_none(mode: Any) -> None:
    service = read_partial(PartialService, {"mode": mode})
    assert service is not None
    assert (service.mode, service.is_unfit("mode")) == (None, False)


def test_what_is_within_an_unfit_part_is_lost_with_it_alone() -> None:
    along = read_partial(PartialAlong, {"route": "A to B", "pois": [{"name": "a"}]})
    assert along is not None
    assert (along.route, along.is_unfit("route"), along.pois is not None) == (None, True, True)


@pytest.mark.parametrize("value", [None, 5, "text", [], [{}]])
def test_what_is_no_object_tells_nothing(value: Any) -> None:
    assert read_partial(PartialRoute, value) is None


def test_the_tools_own_results_fit(tiny_world: World) -> None:
    calls = {
        "search_poi": {"keywords": "景点", "city": "杭州"},
        "get_poi_detail": {"id": "hz-a1"},
        "maps_geo": {"address": "西湖", "city": "杭州"},
        "plan_route": {"origin": "120.1,30.2", "destination": "120.2,30.3", "mode": "driving"},
        "compare_routes": {"origin": "120.1,30.2", "destination": "120.2,30.3"},
        "search_along_route": {"keywords": "景点", "origin": "120.1,30.2", "destination": "120.2,30.3"},
    }
    tools = world_tools(tiny_world)
    for name, arguments in calls.items():
        outcome = tools.call(name, arguments)
        told = read_partial(TOOLS[name].partial, read_json(outcome.result))
        assert told is not None, (name, outcome)
        assert not [field for field in type(told).model_fields if told.is_unfit(field)], outcome.result
        assert isinstance(told, Partial)
