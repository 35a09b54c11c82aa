"""How a session ended."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

_ENDINGS: dict[str, Promise] = {
    "plan_generated": _("The agent proposed its plan."),
    "max_turn_reached": _("The round limit was reached; the plan was demanded."),
    "multiple_repeated_tool_calls": _("The agent made the same tool call three times."),
    "consecutive_repeated_tool_calls": _("The agent repeated tool calls in two turns running."),
    "context_overflow": _("It crashed: the agent's context was full."),
    "connection_error": _("It crashed: no usable answer came from a model."),
    "rate_limit": _("It crashed: a model refused further calls."),
    "runtime_error": _("It crashed: an error ended it."),
    "stopped": _("A researcher stopped it."),
}


def ending_words(reason: str) -> str:
    """A completion reason as a sentence; an unknown one as it is."""
    return str(_ENDINGS.get(reason, reason))
