"""Reading a response body: server-sent events with chunks, or one JSON object, whichever was sent."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

from benchmark.models.answers import Answer
from benchmark.models.chat import Delta
from benchmark.models.diagnosis import NoAnswer, reported_error
from benchmark.models.errors import describe_body, error_in, in_json
from benchmark.models.kinds import kind_of_words
from benchmark.text import guarded

_FIELDS = (b"", b"event", b"id", b"retry")
_BOM = "\ufeff".encode()
_ALIVE = guarded.compile(
    r"\s*(:.*|\[?(ping|pong|heart-?beat|(keep[-_ ]?)?alive|no-?op|((openrouter|still) )?(processing|working)|waiting"
    r"|queu(ed|ing)|pending|in[-_ ]progress|loading|starting|connect(ed|ing))\]?)?[\s\d.…:\-*_]*",
    guarded.IGNORECASE | guarded.DOTALL,
)
"""What some gateways write as the data of an event to keep the line alive."""
_ALIVE_NAMES = frozenset({"ping", "pong", "heartbeat", "keepalive", "keep_alive", "keep-alive"})
_TELLING = ("type", "event", "object", "status", "state", "message")
"""Fields of an object that tell that it keeps the line alive; the first that is there counts."""
_FAILING = guarded.compile(r"error|fail|exception", guarded.IGNORECASE)
_ANSWERING = (b"", b"message", b"data", b"chunk", b"delta", b"completion")
"""Names of events that hold an answer; text in others is news of the server, such as a place in its queue."""
_END_MARKS = (b"[done]", b'"[done]"', b"done")
MOST_BYTES = 1_000_000
"""Of an answer's words, thoughts and calls."""
_MOST_RAW = 8 * MOST_BYTES
"""Of one line, or of a body that is no stream: JSON may write a byte as six."""


class Body:
    """Reads an answer from a body's lines.

    What is a stream shows in its lines, not in what was asked or declared: some servers answer a request for a
    stream with a whole completion, some after comments that keep the line alive, and some do the reverse.
    in_pieces: whether chunks came as events.
    """

    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self._plain, self._beginning = bytearray(), bytearray()
        self._event = b""
        self._alive = False
        self._other_object = ""
        self.in_pieces = False

    def take(self, line: bytes) -> list[Delta]:
        """One line without its end.

        Raises:
            NoAnswer: it holds an error, or is no chunk.
        """
        line = line.removeprefix(_BOM)
        field, _, value = line.partition(b":")
        if field == b"data":
            return self._data(value.strip().removeprefix(_BOM))
        if field == b"error" and self.in_pieces:
            raise reported_error(_parse_json(value.strip()))
        if field in _FIELDS:
            self._field(line, field, value)
        elif self._plain or not _ALIVE.fullmatch(_text(line[:_SHORT])):
            self._append_within_limit(self._plain, line + b"\n")
        else:
            self._alive, self._other_object = True, self._other_object or _text(line).strip()
        return []

    def end(self) -> list[Delta]:
        """The body is over.

        Raises:
            NoAnswer: it broke off, holds an error, or is no completion.
        """
        plain = self._plain.decode(errors="replace").strip()
        if not (self.in_pieces or self._alive or plain):
            raise NoAnswer("malformed", "the answer is empty")
        told = self._rest(plain) if plain else []
        broken_off = not self._answer.finish_reason and kind_of_words(self._other_object) is not None
        if broken_off or not self._answer.complete:
            self._answer.ended = False
            raise self._end_before_answer(plain)
        return told + self._answer.rest()

    def _end_before_answer(self, plain: str) -> NoAnswer:
        """A stream that broke off. What else it held may say why."""
        other = plain or self._other_object
        beside = f", with {describe_body(other)}" if other else ""
        kind = kind_of_words(self._other_object) or "cut"
        return NoAnswer(kind, f"the stream ended before the answer did{beside}", words=self._other_object)

    def _field(self, line: bytes, field: bytes, value: bytes) -> None:
        self._alive = self._alive or bool(line)
        if field == b"event":
            self._event = value.strip().lower()
        if line:
            return
        self._event = b""
        if self._beginning:
            raise NoAnswer(
                "malformed", f"the answer is not JSON but {describe_body(_text(bytes(self._beginning)))}"
            )

    def _data(self, content: bytes) -> list[Delta]:
        """The data of an event, or a line of them."""
        if not content:
            return []
        if content.lower() in _END_MARKS:
            self.in_pieces = self._answer.ended = True
            return []
        self._append_within_limit(self._beginning, content)
        value = _read(self._beginning)
        if value is None:
            self._keep_partial(content)
            return []
        self._beginning.clear()
        return self._chunk(value)

    def _chunk(self, value: Any) -> list[Delta]:
        if self._event and _FAILING.search(_text(self._event)):
            raise reported_error((error_in(value) or value) if isinstance(value, dict) else value)
        if self._keeps_alive(value):
            self._alive = True
            return []
        chunk = _object(value, "a piece of the stream")
        self._keep_other_object(chunk)
        self.in_pieces = True
        return self._answer.take(chunk)

    def _keep_other_object(self, chunk: dict[str, Any]) -> None:
        """The first object that holds no answer is told where none comes."""
        if not isinstance(chunk.get("choices"), list) and not chunk.get("usage"):
            self._other_object = self._other_object or in_json(chunk)[:_SEARCH_LENGTH]

    def _keeps_alive(self, value: Any) -> bool:
        """Whether an event holds nothing of the answer and no error: it only keeps the line alive."""
        if not isinstance(value, dict):
            return value in ([], "") or isinstance(value, int | float) or _is_alive(value)
        if any(value.get(name) for name in ("choices", "error", "usage")):
            return False
        if not value or _tells_that_alive(value):
            return True
        if self._event not in _ANSWERING:
            self._keep_other_object(value)
        return self._event not in _ANSWERING

    def _keep_partial(self, content: bytes) -> None:
        """What is no JSON, or not yet: an object may stand on several lines of data."""
        text = _text(bytes(self._beginning))
        if _FAILING.search(_text(self._event)):
            raise reported_error(text)
        alone = len(self._beginning) == len(content)
        if alone and (self._event not in _ANSWERING or _ALIVE.fullmatch(text[:_SHORT])):
            self._alive = True
            self._beginning.clear()
        elif not text.startswith(("{", "[")):
            raise NoAnswer("malformed", f"the answer is not JSON but {describe_body(text)}")
        else:
            self.in_pieces = True
            self._beginning += b"\n"

    def _rest(self, text: str) -> list[Delta]:
        """What came outside of events: a whole completion, an error, or chunks a line each."""
        objects = _objects(text)
        if self.in_pieces:
            if text.lower() == "[done]":
                self._answer.ended = True
            objects = objects if text.startswith("{") else []
        elif self._alive and not text.startswith(("{", "[")):
            what = f"the server wrote {describe_body(text)} in the place of an answer"
            raise NoAnswer(
                kind_of_words(text[:_SEARCH_LENGTH]) or "server", what, words=text[:_SEARCH_LENGTH]
            )
        else:
            objects = objects or [_parse_json(text)]
        return [delta for json_object in objects for delta in self._whole(json_object)]

    def _whole(self, value: Any) -> list[Delta]:
        completion = _object(value, "the answer")
        choices = completion.get("choices")
        if not isinstance(choices, list) or not (choices or self.in_pieces):
            written = in_json(completion)
            kind = kind_of_words(written[:_SEARCH_LENGTH]) or "malformed"
            raise NoAnswer(
                kind, f"the answer is JSON without choices “{written}”", words=written[:_SEARCH_LENGTH]
            )
        if _is_chunk(completion):
            self.in_pieces = True
        else:
            self._answer.ended = True
        return self._answer.take(completion)

    def _append_within_limit(self, into: bytearray, content: bytes) -> None:
        into += content
        if len(into) > _MOST_RAW:
            raise oversize_failure()


_SHORT = 200
_SEARCH_LENGTH = 10_000
"""Characters of an object that is no answer, to be searched for a reason."""


def oversize_failure() -> NoAnswer:
    """Why an answer is not read to its end."""
    return NoAnswer(
        "oversized", f"the answer is longer than {MOST_BYTES:,} bytes, and was not read to its end"
    )


async def lines(pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Lines without their ends, \\n, \\r\\n or \\r; in JSON, other separators may stand inside a text.

    Raises:
        NoAnswer: a line does not end.
    """
    rest: list[bytes] = []
    waiting = 0
    async for piece in pieces:
        *whole, last = piece.split(b"\n")
        for line in whole:
            for part in _split_line(b"".join((*rest, line))):
                yield part
            rest, waiting = [], 0
        rest.append(last)
        waiting += len(last)
        if waiting > _MOST_RAW:
            raise oversize_failure()
    if end := b"".join(rest):
        for part in _split_line(end):
            yield part


def _split_line(line: bytes) -> list[bytes]:
    return line.rstrip(b"\r").split(b"\r")


def _is_alive(value: object) -> bool:
    return isinstance(value, str) and _ALIVE.fullmatch(value[:_SHORT]) is not None


def _tells_that_alive(value: dict[str, Any]) -> bool:
    """Whether an object names itself a ping, or tells of a state in which a request waits."""
    if not _ALIVE_NAMES.isdisjoint(value):
        return True
    first = next((told for name in _TELLING if (told := value.get(name))), None)
    return _is_alive(first.rpartition("chat.completion.")[2] if isinstance(first, str) else first)


def _is_chunk(completion: dict[str, Any]) -> bool:
    choices = completion["choices"]
    return not choices or any(
        isinstance(choice, dict) and choice.get("delta") is not None for choice in choices
    )


def _text(content: bytes) -> str:
    return content.decode(errors="replace")


def _read(content: bytes | bytearray) -> Any:
    """The JSON value, None where it is none; null counts as an empty object."""
    try:
        value = json.loads(content.decode(errors="replace"))
    except (ValueError, RecursionError):
        return None
    return {} if value is None else value


def _objects(text: str) -> list[Any]:
    """JSON objects that stand one after the other, [] where something else stands there."""
    objects, at, decoder = [], 0, json.JSONDecoder()
    try:
        while at < len(text):
            value, at = decoder.raw_decode(text, at)
            objects.append(value)
            at += len(text[at : at + _SHORT]) - len(text[at : at + _SHORT].lstrip())
    except (ValueError, RecursionError):
        return []
    return objects


def _parse_json(content: bytes | str) -> Any:
    text = _text(content) if isinstance(content, bytes) else content
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise NoAnswer("malformed", f"the answer is not JSON but {describe_body(text)}") from None


def _object(value: Any, where: str) -> dict[str, Any]:
    if isinstance(value, list) and value and isinstance(value[0], dict) and error_in(value[0]) is not None:
        value = value[0]  # Gemini
    if not isinstance(value, dict):
        raise NoAnswer("malformed", f"{where} is JSON but no object: {describe_body(in_json(value))}")
    error = error_in(value)
    if error is not None:
        raise reported_error(error)
    return value
