"""axe finds nothing serious on any page: wide and narrow, light and dark."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

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
WHATEVER = {"resultTypes": ["violations"]}
ONLY_COLOURS = {**WHATEVER, "runOnly": ["color-contrast"]}
"""All that a dark page may have wrong which the light one has right."""
PANELS = ("preferences", "travellers", "map", "tools", "models", "plan", "scores", "judge", "notes")


@pytest.fixture(scope="module")
def addresses(site: Installation) -> list[str]:
    """Every kind of page, over a run of two tasks that has ended."""
    site.manage("run", "axe", "--tasks", "starter_01", "starter_02")
    site.manage(
        "endpoint", "add", "axe-model", "http://127.0.0.1:9/v1", "some/model-with-a-long-name-7b-instruct"
    )
    run = site.query("SELECT id FROM runs_run WHERE name = 'axe'")[0][0]
    sessions = site.query(f"SELECT id FROM caravan_sessions_session WHERE run_id = '{run}' ORDER BY id")
    session, other = (row[0] for row in sessions)
    panels = [f"/sessions/{session}/?tab={name}" for name in PANELS]
    return [
        *PAGES,
        *panels,
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
    page, axe = context.new_page(), Axe()
    world = str(site.query("SELECT name FROM catalogue_world")[0][0])
    page.goto(site.url(f"/worlds/{world}/"))
    city = page.locator("main table a").first.get_attribute("href")
    found: dict[str, list[str]] = {}
    for address in [*addresses, f"/worlds/{world}/", f"/worlds/{world}/timetable/", str(city)]:
        page.emulate_media(color_scheme="light")
        answer = page.goto(site.url(address))
        assert answer is not None and answer.status == 200, address
        found[address] = problems(page, axe, WHATEVER)
        page.emulate_media(color_scheme="dark")
        found[f"{address}, dark"] = problems(page, axe, ONLY_COLOURS)
    context.close()
    assert {address: what for address, what in found.items() if what} == {}


def problems(page: Page, axe: Axe, rules: dict[str, Any]) -> list[str]:
    """What axe calls serious or critical, with the first place of each."""
    violations = axe.run(page, options=rules).response["violations"]
    return [
        f"{each['id']}: {each['nodes'][0]['html'][:120]}"
        for each in violations
        if each["impact"] in ("serious", "critical")
    ]
