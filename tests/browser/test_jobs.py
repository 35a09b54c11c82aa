"""The page of background work, as somebody watches it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.names import fresh
from tests.installation import Installation
from tests.model_server.server import ModelServer

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_a_job_at_work_and_one_that_waits_until_they_are_cancelled(
    page: Page, site: Installation, models: ModelServer
) -> None:
    place = fresh("one-place")
    site.inside.command("endpoint", "add", place, models.url, "good-agent:slow=4", "--concurrency", "1")
    over_it = ("--agent", "llm", "--model", place, "--enqueue")
    run = fresh("jobs")
    site.inside.command("run", run, "--tasks", "starter_01", "starter_04", *over_it)
    page.goto(site.url("/jobs/"))
    own = site.query(
        f"SELECT s.id FROM caravan_sessions_session s JOIN runs_run r ON r.id = run_id WHERE r.name = '{run}'"
    )
    rows = page.get_by_role("row").filter(has_text=re.compile("|".join(str(row[0]) for row in own)))
    held = rows.filter(has_text="running")  # the demo runs now and then
    waiting = rows.filter(has_text=f"waits for a place at {place}")
    expect(held).to_have_count(1, timeout=30_000)
    expect(waiting).to_have_count(1, timeout=30_000)
    for session in (waiting.get_by_role("link").inner_text(), held.get_by_role("link").inner_text()):
        row = page.get_by_role("row", name=f"{session} Session").first
        with page.expect_navigation():
            row.get_by_role("button", name="Cancel").click()
        page.evaluate("window.loadedOnce = true")
        expect(row).to_contain_text("Cancelled", timeout=60_000)
        expect(row.get_by_role("button")).to_have_count(0)
        assert page.evaluate("window.loadedOnce"), "the page refreshes by itself"
    expect(page.locator("#jobs-live")).to_contain_text("No job is running.", timeout=30_000)
    row.get_by_role("link").click()
    expect(page.locator(".status")).to_contain_text("A researcher stopped it.")


_FAIL = """
from webapp.endpoints.jobs import TEST
from webapp.jobs import services
services.add(kind=TEST, subjects=["{name}"], due_at=None)
claimed = services.claim(kind=TEST, subject="{name}")
services.fail(claimed=claimed, error="the server was away")
"""


def test_a_failed_job_is_done_once_more(page: Page, site: Installation, models: ModelServer) -> None:
    name = fresh("retried-model")
    site.inside.command("endpoint", "add", name, models.url, "good-agent")
    site.inside.run(_FAIL.format(name=name))
    page.goto(site.url("/jobs/"))
    failed = page.get_by_role("row").filter(has_text=name).filter(has_text="the server was away")
    with page.expect_navigation():
        failed.get_by_role("button", name="Retry").press("Enter")
    expect(page.get_by_role("status").first).to_contain_text("It is done once more, in a new job.")
    done = page.get_by_role("row").filter(has_text=name).filter(has_text="Done")
    expect(done).to_have_count(1, timeout=30_000)
    expect(failed.get_by_role("button")).to_have_count(0)
