"""Who is there while things fail: viewers, people at the table and annotators, none of whom gives up.

Each notes what the installation has acknowledged, so that the oracle can ask for it.
"""

from __future__ import annotations

import asyncio
import json
import re
import threading
import time
import urllib.error
from collections.abc import Coroutine
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import Any, cast

from tests.bench.annotate import Browser
from tests.bench.handshakes import CONNECTION_ERRORS
from tests.bench.overload import signed_in
from tests.bench.seats import WORDS, DeliveryTimes, Person, come
from tests.faults.site import Door, Site
from tests.installation import Installation
from tests.labelling_site import Site as LabellingSite
from tests.sitting import Insider
from tests.websocket import CLOSE, TEXT, Socket

PATIENCE_S = 15.0
THINKS_S = 2.0
LABEL_S = 3.0
PEOPLE = ("User1", "User2")
WEB_ERRORS = (OSError, HTTPException, urllib.error.URLError, AssertionError, json.JSONDecodeError)


@dataclass
class Receipts:
    """What clients have been told is stored, and what they saw.

    words: session and mark of each message. labels: assignments that were answered. chains: the last event that each
    viewer has, by session. chain_faults: where a viewer's chain had a hole.
    """

    words: list[tuple[str, str]] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    chains: dict[str, int] = field(default_factory=dict)
    ended_sessions: set[str] = field(default_factory=set)
    chain_faults: list[str] = field(default_factory=list)
    reconnections: int = 0
    repeated: int = 0


class AtTable(Person):
    """A person who sends the same words again until they are acknowledged, and connects again when cut off."""

    receipts: Receipts

    @property
    def door(self) -> Door:
        """The way into the site."""
        return cast("Door", self.site)

    async def live(self) -> None:
        """Answer when it is their turn, until the session has ended."""
        following = asyncio.create_task(self._follow())
        while not following.done():
            try:
                async with asyncio.timeout(PATIENCE_S):
                    page = await self.request(self.seat + "now/")
            except CONNECTION_ERRORS:
                self.door.take_other()
                page = ""
            if 'data-standing="yours"' in page:
                await self._say()
            await asyncio.sleep(THINKS_S)
        await following

    async def _say(self) -> None:
        self.number += 1
        mark = f"{self.name}x{self.number}"
        fields = {"client_id": mark, "content": f"{WORDS[self.number % len(WORDS)]}#{mark}#", "sure": "1"}
        while True:
            try:
                async with asyncio.timeout(PATIENCE_S):
                    answer = await self.request(self.seat + "say/", fields)
            except CONNECTION_ERRORS:
                answer = ""
            if "seat:sent" in answer:
                self.receipts.words.append((self.session, mark))
                return
            if answer.startswith("HTTP/1.1 200"):  # a refusal, such as that it is not their turn any more
                return
            self.receipts.repeated += 1
            self.door.take_other()
            await asyncio.sleep(1)

    async def _follow(self) -> None:
        """Read the seat's socket to the session's end."""
        guest, last = self.seat.strip("/").split("/")[-1], 0
        while True:
            socket = None
            try:
                async with asyncio.timeout(PATIENCE_S):
                    socket = await Socket.connect(
                        self.door.port, f"/ws/seats/{guest}/?after={last}", self.cookie
                    )
                while True:
                    async with asyncio.timeout(4 * PATIENCE_S):
                        told = await _next(socket)
                    for frame in told.get("events", ()):
                        last = frame.get("seq", last)
                        if frame["type"] == "session_finished":
                            return
            except CONNECTION_ERRORS:
                self.door.take_other()
                await asyncio.sleep(1)
            finally:
                if socket:
                    socket.writer.close()


async def _next(socket: Socket) -> dict[str, Any]:
    """The next message, confirmed as pages do.

    Raises:
        OSError: the server closes the socket.
    """
    while True:
        kind, data = await socket.frame()
        if kind == CLOSE:
            raise OSError("closed by the server")
        if kind == TEXT:
            told: dict[str, Any] = json.loads(data)
            if "receipt" in told:
                socket.send(json.dumps({"read": told["receipt"]}).encode())
            return told


class Crowd:
    """Those who are there, in threads of their own."""

    def __init__(self, site: Site) -> None:
        self.site, self.receipts = site, Receipts()
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()
        self._stop, self._annotators = threading.Event(), list[threading.Thread]()
        self._cookie = signed_in(cast("Installation", Door(site, 0)))
        self.tables = list[Any]()

    def _begin(self, work: Coroutine[Any, Any, None]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def watch(self, session: str, first: int) -> Any:
        """A viewer follows a session to its end, from the web process of this number on."""
        return self._begin(self._watch(session, Door(self.site, first)))

    async def _watch(self, session: str, door: Door) -> None:
        told, last = self.receipts, 0
        told.chains[session] = 0
        while session not in told.ended_sessions:
            socket = None
            try:
                async with asyncio.timeout(PATIENCE_S):
                    socket = await Socket.connect(
                        door.port, f"/ws/sessions/{session}/?after={last}", self._cookie
                    )
                while session not in told.ended_sessions:
                    async with asyncio.timeout(4 * PATIENCE_S):
                        message = await _next(socket)
                    for frame in message.get("events", ()):
                        if frame["prev"] != last:
                            told.chain_faults.append(
                                f"{session}: {frame['seq']} after {last}, not {frame['prev']}"
                            )
                        told.chains[session] = last = frame["seq"]
                        if frame["type"] == "session_finished":
                            told.ended_sessions.add(session)
            except CONNECTION_ERRORS:
                told.reconnections += 1
                door.take_other()
                await asyncio.sleep(1)
            finally:
                if socket:
                    socket.writer.close()

    def seat_people(self, seed: int) -> None:
        """Two people more at a table of their own, unless there are some already."""
        if any(not table.done() for table in self.tables):
            return
        door = Door(self.site, seed)
        made = Insider(cast("Installation", door)).ask(
            "make", task="starter_01", people=list(PEOPLE[:1]), seed=seed, turn_s=None
        )
        for name, link in made["links"].items():
            way = cast("Installation", Door(self.site, seed))
            person = AtTable(way, made["session"], name, *come(way, link), DeliveryTimes(), THINKS_S)
            person.receipts = self.receipts
            self.tables.append(self._begin(person.live()))

    def begin_labelling(self, annotators: int, items: int) -> None:
        """Annotators begin to answer pairs of two stored runs."""
        installation = cast("Installation", Door(self.site, 0))
        inside = LabellingSite(installation)
        self.study = inside.ask("make_study", runs=["first", "second"], items=items, name="faults")
        for number in range(annotators):
            told = inside.ask("invite", study=self.study, name=f"Annotator {number}")
            thread = threading.Thread(
                target=self._annotate, args=(told, Door(self.site, number)), daemon=True
            )
            self._annotators.append(thread)
            thread.start()

    def _annotate(self, told: dict[str, str], door: Door) -> None:
        browser, here = Browser(cast("Installation", door)), f"/annotate/{told['id']}/"
        page = browser.post(told["link"], browser.get(told["link"]))
        browser.post(f"{here}guidelines/", page, version="1")
        answering: tuple[str, dict[str, str]] | None = None
        while not self._stop.is_set():
            try:
                if answering is None:
                    page = browser.get(here)
                    fields = dict(re.findall(r'name="(assignment|client_id)" value="(\w+)"', page))
                    if "assignment" not in fields:
                        return  # all are answered
                    answering = (page, fields)
                    self._stop.wait(LABEL_S)
                page, fields = answering
                answer = browser.post(
                    f"{here}answer/", page, script=True, choice="left", seconds="30", **fields
                )
                assert "next" in json.loads(answer)
                self.receipts.labels.append(fields["assignment"])
                answering = None
            except WEB_ERRORS:
                self.receipts.repeated += answering is not None
                door.take_other()
                time.sleep(1)

    def stop_labelling(self) -> None:
        """Let annotators end with what they have at hand."""
        self._stop.set()
        for thread in self._annotators:
            thread.join(30)

    def wait_for_tables(self, patience_s: float) -> int:
        """Until the people's sessions have ended; gives how many of them have not, and sends all away."""
        end = time.monotonic() + patience_s
        while any(not table.done() for table in self.tables) and time.monotonic() < end:
            time.sleep(1)
        left = sum(not table.done() for table in self.tables)
        for table in self.tables:
            table.cancel()
        return left
