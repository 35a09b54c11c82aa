"""What axe finds on a page."""

from __future__ import annotations

from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

WHATEVER: dict[str, Any] = {"resultTypes": ["violations"]}
ONLY_COLOURS = {**WHATEVER, "runOnly": ["color-contrast"]}
"""All that a dark page may have wrong which the light one has right."""
_THERE = "typeof axe !== 'undefined'"
_FOUND = """
async ([within, options]) => {
  const { violations } = await axe.run(within ?? document, options);
  return violations.filter(({ impact }) => ["serious", "critical"].includes(impact))
    .map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 120)}`);
}
"""


def problems(page: Page, rules: dict[str, Any] = WHATEVER, *, within: str | None = None) -> list[str]:
    """What axe calls serious or critical, with the first place of each. within: a selector, of a part of the page."""
    if not page.evaluate(_THERE):  # its script is half a megabyte
        page.evaluate(AXE_SCRIPT)
    found: list[str] = page.evaluate(_FOUND, [within, rules])
    return found


def problems_in_both(page: Page, *, within: str | None = None) -> dict[str, list[str]]:
    """The same in the light and in the dark, by words for the colours; what is not of colours is looked at once."""
    page.emulate_media(color_scheme="light")
    light = problems(page, within=within)
    page.emulate_media(color_scheme="dark")
    dark = problems(page, ONLY_COLOURS, within=within)
    page.emulate_media(color_scheme="light")
    return {"light": light, "dark": dark}
