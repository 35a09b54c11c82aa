"""Who plays: one built-in player on each side, without a memory of its own, and agents over a model."""

from __future__ import annotations

import json

from benchmark.agents import over_models
from benchmark.core.actions import Action, CallTools, Say, ToolCall
from benchmark.core.participant import BuiltIn, Cast
from benchmark.core.view import View
from tests.toysuite.briefing import BRIEFING
from tests.toysuite.rules import CORRECT_ANSWER, ToyView, number_asked


class Asker:
    """Asks for the number that its one tool gives next."""

    def act(self, view: View) -> Action:
        if view.turn.step == 0:
            return CallTools((ToolCall("next_number", {"after": len(view.tool_log)}),))
        return Say(f"Is it {json.loads(view.tool_log[-1].result or '')['number']}?")


class Knower:
    """Says whether it is the number."""

    def act(self, view: ToyView) -> Action:
        return Say(
            CORRECT_ANSWER if number_asked(view.messages[-1].content) == {"number": view.number} else "no"
        )


CAST = Cast(
    agents={"asker": BuiltIn(lambda context: Asker()), **over_models(BRIEFING)},
    users={"knower": BuiltIn(lambda context: Knower())},
)
