"""Which of the two languages words are in, whatever the conversation around them is in."""

from __future__ import annotations

from functools import lru_cache

from benchmark.text import guarded
from benchmark.text.lengths import LONGEST_MESSAGE

_ENGLISH = guarded.compile(
    r"(?<![\w@])(?:i|i['’](?:m|d|ll|ve)|a|an|the|to|of|and|or|but|not|no|yes|ok|okay|my|me|you|your|we|us|it|is|are|be|in|at|on|by|for"
    r"|with|without|want|like|love|hate|prefer|rather|please|would|could|can|do|don['’]t|can['’]t|won['’]t|must|need|have|has"
    r"|eat|food|see|visit|go|stay|hotel|train|plane|fly|drive|budget|sure|fine|agree|sorry|thanks|what|which|how|when|where"
    r"|any|anything|nothing|everything|all|more|most|than|per|day|days|sights?|museums?|temples?)(?![\w])",
    guarded.IGNORECASE,
)
_CHINESE = guarded.compile(
    "[我你您他她们的了不没别要想去吃坐住看可以能会是最好都也吧呢吗就行请让和或还很太对把给这那什么怎哪几多少]"
)


def spoken_in(text: str, otherwise: str) -> str:
    """`zh` or `en`, by the small words that only one of them has; `otherwise` where neither has more of them.

    Names say nothing about it: in English a place keeps its Chinese name, in Chinese WiFi stays WiFi.
    """
    english, chinese = _small_words(text[:LONGEST_MESSAGE])
    if english == chinese:
        return otherwise
    return "en" if english > chinese else "zh"


@lru_cache(maxsize=2048)
def _small_words(text: str) -> tuple[int, int]:
    """How many of English and of Chinese a text has. The messages of a chat are looked at in every turn."""
    return len(_ENGLISH.findall(text)), len(_CHINESE.findall(text))
