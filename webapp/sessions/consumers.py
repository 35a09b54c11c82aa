"""The socket of a session page: replay after the client's cursor, then live."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Collection
from functools import cached_property, partial
from typing import Any, NamedTuple
from urllib.parse import parse_qs

from channels.db import database_sync_to_async
from django.contrib.sessions.backends.db import SessionStore
from redis.exceptions import RedisError

from benchmark.core.events import RESEARCH
from webapp import clock, counters
from webapp.accounts.limits import TooOften, count_socket
from webapp.audits.models import Act, Way
from webapp.audits.services import note_access
from webapp.languages import language_of
from webapp.sessions.flow import Flow, ReadsNothing
from webapp.sessions.frames import Batch, frames_after, viewer_of
from webapp.sessions.live import group_of
from webapp.sessions.log import seq_in
from webapp.sessions.models import Session
from webapp.sockets import Consumer, Gathering, looked_up, signed_in_by

NOT_AUTHENTICATED, NOT_ALLOWED, NOT_FOUND = 4401, 4403, 4404
TOO_MANY = 4429
"""Too many pages are open at once, or were opened within a short time."""
BROKEN_LOG = 4500
"""The log could not be read just now: the client comes back with its cursor, as after any lost connection."""
REDIS_ERRORS = (OSError, RedisError)
"""What a channel layer raises while Redis is away."""
SLOW = 4508
"""The client does not read what it asked for. One that reads comes back with its cursor."""
NONSENSE = 4400
LONGEST_REQUEST = 4_000
"""Characters of what a client sends: a cursor or a receipt."""
CHECK_S = 5.0
"""A viewer looks at the log this often even without a wake-up: one may be lost while Redis restarts.
As often it is asked whether they may still look."""
WRITING = ("seat", "call", "kind", "text", "cut")
log = logging.getLogger(__name__)


class SessionConsumer(Consumer):
    """Sends every event that this viewer may see exactly once and in order, from the client's cursor on.

    A socket is accepted at once. Then one task finds out who asks, reads the log and sends; wake-ups only set a flag,
    so that nothing blocks the socket, and nothing more is done for a client that has left meanwhile.
    """

    longest_request = LONGEST_REQUEST
    session: Session
    viewer: str
    cursor = 0
    sent_seq: int
    _asked_at: float
    _sender: asyncio.Task[None] | None = None
    _entered = False
    _grown_to = 0
    """The highest number that a wake-up, or a look at who may watch, has told."""

    async def connect(self) -> None:
        """From where; then who asks, for what, and follow the log."""
        await self.accept()
        self.cursor = self.sent_seq = self._client_cursor()
        self._flow = Flow()
        self._more = asyncio.Event()
        self._more.set()
        self._sender = asyncio.create_task(self._serve())

    async def _serve(self) -> None:
        try:
            if await self._admitted():
                await self._enter()
                await self._follow()
        except ReadsNothing:
            await self.close(code=SLOW, reason="what was sent is not read")
        except Exception:
            log.exception("a viewer of %s is sent away to come back", self.scope["path"])
            await self.close(code=BROKEN_LOG)

    async def _enter(self) -> None:
        """Be woken up from now on."""
        self._entered = True
        with contextlib.suppress(*REDIS_ERRORS):  # the regular check still finds what is new
            await self.channel_layer.group_add(group_of(self.session.id), self.channel_name)

    async def _admitted(self) -> bool:
        """Whether this person may watch now; whoever may not is sent away with the reason."""
        self._asked_at = time.monotonic()
        refusal = await self._refusal()
        if refusal is not None:
            if not self._entered:  # who was let in before, and may not stay, made no handshake now
                counters.add(counters.HANDSHAKES, str(refusal))
            await self.close(code=refusal)
        elif self._entered:  # a wake-up may have been lost
            self._grown_to = max(self._grown_to, self.session.last_seq)
        return refusal is None

    async def _still_admitted(self) -> bool:
        """The same, once in a while: they may have signed out, lost their role or been given another."""
        return time.monotonic() - self._asked_at < CHECK_S or await self._admitted()

    async def _refusal(self) -> int | None:
        user, session = await (self._who_and_what_now() if self._entered else looked_up(self._who_and_what))
        if not user.is_authenticated:
            return NOT_AUTHENTICATED
        if session is None:
            return NOT_FOUND
        viewer = viewer_of(user, session)
        if viewer is None:
            return NOT_ALLOWED
        if not self._entered and not await looked_up(partial(_may_open, user)):
            return TOO_MANY
        self.session, self.viewer = session, viewer
        return None

    async def _who_and_what_now(self) -> tuple[Any, Session | None]:
        """The same once more, together with all sockets that ask it at the moment."""
        found = await _LOOKS.ask((self.browser_key, self.scope["url_route"]["kwargs"]["session_id"]))
        assert found is not None
        return found

    def _who_and_what(self) -> tuple[Any, Session | None]:
        user = self.signed_in()
        if not user.is_authenticated:
            return user, None
        session = Session.objects.filter(pk=self.scope["url_route"]["kwargs"]["session_id"]).first()
        if session is not None and viewer_of(user, session) == RESEARCH:
            note_access(
                account=user, act=Act.SEEN, way=Way.SOCKET, place="ws", kind="session", subject=session.pk
            )
        return user, session

    def _client_cursor(self) -> int:
        asked = parse_qs(self.scope["query_string"].decode()).get("after", ["0"])[0]
        return seq_in(asked) or 0

    async def disconnect(self, code: int) -> None:
        """Stop following."""
        if self._sender is not None:
            self._sender.cancel()
        if self._entered:
            with contextlib.suppress(*REDIS_ERRORS):
                await self.channel_layer.group_discard(group_of(self.session.id), self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None, **_: Any) -> None:
        """What is no short text of JSON ends the connection, with the reason."""
        if text_data is None:
            return await self.close(code=NONSENSE, reason="only text is understood")
        if len(text_data) > self.longest_request:
            return await self.close(code=NONSENSE, reason="too long")
        try:
            await super().receive(text_data=text_data)
        except RecursionError:
            await self.close(code=NONSENSE, reason="nested too deeply")

    async def receive_json(self, content: Any, **_: Any) -> None:
        """The client has read a frame; or it asks again from where it stands, since it has found a gap."""
        if not isinstance(content, dict):
            return
        if "read" in content:
            self._flow.confirm_receipt(content["read"])
        after = content.get("after")
        if isinstance(after, int) and 0 <= after <= self.cursor:
            self.cursor = self.sent_seq = after
            self._more.set()

    @classmethod
    async def decode_json(cls, text_data: str) -> Any:
        """Broken JSON is ignored: nothing a client sends may end its own view."""
        try:
            return await super().decode_json(text_data)
        except ValueError:
            return None

    async def log_grew(self, message: dict[str, Any]) -> None:
        """A wake-up."""
        self._grown_to = max(self._grown_to, message["seq"])
        self._more.set()

    async def model_writes(self, message: dict[str, Any]) -> None:
        """What a model is writing: for researchers only, since it may hold markers and notes. It may be lost."""
        if self.viewer == RESEARCH and not self._flow.full:
            await self.send_json({"writing": {key: message[key] for key in WRITING}})

    async def session_halted(self, message: dict[str, Any]) -> None:
        """Why the session does not go on just now."""
        if self.viewer == RESEARCH and not self._flow.full:
            await self.send_json({"halted": message["words"]})

    async def _follow(self) -> None:
        while await self._still_admitted():
            if self._more.is_set() or self._known_end:
                self._more.clear()
                await self._send_all()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(CHECK_S):  # wait_for of Python 3.11 may swallow a cancellation
                    await self._more.wait()

    async def _send_all(self) -> None:
        while True:
            await self._flow.room()
            start = self.cursor
            batch = await self._read()
            if start != self.cursor:  # the client asked again from an earlier number meanwhile
                continue
            self.cursor = batch.cursor
            if batch.events:
                self.sent_seq = batch.events[-1]["seq"]
                receipt = self._flow.add_frame(batch.characters)
                more = "false" if batch.complete else "true"
                await self.send(f'{{"events": {batch.as_json}, "more": {more}, "receipt": "{receipt}"}}')
            elif batch.quiet:
                await self._quietly_moved()
            if batch.complete:
                return

    async def _quietly_moved(self) -> None:
        """The log has grown by what this viewer may know of, and nothing of it is shown."""

    @property
    def _known_end(self) -> int:
        """Up to where the log is to be read, 0 where nobody has told: of several viewers who wake up, one asks."""
        return self._grown_to if self._grown_to > self.cursor else 0

    @cached_property
    def _language(self) -> str:
        """What its frames are rendered in."""
        return language_of(self.scope["cookies"], self.scope["headers"])

    async def _read(self) -> Batch:
        woken = self._known_end
        request = _BatchRequest(
            self.session.pk, self.viewer, self.cursor, self.sent_seq, self._language, woken
        )
        batch = await (_shared_batch(request, self.session) if woken else _batch(request, self.session))
        count_lag(batch, woken=woken)
        return batch


class _BatchRequest(NamedTuple):
    """What a socket asks for: see `frames_after`."""

    session_id: str
    viewer: str
    after: int
    prev: int
    language: str
    known: int


@database_sync_to_async
def _batch(request: _BatchRequest, session: Session) -> Batch:
    return frames_after(
        session=session,
        viewer=request.viewer,
        after=request.after,
        prev=request.prev,
        language=request.language,
        known=request.known,
    )


_reading: dict[tuple[asyncio.AbstractEventLoop, _BatchRequest], asyncio.Task[Batch]] = {}


async def _shared_batch(request: _BatchRequest, session: Session) -> Batch:
    """The same, read once for all who wait for it: the log holds at least what they were told of."""
    key = asyncio.get_running_loop(), request
    if (reading := _reading.get(key)) is None:
        reading = _reading[key] = asyncio.create_task(_batch(request, session))
        reading.add_done_callback(lambda _: _reading.pop(key, None))
    return await asyncio.shield(reading)  # of those who wait one may leave


def _who_and_what_of(asked: Collection[tuple[str | None, str]]) -> dict[tuple[str | None, str], Any]:
    """Who is signed in in these browsers, and these sessions, by both their keys."""
    users = {browser: signed_in_by(SessionStore(browser)) for browser in {browser for browser, _ in asked}}
    sessions = Session.objects.in_bulk(list({session_id for _, session_id in asked}))
    return {each: (users[each[0]], sessions.get(each[1])) for each in asked}


_LOOKS: Gathering[tuple[str | None, str], tuple[Any, Session | None]] = Gathering(_who_and_what_of)


def count_lag(batch: Batch, *, woken: int) -> None:
    """Count how late what was read reaches a viewer. woken: see `_known_end`."""
    if woken and batch.newest_at is not None:  # what was there before somebody came is late by no fault
        counters.add_lag(max((clock.now() - batch.newest_at).total_seconds(), 0.0))


def _may_open(user: Any) -> bool:
    """Whether an account opens no more live pages than it may."""
    try:
        count_socket(user)
    except TooOften:
        return False
    return True
