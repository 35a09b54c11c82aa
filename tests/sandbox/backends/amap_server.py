"""A local server that asks and answers as AMap's web service documents it."""

from __future__ import annotations

import json
import re
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from sandbox.worlds.geo import distance_m, parse_point
from tests.local_server import Handler, running_server
from tests.sandbox.backends import amap_data as data

KEY = "0123456789abcdef0123456789abcdef"

Parameters = dict[str, str]
Answer = dict[str, Any]
Fault = Callable[["_Handler"], None]

_POINT = re.compile(r"-?\d{1,3}(\.\d{1,6})?,-?\d{1,2}(\.\d{1,6})?")
_INFOS = {
    "10001": "INVALID_USER_KEY", "10003": "DAILY_QUERY_OVER_LIMIT", "10009": "USERKEY_PLAT_NOMATCH",
    "10021": "CUQPS_HAS_EXCEEDED_THE_LIMIT", "20000": "INVALID_PARAMS", "20001": "MISSING_REQUIRED_PARAMS",
    "20802": "ROUTE_FAIL", "20803": "OVER_DIRECTION_RANGE", "30001": "ENGINE_RESPONSE_DATA_ERROR",
    "10002": "SERVICE_NOT_AVAILABLE",
}  # fmt: skip


class RefusedRequest(Exception):
    """An answer with status "0"."""


@dataclass
class AmapServer:
    """What tests set up and look at. per_second: the QPS limit of the key. faults: what the next requests meet."""

    url: str = ""
    per_second: int = 1000
    faults: deque[Fault] = field(default_factory=deque)
    requests: list[tuple[float, str, Parameters]] = field(default_factory=list)
    answers: dict[str, Answer] = field(default_factory=dict)
    """Routes by path that stand in for the usual ones."""

    def __post_init__(self) -> None:
        self._lock = threading.Lock()
        self._served_at: deque[float] = deque()

    def paths(self) -> list[str]:
        """What was asked for, in order."""
        return [path for _, path, _ in self.requests]

    def parameters_of(self, path: str) -> list[Parameters]:
        """The parameters of the requests for a path."""
        return [parameters for _, asked, parameters in self.requests if asked == path]

    def busiest(self, window_s: float) -> int:
        """The most requests that arrived within so many seconds."""
        times = [at for at, _, _ in self.requests]
        return max(sum(start <= at < start + window_s for at in times) for start in times)

    def note(self, path: str, parameters: Parameters) -> Fault | None:
        """Write a request down, and take the fault that it is to meet."""
        with self._lock:
            self.requests.append((time.monotonic(), path, parameters))
            return self.faults.popleft() if self.faults else None

    def respond(self, path: str, parameters: Parameters) -> Answer:
        """The answer to a request."""
        try:
            self._check(path, parameters)
            return {"status": "1", "info": "OK", "infocode": "10000", **self._answer(path, parameters)}
        except RefusedRequest as refusal:
            return error_answer(str(refusal))

    def _check(self, path: str, parameters: Parameters) -> None:
        if path not in REQUIRED_PARAMETERS:
            raise RefusedRequest("10002")
        if parameters.get("key") != KEY:
            raise RefusedRequest("10001")
        if not self._within_limit():
            raise RefusedRequest("10021")
        if any(not parameters.get(name) for name in REQUIRED_PARAMETERS[path]):
            raise RefusedRequest("20001")
        for name in ("location", "origin", "destination"):
            if name in parameters and not _POINT.fullmatch(parameters[name]):
                raise RefusedRequest("20000")

    def _within_limit(self) -> bool:
        now = time.monotonic()
        with self._lock:
            while self._served_at and self._served_at[0] <= now - 0.9:
                self._served_at.popleft()
            if len(self._served_at) >= self.per_second:
                return False
            self._served_at.append(now)
            return True

    def _answer(self, path: str, parameters: Parameters) -> Answer:
        if path.startswith("/v5/direction/"):
            return {"count": "1", "route": _route(path, parameters, self.answers)}
        return self.answers.get(path) or _ANSWERS[path](parameters)


def error_answer(infocode: str) -> Answer:
    """An error as AMap reports it: with HTTP status 200."""
    return {"status": "0", "info": _INFOS[infocode], "infocode": infocode}


def _geocode(parameters: Parameters) -> Answer:
    found = data.GEOCODES.get(parameters["address"].removesuffix("市"))
    elsewhere = parameters.get("city") and found and found["adcode"][:4] != parameters["city"][:4]
    geocodes = [found] if found and not elsewhere else []
    return {"count": str(len(geocodes)), "geocodes": geocodes}


def _regeocode(parameters: Parameters) -> Answer:
    point = parse_point(parameters["location"])
    inside = point is not None and distance_m(point, (120.15, 30.25)) < 100_000
    component: Answer = {"city": [], "province": [], "adcode": [], "citycode": []}
    if inside:
        component = {
            "province": "浙江省",
            "city": "杭州市",
            "citycode": "0571",
            "district": "西湖区",
            "adcode": "330106",
        }
    return {"regeocode": {"formatted_address": [], "addressComponent": component}}


def _districts(parameters: Parameters) -> Answer:
    found = [each for each in data.DISTRICTS if parameters["keywords"] in each["name"]]
    return {"count": str(len(found)), "suggestion": {"keywords": [], "cities": []}, "districts": found}


def _weather(parameters: Parameters) -> Answer:
    if not re.fullmatch(r"\d{6}", parameters["city"]):
        raise RefusedRequest("20000")
    if parameters.get("extensions") != "all":
        return {"count": "1", "lives": []}
    return {"count": "1", "forecasts": [data.FORECAST]}


def _text(parameters: Parameters) -> Answer:
    if not (parameters.get("keywords") or parameters.get("types")):
        raise RefusedRequest("20001")
    return _page([each for each in data.PLACES if _selected(each, parameters)], parameters)


def _places_around(parameters: Parameters) -> Answer:
    centre, radius = parse_point(parameters["location"]), int(parameters.get("radius", "5000"))
    assert centre is not None
    if not 0 <= radius <= 50_000 or parameters.get("sortrule", "distance") not in ("distance", "weight"):
        raise RefusedRequest("20000")
    found = []
    for each in data.PLACES:
        point = parse_point(each["location"])
        assert point is not None
        away = distance_m(centre, point)
        if away <= radius and _selected(each, parameters):
            found.append(each | {"distance": str(round(away))})
    if parameters.get("sortrule", "distance") == "distance":
        found.sort(key=lambda each: int(each["distance"]))
    return _page(found, parameters)


def _detail(parameters: Parameters) -> Answer:
    wanted = parameters["id"].split("|")
    if len(wanted) > 10:
        raise RefusedRequest("20000")
    return _page([each for each in data.PLACES if each["id"] in wanted], parameters)


def _selected(place: Answer, parameters: Parameters) -> bool:
    if len(parameters.get("keywords", "")) > 80:
        raise RefusedRequest("20000")
    if parameters.get("city_limit") == "true":
        region = parameters["region"]
        stem = region[:4] if region.endswith("00") else region
        if not place["adcode"].startswith(stem):
            return False
    types = parameters.get("types", "")
    if types and not any(_has_type(place["typecode"], code) for code in types.split("|")):
        return False
    text = place["name"] + place["type"] + str(place["business"])
    return all(word in text for word in parameters.get("keywords", "").split())


def _has_type(typecode: str, asked: str) -> bool:
    return bool(typecode.startswith(asked[:2] if asked.endswith("0000") else asked[:4]))


def _page(found: list[Answer], parameters: Parameters) -> Answer:
    """`count` is how many this answer holds, not how many there are."""
    size, number = int(parameters.get("page_size", "10")), int(parameters.get("page_num", "1"))
    if not 1 <= size <= 25 or not 1 <= number <= 100:
        raise RefusedRequest("20000")
    pois = deepcopy(found[:200][(number - 1) * size : number * size])
    if "business" not in parameters.get("show_fields", "").split(","):
        for poi in pois:
            del poi["business"]
    return {"count": str(len(pois)), "pois": pois}


def _route(path: str, parameters: Parameters, answers: dict[str, Answer]) -> Answer:
    if path.endswith("/integrated"):
        codes = {each["citycode"] for each in data.DISTRICTS if each["citycode"]}
        if not {parameters["city1"], parameters["city2"]} <= codes:
            raise RefusedRequest("20000")
        if "time" in parameters and not re.fullmatch(r"\d{1,2}-\d{2}", parameters["time"]):
            raise RefusedRequest("20000")
    route = deepcopy(answers.get(path) or _ROUTES[path])
    fields = parameters.get("show_fields", "").split(",")
    _remove_fields(route, {"cost", "polyline"} - set(fields))
    return route | {"origin": parameters["origin"], "destination": parameters["destination"]}


def _remove_fields(value: Any, names: set[str]) -> None:
    """Leave the fields out that were not asked for."""
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        _remove_fields(each, names)
    if isinstance(value, dict):
        for name in names:
            value.pop(name, None)


def _distance(parameters: Parameters) -> Answer:
    """By car, 1.4 times the straight way; to a point off the land there is no road."""
    origins = parameters["origins"].split("|")
    if len(origins) > 100 or parameters.get("type") != "1" or not all(map(_POINT.fullmatch, origins)):
        raise RefusedRequest("20000")
    goal = parse_point(parameters["destination"])
    results: list[Answer] = []
    for nth, origin in enumerate(map(parse_point, origins), 1):
        assert origin is not None and goal is not None
        ends = {"origin_id": str(nth), "dest_id": "1"}
        if origin[0] > 125:
            results.append({**ends, "distance": "0", "duration": "0", "info": "NO_ROADS_NEARBY", "code": "2"})
        else:
            results.append(
                {**ends, "distance": str(round(distance_m(origin, goal) * 1.4)), "duration": "600"}
            )
    return {"results": results}


_ROUTES: dict[str, Answer] = {
    "/v5/direction/driving": data.DRIVING,
    "/v5/direction/walking": data.WALKING,
    "/v5/direction/bicycling": data.BICYCLING,
    "/v5/direction/transit/integrated": data.TRANSIT,
}
_ANSWERS: dict[str, Callable[[Parameters], Answer]] = {
    "/v3/geocode/geo": _geocode,
    "/v3/geocode/regeo": _regeocode,
    "/v3/config/district": _districts,
    "/v3/distance": _distance,
    "/v3/weather/weatherInfo": _weather,
    "/v5/place/text": _text,
    "/v5/place/around": _places_around,
    "/v5/place/detail": _detail,
}
REQUIRED_PARAMETERS: dict[str, tuple[str, ...]] = {
    "/v3/geocode/geo": ("address",),
    "/v3/geocode/regeo": ("location",),
    "/v3/config/district": ("keywords",),
    "/v3/distance": ("origins", "destination"),
    "/v3/weather/weatherInfo": ("city",),
    "/v5/place/text": (),
    "/v5/place/around": ("location",),
    "/v5/place/detail": ("id",),
    "/v5/direction/driving": ("origin", "destination"),
    "/v5/direction/walking": ("origin", "destination"),
    "/v5/direction/bicycling": ("origin", "destination"),
    "/v5/direction/transit/integrated": ("origin", "destination", "city1", "city2"),
}


class _Handler(Handler):
    amap: AmapServer

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        parameters = dict(parse_qsl(parts.query))
        fault = self.amap.note(parts.path, parameters)
        if fault:
            fault(self)
        else:
            answer = self.amap.respond(parts.path, parameters)
            self.reply(200, json.dumps(answer, ensure_ascii=False), "application/json;charset=UTF-8")


def says(infocode: str) -> Fault:
    """Refuse with a code."""
    return lambda handler: handler.reply(200, json.dumps(error_answer(infocode)))


def replies(status: int, kind: str, body: str) -> Fault:
    """Reply with just that."""
    return lambda handler: handler.reply(status, body, kind)


def cut(handler: _Handler) -> None:
    """Close the connection without a word."""
    handler.close_connection = True


def slow(seconds: float) -> Fault:
    """Be silent for so long, then close."""

    def fault(handler: _Handler) -> None:
        time.sleep(seconds)
        handler.close_connection = True

    return fault


@contextmanager
def amap_server() -> Iterator[AmapServer]:
    """A server on a free port of this machine."""
    amap = AmapServer()
    with running_server(_Handler, amap=amap) as amap.url:
        yield amap
