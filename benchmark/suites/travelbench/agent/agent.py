"""The reference agent: it reads a request, makes the calls that an answer needs, and answers from their results."""

from __future__ import annotations

from collections.abc import Callable

from benchmark.core.actions import Action, CallTools, Say
from benchmark.suites.travelbench.agent import lexicon
from benchmark.suites.travelbench.agent.answers import answer
from benchmark.suites.travelbench.agent.looking import Lookups, NotYet
from benchmark.suites.travelbench.agent.request import Request, read_request, says, usual_day
from benchmark.suites.travelbench.agent.telling import without_points
from benchmark.suites.travelbench.conversation.views import RequestView
from benchmark.suites.travelbench.modes import UNSOLVED_MARK
from benchmark.text.prompts import prompt_language
from sandbox.tools.language import Language, Says


class ReferenceAgent:
    """Answers discovery, route, weather and timetable questions by fixed rules, and says what it can't do.

    In the multi-turn subtask it asks once where a request lacks what the answer depends on; in the unsolvable one it
    gives the tag for what it can't do.
    """

    def act(self, view: RequestView) -> Action:
        """The calls that the answer still lacks, or the answer."""
        request = read_request(view)
        first = not any(message.role == view.me for message in view.messages)
        if view.subtask == "multi" and first and (asked := question(request, view.language)):
            return Say(asked)
        try:
            words = answer(request, Lookups(view.tool_log), view.language)
        except NotYet as lacking:
            return CallTools(lacking.calls)
        if words.unsolvable and view.subtask == "unsolved":
            return Say(UNSOLVED_MARK)
        return Say(without_points(words.text))


# The one question that the agent asks before it looks anything up.


_WHERE = Says("请问您要从哪里去哪里，哪天出发？", "Where do you want to go, from where, and on which day?")
_WHICH_DAY = Says("请问您哪天去？", "On which day do you want to go?")
_DETAILS: tuple[tuple[Callable[[Request], bool], Says], ...] = (
    (lambda _: True, Says("具体想找什么", "what are you looking for")),
    (lambda request: not (request.cities or request.anchor), Says("在哪一带", "in which area")),
    (lambda request: request.most is None, Says("预算大概多少", "what is your budget")),
    (lambda request: not (request.day or request.part), Says("什么时间", "at what time")),
)
"""Whether a vague request lacks something, and how that is asked for; what is needed most comes first."""
_MOST_DETAILS = 3


def question(request: Request, language: str) -> str:
    """What a request lacks, "" where it can be answered as it is."""
    if request.kind in ("trains", "flights", "tickets") and (request.day is None or not request.is_elsewhere):
        return _WHERE.to(prompt_language(language))
    if request.kind == "route" and not request.ends[1]:
        return _WHERE.to(prompt_language(language))
    if request.kind == "weather" and not request.days and says(lexicon.WHICH_DAY, request.words):
        return _WHICH_DAY.to(prompt_language(language))
    if request.kind in ("", "unnamed") or _leaves_all_open(request):
        return _details(request, prompt_language(language))
    vague = request.kind == "discovery" and not (request.anchor or request.most or request.order)
    return _details(request, prompt_language(language)) if vague else ""


def _leaves_all_open(request: Request) -> bool:
    """Whether days are to be planned, and neither a city nor a kind of place is named."""
    sought, usual = ([step.seek for step in steps] for steps in (request.steps, usual_day(())))
    return request.kind == "order" and sought == usual and not request.cities


def _details(request: Request, language: Language) -> str:
    """Asks for what the user has not told, three things at most."""
    asked = [says.to(language) for lacks, says in _DETAILS if lacks(request)][:_MOST_DETAILS]
    if language == "zh":
        return f"请问您{'、'.join(asked)}？"
    *before, last = asked
    text = " and ".join(filter(None, (", ".join(before), last)))
    return f"{text[0].upper()}{text[1:]}?"
