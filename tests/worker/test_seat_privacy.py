"""Whoever sits in a seat is sent nothing of the others: every byte of pages and sockets through a whole session."""

from __future__ import annotations

import asyncio
import http.cookiejar
import json
import re
import threading
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

from tests.installation import Installation
from tests.sitting import Insider
from tests.websocket import TEXT, Socket

pytestmark = pytest.mark.slow
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')


class Browser:
    """Keeps its cookies, and every byte that it was sent."""

    def __init__(self, site: Installation) -> None:
        self.site, self.traffic = site, bytearray()
        self.jar = http.cookiejar.CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))

    def get(self, path: str) -> str:
        with self.opener.open(self.site.url(path)) as answer:
            self.url = urllib.parse.urlparse(answer.url).path
            return self._read(answer)

    def post(self, path: str, **fields: str) -> str:
        token = TOKEN.search(self.get(self.url))
        assert token is not None
        with self.send(path, csrfmiddlewaretoken=token[1], **fields) as answer:
            self.url = urllib.parse.urlparse(answer.url).path
            return self._read(answer)

    def send(self, path: str, **fields: str) -> Any:
        """A form with the token of a page that was read before."""
        return self.opener.open(self.site.url(path), urllib.parse.urlencode(fields).encode(), 20)

    def _read(self, answer: Any) -> str:
        head = str(answer.headers).encode()
        body = answer.read()
        self.traffic += head + body
        return str(body.decode())

    @property
    def cookie(self) -> str:
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.jar)


def come(site: Installation, link: str) -> tuple[Browser, str]:
    """A browser that took its seat, and the seat's address."""
    browser = Browser(site)
    browser.url = link
    browser.post(link)
    seat = browser.url
    browser.post(seat + "consent/", agree="1")
    browser.post(seat + "practised/")
    return browser, seat


async def watch(site: Installation, browser: Browser, seat: str, done: asyncio.Event) -> None:
    """Read frames to the session's end, as the page does: each is confirmed."""
    guest = seat.strip("/").split("/")[-1]
    socket = await Socket.connect(site.port, f"/ws/seats/{guest}/?after=0", browser.cookie)
    while not done.is_set():
        kind, data = await socket.frame()
        browser.traffic += data
        if kind != TEXT:
            continue
        told = json.loads(data)
        if "events" in told:
            socket.send(json.dumps({"read": told["receipt"]}).encode())
            if any(frame["type"] == "session_finished" for frame in told["events"]):
                done.set()


async def play(site: Installation, insider: Insider, seats: dict[str, tuple[Browser, str]]) -> None:
    """Everybody does what the scripted traveller would, until the session has ended."""
    done = asyncio.Event()
    watching = [asyncio.create_task(watch(site, *seat, done)) for seat in seats.values()]
    number = 0
    while not done.is_set():
        for browser, seat in seats.values():
            act = await asyncio.to_thread(insider.ask, "act", guest=seat.strip("/").split("/")[-1])
            if act is None:
                continue
            number += 1
            fields = {"content": act["content"]} if act["content"] else {"pass": "1"}
            sent = {"client_id": f"c{number}", "sure": "1", **fields}
            browser.url = seat
            await asyncio.to_thread(browser.post, seat + "say/", **sent)
        await asyncio.sleep(0.1)
    for task in watching:
        task.cancel()


def names_in(table: Any) -> Iterator[str]:
    """Every text that a preference table holds as a value."""
    if isinstance(table, dict):
        for value in table.values():
            yield from names_in(value)
    elif isinstance(table, list):
        for value in table:
            yield from names_in(value)
    elif isinstance(table, str):
        yield table


class Program(Browser):
    """A program at a seat, over the API."""

    def __init__(self, site: Installation, token: str) -> None:
        super().__init__(site)
        self.token, self.number = token, 0
        self.messages: list[str] = []

    def call(self, path: str, body: Any = None) -> Any:
        head = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        with self.opener.open(urllib.request.Request(self.site.url(path), data, head), timeout=60) as answer:
            found = json.loads(self._read(answer))
        self.messages.append(json.dumps(found, ensure_ascii=False))  # what was sent has its letters escaped
        return found

    def go_on(self) -> None:
        """Ask again and again, and say something short at each turn, until the session has ended."""
        self.call("/api/seat/join", {"program": "robot", "version": "1"})
        seq, status = 0, ""
        while status != "ended":
            table = self.call(f"/api/seat/view?after={seq}&wait=5")
            seq, status = table["seq"], table["status"]
            if status == "your_turn":
                self.number += 1
                said = {"type": "say", "content": f"都可以。{self.number}"}
                act = {"client_id": f"p{self.number}", "turn": table["turn"]["seq"], "action": said}
                with suppress(urllib.error.HTTPError):  # the turn is over by now
                    self.call("/api/seat/actions", act)


MAKE_SESSION = """
import json
from benchmark.core.attendance import Attendance
from webapp.catalogue.models import Task, World
from webapp.endpoints.choice import SeatPlayer
from webapp.people.invitations import invite
from webapp.sessions import services
seats = {"User1": SeatPlayer("person"), "User2": SeatPlayer("person"), "User3": SeatPlayer("inbox")}
session = services.create_session(
    task=Task.objects.get(task_id="starter_02"), world=World.objects.get(name="starter"),
    setup=services.Setup(seats=seats, attendance=Attendance(turn_s=None)),
)
links = {seat.name: invite(seat=seat) for seat in session.seats.filter(name__in=seats)}
print(json.dumps({"session": session.pk, "links": {name: link.get_absolute_url() for name, link in links.items()},
    "token": links["User3"].token}))
"""


def test_a_seat_is_sent_nothing_of_the_others(site: Installation) -> None:
    """Two people and a program, to the end and what comes after it; each of them got every byte that is looked at."""
    insider = Insider(site)
    made = json.loads(site.inside.run(MAKE_SESSION))
    program = Program(site, made["token"])
    seats = {name: come(site, made["links"][name]) for name in ("User1", "User2")}
    talking = threading.Thread(target=program.go_on, daemon=True)
    talking.start()
    asyncio.run(play(site, insider, seats))
    talking.join(30)
    assert not talking.is_alive()
    for browser, seat in seats.values():
        for path in (seat, seat + "now/", seat + "leave/"):
            browser.get(path)
        with suppress(urllib.error.HTTPError):
            browser.get(seat + "desk/")
    program.call("/api/seat/view")

    log = insider.ask("log", session=made["session"])
    assert {"marker_attempted", "tool_called", "table_inferred"} <= {event["type"] for event in log}
    got = {name: browser.traffic.decode() for name, (browser, _seat) in seats.items()}
    got["User3"] = program.traffic.decode() + "".join(program.messages)
    cards = {
        event["payload"]["user"]: event["payload"]["card"] for event in log if event["type"] == "card_dealt"
    }
    said = " ".join(e["payload"]["content"] for e in log if e["type"] == "message_posted")
    plans = json.dumps([e["payload"] for e in log if e["type"] == "plan_proposed"], ensure_ascii=False)
    opened = json.dumps(log[0]["payload"], ensure_ascii=False)
    for name, text in got.items():
        public = said + plans + opened + json.dumps(cards[name], ensure_ascii=False)
        for other, card in cards.items():
            kept = [item for item in names_in(card["preference"]) if item not in public]
            assert other == name or not [item for item in kept if item in text], (name, other)
        assert_nothing_hidden(name, text, log)
    assert len(said) > 1000 and all(len(text) > 20_000 for text in got.values())


def assert_nothing_hidden(name: str, text: str, log: list[dict[str, Any]]) -> None:
    """No tool call, no marker, no note or belief of the agent, nothing of who is there."""
    for event in log:
        payload, kind = event["payload"], event["type"]
        if event["audience"] in ("all", f"user:{name}"):
            continue
        assert f'id="e{event["seq"]}"' not in text and f'"seq": {event["seq"]}, "prev"' not in text, event
        if kind == "tool_called":
            assert payload["call_id"] not in text and f">{payload['name']}<" not in text
        elif kind == "tool_returned":
            assert payload["result"][:60] not in text
        elif kind == "marker_attempted":
            assert payload["marker"] not in text
    assert '"tool_log": [{' not in text and not [kind for kind in HIDDEN_EVENTS if kind in text]


HIDDEN_EVENTS = (
    "tool_called",
    "table_inferred",
    "marker_attempted",
    "agent_noted",
    "participant_joined",
    "model_called",
)
REFUSAL_CODES = {401, 403, 404}


def refused(browser: Browser, path: str) -> bool:
    """Whether an address gives nothing: an error, or the page to sign in."""
    try:
        browser.get(path)
    except urllib.error.HTTPError as error:
        return error.code in REFUSAL_CODES
    return browser.url.startswith("/signin")


async def closing(site: Installation, path: str, cookie: str) -> int:
    socket = await Socket.connect(site.port, path, cookie)
    return (await asyncio.wait_for(socket.closing(), 20))[0]


def test_a_seat_can_not_be_reached_by_others(site: Installation) -> None:
    insider = Insider(site)
    made, other = (insider.ask("make", task="starter_01", people=["User1"], turn_s=None) for _ in range(2))
    link = made["links"]["User1"]
    browser, seat = come(site, link)
    neighbour, _own = come(site, other["links"]["User1"])
    stranger = Browser(site)
    guest = seat.strip("/").split("/")[-1]
    for who in (stranger, neighbour):
        assert all(refused(who, seat + part) for part in ("", "now/", "leave/", "desk/", "desk/plan/"))
        with pytest.raises(urllib.error.HTTPError) as taken:
            who.get(link)
            who.post(link)
        assert taken.value.code == 403
        assert asyncio.run(closing(site, f"/ws/seats/{guest}/", who.cookie)) == 4403
    of_researchers = [
        f"/sessions/{made['session']}/{part}"
        for part in (
            "",
            "events/3.json",
            "record.jsonl",
            "panel/preferences/",
            "seats/",
            "seats/live/",
            "people.csv",
        )
    ]
    of_researchers += ["/", "/sessions/", "/runs/", "/tasks/", "/models/", "/jobs/", "/studies/"]
    for who in (browser, neighbour, stranger):
        assert [path for path in of_researchers if not refused(who, path)] == []
        assert asyncio.run(closing(site, f"/ws/sessions/{made['session']}/", who.cookie)) == 4401
    for token in (None, "1", guest, link.strip("/").split("/")[-1]):
        program = Program(site, token or "")
        for path in ("/api/seat/view", "/api/seat/here"):
            with pytest.raises(urllib.error.HTTPError) as refusal:
                program.call(path)
            assert refusal.value.code in (401, 403, 404, 405), (token, path)

    assert "no-store" in browser.traffic.decode() and "Cache-Control: public" not in browser.traffic.decode()
    token = link.strip("/").split("/")[-1].split("-")[1]
    logs = site.output_text() + "".join(path.read_text() for path in (site.data / "log").iterdir())
    assert (
        "/join/***" in logs
        and token not in logs
        and token.encode() not in browser.traffic.replace(link.encode(), b"")
    )
