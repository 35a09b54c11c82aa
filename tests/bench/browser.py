"""What a person waits for, in Chromium: an event's way from commit to page, and a long session's page."""

from __future__ import annotations

import contextlib
import json
import random
import statistics
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.browser.conftest import FLAGS, Burst
from tests.browser.signing_in import sign_in
from tests.chromium import find_chromium
from tests.installation import Installation, free_port

WATCH = """
window.seen = {};
new MutationObserver((changes) => {
  const now = performance.timeOrigin + performance.now();
  for (const change of changes) for (const node of change.addedNodes)
    if (node.id && node.id.startsWith("e")) window.seen[node.id.slice(1)] ??= now / 1000;
}).observe(document.getElementById("chat"), { childList: true });
"""


def delivery(page: Page, site: Installation, count: int = 500, rate: float = 50.0) -> None:
    """Milliseconds from the commit of an event to its element in the page, at 50 events a second."""
    burst = Burst(site, count, rate)
    page.goto(f"http://127.0.0.1:{site.port}/sessions/{burst.session}/")
    page.wait_for_selector("#live.on")
    page.evaluate(WATCH)
    burst.begin()
    commits = burst.commits()
    page.wait_for_selector("#live.done", timeout=60_000)
    seen = page.evaluate("window.seen")
    spent = [(seen[str(seq)] - at) * 1000 for seq, at in commits.items() if str(seq) in seen]
    cuts = statistics.quantiles(spent, n=20)
    print(
        f"commit to page: {len(spent)} of {len(commits)} events, median {statistics.median(spent):.0f} ms, "
        f"p95 {cuts[18]:.0f} ms, slowest {max(spent):.0f} ms"
    )


def long_page(page: Page, site: Installation, count: int = 1000, times: int = 7) -> None:
    """Milliseconds until the page of a 1,000-event session is followed live (its script runs, its socket is open)."""
    burst = Burst(site, count, 100_000.0)
    burst.begin()
    burst.commits()
    spent = []
    for _ in range(times):
        begun = time.perf_counter()
        page.goto(f"http://127.0.0.1:{site.port}/sessions/{burst.session}/", wait_until="commit")
        page.wait_for_selector("#live.done, #live.on")
        spent.append((time.perf_counter() - begun) * 1000)
    print(
        f"page of {count} events: first {spent[0]:.0f} ms, median of the next {statistics.median(spent[1:]):.0f} ms"
    )


SCRUB = """
seq => new Promise((done) => {
  const slider = document.getElementById("moment"), chat = document.getElementById("chat");
  const begun = performance.now();
  slider.value = seq;
  slider.dispatchEvent(new Event("input", { bubbles: true }));
  requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - begun)));
})
"""
"""Until the frame after the one in which the conversation, the outline and the clock have moved."""

REST = """
seq => new Promise((done) => {
  const slider = document.getElementById("moment"), was = document.getElementById("panel");
  const begun = performance.now();
  slider.value = seq;
  slider.dispatchEvent(new Event("input", { bubbles: true }));
  const look = () => (was.isConnected ? requestAnimationFrame(look) : done(performance.now() - begun));
  requestAnimationFrame(look);
})
"""
"""Until the frame after the one in which the panel has followed, too."""


RESTS_MS = 700


def whole_session(
    page: Page, site: Installation, calls: int, count: int = 5000, times: int = 7, places: int = 60
) -> None:
    """A session of 5,000 events: its first paint, the cursor moved to random places, the memory of its tab.

    calls: tool calls between two messages.
    """
    burst = Burst(site, count, 100_000.0, calls)
    burst.begin()
    burst.commits()
    address, painted = f"http://127.0.0.1:{site.port}/sessions/{burst.session}/", []
    for _ in range(times):
        page.goto(address)
        page.wait_for_selector("#live.done, #live.on")
        entries = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
        painted.append(float(page.evaluate(entries)))
    what, later = f"{count} events, {calls} calls a message", statistics.median(painted[1:])
    print(f"{what}: first paint {painted[0]:.0f} ms, median of the next {later:.0f} ms")
    _scrub(page, places)
    loaded = _tab_mb()
    page.context.new_cdp_session(page).send("HeapProfiler.collectGarbage")
    page.wait_for_timeout(500)
    print(f"memory of the tab: {loaded} MB, {_tab_mb()} MB once what is unused was collected")
    page.close()


def _scrub(page: Page, places: int) -> None:
    """The cursor moved to random places: until the conversation has followed, and after a rest the panel too."""
    last = int(page.evaluate("Number(document.getElementById('moment').max)"))
    chance = random.Random(0)
    for script, what in ((SCRUB, "the conversation"), (REST, "after a rest at each, the panel")):
        moved = []
        for _ in range(places):
            moved.append(float(page.evaluate(script, chance.randrange(last))))
            page.wait_for_timeout(RESTS_MS if script == REST else 0)
        cuts = statistics.quantiles(moved, n=20)
        print(
            f"scrubbed to {places} of {last + 1} places: {what} median {statistics.median(moved):.0f} ms, "
            f"p95 {cuts[18]:.0f} ms, slowest {max(moved):.0f} ms"
        )


def long_trip(page: Page, site: Installation, times: int = 7, places: int = 60) -> None:
    """A scored session of 15 turns with 150 tool calls of TRIP-Bench: until it can be read, and the cursor moved."""
    code = "import json\nfrom tests.bench import trip\nprint(json.dumps(trip.play_session()))"
    told = json.loads(site.inside.run(code).splitlines()[-1])
    address, opened = f"http://127.0.0.1:{site.port}/sessions/{told['session']}/?tab=verdicts", []
    for _ in range(times):
        begun = time.perf_counter()
        page.goto(address, wait_until="commit")
        page.wait_for_selector("#live.done")
        opened.append((time.perf_counter() - begun) * 1000)
    print(
        f"{told['turns']} turns, {told['calls']} tool calls, {told['letters']} letters: opened in "
        f"{opened[0]:.0f} ms, median of the next {statistics.median(opened[1:]):.0f} ms"
    )
    _scrub(page, places)


def _tab_mb() -> int:
    """Of the largest renderer, its own share of what processes share: PSS in MB."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if b"--type=renderer" in (folder / "cmdline").read_bytes():
                lines = (folder / "smaps_rollup").read_text().splitlines()
                found.append(next(int(line.split()[1]) for line in lines if line.startswith("Pss:")))
    return max(found) // 1000


def main() -> None:
    """One installation, one browser, all measurements."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        site = Installation(Path(folder) / "data", free_port())
        try:
            site.wait_for("a demo session has started")
            browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
            page = browser.new_context().new_page()
            sign_in(page, site)
            delivery(page, site)
            long_page(page, site)
            long_trip(browser.contexts[0].new_page(), site)
            for calls in (8, 0):
                whole_session(browser.contexts[0].new_page(), site, calls)
            browser.close()
        finally:
            site.stop()


if __name__ == "__main__":
    main()
