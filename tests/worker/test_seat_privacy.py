"""Whoever sits in a seat is sent nothing of the others: every byte of pages and sockets through a whole session."""

from __future__ import annotations

import asyncio
import http.cookiejar
import json
import re
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.installation import Installation, free_port
from tests.sitting import Insider
from tests.websocket import TEXT, Socket

pytestmark = pytest.mark.slow
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')


class Browser:
    """Keeps its cookies, and every byte that it was sent."""

    def __init__(self, site: Installation) -> None:
        self.site, self.got = site, bytearray()
        self.jar = http.cookiejar.CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))

    def get(self, path: str) -> str:
        with self.opener.open(self.site.url(path)) as answer:
            self.url = urllib.parse.urlparse(answer.url).path
            return self._read(answer)

    def post(self, path: str, **fields: str) -> str:
        token = TOKEN.search(self.get(self.url))
        assert token is not None
        data = urllib.parse.urlencode({"csrfmiddlewaretoken": token[1], **fields}).encode()
        with self.opener.open(self.site.url(path), data) as answer:
            self.url = urllib.parse.urlparse(answer.url).path
            return self._read(answer)

    def _read(self, answer: Any) -> str:
        head = str(answer.headers).encode()
        body = answer.read()
        self.got += head + body
        return str(body.decode())

    @property
    def cookie(self) -> str:
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.jar)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Installation]:
    installation = Installation(tmp_path / "data", free_port())
    try:
        installation.wait_for("a demo session has started")
        yield installation
    finally:
        installation.stop()


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
    socket = await Socket.opened(site.port, f"/ws/seats/{guest}/?after=0", browser.cookie)
    while not done.is_set():
        kind, data = await socket.frame()
        browser.got += data
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


def test_a_seat_is_sent_nothing_of_the_others(site: Installation) -> None:
    insider = Insider(site)
    made = insider.ask("make", task="starter_02", people=["User1", "User2"], turn_s=None)
    seats = {name: come(site, link) for name, link in made["links"].items()}
    asyncio.run(play(site, insider, seats))
    for browser, seat in seats.values():
        for path in (seat, seat + "now/"):
            browser.get(path)

    log = insider.ask("log", session=made["session"])
    told = {
        event["payload"]["user"]: event["payload"]["card"] for event in log if event["type"] == "card_dealt"
    }
    said = " ".join(e["payload"]["content"] for e in log if e["type"] == "message_posted")
    plans = json.dumps([e["payload"] for e in log if e["type"] == "plan_proposed"], ensure_ascii=False)
    opened = json.dumps(log[0]["payload"], ensure_ascii=False)
    for name, (browser, _seat) in seats.items():
        got = browser.got.decode()
        own = json.dumps(told[name], ensure_ascii=False)
        for other, card in told.items():
            if other == name:
                continue
            for item in names_in(card["preference"]):
                if item not in said + plans + opened + own:
                    assert item not in got, (name, other, item)
        for event in log:
            payload = event["payload"]
            if event["type"] == "tool_called":
                assert payload["call_id"] not in got.split('"') and f">{payload['name']}<" not in got
            elif event["type"] == "tool_returned":
                assert payload["result"][:60] not in got and f'id="e{event["seq"]}"' not in got
            elif event["type"] == "marker_attempted":
                assert payload["marker"] not in got
            elif event["type"] in ("agent_noted", "table_inferred", "thought_kept", "model_called"):
                assert f'id="e{event["seq"]}"' not in got
        assert "tool_" not in got and "table_inferred" not in got and "marker_attempted" not in got
    assert any(event["type"] == "marker_attempted" for event in log)


def test_a_seat_can_not_be_reached_by_others(site: Installation) -> None:
    insider = Insider(site)
    made = insider.ask("make", task="starter_01", people=["User1"], turn_s=None)
    browser, seat = come(site, made["links"]["User1"])
    session = f"/sessions/{made['session']}/"
    stranger = Browser(site)
    for path in (seat, seat + "now/", seat + "leave/"):
        with pytest.raises(urllib.error.HTTPError) as refused:
            stranger.get(path)
        assert refused.value.code == 403
    with pytest.raises(urllib.error.HTTPError) as refused:
        stranger.get(made["links"]["User1"])
        stranger.post(made["links"]["User1"])
    assert refused.value.code == 403
    for path in (
        session,
        session + "events/3.json",
        session + "record.jsonl",
        session + "panel/preferences/",
    ):
        browser.get(path)
        assert browser.url.startswith("/signin"), path
    insider.close()
