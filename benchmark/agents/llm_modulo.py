"""LLM-Modulo (TripScore appendix D.2): the model plans, rules verify, the model repairs what they found."""

from __future__ import annotations

from benchmark.agents.criticism import CRITIQUE, criticised
from benchmark.agents.direct import DirectAgent
from benchmark.core.actions import Action
from benchmark.core.view import Draft, View
from benchmark.models import Reply

REPAIRS = 3


class LlmModuloAgent(DirectAgent):
    """Direct prompting with a verifier: the plan is repaired up to three times, then goes out as it is."""

    def _answered(self, view: View, reply: Reply) -> Action:
        return criticised(self._briefing, super()._answered(view, reply), view, REPAIRS, awaited=True)

    def _correction(self, view: View, draft: Draft) -> str:
        told = super()._correction(view, draft)
        return f"{told}\n\n{self._briefing.fill(view, 'repair')}" if draft.why == CRITIQUE else told
