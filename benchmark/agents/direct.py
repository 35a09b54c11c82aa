"""Agents without tools, who plan at once: prompted directly, after reasoning in words, or with a verifier."""

from __future__ import annotations

from benchmark.agents.base import ModelAgent
from benchmark.agents.briefing import Briefing, fence_plan
from benchmark.core.actions import Action, Redo, Say
from benchmark.core.view import Draft, View
from benchmark.models import Reply

# Direct prompting (TravelEval section 4.1, TripScore appendix D.2): one prompt, no tools, the plan at once.


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
        return Say(fence_plan(plan), thought=f"{reply.reasoning}\n\n{reply.text}".strip())


# Zero-shot chain of thought (TravelEval section 4.1, TripScore appendix D.2): reasoning in words, then the plan.


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
        return Say(fence_plan(plan), mended_from=said.mended_from, thought=reasoning)


# Plans that are checked before they go out: what the checks found, and how often there is another try.


CRITIQUE = "critique"


def with_critique(briefing: Briefing, action: Action, view: View, most: int, *, awaited: bool) -> Action:
    """`action`, or its plan withdrawn with the list of its faults, at most `most` times in a turn.

    awaited: an utterance without a plan is at fault too.
    """
    if not isinstance(action, Say) or sum(draft.why == CRITIQUE for draft in view.turn.drafts) >= most:
        return action
    plan = briefing.plan(action.content)
    faults_found = briefing.faults(plan, view) if awaited or plan is not None else ()
    note = "\n".join(faults_found)
    return Redo(action.content, why=CRITIQUE, note=note, thought=action.thought) if faults_found else action


# LLM-Modulo (TripScore appendix D.2): the model plans, rules verify, the model repairs what they found.


REPAIRS = 3


class LlmModuloAgent(DirectAgent):
    """Direct prompting with a verifier: up to three repairs of the plan, then the last goes out, or the best."""

    def _action_of(self, view: View, reply: Reply) -> Action:
        action = super()._action_of(view, reply)
        return self._best(with_critique(self._briefing, action, view, REPAIRS, awaited=True), view)

    def _best(self, action: Action, view: View) -> Action:
        """The best of the drafts in place of the last, where the benchmark says what is better."""
        worth = self._briefing.worth
        if worth is None or not isinstance(action, Say):
            return action
        texts = [action.content, *(draft.content for draft in view.turn.drafts if draft.why == CRITIQUE)]
        best = max(texts, key=lambda text: worth(self._briefing.plan(text)))
        if best == action.content:
            return action
        return Say(best, thought=f"{action.thought}\n\n{action.content}".strip())

    def _correction(self, view: View, draft: Draft) -> str:
        told = super()._correction(view, draft)
        return f"{told}\n\n{self._briefing.fill(view, 'repair')}" if draft.why == CRITIQUE else told
