"""Who said what in a conversation: found by the words themselves, so that anyone can look it up."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from benchmark.itineraries.extraction import AGENT
from benchmark.preferences.schema import PreferenceField, Topic

_SEPARATOR = "\n"
_LONGEST = 2000
"""Letters of a message in which a question is looked for."""
_ASKED: dict[Topic, re.Pattern[str]] = {
    "budget": re.compile(r"预算|花费|费用|多少钱|budget|spend|afford", re.IGNORECASE),
    "transport": re.compile(
        r"交通|飞机|高铁|火车|自驾|怎么去|transport|travel mode|flight|fly|train|rail|drive|driving",
        re.IGNORECASE,
    ),
    "intensity": re.compile(
        r"节奏|强度|几个景点|多少个?景点|小时|体力|行程.{0,4}(紧|松)|pace|hours?|sights? a day|a day|tiring",
        re.IGNORECASE,
    ),
    "hotel": re.compile(r"酒店|住宿|民宿|住哪|住什么|hotel|accommodation|place to stay", re.IGNORECASE),
    "attraction_name": re.compile(
        r"景点|地方|必去|想去|去哪|sights?|attractions?|places?|visit|see", re.IGNORECASE
    ),
    "attraction_category": re.compile(
        r"景点|类型|喜欢.{0,6}(逛|玩|看)|kinds?|types?|sights?|attractions?", re.IGNORECASE
    ),
    "food": re.compile(r"吃|美食|餐|口味|菜|food|eat|dish|cuisine|restaurants?|meals?", re.IGNORECASE),
}
_QUESTION = re.compile(r"[?？]|请问|请说|说说|告诉|tell (me|us)|let (me|us) know|please", re.IGNORECASE)
_SMALL = {1: "一", 2: "[两二]", 3: "三", 4: "四", 5: "五", 6: "六", 7: "七", 8: "八", 9: "九", 10: "十"}
_UNITS = {
    "max_poi_per_day": r"\s*(?:个|处|座|景点|sights?|spots?|places?|attractions?|stops?|things?)",
    "max_active_hours": r"\s*(?:个?小时|个?钟头?|hours?|hrs?|h\b)",
    "avg_budget": "",
}


class Heard(NamedTuple):
    """All that one traveller said, joined. starts: where each message begins; indexes: in the history."""

    text: str
    starts: list[int]
    indexes: list[int]

    def find(self, field: PreferenceField, wishes: Sequence[Any]) -> tuple[list[list[Any]], bool]:
        """[wish, index of the first message that names it, None where none has its words]; whether one has none.

        A name has to stand there as it is; a number in figures or as one Chinese digit, with its unit.
        """
        text, starts, indexes = self
        if not text:
            return [[wish, None] for wish in wishes], bool(wishes)
        said: list[list[Any]] = []
        unsaid = False
        for wish in wishes:
            at = text.find(wish) if type(wish) is str and wish else self._number_at(field, wish)
            if at >= 0:
                said.append([wish, indexes[bisect_right(starts, at) - 1]])
            else:
                said.append([wish, None])
                unsaid = True
        return said, unsaid

    def _number_at(self, field: PreferenceField, wish: Any) -> int:
        if field.kind == "list" or not _is_number(wish):
            return -1
        found = _number(field.keys[-1], wish).search(self.text)
        return found.start() if found else -1


class _Question(NamedTuple):
    """A message that asks for something. text: its words before any JSON."""

    at: int
    role: str
    text: str
    topics: tuple[Topic, ...]

    def put_to(self, user: str) -> bool:
        return "@" not in self.text or f"@{user}" in self.text


class Speech:
    """The visible messages of a record's `conversation_history`, by their index in it."""

    def __init__(self, history: Any) -> None:
        self._messages = list(_messages(history))

    def heard(self, user: str) -> Heard:
        """What `user` said."""
        starts, indexes, texts, length = [], [], [], 0
        for index, role, content in self._messages:
            if role == user:
                starts.append(length)
                indexes.append(index)
                texts.append(content)
                length += len(content) + len(_SEPARATOR)
        return Heard(_SEPARATOR.join(texts), starts, indexes)

    def asked(self, user: str) -> dict[Topic, int]:
        """By topic the index of the first question that somebody put to `user` or to all."""
        found: dict[Topic, int] = {}
        for question in self._questions:
            if question.role != user and question.put_to(user):
                for topic in question.topics:
                    found.setdefault(topic, question.at)
        return found

    @cached_property
    def _questions(self) -> list[_Question]:
        return list(_questions(self._messages))


def _messages(history: Any) -> Iterator[tuple[int, str, str]]:
    """Index, role and text; what the agent noted to itself beside tool calls is nothing that anybody heard."""
    for index, entry in enumerate(history if isinstance(history, list) else ()):
        if isinstance(entry, dict) and entry.get("type", "message") == "message":
            role, content = entry.get("role"), entry.get("content")
            private = role == AGENT and entry.get("has_tool_calls")
            if isinstance(role, str) and isinstance(content, str) and not private:
                yield index, role, content


def _questions(messages: Sequence[tuple[int, str, str]]) -> Iterator[_Question]:
    for index, role, content in messages:
        text = content[:_LONGEST].partition("{")[0]
        if _QUESTION.search(text):
            topics = [topic for topic, words in _ASKED.items() if words.search(text)]
            yield _Question(index, role, text, tuple(topics))


def _is_number(item: Any) -> bool:
    return isinstance(item, (int, float)) and not isinstance(item, bool) and abs(item) < 2**53


@lru_cache(maxsize=4096)
def _number(name: str, value: float) -> re.Pattern[str]:
    """A number as people write it: 2300, 2,300, 2300.0; 3 or 三 before its unit; 5000 also as 5千 or 5k."""
    whole = int(value) if value == int(value) else None
    forms = [re.escape(f"{value:g}")] if whole is None else [str(whole), re.escape(f"{whole:,}")]
    if whole is not None and whole in _SMALL and _UNITS[name]:
        forms.append(_SMALL[whole])
    if name == "avg_budget" and whole and whole % 100 == 0:
        forms.append(re.escape(f"{whole / 1000:g}") + r"\s*[千kK]")
        forms.append(re.escape(f"{whole / 10000:g}") + r"\s*[万wW]")
    return re.compile(
        rf"(?<![\d.,])(?:{'|'.join(forms)})(?:\.0+)?(?![\d]|[.,]\d){_UNITS[name]}", re.IGNORECASE
    )
