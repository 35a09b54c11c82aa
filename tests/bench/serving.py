"""`make bench-served`: what a served installation carries, in one table.

    python -m tests.bench.serving [PART …]

Sockets and viewers over the embedded installation, sessions over workers with PostgreSQL. Each part is measured alone
and in the order given.
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from tests.bench.handshakes import CONNECTION_ERRORS, RATE, WHOLE_S
from tests.bench.models import COUNT_OPEN_SESSIONS
from tests.bench.overload import RATE as PAGES_A_SECOND
from tests.bench.overload import SECONDS, flood_server, load, pages_after, signed_in
from tests.browser.conftest import Burst
from tests.installation import Installation, free_port
from tests.model_server import model_server
from tests.postgres import private_postgres
from tests.served_workers import served_workers
from tests.websocket import TEXT, Socket

SOCKETS, LIVE = 1_000, 100
EVENT_RATES = (0.5, 1.0, 1.5, 2.0)
STEP_S = 20.0
LAG_MS = 500.0
VIEWERS, VIEWED_S = 310, 30.0
PLAYED_SESSIONS = 40
HARNESS_SESSIONS = 32
PATIENCE_S = 900.0
Row = tuple[str, str, str, bool]
"""What was measured, the aim, the figures, and whether the aim was met."""

START_SESSIONS = """
from webapp.catalogue.models import Task, World
from webapp.runs.services import create_run
from webapp.sessions.services import Setup
tasks = list(Task.objects.filter(task_id__in=("starter_01", "starter_04", "starter_07", "starter_en_01")))
create_run(name="n{number}", tasks=tasks, world=World.objects.get(), setup=Setup(agent="reference"), trials={trials})
"""
START_HARNESS = """
from tests.seating import endpoint_at
from webapp.catalogue.models import Task, World
from webapp.runs.services import create_run
from webapp.sessions.services import Setup
agent = endpoint_at({url!r}, "good-agent:slow=1", name={name!r}, concurrency={sessions})
tasks = list(Task.objects.filter(task_id__in=("starter_01", "starter_04")))
setup = Setup(agent="llm", agent_model=agent)
create_run(name={name!r}, tasks=tasks, world=World.objects.get(), setup=setup, trials={sessions} // 2)
"""
READ_HARNESS = """
import json
from webapp.sessions.log import whole_log
from webapp.sessions.models import Session
told = []
for session in Session.objects.filter(run__name="slow"):
    log = whole_log(session.pk)
    calls = [event.body.latency_ms / 1000 for event in log if event.body.type == "model_called"]
    told.append([(log[-1].at - log[0].at).total_seconds(), sum(calls), len(calls)])
print(json.dumps(told))
"""


@contextmanager
def embedded_site() -> Iterator[Installation]:
    """The embedded installation, until the block ends."""
    with tempfile.TemporaryDirectory() as folder:
        site = Installation(Path(folder) / "data", free_port())
        try:
            site.wait_for("a demo session has started")
            yield site
        finally:
            site.stop()


@dataclass
class Feed:
    """What came over the sockets: the time of each frame by session and number, once for each socket."""

    came: dict[tuple[str, int], list[float]] = field(default_factory=dict)
    connected: int = 0

    async def follow(self, port: int, cookie: str, session: str) -> None:
        """Read one socket as long as it is open; connect again after a failure, from the beginning."""
        last = 0
        while True:
            with suppress(*CONNECTION_ERRORS):
                socket = await Socket.connect(port, f"/ws/sessions/{session}/?after={last}", cookie)
                self.connected += 1
                while True:
                    kind, data = await socket.frame()
                    if kind != TEXT:
                        continue
                    now, told = time.time(), json.loads(data)
                    if "receipt" in told:
                        socket.send(json.dumps({"read": told["receipt"]}).encode())
                    for frame in told.get("events", ()):
                        last = frame["seq"]
                        self.came.setdefault((session, last), []).append(now)
            await asyncio.sleep(1)


async def _feed(site: Installation, cookie: str, bursts: list[Burst], rate: float) -> tuple[Feed, int]:
    """Open all sockets, let the logs grow, and read until a while after their end."""
    feed = Feed()
    tasks = []
    for number in range(SOCKETS):
        tasks.append(
            asyncio.create_task(feed.follow(site.port, cookie, bursts[number % len(bursts)].session))
        )
        await asyncio.sleep(0.02)
    end = time.monotonic() + WHOLE_S
    while feed.connected < SOCKETS and time.monotonic() < end:
        await asyncio.sleep(0.5)
    connected = feed.connected
    for burst in bursts:
        await asyncio.to_thread(burst.begin)
    await asyncio.sleep(STEP_S + 10)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return feed, connected


def sockets() -> list[Row]:
    """A thousand sockets on a hundred sessions, at one rate of events after another until one is too high."""
    best, told = 0.0, list[str]()
    for rate in EVENT_RATES:
        with embedded_site() as site:  # a new one, whose worker does not score what has ended before
            cookie = signed_in(site)
            bursts = [Burst(site, int(STEP_S * rate), rate, 3) for _ in range(LIVE)]
            feed, connected = asyncio.run(_feed(site, cookie, bursts, rate))
            lags, missing = list[float](), 0
            for burst in bursts:
                for seq, at in burst.commits().items():
                    came = feed.came.get((burst.session, seq), [])
                    missing += max(0, SOCKETS // LIVE - len(came))
                    lags += [1000 * (one - at) for one in came]
        p95 = _p95(lags)
        told.append(
            f"{rate:g} a second each: {connected} connected, median {statistics.median(lags or [0]):.0f}, "
            f"p95 {p95:.0f} ms, {missing} of {missing + len(lags)} frames missing"
        )
        if p95 > LAG_MS or missing or not lags:
            break
        best = rate
    aim = "≥ 1 event a second each, all frames, p95 ≤ 500 ms"
    return [(f"{SOCKETS} sockets on {LIVE} live sessions", aim, "; ".join(told), best >= 1)]


async def _follow_two(
    site: Installation, cookie: str, sessions: Sequence[Burst]
) -> tuple[Feed, Counter[int]]:
    """Have all viewers come at once, with their page, and stay until the logs have ended; single pages beside."""
    feed, statuses = Feed(), Counter[int]()

    async def come(number: int) -> None:
        session = sessions[number % len(sessions)].session
        await open_page(f"/sessions/{session}/")
        await feed.follow(site.port, cookie, session)

    async def open_page(path: str) -> None:
        with suppress(*CONNECTION_ERRORS):
            statuses[(await load(site.port, path, cookie))[0]] += 1

    async def load_beside() -> None:
        while True:
            await open_page("/tasks/")
            await asyncio.sleep(0.5)

    tasks = [asyncio.create_task(come(number)) for number in range(VIEWERS)]
    tasks.append(asyncio.create_task(load_beside()))
    for burst in sessions:
        await asyncio.to_thread(burst.begin)
    await asyncio.sleep(VIEWED_S + 10)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return feed, statuses


def viewers() -> list[Row]:
    """Viewers who all come at once, each with its page, of two sessions that grow: all follow to the end."""
    with embedded_site() as site:
        sessions = [Burst(site, int(VIEWED_S * rate), rate, 3) for rate in (RATE, 2 * RATE)]
        feed, statuses = asyncio.run(_follow_two(site, signed_in(site), sessions))
        missing, lags = 0, list[float]()
        for burst in sessions:
            for seq, at in burst.commits().items():
                came = feed.came.get((burst.session, seq), [])
                missing += max(0, VIEWERS // len(sessions) - len(came))
                lags += [1000 * (one - at) for one in came]
    told = (
        f"{missing} of {missing + len(lags)} frames missing, median {statistics.median(lags or [0]):.0f}, "
        f"p95 {_p95(lags):.0f} ms; {feed.connected} handshakes; pages {dict(statuses)}"
    )
    return [
        (f"{VIEWERS} viewers, page loads beside", "all follow to the end", told, bool(lags) and not missing)
    ]


def pages() -> list[Row]:
    """A flood of page loads, against what single pages in a row show the machine can do."""
    with embedded_site() as site:
        cookie, pid = signed_in(site), site.children()["daphne"]
        alone = 1000 / statistics.median(pages_after(site.port, cookie, 40))
        flood = asyncio.run(flood_server(site.port, cookie, pid))
    goodput, p95 = flood.statuses[200] / SECONDS, _p95(flood.answer_seconds)
    told = f"{goodput:.0f} a second answered, {alone:.0f} one by one; p95 {p95:.1f} s; {dict(flood.statuses)}"
    what = f"{PAGES_A_SECOND} page loads a second for {SECONDS} s"
    return [(what, "≥ half of one by one, p95 ≤ 2 s", told, goodput >= alone / 2 and p95 <= 2)]


def harness() -> list[Row]:
    """What is not the time of a model that answers after a second; the workers have begun before."""
    with (
        private_postgres() as database,
        model_server() as server,
        tempfile.TemporaryDirectory() as folder,
        served_workers(Path(folder) / "data", database=database) as installation,
    ):
        installation.start_workers(2)
        for name, sessions in (("warm", 8), ("slow", HARNESS_SESSIONS)):
            installation.python(START_HARNESS.format(url=server.url, name=name, sessions=sessions))
            installation.wait_for(COUNT_OPEN_SESSIONS, "0", PATIENCE_S)
        told = json.loads(installation.python(READ_HARNESS))
    whole, asked = sum(row[0] for row in told), sum(row[1] for row in told)
    share = 1 - asked / whole
    shares = sorted(1 - row[1] / row[0] for row in told)
    text = (
        f"{100 * share:.1f} % of the sessions' time, {100 * shares[0]:.1f} to {100 * shares[-1]:.1f} %; "
        f"{sum(row[2] for row in told)} calls"
    )
    return [(f"harness of {HARNESS_SESSIONS} sessions, 1 s a call", "≤ 5 %", text, share <= 0.05)]


def workers() -> list[Row]:
    """Sessions a minute by so many workers, on the same database one after another."""
    told = list[str]()
    for count in (1, 2, 4):
        with (
            private_postgres() as database,
            tempfile.TemporaryDirectory() as folder,
            served_workers(Path(folder) / "data", database=database) as installation,
        ):
            installation.python(START_SESSIONS.format(number=count, trials=PLAYED_SESSIONS // 4))
            installation.start_workers(count)
            installation.wait_for(COUNT_OPEN_SESSIONS, "0", PATIENCE_S)
            spent = float(installation.python(READ_SPAN))
        told.append(f"{count}: {60 * PLAYED_SESSIONS / spent:.0f}")
    return [("sessions a minute by workers, easy, headless", "", ", ".join(told), True)]


READ_SPAN = """
from django.db.models import Max, Min
from webapp.sessions.models import Event, Session
span = Event.objects.filter(seq__gt=1).aggregate(first=Min("at"), last=Max("at"))
print((span["last"] - span["first"]).total_seconds())
"""
PARTS: dict[str, Callable[[], list[Row]]] = {
    "sockets": sockets,
    "viewers": viewers,
    "pages": pages,
    "harness": harness,
    "workers": workers,
}


def _p95(values: list[float]) -> float:
    return sorted(values)[int(len(values) * 0.95)] if values else 0.0


def main() -> None:
    """Measure the parts that are named, or all, and print the table."""
    rows = list[Row]()
    for name in sys.argv[1:] or PARTS:
        load = os.getloadavg()[0]
        rows += [(f"{what} (load {load:.1f})", aim, told, met) for what, aim, told, met in PARTS[name]()]
        print(f"measured: {name}", flush=True)
    print("\n| what | aim | measured |\n|---|---|---|")
    for what, aim, told, met in rows:
        print(f"| {what} | {aim} | {'' if met else 'missed: '}{told} |")


if __name__ == "__main__":
    main()
