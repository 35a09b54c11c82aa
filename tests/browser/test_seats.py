"""Two people on phones and two scripted travellers plan a trip: from the link to the questionnaire."""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, expect

from tests.browser.axe import COLOURS, problems
from tests.browser.conftest import _is_problem
from tests.browser.profiles import Profiles
from tests.browser.proxy import Proxy
from tests.browser.waiting import wait_until
from tests.installation import Installation
from tests.sitting import Insider

pytestmark = [pytest.mark.browser, pytest.mark.slow]
MARKER = re.compile(r"\n?\[[^\]:]+:.*\]\s*$", re.DOTALL)
_ANOTHER_MESSAGE = "id => document.querySelector('#say [name=client_id]')?.value !== id"
SENT_OR_ASKED = """
id => document.querySelector("#say [name=client_id]").value !== id
  || document.querySelector("#send-anyway, #only-words")
"""
TOO_SMALL = """
() => [...document.querySelectorAll("main :is(button, select, summary, textarea, input:not([type=hidden]))")]
  .map(each => each.matches("[type=checkbox], [type=radio]") ? each.closest("label") : each)
  .filter(each => each.checkVisibility() && each.getBoundingClientRect().height < 43.5)
  .map(each => `${each.getBoundingClientRect().height} px: ${each.outerHTML.slice(0, 120)}`)
"""
"""What is touched and less than 44 px high; of a box its label is touched too."""
PHONE = {"width": 390, "height": 844}


@pytest.fixture
def insider(site: Installation) -> Insider:
    return Insider(site)


@pytest.fixture
def phones(profiles: Profiles) -> Iterator[Callable[..., BrowserContext]]:
    """Gives browser profiles of their own; one that logs an error fails its test."""
    with ExitStack() as borrowed:

        def phone(**options: Any) -> BrowserContext:
            profile = profiles.borrow(is_bad, viewport=PHONE, has_touch=True, **options)
            return borrowed.enter_context(profile)

        yield phone


def is_bad(kind: str, text: str) -> bool:
    """Whether a line of the console tells of a fault; that somebody is not let in is none."""
    return _is_problem(kind, text) and "status of 403" not in text


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
        page.locator("main button.primary").click()
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
            anyway = page.locator("#send-anyway, #only-words")
            wait_until(page, SENT_OR_ASKED, sent)
            if anyway.count():
                anyway.click()
        else:
            page.locator("#say [name=pass]").click()
        wait_until(page, _ANOTHER_MESSAGE, sent)


def in_turn(seats: dict[str, Seat], patience_s: float = 20.0) -> str:
    """Whose turn it is, once it is that of one of them."""
    end = time.monotonic() + patience_s
    while time.monotonic() < end:
        found = next((name for name, seat in seats.items() if seat.standing == "yours"), None)
        if found is not None:
            return found
        next(iter(seats.values())).page.wait_for_timeout(100)
    raise AssertionError("nobody has the turn")


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


def answers_questions(page: Page) -> None:
    """From the end of the session to the code."""
    expect(page.locator(".code")).to_have_count(0)
    for scale in page.locator("#questionnaire fieldset").all():
        scale.locator("input").nth(4).check()
    page.locator("#questionnaire button").click()
    expect(page.locator(".after .code output")).not_to_be_empty()
    expect(page.locator("#questionnaire")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_two_phones_and_scripted_users_plan_a_trip(
    site: Installation, insider: Insider, phones: Callable[..., BrowserContext]
) -> None:
    made = insider.ask(
        "make", task="starter_02", people=["User2", "User3"], turn_s=16.0, remind_s=11.0, misses=5
    )
    seats = {name: Seat(phones().new_page(), insider) for name in ("User2", "User3")}
    seats["User2"].come(site.url(made["links"]["User2"]))
    expect(seats["User2"].page.locator("#standing")).to_contain_text("1")
    another = phones(locale="zh-CN").new_page()  # a link is for one person, and so is the page
    for address in (made["links"]["User2"], seats["User2"].page.url):
        assert another.goto(site.url(address) if address.startswith("/") else address).status == 403  # type: ignore[union-attr]
        expect(another.locator("#say")).to_have_count(0)
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
            proxy.cut(8.0)
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
    for name, seat in seats.items():
        answers_questions(seat.page)
        expect(seat.page.locator("ul.got")).not_to_have_count(0)
        expect(seat.page.locator(".given-up")).to_have_count(1 if name == "User2" else 0)
    for scores in insider.ask("record", session=made["session"])["figures"].values():
        assert scores


def test_a_travellers_lines_sent_from_a_phone_give_the_record_of_the_scripted_one(
    site: Installation, insider: Insider, phones: Callable[..., BrowserContext]
) -> None:
    simulated = insider.ask("make", task="starter_01", people=[])
    made = insider.ask("make", task="starter_01", people=["User1"], turn_s=None, study={"questions": []})
    seat = Seat(phones().new_page(), insider)
    seat.come(site.url(made["links"]["User1"]))

    def decide(_: str, seat: Seat, act: dict[str, Any]) -> None:
        seat.send(act["content"])

    play({"User1": seat}, decide, 120)
    expect(seat.page.locator(".after .code output")).not_to_be_empty()
    told = [insider.ask("record", session=each["session"]) for each in (simulated, made)]
    assert told[0]["figures"] and told[0] == told[1]


@pytest.mark.usefixtures("only_started")
def test_a_pass_that_was_lost_is_sent_again_as_a_pass(
    site: Installation, insider: Insider, chromium: Browser
) -> None:
    made = insider.ask("make", task="starter_en_01", people=["User1"], turn_s=None)
    context = chromium.new_context(viewport=PHONE)  # type: ignore[arg-type]  # its console tells of what is lost
    seat, asked = Seat(context.new_page(), insider), []
    seat.come(site.url(made["links"]["User1"]))
    page = seat.page
    expect(page.locator("#now")).to_have_attribute("data-standing", "yours", timeout=20_000)

    def lose(route: Route) -> None:
        asked.append(route.request.post_data or "")
        if len(asked) == 1:
            route.abort()
        elif len(asked) == 2:
            route.fulfill(status=503)
        else:
            route.continue_()

    page.route("**/say/", lose)
    page.locator("#words").fill("thought better of")
    page.locator("#say [name=pass]").click()
    page.locator("#words").focus()
    expect(page.locator("#words")).to_have_value("", timeout=20_000)
    assert len(asked) == 3 and all("pass=1" in each for each in asked)
    said = [e["type"] for e in insider.ask("log", session=made["session"]) if e["actor"] == "User1"]
    assert "message_posted" not in said
    context.close()


CARD_IN_SIGHT = """() => {
    const now = document.querySelector("#now"), card = document.querySelector("#card")
    const below = card.getBoundingClientRect().y - now.getBoundingClientRect().y
    return card.open && 0 <= below && below < now.clientHeight / 2
}"""
"""The card is open, and its head stands in the upper half of the panel."""


@pytest.mark.usefixtures("only_started")
def test_the_newest_message_stays_in_sight_on_a_phone(
    site: Installation, insider: Insider, phones: Callable[..., BrowserContext]
) -> None:
    made = insider.ask("make", task="starter_en_01", people=["User1"], turn_s=None)
    seat = Seat(phones().new_page(), insider)
    seat.come(site.url(made["links"]["User1"]))
    page, chat = seat.page, seat.page.locator("#chat")

    def comes(count: int) -> None:
        last = insider.ask("chatter", session=made["session"], count=count)
        expect(page.locator(f"#e{last}")).to_be_attached()

    in_turn({"User1": seat})
    comes(15)
    for _ in range(15):  # one after another, as where everybody answers fast
        comes(1)
    assert sees_the_newest(page)
    page.locator("#card summary").click()
    assert sees_the_newest(page) and page.evaluate(CARD_IN_SIGHT)
    comes(3)  # the turn may become theirs, which is said above the card
    assert sees_the_newest(page) and page.evaluate(CARD_IN_SIGHT)
    page.reload()
    expect(page.locator("#live")).to_have_class(re.compile(r"\bon\b"))
    assert sees_the_newest(page)
    chat.evaluate("chat => { chat.scrollTop = 0 }")  # who reads what was before isn't torn away
    page.wait_for_timeout(100)
    expect(page.locator("#newest")).to_be_visible()
    comes(1)
    assert chat.evaluate("chat => chat.scrollTop") == 0
    page.locator("#newest").click()
    assert sees_the_newest(page)
    expect(page.locator("#newest")).to_be_hidden()
    chat.evaluate("chat => { chat.scrollTop = 0 }")
    page.wait_for_timeout(100)
    seat.send("I would love to see a museum.")
    expect(page.locator("#chat .own").last).to_contain_text("a museum")
    assert sees_the_newest(page)


def sees_the_newest(page: Page) -> bool:
    """Whether the chat stands at its very end, and stays there once all of the page is drawn."""
    page.wait_for_timeout(700)  # the part below is drawn anew within 400 ms
    return bool(
        page.evaluate(
            "chat => chat.scrollHeight - chat.scrollTop - chat.clientHeight < 2",
            page.locator("#chat").element_handle(),
        )
    )


def test_a_lobby_fills_and_a_researcher_looks_after_the_seats(
    site: Installation, insider: Insider, phones: Callable[..., BrowserContext], page: Page
) -> None:
    made = insider.ask(
        "make", task="starter_en_01", people=["User1", "User2"], turn_s=300.0, study={"own_wishes": True}
    )
    page.goto(site.url(f"/sessions/{made['session']}/seats/"))
    page.locator("#open-lobby").click()
    lobby = page.locator("#address-lobby").input_value()
    seats: dict[str, Seat] = {}
    for came in (1, 2):
        seat = Seat(phones().new_page(), insider)
        seat.page.goto(lobby)
        looked_at = [wrong_with(seat.page)]
        seat.page.get_by_role("button", name="Take the seat").click()
        looked_at.append(wrong_with(seat.page))  # consent
        seat.page.get_by_role("checkbox").check()
        seat.page.get_by_role("button", name="Go on").click()
        looked_at.append(wrong_with(seat.page))  # wishes
        brings_wishes(seat.page, with_mistakes=came == 1)
        looked_at.append(wrong_with(seat.page))  # practice
        assert not any(looked_at), looked_at
        seat.page.locator("#ready").click()
        expect(seat.page.locator("#live")).to_have_class(re.compile(r"\bon\b"))
        expect(page.locator(".lobby")).to_contain_text(f"{came} of 2 seats are taken")
        if came == 1:
            expect(seat.page.locator("#standing")).to_contain_text("1 of 2 are there")
        seats[seat.page.locator(".seat-top b").inner_text()] = seat
    assert sorted(seats) == ["User1", "User2"]
    assert problems(page) == []  # the monitor, with people at it
    late = phones().new_page()
    late.goto(lobby)
    expect(late.locator("main")).to_contain_text("All seats are taken")
    name = in_turn(seats)
    at_turn, other = seats[name].page, next(seat.page for each, seat in seats.items() if each != name)
    stay_in_step(at_turn)
    at_turn.evaluate("document.querySelectorAll('#now details').forEach(each => { each.open = true })")
    assert problems(at_turn) == []  # at their turn, with the card and all that they can give up
    at_monitor(page, at_turn, name)
    dealt = [event for event in insider.ask("log", session=made["session"]) if event["type"] == "card_dealt"]
    own = [event["payload"]["card"]["preference"] for event in dealt if event["actor"] in seats]
    assert len(own) == 2 and all("2000" in str(table) for table in own)

    row = page.locator(".sittings li", has=page.get_by_role("heading", name=name, exact=True))
    row.locator("summary", has_text="Replace").click()
    row.get_by_role("combobox").last.select_option("scripted")
    row.get_by_role("button", name="Replace").last.click()
    expect(at_turn.locator("main")).to_contain_text("Somebody else has this seat now.")
    other.locator(".leave").click()
    other.locator("[name=withdraw]").click()
    expect(other.get_by_role("heading")).to_have_text("You have withdrawn")
    expect(page.locator("#seats-live > .run-progress")).to_contain_text("Finished", timeout=60_000)
    joined = [
        (event["payload"]["seat"], event["payload"]["kind"])
        for event in insider.ask("log", session=made["session"])
        if event["type"] == "participant_joined" and event["payload"]["seat"] in seats
    ]
    assert joined[-2:] == [(name, "scripted"), (next(each for each in seats if each != name), "scripted")]


def wrong_with(page: Page) -> list[str]:
    """What axe finds on a page before the conversation, light and dark, and what is too small for a finger."""
    found = problems(page) + page.evaluate(TOO_SMALL)
    page.emulate_media(color_scheme="dark")
    found += problems(page, COLOURS)
    page.emulate_media(color_scheme="light")
    return found


def brings_wishes(page: Page, *, with_mistakes: bool) -> None:
    """An empty card is filled in: nothing at all and an unknown name are told, names come from a list."""
    ready = page.get_by_role("button", name="These are my wishes")
    sights = page.locator("textarea").first
    completes(page, sights)
    if with_mistakes:
        ready.click()
        expect(page.locator(".problems")).to_contain_text("at least one wish")
        sights.fill("Nowhere Palace")
        ready.click()
        expect(page.locator("p.bad")).to_contain_text("Nowhere Palace")
        sights.fill("")
    page.locator("[type=number]").first.fill("2000")
    page.locator(".names summary").first.click()
    page.locator(".names select").first.select_option(index=1)
    expect(sights).not_to_have_value("")
    ready.click()


def completes(page: Page, field: Locator) -> None:
    """What is typed is completed from the world's names, by keyboard too, beside what stands there already."""
    name = page.locator("details.names option").nth(1).text_content() or ""
    field.fill(f"{name}, ")
    field.press_sequentially(name[:2])
    offered = page.locator(".completions button")
    expect(offered.filter(has_text=name).first).to_be_visible()
    field.press("Tab")
    expect(offered.first).to_be_focused()
    page.keyboard.press("Enter")
    expect(field).to_have_value(re.compile(f"^{re.escape(name)}, ?.+"))
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    field.fill("")
    expect(offered).to_have_count(0)


def stay_in_step(page: Page) -> None:
    """What is written in one tab is in the other; what is sent there leaves both."""
    second = page.context.new_page()
    second.goto(page.url)
    expect(second.locator("#live")).to_have_class(re.compile(r"\bon\b"))
    page.locator("#words").fill("half a sentence")
    expect(second.locator("#words")).to_have_value("half a sentence")
    second.locator("#words").fill("half a sentence, and the rest")
    expect(page.locator("#words")).to_have_value("half a sentence, and the rest")
    long = "a sentence of many. " * 400
    page.locator("#words").fill(long)
    expect(second.locator("#words")).to_have_value(long)
    second.reload()
    expect(second.locator("#words")).to_have_value(long)
    second.locator("#words").fill("")
    expect(page.locator("#words")).to_have_value("")
    second.close()
    page.bring_to_front()


def at_monitor(monitor: Page, seat: Page, name: str) -> None:
    """Whoever has the turn is nudged, given more time, halted, and let go on."""
    row = monitor.locator(".sittings li", has=monitor.get_by_role("heading", name=name, exact=True))
    row.get_by_role("button", name="Nudge").click()
    expect(seat.locator(".reminder")).to_be_visible()
    before = int(seat.locator("#now").get_attribute("data-ends") or 0)
    row.get_by_role("button", name="+ 1 min").click()
    expect(seat.locator("#chat")).to_contain_text("You have been given more time.")
    expect(seat.locator("#now")).to_have_attribute("data-ends", str(before + 60))
    monitor.locator("#do-pause").click()
    expect(seat.locator("#standing")).to_contain_text("paused")
    monitor.locator("#do-resume").click()
    expect(seat.locator("#now")).to_have_attribute("data-standing", "yours")


def test_too_few_come(site: Installation, insider: Insider, phones: Callable[..., BrowserContext]) -> None:
    made = insider.ask(
        "make", task="starter_en_01", people=["User1", "User2"], turn_s=None, gather_s=25.0, lacking="end"
    )
    seat = Seat(phones().new_page(), insider)
    seat.page.goto(site.url(made["links"]["User1"]))
    found = problems(seat.page)
    seat.come(site.url(made["links"]["User1"]))
    expect(seat.page.locator("#standing")).to_contain_text("If too few people come, the session ends")
    found += problems(seat.page)
    expect(seat.page.locator(".after")).to_contain_text("There is no plan", timeout=40_000)
    found += problems(seat.page)
    answers_questions(seat.page)
    assert insider.ask("session", session=made["session"])["completion_reason"] == "deserted"
    assert found == []


def test_a_researcher_tries_it_and_ends_it(site: Installation, page: Page) -> None:
    page.goto(site.url("/sessions/new/?task=starter_en_01"))
    page.locator("#try").click()
    expect(page.locator("#live")).to_have_class(re.compile(r"\bon\b"), timeout=15_000)
    tried = page.context.new_page()
    newest = site.query("SELECT id FROM caravan_sessions_session ORDER BY created_at DESC LIMIT 1")[0][0]
    tried.goto(site.url(f"/sessions/{newest}/"))
    tried.locator("#seats").click()
    expect(tried.locator(".sittings")).to_contain_text("a researcher tries it")
    tried.locator("#do-end").click()
    expect(page.locator(".after")).to_be_visible(timeout=15_000)


def test_two_people_go_on_when_processes_are_killed(
    site: Installation, insider: Insider, phones: Callable[..., BrowserContext]
) -> None:
    made = insider.ask("make", task="starter_en_01", people=["User1", "User2"], turn_s=None)
    seats = {name: Seat(phones().new_page(), insider) for name in made["links"]}
    loads: list[str] = []
    for name, seat in seats.items():
        seat.come(site.url(made["links"][name]))
        seat.page.on("load", lambda page: loads.append(page.url))
    to_kill = ["daphne", "celery", "valkey"]
    sent: list[tuple[str, str]] = []

    def decide(name: str, seat: Seat, act: dict[str, Any]) -> None:
        if to_kill and len(sent) > 3 * (3 - len(to_kill)):
            os.kill(site.children()[to_kill.pop(0)], signal.SIGKILL)
        seat.send(act["content"])
        sent.append((name, act["content"]))

    play(seats, decide, 240)
    assert to_kill == []
    for seat in seats.values():
        seat.page.wait_for_load_state()
    assert len(loads) == 2, "each page was loaded again once, when the session was over"
    log = insider.ask("log", session=made["session"])
    assert [event["seq"] for event in log] == list(range(1, len(log) + 1))
    said = [
        (event["actor"], event["payload"].get("content", ""))
        for event in log
        if event["type"] in ("message_posted", "passed") and event["actor"] in seats
        if not event["payload"].get("opening")
    ]
    assert once(said) == once([(name, MARKER.sub("", content)) for name, content in sent])


def once(said: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Without the passes that follow a pass: one stands for all three times that somebody is asked."""
    return [each for at, each in enumerate(said) if each[1] or not at or said[at - 1] != each]


def gives_way(name: str, seat: Seat, act: dict[str, Any], done: list[str]) -> None:
    """User2 agrees in words, is asked, thinks again and gives it up with one tap; User3 keeps everything."""
    page = seat.page
    expect(page.locator("#yield")).to_have_attribute("open", "")
    if name != "User2":
        done.append(f"{name} refused")
        sent = page.locator("#say [name=client_id]").input_value()
        page.locator("#keep-wishes").click()
        wait_until(page, _ANOTHER_MESSAGE, sent)
        return
    expect(page.locator(".offer.asked").first.locator(".before-after s")).not_to_be_empty()
    said = MARKER.sub("", act["content"])
    page.locator("#words").fill(said)
    sent = page.locator("#say [name=client_id]").input_value()
    page.locator("#say .send").click()
    wait_until(page, "() => document.querySelector('#send-anyway, #agreed')")
    if (anyway := page.locator("#send-anyway")).count():
        anyway.click()
    expect(page.locator("#agreed [data-give]").first).to_be_visible()
    page.locator("#change-words").click()
    expect(page.locator("#agreed")).to_have_count(0)
    expect(page.locator("#words")).to_have_value(said)
    page.locator(".asking .give").first.click()
    wait_until(page, _ANOTHER_MESSAGE, sent)
    done.append(f"{name} gave way")
    page.locator("#card summary").click()
    expect(page.locator("#card s").first).to_be_visible(timeout=10_000)
