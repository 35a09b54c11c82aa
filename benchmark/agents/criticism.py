"""Plans that are checked before they go out: what the checks found, and how often there is another try."""

from __future__ import annotations

from benchmark.agents.review import faults
from benchmark.agents.wording import fault
from benchmark.core.actions import Action, Redo, Say
from benchmark.suites.grouptravel.itineraries import plan_in_message
from benchmark.suites.grouptravel.view import View

CRITIQUE = "critique"


def criticised(action: Action, view: View, most: int, *, awaited: bool) -> Action:
    """`action`, or its plan withdrawn with the list of its faults, at most `most` times in a turn.

    awaited: an utterance without a plan is at fault too.
    """
    if not isinstance(action, Say) or sum(draft.why == CRITIQUE for draft in view.turn.drafts) >= most:
        return action
    found = _found(action.content, view, awaited=awaited)
    return (
        Redo(action.content, why=CRITIQUE, note="\n".join(found), thought=action.thought) if found else action
    )


def _found(content: str, view: View, *, awaited: bool) -> tuple[str, ...]:
    plan = plan_in_message(content)
    if plan is not None:
        return faults(plan, view)
    return (f"- {fault(view.language, 'unreadable')}",) if awaited else ()
