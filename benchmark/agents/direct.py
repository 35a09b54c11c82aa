"""Direct prompting (TravelEval section 4.1, TripScore appendix D.2): one prompt, no tools, the plan at once."""

from __future__ import annotations

from benchmark.agents.base import ModelAgent
from benchmark.agents.briefing import fenced
from benchmark.core.actions import Say
from benchmark.core.view import View
from benchmark.models import Reply


class DirectAgent(ModelAgent):
    """Plans from the request and the opening messages at its first chance, and again whenever that gave no plan.

    A sound plan counts wherever it stands in the answer. Where a session could not read it there, it is said alone,
    and the log keeps the whole answer as a thought.
    """

    offered_tools = False
    instruction = "direct"

    def _system(self, view: View) -> str:
        return self._briefing.system_prompt(view, self._briefing.planning)

    def _awaits_plan(self, view: View) -> bool:
        return True

    def _say(self, view: View, reply: Reply) -> Say:
        plan = self._briefing.plan_anywhere(reply.text)
        if plan is None or plan == self._briefing.plan(reply.text):
            return super()._say(view, reply)
        return Say(fenced(plan), thought=f"{reply.reasoning}\n\n{reply.text}".strip())
