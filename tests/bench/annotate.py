"""An annotator's next item: from the answer that is sent to the whole page of the next pair.

`python -m tests.bench.annotate` over an embedded installation with two runs of the reference agent. One annotator
answers 60 pairs; each time is that of the answer's request and the page's, as the browser makes them. Between the two
the page asks the server to draw what comes next; every fourth answer is sent before it could, and told apart. So are
the pages of sessions that were not shown before since the server began: they read and fold two logs.
"""

from __future__ import annotations

import json
import re
import statistics
import tempfile
import time
import urllib.parse
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path

from tests.installation import Installation, free_port
from tests.labelling_site import Site

ITEMS = 60
TASKS = ("starter_01", "starter_02", "starter_03", "starter_04", "starter_en_01", "starter_en_02")
RUNS = {"first": ("published", "1"), "second": ("paper", "2")}
LIMIT_MS = 200.0


class Browser:
    """Cookies, pages and forms, without a screen."""

    def __init__(self, site: Installation) -> None:
        self.site = site
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))

    def get(self, path: str) -> str:
        """A page's text."""
        with self._opener.open(self.site.url(path)) as answer:
            return str(answer.read().decode())

    def post(self, path: str, page: str, *, script: bool = False, **given: str) -> str:
        """Send a form of a page with more fields, and what comes back, after redirects."""
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
        assert token is not None, page[:400]
        body = urllib.parse.urlencode({"csrfmiddlewaretoken": token.group(1), **given}).encode()
        headers = {"Origin": self.site.url("").rstrip("/"), **({"X-Caravan-Script": "1"} if script else {})}
        request = urllib.request.Request(self.site.url(path), body, headers)
        with self._opener.open(request) as answer:
            return str(answer.read().decode())


def main() -> None:
    """Print the times."""
    with tempfile.TemporaryDirectory() as folder:
        site = Installation(Path(folder) / "data", free_port())
        place = Site(site)
        try:
            site.wait_for("a demo session has started")
            for name, (protocol, seed) in RUNS.items():
                site.inside.command(
                    "run", name, "--tasks", *TASKS, "--option", f"protocol={protocol}", "--seed", seed
                )
            for chat in (False, True):
                _annotate(site, place, chat=chat)
        finally:
            site.stop()


def _annotate(site: Installation, place: Site, *, chat: bool) -> None:
    study = place.ask("make_study", runs=list(RUNS), items=ITEMS, name=f"bench {chat}", show_chat=chat)
    told = place.ask("invite", study=study, name="Ada")
    browser, here = Browser(site), f"/annotate/{told['id']}/"
    page = browser.post(told["link"], browser.get(told["link"]))
    page = browser.post(f"{here}guidelines/", page, version="1")
    first: list[float] = []
    prepared: list[float] = []
    hasty: list[float] = []
    for number in range(ITEMS - 1):
        fields = dict(re.findall(r'name="(assignment|client_id)" value="(\w+)"', page))
        kept = first if number < len(TASKS) else hasty if number % 4 == 3 else prepared
        if kept is prepared:
            browser.get(f"{here}ahead/")
        began = time.perf_counter()
        answer = browser.post(f"{here}answer/", page, script=True, choice="left", seconds="30", **fields)
        page = browser.get(json.loads(answer)["next"])
        kept.append(1000 * (time.perf_counter() - began))
        assert 'id="answer"' in page
    cuts = statistics.quantiles(prepared, n=100)
    print(
        f"next of {ITEMS} pairs{' with their conversations' if chat else ''}: median {cuts[49]:.0f} ms, "
        f"p95 {cuts[94]:.0f} (target {LIMIT_MS:.0f}); "
        f"answered at once: median {statistics.median(hasty):.0f}, at most {max(hasty):.0f} ms; "
        f"sessions not shown before: at most {max(first):.0f} ms; "
        f"page of {len(page.encode()) / 1024:.0f} KiB"
    )


if __name__ == "__main__":
    main()
