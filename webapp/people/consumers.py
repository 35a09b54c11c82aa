"""The socket of a seat: the events that reach it, and what its other open pages have changed."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import Counter
from typing import Any

from channels.db import database_sync_to_async

from webapp.languages import switched_to
from webapp.people import guests
from webapp.people.models import Guest
from webapp.people.tabs import MOST_DRAFT, group_of_guest
from webapp.sessions.consumers import NOT_ALLOWED, REDIS_ERRORS, TOO_MANY, SessionConsumer
from webapp.sessions.inbox import storable
from webapp.sockets import looked_up
from webapp.storage import STORAGE_ERRORS as STORAGE_AWAY

HEARD_EVERY_S = 4.0
GRACE_S = 6.0
"""A page that is loaded again, or another one that is open, is heard of within this."""
MOST_PAGES = 12
"""Pages of one guest that a process serves at once."""
LONGEST_WORDS = 6 * MOST_DRAFT + 100
"""Characters of what a page sends: a draft, of which JSON may write each character with six."""
CALM_S = 0.5
"""What a page says of itself is stored this often at most; its last word counts."""
_pages: Counter[str] = Counter()
_record_seen = database_sync_to_async(guests.record_visits, thread_sensitive=False)
"""In a thread of its own: all sockets read in one, which would wait for the database's other writers."""
_hearing: list[asyncio.Task[None]] = []


async def _hear() -> None:
    """Keep that the pages of this process are open, all at once, as long as there are any."""
    while _pages:
        with contextlib.suppress(Exception):  # the database may be away; the next time they are heard of
            await _record_seen(*_pages)
        await asyncio.sleep(HEARD_EVERY_S)


def _begin_hearing() -> None:
    _hearing[:] = [
        task for task in _hearing if not task.done() and task.get_loop() is asyncio.get_running_loop()
    ]
    if not _hearing:
        _hearing.append(asyncio.create_task(_hear()))


class SeatConsumer(SessionConsumer):
    """Sends what this seat may see, rendered by the templates of seats, in the seat's language."""

    longest_request = LONGEST_WORDS
    guest: Guest
    _is_present = False
    _paused_before: bool | None = None
    _storing: asyncio.Task[None] | None = None
    _visible: bool | None = None
    _draft: str | None = None

    async def _enter(self) -> None:
        """As for researchers; then this page is there."""
        self._is_present = True
        _pages[self.guest.pk] += 1
        await super()._enter()
        with contextlib.suppress(*REDIS_ERRORS):
            await self.channel_layer.group_add(group_of_guest(self.guest.pk), self.channel_name)
        with contextlib.suppress(*STORAGE_AWAY):
            await _record_seen(self.guest.pk)
        _begin_hearing()
        self._keep_what_was_told()

    async def disconnect(self, code: int) -> None:
        """The last page of a guest that is closed for a while disconnects them."""
        await super().disconnect(code)
        if not self._is_present:
            return
        _pages.subtract([self.guest.pk])
        if not _pages[self.guest.pk]:
            del _pages[self.guest.pk]
        closed = time.monotonic()
        with contextlib.suppress(*REDIS_ERRORS):
            await self.channel_layer.group_discard(group_of_guest(self.guest.pk), self.channel_name)
        await asyncio.sleep(GRACE_S)
        await database_sync_to_async(guests.record_disconnection)(self.guest.pk, time.monotonic() - closed)

    async def receive_json(self, content: Any, **more: Any) -> None:
        """Beside receipts and cursors: whether the page is looked at, and the words that are not sent yet."""
        if not isinstance(content, dict):
            return
        if isinstance(visible := content.get("visible"), bool):
            self._visible = visible
        if isinstance(draft := content.get("draft"), str) and len(draft) <= MOST_DRAFT and storable(draft):
            self._draft = draft
        if self._is_present:
            self._keep_what_was_told()
        await super().receive_json(content, **more)

    def _keep_what_was_told(self) -> None:
        """Once it is known who tells it."""
        told = self._visible is not None or self._draft is not None
        if told and (self._storing is None or self._storing.done()):
            self._storing = asyncio.create_task(self._store())

    async def _store(self) -> None:
        """Keep what the page has told, until it tells nothing more."""
        while self._visible is not None or self._draft is not None:
            visible, draft, self._visible, self._draft = self._visible, self._draft, None, None
            with contextlib.suppress(*STORAGE_AWAY):  # the page tells it again when it comes back
                if visible is not None:
                    await self._looked_at(visible)
                if draft is not None:
                    await Guest.objects.filter(pk=self.guest.pk).aupdate(draft=draft)
            if draft is not None:
                message = {"type": "seat.draft", "draft": draft, "by": self.channel_name}
                with contextlib.suppress(*REDIS_ERRORS):
                    await self.channel_layer.group_send(group_of_guest(self.guest.pk), message)
            await asyncio.sleep(CALM_S)

    async def seat_draft(self, message: dict[str, Any]) -> None:
        """Another page of this guest has changed the words."""
        if message["by"] != self.channel_name and not self._flow.full:
            await self.send_json({"draft": message["draft"]})

    async def seat_now(self, message: dict[str, Any]) -> None:
        """Something changed that is no event: a message was sent or taken back, or the seat is somebody else's."""
        self._asked_at = 0.0
        self._more.set()
        if not self._flow.full:
            await self.send_json({"now": True})

    async def _quietly_moved(self) -> None:
        """Somebody has got the turn."""
        if not self._flow.full:
            await self.send_json({"now": True})

    async def _refusal(self) -> int | None:
        guest = await looked_up(self._guest)
        if guest is None or not guest.sits or guest.stage != Guest.Stage.READY:
            return NOT_ALLOWED
        if not self._is_present and _pages[guest.pk] >= MOST_PAGES:
            return TOO_MANY
        was, self.guest, self.session, self.viewer = (
            self._paused_before,
            guest,
            guest.seat.session,
            guest.seat.name,
        )
        self._paused_before = self.session.paused
        if was is not None and was != self._paused_before:  # no event says so
            await self._quietly_moved()
        return None

    def _guest(self) -> Guest | None:
        guest = guests.guest_in(self.browser, self.scope["url_route"]["kwargs"]["guest_id"])
        if guest is not None:
            guest.switched_to = switched_to(self.scope.get("cookies", {}))
        return guest

    @property
    def _language(self) -> str:
        """The guest's own."""
        return self.guest.language

    @database_sync_to_async
    def _looked_at(self, visible: bool) -> None:
        guest = Guest.objects.select_related("seat").get(pk=self.guest.pk)
        if visible:
            guests.came_back(guest)
        else:
            guests.change_presence(guest, "away")
