"""The table of sessions in a browser."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.installation import Installation

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_the_address_holds_what_is_sorted_filtered_and_chosen(page: Page, site: Installation) -> None:
    for seed in ("31", "32"):
        site.manage("run_session", "starter_01", "--seed", seed)
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
    page.get_by_role("checkbox", name="tokens").check()
    page.get_by_role("button", name="Show these columns").click()
    expect(page.get_by_role("columnheader", name="tokens")).to_be_visible()
    page.get_by_text("Columns, saved views").click()
    page.get_by_label("Save this view as").fill("cheap ones")
    page.get_by_role("button", name="Save", exact=True).click()
    page.goto(site.url("/sessions/"))
    page.get_by_role("link", name="cheap ones").click()
    expect(page).to_have_url(re.compile("order=-gu.*columns="))
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV", exact=True).click()
    assert download.value.suggested_filename == "sessions.csv"
