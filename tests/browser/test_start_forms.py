"""The forms that start sessions and runs keep what was picked in them."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Request, Route, expect

from tests.installation import Installation

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.usefixtures("only_started")]


def fill(page: Page) -> None:
    """Pick in the order in which parts of the form are drawn anew: what comes later must not undo what was before."""
    page.get_by_label("Seed", exact=True).fill("41")
    page.get_by_label("Pace").fill("2.5")
    page.get_by_label("Protocol").select_option("paper")
    page.get_by_label("Search tasks").fill("杭州市 hard")
    expect(page.locator("#task-offers .offer").first).to_contain_text("hard")
    page.locator("#task-offers input[value=starter_09]").check()
    expect(page.get_by_label("World", exact=True)).to_have_value("starter")
    page.get_by_label("Other worlds").check()
    expect(page.get_by_text("starter has everything that the travellers name.")).to_be_visible()


def expect_filled(page: Page) -> None:
    expect(page.locator("#task-offers input[value=starter_09]")).to_be_checked()
    expect(page.get_by_label("Search tasks")).to_have_value("杭州市 hard")
    expect(page.get_by_label("Seed", exact=True)).to_have_value("41")
    expect(page.get_by_label("Pace")).to_have_value("2.5")
    expect(page.get_by_label("Protocol")).to_have_value("paper")
    expect(page.get_by_label("World", exact=True)).to_have_value("starter")
    expect(page.get_by_label("Other worlds")).to_be_checked()


def test_what_was_picked_stays_through_changes_errors_and_going_back(page: Page, site: Installation) -> None:
    page.goto(site.url("/sessions/new/"))
    for box in page.locator("#main :is(input, select)[id]").all():  # as where somebody drags a box's corner
        box.evaluate("box => { box.style.minWidth = '1px' }")
    fill(page)
    expect_filled(page)
    page.get_by_label("Sandbox").select_option("isolated")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_text("This mode needs a cache; choose one.").last).to_be_visible()
    expect_filled(page)
    expect(page.get_by_label("Sandbox")).to_have_value("isolated")
    page.get_by_label("Sandbox").select_option("world")
    page.get_by_role("button", name="Start").click()
    expect(page).to_have_url(re.compile(r"/sessions/\w{8}/"))
    page.go_back()
    expect(page.get_by_label("Seed", exact=True)).to_have_value("41")
    expect_filled(page)
    page.reload()
    expect_filled(page)


def test_a_run_form_comes_back_as_it_was_left(page: Page, site: Installation) -> None:
    page.goto(site.url("/runs/new/"))
    page.get_by_label("Name").fill("kept")
    page.get_by_label("Or these tasks").fill("starter_01\nstarter_03")
    page.get_by_label("First seed").fill("7")
    page.get_by_label("Agent", exact=True).select_option("llm")
    expect(page.locator("#at-agent_model")).to_contain_text("Agent's model")
    page.get_by_label("Agent", exact=True).select_option("reference")
    expect(page.locator("#at-agent_model")).to_be_empty()
    expect(page.locator("#at-size")).to_contain_text("2 tasks × 1 = 2 sessions")
    expect(page.get_by_label("World", exact=True)).to_have_value("starter")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page).to_have_url(re.compile(r"/runs/\w{6}/"))
    page.go_back()
    expect(page.get_by_label("Name")).to_have_value("kept")
    expect(page.get_by_label("Or these tasks")).to_have_value("starter_01\nstarter_03")
    expect(page.get_by_label("First seed")).to_have_value("7")
    expect(page.get_by_label("World", exact=True)).to_have_value("starter")


def test_a_traveller_is_chosen_apart_and_stays_so(page: Page, site: Installation) -> None:
    page.goto(site.url("/sessions/new/"))
    page.get_by_text("Choose each traveller").click()
    page.locator("#task-offers input[value=starter_01]").check()
    page.get_by_label("User2").select_option("scripted")
    page.get_by_label("Travellers", exact=True).select_option("llm")
    expect(page.get_by_label("Their model")).to_be_visible()
    expect(page.get_by_label("User2")).to_have_value("scripted")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_text("“llm” needs a model; choose one.").last).to_be_visible()
    expect(page.get_by_label("User2")).to_have_value("scripted")
    page.get_by_label("Travellers", exact=True).select_option("scripted")
    page.get_by_role("button", name="Start").click()
    expect(page).to_have_url(re.compile(r"/sessions/\w{8}/"))
    page.go_back()
    expect(page.get_by_label("User2")).to_have_value("scripted")


def test_a_traveller_is_chosen_without_javascript(
    chromium: Browser, site: Installation, signed_in: list[Any]
) -> None:
    context = chromium.new_context(java_script_enabled=False)
    context.add_cookies(signed_in)
    page = context.new_page()
    page.goto(site.url("/sessions/new/"))
    page.locator("#task-offers input[value=starter_01]").check()
    page.get_by_text("Choose each traveller").click()
    page.get_by_role("button", name="Show the seats of the chosen task").click()
    page.get_by_text("Choose each traveller").click()
    page.get_by_label("User2").select_option("scripted")
    page.get_by_role("button", name="Start").click()
    expect(page).to_have_url(re.compile(r"/sessions/\w{8}/"))
    context.close()


def test_enter_in_the_search_searches_and_elsewhere_starts(page: Page, site: Installation) -> None:
    page.goto(site.url("/sessions/new/?task=starter_01"))
    page.get_by_label("Search tasks").fill("starter_05")
    page.keyboard.press("Enter")
    expect(page.locator("#task-offers .offer")).to_have_count(2)
    assert page.url.endswith("/sessions/new/?task=starter_01")
    page.get_by_label("Seed", exact=True).press("Enter")
    expect(page).to_have_url(re.compile(r"/sessions/\w{8}/"), timeout=30_000)


def slowly(page: Page, milliseconds: int = 800) -> None:
    """Let every answer take so long from now on."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("Network.enable")
    slow = {"offline": False, "latency": milliseconds, "downloadThroughput": -1, "uploadThroughput": -1}
    devtools.send("Network.emulateNetworkConditions", slow)


def record_posts(page: Page) -> list[str]:
    """What the form sends from now on, `look` or `start`."""
    sent: list[str] = []

    def take(request: Request) -> None:
        if request.method == "POST":
            sent.append("look" if "look=1" in (request.post_data or "") else "start")

    page.on("request", take)
    return sent


def test_a_start_waits_for_no_redraw_and_is_made_once(page: Page, site: Installation) -> None:
    """Enter is pressed twice while the form is being drawn anew, with more redraws asked for."""
    page.goto(site.url("/sessions/new/?task=starter_01"))
    before = site.query("SELECT COUNT(*) FROM caravan_sessions_session")
    slowly(page)
    sent = record_posts(page)
    for agent in ("llm", "reference", "llm", "reference"):
        page.get_by_label("Agent", exact=True).select_option(agent)
        page.wait_for_timeout(100)
    page.get_by_label("Search tasks").fill("starter_05")
    page.get_by_label("Seed", exact=True).press("Enter")
    page.get_by_label("Seed", exact=True).press("Enter")
    expect(page).to_have_url(re.compile(r"/sessions/\w{8}/"), timeout=30_000)
    assert sent.count("start") == 1 and sent.index("start") <= 2, sent
    after = site.query("SELECT COUNT(*) FROM caravan_sessions_session")
    assert after[0][0] == int(str(before[0][0])) + 1


def test_what_is_picked_during_a_redraw_stays_and_is_drawn(page: Page, site: Installation) -> None:
    page.goto(site.url("/sessions/new/?task=starter_01"))
    slowly(page)
    page.get_by_label("Sandbox").select_option("isolated")
    page.wait_for_timeout(200)
    page.get_by_label("Other worlds").check()
    page.get_by_label("Travellers", exact=True).select_option("llm")
    expect(page.get_by_text("starter has everything that the travellers name.")).to_be_visible(timeout=10_000)
    expect(page.get_by_label("Other worlds")).to_be_checked()
    expect(page.get_by_label("Their model")).to_be_visible()
    expect(page.get_by_label("Sandbox")).to_have_value("isolated")


def test_what_is_wrong_stays_on_the_page_when_an_older_redraw_comes_in(
    page: Page, site: Installation
) -> None:
    page.goto(site.url("/sessions/new/?task=starter_01"))
    slowly(page)
    page.get_by_label("Sandbox").select_option("isolated")
    page.wait_for_timeout(200)
    page.get_by_label("Travellers", exact=True).select_option("llm")
    page.get_by_role("button", name="Start").click()
    wrong = page.locator("#at-cache").get_by_text("This mode needs a cache; choose one.")
    expect(wrong).to_be_visible(timeout=10_000)
    page.wait_for_timeout(2_500)
    expect(wrong).to_be_visible()


def test_what_is_picked_before_the_scripts_are_there_counts(page: Page, site: Installation) -> None:
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/htmx.min.js", hold)
    page.goto(site.url("/sessions/new/"), wait_until="commit")
    page.locator("input[name=task][value=starter_01]").check()
    assert page.evaluate("typeof htmx") == "undefined"
    assert held
    for route in held:
        route.continue_()
    expect(page.get_by_label("World", exact=True)).to_have_value("starter")
    page.unroute_all(behavior="ignoreErrors")
