"""Wake-ups for viewers: the session and its newest number, nothing else. The log has the rest.

What a model is writing goes the same way, as an extra that may be lost: what it has written is an event.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from functools import lru_cache
from typing import Any

from channels.layers import get_channel_layer

from webapp.outages import Outage
from webapp.sessions.live import Draft, group_of, halt_message, model_writes, wake_up

GATHER_S = 0.02
WRITING_S = 0.1
log = logging.getLogger(__name__)


class Notifier:
    """Sends wake-ups from a thread of its own: the first at once, those of the next 20 ms as one.

    What models write is gathered for 100 ms a session.
    """

    def __init__(self) -> None:
        self._newest: dict[str, int] = {}
        self._drafts: dict[str, Draft] = {}
        self._lock = threading.Lock()
        self._loop = asyncio.new_event_loop()
        self._sending: set[str] = set()
        self._sending_drafts: set[str] = set()
        self._layer = get_channel_layer()
        self._outage = Outage(log, "viewers are not woken")
        threading.Thread(target=self._loop.run_forever, name="notifier", daemon=True).start()

    def notify_events(self, session_id: str, seq: int) -> None:
        """The log of a session has grown to `seq`. Returns at once."""
        with self._lock:
            self._newest[session_id] = seq
            self._drafts.pop(session_id, None)
            if session_id in self._sending:
                return
            self._sending.add(session_id)
        asyncio.run_coroutine_threadsafe(self._send(session_id), self._loop)

    def notify_draft(self, session_id: str, seat: str, call: int, kind: str, text: str) -> None:
        """A piece of what a seat's model writes in the session's request number `call`. Returns at once."""
        with self._lock:
            draft = self._drafts.get(session_id)
            if draft is None or (draft.seat, draft.call, draft.kind) != (seat, call, kind):
                self._drafts[session_id] = draft = Draft(seat, call, kind)
            draft.text += text
            if session_id in self._sending_drafts:
                return
            self._sending_drafts.add(session_id)
        asyncio.run_coroutine_threadsafe(self._send_drafts(session_id), self._loop)

    def notify_halt(self, session_id: str, words: str) -> None:
        """A session does not go on just now, and why. Returns at once."""
        asyncio.run_coroutine_threadsafe(self._tell(session_id, halt_message(session_id, words)), self._loop)

    async def _send(self, session_id: str) -> None:
        while (seq := self._take(session_id)) is not None:
            await self._tell(session_id, wake_up(session_id, seq))
            await asyncio.sleep(GATHER_S)

    async def _send_drafts(self, session_id: str) -> None:
        sent = ""
        while (draft := self._latest_draft(session_id)) is not None and draft.text != sent:
            sent = draft.text
            await self._tell(session_id, model_writes(session_id, draft))
            await asyncio.sleep(WRITING_S)
        with self._lock:
            self._sending_drafts.discard(session_id)

    async def _tell(self, session_id: str, message: dict[str, Any]) -> None:
        try:
            if self._layer is not None:
                await self._layer.group_send(group_of(session_id), message)
                self._outage.report_recovery()
        except Exception as error:  # a lost wake-up is made good by the next one or by the viewer's own check
            self._outage.report_failure(error)

    def _take(self, session_id: str) -> int | None:
        with self._lock:
            seq = self._newest.pop(session_id, None)
            if seq is None:
                self._sending.discard(session_id)
            return seq

    def _latest_draft(self, session_id: str) -> Draft | None:
        with self._lock:
            return self._drafts.get(session_id)


@lru_cache(maxsize=1)
def notifier() -> Notifier:
    """The process's notifier, made when first needed (after a fork)."""
    return Notifier()
