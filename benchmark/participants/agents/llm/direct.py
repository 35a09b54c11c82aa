"""Direct prompting (TravelEval section 4.1, TripScore appendix D.2): one prompt, no tools, the plan at once."""

from __future__ import annotations

from benchmark.models import Reply
from benchmark.participants.actions import Action
from benchmark.participants.agents.llm.base import ModelAgent
from benchmark.participants.agents.llm.briefing import PLANNING, turn_prompt
from benchmark.participants.view import View


class DirectAgent(ModelAgent):
    """Plans from the request and the opening messages at its first chance, and again whenever that gave no plan."""

    sections = PLANNING

    def _instruction(self, view: View) -> str:
        return turn_prompt(view, "direct")

    def _answered(self, view: View, reply: Reply) -> Action:
        return self._say(view, reply, awaited=True)
