"""A person in the agent's seat brings a session with scripted travellers to a valid plan, by the page alone."""

from __future__ import annotations

import contextlib
import json
import os
import re
import time
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, Route, TimeoutError, expect

from tests.browser.axe import ALL, COLOURS, PHONE, problems
from tests.browser.waiting import wait_until
from tests.installation import Installation
from tests.sitting import Insider

pytestmark = [pytest.mark.browser, pytest.mark.slow]
TASK, QUERY, TRIP = "starter_en_01", "own-T0001", "trip_starter-0003"
"""QUERY is of a benchmark whose desk has the editor that all benchmarks can have, TRIP of one that also has data."""
VALID = """
from webapp.sessions.models import MetricValue
rows = MetricValue.objects.filter(session={session!r}, rater="", key__in=("pv", "issues"))
print(dict(rows.values_list("key", "value")))
"""


@pytest.fixture
def insider(site: Installation) -> Insider:
    return Insider(site)


def take_screenshot(page: Page, name: str) -> None:
    """A picture for whoever asks for one."""
    if folder := os.environ.get("CARAVAN_SHOTS"):
        page.wait_for_timeout(400)
        taken = page.context.new_cdp_session(page).send("Page.captureScreenshot")  # adds no style to the page
        Path(folder, f"{name}.png").write_bytes(b64decode(taken["data"]))


def plan_of(insider: Insider, task: str, agent: str) -> dict[str, Any]:
    """What a built-in agent plans for the same task, travellers and seed."""
    session = insider.ask("make", task=task, people=[], agent=agent)["session"]
    end = time.monotonic() + 120
    while insider.ask("session", session=session)["status"] in ("queued", "running", "pending"):
        assert time.monotonic() < end
        time.sleep(0.5)
    log = insider.ask("log", session=session)
    plans: list[dict[str, Any]] = [e["payload"]["plan"] for e in log if e["type"] == "plan_proposed"]
    return plans[-1]


def stands(page: Page, asks: str) -> None:
    """It is their turn, for notes or for words."""
    wait_until(
        page,
        "asks => document.getElementById('now')?.dataset.standing === 'yours'"
        " && document.getElementById('now').dataset.asks === asks",
        asks,
        patience_s=60,
    )


def tab(page: Page, name: str) -> None:
    page.locator(f"#tab-{name}").click()
    expect(page.locator(f"#desk-{name}")).to_be_visible()


def test_a_person_brings_a_session_to_a_valid_plan(
    site: Installation, insider: Insider, context: BrowserContext
) -> None:
    plan = plan_of(insider, TASK, "reference")
    made = insider.ask("make", task=TASK, people=["Agent"], turn_s=None)
    page = context.new_page()
    page.goto(site.url(made["links"]["Agent"]))
    page.locator("main button.primary").click()
    page.get_by_role("checkbox").check()
    take_screenshot(page, "consent")
    page.locator("button.primary").click()
    expect(page.locator("#live")).to_have_class(re.compile(r"\bon\b"))
    expect(page.locator("#desk .tool-form")).to_have_count(10)

    stands(page, "beliefs")
    expect(page.locator("#desk-beliefs")).to_be_visible()
    expect(page.locator("#say .send")).to_be_disabled()
    take_screenshot(page, "beliefs-wide")
    page.get_by_role("button", name="Nothing is known yet").click()
    stands(page, "words")
    notes_are_told_once(page)

    looks_things_up(page, plan)
    takes_a_result_into_the_plan(page)
    page.locator("#words").fill("Hello! ")
    page.get_by_role("button", name="@User1").click()
    expect(page.locator("#words")).to_have_value("Hello! @User1 ".replace("  ", " "))
    page.locator("#words").fill("@User1 what would you like to see?")
    page.locator("#say .send").click()
    expect(page.locator("#chat .msg.own")).to_have_count(1)

    pastes_and_changes(page, plan)
    page.reload()
    expect(page.locator("#desk-plan")).to_be_visible()
    expect(page.locator("#desk-plan .verdict")).to_contain_text("It is valid.")
    posts(page)
    expect(page.locator(".after")).to_be_visible(timeout=60_000)
    take_screenshot(page, "ended-wide")
    found = insider.ask("session", session=made["session"])
    assert found["plan_generated"] and found["completion_reason"] == "plan_generated"
    figures = site.inside.run(VALID.format(session=made["session"]))
    assert "'pv': 100" in figures or "'pv': 1" in figures, figures
    log = insider.ask("log", session=made["session"])
    assert {"tool_called", "tool_returned", "table_inferred", "plan_proposed"} <= {e["type"] for e in log}


def looks_things_up(page: Page, plan: dict[str, Any]) -> None:
    """A wrong call is refused where it was made; a right one's result stands in the chat and fills forms."""
    city = next(s["city"] for s in plan["days"][0]["city_segments"] if "city" in s)
    tab(page, "tools")
    tool = page.locator("#tool-search_poi")
    tool.locator("summary").first.click()
    tool.locator("#search_poi-keywords").fill("景点")
    tool.locator("#search_poi-city").fill(city)
    tool.locator("details.more summary").click()
    tool.locator("#search_poi-radius_km").fill("-1")
    tool.locator("form").evaluate("form => form.noValidate = true")
    tool.locator("#search_poi-call").click()
    expect(tool.locator("#search_poi-radius_km")).to_have_attribute("aria-invalid", "true")
    take_screenshot(page, "tool-refused")
    tool.locator("#search_poi-radius_km").fill("")
    tool.locator("#search_poi-call").click()
    result = page.locator("#chat .result").last
    expect(result.locator(".cards > li").first).to_be_visible()
    stands(page, "words")
    take_screenshot(page, "result-wide")
    result.get_by_role("button", name="Details").first.click()
    expect(page.locator("#get_poi_detail-id")).to_be_focused()
    expect(page.locator("#get_poi_detail-id")).not_to_have_value("")
    page.keyboard.press("Enter")
    expect(page.locator("#chat .result")).to_have_count(2)
    stands(page, "words")


def takes_a_result_into_the_plan(page: Page) -> None:
    card = page.locator("#chat .result").first.locator(".cards > li").first
    name = card.locator("b").inner_text()
    card.get_by_role("button", name="+ Plan").click()
    item = page.locator("#plan-item")
    expect(item.locator("#id_item-location")).to_have_value(name)
    expect(item.locator("#id_item-origin")).to_be_hidden()
    take_screenshot(page, "item-wide")
    item.locator("#id_item-start").fill("09:00")
    item.locator("#item-save").click()
    expect(item.locator("#id_item-end_error")).to_be_visible()
    item.locator("#id_item-end").fill("11:00")
    item.locator("#item-save").click()
    expect(item).to_have_count(0)
    expect(page.locator("#desk-plan .row")).to_have_count(1)
    expect(page.locator("#desk-plan .verdict")).to_contain_text("invalid")
    options = page.locator("#place-names option")
    expect(options.first).to_be_attached()


def keeps_what_is_typed_while_the_plan_is_drawn_anew(page: Page) -> None:
    panel, waiting = page.locator("#desk-plan"), list[Route]()
    address = f"**{panel.get_attribute('hx-get')}"
    page.route(address, lambda route: waiting.append(route))  # noqa: PLW0108  # it gets an attribute
    with page.expect_request(address):
        panel.evaluate("panel => htmx.trigger(panel, 'refresh')")
    page.locator("#plan-json").fill("typed meanwhile")
    with page.expect_response(address):
        waiting[0].continue_()
    page.unroute(address)
    page.wait_for_timeout(300)
    expect(page.locator("#plan-json")).to_have_value("typed meanwhile")


def pastes_and_changes(page: Page, plan: dict[str, Any]) -> None:
    """The reference agent's plan as JSON; then one thing is made wrong by its form, and mended by it."""
    tab(page, "plan")
    page.locator("#plan-raw > summary").click()
    keeps_what_is_typed_while_the_plan_is_drawn_anew(page)
    page.locator("#plan-json").fill(json.dumps(plan, ensure_ascii=False))
    page.get_by_role("button", name="Take this plan").click()
    expect(page.locator("#desk-plan .verdict")).to_contain_text("It is valid.")
    take_screenshot(page, "plan-wide")
    at = next(
        f"{d}-{s}-{a}"
        for d, day in enumerate(plan["days"])
        for s, segment in enumerate(day["city_segments"])
        for a, one in enumerate(segment.get("activities", ()))
        if one["type"] == "food"
    )
    page.locator(f"#edit-{at}").click()
    end = page.locator("#id_item-end")
    was = end.input_value()
    end.fill("00:01")
    page.locator("#item-save").click()
    row = page.locator(f"#cell-{at}")
    expect(row.locator(".issue").first).to_contain_text("ends at 00:01")
    take_screenshot(page, "issue-wide")
    page.locator(f"#edit-{at}").click()
    page.locator("#id_item-end").fill(was)
    page.locator("#item-save").click()
    expect(page.locator("#desk-plan .verdict")).to_contain_text("It is valid.")


def posts(page: Page) -> None:
    """At the next turn for words; turns for notes that come before and after are answered."""
    posted = False
    end = time.monotonic() + 120
    while time.monotonic() < end and not page.locator(".after").count():
        now = page.locator("#now")
        standing, asks = (now.get_attribute(f"data-{name}", timeout=20_000) for name in ("standing", "asks"))
        if standing == "yours" and asks == "beliefs":
            page.locator("#tab-beliefs").click()
            same = page.get_by_role("button", name=re.compile("As I last sent it|Nothing is known yet"))
            # while an answer is on its way the button waits, and the session may end with that answer
            if same.count() and same.is_enabled():
                with contextlib.suppress(TimeoutError):
                    same.click(timeout=2_000)
                page.wait_for_timeout(800)
        elif standing == "yours" and not posted:
            tab(page, "plan")
            page.locator("#plan-words").fill("Here is our plan. Thank you all!")
            page.locator("#post-plan").click()
            posted = True
        page.wait_for_timeout(200)
    assert posted


def notes_are_told_once(page: Page) -> None:
    """One line of the talk says that notes were sent, or where the talk is out of sight the desk does; no part of the
    page stands there twice.
    """
    expect(page.locator("#chat .note.own")).to_have_count(1)
    told = page.get_by_text(re.compile("You noted what you believe|Your notes are sent"))
    expect(told.filter(visible=True)).to_have_count(1)
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map(e => e.id)")
    assert len(ids) == len(set(ids)), [name for name in set(ids) if ids.count(name) > 1]


@pytest.mark.usefixtures("only_started")
def test_the_desk_on_a_phone(site: Installation, insider: Insider, context: BrowserContext) -> None:
    made = insider.ask("make", task=TASK, people=["Agent"], turn_s=None)
    page = context.new_page()
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    page.goto(site.url(made["links"]["Agent"]))
    page.locator("main button.primary").click()
    page.get_by_role("checkbox").check()
    page.locator("button.primary").click()
    stands(page, "beliefs")
    expect(page.locator("#desk-beliefs")).to_be_visible()
    page.get_by_role("button", name="Nothing is known yet").click()
    stands(page, "words")
    notes_are_told_once(page)
    page.locator("#tab-chat").click()
    notes_are_told_once(page)
    expect(page.locator("#chat")).to_be_visible()
    expect(page.locator("#desk-beliefs")).to_be_hidden()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#tab-tools")).to_be_focused()
    expect(page.locator("#chat")).to_be_hidden()
    page.locator("#tool-travel_search_trains summary").first.click()
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", page.locator("#travel_search_trains-date").input_value())
    page.keyboard.press("Tab")
    tab(page, "plan")
    page.locator("#add-0").click()
    item = page.locator("#plan-item")
    expect(item).to_be_visible()
    take_screenshot(page, "phone-item")
    item.locator("#id_item-type").select_option("rest")
    expect(item.locator("#id_item-location")).to_be_hidden()
    item.locator("#id_item-city").fill("苏州市")
    item.locator("#id_item-start").fill("09:00")
    item.locator("#id_item-end").fill("10:00")
    item.locator("input[type=checkbox]").first.uncheck()
    item.locator("#item-save").click()
    expect(page.locator("#desk-plan .row")).to_have_count(1)
    page.locator("#edit-0-0-0").click()
    expect(item).to_be_visible()
    for name in ("chat", "tools", "plan", "beliefs"):
        page.locator(f"#tab-{name}").click()
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        for scheme, rule in (("light", ALL), ("dark", COLOURS)):
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            assert problems(page, rule) == []
            take_screenshot(page, f"phone-{name}-{scheme}")


def test_a_person_writes_a_plan_as_json_where_a_benchmark_has_no_editor_of_its_own(
    site: Installation, insider: Insider, context: BrowserContext
) -> None:
    plan = plan_of(insider, QUERY, "baseline_a")
    made = insider.ask("make", task=QUERY, people=["Agent"], turn_s=None)
    page = context.new_page()
    page.goto(site.url(made["links"]["Agent"]))
    page.get_by_role("button", name="English").click()
    page.locator("main button.primary").click()
    page.get_by_role("checkbox").check()
    page.locator("button.primary").click()
    stands(page, "words")
    tab(page, "plan")
    expect(page.locator("#plan-preview .verdict")).to_contain_text("Write the plan above")
    says_where_json_breaks(page, plan)
    shows_what_is_wrong_while_it_is_written(page, plan)
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    for scheme, rule in (("light", ALL), ("dark", COLOURS)):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        assert problems(page, rule) == []
        take_screenshot(page, f"editor-phone-{scheme}")

    page.locator("#plan-words").fill("This is my plan.")
    page.locator("#post-plan").click()
    if (anyway := page.get_by_role("button", name="Post it anyway")).count():
        anyway.click()
    expect(page.locator(".after")).to_contain_text(name_in(plan), timeout=60_000)
    take_screenshot(page, "editor-posted")
    log = insider.ask("log", session=made["session"])
    assert [e["payload"]["plan"] for e in log if e["type"] == "plan_proposed"] == [plan]


def test_a_person_makes_a_plan_of_the_data_at_their_desk(
    site: Installation, insider: Insider, context: BrowserContext
) -> None:
    made = insider.ask("make", task=TRIP, people=["Agent"], turn_s=None)
    page = context.new_page()
    page.goto(site.url(made["links"]["Agent"]))
    page.locator("main button.primary").click()
    page.get_by_role("checkbox").check()
    page.locator("button.primary").click()
    stands(page, "words")
    expect(page.locator("#say")).to_have_count(0)
    tab(page, "plan")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#desk-data")).to_be_visible()
    page.locator("#data-list").select_option("hotel")
    hotel = page.locator(".things li").first
    expect(hotel).to_contain_text("★")
    name = hotel.locator("b").inner_text()
    page.locator("#data-words").press_sequentially(name)
    expect(page.locator(".things li")).to_have_count(1)
    page.locator("#add-day").select_option("2")
    hotel.get_by_role("button", name="Add to the plan").press("Enter")
    expect(page.locator("#plan-added")).to_contain_text(f"{name} stands on day 2, Evening.")
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    for scheme, rule in (("light", ALL), ("dark", COLOURS)):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        assert problems(page, rule) == []
        take_screenshot(page, f"data-phone-{scheme}")
    tab(page, "plan")
    expect(page.locator("#plan-preview")).to_contain_text(name)
    expect(page.locator("#plan-json")).to_have_value(re.compile(re.escape(f"**[{name}](")))


def name_in(plan: dict[str, Any]) -> str:
    """Where its first stop is."""
    return str(plan["daily_plans"][0]["activities"][0]["location_name"])


def says_where_json_breaks(page: Page, plan: dict[str, Any]) -> None:
    """Its line and column; what was written stays."""
    lines = json.dumps(plan, ensure_ascii=False, indent=1).splitlines()
    broken = "\n".join([*lines[:2], "?", *lines[2:]])
    page.locator("#plan-json").fill(broken)
    expect(page.locator("#plan-preview [role=alert]")).to_contain_text("line 3 column 1")
    take_screenshot(page, "editor-broken")
    expect(page.locator("#plan-json")).to_have_value(broken)


def shows_what_is_wrong_while_it_is_written(page: Page, plan: dict[str, Any]) -> None:
    """A part that lacks, a time that is none, and the whole plan day by day."""
    json_field, verdict = page.locator("#plan-json"), page.locator("#plan-preview .verdict")
    json_field.fill(json.dumps({key: value for key, value in plan.items() if key != "summary"}))
    expect(page.locator("#plan-preview")).to_contain_text("“summary” is missing")
    expect(verdict).to_contain_text("1 thing is wrong")
    take_screenshot(page, "editor-lacks")
    json_field.fill(json.dumps(plan, ensure_ascii=False))
    expect(page.locator("#plan-preview")).not_to_contain_text("is missing")
    expect(page.locator("#plan-preview")).to_contain_text(name_in(plan))
    take_screenshot(page, "editor-wide")
