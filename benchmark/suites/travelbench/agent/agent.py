"""The reference agent: it reads a request, makes the calls that an answer needs, and answers from their results."""

from __future__ import annotations

from benchmark.core.actions import Action, CallTools, Say
from benchmark.suites.travelbench.agent.answers import answer
from benchmark.suites.travelbench.agent.asking import question
from benchmark.suites.travelbench.agent.looking import Lookups, NotYet
from benchmark.suites.travelbench.agent.request import read_request
from benchmark.suites.travelbench.agent.telling import without_points
from benchmark.suites.travelbench.conversation.views import RequestView
from benchmark.suites.travelbench.modes import UNSOLVED_MARK


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
