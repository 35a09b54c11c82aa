"""axe finds nothing serious on any page, and none is wider than its window: wide and narrow, light and dark."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests import example_data
from tests.browser.axe import problems_everywhere
from tests.installation import Installation

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PAGES = (
    "/",
    "/sessions/",
    "/sessions/new/",
    "/runs/",
    "/runs/new/",
    "/runs/import/",
    "/notes/",
    "/reports/",
    "/reports/leaderboard/",
    "/judging/",
    "/tasks/",
    "/tasks/starter_02/",
    "/tasks/starter_02/edit",
    "/tasks/new",
    "/tasks/statistics",
    "/tasks/synthesis/",
    "/caches/",
    "/caches/local/",
    "/models/",
    "/jobs/",
    "/worlds/",
    "/models/new/",
    "/models/good-agent/",
    "/studies/",
    "/studies/new/",
)
SIDE = "#side"
"""Where a panel stands on the page of a session."""


@pytest.fixture
def addresses(site: Installation) -> list[str]:
    """Every kind of page, over runs that have ended, one of which has a very long name."""
    ids = {str(name): str(pk) for name, pk in site.query("SELECT name, id FROM runs_run")}
    run, compared = ids[example_data.REPORTED_RUN], [ids[name] for name in example_data.COMPARED_RUNS]
    session = example_data.SESSION_OVER_MODELS
    return [
        *PAGES,
        f"/sessions/{session}/?at=20",
        *(
            f"/sessions/compare/?session={session}&session={example_data.ENDED_SESSION}&tab={tab}"
            for tab in ("overview", "conversation", "calls", "plans", "map")
        ),
        f"/sessions/compare/?session={session}",
        f"/sessions/{session}/fork/",
        f"/sessions/{session}/seats/",
        f"/runs/{run}/seats/",
        f"/runs/{run}/",
        f"/runs/{run}/delete/",
        f"/runs/compare/?runs={','.join([run, *compared])}",
        f"/reports/?runs={run}",
    ]


def test_axe_finds_nothing_serious_and_no_page_is_wider_than_its_window(
    page: Page, site: Installation, addresses: list[str]
) -> None:
    found: dict[str, dict[str, list[str]]] = {}

    def look(address: str, within: str | None = None) -> None:
        found[address] = problems_everywhere(page, within=within)

    for address in addresses:
        open_page(page, site.url(address))
        look(address)
    page.goto(site.url("/worlds/starter/"))
    look("/worlds/starter/")
    open_page(page, site.url(str(page.locator("main table a").first.get_attribute("href"))))
    look("a city")
    open_page(page, site.url(f"/sessions/{example_data.SESSION_OVER_MODELS}/"))
    look("a session")
    page.locator("#chat").evaluate("chat => chat.replaceChildren()")  # it was looked at, and it is long
    for name in [tab.get_attribute("id") for tab in page.locator("#panel .tabs a").all()]:
        page.locator(f"#{name}").click()
        expect(page.locator(f"#{name}")).to_have_attribute("aria-current", "page")
        look(f"a session's {name}", SIDE)
    assert {address: what for address, what in found.items() if any(what.values())} == {}


def open_page(page: Page, address: str) -> None:
    """Go there, where there is a page."""
    answer = page.goto(address)
    assert answer is not None and answer.status == 200, address
