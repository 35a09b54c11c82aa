"""A run judged from its page, to the turns that its ratings cite."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.installation import Installation
from tests.model_server.server import ModelServer, model_server

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def models() -> Iterator[ModelServer]:
    with model_server() as server:
        yield server


def address(site: Installation, path: str) -> str:
    return f"http://127.0.0.1:{site.port}{path}"


def test_from_a_run_to_the_turns_that_a_judge_cites(
    page: Page, site: Installation, models: ModelServer
) -> None:
    for name in ("good-judge", "invents-citations"):
        site.manage("endpoint", "add", name, models.url, name)
    told = site.manage("run", "to be judged", "--tasks", "starter_01")
    run = re.search(r"run (\w+):", told)
    assert run is not None

    page.goto(address(site, f"/runs/{run[1]}/"))
    page.get_by_role("link", name="Judge", exact=True).click()
    expect(page.get_by_label("Run", exact=True)).to_have_value(run[1])
    page.get_by_label("Judge", exact=True).select_option("invents-citations")
    page.get_by_label("Meta-judge", exact=True).select_option("good-judge")
    page.get_by_label("Times").fill("2")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_text("2 of 2 judged")).to_be_visible(timeout=60_000)
    expect(page.get_by_text("cites turns that do not exist (999999)").first).to_be_visible()

    page.locator("table.judgements a").first.click()
    panel = page.locator("#judge")
    expect(panel.get_by_role("row").filter(has_text="± 0.00").first).to_be_visible()
    expect(panel.locator("s.bad").first).to_have_text("999999")
    cited = panel.locator("a[href^='#e']").first
    number = cited.inner_text()
    cited.click()
    turn = page.locator(f"#e{number}")
    expect(turn).to_be_in_viewport()
    expect(turn).to_have_attribute("open", "")
    expect(page.locator("#head")).to_contain_text("judge (invents-citations, meta-judge good-judge)")
