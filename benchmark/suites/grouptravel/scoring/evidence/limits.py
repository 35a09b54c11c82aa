"""Where a traveller states a limit: a number with what it limits beside it, not a number alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from benchmark.text import guarded

CLEARLY_MEANT, POSSIBLY_MEANT, MEANT_OTHERWISE = 2, 1, 0


class Near(NamedTuple):
    """What stands around a number: its sentence and clause, what comes `before` it in these and `after` it."""

    sentence: str
    clause: str
    before: str
    after: str


def _any(*words: str) -> Callable[[str], guarded.Match | None]:
    return guarded.compile("|".join(words), guarded.IGNORECASE).search


def _next(pattern: str) -> Callable[[str], guarded.Match | None]:
    return guarded.compile(pattern, guarded.IGNORECASE).match


_cap_words = _any(
    r"最多|顶多|至多|上限|不(?:能|要|可以|想|得)?(?:超|多于|高于)|别超|以[内下]|之内|控制在|封顶",
    r"\b(?:at most|no more than|not more than|up to|max(?:imum)?|limit|ceiling|cap|within|under|below|"
    r"exceed|beyond)\b",
)
_daily = _any(r"每天|一天|每日|天天|一日|日均", r"\b(?:a|per|each|every|one) day\b", r"\bdaily\b")
_money = _any(
    r"预算|人均|每人|花[费销钱]|费用|[多能要别想只]花|钱",
    r"\b(?:budget|spend|spending|afford|per person|ceiling|each of us)\b",
)
_currency_next = _next(r"\s*+(?:元|块|人民币|RMB\b|CNY\b|yuan\b)")
_currency_ahead = _any(r"(?:[¥￥]|RMB|CNY)\s*$")
_no_money_next = _next(
    r"\s*+(?:年|月|[日号](?!元)|[个位天晚级分点次米%]|人(?!均|民币)|小时|公里|people|persons?|days?|nights?|hours?|hrs?|km|sights?)"
)
_sights = _any(r"景点|景区|地方|逛", r"\b(?:sights?|spots?|places?|attractions?|stops?)\b")
_sights_next = _next(
    r"\s*+[个处座家]?\s*+(?:景点|景区|景|地方|sights?\b|spots?\b|places?\b|attractions?\b|stops?\b)"
)
_piece_next = _next(r"\s*+[个处座](?:(?![一-鿿]|\s*+\w)|(?=[以之就左为吧内]))")
_hours_next = _next(r"\s*+(?:个?小时|个?钟头?|hours?\b|hrs?\b|h\b)")
_active = _any(
    r"活动|玩|逛|游览|行程|在外|强度",
    r"\b(?:activ\w+|sightsee\w*|out (?:for|and about)|touring|on (?:the go|(?:my|our) feet)|explor\w+)\b",
)
_other_hours = _any(
    r"睡|休息|车程|火车|飞机|高铁|开车|坐车|自驾|路上|航班",
    r"\b(?:sleep\w*|rest|trains?|flights?|fly|flying|driv\w+|rides?|bus|journey)\b",
)


def _budget(near: Near) -> int:
    if _no_money_next(near.after):
        return MEANT_OTHERWISE
    if _money(near.sentence):
        return CLEARLY_MEANT
    if not (_currency_next(near.after) or _currency_ahead(near.before)):
        return MEANT_OTHERWISE
    return CLEARLY_MEANT if _cap_words(near.sentence) else POSSIBLY_MEANT


def _sights_a_day(near: Near) -> int:
    daily = _daily(near.sentence)
    if _sights_next(near.after):
        return CLEARLY_MEANT if daily else POSSIBLY_MEANT if _cap_words(near.sentence) else MEANT_OTHERWISE
    if not daily or not _piece_next(near.after):
        return MEANT_OTHERWISE
    return CLEARLY_MEANT if _sights(near.sentence) else POSSIBLY_MEANT


def _hours_a_day(near: Near) -> int:
    if not _hours_next(near.after) or _other_hours(near.clause):
        return MEANT_OTHERWISE
    signs = sum(map(bool, (_daily(near.sentence), _active(near.sentence), _cap_words(near.sentence))))
    if _active(near.sentence) and _daily(near.sentence):
        return CLEARLY_MEANT
    return POSSIBLY_MEANT if signs > 1 else MEANT_OTHERWISE


LIMITS: dict[str, Callable[[Near], int]] = {
    "avg_budget": _budget,
    "max_poi_per_day": _sights_a_day,
    "max_active_hours": _hours_a_day,
}
"""By the last key of a scalar field: whether a number near such words states it, may, or means something else."""
