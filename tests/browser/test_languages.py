"""The switch between Chinese and English."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Burst
from tests.installation import Installation

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_a_page_is_in_chinese_from_the_switch_on(page: Page, site: Installation) -> None:
    page.goto(site.url("/tasks/?difficulty=hard"))
    expect(page.get_by_role("link", name="Sessions")).to_be_visible()
    page.get_by_role("button", name="简体中文").click()
    expect(page.get_by_role("link", name="会话", exact=True)).to_be_visible()
    assert page.url.endswith("/tasks/?difficulty=hard")
    assert page.locator("html").get_attribute("lang") == "zh-hans"
    page.reload()
    expect(page.get_by_role("link", name="会话", exact=True)).to_be_visible()
    page.get_by_role("button", name="English").click()
    expect(page.get_by_role("link", name="Sessions")).to_be_visible()


def test_what_comes_live_is_in_the_language_of_the_page(page: Page, site: Installation) -> None:
    page.goto(site.url())
    page.get_by_role("button", name="简体中文").click()
    writer = Burst(site, 1, 1)
    page.goto(site.url(f"/sessions/{writer.session}/"))
    expect(page.locator("#live")).to_have_text("实时跟踪中")
    writer.begin()
    writer.commits()
    expect(page.locator("#chat")).not_to_contain_text("turn to")
