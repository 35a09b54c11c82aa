"""A session as a judge of TravelEval sees it: the request, what was looked up, what the agent answered."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from benchmark.core.events import (
    AgentNoted,
    Event,
    EventBody,
    MessagePosted,
    PlanProposed,
    ToolCalled,
    ToolReturned,
)
from benchmark.core.view import AGENT
from benchmark.judging import Transcript
from benchmark.suites.traveleval.events import SessionOpened
from benchmark.text.prompts import Prompts
from sandbox.tools.language import Language

PROMPTS = Prompts(Path(__file__).parent / "prompts")
_RESULT_LIMIT = 2000
"""Characters of a tool result that a judge sees."""


def plan_transcript(events: Iterable[Event]) -> Transcript:
    """What a judge sees of a session. Raises ValueError: the log does not begin with its opening."""
    log = list(events)
    if not log or not isinstance(opened := log[0].body, SessionOpened):
        raise ValueError("a log without its opening event can't be judged")
    language = opened.language
    told = {event.seq: words for event in log if (words := _words(event.body, language))}
    lines = [f"[{seq}] " + "\n  ".join(words.splitlines()) for seq, words in told.items()]
    planned = [event.seq for event in log if isinstance(event.body, PlanProposed)]
    message = max((seq for seq in told if planned and seq < planned[-1]), default=0)
    end = _line(language, "plan", message=message) if message else _line(language, "no_plan")
    text = PROMPTS.fill(language, "shown", query=opened.query, transcript="\n".join([*lines, end]))
    return Transcript(text, frozenset(told), language)


def _words(body: EventBody, language: Language) -> str:
    """What a turn tells, "" for what judges do not see."""
    match body:
        case MessagePosted(role=role, content=content) if role == AGENT:
            return _line(language, "says", text=content)
        case AgentNoted(content=content):
            return _line(language, "noted", text=content)
        case ToolCalled(name=name, arguments=given):
            written = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
            return _line(language, "calls", name=name, arguments=written)
        case ToolReturned(result=result):
            return _line(language, "answers", text=_shorten(result, language))
    return ""


def _shorten(text: str, language: Language) -> str:
    if len(text) <= _RESULT_LIMIT:
        return text
    cut = _line(language, "cut", left=len(text) - _RESULT_LIMIT, whole=len(text))
    return text[:_RESULT_LIMIT] + cut


def _line(language: Language, key: str, /, **fields: object) -> str:
    return PROMPTS.line(language, "lines", key, **fields)
