"""Direct prompting (TravelEval section 4.1, TripScore appendix D.2): one prompt, no tools, the plan at once."""

from __future__ import annotations

from benchmark.agents.base import ModelAgent
from benchmark.agents.briefing import PLANNING, turn_prompt
from benchmark.agents.mending import fenced, plan_anywhere
from benchmark.core.actions import Say
from benchmark.models import Reply
from benchmark.suites.grouptravel.itineraries import plan_in_message
from benchmark.suites.grouptravel.view import View


class DirectAgent(ModelAgent):
    """Plans from the request and the opening messages at its first chance, and again whenever that gave no plan.

    A sound plan counts wherever it stands in the answer. Where a session could not read it there, it is said alone,
    and the log keeps the whole answer as a thought.
    """

    sections = PLANNING

    def _instruction(self, view: View) -> str:
        return turn_prompt(view, "direct")

    def _awaits_plan(self, view: View) -> bool:
        return True

    def _say(self, view: View, reply: Reply) -> Say:
        plan = plan_anywhere(reply.text)
        if plan is None or plan == plan_in_message(reply.text):
            return super()._say(view, reply)
        return Say(fenced(plan), thought=f"{reply.reasoning}\n\n{reply.text}".strip())
