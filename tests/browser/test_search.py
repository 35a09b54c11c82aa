"""What researchers look for, and let programs read, as they do it in a browser."""

from __future__ import annotations

import re
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Page, expect

from tests.browser.names import fresh
from tests.installation import Installation

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def search(page: Page, words: str) -> None:
    with page.expect_navigation():
        page.get_by_role("searchbox", name="Search").fill(words)
        page.get_by_role("searchbox", name="Search").press("Enter")


@pytest.mark.usefixtures("ended_session")
def test_a_search_leads_to_the_place_that_it_hits(page: Page, site: Installation) -> None:
    page.goto(site.url("/search/"))
    search(page, "speaker:Agent 酒店")
    found = page.locator("ol.found > li").first
    own = found.locator("code").first.inner_text()
    hit = found.locator(".hit").first
    expect(hit.locator("mark").first).to_have_text("酒店")
    number = re.search(r"#e?(\d+)", hit.get_by_role("link").first.get_attribute("href") or "")
    assert number, "a hit links to its event"
    hit.get_by_role("link").first.click()
    expect(page).to_have_url(re.compile(f"/sessions/{own}/.*{number.group(1)}"))
    page.go_back()
    page.get_by_label("Leave out speaker:Agent").click()
    expect(page.get_by_role("searchbox", name="Search")).to_have_value("酒店")
    search(page, '"not closed')
    expect(page.get_by_role("alert")).to_contain_text("quote")
    search(page, "helicopters and submarines")
    expect(page.get_by_text("Nothing is found.")).to_be_visible()


def test_a_token_is_shown_once_and_revoked(page: Page, site: Installation) -> None:
    name = fresh("notebook")
    page.goto(site.url("/account/tokens/"))
    page.get_by_label("name").fill(name)
    page.get_by_label("Read runs").check()
    page.get_by_role("button", name="Make a token").click()
    token = page.locator("#new-token code").first.inner_text()
    assert re.fullmatch(r"caravan_[\w-]{43}", token)
    assert status_with(site, token) == 200
    page.goto(site.url("/account/tokens/"))
    row = page.get_by_role("row").filter(has_text=name)
    expect(row).to_contain_text(token[:14])
    expect(page.locator("main")).not_to_contain_text(token)
    row.get_by_role("button", name="Revoke").click()
    expect(page.get_by_role("row").filter(has_text=name)).to_have_count(0)
    assert status_with(site, token) == 401


def status_with(site: Installation, token: str) -> int:
    """Of a list of the API that a program asks for."""
    asked = Request(site.url("/api/v1/runs"), headers={"Authorization": f"Bearer {token}"})
    try:
        with urlopen(asked, timeout=30) as answer:
            return int(answer.status)
    except HTTPError as refused:
        return refused.code
