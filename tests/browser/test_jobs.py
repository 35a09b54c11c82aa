"""The page of background work, as somebody watches it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.installation import Installation
from tests.model_server.server import ModelServer

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_a_job_at_work_and_one_that_waits_until_they_are_cancelled(
    page: Page, site: Installation, models: ModelServer
) -> None:
    site.manage("endpoint", "add", "one-place", models.url, "good-agent:slow=4", "--concurrency", "1")
    over_it = ("--agent", "llm", "--model", "one-place", "--enqueue")
    site.manage("run", "jobs", "--tasks", "starter_01", "starter_04", *over_it)
    page.goto(site.url("/jobs/"))
    held = page.get_by_role("row").filter(has_text="running")
    waiting = page.get_by_role("row").filter(has_text="waits for a place at one-place")
    expect(held).to_have_count(1, timeout=30_000)
    expect(waiting).to_have_count(1, timeout=30_000)
    for session in (waiting.get_by_role("link").inner_text(), held.get_by_role("link").inner_text()):
        row = page.get_by_role("row", name=f"{session} Session").first
        row.get_by_role("button", name="Cancel").click()
        page.evaluate("window.loadedOnce = true")
        expect(row).to_contain_text("Cancelled", timeout=60_000)
        expect(row.get_by_role("button")).to_have_count(0)
        assert page.evaluate("window.loadedOnce"), "the page refreshes by itself"
    expect(page.locator("#jobs-live")).to_contain_text("Nothing runs at the moment.", timeout=30_000)
    row.get_by_role("link").click()
    expect(page.locator(".status")).to_contain_text("A researcher stopped it.")
