"""Several backends as one."""

from __future__ import annotations

import pytest

from sandbox.backends import WorldBackend
from sandbox.backends.backend import CombinedBackend
from sandbox.toolbox import Toolbox
from sandbox.toolbox.world import WorldAnswers
from sandbox.tools.errors import ToolFailure
from sandbox.toolsets.grouptravel.tools import TOOLS
from sandbox.worlds import World
from tests.sandbox.backends.amap_server import AmapServer, says
from tests.sandbox.backends.conftest import backend_of


def test_each_tool_belongs_to_the_first_that_offers_it(amap: AmapServer, tiny_world: World) -> None:
    live = backend_of(amap)
    both = CombinedBackend(live, WorldBackend(tiny_world))
    assert both.name == "amap+world" and sorted(both.tools) == sorted(TOOLS)
    tools = Toolbox(WorldAnswers(both))
    assert "B023B17M5D" in tools.call("search_poi", {"keywords": "楼外楼", "city": "杭州"}).result
    asked = len(amap.requests)
    trains = tools.call(
        "travel_search_trains", {"origin": "上海", "destination": "杭州", "date": "2026-05-01"}
    )
    assert not trains.error and len(amap.requests) == asked
    live.close()


def test_no_other_backend_steps_in_for_one_that_fails(amap: AmapServer, tiny_world: World) -> None:
    live = backend_of(amap)
    amap.faults.append(says("10003"))
    both = CombinedBackend(live, WorldBackend(tiny_world))
    outcome = Toolbox(WorldAnswers(both)).call("search_poi", {"keywords": "火锅", "city": "杭州"})
    assert (outcome.error, outcome.error_kind) == (True, "backend")
    live.close()


def test_a_tool_that_nobody_offers(amap: AmapServer) -> None:
    live = backend_of(amap)
    tool = TOOLS["web_search"]
    with pytest.raises(ToolFailure):
        CombinedBackend(live).answer(tool, tool.arguments(query="西湖"), "zh")
    with pytest.raises(ValueError, match="at least one"):
        CombinedBackend()
    live.close()
