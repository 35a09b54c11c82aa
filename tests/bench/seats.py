"""People at the table: 50 of them in 12 sessions at once, and how long their words take to everybody's screen.

`python -m tests.bench.seats [PEOPLE SESSIONS [SECONDS]]` over an embedded installation, with the reference agent.
Each person has a socket open, asks for their turn whenever something comes, as the page does, and answers after a
while: between a half and one and a half times so many seconds, 6 where nothing is said. People need longer to read
and type; at 0 everybody answers at once, and what is measured is how much the machine can do.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import statistics
import sys
import tempfile
import time
import urllib.parse
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from tests.installation import Installation, free_port
from tests.sitting import Insider
from tests.websocket import TEXT, Socket
from tests.worker.test_seat_privacy import TOKEN, Browser

TASKS = ("starter_05", "starter_10", "starter_11", "starter_09")
WORDS = ("都可以，我没有特别的要求。", "我都听大家的。", "没问题，就这样吧。", "我再想想，先这样。")
SECONDS = 90.0


@dataclass
class DeliveryTimes:
    """When words were sent, and when each of the others had them."""

    sent_at: dict[tuple[str, str], float] = field(default_factory=dict)
    clock: dict[tuple[str, str], float] = field(default_factory=dict)
    took: list[float] = field(default_factory=list)
    posts: list[float] = field(default_factory=list)
    looks: list[float] = field(default_factory=list)


@dataclass
class Person:
    """A browser without a screen."""

    site: Installation
    session: str
    name: str
    seat: str
    cookie: str
    token: str
    times: DeliveryTimes
    thinks_s: float
    number: int = 0
    news: asyncio.Event = field(default_factory=asyncio.Event)

    async def request(self, path: str, fields: dict[str, str] | None = None) -> str:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.site.port)
        body = urllib.parse.urlencode({"csrfmiddlewaretoken": self.token, **fields}) if fields else ""
        host = f"127.0.0.1:{self.site.port}"
        lines = [
            f"{'POST' if fields else 'GET'} {path} HTTP/1.1",
            *(f"Host: {host}", f"Origin: http://{host}", f"Cookie: {self.cookie}", "Connection: close"),
            "HX-Request: true",
            *("Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(body)}", "", body),
        ]
        writer.write("\r\n".join(lines).encode())
        answer = await reader.read()
        writer.close()
        return answer.decode(errors="replace")

    async def live(self) -> None:
        """Follow the session to its end."""
        guest = self.seat.strip("/").split("/")[-1]
        socket = await Socket.connect(self.site.port, f"/ws/seats/{guest}/?after=0", self.cookie)
        with suppress(asyncio.CancelledError):
            looking = asyncio.create_task(self.keep_looking())
            while True:
                kind, data = await socket.frame()
                if kind != TEXT:
                    continue
                told, now = json.loads(data), time.monotonic()
                if "events" in told:
                    socket.send(json.dumps({"read": told["receipt"]}).encode())
                    for frame in told["events"]:
                        self.notice(frame, now)
                    if told["events"][-1]["type"] == "session_finished":
                        break
                self.news.set()
        looking.cancel()

    def notice(self, frame: dict[str, str], now: float) -> None:
        if frame["type"] == "message_posted":
            found = re.search(r"#(\w+)#", frame["html"])
            if found and (at := self.times.sent_at.get((self.session, found[1]))):
                self.times.took.append((now - at) * 1000)

    async def keep_looking(self) -> None:
        """Ask for the turn after whatever came, as the page does, and answer where it is theirs."""
        answering: asyncio.Task[None] | None = None
        while True:
            await self.news.wait()
            await asyncio.sleep(0.12 + random.random() * 0.25)
            self.news.clear()
            begun = time.monotonic()
            page = await self.request(self.seat + "now/")
            self.times.looks.append((time.monotonic() - begun) * 1000)
            if 'data-standing="yours"' in page and (answering is None or answering.done()):
                answering = asyncio.create_task(self.answer())

    async def answer(self) -> None:
        await asyncio.sleep(self.thinks_s * random.uniform(0.5, 1.5))
        self.number += 1
        mark = f"{self.name}x{self.number}"
        words = f"{WORDS[self.number % len(WORDS)]}#{mark}#"
        self.times.clock[self.session, mark] = time.time()
        self.times.sent_at[self.session, mark] = begun = time.monotonic()
        await self.request(self.seat + "say/", {"client_id": mark, "content": words, "sure": "1"})
        self.times.posts.append((time.monotonic() - begun) * 1000)


def come(site: Installation, link: str) -> tuple[str, str, str]:
    """A seat's address, the browser's cookie, and its token for forms."""
    browser = Browser(site)
    browser.url = link
    browser.post(link)
    seat = browser.url
    browser.post(seat + "consent/", agree="1")
    browser.post(seat + "practised/")
    token = TOKEN.search(browser.get(seat))
    assert token is not None
    return seat, browser.cookie, token[1]


def seat_people(site: Installation, people: int, sessions: int, thinks_s: float) -> list[Person]:
    """So many people in so many sessions, every traveller's seat a person's as long as there are any."""
    insider, heard, found = Insider(site), DeliveryTimes(), list[Person]()
    for number in range(sessions):
        each = (people - len(found) + sessions - number - 1) // (sessions - number)
        names = [f"User{place}" for place in range(1, each + 1)]
        made = insider.ask("make", task=TASKS[number % len(TASKS)], people=names, seed=number, turn_s=None)
        for name, link in made["links"].items():
            found.append(Person(site, made["session"], name, *come(site, link), heard, thinks_s))
    return found


async def all_live(people: list[Person]) -> None:
    """For a while."""
    tasks = [asyncio.create_task(person.live()) for person in people]
    await asyncio.wait(tasks, timeout=SECONDS)
    for task in tasks:
        task.cancel()


def session_ended(site: Installation, session: str) -> bool:
    found = site.query(f"SELECT status FROM caravan_sessions_session WHERE id = '{session}'")
    return found[0][0] not in ("queued", "running")


STEPS = """
    SELECT e.session_id, i.client_id, (julianday(i.created_at) - 2440587.5) * 86400,
           (julianday(e.at) - 2440587.5) * 86400
    FROM seats_inboxmessage i JOIN seats_seat s ON s.id = i.seat_id
    JOIN caravan_sessions_event e ON e.session_id = s.session_id AND e.seq = i.taken_at_seq
"""


def steps(site: Installation, heard: DeliveryTimes) -> tuple[list[float], list[float]]:
    """Milliseconds until words had arrived, and from there until they were an event."""
    rows = cast("list[tuple[str, str, float, float]]", site.query(STEPS))
    found = [
        (1000 * (arrived - heard.clock[session, mark]), 1000 * (event - arrived))
        for session, mark, arrived, event in rows
        if (session, mark) in heard.clock
    ]
    return [arrived for arrived, _ in found], [event for _, event in found]


def latency_text(what: str, spent: list[float]) -> str:
    cuts = statistics.quantiles(spent, n=20)
    median, slowest = statistics.median(spent), max(spent)
    return f"{what}: {len(spent)}, median {median:.0f} ms, p95 {cuts[18]:.0f} ms, slowest {slowest:.0f} ms"


def main(people: int = 50, sessions: int = 12, thinks_s: float = 6) -> None:
    """See above."""
    with tempfile.TemporaryDirectory() as folder:
        site = Installation(Path(folder) / "data", free_port())
        try:
            site.wait_for("a demo session has started")
            there = seat_people(site, people, sessions, thinks_s)
            by_session = defaultdict(int)
            for person in there:
                by_session[person.session] += 1
            print(
                f"{len(there)} people in {len(by_session)} sessions, each answers after {thinks_s:g} s or so"
            )
            before = os.getloadavg()[0]
            asyncio.run(all_live(there))
            print(f"load average: {before:.1f} before, {os.getloadavg()[0]:.1f} after, own work included")
            heard = there[0].times
            print(
                f"{len(heard.sent_at)} messages; {sum(session_ended(site, s) for s in by_session)} sessions ended"
            )
            print(latency_text("words to a screen", heard.took))
            for what, spent in zip(
                ("until they arrived", "from there to an event"), steps(site, heard), strict=True
            ):
                print(latency_text(what, spent))
            print(latency_text("sending them", heard.posts))
            print(latency_text("asking for the turn", heard.looks))
        finally:
            site.stop()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]), *map(float, sys.argv[3:4]))
