"""Wake-ups for viewers: the session and its newest number, nothing else. The log has the rest."""

from __future__ import annotations

import asyncio
import logging
import threading
from functools import lru_cache

from channels.layers import get_channel_layer

from webapp.sessions.live import group_of, wake_up

GATHER_S = 0.02
log = logging.getLogger(__name__)


class Notifier:
    """Sends wake-ups from a thread of its own: the first at once, those of the next 20 ms as one."""

    def __init__(self) -> None:
        self._newest: dict[str, int] = {}
        self._lock = threading.Lock()
        self._loop = asyncio.new_event_loop()
        self._sending: set[str] = set()
        self._layer = get_channel_layer()
        threading.Thread(target=self._loop.run_forever, name="notifier", daemon=True).start()

    def grew(self, session_id: str, seq: int) -> None:
        """The log of a session has grown to `seq`. Returns at once."""
        with self._lock:
            self._newest[session_id] = seq
            if session_id in self._sending:
                return
            self._sending.add(session_id)
        asyncio.run_coroutine_threadsafe(self._send(session_id), self._loop)

    async def _send(self, session_id: str) -> None:
        while (seq := self._take(session_id)) is not None:
            try:
                if self._layer is not None:
                    await self._layer.group_send(group_of(session_id), wake_up(session_id, seq))
            except (
                Exception
            ) as error:  # a lost wake-up is made good by the next one or by the viewer's own check
                log.warning("no wake-up for session %s: %s", session_id, error)
            await asyncio.sleep(GATHER_S)

    def _take(self, session_id: str) -> int | None:
        with self._lock:
            seq = self._newest.pop(session_id, None)
            if seq is None:
                self._sending.discard(session_id)
            return seq


@lru_cache(maxsize=1)
def notifier() -> Notifier:
    """The process's notifier, made when first needed (after a fork)."""
    return Notifier()
