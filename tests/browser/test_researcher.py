"""What a researcher does: sign in once, choose a task, start, watch, read the plan and the scores, download."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests import SHIPPED_TASKS
from tests.browser.confirming import declines
from tests.browser.names import fresh
from tests.browser.signing_in import sign_in
from tests.browser.waiting import wait_until
from tests.installation import Installation

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_from_the_link_to_the_scores(page: Page, site: Installation, tmp_path: Path) -> None:
    page.goto(site.url())
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    guide = page.locator("#guide-grouptravel")
    for now in (guide.get_attribute("open") is None, guide.get_attribute("open") is not None):
        guide.locator("summary").click()
        expect(guide.locator("dl")).to_be_visible(visible=now)
        page.reload()  # what was folded or unfolded stays so
        expect(guide.locator("dl")).to_be_visible(visible=now)
    page.get_by_role("link", name="Start a session").click()
    offers = page.locator("#task-offers")
    expect(offers).to_contain_text("starter_02")
    page.get_by_label("Search tasks").fill("苏州市 2025-11-02")
    expect(offers).not_to_contain_text("starter_02")  # a click on an offer that is being replaced is lost
    offers.get_by_text("starter_01").click()
    expect(page.get_by_label("World", exact=True)).to_have_value("starter")
    page.get_by_label("Seed").fill("11")
    page.get_by_role("button", name="Start").click()
    expect(page).to_have_url(re.compile(r"/sessions/\w{8}/"))
    expect(page.locator("#live")).to_have_class("live done", timeout=60_000)
    expect(page.locator("#head .scores")).to_contain_text(
        re.compile(r"\d\.\d\s*completeness"), timeout=15_000
    )
    numbers = [int(str(e.get_attribute("id"))[1:]) for e in page.locator("#chat > [id^=e]").all()]
    assert numbers == sorted(set(numbers))
    page.get_by_role("link", name="Plan", exact=True).first.click()
    expect(page.locator("#side")).to_contain_text(re.compile("Day 1"))
    page.set_viewport_size({"width": 1920, "height": 900})
    wait_until(page, "document.querySelector('.lane svg')?.getBoundingClientRect().width > 560")
    page.set_viewport_size({"width": 1400, "height": 900})
    page.get_by_role("link", name="Scores", exact=True).click()
    expect(page.locator("#side")).to_contain_text("group utility")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download record").click()
    target = tmp_path / "record.jsonl"
    download.value.save_as(target)
    record = json.loads(target.read_text())
    assert record["task_id"] == "starter_01" and record["plan_generated"]
    live_text = page.locator("#chat").inner_text()
    page.reload()
    assert page.locator("#chat").inner_text() == live_text


def test_a_running_session_can_be_stopped(page: Page, site: Installation) -> None:
    page.goto(site.url("/sessions/new/?task=starter_09"))
    page.get_by_label("Pace").fill("2")
    page.get_by_role("button", name="Start").click()
    expect(page.locator("#live")).to_have_class("live on")
    expect(page.locator("#chat")).to_contain_text("User1")
    declines(page)
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("#chat")).to_contain_text("User2")
    assert page.evaluate("window.asked") == ["Stop this session for good?"]
    expect(page.locator("#live")).to_have_class("live on")
    declines(page, again=False)
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("#live")).to_have_class("live done", timeout=30_000)
    expect(page.locator("#head")).to_contain_text(re.compile("stopped", re.IGNORECASE))


def test_a_link_signs_in_once(context: BrowserContext, site: Installation) -> None:
    link = site.inside.command("signin_link").strip()
    first = context.new_page()
    first.goto(link)
    again = context.browser.new_context()  # type: ignore[union-attr]  # launched, so there is a browser
    again.new_page().goto(link)  # somebody else's look at the address spends nothing
    first.keyboard.press("Enter")  # the button has the focus
    expect(first.get_by_role("link", name="Start a session")).to_be_visible()
    context.clear_cookies()
    second = again.new_page()
    second.goto(link)
    expect(second.get_by_text("signin_link")).to_be_visible()
    second.goto(site.url())
    expect(second).to_have_url(re.compile("/signin/"))
    again.close()


def test_tabs_pressed_while_answers_are_on_their_way(page: Page, site: Installation) -> None:
    """The last tab that was pressed is shown, whatever answers come before its own; nothing is an error."""
    page.goto(site.url("/sessions/"))
    page.locator("tbody a[href^='/sessions/']").first.click()
    page.wait_for_load_state()  # until then a link to a panel is a link to a page
    held: list[Route] = []
    page.route("**/panel/**", lambda route: held.append(route))  # noqa: PLW0108  # a built-in takes no marks
    page.evaluate("htmx.trigger('#panel', 'refresh')")
    page.locator("a[data-panel]", has_text="Plan").first.click()
    page.locator("a[data-panel]", has_text="Tools").first.click()
    answered = 0
    while answered < len(held) or answered < 3:
        page.wait_for_timeout(100)
        for route in held[answered:]:
            route.continue_()
            answered += 1
    expect(page.locator("#tab-tools")).to_have_attribute("aria-current", "page")
    expect(page).to_have_url(re.compile("tab=tools"))


def test_back_and_forward_through_filters_show_whole_pages(page: Page, site: Installation) -> None:
    page.goto(site.url("/tasks/"))
    rows = page.locator("tbody tr")
    whole = rows.count()  # other tests may have brought tasks
    assert whole >= 15
    travellers = page.get_by_label("Travellers", exact=True)
    travellers.fill("2")
    travellers.press("Tab")
    expect(rows).not_to_have_count(whole)
    some = rows.count()
    assert 4 <= some < whole
    page.locator("tbody a").first.click()
    expect(page.get_by_role("heading", name="Conflicts")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("Tasks")
    expect(travellers).to_have_value("2")
    expect(rows).to_have_count(some)
    page.go_back()
    expect(rows).to_have_count(whole)
    expect(page.get_by_role("heading", level=1)).to_have_text("Tasks")
    page.go_forward()
    expect(travellers).to_have_value("2")


@pytest.mark.usefixtures("only_started")
def test_signing_out_ends_what_other_tabs_show(context: BrowserContext, site: Installation) -> None:
    pages = [context.new_page() for _ in range(3)]
    sign_in(pages[0], site)
    pages[0].goto(site.url("/sessions/new/?task=starter_09"))
    pages[0].get_by_label("Pace").fill("0.3")
    pages[0].get_by_role("button", name="Start").click()
    expect(pages[0].locator("#live")).to_have_class("live on")
    pages[1].goto(site.url())
    pages[2].goto(site.url("/tasks/"))
    pages[2].get_by_role("button", name="Sign out").click()
    for tab in pages:
        expect(tab).to_have_url(re.compile("/signin/"), timeout=15_000)
        expect(tab.locator("header.top")).to_have_count(1)


def test_a_part_that_is_pressed_or_read_is_not_refreshed(page: Page, site: Installation) -> None:
    page.goto(site.url("/sessions/new/?task=starter_09"))
    page.get_by_label("Pace").fill("0.2")
    page.get_by_role("button", name="Start").click()
    stop = page.get_by_role("button", name="Stop")
    expect(page.locator("#head .status")).to_contain_text("…")
    page.evaluate("addEventListener('pointerdown', ({ target }) => (window.pressed = target))")
    stop.hover()
    page.mouse.down()
    page.wait_for_timeout(2500)
    assert page.evaluate("pressed.id") == "stop"
    assert page.evaluate("pressed.isConnected")
    page.mouse.up()
    expect(page.locator("#live")).to_have_class("live done", timeout=30_000)


def test_long_names_stay_inside_the_page(page: Page, site: Installation, tmp_path: Path) -> None:
    lines = (SHIPPED_TASKS / "starter.jsonl").read_text().splitlines()
    task_id = fresh("a_task_" + "with_a_long_id_" * 4)
    task = next(line for line in lines if "starter_01" in line).replace("starter_01", task_id)
    (tmp_path / "long.jsonl").write_text(task.replace("User1", "WilhelminaAlexandraVonHohenfels"))
    site.inside.command("import_tasks", str(tmp_path / "long.jsonl"), "--world", "starter")
    session = site.inside.command("run_session", task_id).split()[1].rstrip(":")
    page.set_viewport_size({"width": 390, "height": 844})
    tabs = [
        f"/sessions/{session}/?tab={tab}" for tab in ("preferences", "tools", "plan", "versions", "scores")
    ]
    for path in ("/", "/sessions/", "/tasks/", f"/tasks/{task_id}/", *tabs):
        page.goto(site.url(path))
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, path


def test_the_session_page_works_by_keyboard(page: Page, site: Installation) -> None:
    page.goto(site.url("/sessions/"))
    page.locator("tbody a").first.click()
    expect(page.locator("#chat")).to_be_visible()
    page.wait_for_load_state()
    page.keyboard.press("Tab")
    expect(page.locator(":focus")).to_have_text(re.compile("Skip"))
    tab = page.get_by_role("link", name="Tools", exact=True).first
    tab.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#side")).to_contain_text(re.compile("call"))
