# ruff: noqa: E501 - Chinese characters count double, and word lists read best as running text
"""Who was asked about what: sentence by sentence, in whole words, put to one traveller or to all."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import takewhile
from typing import NamedTuple

from benchmark.core.view import AGENT
from benchmark.suites.grouptravel.conversation.markers import mention_pattern
from benchmark.suites.grouptravel.preferences import Topic
from benchmark.suites.grouptravel.scoring.run_record import Message
from benchmark.text import guarded
from benchmark.text.lengths import LONGEST_REPLY

_ASKS = guarded.compile(
    r"请问|请教|请[^。，,]{0,6}(?:说|讲|告诉|提供|分享|补充|介绍)|告诉(?:我|大家)|(?<!我)(?<!先)说说|麻烦[^。，,]{0,8}(?:说|讲|告诉|提供)|"
    r"想(?:知道|了解|问)|\btell (?:me|us)\b|\blet (?:me|us) know\b|\b(?:I|we)(?:['’]d| would)? (?:like|love|need|want) to know\b|"
    r"(?:^|[,:;]\s*|\b(?:please|kindly)\s+)(?:share|describe|list|specify|state|name)\b",
    guarded.IGNORECASE,
)
_END = guarded.compile(r"(?<=[。！？!?\n])|(?<=\D\.)\s")
_WORD = guarded.compile(r"\S+")
_BULLET = guarded.compile(r"\s*(?:[-*•·]|\d+[.、)）]|[（(]\d+[)）])")
_SOMEBODY = guarded.compile(r"(?<![A-Za-z0-9])@(?=\S)")
_EVERYBODY = guarded.compile(r"@(?:所有人|大家|各位|全体|all\b|everyone\b|everybody\b)", guarded.IGNORECASE)
_OWN = guarded.compile(r"我的[^，,。你]{0,4}|\bmy\s+\w+", guarded.IGNORECASE)
_TOPICS: dict[Topic, guarded.Pattern] = {
    "budget": guarded.compile(r"预算|花费|花销|费用|花多少|多少钱|\b(?:budgets?|spend|spending|afford)\b", guarded.IGNORECASE),
    "transport": guarded.compile(
        r"交通|飞机|高铁|火车|自驾|怎么(?:去|走|出行)|出行方式|\b(?:transport|transportation|travel modes?|modes? of travel|flights?|fly|flying|"
        r"trains?|rail|railway|drive|driving|get there|planes?)\b",
        guarded.IGNORECASE,
    ),
    "intensity": guarded.compile(
        r"节奏|强度|几个(?:景点|地方)|多少个?(?:景点|地方)|几个?(?:小时|钟头)|多少个?小时|活动(?:时间|时长)|体力|行程.{0,4}[紧松满累]|"
        r"\b(?:pace|intensity|tiring|(?:a|per|each|every) day|daily|how many (?:hours|sights|stops|places|attractions))\b",
        guarded.IGNORECASE,
    ),
    "hotel": guarded.compile(
        r"酒店|住宿|民宿|旅馆|客栈|住(?:哪|什么|得|在)|\b(?:hotels?|accommodations?|lodgings?|places? to stay|where .{0,30}\b(?:stay|sleep)|hostels?|homestays?)\b",
        guarded.IGNORECASE,
    ),
    "attraction_name": guarded.compile(
        r"景点|景区|必去|[想要爱][去逛看]|去哪|(?:哪些|什么|哪里|哪个|想去的|不去的)地方|"
        r"\b(?:sights?|attractions?|landmarks?|places? (?:to|you|that)|visit|to see|must-?sees?)\b",
        guarded.IGNORECASE,
    ),
    "attraction_category": guarded.compile(
        r"(?:景点|地方).{0,4}类型|类型.{0,6}景点|(?:哪|什么|几)[类种].{0,4}(?:景|地方)|喜欢.{0,6}[逛玩看]|景点|"
        r"\b(?:(?:kinds?|types?|sorts?) of (?:sights?|places?|attractions?)|sights?|attractions?)\b",
        guarded.IGNORECASE,
    ),
    "food": guarded.compile(
        r"吃(?![惊力亏紧苦香])|美食|餐|口味|菜|\b(?:food|eat|eating|dish|dishes|cuisines?|restaurants?|meals?)\b", guarded.IGNORECASE
    ),
}  # fmt: skip


class Question(NamedTuple):
    """One sentence that asks something. to: the travellers to whom it is put, None for all."""

    at: int
    role: str
    text: str
    to: frozenset[str] | None

    def put_to(self, user: str) -> bool:
        """Whether it asks `user`: what a traveller asks of nobody by name asks no one's wishes."""
        if self.role == user:
            return False
        return user in self.to if self.to is not None else self.role == AGENT

    def about(self, topic: Topic) -> bool:
        """Whether it asks for wishes of this kind."""
        return _TOPICS[topic].search(self.text) is not None


def questions(messages: Iterable[Message], users: Iterable[str]) -> Iterator[Question]:
    """The questions of messages; nobody's own affairs are in their text (`my budget`)."""
    names = mention_pattern(users)
    for at, role, content, _ in messages:
        if role != AGENT and "@" not in content:
            continue
        text = _without_json(content)
        if _asks(text):
            for sentence, to in _asking(text, names):
                yield Question(at, role, _OWN.sub("", sentence), to)


def _without_json(content: str) -> str:
    """The words before and after what stands in braces."""
    head, brace, rest = content.partition("{")
    return (
        head[:LONGEST_REPLY] + "\n" + rest.rpartition("}")[2][:LONGEST_REPLY]
        if brace
        else head[:LONGEST_REPLY]
    )


def _asks(text: str) -> bool:
    return "?" in text or "？" in text or _ASKS.search(text) is not None


def _asking(text: str, names: guarded.Pattern) -> Iterator[tuple[str, frozenset[str] | None]]:
    """The sentences that ask, each with whom it asks: those named in it, else before it. A list belongs to its lead."""
    to: frozenset[str] | None = None
    listing = False
    for sentence in _sentences(text):
        if _SOMEBODY.search(sentence):
            to = None if _EVERYBODY.search(sentence) else frozenset(names.findall(sentence))
        asks = _asks(sentence) or (listing and bool(_BULLET.match(sentence)))
        if sentence.strip():
            listing = asks and (sentence.rstrip().endswith((":", "：")) or listing)
        if asks:
            yield sentence, to


def _sentences(text: str) -> Iterator[str]:
    """Cut behind every end, but for those behind which there is nothing but addresses: 预算多少？@User1 @User2."""
    words = [match.span() for match in _WORD.finditer(text)]
    ends = [end for _, end in words]
    addresses = sum(1 for _ in takewhile(lambda word: _is_address(text, *word), reversed(words)))
    begin = 0
    for match in _END.finditer(text):
        at = bisect_right(ends, match.end())
        last = len(words) - 1 - at
        if not (0 <= last <= addresses and _is_address(text, max(words[at][0], match.end()), ends[at])):
            yield text[begin : match.start()]
            begin = match.end()
    yield text[begin:]


def _is_address(text: str, start: int, end: int) -> bool:
    return text[start] == "@" and end - start > 1
