"""The table of sessions in a browser."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.confirming import declines
from tests.browser.names import fresh
from tests.installation import Installation

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_the_address_holds_what_is_sorted_filtered_and_chosen(page: Page, site: Installation) -> None:
    page.goto(site.url("/sessions/"))
    page.get_by_role("textbox", name="Task").fill("starter_01")
    expect(page).to_have_url(re.compile("task=starter_01"))
    page.get_by_role("link", name="GU", exact=True).click()
    expect(page).to_have_url(re.compile("order=gu"))
    expect(page.locator("th[aria-sort=descending]")).to_contain_text("GU")
    page.get_by_role("link", name="GU ↓").click()
    expect(page.locator("th[aria-sort=ascending]")).to_contain_text("GU")
    expect(page).to_have_url(re.compile("task=starter_01.*order=-gu"))

    page.get_by_text("Columns, saved views").click()
    page.get_by_role("checkbox", name="tokens", exact=True).check()
    page.get_by_role("button", name="Show these columns").click()
    expect(page.get_by_role("columnheader", name="tokens", exact=True)).to_be_visible()
    page.get_by_text("Columns, saved views").click()
    view = fresh("cheap ones")
    page.get_by_label("Save this view as").fill(view)
    page.locator("form").filter(has_text="Save this view as").get_by_role("button").click()
    page.goto(site.url("/sessions/"))
    page.get_by_role("link", name=view, exact=True).click()
    expect(page).to_have_url(re.compile("order=-gu.*columns="))
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV", exact=True).click()
    assert download.value.suggested_filename == "sessions.csv"

    declines(page)
    page.get_by_role("button", name=f"Delete view {view}").click()
    assert page.evaluate("window.asked") == ["Delete this view?"]
    page.reload()
    expect(page.get_by_role("link", name=view, exact=True)).to_be_visible()
    page.get_by_role("button", name=f"Delete view {view}").click()
    expect(page.get_by_role("link", name=view, exact=True)).to_have_count(0)


def test_a_message_leads_to_what_became_of_it(page: Page, site: Installation, ended_session: str) -> None:
    page.goto(site.url(f"/sessions/{ended_session}/"))
    message = page.locator("#chat .msg:has(.became)").first
    number = (message.get_attribute("id") or "").removeprefix("e")
    message.get_by_role("link", name="outcome").click()
    told = page.locator(f"#became-{number}")
    expect(told).to_be_focused()
    expect(told).to_be_in_viewport()
    expect(told).to_contain_text("noted")
    told.get_by_role("link", name="in the plan").first.click()
    expect(page.locator("#panel")).to_contain_text("Cost per person")
    expect(page).to_have_url(re.compile(r"tab=plan"))
    page.go_back()
    expect(page.locator("#panel")).to_contain_text("What was said, and what came of it")


def test_sessions_are_found_by_a_word_of_two_characters(
    page: Page, site: Installation, ended_session: str
) -> None:
    # the first page has the oldest, whatever other tests start
    page.goto(site.url("/sessions/?order=-created"))
    page.get_by_label("Search in sessions").fill("酒店")
    expect(page.locator("#results mark").first).to_have_text("酒店")
    expect(page).to_have_url(re.compile(r"said=%E9%85%92%E5%BA%97"))
    row = page.locator("tr", has=page.locator(f"#go-{ended_session}"))
    hit = row.locator(".hit a")
    number = hit.inner_text()
    hit.click()
    expect(page).to_have_url(re.compile(rf"/sessions/{ended_session}/\?at={number}#e{number}$"))
    expect(page.locator(f"#e{number}")).to_be_in_viewport()
    expect(page.locator(f"#e{number}")).to_contain_text("酒店")
