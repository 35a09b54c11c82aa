"""The tokens of an answer with the log-probability of each, as servers send them and as logs keep them.

Servers: `logprobs.content`, a list of {token, bytes, logprob}; where that is lacking `logprobs.tokens` beside
`token_logprobs`, the older form that some gateways and older servers send in chats too.
"""

from __future__ import annotations

import math
import struct
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Final, NamedTuple

MOST_TOKENS: Final = 400_000
MOST_BYTES: Final = 4_000_000
"""Of the tokens of one answer; what a server sends beyond them is not kept."""
SHORTEST_REPEAT: Final = 30
"""Bytes from which a piece that equals all before it is taken as their repetition."""
_FIGURE: Final = 4
"""Bytes of a figure."""
_MOST_PACKED: Final = 2 * _FIGURE * MOST_TOKENS + MOST_BYTES + 1


class Token(NamedTuple):
    """content: its bytes in UTF-8; they may begin or end inside a character. logprob: natural, None for an unknown
    one.
    """

    content: bytes
    logprob: float | None


@dataclass(frozen=True, slots=True)
class TokenLog:
    """The tokens of an answer, packed.

    count: how many. columns: base64 of zlib of three columns: the length of each in bytes (uint32), its
    log-probability (float32, not a number for an unknown one), and the bytes of all. Figures are little endian: first
    the first byte of each, then the second of each and so on, since those are alike.
    """

    count: int
    columns: str

    @classmethod
    def of(cls, tokens: Sequence[Token]) -> TokenLog:
        """Pack tokens."""
        logprobs = [math.nan if each.logprob is None else each.logprob for each in tokens]
        columns = _planes("I", [len(each.content) for each in tokens]) + _planes("f", logprobs) + join(tokens)
        return cls(len(tokens), b64encode(zlib.compress(columns, 9)).decode())

    def read(self) -> tuple[Token, ...]:
        """The tokens, with log-probabilities as precise as float32.

        Raises:
            ValueError: they are damaged, or more than an answer has.
        """
        if not 0 < self.count <= MOST_TOKENS:
            raise ValueError(f"count: {self.count} is no number of tokens from 1 to {MOST_TOKENS:,}")
        columns, size = _unpack(self.columns), _FIGURE * self.count
        content = columns[2 * size :]
        lengths = _figures("I", columns[:size]) if len(columns) >= 2 * size else ()
        if len(lengths) != self.count or sum(lengths) != len(content):
            raise ValueError("columns: it does not hold the tokens that are counted")
        tokens, at = [], 0
        for length, logprob in zip(lengths, _figures("f", columns[size : 2 * size]), strict=True):
            tokens.append(Token(content[at : at + length], logprob if math.isfinite(logprob) else None))
            at += length
        return tuple(tokens)

    @property
    def text(self) -> str:
        """All tokens joined, U+FFFD for what is no UTF-8."""
        return join(self.read()).decode(errors="replace")


def join(tokens: Iterable[Token]) -> bytes:
    """The bytes of tokens in a row."""
    return b"".join(each.content for each in tokens)


def _planes(kind: str, figures: Sequence[float]) -> bytes:
    packed = struct.pack(f"<{len(figures)}{kind}", *figures)
    return b"".join(packed[plane::_FIGURE] for plane in range(_FIGURE))


def _figures(kind: str, planes: bytes) -> tuple[Any, ...]:
    count = len(planes) // _FIGURE
    packed = bytearray(len(planes))
    for plane in range(_FIGURE):
        packed[plane::_FIGURE] = planes[plane * count : (plane + 1) * count]
    return struct.unpack(f"<{count}{kind}", packed)


def _unpack(packed: str) -> bytes:
    try:
        unpacker = zlib.decompressobj()
        columns = unpacker.decompress(b64decode(packed, validate=True), _MOST_PACKED)
    except (ValueError, zlib.error) as error:
        raise ValueError(f"columns: it can't be unpacked ({error})") from error
    if not unpacker.eof:
        raise ValueError("columns: it is cut off, or holds more than the tokens of an answer")
    return columns


# As servers send them.


class TokenAssembly:
    """The tokens of one answer, put together from the choices of its chunks."""

    def __init__(self) -> None:
        self._tokens: list[Token] = []
        self._bytes = 0
        self._is_full = False

    def take(self, choice: Mapping[str, Any], *, after_pieces: bool = False) -> None:
        """The tokens of a choice, if it has any. after_pieces: the answer came in pieces so far.

        A message after pieces, or one that begins as those before, holds the whole answer once more; so does a piece
        with all tokens so far, as some servers end a stream.
        """
        new = _tokens_in(choice.get("logprobs"))
        if isinstance(choice.get("message"), Mapping):
            anew = bool(new) and (after_pieces or new[: len(self._tokens)] == self._tokens)
        else:
            anew = new == self._tokens and len(join(new)) >= SHORTEST_REPEAT
        if anew:
            self._tokens, self._bytes = [], 0
        self._tokens += new
        self._bytes += sum(len(each.content) for each in new)
        if len(self._tokens) > MOST_TOKENS or self._bytes > MOST_BYTES:
            self._tokens, self._bytes, self._is_full = [], 0, True

    def log(self) -> TokenLog | None:
        """The tokens that came; None for none, and for more than an answer has."""
        return TokenLog.of(self._tokens) if self._tokens and not self._is_full else None

    @property
    def problem(self) -> str:
        """Why there is no log; "" where there is one."""
        if self._is_full:
            return "more log-probabilities came than an answer has tokens, and were not kept"
        return "" if self._tokens else "no log-probabilities came, though they were asked for"


def _tokens_in(logprobs: object) -> list[Token]:
    if not isinstance(logprobs, Mapping):
        return []
    listed = [entry for name in ("content", "refusal") for entry in _list(logprobs.get(name))]
    if not listed:
        beside = zip_longest(_list(logprobs.get("tokens")), _list(logprobs.get("token_logprobs")))
        listed = [{"token": token, "logprob": logprob} for token, logprob in beside]
    return [_token(entry if isinstance(entry, Mapping) else {}) for entry in listed]


def _token(entry: Mapping[str, Any]) -> Token:
    return Token(_content(entry.get("bytes"), entry.get("token")), _logprob(entry.get("logprob")))


def _content(written: object, text: object) -> bytes:
    """The bytes as a server lists them, else those of the text, which are none of a token inside a character."""
    if isinstance(written, list) and all(type(byte) is int and 0 <= byte < 256 for byte in written):
        return bytes(written)
    return text.encode("utf-8", "surrogatepass") if isinstance(text, str) else b""


def _logprob(value: object) -> float | None:
    """As it is kept, in float32; None for what no token that was drawn has."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    try:
        (kept,) = struct.unpack("<f", struct.pack("<f", value))
    except (OverflowError, struct.error):
        return None
    return float(kept) if math.isfinite(kept) else None


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
