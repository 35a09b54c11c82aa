"""A run, from the form to the comparison."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.names import fresh
from tests.installation import Installation
from tests.model_server.server import ModelServer

pytestmark = [pytest.mark.browser, pytest.mark.slow]
SOON_S = 12.0
"""A failing model is told within 10 s of its first failed request; here of the run's start, on a busy machine."""


def start(page: Page, site: Installation, name: str, tasks: str, seed: str = "0", at_once: str = "") -> None:
    page.goto(site.url("/runs/"))
    page.get_by_role("link", name="Start a run").click()
    page.get_by_label("Name").fill(name)
    page.get_by_label("Or these tasks").fill(tasks)
    page.get_by_label("First seed").fill(seed)
    page.get_by_label("Sessions at once").fill(at_once)
    expect(page.get_by_label("World", exact=True)).to_have_value("starter")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page).to_have_url(re.compile(r"/runs/\w{6}/"))


def test_from_the_form_to_the_comparison(page: Page, site: Installation, tmp_path: Path) -> None:
    page.goto(site.url("/runs/new/"))
    size = page.locator("#at-size")
    expect(size).to_contain_text("No task is chosen yet.")
    page.get_by_label("Collection").select_option("starter")
    expect(size).to_contain_text("15 tasks × 1 = 15 sessions")
    page.get_by_label("Trials per task").fill("2")
    expect(size).to_contain_text("15 tasks × 2 = 30 sessions")
    page.get_by_label("Collection").select_option("")
    page.get_by_label("Or these tasks").fill("starter_01\nnowhere")
    expect(size).to_contain_text("1 id belongs to no task here: nowhere")
    assert page.get_by_label("Trials per task").input_value() == "2"

    one, two = fresh("one"), fresh("two")
    start(page, site, one, "starter_01\nstarter_03")
    live = page.locator("#run-live")
    expect(live).to_contain_text("2 of 2 sessions have ended", timeout=60_000)
    expect(live.get_by_role("cell", name="valid").first).to_be_visible(timeout=15_000)
    expect(live).not_to_have_attribute("hx-trigger", re.compile("every"))
    with page.expect_download() as download:
        page.get_by_role("link", name="Download sessions").click()
    download.value.save_as(tmp_path / "sessions.csv")
    assert len((tmp_path / "sessions.csv").read_text().splitlines()) == 3

    start(page, site, two, "starter_01", seed="3")
    expect(live).to_contain_text("1 of 1 sessions have ended", timeout=60_000)
    expect(live).not_to_have_attribute("hx-trigger", re.compile("every"), timeout=60_000)
    page.goto(site.url("/runs/"))
    page.get_by_label(f"Compare {one}", exact=True).check()
    page.get_by_label(f"Compare {two}", exact=True).check()
    page.get_by_role("button", name="Compare").click()
    row = page.get_by_role("row").filter(has_text="one").first
    expect(row.get_by_role("cell").last).to_have_text("1")
    page.get_by_role("link", name="make it the first").click()
    expect(page.get_by_role("row").nth(1)).to_contain_text("one")
    page.get_by_role("link", name="side by side").click()
    expect(page.locator(".alone").first).to_be_visible()
    same = page.locator("details").filter(has_text="conditions are the same").locator("dd")
    expect(same.last).to_be_hidden()
    page.get_by_text("conditions are the same").click()
    expect(same.last).to_be_visible()


def test_a_run_that_goes_on_can_be_paused_renamed_resumed_and_stopped(page: Page, site: Installation) -> None:
    start(page, site, "long", "\n".join(f"starter_{n:02}" for n in range(1, 13)), at_once="1")
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Resume")).to_be_visible()
    page.get_by_text("Change this run").click()
    page.get_by_label("Name").fill("longer")
    page.get_by_role("button", name="Rename").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("longer")
    expect(page.locator("#run-live")).to_contain_text("paused")
    page.get_by_role("button", name="Resume").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("#run-live")).to_contain_text("12 of 12 sessions have ended", timeout=90_000)
    expect(page.get_by_role("button", name="Stop")).to_have_count(0)


@pytest.mark.usefixtures("only_started")
def test_a_run_starts_without_javascript(chromium: Browser, site: Installation, signed_in: list[Any]) -> None:
    context = chromium.new_context(java_script_enabled=False)
    context.add_cookies(signed_in)
    page = context.new_page()
    page.goto(site.url("/runs/new/"))
    page.get_by_label("Or these tasks").fill("starter_01")
    page.get_by_role("button", name="Count again").click()
    expect(page.locator("#at-size")).to_contain_text("1 task × 1 = 1 session")
    page.get_by_label("Name").fill("plain")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("plain")
    context.close()


def test_every_page_says_soon_that_no_model_answers_and_the_run_pauses_itself(
    page: Page, site: Installation, models: ModelServer
) -> None:
    """In words that go away when it does; the pages need no reload."""
    name = fresh("broken")
    site.inside.command("endpoint", "add", name, models.url, "good-agent:fail=500")
    tasks = [f"starter_0{number}" for number in range(1, 4)]
    told = re.compile(
        rf"{name}: all requests fail, retrying since .+ in a row\), last: .*The server answers 500"
    )
    others = {path: page.context.new_page() for path in ("/runs/", "/models/", "/")}
    for path, other in others.items():
        other.goto(site.url(path))
    run = json.loads(
        site.inside.command(
            *("run", "failing", "--tasks", *tasks, "--agent", "llm", "--model", name),
            *("--pause-after", "12", "--enqueue", "--json"),
        )
    )
    begun = time.monotonic()
    page.goto(site.url(f"/runs/{run['run']}/"))
    for one in (page, *others.values()):
        expect(one.locator("main")).to_contain_text(told)
    assert time.monotonic() - begun < SOON_S
    live = page.locator("#run-live")
    expect(live).to_contain_text(
        "Paused, because 12 requests to one model in a row got no answer.", timeout=90_000
    )
    expect(live).to_contain_text(f"{name}: all requests failed since")
    expect(others["/runs/"].locator("#failing-runs")).to_contain_text("Paused")
    page.bring_to_front()  # a page behind others is drawn too seldom for a click on what is drawn anew
    live.get_by_role("button", name="Stop").click()
    expect(live).to_contain_text("3 stopped")
    expect(live).not_to_contain_text("all requests")
    expect(others["/runs/"].locator("#failing-runs")).not_to_contain_text("failing")
