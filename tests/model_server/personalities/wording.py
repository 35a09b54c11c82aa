"""Sentences of the agent, Chinese and English."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Words:
    """questions: to one traveller, in order; each ends a message and mentions {user}.

    yields: requests to yield, by what is in dispute. yielding: a word that every one of them has.
    """

    questions: Sequence[str]
    yields: dict[str, str]
    yielding: str
    searching: str
    plan: str
    nothing: str
    facts_found: str
    waiting: str
    two: str
    thought: str


ZH = Words(
    questions=(
        "@{user} 请问你的人均预算上限是多少？城际交通、住宿有什么要求？",
        "@{user} 请问{cities}有哪些一定要去或坚决不去的景点？餐饮上有什么想吃的或不吃的？",
    ),
    yields={
        "transport": "{other}不接受{item}，而你坚持{item}。@{user} 能否让步，放弃必须坐{item}的要求？",
        "sight": "{other}不想去{item}，而你一定要去。@{user} 能否让步，这次放弃{item}？",
        "food": "{other}不吃{item}，而你一定要吃。@{user} 能否让步，这次放弃{item}？",
        "budget": "按现在的票价和房价，你的预算偏紧。@{user} 能否让步，把人均预算从{was}元提高到{now}元？",
    },
    yielding="能否让步",
    searching="先查一下车次、景点、餐厅和酒店。",
    plan="综合大家的要求，行程如下：",
    nothing="没有查到相关的信息。",
    facts_found="查到的结果：{facts}。",
    waiting="我还在整理大家的要求。@{user} 你对第{number}天的安排还有什么想法？",
    two="@{user} @{other} 你们两位的人均预算上限各是多少？",
    thought="先看看大家说了什么：已有{lines}条消息。接着决定是提问、查询还是出行程。",
)

EN = Words(
    questions=(
        "@{user} What is the most you personally can spend on this trip, and what do you require of transport "
        "between cities and of the hotel?",
        "@{user} Which sights in {cities} must you visit or do you refuse to visit, and what food do you want to "
        "eat or avoid?",
    ),
    yields={
        "transport": "{other} refuses {item}, and you insist on it. @{user} Would you compromise and give up {item}?",
        "sight": "{other} refuses {item}, and you insist on going. @{user} Would you compromise and give up {item}?",
        "food": "{other} refuses {item}, and you insist on it. @{user} Would you compromise and give up {item}?",
        "budget": "At the present fares and room rates your budget is tight. @{user} Would you compromise and raise "
        "your budget from {was} yuan to {now} yuan?",
    },
    yielding="Would you compromise",
    searching="Looking up trains, sights, restaurants and hotels first.",
    plan="With everybody's wishes in mind, this is the itinerary:",
    nothing="The search found nothing about that.",
    facts_found="The search found: {facts}.",
    waiting="I am still putting everybody's wishes in order. @{user} What else would you like on day {number}?",
    two="@{user} @{other} What is the most that each of you can spend?",
    thought="First, what has been said: {lines} messages so far. Then decide whether to ask, look up or plan.",
)


def words(english: bool) -> Words:
    """The sentences of a language."""
    return EN if english else ZH
