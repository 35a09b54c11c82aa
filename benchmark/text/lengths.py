"""How much of another's words a participant reads, so that no text keeps it long.

A model that is stuck on one word can fill a message with it. So messages are read up to a length that nobody needs,
and `benchmark.text.guarded` stops an expression that does not come to the end of one.
"""

from __future__ import annotations

from pathlib import Path

from benchmark.text.prompts import Prompts

LONGEST_MESSAGE = 8_000
"""Characters of one message of the agent, about twenty times an ordinary one."""
LONGEST_REPLY = 4_000
"""Characters of one message of a traveller, or of a request, likewise."""
LONGEST_TOLD = 30_000
"""Characters of one message, tool result or thought in a request to a model, several times a plan of ten days."""

_WORDS = Prompts(Path(__file__).parent / "templates")


def bound_text(text: str, language: str) -> str:
    """A text as it goes into a request: one that does not end is cut, and says so."""
    if len(text) <= LONGEST_TOLD:
        return text
    spoken = "zh" if language == "zh" else "en"
    left_out = _WORDS.line(spoken, "lengths", "left_out", n=f"{len(text) - LONGEST_TOLD:,}")
    return f"{text[:LONGEST_TOLD]}\n{left_out}"
