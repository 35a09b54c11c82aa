"""Finding what one person said, and replacing it, in the JSON of a session."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from benchmark.text.width import width

TELLING = 8
"""A text of this width says so much that it is replaced wherever it stands; a shorter one ("yes, please") where its
speaker's name stands before it. A Chinese character is two wide."""
TELLING_LINE = 20
"""The same of a sentence or a line out of a longer text."""
TELLING_PART = 10
"""The same of a part of a sentence, in what others said and asked for."""
_ENDS = re.compile(r"(?<=[。！？!?；;])|(?<=\.)\s|\n")
_COMMAS = re.compile(r"[，,、：:；;。！？!?\n]|\.\s")
_QUOTATION = re.compile(r"(?<=[\"“「『])[^\"“”「」『』\\]{3,200}(?=\\*[\"”」』])")


def pieces(text: str) -> Iterator[str]:
    """A text, and the lines and sentences of it that nobody else would have written alike."""
    yield text.strip()
    yield from (part for part in map(str.strip, _ENDS.split(text)) if width(part) >= TELLING_LINE)


def parts(text: str) -> Iterator[str]:
    """What stands between the commas of a text."""
    yield from (part for part in map(str.strip, _COMMAS.split(text)) if width(part) >= TELLING_PART)


def _text_forms(text: str) -> Iterator[str]:
    """A text as it is, and as it stands in JSON that is itself a text."""
    for _level in range(2):
        yield text
        yield json.dumps(text)[1:-1]
        text = json.dumps(text, ensure_ascii=False)[1:-1]
    yield text


def _any_of(texts: Iterable[str]) -> re.Pattern[str] | None:
    """One of these, the longest first."""
    known = sorted({form for text in texts if text for form in _text_forms(text)}, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, known))) if known else None


class Eraser:
    """Replaces what one person said, and their name, in texts of others and in JSON.

    texts: theirs, to the letter. said: those, and parts of them, that nobody had written before. short: the others,
    which are replaced behind the name of their seat. of_world: whether a text is that of a card or of a tool's
    answer; parts of theirs that are, such as a place's name, stay. name: "" where it is to stay.
    """

    def __init__(
        self,
        *,
        texts: Iterable[str],
        said: Iterable[str],
        short: Iterable[str],
        of_world: Callable[[str], bool],
        seat: str,
        name: str,
        replacement: str,
    ) -> None:
        self.replacement, self._texts, self._of_world = replacement, list(texts), of_world
        self._said_pattern = _any_of(said)
        self._short = _after_name(seat, _any_of(short))
        self._parts = _any_of(part for text in self._texts for part in parts(text) if not of_world(part))
        self._name = re.compile(whole_word(name)) if width(name) > 2 else None

    def text(self, text: str, *, names: bool = True, parts: bool = True) -> str:
        """A text without what they said.

        names: nor their name, which may be that of a place in figures. parts: nor what is quoted of their texts,
        which may be what a plan consists of.
        """
        if self._said_pattern is not None:
            text = self._said_pattern.sub(self.replacement, text)
        if self._short is not None:
            text = self._short.sub(rf"\g<1>{self.replacement}", text)
        if parts and self._parts is not None:
            text = self._parts.sub(self.replacement, text)
        if parts:
            text = _QUOTATION.sub(lambda match: self._remove_quotation(match.group()), text)
        return self._name.sub(self.replacement, text) if names and self._name is not None else text

    def _remove_quotation(self, text: str) -> str:
        if (
            width(text) < TELLING_PART
            or not any(text in known_text for known_text in self._texts)
            or self._of_world(text)
        ):
            return text
        return self.replacement

    def value(self, value: Any, *, names: bool = True, parts: bool = True) -> Any:
        """The same of everything in a value of JSON."""
        if isinstance(value, str):
            return (
                self._remove_quotation(self.text(value, names=names, parts=parts))
                if parts
                else self.text(value, names=names, parts=False)
            )
        if isinstance(value, list):
            return [self.value(item, names=names, parts=parts) for item in value]
        if isinstance(value, dict):
            return {
                self.text(key, names=names, parts=False): self.value(item, names=names, parts=parts)
                for key, item in value.items()
            }
        return value


def _after_name(seat: str, short: re.Pattern[str] | None) -> re.Pattern[str] | None:
    """Short texts where a transcript names who said them."""
    if short is None:
        return None
    before = rf"{re.escape(seat)}[\"'*】」\]]{{0,3}}\s?(?:[:：>]|said:|说：)\s?[\"“「]?"
    return re.compile(rf"({before})(?:{short.pattern})(?=[\"”」]?\s*(?:\n|\\n|$))")


def whole_word(name: str) -> str:
    """The expression of a name that is not a part of another word."""
    if name.isascii():
        return rf"(?<![A-Za-z0-9_]){re.escape(name)}(?![A-Za-z0-9_])"
    return re.escape(name)
