"""AMap as a backend."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from sandbox.backends.amap import maps_weather, search_along_route, search_poi
from sandbox.backends.amap.client import AmapClient
from sandbox.backends.amap.gazetteer import Gazetteer, maps_geo
from sandbox.backends.amap.places import get_poi_detail
from sandbox.backends.amap.routes import compare_routes, plan_route
from sandbox.backends.amap.settings import AmapSettings, settings_from
from sandbox.tools.language import Language
from sandbox.tools.tool import Arguments, Result, Tool
from sandbox.toolsets.grouptravel import TOOLSET

_RUNS: Mapping[str, Callable[[Any, Gazetteer, Language], Result]] = {
    "compare_routes": compare_routes,
    "get_poi_detail": get_poi_detail,
    "maps_geo": maps_geo,
    "maps_weather": maps_weather.run,
    "plan_route": plan_route,
    "search_along_route": search_along_route.run,
    "search_poi": search_poi.run,
}


class AmapBackend:
    """The tools for places, coordinates, routes and weather. Any number of threads may share one backend: it has
    one pool of connections and one rate limit. Make it after a fork. pause: sleeps between two attempts.
    """

    name = "amap"
    toolset = TOOLSET.name
    tools = frozenset(_RUNS)

    def __init__(self, settings: AmapSettings, pause: Callable[[float], None] = time.sleep) -> None:
        self._client = AmapClient(settings, pause)
        self._gazetteer = Gazetteer(self._client)

    def answer(self, tool: Tool[Any, Any], arguments: Arguments, language: Language) -> Result:
        """The tool's result, made of what AMap answers now."""
        return _RUNS[tool.name](arguments, self._gazetteer, language)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()


def amap_from_environment(environ: Mapping[str, str], storage_uri: str = "memory://") -> AmapBackend | None:
    """The backend that CARAVAN_AMAP_KEY, _URL, _TIMEOUT (seconds) and _QPS set up; None without a key.

    storage_uri: where requests are counted; processes with the same redis://… share the limit.

    Raises:
        ValueError: a value is malformed; the message names the variable and what is allowed.
    """
    settings = settings_from(environ, storage_uri)
    return AmapBackend(settings) if settings else None
