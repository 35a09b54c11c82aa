"""Reading a response body: server-sent events with chunks, or one JSON object, whichever was sent."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

from benchmark.models.answers import Answer
from benchmark.models.chat import Delta
from benchmark.models.diagnosis import NoAnswer, described, error_in, in_json, reported

_FIELDS = (b"", b"event", b"id", b"retry")
MOST_BYTES = 1_000_000
"""Of an answer's words, thoughts and calls."""
_MOST_RAW = 8 * MOST_BYTES
"""Of one line, or of a body that is no stream: JSON may write a byte as six."""


class Body:
    """Reads an answer from a body's lines.

    What is a stream shows in its lines, not in what was asked or declared: some servers answer a request for a
    stream with a whole completion, and some do the reverse. in_pieces: whether events came.
    """

    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self._plain = bytearray()
        self.in_pieces = False

    def take(self, line: bytes) -> list[Delta]:
        """One line without its end.

        Raises:
            NoAnswer: it holds an error, or is no chunk.
        """
        field, _, value = line.partition(b":")
        if field == b"data":
            self.in_pieces = True
            return self._event(value.strip())
        if self._plain or not (field in _FIELDS or (field == b"error" and self.in_pieces)):
            self._plain += line + b"\n"
            if len(self._plain) > _MOST_RAW:
                raise oversized()
        elif field in _FIELDS:
            self.in_pieces = self.in_pieces or bool(line)
        elif field == b"error":
            raise reported(_parsed(value.strip()))
        return []

    def end(self) -> list[Delta]:
        """The body is over.

        Raises:
            NoAnswer: it broke off, holds an error, or is no completion.
        """
        if not self.in_pieces:
            return self._whole(self._plain.decode(errors="replace"))
        if not self._answer.complete:
            raise NoAnswer("cut", "the stream ended before the answer did")
        return self._answer.rest()

    def _event(self, content: bytes) -> list[Delta]:
        if not content:
            return []
        if content == b"[DONE]":
            self._answer.ended = True
            return []
        return self._answer.take(_object(_parsed(content), "a piece of the stream"))

    def _whole(self, text: str) -> list[Delta]:
        if not text.strip():
            raise NoAnswer("malformed", "the answer is empty")
        completion = _object(_parsed(text), "the answer")
        choices = completion.get("choices")
        if not isinstance(choices, list) or not choices:
            names = ", ".join(sorted(completion)[:8]) or "nothing"
            raise NoAnswer("malformed", f"the answer is JSON without choices (it has {names})")
        self._answer.ended = True
        return self._answer.take(completion) + self._answer.rest()


def oversized() -> NoAnswer:
    """Why an answer is not read to its end."""
    return NoAnswer(
        "oversized", f"the answer is longer than {MOST_BYTES:,} bytes, and was not read to its end"
    )


async def lines(pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Lines without their ends. Split at \\n alone: in JSON, other separators may stand inside a text.

    Raises:
        NoAnswer: a line does not end.
    """
    rest: list[bytes] = []
    waiting = 0
    async for piece in pieces:
        *whole, last = piece.split(b"\n")
        for line in whole:
            yield b"".join((*rest, line)).rstrip(b"\r")
            rest, waiting = [], 0
        rest.append(last)
        waiting += len(last)
        if waiting > _MOST_RAW:
            raise oversized()
    if end := b"".join(rest):
        yield end.rstrip(b"\r")


def _parsed(content: bytes | str) -> Any:
    text = content.decode(errors="replace") if isinstance(content, bytes) else content
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise NoAnswer("malformed", f"the answer is not JSON but {described(text)}") from None


def _object(value: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise NoAnswer("malformed", f"{where} is JSON but no object: {described(in_json(value))}")
    error = error_in(value)
    if error is not None:
        raise reported(error)
    return value
