"""Both seats of TravelBench: an agent that looks up what it is asked, and a user who tells what they meant.

Signs: agents are offered `map_search_places`, or told to write `[Unsolved]`; users end with `[Finish Conversation]`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from tests.model_server.personalities.forms import in_form
from tests.model_server.request import text_of
from tests.model_server.scene import Scene
from tests.model_server.wire import Answer, Call

UNSOLVED_MARK, FINISHED_MARK = "[Unsolved]", "[Finish Conversation]"
_SEARCH, _ROUTES = "map_search_places", "map_compute_routes"
_POINT = re.compile(r"latitude:\s*(-?[\d.]+)\s+longitude:\s*(-?[\d.]+)")
_USER_PLACE = re.compile(r"\*\*用户当前位置描述\*\*\n(\S+)")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_INTENTION = re.compile(r"(?:【你的本意】|\[What you meant\])\n(.*?)(?:\n\n|\Z)", re.S)
_HOPELESS = re.compile(r"提醒|删除|退出|取消|打车|下单|帮我订|语音|remind|cancel|call a|book me", re.I)
_WEATHER = re.compile(r"天气|下雨|气温|weather|rain", re.I)
_TRIP = re.compile(r"从?([\u4e00-\u9fff]{2,4}?)(?:市|站)?(?:到|去|飞)([\u4e00-\u9fff]{2,4})")
_TRAIN, _FLIGHT = re.compile(r"火车|高铁|动车|车票|train", re.I), re.compile(r"机票|航班|飞机|flight", re.I)
_KINDS = re.compile(
    r"充电|加油站|酒店|宾馆|景[点区]|公园|博物馆|餐厅|饭店|火锅|烧烤|咖啡|银行|超市|停车场|医院|地铁站|公交站|火车站|机场|服务区"
    r"|hotel|museum|park|restaurant|coffee|station|pharmacy",
    re.I,
)
_LONGEST_QUERY = 8
_FEW = 3
_SENTENCES = {
    "ask": ("请问您对地点和预算有什么要求吗？", "What do you need of the place, and what may it cost?"),
    "found": ("查到这些，可以直接去：{found}。", "Here is what there is: {found}."),
    "nothing": ("没有查到符合的结果，建议换个说法再试。", "Nothing was found; other words may help."),
}


def is_asked(scene: Scene) -> bool:
    """Whether the request is for one of these seats."""
    return (
        FINISHED_MARK in scene.request.system
        or _SEARCH in scene.tool_names
        or UNSOLVED_MARK in scene.request.system
    )


def answer(scene: Scene) -> Answer:
    """What whoever is asked says."""
    return _user(scene) if FINISHED_MARK in scene.request.system else in_form(scene, _agent(scene))


def _user(scene: Scene) -> Answer:
    """Answers one question with what was meant; content with anything that is none."""
    heard = scene.request.last.rpartition("\n\n")[0]
    own = sum(message["role"] == "assistant" for message in scene.request.messages)
    meant = _INTENTION.search(scene.request.system)
    if own == 1 and ("？" in heard or "?" in heard) and meant:
        return Answer(meant[1].strip())
    return Answer(FINISHED_MARK)


def _agent(scene: Scene) -> Answer:
    """Gives up what it cannot do, asks once where it may, looks a place up and then the way, and answers."""
    query, results = _first_words(scene), scene.results
    if UNSOLVED_MARK in scene.request.system and _HOPELESS.search(query):
        return Answer(UNSOLVED_MARK)
    if _may_ask(scene) and not results and not _asked_before(scene):
        return Answer(_words(scene, "ask"))
    if scene.may_call and not results:
        return Answer("", _first_calls(scene, query))
    if scene.may_call and (way := _way(scene)) is not None:
        return Answer("", (way,))
    names = [place["name"] for place in _places(scene)][:_FEW]
    told = names or [key for result in results for key in _result_lines(result.answer)][:_FEW]
    found = ("、", ", ")[scene.english].join(told)
    return Answer(_words(scene, "found").format(found=found) if told else _words(scene, "nothing"))


def _words(scene: Scene, name: str) -> str:
    return _SENTENCES[name][scene.english]


def _first_words(scene: Scene) -> str:
    return next((text_of(message) for message in scene.request.messages if message["role"] == "user"), "")


def _may_ask(scene: Scene) -> bool:
    return re.search(r"同一个问题不问第二遍|never ask the same thing twice", scene.request.system) is not None


def _asked_before(scene: Scene) -> bool:
    return any(scene.shows(words) for words in _SENTENCES["ask"])


def _first_calls(scene: Scene, query: str) -> tuple[Call, ...]:
    """One call by what the query is about; of a place in words that are no division, the tools refuse some."""
    here, day, trip = (
        _USER_PLACE.search(scene.request.system),
        _DAY.search(scene.request.system),
        _TRIP.search(query),
    )
    where, when = here[1] if here else "北京市", day[0] if day else "2025-10-01"
    if _WEATHER.search(query):
        return (Call.of("weather_forecast_days", location=where, date=when),)
    if _TRAIN.search(query) and trip:
        return (Call.of("travel_search_trains", origin=trip[1], destination=trip[2], date=when),)
    if _FLIGHT.search(query) and trip:
        return (Call.of("travel_search_flights", origin=trip[1], destination=trip[2], date=when),)
    kind = _KINDS.search(query)
    wanted, point = kind[0] if kind else query[:_LONGEST_QUERY], _point(scene)
    if point is None:
        return (Call.of(_SEARCH, query=wanted, region=where),)
    return (Call.of(_SEARCH, query=wanted, center=point, radius=5000),)


def _way(scene: Scene) -> Call | None:
    """To the first place found, where nobody has asked for it yet."""
    places, point = _places(scene), _point(scene)
    if point is None or not places or any(result.name == _ROUTES for result in scene.results):
        return None
    modes = ["walking", "driving"]
    return Call.of(_ROUTES, origin=point, destination=places[0]["coordinates"], modes=modes)


def _places(scene: Scene) -> list[Mapping[str, Any]]:
    found = [result.answer for result in scene.results if result.name == _SEARCH]
    listed = [answer.get("places") or [] for answer in found if isinstance(answer, dict)]
    return [place for places in listed for place in places if place.get("coordinates")]


def _point(scene: Scene) -> str | None:
    found = _POINT.search(scene.request.system)
    return f"{found[1]},{found[2]}" if found else None


def _result_lines(answer: Any) -> list[str]:
    """A line of a result that is no error and not empty."""
    if not isinstance(answer, dict) or "error" in answer:
        return []
    return [json.dumps(answer, ensure_ascii=False)[:80]]
