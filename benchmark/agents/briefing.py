"""What a model is told at the beginning and at the end of a request."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from benchmark.agents.wording import fill, spoken
from benchmark.suites.grouptravel.view import View
from sandbox.toolsets import toolset_named

TALKING = (
    "role",
    "group",
    "duties",
    "mentions",
    "speaking",
    "asking",
    "decision",
    "strengths",
    "compromise",
    "splitting",
    "table",
    "plan",
)
"""Sections of the system prompt of an agent that talks with the group."""

PLANNING = ("planner", "group", "strengths", "splitting", "table", "plan")
"""Sections for one that only plans."""

_INSTRUCTIONS = {"polled": "turn", "mentioned": "mentioned", "convergence": "convergence", "final": "final"}


def system_prompt(view: View, sections: Iterable[str], **fields: str) -> str:
    """The sections in their order. It is the same for a whole session, so that servers can keep it cached."""
    known = {
        "participants": participants(view),
        "query": view.query,
        "time": view.time,
        "context": view.context,
        **fields,
    }
    return "\n\n".join(fill(view.language, section, **known) for section in sections)


def participants(view: View) -> str:
    """A line for each member, young children last."""
    kinds = [("member", traveller) for traveller in view.travellers]
    kinds += [("companion", child) for child in view.companions]
    return "\n".join(fill(view.language, kind, name=who.name, role=who.role) for kind, who in kinds)


def turn_prompt(view: View, instruction: str = "") -> str:
    """The agent's own table and what is asked of it now: `instruction`, else what the kind of turn says."""
    return _with_table(view, fill(view.language, instruction or _INSTRUCTIONS[view.turn.kind]))


def summary_prompt(view: View) -> str:
    """The request for the table, with the one that it replaces."""
    return _with_table(view, fill(view.language, "summary"))


def _with_table(view: View, instruction: str) -> str:
    if not view.table:
        return instruction
    table = json.dumps(view.table, ensure_ascii=False, separators=(",", ":"))
    return f"{fill(view.language, 'known', table=table)}\n\n{instruction}"


def line(view: View, speaker: str, words: str) -> str:
    """Somebody else's message with its speaker."""
    return f"{speaker}{': ' if view.language == 'en' else '：'}{words}"


def tool_definitions(view: View) -> tuple[Mapping[str, Any], ...]:
    """The session's tools in the OpenAI function format; nobody changes them."""
    return toolset_named(view.toolset).definitions(spoken(view.language))
