"""Reflexion (TravelEval section 4.1): a plan is tried, evaluated and reflected upon in words before the next try."""

from __future__ import annotations

from benchmark.agents.base import words
from benchmark.agents.direct import CRITIQUE, with_critique
from benchmark.agents.react import ReactAgent
from benchmark.agents.transcript import Transcript
from benchmark.core.actions import Action, Redo
from benchmark.core.view import Draft, View
from benchmark.models import Reply

TRIES = 3
REFLECTION = "reflection"


class ReflexionAgent(ReactAgent):
    """ReAct whose plans are checked by rules: up to three tries, the last of which goes out as it is.

    After a try with faults the model reflects, and the reflection stays before its eyes for the next try.
    """

    def _takes_calls(self, view: View) -> bool:
        return super()._takes_calls(view) and not _reflects(view)

    def _action_of(self, view: View, reply: Reply) -> Action:
        if _reflects(view):
            return Redo(reply.text.strip(), why=REFLECTION, thought=reply.reasoning)
        return with_critique(self._briefing, super()._action_of(view, reply), view, TRIES - 1, awaited=False)

    def _awaits_plan(self, view: View) -> bool:
        return super()._awaits_plan(view) or _stage(view) == REFLECTION

    def _close_tools(self, chat: Transcript, view: View) -> None:
        """A reflection is asked for without tools anyway."""
        if not _reflects(view):
            super()._close_tools(chat, view)

    def _at_last(self, view: View, reply: Reply, flaw: str) -> Action:
        """A flawed reflection is taken for what it is worth: it is none of the session's messages."""
        if _reflects(view):
            return Redo(words(reply), why=REFLECTION, thought=reply.reasoning)
        return super()._at_last(view, reply, flaw)

    def _correction(self, view: View, draft: Draft) -> str:
        if draft.why == REFLECTION:
            return self._briefing.fill(view, "retry")
        told = super()._correction(view, draft)
        return f"{told}\n\n{self._briefing.fill(view, 'reflect')}" if draft.why == CRITIQUE else told


def _reflects(view: View) -> bool:
    """Whether a critique is still without its reflection."""
    return _stage(view) == CRITIQUE


def _stage(view: View) -> str:
    """The last stage that a plan of this turn went through, "" before the first."""
    stages = [draft.why for draft in view.turn.drafts if draft.why in (CRITIQUE, REFLECTION)]
    return stages[-1] if stages else ""
