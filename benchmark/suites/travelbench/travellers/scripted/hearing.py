"""What an agent's message asks, and whether it answers."""

from __future__ import annotations

from collections.abc import Sequence

from benchmark.text import guarded
from benchmark.text.lengths import LONGEST_MESSAGE

_SENTENCE = guarded.compile(r"[^。！？!?.\n]*[。！？!?.\n]|[^。！？!?.\n]+$")
_ASKS = guarded.compile(
    r"[？?]\s*$|请(?:告诉我|提供|说明|补充|确认)|\b(?:please (?:tell|give|let)|let me know|could you tell)\b",
    guarded.IGNORECASE,
)
_OFFERS = guarded.compile(
    r"需要我|要我|是否需要|还需要|要不要|还有什么|如果需要|如需|would you like me|shall i|do you want me"
    r"|anything else|if you (?:need|want|like)",
    guarded.IGNORECASE,
)
_FAILS = guarded.compile(
    r"抱歉|对不起|没有找到|没有查到|无法|办不到|\bsorry\b|\bcan't\b|\bcannot\b", guarded.IGNORECASE
)
_FIGURE = guarded.compile(r"\d")
_SHORT = 40
"""Characters of a message that announces and does not answer."""


def questions(message: str) -> list[str]:
    """The sentences of a message that want an answer; offers of more do not."""
    sentences = (match[0].strip() for match in _SENTENCE.finditer(message[:LONGEST_MESSAGE]))
    return [sentence for sentence in sentences if _ASKS.search(sentence) and not _OFFERS.search(sentence)]


def announces(message: str) -> bool:
    """Whether a message that asks nothing only says that an answer will come."""
    short = len(message.strip()) <= _SHORT and not _FIGURE.search(message)
    return short and not _FAILS.search(message)


def repeats(message: str, before: Sequence[str]) -> bool:
    """Whether a message was said before."""
    return message.strip() in {earlier.strip() for earlier in before}
