"""Making sets of tasks, looking at what they hold, and changing one of them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests import SHIPPED_TASKS
from tests.browser.axe import problems_everywhere
from tests.browser.confirming import declines
from tests.browser.names import fresh
from tests.installation import Installation

pytestmark = [pytest.mark.browser, pytest.mark.slow]
MAKE_WAY = """
from webapp.synthesis import deleting
from webapp.synthesis.models import TaskSynthesis
for row in TaskSynthesis.objects.filter(collection="by hand"):
    deleting.delete(row)
"""
"""Of a run of the test before this one: the tasks of a seed have the same ids."""


def fill(page: Page, name: str) -> None:
    page.get_by_label("Name of the set").fill(name)
    page.get_by_label("Tasks", exact=True).fill("4")
    page.get_by_label("Seed", exact=True).fill("7")
    page.get_by_label("Prove that each task can be solved").uncheck()


def test_from_the_form_over_a_preview_to_tasks_and_their_statistics(page: Page, site: Installation) -> None:
    site.inside.run(MAKE_WAY)
    page.goto(site.url("/tasks/"))
    page.get_by_role("link", name="Make a set").click()
    fill(page, "starter")
    large = {"name": "travellers.jsonl", "mimeType": "application/json", "buffer": b"x" * (9 << 20)}
    page.get_by_label("Own travellers").set_input_files(large)  # type: ignore[arg-type]
    expect(page.get_by_role("alert")).to_contain_text("The file has more than 8 MB")
    page.get_by_label("Own travellers").set_input_files([])
    expect(page.get_by_role("alert")).to_have_count(0)
    page.get_by_role("button", name="Preview").click()
    expect(page.locator("#problems")).to_contain_text("1 problem")
    expect(page.get_by_text("choose another name").first).to_be_visible()
    expect(page.get_by_label("Seed", exact=True)).to_have_value("7")
    page.get_by_label("Name of the set").fill("by hand")
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("heading", name="Preview")).to_be_visible(timeout=60_000)
    expect(page.get_by_text("Nothing is in the catalogue yet.")).to_be_visible()
    expect(page.get_by_text("Passed.")).to_have_count(3)
    assert not any(problems_everywhere(page).values())
    previewed = page.locator(".previewed h2").all_text_contents()
    assert site.query("SELECT COUNT(*) FROM catalogue_task WHERE task_id LIKE 'task_0%'") == [(0,)]

    page.get_by_role("button", name="Make the tasks").click()
    expect(page.get_by_role("heading", name="What was made")).to_be_visible(timeout=60_000)
    assert not any(problems_everywhere(page).values())
    with page.expect_download() as download:
        page.get_by_role("link", name="Tasks (JSONL)").click()
    lines = [json.loads(line) for line in download.value.path().read_text("utf-8").splitlines()]
    assert download.value.suggested_filename == "by hand.jsonl" and len(lines) == 4
    ids = [line["task_id"] for line in lines]
    assert {heading.split()[0] for heading in previewed} <= set(ids)

    page.get_by_role("link", name="Its tasks").click()
    for task_id in ids:
        expect(page.get_by_role("main")).to_contain_text(task_id)
    page.get_by_role("link", name="Statistics").click()
    expect(page.get_by_role("heading", name="Statistics of tasks")).to_be_visible()
    expect(page.get_by_role("main")).to_contain_text("GroupTravelBench")
    chart = page.locator("[data-chart]").first
    chart.scroll_into_view_if_needed()
    expect(chart.locator(".main-svg").first).to_be_visible()


def test_a_set_is_made_by_keyboard_alone_and_can_be_cancelled(page: Page, site: Installation) -> None:
    page.goto(site.url("/tasks/synthesis/"))
    page.get_by_label("Name of the set").focus()
    name = fresh("by keyboard")
    page.keyboard.type(name)
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Control+a")
    page.keyboard.type("600")
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.value") == "make":
            break
    page.keyboard.press("Enter")
    cancel = page.get_by_role("button", name="Cancel")
    expect(page.get_by_role("main")).to_contain_text(re.compile(r"[1-9]\d* of 600 tasks"), timeout=60_000)
    cancel.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Go on")).to_be_visible(timeout=30_000)
    expect(page.get_by_role("main")).to_contain_text("Stopped")
    assert site.query(f"SELECT COUNT(*) FROM catalogue_taskcollection WHERE name = '{name}'") == [(0,)]


def test_a_task_that_was_played_stays_and_its_change_is_another(
    page: Page, site: Installation, tmp_path: Path
) -> None:
    name = fresh("played_07")
    lines = (SHIPPED_TASKS / "starter.jsonl").read_text("utf-8").splitlines()
    line = next(line for line in lines if "starter_07" in line)
    (tmp_path / "one.jsonl").write_text(line.replace("starter_07", name), "utf-8")
    site.inside.command("import_tasks", str(tmp_path / "one.jsonl"), "--world", "starter")
    stored = f"SELECT definition FROM catalogue_task WHERE task_id = '{name}'"
    before = site.query(stored)
    page.goto(site.url(f"/sessions/new/?task={name}"))
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page).to_have_url(re.compile(r"/sessions/\w{8}/"))
    session = page.url

    page.goto(site.url(f"/tasks/{name}/"))
    page.get_by_role("link", name="Change").click()
    told = page.locator("#checked")
    expect(told).to_contain_text("The task can be saved.")
    page.get_by_label("User1: role").fill("the planner")
    declines(page)
    page.get_by_role("button", name="Remove User1").click()
    assert page.evaluate("window.asked") == ["Remove User1?"]
    page.get_by_role("button", name="Add a city").click()
    page.get_by_role("button", name="Remove City 2").click()
    assert page.evaluate("window.asked") == ["Remove User1?", "Remove City 2?"]
    expect(page.get_by_label("City 2", exact=True)).to_be_visible()
    expect(page.get_by_label("User1: role")).to_have_value("the planner")
    declines(page, again=False)
    page.get_by_role("button", name="Remove City 2").click()
    expect(page.get_by_label("City 2", exact=True)).to_have_count(0)
    liked = page.locator("textarea[name='u0-c0-food.must_eat']")
    liked.fill("空中火锅")
    expect(told).to_contain_text("空中火锅")
    page.locator("textarea[name='u1-c0-food.reject_eat']").fill("空中火锅")
    expect(told.locator(".matrix")).to_contain_text("空中火锅")
    page.get_by_label("Departure city").fill("")
    expect(told).to_contain_text("This field is required.")
    page.get_by_label("Departure city").fill("南京市")
    expect(told).to_contain_text("The task can be saved.")
    page.get_by_role("button", name="Save as a new version").last.click()
    expect(page).to_have_url(site.url(f"/tasks/{name}.v2/"))
    expect(page.get_by_role("main")).to_contain_text("This is version 2.")
    expect(page.get_by_role("main")).to_contain_text("空中火锅")

    assert site.query(stored) == before
    page.goto(session)
    page.get_by_role("link", name=name).first.click()
    expect(page.get_by_role("main")).to_contain_text("The newest is version 2")
    expect(page.get_by_role("main")).not_to_contain_text("空中火锅")
    page.goto(site.url(f"/tasks/{name}/edit"))
    expect(page).to_have_url(site.url(f"/tasks/{name}.v2/"))
