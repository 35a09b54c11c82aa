"""The tokens that a model is said to have drawn, with log-probabilities: the same for the same answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from zlib import crc32

CHARACTERS = 4
"""Of a token."""
_LONGEST = 4
"""Bytes of a character."""
OPTION = "logprobs"
"""Of the model's name."""


@dataclass
class DrawnTokens:
    """What a model writes piece by piece, in tokens of four characters.

    Every third token ends one byte inside a character that has several, as a byte-level vocabulary may cut it. how:
    the option's value: `none` for a server that passes over what it was asked, `words` for one that lists only the
    tokens of the answer's words, `half` for one that forgets those of every second piece.
    """

    how: str = ""
    _pending: bytes = b""
    _written: int = field(default=0)
    _pieces: int = field(default=0)

    def piece(self, text: str, *, visible: bool = True, last: bool = False) -> dict[str, Any] | None:
        """The `logprobs` of the next piece, None for none. visible: it is of the answer's words.

        last: of its part of the answer, so that its rest is a token too.
        """
        if self.how == "none" or (self.how == "words" and not visible):
            return None
        self._pending += text.encode()
        content = list(self._cut(last=last))
        self._pieces += 1
        return None if self.how == "half" and self._pieces % 2 == 0 else {"content": content, "refusal": None}

    def _cut(self, *, last: bool) -> Iterator[dict[str, Any]]:
        while end := self._end():
            yield self._token(self._pending[:end])
            self._pending = self._pending[end:]
        if last and self._pending:
            yield self._token(self._pending)
            self._pending = b""

    def _end(self) -> int:
        """Where the next token ends, 0 where not enough is there."""
        beginning = self._pending[: _LONGEST * (CHARACTERS + 3)]
        starts = [at for at, byte in enumerate(beginning) if byte & 0xC0 != 0x80]
        if len(starts) <= CHARACTERS + 1:
            return 0
        end, after = starts[CHARACTERS], starts[CHARACTERS + 1]
        return end + 1 if after - end > 1 and self._written % 3 == 2 else end

    def _token(self, content: bytes) -> dict[str, Any]:
        drawn = {
            "token": content.decode(errors="replace"),
            "logprob": -(crc32(content, self._written) % 4000) / 1000,
            "bytes": [*content],
        }
        self._written += 1
        return {**drawn, "top_logprobs": [drawn]}
