"""Who plays: both built in, both without a memory of their own."""

from __future__ import annotations

from benchmark.core.actions import Action, CallTools, Say, ToolCall
from benchmark.core.participant import BuiltIn, Cast
from benchmark.core.view import View
from sandbox.toolbox import ToolOutcome
from tests.toysuite.rules import FOUND, ToyView


class Asker:
    """Asks for the number that its one tool gives next."""

    def act(self, view: View) -> Action:
        if view.turn.step == 0:
            return CallTools((ToolCall("next_number", {"after": len(view.tool_log)}),))
        return Say(f"Is it {view.tool_log[-1].result}?")


class Knower:
    """Says whether it is the number."""

    def act(self, view: ToyView) -> Action:
        return Say(FOUND if view.messages[-1].content == f"Is it {view.number}?" else "no")


class Counting:
    """The one tool: the number after a number."""

    def call(self, name: str, arguments: dict[str, int] | str) -> ToolOutcome:
        assert name == "next_number"
        assert isinstance(arguments, dict)
        return ToolOutcome(str(arguments["after"] + 1), "world", "world")


CAST = Cast(agents={"asker": BuiltIn(Asker)}, users={"knower": BuiltIn(Knower)})
