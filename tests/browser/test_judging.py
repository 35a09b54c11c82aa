"""A run judged from its page, to the turns that its ratings cite."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests import example_data
from tests.browser.names import fresh
from tests.installation import Installation
from tests.model_server.server import ModelServer

pytestmark = [pytest.mark.browser, pytest.mark.slow]
BATCHES = "SELECT COUNT(*) FROM judging_judgebatch"
REPLAYS = "SELECT COUNT(*) FROM caravan_sessions_session WHERE replay_of_id = '{}'"


def press_again_and_again(page: Page, button: str, leads_to: str | re.Pattern[str]) -> None:
    """Press a button five times: at once, while the answer comes, and while the page that it leads to loads."""

    def late(route: Route) -> None:
        page.wait_for_timeout(1_500)
        route.continue_()

    page.route(leads_to, late)
    page.evaluate(
        """(button) => [0, 0, 100, 500, 1000].forEach(
            (ms) => setTimeout(() => document.querySelector(button)?.click(), ms))""",
        button,
    )
    page.wait_for_url(leads_to)
    page.unroute_all(behavior="ignoreErrors")


def test_from_a_run_to_the_turns_that_a_judge_cites(
    page: Page, site: Installation, models: ModelServer
) -> None:
    good, inventive = fresh("good-judge"), fresh("invents-citations")
    for name, model in ((good, "good-judge"), (inventive, "invents-citations")):
        site.inside.command("endpoint", "add", name, models.url, model)
    run = site.query(f"SELECT id FROM runs_run WHERE name = '{example_data.JUDGED_RUN}'")[0][0]
    page.goto(site.url(f"/runs/{run}/"))
    page.get_by_role("link", name="Judge", exact=True).click()
    expect(page.get_by_label("Run", exact=True)).to_have_value(str(run))
    page.get_by_label("Judge", exact=True).select_option(inventive)
    page.get_by_label("Meta-judge", exact=True).select_option(good)
    page.get_by_label("Judgements per session").fill("2")
    batches = int(str(site.query(BATCHES)[0][0]))
    press_again_and_again(page, "#new-judging .primary", "**/judging/*/")
    expect(page.get_by_text("2 of 2 judged")).to_be_visible(timeout=60_000)
    assert site.query(BATCHES)[0][0] == batches + 1
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
    expect(page.locator("#head")).to_contain_text(f"judge ({inventive}, meta-judge {good})")
    replayed = page.url.split("?")[0].split("#")[0]
    press_again_and_again(page, "#replay", re.compile(rf"/sessions/(?!{replayed.split('/')[-2]})\w{{8}}/$"))
    expect(page.locator("#head")).to_contain_text("Re-run from the recording of")
    assert site.query(REPLAYS.format(replayed.split("/")[-2])) == [(1,)]
