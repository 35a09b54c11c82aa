"""ReAct (TravelEval section 4.1): thought, action and observation in plain text, until there is an answer."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from benchmark.agents.base import MOST_FLAWED, ModelAgent
from benchmark.agents.briefing import tool_definitions
from benchmark.agents.llm import tool_calls
from benchmark.agents.transcript import WrittenTranscript
from benchmark.core.actions import Action, CallTools, Redo, ToolCall
from benchmark.core.view import View
from benchmark.models import Reply
from benchmark.text import guarded

_OBSERVATION = guarded.compile(r"^[^\w\n]*Observation\s*[:：]", guarded.MULTILINE | guarded.IGNORECASE)
_ACTION = guarded.compile(
    r"^[^\w\n]*Action\s*[:：]\W*([A-Za-z_][\w.-]*)", guarded.MULTILINE | guarded.IGNORECASE
)
_INPUT = guarded.compile(r"^[^\w\n]*Action\s+Input\s*[:：]", guarded.MULTILINE | guarded.IGNORECASE)
_ANSWER = guarded.compile(
    r"^[^\w\n]*(?:Final\s+)?Answer\s*[:：](?:\*\*)?", guarded.MULTILINE | guarded.IGNORECASE
)


class ReactAgent(ModelAgent):
    """Talks with the group as the agent with native calls does, but uses the tools in writing, one call a step.

    Observations that a model invents are cut off. A model that calls tools natively all the same is understood.
    An answer in neither form is asked for again, three times; then it goes out as it is.
    """

    transcript = WrittenTranscript

    def _system(self, view: View) -> str:
        sections = (*self._briefing.talking, "react")
        return self._briefing.system_prompt(view, sections, tools=_tool_list(view))

    def _takes_calls(self, view: View) -> bool:
        return view.turn.tools_allowed and not self._sums_up(view)

    def _action_of(self, view: View, reply: Reply) -> Action:
        if reply.calls:
            return tool_calls(reply)
        text = _before(_OBSERVATION, reply.text)
        action, answer = _ACTION.search(text), _ANSWER.search(text)
        if answer and not (action and action.start() < answer.start()):
            return self._say_answer(view, reply, text[: answer.start()], text[answer.end() :])
        if action:
            return self._call_action(view, reply, text, action)
        return self._in_no_form(view, reply)

    def _call_action(self, view: View, reply: Reply, text: str, action: guarded.Match) -> Action:
        if not view.turn.tools_allowed:
            return self._withdraw_draft(view, reply, "called_tools")
        call = ToolCall(action[1], _arguments(text[action.end() :]))
        return CallTools((call,), note=_before(_ANSWER, text).strip(), thought=reply.reasoning)

    def _say_answer(self, view: View, reply: Reply, thought: str, answer: str) -> Action:
        if not answer.strip():
            return self._in_no_form(view, reply)
        said = self._say(view, replace(reply, text=answer))
        return replace(said, thought=f"{reply.reasoning}\n\n{thought.strip()}".strip())

    def _in_no_form(self, view: View, reply: Reply) -> Action:
        if sum(draft.why == "react_form" for draft in view.turn.drafts) >= MOST_FLAWED:
            return self._say(view, reply)
        return Redo(reply.text.strip(), why="react_form", thought=reply.reasoning)


def _before(mark: guarded.Pattern, text: str) -> str:
    match = mark.search(text)
    return text[: match.start()] if match else text


def _arguments(written: str) -> dict[str, Any] | str:
    """The first JSON object after the action's name; without one the text that stands there."""
    label = _INPUT.search(written)
    text = _before(_ANSWER, written[label.end() :] if label else written).strip()
    try:
        arguments, _ = json.JSONDecoder(parse_constant=_no_number).raw_decode(text[max(0, text.find("{")) :])
    except (ValueError, RecursionError):
        return text
    return arguments if isinstance(arguments, dict) else text


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no JSON number")


def _tool_list(view: View) -> str:
    functions = (definition["function"] for definition in tool_definitions(view))
    return "\n".join(
        f"{each['name']}: {each['description']} {json.dumps(each['parameters'], ensure_ascii=False)}"
        for each in functions
    )
