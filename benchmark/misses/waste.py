"""Steps of an agent that told nobody anything new: the same for every benchmark, from the log alone."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from benchmark.core.events import (
    DraftWithdrawn,
    Event,
    MessagePosted,
    MessageWithheld,
    ToolCalled,
    ToolReturned,
)
from benchmark.core.view import AGENT
from benchmark.misses.kinds import CauseWords
from benchmark.remarks import gettext_noop as _

WASTE_KINDS: Mapping[str, CauseWords] = MappingProxyType(
    {
        "repeated_call": CauseWords(
            _("the same tool call again"),
            _("The tool had answered the same call with the same arguments before, without an error."),
        ),
        "failed_call": CauseWords(
            _("a tool call that failed"), _("The agent got an error in place of a result.")
        ),
        "refused_draft": CauseWords(
            _("a draft that was refused"),
            _("The agent was asked again, or its words did not reach the chat."),
        ),
        "empty_message": CauseWords(_("an empty message"), _("The agent said nothing but white space.")),
        "repeated_message": CauseWords(
            _("the same message again"), _("The agent said word for word what it had said before.")
        ),
    }
)
"""What a step can be wasted by; a step that is several of these is the first that fits."""


class WastedTurn(NamedTuple):
    """A wasted step. seq: its event. kind: a key of `WASTE_KINDS`. tool: the tool that was called, else ""."""

    seq: int
    kind: str
    tool: str = ""


class Waste(NamedTuple):
    """What an agent did in vain. steps: all its messages, drafts and tool calls. turns: the wasted ones."""

    steps: int
    turns: tuple[WastedTurn, ...]


def find_waste(events: Iterable[Event]) -> Waste:
    """The wasted steps of the agent in a log, in their order."""
    steps = 0
    turns: list[WastedTurn] = []
    answered: set[tuple[str, str]] = set()
    open_calls: dict[str, tuple[int, tuple[str, str], bool]] = {}
    said: set[str] = set()
    for event in events:
        match event.body:
            case ToolCalled() as call:
                steps += 1
                named = (call.name, json.dumps(call.arguments, sort_keys=True, ensure_ascii=False))
                open_calls[call.call_id] = (event.seq, named, named in answered)
            case ToolReturned() as answer:
                seq, named, again = open_calls.pop(answer.call_id, (event.seq, ("", ""), False))
                if again or answer.error:
                    kind = "repeated_call" if again else "failed_call"
                    turns.append(WastedTurn(seq, kind, named[0]))
                if not answer.error:
                    answered.add(named)
            case MessagePosted() as message if message.role == AGENT and not message.opening:
                steps += 1
                words = message.content.strip()
                if not words:
                    turns.append(WastedTurn(event.seq, "empty_message"))
                elif words in said:
                    turns.append(WastedTurn(event.seq, "repeated_message"))
                said.add(words)
            case DraftWithdrawn() as draft if draft.speaker == AGENT:
                steps += 1
                turns.append(WastedTurn(event.seq, "refused_draft"))
            case MessageWithheld():
                steps += 1
                turns.append(WastedTurn(event.seq, "refused_draft"))
            case _:
                pass
    return Waste(steps, tuple(sorted(turns)))
