"""The published benchmark's judge input: the travellers' original tables, and the conversation of the run record."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from benchmark.core.events import (
    AgentNoted,
    Event,
    MessagePosted,
    ToolCalled,
    ToolReturned,
)
from benchmark.core.view import AGENT
from benchmark.judging import Transcript
from benchmark.suites.grouptravel.events import CardDealt
from benchmark.suites.grouptravel.judging.transcript import (
    PUBLISHED_PROMPTS,
    RESULT_LIMIT,
    Teller,
    line,
    opening_of,
)


def published_transcript(events: Iterable[Event]) -> Transcript:
    """Query, context, names, original preference tables, messages with their role, and tool calls with their results.

    Raises:
        ValueError: the log does not begin with its opening.
    """
    log = list(events)
    opened = opening_of(log)
    teller = _Conversation(opened.language)
    told = "\n".join(line_ for event in log for line_ in teller.lines(event))
    text = PUBLISHED_PROMPTS.fill(
        opened.language,
        "shown",
        query=opened.query,
        context=opened.context,
        travellers=", ".join(traveller.name for traveller in opened.travellers),
        tables=json.dumps(original_tables(log), ensure_ascii=False, indent=1),
        transcript=told,
    )
    return Transcript(text, frozenset(teller.turns), opened.language)


def original_tables(log: Iterable[Event]) -> dict[str, Any]:
    """Each traveller's card as it was dealt: no compromise has changed it."""
    return {event.body.user: event.body.card for event in log if isinstance(event.body, CardDealt)}


class _Conversation(Teller):
    """What a run record's conversation history holds."""

    def words_of(self, event: Event) -> str:
        match event.body:
            case MessagePosted(role=role, content=content):
                return f"{role}: {content}"
            case AgentNoted(content=content):
                return f"{AGENT}: {content}"
            case ToolCalled() as called:
                return self.call(called, event.seq)
            case ToolReturned(call_id=call, result=result):
                asked = self.asked_in(call, event.seq)
                return line(self.language, "answers", call=asked, text=result[:RESULT_LIMIT])
            case _:
                return ""
