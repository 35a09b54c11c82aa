"""axe finds nothing serious on any page: wide and narrow, light and dark."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.browser.axe import problems_in_both
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
    "/models/axe-model/",
    "/studies/",
    "/studies/new/",
)
PANELS = ("preferences", "travellers", "map", "tools", "models", "plan", "scores", "judge", "notes")
SIDE = "#side"
"""Where a panel stands on the page of a session."""


@pytest.fixture(scope="module")
def addresses(site: Installation) -> list[str]:
    """Every kind of page, over a run of two tasks that has ended."""
    site.inside.command("run", "axe", "--tasks", "starter_01", "starter_02")
    site.inside.command(
        "endpoint", "add", "axe-model", "http://127.0.0.1:9/v1", "some/model-with-a-long-name-7b-instruct"
    )
    run = site.query("SELECT id FROM runs_run WHERE name = 'axe'")[0][0]
    sessions = site.query(f"SELECT id FROM caravan_sessions_session WHERE run_id = '{run}' ORDER BY id")
    session, other = (row[0] for row in sessions)
    return [
        *PAGES,
        *(f"/sessions/{session}/?tab={name}" for name in PANELS),
        f"/sessions/{session}/?at=20",
        f"/sessions/{session}/beside/{other}/",
        f"/sessions/{session}/fork/",
        f"/sessions/{session}/seats/",
        f"/runs/{run}/seats/",
        f"/runs/{run}/",
        f"/runs/{run}/delete/",
        f"/reports/?runs={run}",
    ]


@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing_serious(
    chromium: Browser, signed_in: list[Any], site: Installation, addresses: list[str], width: int
) -> None:
    context = chromium.new_context(viewport={"width": width, "height": 844})
    context.add_cookies(signed_in)
    page = context.new_page()
    world = str(site.query("SELECT name FROM catalogue_world")[0][0])
    page.goto(site.url(f"/worlds/{world}/"))
    city = page.locator("main table a").first.get_attribute("href")
    found: dict[str, dict[str, list[str]]] = {}
    for address in [*addresses, f"/worlds/{world}/", f"/worlds/{world}/timetable/", str(city)]:
        answer = page.goto(site.url(address))
        assert answer is not None and answer.status == 200, address
        # beside each other panel stands the conversation that the first one was beside
        part = SIDE if address.split("?tab=")[-1] in PANELS[1:] else None
        found[address] = problems_in_both(page, within=part)
    context.close()
    assert {address: what for address, what in found.items() if any(what.values())} == {}
