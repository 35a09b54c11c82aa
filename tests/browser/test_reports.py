"""The report of a run, its charts and its files."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from benchmark.reports import Chart, Column, Part, Table
from benchmark.suites import DEFAULT_SUITE, measures_of
from tests import example_data
from tests.installation import Installation
from webapp.reports.charts import drawings
from webapp.reports.wording import Words

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
        page.get_by_role("link", name="How sessions ended, CSV").click()
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


SHOW_INSTEAD = """
([plot]) => {
  const place = document.querySelector("[data-chart]");
  document.getElementById(place.dataset.chart).content.textContent = JSON.stringify(plot);
}
"""
RADAR = Chart("radar", x="figure", y="value", series="run")
MATRIX = Chart("matrix", x="figure", y="other_figure", value="value")


def show_chart(page: Page, chart: Chart, rows: list[list[str | float]]) -> None:
    """Put another chart in the place of the first, which is drawn anew in the dark."""
    columns = [
        Column("run", "name"),
        Column("figure", "name"),
        Column("other_figure", "name"),
        Column("value"),
    ]
    table = Table(columns, rows)
    words = Words(measures_of(DEFAULT_SUITE, "published"))
    [drawing] = drawings(Part("completion", lambda report: table, chart), table, ["a"], words)
    page.evaluate(SHOW_INSTEAD, [drawing.plotly])
    page.emulate_media(color_scheme="dark")


def test_radars_and_matrices_are_drawn_in_the_colours_of_the_theme(
    page: Page, site: Installation, run: str
) -> None:
    for chart in (RADAR, MATRIX):
        page.emulate_media(color_scheme="light")
        page.goto(site.url(f"/reports/?runs={run}"))
        place = page.locator("[data-chart]").first
        place.scroll_into_view_if_needed()
        expect(place.locator(".main-svg").first).to_be_visible()
        rows: list[list[str | float]] = [["a", key, "pv", 0.5] for key in ("pc", "gu", "gf")]
        show_chart(page, chart, rows)
        if chart is RADAR:
            expect(place.locator(".annotation-text")).to_have_text(["PC", "GU", "GF"])
            expect(place.locator(".scatterlayer .js-line")).to_have_css("stroke", "rgb(127, 178, 238)")
        else:
            expect(place.locator(".shapelayer path").first).to_have_css("fill", "rgb(127, 178, 238)")
            expect(place.locator(".textpoint")).to_have_text(["0.50"] * 3)
