"""Zero-shot chain of thought (TravelEval section 4.1, TripScore appendix D.2): reasoning in words, then the plan."""

from __future__ import annotations

from benchmark.agents.briefing import turn_prompt
from benchmark.agents.direct import DirectAgent
from benchmark.agents.mending import fenced
from benchmark.core.actions import Say
from benchmark.models import Reply
from benchmark.suites.grouptravel.itineraries import plan_in_message
from benchmark.suites.grouptravel.view import View


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
