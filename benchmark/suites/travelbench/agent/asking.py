"""The one question that the agent asks before it looks anything up."""

from __future__ import annotations

from benchmark.suites.travelbench.agent import lexicon
from benchmark.suites.travelbench.agent.request import Request, says
from benchmark.text.prompts import spoken
from sandbox.tools.language import Says

_WHERE = Says("请问您要从哪里去哪里，哪天出发？", "Where do you want to go, from where, and on which day?")
_WHICH_DAY = Says("请问您哪天去？", "On which day do you want to go?")
_WHAT = Says(
    "请问您具体想找什么、在哪一带，什么时间，预算大概多少？",
    "What are you looking for, in which area, when, and what is your budget?",
)


def question(request: Request, language: str) -> str:
    """What a request lacks, "" where it can be answered as it is."""
    if request.kind in ("trains", "flights", "tickets") and (request.day is None or not request.elsewhere):
        return _WHERE.to(spoken(language))
    if request.kind == "route" and not request.ends[1]:
        return _WHERE.to(spoken(language))
    if request.kind == "weather" and not request.days and says(lexicon.WHICH_DAY, request.said):
        return _WHICH_DAY.to(spoken(language))
    if request.kind in ("", "unnamed"):
        return _WHAT.to(spoken(language))
    vague = request.kind == "discovery" and not (request.anchor or request.most or request.order)
    return _WHAT.to(spoken(language)) if vague else ""
