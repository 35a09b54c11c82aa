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
async ([within, rule, onlyNew, known]) => {
  const strong = axe._audit.rules.filter(({ enabled, impact, tags }) =>
    enabled && !tags.includes("experimental") && ["serious", "critical"].includes(impact)).map(({ id }) => id);
  const list = () => [...document.body.querySelectorAll("*")].filter((each) => each.checkVisibility());
  const shown = list();
  window.looked ??= new WeakSet();
  const fresh = new Set(shown.filter((each) => !window.looked.has(each) && (!within || each.closest(within))));
  const parts = [...fresh].filter((each) => !fresh.has(each.parentElement));
  if (rule === "all") shown.forEach((each) => window.looked.add(each));
  if (onlyNew && !parts.length) return [[], []];
  const find = async (place, rules) => {
    if (!rules.length) return [];
    const { violations } = await axe.run(place, { resultTypes: ["violations"], preload: false, runOnly: rules });
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 120)}`);
  };
  const found = await find(onlyNew ? { include: parts } : within ?? document,
    (rule === "all" ? strong : [rule]).filter((id) => id !== "color-contrast"));
  if (rule !== "all" && rule !== "color-contrast") return [found, []];

  // a page that looks again may have other parts by now
  const texts = onlyNew ? [...fresh].filter((each) => each.isConnected && each.checkVisibility()) : list();
  const styles = new Map(), grounds = new Map(), lifted = [];
  const style = (each) => styles.get(each) ?? styles.set(each, getComputedStyle(each)).get(each);
  const ground = (each) => {  // all that lies behind a text, by the elements that it is in
    if (!each) return "";
    if (!grounds.has(each)) {
      const { backgroundColor, backgroundImage, opacity, filter, mixBlendMode, clipPath } = style(each);
      const own = [backgroundColor, backgroundImage, opacity, filter, mixBlendMode, clipPath].join();
      const plain = own === "rgba(0, 0, 0, 0),none,1,none,normal,none";
      grounds.set(each, ground(each.parentElement) + (plain ? "" : `/${own}`));
    }
    return grounds.get(each);
  };
  const isOpaque = (each) => /^rgb\\(/.test(style(each).backgroundColor) && style(each).opacity === "1";
  for (const each of list()) {
    const box = each.getBoundingClientRect();
    const isPlaced = !["static", "relative"].includes(style(each).position);
    if (isPlaced && box.width > 2 && box.height > 2) lifted.push([each, box, isOpaque(each)]);
  }
  const overlap = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1
    && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;
  const isOverlaid = (each) => {  // by what is not around it, or it is over what nobody knows
    const box = each.getBoundingClientRect();
    return lifted.some(([other, place, opaque]) => other.contains(each) ? !opaque
      : !each.contains(other) && overlap(box, place));
  };
  const saysSomething = (each) => each.matches("input, select, textarea")
    || [...each.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
  const asked = new Set(known), added = new Set(), asking = [];
  for (const each of texts) {
    if ((within && !each.closest(within)) || !saysSomething(each)) continue;
    const { color, fontSize, fontWeight, textShadow, webkitTextFillColor, webkitTextStroke } = style(each);
    const look = [ground(each), color, fontSize, fontWeight, textShadow, webkitTextFillColor, webkitTextStroke,
      each.matches("input, select, textarea")].join("|");
    if (isOverlaid(each)) asking.push(each);
    else if (!asked.has(look)) {
      asked.add(look);
      added.add(look);
      asking.push(each);
    }
  }
  const colours = asking.length ? await find({ include: asking }, ["color-contrast"]) : [];
  return [[...found, ...colours], colours.length ? [] : [...added]];
}
"""
_sound_looks = dict[str, None]()
"""How texts looked that axe found no fault with, on pages before: their colours, size, and what lies behind them."""


def problems(page: Page, rule: str = ALL, *, within: str | None = None, only_new: bool = False) -> list[str]:
    """What axe calls serious or critical, with the first place of each.

    Of texts that look alike, the first is asked about its colours; all are that something lies over or under.
    within: a selector, of a part of the page. only_new: of what was not shown when all rules were last asked.
    """
    if not page.evaluate(_IS_LOADED):  # its script is half a megabyte
        page.evaluate(AXE_SCRIPT)
    found, looks = page.evaluate(_FIND_VIOLATIONS, [within, rule, only_new, [*_sound_looks]])
    _sound_looks.update(dict.fromkeys(looks))
    return list(found)


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
