"""Cutting an English message into statements: sentences without questions, segments, and pieces between commas."""

from __future__ import annotations

from collections.abc import Iterator

from benchmark.suites.grouptravel.agent.lexicon import en
from benchmark.text import guarded
from benchmark.text.lengths import LONGEST_REPLY

_END = guarded.compile(r"(?<=[.!?。！？])(?:[\"”')]*)\s+|\n+|(?<=[。！？])")
_BOUNDARY = guarded.compile(en.BOUNDARY, guarded.IGNORECASE)
_CUT = guarded.compile(en.SOFT_CUT, guarded.IGNORECASE)
_TAG_WORDS = 5


def asked_and_stated(message: str) -> list[str]:
    """The sentences of a message; of an endless one the beginning counts."""
    whole = (part.strip() for part in _END.split(message[:LONGEST_REPLY]))
    return [sentence for sentence in whole if sentence]


def is_question(sentence: str) -> bool:
    """Whether a sentence asks something."""
    return bool(guarded.search(en.ASKING, sentence.strip(), guarded.IGNORECASE))


def segments(message: str) -> Iterator[str]:
    """The statements of a message, cut where the tone may change; reasons are left out."""
    for sentence in asked_and_stated(guarded.sub(r"@\w+", " ", message, flags=guarded.ASCII)):
        text = _statement(sentence)
        start = 0
        for match in _BOUNDARY.finditer(text):
            if match.start() > start and not _is_bracketed(text, match.start()):
                yield from _sentences(text[start : match.start()])
                start = (
                    match.start()
                    if guarded.match(en.REASON, match.group(), guarded.IGNORECASE)
                    else match.end()
                )
        yield from _sentences(text[start:])


def _sentences(text: str) -> Iterator[str]:
    if text.strip() and not guarded.match(en.REASON, text, guarded.IGNORECASE):
        yield text.strip()


def _is_bracketed(text: str, place: int) -> bool:
    return text.count("(", 0, place) > text.count(")", 0, place)


def _statement(sentence: str) -> str:
    """What a sentence states; of a question only what stands before a tag (…, is that OK?)."""
    if not is_question(sentence):
        return sentence
    head, comma, tail = sentence.rpartition(",")
    short = comma and len(tail.split()) <= _TAG_WORDS
    return head if short and not is_question(head) else ""


def pieces(segment: str) -> list[str]:
    """A segment cut at commas and before a new wish; numbers, brackets and `if possible, …` stay whole."""
    parts: list[str] = []
    start = 0
    for match in _CUT.finditer(segment):
        if match.start() < start or _is_bracketed(segment, match.start()):
            continue
        parts.append(segment[start : match.start()])
        start = match.end()
    parts.append(segment[start:])
    return _join_asides([part.strip() for part in parts if part.strip()])


def _join_asides(parts: list[str]) -> list[str]:
    """An aside before its wish (if possible, …; as I said, …) belongs to what follows it."""
    joined: list[str] = []
    aside = ""
    for place, part in enumerate(parts):
        if place + 1 < len(parts) and guarded.fullmatch(
            r"(?:if (?:at all )?possible|ideally|preferably|personally|honestly|if (?:we|you) can|for me|please"
            r"|maybe|perhaps|under no circumstances|no matter what|absolutely|definitely)",
            part,
            guarded.IGNORECASE,
        ):
            aside += part + " "
        else:
            joined.append(aside + part)
            aside = ""
    return joined
