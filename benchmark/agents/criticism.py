"""Plans that are checked before they go out: what the checks found, and how often there is another try."""

from __future__ import annotations

from benchmark.agents.briefing import Briefing
from benchmark.core.actions import Action, Redo, Say
from benchmark.core.view import View

CRITIQUE = "critique"


def criticised(briefing: Briefing, action: Action, view: View, most: int, *, awaited: bool) -> Action:
    """`action`, or its plan withdrawn with the list of its faults, at most `most` times in a turn.

    awaited: an utterance without a plan is at fault too.
    """
    if not isinstance(action, Say) or sum(draft.why == CRITIQUE for draft in view.turn.drafts) >= most:
        return action
    plan = briefing.plan(action.content)
    found = briefing.faults(plan, view) if awaited or plan is not None else ()
    note = "\n".join(found)
    return Redo(action.content, why=CRITIQUE, note=note, thought=action.thought) if found else action
