"""Names as long as they may be, on a wide screen and on a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.names import fresh
from tests.installation import Installation, free_port

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LONGEST = 60
MODEL = "m" * 200
WIDTHS = (1400, 390)
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture
def crashed_run_pages(page: Page, site: Installation) -> list[str]:
    """The addresses of a run's pages whose only session found nobody at its model's long address."""
    here, name = site.url(""), fresh("n" * (LONGEST - 2)).ljust(LONGEST, "n")
    asked = f"http://127.0.0.1:{free_port()}/"
    page.goto(f"{here}/models/new/")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Address").fill(asked + "a" * (400 - len(asked)))
    page.get_by_label("Model", exact=True).fill(MODEL)
    page.get_by_text("Fine settings").click()
    page.get_by_label("Retry time").fill("0")
    page.get_by_role("button", name="Add").click()
    expect(page.get_by_role("heading", name=name)).to_be_visible()
    page.goto(f"{here}/runs/new/?agent=llm&agent_model={name}&tasks=starter_01&world=starter")
    page.get_by_label("Name").fill("r" * 100)
    page.get_by_role("button", name="Start").click()
    expect(page.locator(".run-progress")).to_contain_text("1 crashed", timeout=60_000)
    run = page.url.removeprefix(here)
    session = page.locator("table.list a").first.get_attribute("href")
    compared = f"/runs/compare/?runs={run.split('/')[2]}"
    models = ("/models/", f"/models/{name}/", f"/models/{name}/edit/")
    return [here + path for path in (*models, "/runs/", run, compared, f"{session}?tab=models", "/sessions/")]


def test_long_names_break_no_page(page: Page, crashed_run_pages: list[str]) -> None:
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        for address in crashed_run_pages:
            page.goto(address)
            assert page.evaluate(OVERFLOW) <= 0, (width, address)
    for width, address, table in (
        (1400, crashed_run_pages[0], "table.list"),
        (1280, f"{crashed_run_pages[3]}?suite=grouptravel", "table.runs"),
        (1400, crashed_run_pages[5], "table.compared"),
    ):
        page.set_viewport_size({"width": width, "height": 900})
        page.goto(address)
        room = "each => each.scrollWidth - each.parentElement.clientWidth"
        assert page.locator(table).evaluate(room) <= 0, table
    page.goto(crashed_run_pages[0])
    expect(page.get_by_title(MODEL).first).to_be_visible()


def test_no_page_scrolls_sideways_between_a_phone_and_a_desk(
    page: Page, site: Installation, ended_session: str
) -> None:
    for path in (
        "/",
        "/sessions/",
        "/tasks/",
        "/models/",
        f"/sessions/{ended_session}/",
        f"/sessions/{ended_session}/?tab=map",
    ):
        page.goto(site.url(path))
        for width in (700, 794, 900):
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (path, width)
    page.set_viewport_size({"width": 1400, "height": 900})
    tops = {round(tab.bounding_box()["y"]) for tab in page.locator("#panel .tabs a").all()}  # type: ignore[index]
    assert len(tops) == 1, "the tabs stand in one line"
