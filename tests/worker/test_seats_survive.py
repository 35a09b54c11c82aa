"""Two people at the table while the web server, the worker and Valkey are killed, each in turn, by SIGKILL."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import time
from dataclasses import dataclass, field
from http.client import HTTPException
from itertools import pairwise
from typing import Any

import pytest

from tests.installation import Installation
from tests.sitting import Insider
from tests.websocket import CLOSE, TEXT, Socket
from tests.worker.test_seat_privacy import TOKEN, Browser, come

pytestmark = pytest.mark.slow
VICTIMS = ("daphne", "celery", "valkey")
PATIENCE_S = 150.0
EVENT_ID = re.compile(r'id="e(\d+)"')


@dataclass
class Person:
    """A page without a screen: it comes back by its cursor, and sends again what was not answered, never reloaded."""

    site: Installation
    name: str
    browser: Browser
    seat: str
    token: str
    frames: list[dict[str, Any]] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)
    lost: int = 0
    repeats: int = 0
    ended: bool = False

    @property
    def guest(self) -> str:
        return self.seat.strip("/").split("/")[-1]

    async def follow(self) -> None:
        """Read to the end, as `seat.js` does."""
        while not self.ended:
            try:
                await self._read()
            except (OSError, asyncio.IncompleteReadError, AssertionError):
                self.lost += 1
                await asyncio.sleep(0.3)

    async def _read(self) -> None:
        last = self.frames[-1]["seq"] if self.frames else 0
        path = f"/ws/seats/{self.guest}/?after={last}"
        socket = await Socket.connect(self.site.port, path, self.browser.cookie)
        while not self.ended:
            kind, data = await socket.frame()
            if kind == CLOSE:
                raise ConnectionResetError
            if kind == TEXT and "events" in (told := json.loads(data)):
                socket.send(json.dumps({"read": told["receipt"]}).encode())
                self.frames += told["events"]
                self.ended = any(frame["type"] == "session_finished" for frame in told["events"])

    async def send(self, content: str) -> None:
        """One message, or a pass, until an answer says that it has arrived; always with the same id."""
        self.messages.append(content)
        fields = {"content": content} if content else {"pass": "1", "content": ""}
        given = {"client_id": f"{self.name}-{len(self.messages)}", "sure": "1", **fields}
        while not await asyncio.to_thread(self._arrives, given):
            self.repeats += 1
            await asyncio.sleep(0.2)

    def _arrives(self, given: dict[str, str]) -> bool:
        try:
            with self.browser.send(self.seat + "say/", csrfmiddlewaretoken=self.token, **given) as answer:
                return answer.headers.get("HX-Trigger") == "seat:sent"
        except (OSError, HTTPException):
            return False


def person_at(site: Installation, name: str, link: str) -> Person:
    browser, seat = come(site, link)
    token = TOKEN.search(browser.get(seat))
    assert token is not None
    return Person(site, name, browser, seat, token[1])


async def play(site: Installation, insider: Insider, people: list[Person]) -> None:
    """Everybody does what the scripted traveller would; now and then a process dies as the next message is sent."""
    following = [asyncio.create_task(person.follow()) for person in people]
    victims, end, messages = list(VICTIMS), time.monotonic() + PATIENCE_S, 0
    while not all(person.ended for person in people):
        assert time.monotonic() < end, site.output_text()
        for person in people:
            act = await asyncio.to_thread(insider.ask, "act", guest=person.guest)
            if act is None:
                continue
            sending = asyncio.create_task(person.send(act["content"]))
            messages += 1
            if victims and messages % 2 == 0:
                await asyncio.sleep(0.01 * messages)  # before it arrives, while it is stored, after
                os.kill(site.children()[victims.pop(0)], signal.SIGKILL)
            await sending
        await asyncio.sleep(0.05)
    await asyncio.gather(*following)
    assert victims == [], f"{messages} messages were too few"


def test_two_people_lose_nothing_when_processes_are_killed(site: Installation) -> None:
    insider = Insider(site)
    made = insider.ask("make", task="starter_01", people=["User1", "User2"], turn_s=None)
    people = [person_at(site, name, link) for name, link in made["links"].items()]
    asyncio.run(play(site, insider, people))

    end = time.monotonic() + 30
    while (found := insider.ask("session", session=made["session"]))["scores"] == 0:
        assert time.monotonic() < end, found
        time.sleep(0.2)
    assert (found["status"], found["plan_generated"]) == ("finished", True)
    log = insider.ask("log", session=made["session"])
    assert [event["seq"] for event in log] == list(range(1, len(log) + 1))
    assert [event["type"] for event in log].count("session_finished") == 1
    for person in people:
        assert person.lost, "its socket was lost and came back"
        own = [e for e in log if e["actor"] == person.name and e["type"] in ("message_posted", "passed")]
        own = [e["payload"].get("content", "") for e in own if not e["payload"].get("opening")]
        once = [
            said for at, said in enumerate(own) if said or at == 0 or own[at - 1]
        ]  # one pass may count thrice
        sent = [said for at, said in enumerate(person.messages) if said or at == 0 or person.messages[at - 1]]
        assert [said.split("\n[")[0] for said in sent] == once
        seqs = [frame["seq"] for frame in person.frames]
        assert seqs == sorted(set(seqs)), "nothing was shown twice"
        assert all(later["prev"] == sooner["seq"] for sooner, later in pairwise(person.frames)), (
            "nothing is missing"
        )
        posted = [event["seq"] for event in log if event["type"] == "message_posted"]
        assert [frame["seq"] for frame in person.frames if frame["type"] == "message_posted"] == posted
        page = person.browser.get(person.seat)
        assert "data-ended" in page and set(map(int, EVENT_ID.findall(page))) <= set(seqs)
    said = site.output_text()
    assert all(f"{name} ended" in said for name in ("web", "worker", "valkey")), said
