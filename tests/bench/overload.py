"""A flood of page loads against the embedded web server: what it answers, what it costs, and what stays of it."""

from __future__ import annotations

import asyncio
import re
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.installation import Installation, free_port

RATE = 100
SECONDS = 20
REST_S = 40
PATIENCE_S = float(sys.argv[1]) if sys.argv[1:] and __name__ == "__main__" else 5.0
"""After this a visitor leaves. `python -m tests.bench.overload 60` floods with patient ones."""
PAGES = ("/", "/tasks/", "/models/", "/static/css/caravan.css")
SIGN_IN = """
from django.conf import settings
from django.test import Client
from webapp.accounts.services import local_researcher
client = Client()
client.force_login(local_researcher())
print(client.cookies[settings.SESSION_COOKIE_NAME].value)
"""


@dataclass
class Flood:
    """What a flood brought back. statuses: 0 for a connection that failed; spent: seconds of each answered page."""

    statuses: Counter[int] = field(default_factory=Counter)
    retry_after: int = 0
    answer_seconds: list[float] = field(default_factory=list)
    highest: dict[str, float] = field(default_factory=dict)


async def load(port: int, path: str, cookie: str) -> tuple[int, bool]:
    """One page in a connection of its own; its status, and whether it says when to come again."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        head = (
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {cookie}\r\nConnection: close\r\n\r\n"
        )
        writer.write(head.encode())
        answer = await reader.read()
        found = re.match(rb"HTTP/1.1 (\d+)", answer)
        return int(found.group(1)) if found else 0, b"retry-after:" in answer.lower()
    finally:
        writer.close()


async def _one(flood: Flood, port: int, path: str, cookie: str) -> None:
    begun = time.perf_counter()
    try:
        status, told = await asyncio.wait_for(load(port, path, cookie), PATIENCE_S)
    except (OSError, TimeoutError):
        status, told = 0, False
    flood.statuses[status] += 1
    flood.retry_after += told
    if status == 200:
        flood.answer_seconds.append(time.perf_counter() - begun)


async def flood_server(
    port: int, cookie: str, pid: int, pages: Sequence[str] = PAGES, seconds: int = SECONDS
) -> Flood:
    """A hundred page loads a second for so long, whether or not the earlier ones are answered."""
    flood, waiting = Flood(), []
    for second in range(seconds):
        begun = time.monotonic()
        for number in range(RATE):
            path = pages[(second * RATE + number) % len(pages)]
            waiting.append(asyncio.create_task(_one(flood, port, path, cookie)))
            await asyncio.sleep(max(0.0, begun + (number + 1) / RATE - time.monotonic()))
        _note(flood, pid)
    while any(not task.done() for task in waiting):
        await asyncio.sleep(1)
        _note(flood, pid)
    return flood


def _note(flood: Flood, pid: int) -> None:
    for name, value in process_resources(pid).items():
        flood.highest[name] = max(value, flood.highest.get(name, 0))


def process_resources(pid: int) -> dict[str, float]:
    """Resident MiB, descriptors and threads of a process."""
    told = Path(f"/proc/{pid}/status").read_text()
    numbers = {key: int(re.search(rf"{key}:\s+(\d+)", told).group(1)) for key in ("VmRSS", "Threads")}  # type: ignore[union-attr]
    return {
        "MiB": numbers["VmRSS"] / 1024,
        "descriptors": len(list(Path(f"/proc/{pid}/fd").iterdir())),
        "threads": numbers["Threads"],
    }


def signed_in(site: Installation) -> str:
    """The cookie of a researcher."""
    return "caravan_session=" + site.inside.run(SIGN_IN).strip()


def pages_after(port: int, cookie: str, times: int = 10) -> list[float]:
    """Milliseconds of single pages, one after another."""

    async def ask() -> list[float]:
        spent = []
        for _ in range(times):
            begun = time.perf_counter()
            status, _told = await load(port, "/tasks/", cookie)
            assert status == 200, status
            spent.append((time.perf_counter() - begun) * 1000)
        return spent

    return asyncio.run(ask())


def _figures(told: dict[str, float]) -> str:
    return ", ".join(f"{value:.0f} {name}" for name, value in told.items())


def _pages(spent: Sequence[float]) -> str:
    return f"a page {statistics.median(spent):.0f} ms, the slowest of {len(spent)} {max(spent):.0f} ms"


def main() -> None:
    """Print the figures of one flood."""
    with tempfile.TemporaryDirectory() as folder:
        site = Installation(Path(folder) / "data", free_port())
        try:
            site.wait_for("a demo session has started")
            cookie, pid = signed_in(site), site.children()["daphne"]
            before = pages_after(site.port, cookie)
            print(f"before: {_figures(process_resources(pid))}; {_pages(before)}")
            demo = site.query("SELECT id FROM caravan_sessions_session")[0][0]
            flood = asyncio.run(flood_server(site.port, cookie, pid, [*PAGES, f"/sessions/{demo}/"]))
            spent = (
                statistics.quantiles(flood.answer_seconds, n=20)
                if len(flood.answer_seconds) > 1
                else [0.0] * 19
            )
            print(
                f"{RATE} a second for {SECONDS} s: {dict(flood.statuses)}, {flood.retry_after} with Retry-After"
            )
            print(
                f"answered in: median {spent[9]:.1f} s, p95 {spent[18]:.1f} s; highest {_figures(flood.highest)}"
            )
            print(
                f"at once after: {_figures(process_resources(pid))}; {_pages(pages_after(site.port, cookie))}"
            )
            time.sleep(REST_S)
            print(
                f"after {REST_S} s: {_figures(process_resources(pid))}; {_pages(pages_after(site.port, cookie))}"
            )
        finally:
            site.stop()


if __name__ == "__main__":
    main()
