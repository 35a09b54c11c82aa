"""How much may be under way to a viewer who has not read it yet: what is not read is kept in the server's memory."""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import Iterator

MOST = 2_000_000
"""Characters. One frame may go beyond it."""
PATIENCE_S = 30.0


def _receipts() -> Iterator[str]:
    """Words that nobody guesses, many of them drawn at a time, since the system is slow to answer."""
    while True:
        drawn = secrets.token_hex(4 * 256)
        yield from (drawn[start : start + 8] for start in range(0, len(drawn), 8))


_RECEIPTS = _receipts()


class ReadsNothing(Exception):
    """The viewer has not read what was sent."""


class Flow:
    """What was sent and not confirmed. A viewer confirms a frame by the receipt in it, which only a reader knows."""

    def __init__(self) -> None:
        self._under_way: deque[tuple[str, int]] = deque()
        self._characters = 0
        self._room = asyncio.Event()
        self._room.set()

    @property
    def full(self) -> bool:
        """Whether nothing more should be sent now."""
        return self._characters > MOST

    def add_frame(self, characters: int) -> str:
        """A frame of so many characters goes out; gives the receipt that it carries."""
        receipt = next(_RECEIPTS)
        self._under_way.append((receipt, characters))
        self._characters += characters
        if self.full:
            self._room.clear()
        return receipt

    def confirm_receipt(self, receipt: object) -> None:
        """The viewer has read the frame with this receipt, and all before it."""
        if receipt not in [known for known, _ in self._under_way]:
            return
        known = None
        while known != receipt:
            known, characters = self._under_way.popleft()
            self._characters -= characters
        if not self.full:
            self._room.set()

    async def room(self) -> None:
        """Wait until there is room for more.

        Raises:
            ReadsNothing: there is none for too long.
        """
        try:
            async with asyncio.timeout(PATIENCE_S):
                await self._room.wait()
        except TimeoutError as error:
            raise ReadsNothing from error
