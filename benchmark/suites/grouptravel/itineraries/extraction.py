"""Finding a plan in what was said: once for scoring, over all messages, and once to end a session."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import orjson

from benchmark.text import guarded

_FENCE = "```"
_JSON = "```json"
_JSON_FENCE = guarded.compile(r"```json\s*\{")
_DAYS_KEYS = ('"days"', "'days'")


def is_plan(value: Any) -> bool:
    """Whether `value` is an object whose list `days` begins with an object with a non-empty `city_segments` list."""
    days = value.get("days") if isinstance(value, dict) else None
    first = days[0] if isinstance(days, list) and days else None
    segments = first.get("city_segments") if isinstance(first, dict) else None
    return isinstance(segments, list) and bool(segments)


def last_plan(messages: Sequence[str]) -> dict[str, Any] | None:
    """The plan that scoring reads: the last one in the agent's messages.

    Only those with both words `days` and `city_segments` are looked at.
    """
    for content in reversed(messages):
        if "days" in content and "city_segments" in content:
            for find in (_in_json_fence, _around_days):
                if is_plan(value := find(content)):
                    return value
    return None


def plan_in_message(text: str) -> dict[str, Any] | None:
    """The plan with which one message ends a session: its first object, if that is a plan."""
    found = first_object(text)
    return found if is_plan(found) else None


def first_object(text: str) -> dict[str, Any] | None:
    """The JSON object in a message's first fence (json or bare), else in its first `{…}`."""
    fence = _fenced_text(text, _FENCE)
    return _object(_braced_text(text, text.find("{")) if fence is None else fence.removeprefix("json"))


def _in_json_fence(content: str) -> dict[str, Any] | None:
    """The value in the first ```json fence that opens with a brace, up to the next brace before a closing fence."""
    start = content.find(_JSON)
    opening = _JSON_FENCE.search(content, start) if start >= 0 else None
    end = _fenced_end(content, opening.end()) if opening else -1
    return _object(content[opening.end() - 1 : end]) if opening and end >= 0 else None


def _fenced_end(text: str, start: int) -> int:
    """The end of the first closing brace from `start` on that only white space parts from a fence; -1 without one."""
    fence = text.find(_FENCE, start)
    while fence >= 0:
        end = fence
        while text[end - 1].isspace():
            end -= 1
        if end > start and text[end - 1] == "}":
            return end
        fence = text.find(_FENCE, fence + 1)
    return -1


def _around_days(content: str) -> dict[str, Any] | None:
    """The value of the braces around the first "days", else, where these hold no JSON, around the first 'days'.

    As published, it starts at the nearest brace before the word: an object nested earlier in the plan, or the quoted
    word in the prose before it, hides the plan.
    """
    for word in _DAYS_KEYS:
        at = content.find(word)
        value = _object(_braced_text(content, content.rfind("{", 0, at))) if at >= 0 else None
        if value is not None:
            return value
    return None


def _fenced_text(text: str, opening: str) -> str | None:
    """What stands between the first `opening` and the next closing fence; None without a closed fence."""
    start = text.find(opening)
    end = text.find(_FENCE, start + len(opening)) if start >= 0 else -1
    return text[start + len(opening) : end] if end >= 0 else None


def _braced_text(text: str, start: int) -> str:
    """`text` from the brace at `start` to the one that closes it, braces in strings counted too; "" without one."""
    depth, at = 0, start
    while at >= 0:
        end = text.find("}", at) + 1
        if not end:
            return ""
        depth += text.count("{", at, end) - 1
        if depth == 0:
            return text[start:end]
        at = end
    return ""


def _object(text: str) -> dict[str, Any] | None:
    value = _decode(text)
    return value if isinstance(value, dict) else None


def _decode(text: str) -> Any:
    """The JSON value of `text`, None where it is none; what only orjson refuses (NaN, surrogates) is read too."""
    try:
        return orjson.loads(text)
    except ValueError:
        pass
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
