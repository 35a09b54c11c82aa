"""A cache, from an empty one over an online session to an isolated one, by the pages alone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.names import fresh
from tests.installation import Installation

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def start(page: Page, cache: str, mode: str, task: str) -> None:
    """Fill the form in, whose part below the mode is swapped, and wait for the session's end."""
    page.locator(f"input[name=task][value={task}]").check()
    page.get_by_label("Sandbox").select_option(mode)
    page.get_by_label("Cache").select_option(cache)
    expect(page.get_by_label("World", exact=True)).to_have_value("starter")
    page.get_by_role("button", name="Start").click()
    expect(page).to_have_url(re.compile(r"/sessions/\w{8}/"))
    expect(page.locator(".status")).to_contain_text("The agent proposed its plan.", timeout=60_000)


def test_from_an_empty_cache_to_an_isolated_session(page: Page, site: Installation) -> None:
    page.goto(site.url("/caches/"))
    cache = fresh("pages")
    page.get_by_label("Name").fill(cache)
    page.get_by_role("button", name="Make an empty one").click()
    expect(page.get_by_role("heading", name=cache)).to_be_visible()
    page.get_by_role("link", name="Fill it with an online session").click()
    start(page, cache, "online", "starter_01")
    page.get_by_role("link", name="Tools").click()
    expect(page.locator(".panel .mode")).to_have_text("online")
    expect(page.locator(".calls .source").first).to_have_text("live")

    page.goto(site.url(f"/caches/{cache}/"))
    expect(page.locator(".facts")).to_contain_text(re.compile(r"[1-9]\d* entries"))
    page.get_by_role("button", name="Index now").click()
    for _ in range(40):
        if "A worker was asked" not in page.content():
            break
        page.wait_for_timeout(500)
        page.reload()
    expect(page.locator(".facts")).to_contain_text("ready")
    expect(page.locator(".facts")).to_contain_text("0 entries")

    page.get_by_role("link", name="Start an isolated session").click()
    start(page, cache, "isolated", "starter_04")
    expect(page.locator("#head")).to_contain_text(re.compile(r"\d+ hits?"))
    page.get_by_role("link", name="Tools").click()
    expect(page.locator(".panel .mode")).to_have_text("isolated")
    table = page.locator(".panel table.uses")
    cut_off = table.evaluate("each => each.scrollWidth - each.parentElement.clientWidth")
    assert cut_off <= 0, "no column is cut off"
    simulated = page.locator(".calls li").filter(has=page.locator(".source.simulated")).first
    number = simulated.get_by_role("link").inner_text()
    simulated.get_by_role("link").click()
    fold = page.locator(f"#e{number}")
    fold.locator("summary").first.click()
    expect(fold).to_contain_text("isolated · simulated")
    expect(fold).to_contain_text("made from 8 cached calls")
