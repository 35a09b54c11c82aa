"""What the agent's words tell beside its plan: what it asks, and what it says can't be done."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from benchmark.suites.tripbench.itineraries import prose_around
from benchmark.text import guarded
from benchmark.text.lengths import LONGEST_MESSAGE

_SENTENCE: Final = guarded.compile(r"[^。！？!?.\n]*[。！？!?.\n]|[^。！？!?.\n]+$")
_ASKS: Final = guarded.compile(
    r"[？?]\s*$|请(?:告诉|提供|说明|补充|确认)|\b(?:please (?:tell|give|let|specify)|let me know|could you tell)\b",
    guarded.IGNORECASE,
)
_OFFERS: Final = guarded.compile(
    r"需要我|要我|是否需要|还需要|要不要|还有什么|如果需要|如需|would you like me|shall i|do you want me"
    r"|anything else|if you (?:need|want|like)",
    guarded.IGNORECASE,
)
_IMPOSSIBLE: Final = guarded.compile(
    r"无法|不能满足|做不到|办不到|没有[^，。]*(?:符合|满足)|找不到|没有找到|不存在|不可能"
    r"|\b(?:can't|cannot|can not|couldn't|could not|unable|impossible|infeasible|not possible|not available)\b"
    r"|\b(?:no|none of)\b[^.,]*\b(?:meet|match|satisf|fit|available|exist|found|option)",
    guarded.IGNORECASE,
)
_DOMAINS: Final[Mapping[str, guarded.Pattern]] = {
    "hotel": guarded.compile(
        r"酒店|住宿|宾馆|房|早餐|\b(?:hotel|room|stay|accommodation|breakfast)", guarded.IGNORECASE
    ),
    "restaurant": guarded.compile(
        r"餐|菜|吃|\b(?:restaurant|meal|food|dining|cuisine|lunch|dinner)", guarded.IGNORECASE
    ),
    "attraction": guarded.compile(
        r"景点|景区|游览|门票|\b(?:attraction|sight|museum|visit|ticket)", guarded.IGNORECASE
    ),
    "transport": guarded.compile(
        r"火车|高铁|航班|飞机|交通|出发|返程|车次|\b(?:train|flight|transport|depart|return|airline)",
        guarded.IGNORECASE,
    ),
}
_TRIP: Final = guarded.compile(
    r"哪里出发|出发地|出发城市|目的地|去哪|几个?人|人数|几天|哪天|日期|什么时候出发"
    r"|\b(?:how many (?:people|travel|days)|which (?:city|date)|destination|departure (?:city|date)|dates?|when)\b",
    guarded.IGNORECASE,
)


def sentences(reply: str) -> Iterator[str]:
    """Those beside the plan."""
    return (match[0].strip() for match in _SENTENCE.finditer(prose_around(reply)[:LONGEST_MESSAGE]))


def questions(reply: str) -> list[str]:
    """The sentences that want an answer; offers of more do not."""
    return [one for one in sentences(reply) if _ASKS.search(one) and not _OFFERS.search(one)]


def asks_of_trip(question: str) -> bool:
    """Whether it is about what is fixed of the trip."""
    return bool(_TRIP.search(question))


def is_about(sentence: str, rubric: str) -> bool:
    """Whether a sentence is about the domain of a rubric, or about none."""
    domains = [name for name, words in _DOMAINS.items() if words.search(sentence)]
    return not domains or rubric.partition(".")[0] in (*domains, "general")


def asks_about(reply: str, rubric: str) -> bool:
    """Whether a reply asks about what a rubric is of."""
    return any(is_about(one, rubric) for one in questions(reply) if not asks_of_trip(one))


def refuses(reply: str, rubric: str, *, has_plan: bool) -> bool:
    """Whether a reply says that what a rubric asks for can't be done: without a plan, or in words."""
    return not has_plan or any(_IMPOSSIBLE.search(one) and is_about(one, rubric) for one in sentences(reply))
