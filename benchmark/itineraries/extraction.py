"""Finding a plan in what was said: once for scoring, over the whole history, and once to end a session."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

AGENT = "Agent"
_JSON_FENCE = re.compile(r"```json(.*?)```", re.DOTALL)
_ANY_FENCE = re.compile(r"```(?:json)?(.*?)```", re.DOTALL)
_BRACE = re.compile(r"[{}]")


def is_plan(value: Any) -> bool:
    """Whether `value` is an object whose list `days` begins with an object with a non-empty `city_segments` list."""
    days = value.get("days") if isinstance(value, dict) else None
    first = days[0] if isinstance(days, list) and days else None
    segments = first.get("city_segments") if isinstance(first, dict) else None
    return isinstance(segments, list) and bool(segments)


def plan_in_history(history: Any) -> dict[str, Any] | None:
    """The plan that scoring reads from a run record's `conversation_history`: the last one the Agent wrote.

    Only messages with both words `days` and `city_segments` are looked at, intermediate ones included.
    """
    for content in _agent_messages_backwards(history):
        if "days" in content and "city_segments" in content:
            plan = _plan(_scored_text(content))
            if plan is not None:
                return plan
    return None


def plan_in_message(text: str) -> dict[str, Any] | None:
    """The plan with which one message ends a session: in its first fence (json or bare), else its first `{…}`."""
    fence = _ANY_FENCE.search(text)
    return _plan(fence[1] if fence else _braced(text, text.find("{")))


def _agent_messages_backwards(history: Any) -> Iterator[str]:
    entries: Sequence[Any] = history if isinstance(history, list) else ()
    for entry in reversed(entries):
        if isinstance(entry, dict) and entry.get("role") == AGENT and entry.get("type", "message") == "message":
            content = entry.get("content")
            if isinstance(content, str):
                yield content


def _scored_text(content: str) -> str:
    """The part of a message that may be the plan.

    Without a fence, the published scorer starts at the nearest brace before the first quoted "days": an object
    nested earlier in the plan, or the quoted word in the prose before it, hides the plan.
    """
    fence = _JSON_FENCE.search(content)
    if fence:
        return fence[1]
    quoted = content.find('"days"')
    return _braced(content, content.rfind("{", 0, quoted) if quoted >= 0 else -1)


def _braced(text: str, start: int) -> str:
    """`text` from the brace at `start` to the one that closes it; "" where there is none."""
    depth = 0
    for brace in _braces(text, start):
        depth += 1 if brace.group() == "{" else -1
        if depth == 0:
            return text[start : brace.end()]
    return ""


def _braces(text: str, start: int) -> Iterable[re.Match[str]]:
    return _BRACE.finditer(text, start) if start >= 0 else ()


def _plan(text: str) -> dict[str, Any] | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if is_plan(value) else None
