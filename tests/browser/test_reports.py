"""The report of a run, its charts and its files."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests import example_data
from tests.installation import Installation

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def run(site: Installation) -> str:
    """The id of a run of two tasks, each twice, that has ended."""
    found = site.query(f"SELECT id FROM runs_run WHERE name = '{example_data.REPORTED_RUN}'")
    return str(found[0][0])


INJECT_SCRIPT = """
() => {
  const script = document.createElement("script");
  script.textContent = "document.body.dataset.ran = 'yes'";
  document.body.append(script);
}
"""


def colours(page: Page) -> set[str]:
    return set(
        page.locator("#completion .point path").evaluate_all(
            "paths => paths.map(p => getComputedStyle(p).fill)"
        )
    )


def test_charts_are_drawn_as_they_come_into_view_in_the_colours_of_the_theme(
    page: Page, site: Installation, run: str, tmp_path: Path, chromium: Browser
) -> None:
    page.goto(site.url(f"/runs/{run}/"))
    page.get_by_role("link", name="Report", exact=True).click()
    expect(page.get_by_role("heading", name="Main results")).to_be_visible()
    charts = page.locator("[data-chart]")
    for number in range(charts.count()):
        charts.nth(number).scroll_into_view_if_needed()
        expect(charts.nth(number).locator(".main-svg").first).to_be_visible()
    expect(page.locator("#completion")).to_contain_text("plan proposed")
    expect(page.locator("#group_size .xtitle").first).to_have_text("people in the group")
    light = colours(page)
    page.emulate_media(color_scheme="dark")
    expect(page.locator("#completion .point path").first).not_to_have_css("fill", next(iter(light)))

    with page.expect_download() as download:
        page.get_by_role("link", name="How sessions ended as CSV").click()
    assert "plan_generated" in download.value.path().read_text()
    with page.expect_download() as download:
        page.get_by_role("link", name="HTML", exact=True).click()
    download.value.save_as(tmp_path / "report.html")
    alone, complaints = chromium.new_page(), list[str]()
    alone.on("console", lambda told: complaints.append(told.text))
    alone.goto((tmp_path / "report.html").as_uri())
    alone.locator("[data-chart]").first.scroll_into_view_if_needed()
    expect(alone.locator("[data-chart] .main-svg").first).to_be_visible()
    assert not [told for told in complaints if "Content Security Policy" in told]
    alone.evaluate(INJECT_SCRIPT)
    expect(alone.locator("body")).not_to_have_attribute("data-ran", "yes")
    assert any("Content Security Policy" in told for told in complaints), complaints
    alone.close()


def test_a_phone_has_no_sideways_scrolling(page: Page, site: Installation, run: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(site.url(f"/reports/?runs={run}"))
    last = page.locator("[data-chart]").last
    last.scroll_into_view_if_needed()
    expect(last.locator(".main-svg").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_a_phone_keeps_the_names_of_runs_in_sight(page: Page, site: Installation, run: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(site.url(f"/reports/?runs={run}"))
    table = page.locator("#main_results .scroll")
    name, figure = table.locator("tbody td").nth(0), table.locator("tbody td").nth(3)
    before = [cell.bounding_box() for cell in (name, figure)]
    table.evaluate("table => table.scrollLeft = 120")
    after = [cell.bounding_box() for cell in (name, figure)]
    moved = [then["x"] - now["x"] for then, now in zip(before, after, strict=True) if then and now]
    assert moved == [0, 120]
