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
    "/reports/",
    "/judging/",
    "/tasks/",
    "/tasks/starter_02/",
    "/caches/",
    "/caches/local/",
    "/models/",
    "/jobs/",
    "/models/new/",
    "/models/axe-model/",
)
ONLY_COLOURS = {"runOnly": ["color-contrast"]}
"""All that a dark page may have wrong which the light one has right."""
PANELS = ("preferences", "tools", "models", "plan", "scores", "judge")


@pytest.fixture(scope="module")
def addresses(site: Installation) -> list[str]:
    """Every kind of page, over a run of two tasks that has ended."""
    site.manage("run", "axe", "--tasks", "starter_01", "starter_02")
    site.manage(
        "endpoint", "add", "axe-model", "http://127.0.0.1:9/v1", "some/model-with-a-long-name-7b-instruct"
    )
    run = site.query("SELECT id FROM runs_run WHERE name = 'axe'")[0][0]
    session = site.query(f"SELECT id FROM caravan_sessions_session WHERE run_id = '{run}' ORDER BY id")[0][0]
    panels = [f"/sessions/{session}/?tab={name}" for name in PANELS]
    return [
        *PAGES,
        *panels,
        f"/sessions/{session}/fork/",
        f"/runs/{run}/",
        f"/runs/{run}/delete/",
        f"/reports/?runs={run}",
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing_serious(
    chromium: Browser, signed_in: list[Any], site: Installation, addresses: list[str], width: int, scheme: Any
) -> None:
    context = chromium.new_context(viewport={"width": width, "height": 844}, color_scheme=scheme)
    context.add_cookies(signed_in)
    page, axe = context.new_page(), Axe()
    rules = ONLY_COLOURS if scheme == "dark" else {}
    here = site.url("")
    found = {address: problems(page, axe, here + address, rules) for address in addresses}
    context.close()
    assert {address: what for address, what in found.items() if what} == {}


def problems(page: Page, axe: Axe, address: str, rules: dict[str, Any]) -> list[str]:
    """What axe calls serious or critical, with the first place of each."""
    answer = page.goto(address)
    assert answer is not None and answer.status == 200, address
    violations = axe.run(page, options=rules).response["violations"]
    return [
        f"{each['id']}: {each['nodes'][0]['html'][:120]}"
        for each in violations
        if each["impact"] in ("serious", "critical")
    ]
