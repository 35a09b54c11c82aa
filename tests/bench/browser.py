"""What a person waits for, in Chromium: an event's way from commit to page, and a long session's page."""

from __future__ import annotations

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


def main() -> None:
    """One installation, one browser, both measurements."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        site = Installation(Path(folder) / "data", free_port())
        try:
            site.wait_for("a demo session has started")
            browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
            page = browser.new_page()
            sign_in(page, site)
            delivery(page, site)
            long_page(page, site)
            browser.close()
        finally:
            site.stop()


if __name__ == "__main__":
    main()
