"""Zero-shot chain of thought (TravelEval section 4.1, TripScore appendix D.2): reasoning in words, then the plan."""

from __future__ import annotations

from benchmark.agents.briefing import fenced
from benchmark.agents.direct import DirectAgent
from benchmark.core.actions import Say
from benchmark.core.view import View
from benchmark.models import Reply


class ZeroShotCotAgent(DirectAgent):
    """Direct prompting with the reasoning asked for.

    The chat gets the plan; the log keeps the reasoning as a thought. An answer without a plan goes out as it is.
    """

    instruction = "reasoning"

    def _say(self, view: View, reply: Reply) -> Say:
        said = super()._say(view, reply)
        plan = self._briefing.plan(said.content)
        if plan is None:
            return said
        reasoning = f"{reply.reasoning}\n\n{reply.text}".strip()
        return Say(fenced(plan), mended_from=said.mended_from, thought=reasoning)
