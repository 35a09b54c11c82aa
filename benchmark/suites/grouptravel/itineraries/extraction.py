"""Finding a plan in what was said: once for scoring, over all messages, and once to end a session."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchmark.plans.finding import FENCE, balance_braces, decode_object, first_object
from benchmark.text import guarded

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
    json_object = first_object(text)
    return json_object if is_plan(json_object) else None


def _in_json_fence(content: str) -> dict[str, Any] | None:
    """The value in the first ```json fence that opens with a brace, up to the next brace before a closing fence."""
    start = content.find(_JSON)
    opening = _JSON_FENCE.search(content, start) if start >= 0 else None
    end = _fenced_end(content, opening.end()) if opening else -1
    return decode_object(content[opening.end() - 1 : end]) if opening and end >= 0 else None


def _fenced_end(text: str, start: int) -> int:
    """The end of the first closing brace from `start` on that only white space parts from a fence; -1 without one."""
    fence = text.find(FENCE, start)
    while fence >= 0:
        end = fence
        while text[end - 1].isspace():
            end -= 1
        if end > start and text[end - 1] == "}":
            return end
        fence = text.find(FENCE, fence + 1)
    return -1


def _around_days(content: str) -> dict[str, Any] | None:
    """The value of the braces around the first "days", else, where these hold no JSON, around the first 'days'.

    As published, it starts at the nearest brace before the word: an object nested earlier in the plan, or the quoted
    word in the prose before it, hides the plan.
    """
    for word in _DAYS_KEYS:
        at = content.find(word)
        value = decode_object(balance_braces(content, content.rfind("{", 0, at))) if at >= 0 else None
        if value is not None:
            return value
    return None
