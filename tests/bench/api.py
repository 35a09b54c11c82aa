"""The API under load: `python -m tests.bench.api [SESSIONS]` over an embedded installation, 10,000 if none is given.

16 programs, each with a token of its own, ask for lists, single sessions and runs, one request after another. Then
one reads all sessions as lines of JSON, as fast as they come and then slowly, with the memory of the web server.
"""

from __future__ import annotations

import asyncio
import os
import random
import statistics
import sys
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path

from tests.bench.overload import pages_after, process_resources, signed_in
from tests.installation import Installation, free_port

SESSIONS = 10_000
PROGRAMS = 16
SECONDS = 20.0
PAUSE_S = 0.2
"""Between two requests of a program: fewer than the 600 a minute that a token may make."""
SLOW_S = 0.05
"""A slow reader waits so long after each 64 KB."""
ROWS = """
from tests.bench.searching import store_sessions
from webapp.accounts.models import Role, User
from webapp.accounts.tokens import SCOPES, issue_token
from webapp.sessions.models import Session
from webapp.tables.entries import refresh
store_sessions({sessions})
refresh(Session.objects.values_list("pk", flat=True))
for number in range({programs} + 1):
    user = User.objects.create_user(f"program{{number}}", password="long enough for all", role=Role.RESEARCHER)
    print(issue_token(user=user, name="bench", scopes=list(SCOPES), days=1)[1])
"""
PATHS = (
    "/api/v1/sessions?limit=50",
    "/api/v1/sessions?limit=50&status=finished",
    "/api/v1/sessions/{session}",
    "/api/v1/runs",
    "/api/v1/tasks?limit=50",
)


async def ask(
    port: int, path: str, token: str, *, lines: bool = False, slowly: bool = False
) -> tuple[int, int]:
    """The status of a request, and the bytes of its answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        accepted = "application/x-ndjson" if lines else "application/json"
        head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\n"
        writer.write(f"{head}Accept: {accepted}\r\nConnection: close\r\n\r\n".encode())
        status = int((await reader.readline()).split()[1])
        size = 0
        while piece := await reader.read(65_536):
            size += len(piece)
            if slowly:
                await asyncio.sleep(SLOW_S)
        return status, size
    finally:
        writer.close()


async def play_program(
    port: int, token: str, seed: int, count: int, spent: dict[str, list[float]]
) -> Counter[int]:
    """Ask one thing after another until the time is over; the statuses."""
    chance, statuses = random.Random(seed), Counter[int]()
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        kind = chance.choice(PATHS)
        begun = time.perf_counter()
        status, _size = await ask(port, kind.format(session=f"s{chance.randrange(count):07}"), token)
        statuses[status] += 1
        if status == 200:
            spent[kind].append(1000 * (time.perf_counter() - begun))
        await asyncio.sleep(PAUSE_S)
    return statuses


def processor_seconds(pid: int) -> float:
    """What a process has taken so far."""
    user, system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


async def measure_programs(port: int, tokens: list[str], count: int, pid: int) -> None:
    """Print what was answered, how soon, and what it took."""
    spent: dict[str, list[float]] = defaultdict(list)
    programs = [play_program(port, token, seed, count, spent) for seed, token in enumerate(tokens)]
    before = processor_seconds(pid)
    statuses = sum(await asyncio.gather(*programs), Counter[int]())
    rate, each = statuses.total() / SECONDS, 1000 * (processor_seconds(pid) - before) / statuses.total()
    print(
        f"api: {len(tokens)} programs for {SECONDS:.0f} s: {rate:.0f} a second, {dict(statuses)}, {each:.1f} ms of "
        "the server's processor time each"
    )
    for kind, own in spent.items():
        late = statistics.quantiles(own, n=20)[18]
        print(f"api: {kind}: {len(own)} requests, median {statistics.median(own):.0f} ms, p95 {late:.0f} ms")


async def measure_stream(port: int, token: str, pid: int, *, slowly: bool) -> None:
    """Print how long all sessions take as lines, and the highest memory of the server meanwhile."""
    before = highest = process_resources(pid)["MiB"]
    begun = time.perf_counter()
    reading = asyncio.create_task(ask(port, "/api/v1/sessions", token, lines=True, slowly=slowly))
    while not reading.done():
        await asyncio.wait([reading], timeout=0.1)
        highest = max(highest, process_resources(pid)["MiB"])
    status, size = await reading
    how = "slowly" if slowly else "as they come"
    took = time.perf_counter() - begun
    print(
        f"api: all sessions as lines, read {how}: {status}, {size / 2**20:.1f} MiB in {took:.1f} s, "
        f"{before:.0f} MiB before, {highest:.0f} at most"
    )


def main() -> None:
    """Print the figures of one run."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else SESSIONS
    with tempfile.TemporaryDirectory() as folder:
        site = Installation(Path(folder) / "data", free_port())
        try:
            site.wait_for("a demo session has started")
            tokens = site.inside.run(ROWS.format(sessions=count, programs=PROGRAMS)).split()
            cookie, pid = signed_in(site), site.children()["daphne"]
            print(
                f"api: {count} sessions; a page alone {statistics.median(pages_after(site.port, cookie)):.0f} ms"
            )
            asyncio.run(measure_programs(site.port, tokens[:PROGRAMS], count, pid))
            for slowly in (False, True):
                asyncio.run(measure_stream(site.port, tokens[PROGRAMS], pid, slowly=slowly))
        finally:
            site.stop()


if __name__ == "__main__":
    main()
