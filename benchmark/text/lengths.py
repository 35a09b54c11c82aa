"""How much of another's words a participant reads, so that no text keeps it long.

A model that is stuck on one word can fill a message with it. So messages are read up to a length that nobody needs,
and `benchmark.text.guarded` stops an expression that does not come to the end of one.
"""

from __future__ import annotations

LONGEST_MESSAGE = 8_000
"""Characters of one message of the agent, about twenty times an ordinary one."""
LONGEST_REPLY = 4_000
"""Characters of one message of a traveller, or of a request, likewise."""
LONGEST_TOLD = 30_000
"""Characters of one message, tool result or thought in a request to a model, several times a plan of ten days."""

_LEFT_OUT = {"zh": "\n（其后还有{n:,}个字符，从略）", "en": "\n({n:,} more characters are left out)"}


def bound_text(text: str, language: str) -> str:
    """A text as it goes into a request: one that does not end is cut, and says so."""
    if len(text) <= LONGEST_TOLD:
        return text
    left_out = _LEFT_OUT["zh" if language == "zh" else "en"]
    return text[:LONGEST_TOLD] + left_out.format(n=len(text) - LONGEST_TOLD)
