"""Zero-shot chain of thought (TravelEval section 4.1, TripScore appendix D.2): reasoning in words, then the plan."""

from __future__ import annotations

from benchmark.itineraries import plan_in_message
from benchmark.models import Reply
from benchmark.participants.actions import Say
from benchmark.participants.agents.llm.briefing import turn_prompt
from benchmark.participants.agents.llm.direct import DirectAgent
from benchmark.participants.agents.llm.mending import fenced
from benchmark.participants.view import View


class ZeroShotCotAgent(DirectAgent):
    """Direct prompting with the reasoning asked for.

    The chat gets the plan; the log keeps the reasoning as a thought. An answer without a plan goes out as it is.
    """

    def _instruction(self, view: View) -> str:
        return turn_prompt(view, "reasoning")

    def _say(self, view: View, reply: Reply) -> Say:
        said = super()._say(view, reply)
        plan = plan_in_message(said.content)
        if plan is None:
            return said
        reasoning = f"{reply.reasoning}\n\n{reply.text}".strip()
        return Say(fenced(plan), mended_from=said.mended_from, thought=reasoning)
