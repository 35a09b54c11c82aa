"""A prompt is changed, and what it changes is looked at to the end, all by clicks in one browser."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.names import fresh
from tests.example_data import COMPARED_RUNS
from tests.installation import Installation
from tests.model_server.server import ModelServer

pytestmark = [pytest.mark.browser, pytest.mark.slow]
NEW_SENTENCE = "Ask before you plan."


def test_from_a_changed_prompt_to_the_plan_of_a_fork(
    page: Page, site: Installation, models: ModelServer
) -> None:
    model, name = fresh("worker").replace(" ", "-"), fresh("careful").replace(" ", "-")
    site.inside.command("endpoint", "add", model, models.url, "good-agent")
    base = next(iter(COMPARED_RUNS))

    page.goto(site.url("/"))
    page.get_by_role("link", name="Prompts", exact=True).click()
    page.get_by_role("row").filter(has_text="GroupTravelBench").first.get_by_role("link", name="Copy").click()
    page.get_by_label("Name").fill(name)
    page.get_by_role("button", name="Copy").click()
    page.get_by_role("link", name="in Chinese").click()
    role = page.get_by_role("row").filter(has=page.get_by_text("role", exact=True)).first
    role.get_by_role("link", name="Edit").click()
    words = page.get_by_label("Text of the template")
    words.fill(f"{words.input_value()}\n{NEW_SENTENCE}")
    page.get_by_role("button", name="Save as a new version").click()
    page.get_by_role("link", name=f"{name}@2").click()
    page.get_by_role("link", name="with the one before").click()
    expect(page.locator("main")).to_contain_text(NEW_SENTENCE)
    page.go_back()

    page.get_by_role("link", name="Start a run").click()
    page.get_by_label("Name").fill(f"with {name}")
    page.get_by_label("Or these tasks").fill("starter_01")
    page.get_by_label("Agent", exact=True).select_option("llm")
    page.get_by_label("Agent's model").select_option(model)
    expect(page.get_by_label("Prompts")).to_have_value(f"{name}@2")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator("#run-live")).to_contain_text("1 of 1 sessions have ended", timeout=90_000)

    page.get_by_role("link", name="Runs", exact=True).click()
    page.get_by_label(f"Compare {base}", exact=True).check()
    page.get_by_label(f"Compare with {name}", exact=True).check()
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_role("row").filter(has_text=f"with {name}").first).to_contain_text(f"prompts {name}@2")
    page.get_by_role("link", name="Failure analysis").click()
    expect(page.get_by_role("columnheader", name="difference").first).to_be_visible()
    page.get_by_role("link", name=f"with {name}").first.click()
    page.locator("#run-misses").click()
    page.locator(".misses .what").get_by_role("link").first.click()
    page.get_by_role("link", name=re.compile(r"^#\d+$")).last.click()

    page.get_by_role("link", name="Models", exact=True).last.click()
    asked = page.locator(".calls li").filter(has_text="Agent").first
    asked.get_by_role("link", name="messages").click()
    expect(page.locator("main")).to_contain_text(NEW_SENTENCE)
    page.get_by_role("link", name="Ask again").click()
    last = page.locator("#messages > li").last
    last.get_by_role("button", name="Edit").click()
    last.get_by_label("Content").fill(f"{last.get_by_label('Content').input_value()}\nOnce more.")
    page.locator("#ask").click()
    expect(page.locator("#progress")).to_contain_text("3 of 3 answers", timeout=60_000)
    page.locator("#answer-1").get_by_role("link", name="Fork from this answer").click()
    page.get_by_role("button", name="Start").click()
    expect(page.locator("#fork-of")).to_be_visible()
    expect(page.locator(".status")).to_contain_text("The agent proposed its plan.", timeout=90_000)
