"""Going through a session with the time cursor."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Burst
from tests.example_data import SESSION_OVER_MODELS
from tests.installation import Installation

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_a_session_is_scrubbed_played_and_walked_through_by_keys(
    page: Page, site: Installation, ended_session: str
) -> None:
    page.goto(site.url(f"/sessions/{ended_session}/?at=20"))

    slider, chat = page.get_by_role("slider", name="Moment of the session"), page.locator("#chat")
    expect(slider).to_have_attribute("aria-valuetext", re.compile("^event 20,"))
    expect(page.locator(".scores b").first).to_have_text("–")
    expect(chat.locator(".later").first).to_be_attached()
    expect(page.locator("#panel .moment")).to_contain_text("event 20")

    page.keyboard.press("c")
    expect(slider).to_have_attribute("aria-valuetext", re.compile("Compromise"))
    found = re.match(r"event (\d+),", slider.get_attribute("aria-valuetext") or "")
    assert found is not None
    expect(page).to_have_url(re.compile(rf"at={found[1]}$"))
    expect(page.locator("#panel .moment")).to_contain_text(f"event {found[1]}")
    expect(page.locator("#outline [aria-current]")).to_have_count(1)
    page.reload()
    expect(slider).to_have_attribute("aria-valuetext", re.compile(f"^event {found[1]}, Compromise"))

    page.keyboard.press("p")
    expect(slider).to_have_attribute("aria-valuetext", re.compile("Plan"))
    page.keyboard.press("n")
    expect(page.locator("#cursor-said")).to_have_text("There is no other one.")
    slider.focus()
    page.keyboard.press("Home")
    expect(page).to_have_url(re.compile(r"at=1$"))
    page.get_by_label("Speed").select_option("16")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page).to_have_url(re.compile(r"at=(1[5-9]|[2-9]\d)$"), timeout=20_000)
    page.get_by_role("button", name="Play", exact=True).click()
    page.get_by_role("button", name="To the end").click()
    expect(chat.locator(".later")).to_have_count(0)
    expect(page.locator(".scores b").first).not_to_have_text("–")
    page.locator("#tab-versions").click()
    expect(page.locator("#panel .version h2")).to_contain_text("Version 1 of 1")


def test_while_the_cursor_moves_the_panel_and_the_address_wait_and_a_link_goes_first(
    page: Page, site: Installation, ended_session: str
) -> None:
    asked: list[str] = []
    page.goto(site.url(f"/sessions/{ended_session}/?at=20"))
    slider = page.get_by_role("slider", name="Moment of the session")
    expect(slider).to_have_attribute("aria-valuetext", re.compile("^event 20,"))
    page.on("request", lambda request: asked.append(request.url) if "/panel/" in request.url else None)
    slider.focus()
    for _ in range(12):
        page.keyboard.press("ArrowRight")
    expect(slider).to_have_attribute("aria-valuetext", re.compile("^event 32,"))
    expect(page).to_have_url(re.compile("at=32$"))
    expect(page.locator("#panel .moment")).to_contain_text("event 32")
    assert len(asked) < 12, "not one request a step"

    # A move and a panel's link in one breath: the link's address and panel stay.
    address = page.evaluate("""() => {
        const slider = document.getElementById("moment"), link = document.getElementById("tab-scores");
        slider.value = 2;
        slider.dispatchEvent(new Event("input", { bubbles: true }));
        return new Promise((done) => requestAnimationFrame(() => { link.click(); done(link.href) }));
    }""")
    expect(page.locator("#tab-scores.on")).to_be_attached()
    page.wait_for_timeout(700)  # longer than a move waits at most
    assert page.url == address.split("#")[0]
    expect(slider).to_have_attribute("aria-valuetext", re.compile("^event 32,"))


def dimmed_events(page: Page) -> list[int]:
    """The numbers of the events that are shown as later than the cursor, in order; those far off follow."""
    page.evaluate("new Promise((done) => requestIdleCallback(done))")
    found: list[int] = page.locator("#chat").evaluate(
        """chat => [...chat.querySelectorAll('[id^="e"]')].filter(({ id }) => /^e\\d+$/.test(id))
            .filter((node) => node.closest(".later")).map(({ id }) => Number(id.slice(1))).sort((a, b) => a - b)"""
    )
    return found


def test_messages_say_how_long_they_took_since_the_turn_was_granted(page: Page, site: Installation) -> None:
    page.goto(site.url(f"/sessions/{SESSION_OVER_MODELS}/"))
    told = json.loads(page.evaluate("document.getElementById('timeline').content.textContent"))
    turn, message = ([kind["name"] for kind in told["kinds"]].index(name) for name in ("turn", "message"))
    took, granted = {}, None
    for seq, seconds, own in told["events"]:
        granted = seconds if turn in own else granted
        if message in own and granted is not None and seconds - granted >= 0.1:
            took[f"e{seq}"] = f"{seconds - granted:.1f} s"
    assert took
    expect(page.locator("#chat .no[data-took]")).to_have_count(len(took))
    shown = page.locator("#chat .no[data-took]").evaluate_all(
        "all => Object.fromEntries(all.map(one => [one.parentElement.id, one.dataset.took]))"
    )
    assert shown == took


def test_a_long_session_in_blocks_is_folded_scrubbed_searched_and_linked_to(
    page: Page, site: Installation
) -> None:
    burst = Burst(site, 1300, 100_000.0, 8)
    burst.begin()
    burst.commits()
    page.goto(site.url(f"/sessions/{burst.session}/"))
    chat = page.locator("#chat")
    blocks = chat.locator("> .block")
    expect(blocks.nth(5)).to_be_attached()
    expect(blocks.nth(2).locator("> .batch").first).to_be_attached()
    expect(blocks.nth(2).locator("> .tool")).to_have_count(0)

    page.goto(site.url(f"/sessions/{burst.session}/?at=700"))
    assert dimmed_events(page) == [*range(701, dimmed_events(page)[-1] + 1)]
    page.locator("#moment").focus()
    page.keyboard.press("PageDown")
    expect(page).to_have_url(re.compile(r"at=[56]\d\d$"))
    assert dimmed_events(page)[0] == int(page.url.split("=")[-1]) + 1
    page.keyboard.press("Home")
    expect(page).to_have_url(re.compile(r"at=1$"))
    assert dimmed_events(page)[0] == 2
    page.keyboard.press("l")
    expect(page).not_to_have_url(re.compile("at="))
    assert dimmed_events(page) == []

    inside = blocks.nth(4).locator(".tool").nth(3)
    number = inside.get_attribute("id")
    page.goto("about:blank")
    page.goto(site.url(f"/sessions/{burst.session}/#{number}"))
    expect(page.locator(f"#{number}")).to_be_in_viewport()


def test_quiet_lines_are_folded_found_filtered_and_linked_to(
    page: Page, site: Installation, ended_session: str
) -> None:
    page.goto(site.url(f"/sessions/{ended_session}/"))
    expect(page.get_by_role("heading", name="Result")).to_be_visible()
    batch = page.locator(".batch", has_text="search_poi").first
    expect(batch.locator("> summary")).to_contain_text(re.compile(r"\d+ tool calls: search_poi \d+"))
    call = batch.locator(".tool").first
    expect(call).not_to_be_visible()
    number = call.get_attribute("id")

    page.goto("about:blank")
    page.goto(site.url(f"/sessions/{ended_session}/#{number}"))
    expect(page.locator(f"#{number}")).to_be_visible()
    expect(page.locator(f"#{number} .cards b").first).to_be_visible()

    page.keyboard.press("/")
    page.keyboard.type("高铁")
    said = page.locator("#find-said")
    expect(said).to_have_text(re.compile(r"^1 of \d+$"))
    page.keyboard.press("Enter")
    expect(said).to_have_text(re.compile(r"^2 of \d+$"))
    page.get_by_label("Find in the conversation").fill("no such words")
    expect(said).to_have_text("not found")

    page.locator("#shown-kinds summary").click()
    page.get_by_label("messages").uncheck()
    expect(page).to_have_url(re.compile("hide=msg"))
    expect(page.locator(".msg").first).not_to_be_visible()
    page.reload()
    expect(page.locator(".msg").first).not_to_be_visible()


def test_what_is_printed_is_said_and_shown_without_what_is_pressed(
    page: Page, site: Installation, ended_session: str
) -> None:
    page.goto(site.url(f"/sessions/{ended_session}/"))
    pressed = page.locator(
        "header.top, .cursor, .chat-tools, .outline, .actions, #star, .tabs a:not([aria-current])"
    )
    shown = [part for part in pressed.all() if part.is_visible()]
    assert len(shown) >= 4
    page.emulate_media(media="print")
    assert [part.get_attribute("class") for part in pressed.all() if part.is_visible()] == []
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    for part in ("#head .scores", "#panel"):
        expect(page.locator(part)).to_be_visible()
    expect(page.locator("#panel .trav a:visible")).to_have_count(1)  # whose preferences these are
    last = page.locator("#chat .msg").last
    assert (
        page.evaluate("document.documentElement.scrollHeight") >= bottom(last) > 2 * 900
    )  # nothing scrolls inside


def bottom(part: Locator) -> float:
    """How far below the page's top a part of it ends, in pixels."""
    box = part.bounding_box()
    assert box is not None
    return box["y"] + box["height"]


def test_every_tab_opens_by_a_click_and_follows_the_cursor(
    page: Page, site: Installation, ended_session: str
) -> None:
    page.goto(site.url(f"/sessions/{ended_session}/"))
    slider, panel = page.locator("#moment"), page.locator("#panel")
    last = int(slider.get_attribute("max") or 0)
    for tab in [link.get_attribute("id") for link in page.locator("#panel .tabs a").all()]:
        page.locator(f"#{tab}").click()
        expect(page.locator(f"#{tab}")).to_have_attribute("aria-current", "page")
        whole = panel_text(page)
        page.mouse.click(*middle(page))
        expect(panel.locator(".moment")).to_be_visible()
        assert 0 < int(slider.input_value()) < last
        expect(page.locator(f"#{tab}")).to_have_attribute("aria-current", "page")
        panel_text(page)
        page.get_by_role("button", name="To the end").click()
        expect(panel.locator(".moment")).to_have_count(0)
        assert panel_text(page) == whole, tab


def middle(page: Page) -> tuple[float, float]:
    """A place on the time line shortly before its end, where there is a plan already."""
    box = page.locator("#moment").bounding_box()
    assert box is not None
    return box["x"] + box["width"] * 0.95, box["y"] + box["height"] / 2


def panel_text(page: Page) -> str:
    """What the panel says below its tabs; a map in it is drawn."""
    for place in page.locator("#panel .map").all():
        expect(place.locator("canvas")).to_be_visible()
        expect(place.locator(".map-number").first).to_be_visible()
    words = "[...document.querySelectorAll('#panel > :not(.tabs)')].map((part) => part.innerText).join(' ').trim()"
    said: str = page.evaluate(words)
    assert said
    return said


def test_a_plan_is_followed_on_the_map(page: Page, site: Installation, ended_session: str) -> None:
    page.goto(site.url(f"/sessions/{ended_session}/"))
    page.get_by_role("link", name="Map", exact=True).click()
    place = page.locator(".map.leaflet-container")
    expect(place.locator("canvas")).to_be_visible()
    expect(place.locator(".map-number").first).to_be_visible()
    for words in ("data-nearer", "data-farther"):  # in the page's language
        expect(place.get_by_role("button", name=place.get_attribute(words) or "none")).to_be_visible()
    first = page.locator("[data-day-list='0']")
    expect(first).to_be_visible()
    page.get_by_role("button", name="all days").click()
    numbers = [label.inner_text() for label in place.locator(".map-number").all()]
    assert len(numbers) > 4 and len(set(numbers)) == len(numbers)
    assert covering(page, ".map-number span") == []
    page.get_by_role("button", name="day 2").click()
    expect(first).not_to_be_visible()
    page.locator("[data-day-list='1'] a").first.click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator(".map canvas")).to_be_visible()
    page.goto(site.url("/worlds/starter/"))
    expect(page.locator(".leaflet-tooltip.city").first).to_be_visible()
    assert covering(page, ".leaflet-tooltip.city") == []
    frame = page.locator(".map").bounding_box()
    assert frame is not None
    assert all(
        bottom(name) <= frame["y"] + frame["height"] for name in page.locator(".leaflet-tooltip.city").all()
    )


def covering(page: Page, labels: str) -> list[list[str]]:
    """The pairs of labels on a map of which one hides a part of the other."""
    found: list[list[str]] = page.locator(".map").evaluate(
        """(map, labels) => {
            const boxes = [...map.querySelectorAll(labels)].map((one) =>
                [one.innerText, one.getBoundingClientRect()]);
            const reach = (a, b) => a.left + 1 < b.right && a.top + 1 < b.bottom;
            const meet = (a, b) => reach(a, b) && reach(b, a);
            return boxes.flatMap(([name, box], i) => boxes.slice(i + 1)
                .filter(([, other]) => meet(box, other)).map(([other]) => [name, other]));
        }""",
        labels,
    )
    return found
