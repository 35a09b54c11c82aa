"""What axe finds on a page: in the light and the dark, on a wide screen and on a phone, each thing asked once."""

from __future__ import annotations

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

WIDE, PHONE = {"width": 1280, "height": 844}, {"width": 390, "height": 844}
ALL, COLOURS, SCROLLING = "all", "color-contrast", "scrollable-region-focusable"
"""Rules: all, those of colours, and those of the page's layout. A rule can find what is serious, or critical, or only
less; all are those that can find it."""
_IS_LOADED = "typeof axe !== 'undefined'"
_FIND_VIOLATIONS = """
async ([within, rule, onlyNew]) => {
  const strong = axe._audit.rules.filter(({ enabled, impact, tags }) =>
    enabled && !tags.includes("experimental") && ["serious", "critical"].includes(impact)).map(({ id }) => id);
  const shown = [...document.body.querySelectorAll("*")].filter((each) => each.checkVisibility());
  window.looked ??= new WeakSet();
  const fresh = new Set(shown.filter((each) => !window.looked.has(each) && (!within || each.closest(within))));
  const parts = [...fresh].filter((each) => !fresh.has(each.parentElement));
  if (rule === "all") shown.forEach((each) => window.looked.add(each));
  if (onlyNew && !parts.length) return [];
  const { violations } = await axe.run(onlyNew ? { include: parts } : within ?? document, {
    resultTypes: ["violations"], preload: false, runOnly: rule === "all" ? strong : [rule],
  });
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 120)}`);
}
"""


def problems(page: Page, rule: str = ALL, *, within: str | None = None, only_new: bool = False) -> list[str]:
    """What axe calls serious or critical, with the first place of each.

    within: a selector, of a part of the page. only_new: of what was not shown when all rules were last asked.
    """
    if not page.evaluate(_IS_LOADED):  # its script is half a megabyte
        page.evaluate(AXE_SCRIPT)
    found: list[str] = page.evaluate(_FIND_VIOLATIONS, [within, rule, only_new])
    return found


def problems_everywhere(page: Page, *, within: str | None = None) -> dict[str, list[str]]:
    """On a wide screen and on a phone, in the light and in the dark, by words for each; and what is too wide for it.

    The dark has other colours, a phone shows other parts and scrolls others: nothing else is asked again there.
    """
    page.set_viewport_size(WIDE)  # type: ignore[arg-type]
    found = {"wide": [*problems(page, within=within), *_overflow(page)]}
    page.emulate_media(color_scheme="dark")
    found["wide, dark"] = problems(page, COLOURS, within=within)
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    found["phone, dark"] = problems(page, COLOURS, within=within, only_new=True)
    page.emulate_media(color_scheme="light")
    seen_first = problems(page, within=within, only_new=True)
    found["phone"] = [*seen_first, *problems(page, SCROLLING, within=within), *_overflow(page)]
    page.set_viewport_size(WIDE)  # type: ignore[arg-type]
    return found


def _overflow(page: Page) -> list[str]:
    wider = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    return [f"{wider} px wider than the window"] if wider > 0 else []
