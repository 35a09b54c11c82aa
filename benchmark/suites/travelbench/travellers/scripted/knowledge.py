"""What the user knows, piece by piece: what was meant, and who they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchmark.suites.travelbench.travellers.scripted.topics import Topic
from benchmark.text import guarded

_PIECES = guarded.compile(r"[，；。]+\s*|(?:(?<!\d)[,:：]|[,:：](?!\d)|;|\.(?=\s|$))+\s*")
"""Not at 、, which joins what belongs together, nor within a number or a time: 1,000, 3.5, 10:30."""
_ITEM = guarded.compile(
    r"^\s*[-*]\s*(?:\*\*)?(?P<label>[^：:\n]{1,12}[：:])?\s*(?P<value>.+?)\s*$", guarded.MULTILINE
)
_JOIN = "、"
_MARKS = guarded.compile(r"\*\*|`")
_THIRD_PERSON = (
    (guarded.compile(r"为用户|帮用户|给用户"), "帮我"),
    (guarded.compile(r"用户"), "我"),
    (guarded.compile(r"^(?:the user )?(?:wants|needs)\b", guarded.IGNORECASE), "I want"),
    (guarded.compile(r"\bthe user's\b", guarded.IGNORECASE), "my"),
    (guarded.compile(r"\bthe user\b", guarded.IGNORECASE), "I"),
)


def own_words(text: str) -> str:
    """A sentence about the user as the user says it."""
    for about, mine in _THIRD_PERSON:
        text = about.sub(mine, text)
    return text.strip()


def meant_pieces(intent: str, topic: Topic) -> list[str]:
    """The pieces of what was meant that answer a question about a topic."""
    pieces = (piece.strip() for piece in _PIECES.split(intent))
    return [own_words(piece) for piece in pieces if piece and topic.answer_words.search(piece)]


def usual(profile: str, topic: Topic) -> list[str]:
    """The items of a profile that answer a question about a topic, without their labels."""
    return [value for value in _items(profile) if topic.answer_words.search(value)] if topic.habit else []


def said_once(pieces: Sequence[str]) -> list[str]:
    """The pieces without what another of them says too: 爱喝早茶，想看岭南建筑、喝早茶 names 早茶 once."""
    parts = [piece.split(_JOIN) for piece in pieces]
    kept = [
        [
            part
            for part in mine
            if not any(_says(other, part) for theirs in parts if theirs is not mine for other in theirs)
        ]
        for mine in parts
    ]
    return [_JOIN.join(left) for left in kept if left]


def _says(whole: str, part: str) -> bool:
    return part != whole and part in whole


def _items(profile: str) -> Iterator[str]:
    for item in _ITEM.finditer(profile):
        yield _MARKS.sub("", item["value"]).strip(" 。.")
