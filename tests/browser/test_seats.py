"""Two people on phones and two scripted travellers plan a trip: from the link to the questionnaire."""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.conftest import _is_problem
from tests.browser.proxy import Proxy
from tests.installation import Installation, free_port
from tests.sitting import Insider

pytestmark = [pytest.mark.browser, pytest.mark.slow]
MARKER = re.compile(r"\n?\[[^\]:]+:.*\]\s*$", re.DOTALL)
SENT_OR_ASKED = """
id => document.querySelector('#say [name=client_id]').value !== id || document.getElementById('send-anyway')
"""
PHONE = {"width": 390, "height": 844}


@pytest.fixture
def insider(site: Installation) -> Iterator[Insider]:
    asked = Insider(site)
    yield asked
    asked.close()


@pytest.fixture
def phones(chromium: Browser) -> Iterator[Callable[..., BrowserContext]]:
    """Makes browser profiles of their own; one that logs an error fails its test."""
    made: list[BrowserContext] = []
    problems: list[str] = []

    def phone(**options: Any) -> BrowserContext:
        fresh = chromium.new_context(viewport=PHONE, has_touch=True, **options)  # type: ignore[arg-type]
        fresh.on("weberror", lambda error: problems.append(str(error.error)))
        fresh.on(
            "console", lambda line: problems.append(line.text) if _is_problem(line.type, line.text) else None
        )
        made.append(fresh)
        return fresh

    yield phone
    for context in made:
        context.close()
    assert problems == []


@dataclass
class Seat:
    """A person at their page."""

    page: Page
    insider: Insider

    @property
    def guest(self) -> str:
        return self.page.url.rstrip("/").split("/")[-1].split("?")[0]

    def come(self, url: str) -> None:
        """By the link, through consent and practice."""
        page = self.page
        page.goto(url)
        page.get_by_role("button").click()
        page.get_by_role("checkbox").check()
        page.locator("button.primary").click()
        page.get_by_role("textbox").fill("...")
        page.locator("#practice-form .primary").click()
        expect(page.locator("#practice .msg")).to_have_count(3)
        page.locator("#ready").click()
        expect(page.locator("#live")).to_have_class(re.compile(r"\bon\b"))
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]

    @property
    def standing(self) -> str:
        return self.page.locator("#now").get_attribute("data-standing") or ""

    def acts(self) -> dict[str, Any] | None:
        """What the scripted traveller would do, where it is their turn."""
        found: dict[str, Any] | None = self.insider.ask("act", guest=self.guest)
        return found

    def send(self, content: str) -> None:
        """Type words and send them; an empty text is a pass."""
        page = self.page
        sent = page.locator("#say [name=client_id]").input_value()
        if content:
            page.locator("#words").fill(content)
            page.locator("#say .send").click()
            anyway = page.locator("#send-anyway")
            page.wait_for_function(SENT_OR_ASKED, arg=sent)
            if anyway.count():
                anyway.click()
        else:
            page.locator("#say [name=pass]").click()
        page.wait_for_function(
            "id => document.querySelector('#say [name=client_id]')?.value !== id", arg=sent
        )


def play(
    seats: dict[str, Seat],
    decide: Callable[[str, Seat, dict[str, Any]], None],
    patience_s: float,
) -> None:
    """Until the session has ended for everybody."""
    end = time.monotonic() + patience_s
    while time.monotonic() < end:
        if all(seat.page.locator(".after").count() for seat in seats.values()):
            return
        for name, seat in seats.items():
            if not seat.page.locator(".after").count() and seat.standing == "yours" and (act := seat.acts()):
                decide(name, seat, act)
        next(iter(seats.values())).page.wait_for_timeout(150)
    raise AssertionError("the session did not end")


def test_two_phones_and_scripted_users_plan_a_trip(
    site: Installation, insider: Insider, phones: Callable[..., BrowserContext]
) -> None:
    made = insider.ask(
        "make", task="starter_02", people=["User2", "User3"], turn_s=25.0, remind_s=10.0, misses=5
    )
    seats = {name: Seat(phones().new_page(), insider) for name in ("User2", "User3")}
    seats["User2"].come(site.url(made["links"]["User2"]))
    expect(seats["User2"].page.locator("#standing")).to_contain_text("1")
    proxy = Proxy(site.port)
    seats["User3"].come(f"http://127.0.0.1:{proxy.port}{made['links']['User3']}")
    done: list[str] = []

    def decide(name: str, seat: Seat, act: dict[str, Any]) -> None:
        page = seat.page
        if name == "User2" and "missed" not in done and not act["solicited"]:
            done.append("missed")
            expect(page.locator(".reminder")).to_be_visible(timeout=30_000)
            expect(page.locator(".missed-turn")).to_have_count(1, timeout=30_000)
            return
        if name == "User3" and "away" not in done:
            done.append("away")
            page.locator("#words").fill("还没写完")
            page.wait_for_timeout(800)
            proxy.cut(10.0)
            expect(page.locator("#live")).to_have_class(re.compile(r"\bon\b"), timeout=15_000)
            expect(page.locator("#words")).to_have_value("还没写完")
            page.reload()
            expect(page.locator("#words")).to_have_value("还没写完")
            expect(page.locator("#live")).to_have_class(re.compile(r"\bon\b"))
            if seat.standing != "yours":
                return
        if MARKER.search(act["content"]):
            gives_way(name, seat, act, done)
        else:
            seat.send(act["content"])

    play(seats, decide, 300)
    proxy.close()
    assert {"missed", "away", "User2 gave way", "User3 refused"} <= set(done)
    log = insider.ask("log", session=made["session"])
    types = [event["type"] for event in log]
    given = [event["payload"]["user"] for event in log if event["type"] == "compromise_applied"]
    assert given == ["User2"]
    assert {"turn_reminded", "turn_missed", "plan_proposed"} <= set(types)
    presence = [e["payload"]["presence"] for e in log if e["type"] == "presence_changed"]
    assert presence.count("joined") == 2 and "disconnected" in presence and "back" in presence
    assert [event["seq"] for event in log] == list(range(1, len(log) + 1))
    assert insider.ask("session", session=made["session"])["plan_generated"]
    for seat in seats.values():
        expect(seat.page.locator(".after .code output")).not_to_be_empty()


@pytest.fixture
def own_site(tmp_path: Path) -> Iterator[Installation]:
    """An installation whose processes a test may kill."""
    installation = Installation(tmp_path / "data", free_port())
    try:
        installation.wait_for("a demo session has started")
        yield installation
    finally:
        installation.stop()


def test_two_people_go_on_when_processes_are_killed(
    own_site: Installation, phones: Callable[..., BrowserContext]
) -> None:
    insider = Insider(own_site)
    made = insider.ask("make", task="starter_en_01", people=["User1", "User2"], turn_s=None)
    seats = {name: Seat(phones().new_page(), insider) for name in made["links"]}
    loads: list[str] = []
    for name, seat in seats.items():
        seat.come(own_site.url(made["links"][name]))
        seat.page.on("load", lambda page: loads.append(page.url))
    to_kill = ["daphne", "celery", "valkey"]
    sent: list[tuple[str, str]] = []

    def decide(name: str, seat: Seat, act: dict[str, Any]) -> None:
        if to_kill and len(sent) > 3 * (3 - len(to_kill)):
            os.kill(own_site.children()[to_kill.pop(0)], signal.SIGKILL)
        seat.send(act["content"])
        sent.append((name, act["content"]))

    play(seats, decide, 240)
    assert to_kill == []
    assert len(loads) == 2, "each page was loaded again once, when the session was over"
    log = insider.ask("log", session=made["session"])
    assert [event["seq"] for event in log] == list(range(1, len(log) + 1))
    said = [
        (event["actor"], event["payload"].get("content", ""))
        for event in log
        if event["type"] in ("message_posted", "passed") and event["actor"] in seats
        if not event["payload"].get("opening")
    ]
    once = [
        each for at, each in enumerate(said) if each[1] or said[at - 1] != each
    ]  # a pass counts three times
    assert once == [(name, MARKER.sub("", content)) for name, content in sent]
    insider.close()


def gives_way(name: str, seat: Seat, act: dict[str, Any], done: list[str]) -> None:
    """User2 chooses what is asked for from the list and sends the words beside it; User3 keeps everything."""
    page = seat.page
    page.locator("#yield summary").click()
    if name != "User2":
        done.append(f"{name} refused")
        seat.send("抱歉，这个我不能让步。")
        return
    asked = page.locator(".offer.asked").first
    expect(asked.locator(".before-after s")).not_to_be_empty()
    asked.locator("input").check()
    seat.send(MARKER.sub("", act["content"]))
    done.append(f"{name} gave way")
    page.locator("#card summary").click()
    expect(page.locator("#card s").first).to_be_visible(timeout=10_000)
