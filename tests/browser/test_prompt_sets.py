"""Sets of prompts, and sets of sessions, by clicks and keys."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.names import fresh
from tests.installation import Installation
from tests.model_server.server import ModelServer

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_a_set_is_copied_corrected_compared_and_chosen(page: Page, site: Installation) -> None:
    name = fresh("brief")
    page.goto(site.url("/"))
    page.keyboard.press("g")
    page.keyboard.press("p")
    expect(page.get_by_role("heading", name="Prompts")).to_be_visible()
    page.get_by_role("row", name="GroupTravelBench").get_by_role("link", name="Copy").click()
    page.get_by_label("Name").fill(name)
    page.get_by_role("button", name="Copy").click()
    page.get_by_role("link", name="member", exact=True).first.click()
    page.get_by_role("link", name="Edit").click()
    text = page.get_by_label("Text of the template")
    shipped = text.input_value().rstrip("\n")
    text.fill(f"{shipped}\n$nome speaks.")
    page.get_by_role("button", name="Save as a new version").click()
    expect(page.locator(".problems")).to_be_focused()
    expect(page.locator("#found")).to_contain_text(
        "line 2: There is no field “$nome” here. Do you mean “$name”?"
    )
    text.fill(f"{shipped}\n$name speaks.")
    page.get_by_role("button", name="Save as a new version").click()
    page.get_by_role("link", name=f"{name}@2").first.click()
    page.get_by_role("link", name="compare with the one before").click()
    expect(page.locator("ins")).to_contain_text("$name speaks.")
    page.go_back()
    page.get_by_role("link", name="Start a run").click()
    expect(page.get_by_label("Prompts")).to_have_value(f"{name}@2")
    page.get_by_role("link", name="Read the prompts or make a set of your own").click()
    expect(page.get_by_role("link", name=name, exact=True)).to_be_visible()


@pytest.mark.usefixtures("ended_session")
def test_what_a_search_finds_is_kept_judged_and_exported(
    page: Page, site: Installation, models: ModelServer, tmp_path: Path
) -> None:
    judge, name = fresh("set-judge"), fresh("hotels")
    site.inside.command("endpoint", "add", judge, models.url, "good-judge")
    page.goto(site.url("/search/"))
    page.get_by_role("searchbox", name="Search").fill("run:first 酒店")
    page.keyboard.press("Enter")
    expect(page.locator("ol.found > li").first).to_be_visible()
    found = page.locator("ol.found > li").count()
    page.locator("h1").click()
    page.keyboard.press("j")
    page.keyboard.press("j")
    expect(page.locator("ol.found > li").nth(1).get_by_role("link").first).to_be_focused()
    page.get_by_label("Save these sessions as the set").fill(name)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name=name)).to_be_visible()
    kept = page.url

    with page.expect_download() as given:
        page.get_by_role("link", name="JSONL").click()
    given.value.save_as(tmp_path / "set.jsonl")
    lines = (tmp_path / "set.jsonl").read_text("utf-8").splitlines()
    assert len(lines) == found and all(json.loads(line) for line in lines)

    page.get_by_role("link", name="Run its tasks again").click()
    assert len(page.get_by_label("Or these tasks").input_value().split()) == found
    page.goto(kept)
    page.get_by_role("link", name="Judge sessions").click()
    expect(page.get_by_label("Or a set").locator("option:checked")).to_contain_text(name)
    page.get_by_label("Judge", exact=True).select_option(judge)
    page.get_by_role("button", name="Start").click()
    expect(page.locator("main")).to_contain_text(f"{found} of {found} judged", timeout=60_000)
