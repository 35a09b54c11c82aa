"""Plans in what a model wrote: found anywhere, and repaired where their JSON is broken."""

from __future__ import annotations

import json
from itertools import islice
from typing import Any

from benchmark.agents.briefing import fence_plan
from benchmark.suites.grouptravel.itineraries import is_plan, last_plan, plan_in_message
from benchmark.text import guarded
from benchmark.text.repair import repair_json

_FENCE = guarded.compile(r"```\w*\s*(\{.*?)(?:```|\Z)", guarded.DOTALL)
_BRACE = guarded.compile(r"\{")
_ELISION = guarded.compile(r"\.\.\.|…|(?<!:)//|/\*|<[^<>\n]*>")
"""What stands for something left out: repair would drop it and make a plan of a sketch."""

_MOST_BRACES = 1_000
"""Braces of a text that are looked at; what holds more of them before its plan is no message with a plan."""


def mend(text: str) -> str:
    """A message that is to be the plan, with the plan's broken JSON repaired, "" where there is nothing to repair.

    Only what looks like a whole plan is touched: it has both words `days` and `city_segments`; they stand in one
    fenced block, or in bare braces, that is no JSON and leaves nothing out; no JSON object stands before it, which
    would hide a sound plan too; and every day of the repair has its segments. Words around the block stay, unless
    they would hide the plan.
    """
    if not _speaks_of_plan(text) or plan_in_message(text) is not None:
        return ""
    span = _fenced_span(text) or _bare_span(text)
    if span is None:
        return ""
    start, end, broken = span
    plan = None if _has_object(text[:start]) or _is_json(broken) else _repair_plan(broken)
    if plan is None:
        return ""
    in_place = f"{text[:start]}{fence_plan(plan)}{text[end:]}"
    return in_place if plan_in_message(in_place) == plan else fence_plan(plan)


def plan_anywhere(text: str) -> dict[str, Any] | None:
    """The last fenced plan, else the plan in bare braces; prose, and other JSON before it, do not hide it."""
    for block in reversed(_FENCE.findall(text)):
        plan = plan_in_message(block)
        if plan is not None:
            return plan
    bare = _FENCE.sub("", text)
    return plan_in_message(text) or last_plan([bare])


def _speaks_of_plan(text: str) -> bool:
    return "days" in text and "city_segments" in text


def _fenced_span(text: str) -> tuple[int, int, str] | None:
    """The last fenced block that speaks of a plan: where it begins and ends, and what is in it."""
    blocks = [match for match in _FENCE.finditer(text) if _speaks_of_plan(match[1])]
    return (blocks[-1].start(), blocks[-1].end(), blocks[-1][1]) if blocks else None


def _bare_span(text: str) -> tuple[int, int, str] | None:
    """From the brace before the quoted word `days`, else the first, to the last closing brace, or to the end."""
    quoted = text.find('"days"')
    start = text.rfind("{", 0, quoted) if quoted >= 0 else text.find("{")
    end = text.rfind("}") + 1
    end = end if end > text.rfind("city_segments") else len(text)
    return (start, end, text[start:end]) if start >= 0 else None


def _has_object(text: str) -> bool:
    """Whether a JSON object stands anywhere in the text, or there are too many braces to tell."""
    braces = [brace.start() for brace in islice(_BRACE.finditer(text), _MOST_BRACES)]
    return len(braces) == _MOST_BRACES or any(_begins_object(text, at) for at in braces)


def _begins_object(text: str, at: int) -> bool:
    try:
        json.JSONDecoder().raw_decode(text, at)
    except (ValueError, RecursionError):
        return False
    return True


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _repair_plan(text: str) -> dict[str, Any] | None:
    if _ELISION.search(text):
        return None
    repaired = repair_json(text)
    whole = isinstance(repaired, dict) and is_plan(repaired) and all(map(_has_segments, repaired["days"]))
    return repaired if whole else None


def _has_segments(day: Any) -> bool:
    return isinstance(day, dict) and isinstance(day.get("city_segments"), list)
