"""Session pages by keyboard, and on a phone."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Burst
from tests.installation import Installation

pytestmark = [pytest.mark.browser, pytest.mark.slow]

FOCUSED_ID = "document.activeElement.id"


@pytest.fixture
def live(page: Page, site: Installation) -> Iterator[Page]:
    """The page of a session that its writer holds, and that goes no further."""
    writer = Burst(site, 1, 1)
    page.goto(site.url(f"/sessions/{writer.session}/"))
    yield page
    writer.begin()
    writer.commits()


@pytest.fixture
def whole(page: Page, site: Installation, ended_session: str) -> Page:
    """The page of a whole session."""
    page.goto(site.url(f"/sessions/{ended_session}/"))
    return page


def test_pausing_leaves_the_focus_on_its_button(live: Page) -> None:
    live.get_by_role("button", name="Pause").focus()
    live.keyboard.press("Enter")
    expect(live.get_by_role("button", name="Resume")).to_be_focused()
    live.keyboard.press("Enter")
    expect(live.get_by_role("button", name="Pause")).to_be_focused()
    live.get_by_role("button", name="Stop").focus()
    live.keyboard.press("Enter")
    expect(live.get_by_role("button", name="Stop")).to_be_disabled()
    expect(live.locator("#head")).to_be_focused()
    assert "#" not in live.url


def test_details_and_the_end_of_the_conversation_are_a_skip_away(whole: Page) -> None:
    skips = whole.locator("a.skip")
    skips.nth(1).focus()
    expect(skips.nth(1)).to_be_in_viewport()
    whole.keyboard.press("Enter")
    expect(whole.locator("#chat > :last-child")).to_be_in_viewport()
    whole.keyboard.press("Tab")
    assert whole.evaluate("!!document.activeElement.closest('#side, .newest')")
    skips.nth(2).focus()
    whole.keyboard.press("Enter")
    whole.keyboard.press("Tab")
    assert whole.evaluate(FOCUSED_ID).startswith("tab-")


def test_a_phone_has_the_outline_folded_away_and_a_way_out(whole: Page) -> None:
    expect(whole.locator("#outline h2").first).to_be_visible()
    whole.set_viewport_size({"width": 390, "height": 844})
    expect(whole.locator("#outline h2").first).to_be_hidden()
    whole.locator(".phone-nav").get_by_text("Outline").click()
    whole.locator("#round-2").click()
    expect(whole.locator(":target")).to_be_in_viewport()
    expect(whole.get_by_role("button", name="Sign out")).to_be_attached()
    assert whole.get_by_role("button", name="Sign out").is_visible()
    whole.set_viewport_size({"width": 1400, "height": 900})
    expect(whole.locator("#outline h2").first).to_be_visible()


def test_what_is_wrong_in_a_form_takes_the_focus(page: Page, site: Installation) -> None:
    page.goto(site.url("/caches/"))
    page.get_by_label("Name").fill("no name!")
    page.get_by_role("button", name="Make an empty one").click()
    expect(page.locator(".problems")).to_be_focused()
    expect(page).to_have_title("Error: Caches · Caravan")
    page.locator(".problems").get_by_role("link", name="Name").click()
    expect(page.get_by_label("Name")).to_be_focused()
    expect(page.get_by_label("Name")).to_have_accessible_description(
        "Use letters, digits, - and _ in a name."
    )


def test_letters_go_to_places_and_rows(page: Page, site: Installation, ended_session: str) -> None:
    page.goto(site.url("/"))
    page.keyboard.press("g")
    page.keyboard.press("s")
    expect(page).to_have_url(site.url("/sessions/"))

    page.keyboard.press("/")
    expect(page.locator("#filters :focus")).to_have_count(1)
    page.keyboard.type("gr")  # words of a filter are no keys
    expect(page).to_have_url(re.compile("=gr"))
    page.goto(site.url("/sessions/"))

    page.keyboard.press("j")
    expect(page.locator("table.list tbody tr").nth(0).locator("a").first).to_be_focused()
    page.keyboard.press("j")
    page.keyboard.press("k")
    page.keyboard.press("x")
    expect(page.locator("table.list tbody tr").nth(0).get_by_role("checkbox")).to_be_checked()

    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keys")
    expect(dialog).to_contain_text("next row, previous row")
    dialog.get_by_role("checkbox").uncheck()
    page.keyboard.press("?")
    expect(dialog).to_be_visible()  # keys of one letter are off, and stay so on the next page
    page.goto(site.url(f"/sessions/{ended_session}/"))
    page.keyboard.press("?")
    expect(dialog).to_be_hidden()
    page.get_by_role("button", name="Keys").click()
    expect(dialog).to_contain_text("next turn, previous turn")
    expect(dialog).not_to_contain_text("next row")
    dialog.get_by_role("checkbox").check()
    page.keyboard.press("?")
    expect(dialog).to_be_hidden()
    page.keyboard.press("g")
    page.keyboard.press("t")  # not the next tool call of this page
    expect(page).to_have_url(site.url("/tasks/"))


def test_a_list_remembers_where_one_was(page: Page, site: Installation, ended_session: str) -> None:
    page.goto(site.url("/sessions/"))
    page.get_by_role("textbox", name="Task").fill("starter_01")
    expect(page).to_have_url(re.compile("task=starter_01"))
    page.locator("table.list tbody tr td.wide a").first.click()
    expect(page).to_have_url(re.compile(r"/sessions/\w+/$"))
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Sessions", exact=True).click()
    expect(page).to_have_url(re.compile("task=starter_01"))
    expect(page.locator("table.list tbody tr.opened-last")).to_have_count(1)
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Sessions", exact=True).click()
    expect(page).to_have_url(site.url("/sessions/"))  # from the list itself its link shows all
