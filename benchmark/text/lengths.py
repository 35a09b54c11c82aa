"""How much of another's words a participant reads, so that no text keeps it long.

A model that is stuck on one word can fill a message with it, and expressions for speech look far around every word
they find. So messages are read up to a length that nobody needs, and sentences in stretches that keep the work for
each bounded: the time is proportional to the text whatever stands in it.
"""

from __future__ import annotations

import re

LONGEST_MESSAGE = 8_000
"""Characters of one message of the agent, about twenty times an ordinary one."""
LONGEST_REPLY = 4_000
"""Characters of one message of a traveller, likewise."""
LONGEST_TOLD = 30_000
"""Characters of one message, tool result or thought in a request to a model, several times a plan of ten days."""
LONGEST_STRETCH = 300
"""Characters of one sentence, several times the longest that people write."""

_PAUSE = re.compile(r".*[，,、\s]", re.DOTALL)


_LEFT_OUT = {"zh": "\n（其后还有{n:,}个字符，从略）", "en": "\n({n:,} more characters are left out)"}


def told(text: str, language: str) -> str:
    """A text as it goes into a request: one that does not end is cut, and says so."""
    if len(text) <= LONGEST_TOLD:
        return text
    left_out = _LEFT_OUT["zh" if language == "zh" else "en"]
    return text[:LONGEST_TOLD] + left_out.format(n=len(text) - LONGEST_TOLD)


def stretches(text: str, longest: int = LONGEST_STRETCH) -> list[str]:
    """`text` in parts of at most `longest` characters, cut behind a comma or a blank where one stands late."""
    parts, start = [], 0
    while len(text) - start > longest:
        pause = _PAUSE.match(text, start + longest // 2, start + longest)
        end = pause.end() if pause else start + longest
        parts.append(text[start:end])
        start = end
    return [*parts, text[start:]]
