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
LONGEST_STRETCH = 300
"""Characters of one sentence, several times the longest that people write."""

_PAUSE = re.compile(r".*[，,、\s]", re.DOTALL)


def stretches(text: str, longest: int = LONGEST_STRETCH) -> list[str]:
    """`text` in parts of at most `longest` characters, cut behind a comma or a blank where one stands late."""
    parts, start = [], 0
    while len(text) - start > longest:
        pause = _PAUSE.match(text, start + longest // 2, start + longest)
        end = pause.end() if pause else start + longest
        parts.append(text[start:end])
        start = end
    return [*parts, text[start:]]
