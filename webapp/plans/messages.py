"""A message with a plan in it, taken apart for reading."""

from __future__ import annotations

from typing import NamedTuple

from django.utils.translation import gettext as _


class PlanMessage(NamedTuple):
    """before, after: the words around the plan; raw: the plan's JSON as written."""

    before: str
    raw: str
    after: str


def plan_message(content: str) -> PlanMessage:
    """Split a message at its first fence, else at its outermost braces."""
    parts = content.split("```", 2)
    if len(parts) < 3:
        start, end = content.find("{"), content.rfind("}") + 1
        if not 0 <= start < end:
            return PlanMessage(content, "", "")
        parts = [content[:start], content[start:end], content[end:]]
    before, raw, after = parts
    return PlanMessage(before.strip(), raw.removeprefix("json").strip(), after.strip())


def words_around_plan(text: str) -> str:
    """The words of a message around its plan, which stands beside the chat."""
    parts = plan_message(text)
    if not parts.raw:
        return text
    return "\n".join(part for part in (parts.before, _("(the plan)"), parts.after) if part)
