"""What all agents over a model share: one request an act, made from the view alone."""

from __future__ import annotations

from dataclasses import replace

from benchmark.agents.briefing import Briefing, line, tool_definitions
from benchmark.agents.history import HeardMessage, History, ToolStep, WithdrawnDraft, read_history
from benchmark.agents.transcript import Transcript
from benchmark.core.actions import Action, ParticipantFault, Redo, Say
from benchmark.core.view import Draft, View
from benchmark.models import ChatRequest, Model, Reply

TEMPERATURE = 0.7
"""Of agents, where the endpoint sets none (GroupTravelBench, appendix C.1)."""

MOST_FLAWED = 3
"""Flawed answers of one kind in a turn that are asked for again."""

_FLAWS = {
    "empty": "gave an empty answer; if it thinks, raise the endpoint's max_tokens or turn thinking off",
    "cut_off": "was cut off at the endpoint's max_tokens; raise max_tokens, or turn thinking off",
}


class ModelAgent:
    """An agent that speaks through a model. A scaffold says what it is told, and what becomes of its answer.

    The chat is rebuilt for every request in an order that keeps the longest possible beginning unchanged: the
    system prompt, the chat with the agent's tool calls and results in their places, then this turn's instruction
    with the agent's own table, and what it has done in this turn. So within a turn everything before the newest
    tool result can come from a server's cache, and from turn to turn everything before the last turn.

    Tools are offered only where they may be called: a summary, and the message forced by the tool guards, come
    without them. A summary is made from the chat alone: servers that define tools at the beginning could not use
    their cache for it, and some refuse former calls in a request without tools.
    """

    offered_tools = True
    instruction = ""
    """The template of what is asked in all turns but summaries, "" for that of the kind of turn."""
    transcript: type[Transcript] = Transcript
    CORRECTABLE_DRAFTS = ("empty", "called_tools", "cut_off")
    """Drafts of which the model is shown the correction alone."""

    def __init__(self, briefing: Briefing, model: Model) -> None:
        self._briefing, self._model = briefing, model

    def act(self, view: View) -> Action:
        """One request, and what its answer means.

        Raises:
            ModelFailure: there is no answer.
            ParticipantFault: three empty or cut answers were asked for again, and the next is no better (but for a
                summary, which may be unreadable).
        """
        reply = self._model.ask(self.request(view))
        flaw = self._flaw(view, reply)
        if flaw:
            return self._withdraw_draft(view, reply, flaw)
        if self._sums_up(view):
            return Say(reply.text.strip(), thought=reply.reasoning)
        return self._action_of(view, reply)

    def request(self, view: View) -> ChatRequest:
        """The chat as this agent has it, up to what is asked of it now."""
        return ChatRequest(
            messages=tuple(self._chat(view).messages),
            tools=tool_definitions(view) if self._offers_tools(view) else (),
            temperature=TEMPERATURE,
            json_object=self._sums_up(view),
        )

    def _action_of(self, view: View, reply: Reply) -> Action:
        """What a sound answer to anything but a summary means."""
        return self._say(view, reply)

    def _system(self, view: View) -> str:
        return self._briefing.system_prompt(view, self._briefing.talking)

    def _sums_up(self, view: View) -> bool:
        return view.turn.kind == self._briefing.summary

    def _offers_tools(self, view: View) -> bool:
        """Whether tool definitions go with the request."""
        return False

    def _takes_calls(self, view: View) -> bool:
        """Whether native tool calls in an answer count."""
        return self._offers_tools(view)

    def _correction(self, view: View, draft: Draft) -> str:
        """What the model is told of its withdrawn words: by default the template of the reason's name."""
        return self._briefing.fill(view, draft.why, faults=draft.note)

    def _awaits_plan(self, view: View) -> bool:
        """Whether the answer is to be the plan: only then is broken JSON repaired, lest a sketch end the session."""
        return view.turn.kind == self._briefing.final

    def _say(self, view: View, reply: Reply) -> Say:
        """The answer as an utterance, an awaited plan in broken JSON repaired."""
        text = reply.text.strip()
        mended = self._briefing.repair(text) if self._awaits_plan(view) else ""
        return Say(mended or text, mended_from=text if mended else "", thought=reply.reasoning)

    def _chat(self, view: View) -> Transcript:
        thinking = any(note.kind == "thought" for note in view.notes)
        chat = self.transcript(self._system(view), self._briefing.prompts, view.language, thinking=thinking)
        history = read_history(view)
        self._past(chat, view, history)
        chat.hear(self._words_to_model(view))
        for words in view.turn.refused:
            chat.speak(words)
            chat.hear(self._briefing.fill(view, view.turn.problem))
        self._present(chat, view, history)
        return chat

    def _words_to_model(self, view: View) -> str:
        """What is asked of the agent now."""
        return self._briefing.request_text(view, "" if self._sums_up(view) else self.instruction)

    def _past(self, chat: Transcript, view: View, history: History) -> None:
        for item in history.before:
            if not isinstance(item, ToolStep):
                _tell(chat, view, item)
            elif not self._sums_up(view):
                chat.work(item)

    def _present(self, chat: Transcript, view: View, history: History) -> None:
        for step in history.now:
            if isinstance(step, WithdrawnDraft):
                self._recall(chat, view, step)
            else:
                chat.work(step)
        if not (self._sums_up(view) or view.turn.tools_allowed):
            self._close_tools(chat, view)

    def _close_tools(self, chat: Transcript, view: View) -> None:
        """The last word of a turn in which tools may no longer be called; it must not ask for something else."""
        chat.hear(
            self._briefing.fill(view, "force_finish_final" if self._awaits_plan(view) else "force_finish")
        )

    def _recall(self, chat: Transcript, view: View, step: WithdrawnDraft) -> None:
        if step.draft.why not in self.CORRECTABLE_DRAFTS and step.draft.content:
            chat.speak(step.draft.content, step.thought)
        chat.hear(self._correction(view, step.draft))

    def _flaw(self, view: View, reply: Reply) -> str:
        """Why an answer can't be used whatever it says, "" where it can."""
        if reply.finish_reason == "length":
            return "cut_off"
        if reply.calls and not self._takes_calls(view):
            return "called_tools"
        return "" if reply.calls or reply.text.strip() else "empty"

    def _withdraw_draft(self, view: View, reply: Reply, flaw: str) -> Action:
        if sum(draft.why == flaw for draft in view.turn.drafts) >= MOST_FLAWED:
            return self._at_last(view, reply, flaw)
        return Redo(words(reply), why=flaw, thought=reply.reasoning)

    def _at_last(self, view: View, reply: Reply, flaw: str) -> Action:
        """What becomes of a flawed answer that is not asked for again.

        A summary that can't be read changes nothing. A message in place of which the model insists on tools is
        said, so that the guards against repeated calls can end the session.
        """
        if self._sums_up(view):
            return Say(words(reply), thought=reply.reasoning)
        if flaw == "called_tools":
            return self._say(view, replace(reply, text=words(reply)))
        raise ParticipantFault(
            f"{MOST_FLAWED + 1} times in one turn the model {self._model.setup.model} {_FLAWS[flaw]}"
        )


def words(reply: Reply) -> str:
    """The text of an answer, else its calls in writing."""
    return reply.text.strip() or "\n".join(f"{call.name}({call.arguments})" for call in reply.calls)


def _tell(chat: Transcript, view: View, heard: HeardMessage) -> None:
    message = heard.message
    if message.role == view.me:
        chat.speak(message.content, heard.thought)
    else:
        chat.hear(line(view, message.role, message.content))
