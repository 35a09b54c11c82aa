"""Sessions side by side, from the list to the map."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests import example_data
from tests.installation import Installation

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_two_sessions_are_chosen_in_the_list_and_compared(page: Page, site: Installation) -> None:
    ids = (example_data.ENDED_SESSION, example_data.SESSION_OVER_MODELS)
    page.goto(site.url("/sessions/?suite=grouptravel"))
    for pk in ids:
        page.get_by_role("checkbox", name=f"Compare {pk}").check()
    page.get_by_role("button", name="Compare the marked sessions").click()
    expect(page.get_by_role("heading", name="Sessions side by side")).to_be_visible()
    assert all(f"session={pk}" in page.url for pk in ids)
    expect(page.locator("#conditions tbody tr").filter(has_text="agent's model").first).to_be_visible()

    parts = page.get_by_role("navigation", name="Parts of the comparison")
    parts.get_by_role("link", name="Conversations").click()
    marked = page.locator(".beside-row ins, .beside-row del")
    expect(marked.first).to_be_visible()
    parts.get_by_role("link", name="Map").click()
    expect(page.locator(".leaflet-container")).to_be_visible()
    expect(page.locator(".map-number .t1").first).to_be_visible()
    page.get_by_role("button", name="all days").click()
    expect(page.locator(".map-number span").first).to_contain_text("·")

    parts.get_by_role("link", name="Overview").click()
    page.set_viewport_size({"width": 390, "height": 844})
    for head in page.locator("#figures thead th").all():  # both sessions are seen without scrolling sideways
        box = head.bounding_box()
        assert box and box["x"] + box["width"] <= 390
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.set_viewport_size({"width": 1400, "height": 900})
    parts.get_by_role("link", name="Map").click()

    second = page.locator(".compared-sides code").nth(1).inner_text()
    page.get_by_role("link", name="compare with it").click()
    expect(page.locator(".compared-sides code").first).to_have_text(second)
    expect(page).to_have_url(re.compile("tab=map"))
