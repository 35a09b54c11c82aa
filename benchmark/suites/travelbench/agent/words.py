"""Answers as they are given: in words, and what can't be done."""

from __future__ import annotations

from typing import NamedTuple

from benchmark.suites.travelbench.agent.looking import Lookups, ToolAnswer
from benchmark.suites.travelbench.agent.request import Request
from benchmark.suites.travelbench.agent.telling import place_lines
from sandbox.tools.language import Language, Says

_UNKNOWN_REQUEST = Says(
    "抱歉，我没有从您的话里读出能用工具办的事。我能查地点、路线、火车、航班和天气。",
    "Sorry, I see nothing in this that my tools can do. I can look up places, routes, trains, flights and weather.",
)
_CAN_NOT = Says(
    "抱歉，这件事我办不到：我不能提醒、打电话、预订、付款或操作设备，也看不到别人的位置。我能查地点、路线、火车、航班和天气。",
    "Sorry, I can't do that: I set no reminders, make no calls or bookings, pay nothing, operate no device and see "
    "nobody's position. I can look up places, routes, trains, flights and weather.",
)
_UNNAMED_PLACE = Says(
    "抱歉，您说的是哪个地方我无从知道，也查不到，所以答不了。",
    "Sorry, I can't know or look up which place you mean, so I can't answer this.",
)
_NOTHING = Says("抱歉，没有查到：{}。", "Sorry, nothing was found for {}.")


class Words(NamedTuple):
    """An answer. unsolvable: the tools can't do what is asked, or nobody can know what is meant."""

    text: str
    unsolvable: bool = False


def cannot(request: Request, lookups: Lookups, language: Language) -> Words:
    """No tool does what is asked."""
    return Words(_CAN_NOT.to(language), unsolvable=True)


def answer_unnamed_place(request: Request, lookups: Lookups, language: Language) -> Words:
    """Nobody can know which place is meant."""
    return Words(_UNNAMED_PLACE.to(language), unsolvable=True)


def answer_unknown_request(request: Request, lookups: Lookups, language: Language) -> Words:
    """Nothing that tools do was read in the request."""
    return Words(_UNKNOWN_REQUEST.to(language), unsolvable=True)


def nothing(what: str, language: Language) -> Words:
    """Nothing was found."""
    return Words(_NOTHING.to(language).format(what))


def place_list(what: str, answer: ToolAnswer, language: Language) -> Words:
    """Places under a heading."""
    lines = [*place_lines(answer.rows("places"), language)] or list(filter(None, (answer.text,)))
    return (
        Words("\n".join((f"{what}{Says('：', ':').to(language)}", *lines)))
        if lines
        else nothing(what, language)
    )
