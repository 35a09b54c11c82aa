"""Sockets of many viewers at once: who gets through, and what the web server writes to its log meanwhile.

`python -m tests.bench.handshakes [VIEWERS]` over an embedded installation, 310 where nothing is said. First each
loads the page of a session and opens its socket, as after a restart of the server, half of them on a long log and
half on one that grows; who is refused comes again after 1 to 2 s. Then so many less ten come who give a handshake
up after 2 s and try again at once.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.bench.overload import load, signed_in
from tests.browser.conftest import Burst
from tests.installation import Installation, free_port
from tests.websocket import TEXT, Socket

VIEWERS = 310
EVENTS = 400
RATE = 5.0
PATIENCE_S = 30.0
"""As a browser waits for a handshake, or longer."""
WHOLE_S = 60.0
IMPATIENCE_S = 2.0
CONNECTION_ERRORS = (OSError, TimeoutError, asyncio.IncompleteReadError, AssertionError)
"""What a client meets whose handshake fails, or whose socket ends."""


@dataclass
class Crowd:
    """What became of the viewers: seconds that a handshake took, seconds from their coming, a page included, to the
    first frame, and how many handshakes were begun.
    """

    accept_seconds: list[float] = field(default_factory=list)
    feed_seconds: list[float] = field(default_factory=list)
    tries: int = 0
    pages: int = 0

    def summary_of(self, of: int) -> str:
        """In one line."""
        return (
            f"{len(self.accept_seconds)} of {of} accepted ({_timing_text(self.accept_seconds)}), "
            f"{len(self.feed_seconds)} fed ({_timing_text(self.feed_seconds)}), "
            f"{self.tries} handshakes, {self.pages} pages"
        )


def _timing_text(seconds: Sequence[float]) -> str:
    if not seconds:
        return "none"
    return f"median {statistics.median(seconds):.1f} s, slowest {max(seconds):.1f} s"


@dataclass
class Viewers:
    """Those who watch one of these sessions over this port."""

    port: int
    cookie: str
    sessions: Sequence[str]
    crowd: Crowd = field(default_factory=Crowd)

    def _path(self, number: int) -> str:
        return f"/ws/sessions/{self.sessions[number % len(self.sessions)]}/"

    async def patient(self, number: int) -> None:
        """Load the page, open the socket and read until stopped; after a failure again in 1 to 2 s."""
        begun = time.monotonic()
        await self._load(self.sessions[number % len(self.sessions)])
        while True:
            try:
                await self._watch(number, begun, PATIENCE_S)
            except CONNECTION_ERRORS:
                await asyncio.sleep(random.uniform(1, 2))

    async def impatient(self, number: int) -> None:
        """Try at once again after each handshake that takes too long; once fed, stay."""
        begun = time.monotonic()
        while True:
            try:
                await self._watch(number, begun, IMPATIENCE_S)
            except CONNECTION_ERRORS:
                await asyncio.sleep(0.05)

    async def _load(self, session: str) -> None:
        try:
            async with asyncio.timeout(PATIENCE_S):
                status, _ = await load(self.port, f"/sessions/{session}/", self.cookie)
                self.crowd.pages += status == 200
        except CONNECTION_ERRORS:
            pass

    async def _watch(self, number: int, begun: float, patience_s: float) -> None:
        self.crowd.tries += 1
        tried = time.monotonic()
        async with asyncio.timeout(patience_s):
            socket = await Socket.connect(self.port, self._path(number), self.cookie)
        self.crowd.accept_seconds.append(time.monotonic() - tried)
        try:
            await self._read(socket, begun)
        finally:
            socket.writer.close()

    async def _read(self, socket: Socket, begun: float) -> None:
        first = True
        while True:
            kind, data = await socket.frame()
            assert kind != 8, data
            if kind != TEXT:
                continue
            told = json.loads(data)
            if "receipt" in told:
                socket.send(json.dumps({"read": told["receipt"]}).encode())
            if first:
                self.crowd.feed_seconds.append(time.monotonic() - begun)
                first = False


async def run_until_fed(ways: Sequence[Coroutine[Any, Any, None]], crowd: Crowd, seconds: float) -> None:
    """Let them come all at once, until all are fed, for so long at most."""
    tasks = [asyncio.create_task(way) for way in ways]
    end = time.monotonic() + seconds
    while time.monotonic() < end and len(crowd.feed_seconds) < len(tasks):
        await asyncio.sleep(0.1)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def log_of(site: Installation) -> str:
    """What the web server has written: its size and what went wrong."""
    text = (site.data / "log" / "web.log").read_text()
    return f"web.log {len(text) / 1e6:.2f} MB, {text.count('Traceback')} tracebacks"


def main(viewers: int = VIEWERS) -> None:
    """Print what became of both crowds."""
    with tempfile.TemporaryDirectory() as folder:
        site = Installation(Path(folder) / "data", free_port())
        try:
            site.wait_for("a demo session has started")
            cookie = signed_in(site)
            long, grows = Burst(site, EVENTS, 100_000.0, 3), Burst(site, 100_000, RATE, 3)
            long.begin()
            long.commits()
            grows.begin()
            print(f"load average {os.getloadavg()[0]:.1f}")
            sessions = (long.session, grows.session)
            patient = Viewers(site.port, cookie, sessions)
            asyncio.run(run_until_fed([patient.patient(n) for n in range(viewers)], patient.crowd, WHOLE_S))
            print(f"patient: {patient.crowd.summary_of(viewers)}; {log_of(site)}", flush=True)
            time.sleep(12)  # what was left is put away
            few = viewers - 10
            hasty = Viewers(site.port, cookie, sessions)
            asyncio.run(run_until_fed([hasty.impatient(n) for n in range(few)], hasty.crowd, WHOLE_S / 2))
            print(f"impatient: {hasty.crowd.summary_of(few)}; {log_of(site)}")
            time.sleep(12)
            print(f"afterwards: {log_of(site)}; load average {os.getloadavg()[0]:.1f}")
        finally:
            site.stop()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
