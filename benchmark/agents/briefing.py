"""What agents over a model are told of a benchmark, and how the plans that they write are read."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmark.core.view import View
from benchmark.plans.view import Plan
from benchmark.text.prompts import Prompts, prompt_language
from sandbox.toolsets import toolset_named

SHARED_PROMPTS = Path(__file__).parent / "prompts"
"""Templates that a benchmark need not have itself."""


@dataclass(frozen=True, kw_only=True)
class Briefing:
    """What agents over a model need of a benchmark; functions get the benchmark's own view.

    prompts: its templates before `SHARED_PROMPTS`. talking, planning: the templates of the system prompt of an agent
    that talks and looks things up, and of one that only plans. facts: what these take. instructions: the template of
    what is asked, by the kind of turn. known: what stands before it, such as the agent's notes. summary: the kind of
    turn that asks for a JSON object, made from the chat alone. final: the kind that asks for the plan.

    plan: what a session would take from a message. plan_anywhere: the same of an answer in which it may be hidden.
    repair: a message with its plan's broken JSON repaired, "" where there is nothing to repair. faults: sentences
    about what is wrong with a plan, or with a message in which none was found. worth: how good a plan is, by which
    the best of several drafts goes out; None where the last one does.
    """

    prompts: Prompts
    facts: Callable[[Any], Mapping[str, str]]
    instructions: Mapping[str, str]
    talking: Sequence[str] = ()
    planning: Sequence[str] = ()
    notes: Callable[[Any], str] = lambda view: ""
    summary: str = ""
    final: str = ""
    plan: Callable[[str], Plan | None] = lambda text: None
    plan_anywhere: Callable[[str], Plan | None] = lambda text: None
    repair: Callable[[str], str] = lambda text: ""
    faults: Callable[[Plan | None, Any], Sequence[str]] = lambda plan, view: ()
    worth: Callable[[Plan | None], float] | None = None

    def fill(self, view: View, name: str, /, **fields: object) -> str:
        """A template in the session's language."""
        return self.prompts.fill(view.language, name, **fields)

    def system_prompt(self, view: View, sections: Sequence[str], **fields: str) -> str:
        """The sections in their order. It is the same for a whole session, so that servers can keep it cached."""
        facts = self.facts(view)
        return "\n\n".join(self.fill(view, section, **facts, **fields) for section in sections)

    def request_text(self, view: View, instruction: str = "") -> str:
        """What the agent knows, and what is asked of it now: `instruction`, else what the kind of turn says."""
        asked = self.fill(view, instruction or self.instructions[view.turn.kind])
        return "\n\n".join(filter(None, (self.notes(view), asked)))


def fence_plan(plan: Plan) -> str:
    """A plan as a message."""
    return f"```json\n{json.dumps(plan, ensure_ascii=False)}\n```"


def line(view: View, speaker: str, words: str) -> str:
    """Somebody else's message with its speaker."""
    return f"{speaker}{': ' if view.language == 'en' else '：'}{words}"


def tool_definitions(view: View) -> tuple[Mapping[str, Any], ...]:
    """The session's tools in the OpenAI function format; nobody changes them."""
    return toolset_named(view.toolset).definitions(prompt_language(view.language))
