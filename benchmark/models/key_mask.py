"""Takes a key out of answers: some servers, and models that were told of it, repeat the key that was sent."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from benchmark.models.chat import Delta, Reply
from sandbox.endpoints import NO_KEY, without_key

_SHORTEST = 6
"""Characters. What is shorter is no secret but a word that a server of one's own asks for, such as EMPTY, and may
stand in an answer by itself."""
_PART = 8
"""Characters of a key's beginning that count as the key at the end of a text, which may have been cut short there."""


class KeyMask:
    """Puts *** in the place of one key, in an answer's pieces and in the whole.

    The end of a piece that may be the key's beginning waits for the next piece of its kind.
    """

    def __init__(self, key: str = NO_KEY) -> None:
        self._key = key if len(key) >= _SHORTEST else NO_KEY
        self._pending: dict[str, Delta] = {}

    def pieces(self, deltas: Iterable[Delta]) -> list[Delta]:
        """The pieces that can be passed on now."""
        return [piece for delta in deltas if (piece := self._piece(delta)).text]

    def rest(self) -> list[Delta]:
        """The pieces that were held back; to be called when nothing more comes."""
        held, self._pending = self._pending, {}
        return [delta for delta in held.values() if delta.text]

    def whole(self, reply: Reply) -> Reply:
        """The reply without the key, wherever a server's text stands in it."""
        return reply.rewrite(self.mask)

    def mask(self, text: str) -> str:
        """A whole text, or one that was cut short, without the key."""
        text = without_key(self._key, text)
        begun = self._begun_at_end(text)
        return text if begun < _PART else f"{text[:-begun]}***"

    def _piece(self, delta: Delta) -> Delta:
        held = self._pending.get(delta.kind)
        text = without_key(self._key, held.text + delta.text if held else delta.text)
        shown = len(text) - self._begun_at_end(text)
        self._pending[delta.kind] = replace(delta, text=text[shown:])
        return replace(delta, text=text[:shown])

    def _begun_at_end(self, text: str) -> int:
        """How many characters of the key the text ends with, without being all of them."""
        if self._key == NO_KEY:
            return 0
        most = min(len(self._key) - 1, len(text))
        return next((count for count in range(most, 0, -1) if text.endswith(self._key[:count])), 0)
