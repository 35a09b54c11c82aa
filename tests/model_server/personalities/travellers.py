"""Travellers: one who keeps to the contract, and the ways of breaking it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from tests.model_server.scene import Scene
from tests.model_server.wire import Answer

PASS = "[pass]"
_YIELDS = re.compile(
    r"让步|妥协|放弃|割爱|通融|迁就|改成|换成|提高到|加到"
    r"|compromise|give up|give way|yield|raise|accept|switch to|skip",
    re.I,
)
_ASKS = re.compile(r"[?？]|吗|请问|告诉|说说|tell|share|let me know", re.I)
_NUMBER = re.compile(r"\d[\d,]*")
_GLOBAL, _CITY = "global_constraints", "city_specific_preferences"
_TOPICS: dict[str, str] = {
    "budget": r"预算|花费|花多少|上限|budget|spend|afford",
    "transport": r"交通|出行方式|高铁|飞机|火车|自驾|transport|travel (?:mode|by)|train|flight",
    "intensity": r"节奏|强度|几个景点|小时|每天|pace|hours|per day|a day",
    "hotel": r"住宿|住|酒店|hotel|stay|accommodation|lodging",
    "sights": r"景点|想去|游览|逛|地方|玩|sight|attraction|visit|see|places?",
    "food": r"餐|吃|美食|菜|food|eat|cuisine|restaurant|dish",
}
_EVERYTHING = re.compile(r"偏好|要求|需求|想法|preference|requirement|wish", re.I)
_ZH = {
    "must": "{items}是必须的，没得商量",
    "reject": "{items}坚决不要",
    "prefer": "最好是{items}",
    "avoid": "尽量别安排{items}",
    "must_visit": "{items}我一定要去",
    "reject_visit": "{items}我坚决不去",
    "positive": "可以的话比较想看{items}",
    "negative": "{items}就尽量避开吧",
    "must_eat": "{items}一定要吃到",
    "prefer_eat": "最好能吃到{items}",
    "avoid_eat": "尽量别吃{items}",
    "reject_eat": "{items}我坚决不吃",
    "avg_budget": "我个人最多花{items}元，不能超过",
    "max_poi_per_day": "一天最多{items}个景点，不能再多",
    "max_active_hours": "每天在外面不能超过{items}小时",
}
_EN = {
    "must": "it must be {items}, no discussion",
    "reject": "absolutely no {items}",
    "prefer": "preferably {items}",
    "avoid": "I'd rather not have {items}",
    "must_visit": "I definitely must see {items}",
    "reject_visit": "I absolutely refuse to visit {items}",
    "positive": "I'd quite like {items}",
    "negative": "try to avoid {items}",
    "must_eat": "I definitely must eat {items}",
    "prefer_eat": "preferably we eat {items}",
    "avoid_eat": "try to avoid eating {items}",
    "reject_eat": "I absolutely refuse to eat {items}",
    "avg_budget": "I personally can spend at most {items} yuan",
    "max_poi_per_day": "at most {items} sights a day, no more",
    "max_active_hours": "no more than {items} hours out a day",
}


def good_user(scene: Scene) -> Answer:
    """Answers what is asked, yields when asked and allowed, passes otherwise."""
    question = scene.question
    if not question:
        return Answer(PASS)
    if _YIELDS.search(question):
        return Answer(_on_request(scene, question))
    return Answer(
        _answer_question(scene, question)
        if _ASKS.search(question)
        else _say(scene, "好的，收到。", "Okay, got it.")
    )


def leaks_fields(scene: Scene) -> Answer:
    """Names a field of its table."""
    return _once(
        scene, _say(scene, "我的 must_eat 里有好几样，都要吃到。", "There are several things in my must_eat.")
    )


def mentions_other_user(scene: Scene) -> Answer:
    """Turns to another traveller."""
    other = next((name for name in scene.travellers if name != scene.me), "User9")
    return _once(
        scene, _say(scene, f"@{other} 你觉得呢？我听你的。", f"@{other} what do you think? I follow you.")
    )


def pass_inside_text(scene: Scene) -> Answer:
    """Speaks and passes at once."""
    return _once(
        scene, _say(scene, f"我先想一想，{PASS} 之后再说。", f"Let me think, {PASS} and more later.")
    )


def marker_out_of_place(scene: Scene) -> Answer:
    """Yields where nobody asked for it, and in the middle of a message."""
    marker = "[global_constraints.avg_budget : 9999]"
    bad = _say(
        scene, f"预算我可以再加一点 {marker} 你看行吗？", f"I can add to my budget {marker} is that fine?"
    )
    return _once(scene, bad)


def always_breaks(scene: Scene) -> Answer:
    """Never learns."""
    return Answer(
        _say(scene, "我的 must_eat 和 avg_budget 都写着呢。", "It is all in my must_eat and avg_budget.")
    )


def _once(scene: Scene, bad: str) -> Answer:
    """The bad words when it is mentioned with a question; good ones elsewhere and when the bad ones came back."""
    asked = scene.question and not _YIELDS.search(scene.question)
    return Answer(bad) if asked and not scene.shows(bad) else good_user(scene)


def _on_request(scene: Scene, question: str) -> str:
    refused = _say(
        scene, "不好意思，这个我不能让，之前说的就是我的底线。", "Sorry, no: what I said is my bottom line."
    )
    found = _concession(scene.table, question)
    if not scene.willing or found is None:
        return refused
    path, value = found
    marker = f"[{path} : {json.dumps(value, ensure_ascii=False)}]"
    return (
        refused
        if scene.shows(marker)
        else _say(scene, "行，那我让一步。", "Fine, I can live with that.") + "\n" + marker
    )


def _concession(table: dict[str, Any], question: str) -> tuple[str, Any] | None:
    """The field to change and its new value: a list without the item that is named, or a higher limit."""
    for path, value in _fields(table):
        if isinstance(value, list):
            named = [item for item in value if str(item) in question]
            if named:
                return path, [item for item in value if item not in named]
    numbers = [int(text.replace(",", "")) for text in _NUMBER.findall(question)]
    for path, value in _fields(table):
        higher = [number for number in numbers if isinstance(value, (int, float)) and number > value]
        if higher and (path.endswith("avg_budget") or max(higher) <= 24):
            return path, max(higher)
    return None


def _fields(table: dict[str, Any], path: str = "") -> Iterator[tuple[str, Any]]:
    """Every field with its dotted path."""
    for key, value in table.items():
        here = f"{path}.{key}" if path else key
        if isinstance(value, dict):
            yield from _fields(value, here)
        else:
            yield here, value


def _answer_question(scene: Scene, question: str) -> str:
    topics = [topic for topic, cue in _TOPICS.items() if re.search(cue, question, re.I)]
    if not topics and _EVERYTHING.search(question):
        topics = list(_TOPICS)
    sentences = [told for topic in topics for told in _sentences(scene, topic, question)]
    end, joiner = ("。", "；") if not scene.english else (".", "; ")
    return (
        joiner.join(sentences) + end
        if sentences
        else _say(scene, "这个我都可以。", "Anything is fine with me.")
    )


def _sentences(scene: Scene, topic: str, question: str) -> Iterator[str]:
    whole, cities = scene.table.get(_GLOBAL, {}), scene.table.get(_CITY, {})
    match topic:
        case "budget":
            yield from _limits(scene, {"avg_budget": whole.get("avg_budget")})
        case "intensity":
            yield from _limits(scene, whole.get("intensity") or {})
        case "transport":
            yield from _lists(scene, whole.get("transport") or {}, "")
        case "hotel":
            yield from _lists(scene, whole.get("hotel_preference") or {}, "")
        case _:
            named = [city for city in cities if city in question] or list(cities)
            for city in named:
                place = (
                    f"{city}："
                    if len(cities) > 1 and not scene.english
                    else f"{city}: "
                    if len(cities) > 1
                    else ""
                )
                own = cities[city].get("attractions" if topic == "sights" else "food") or {}
                yield from _lists(scene, {**own, **own.get("category_pref", {})}, place)


def _limits(scene: Scene, limits: dict[str, Any]) -> Iterator[str]:
    tone = _EN if scene.english else _ZH
    return (
        tone[field].format(items=value)
        for field, value in limits.items()
        if value is not None and field in tone
    )


def _lists(scene: Scene, lists: dict[str, Any], place: str) -> Iterator[str]:
    tone, joiner = (_EN, ", ") if scene.english else (_ZH, "、")
    for field, items in lists.items():
        if items and isinstance(items, list) and field in tone:
            yield place + tone[field].format(items=joiner.join(map(str, items)))


def _say(scene: Scene, chinese: str, english: str) -> str:
    return english if scene.english else chinese
