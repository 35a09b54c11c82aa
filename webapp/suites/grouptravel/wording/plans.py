"""A message with a plan in it, taken apart for reading."""

from __future__ import annotations

from typing import NamedTuple

_FENCE = "```"


class PlanMessage(NamedTuple):
    """before, after: the words around the plan; raw: the plan's JSON as written."""

    before: str
    raw: str
    after: str


def plan_message(content: str) -> PlanMessage:
    """Split a message at its first fence, else at its outermost braces."""
    start = content.find(_FENCE)
    end = content.find(_FENCE, start + len(_FENCE)) if start >= 0 else -1
    if end >= 0:
        raw = content[start + len(_FENCE) : end].removeprefix("json")
        return _parts(content[:start], raw, content[end + len(_FENCE) :])
    start, end = content.find("{"), content.rfind("}") + 1
    if 0 <= start < end:
        return _parts(content[:start], content[start:end], content[end:])
    return PlanMessage(content, "", "")


def _parts(before: str, raw: str, after: str) -> PlanMessage:
    return PlanMessage(before.strip(), raw.strip(), after.strip())
