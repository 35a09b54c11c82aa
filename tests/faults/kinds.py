"""The faults: each with its name, what is done, how long it holds, and how it ends."""

from __future__ import annotations

import random
import shutil
import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import psycopg

from tests.faults.site import Site, kill

Break = Callable[[Site, random.Random], Iterator[None]]
HOUR_S = 3600.0
DELIVERIES = 30


@dataclass(frozen=True)
class Fault:
    """One thing that goes wrong.

    act: what is done, and how it is put right. hold_s: for how long. breaks: does it up to its `yield`, and
    puts it right after. needs: `namespaces` or `disk`, where it needs one. loses: sessions are deleted by it. poison:
    sessions beside the others that are.
    """

    name: str
    act: str
    hold_s: float
    breaks: Break
    needs: str = ""
    loses: bool = False
    poison: bool = False


def _kill_workers(count: int) -> Break:
    def breaks(site: Site, chance: random.Random) -> Iterator[None]:
        pids = site.pids_of_workers()
        for pid in chance.sample(pids, min(count, len(pids))):
            kill(pid)
        yield

    return breaks


def _kill_web(number: int) -> Break:
    def breaks(site: Site, chance: random.Random) -> Iterator[None]:
        process = site.web[number]
        assert process is not None and process.pid is not None
        kill(process.pid)
        yield

    return breaks


def _kill_launcher(site: Site, chance: random.Random) -> Iterator[None]:
    kill(site.launcher.process.pid)
    yield


def _redis_away(site: Site, chance: random.Random) -> Iterator[None]:
    site.redis.kill()
    yield
    site.redis.start()


def _flush_redis(site: Site, chance: random.Random) -> Iterator[None]:
    with socket.create_connection(("127.0.0.1", site.redis.port), 10) as connection:
        connection.sendall(b"FLUSHALL\r\n")
        assert connection.recv(16).startswith(b"+OK")
    yield


def _restart_database(site: Site, chance: random.Random) -> Iterator[None]:
    site.postgres.stop("fast")
    site.postgres.start()
    yield


def _database_away(site: Site, chance: random.Random) -> Iterator[None]:
    site.postgres.stop()
    yield
    site.postgres.start()


def _hold_leases(site: Site, chance: random.Random) -> Iterator[None]:
    with psycopg.connect(site.postgres.url) as other:
        other.execute("SELECT id FROM jobs_job WHERE ended_at IS NULL FOR UPDATE")
        yield
        other.rollback()


def _freeze_worker(site: Site, chance: random.Random) -> Iterator[None]:
    pid = chance.choice(site.own_workers())
    kill(pid, signal.SIGSTOP)
    yield
    kill(pid, signal.SIGCONT)


def _cut_network(site: Site, chance: random.Random) -> Iterator[None]:
    assert site.far is not None
    site.far.unplug()
    yield
    site.far.plug_in()


def _fill_disk(site: Site, chance: random.Random) -> Iterator[None]:
    filling = cast("Path", site.disk) / "filling"
    with filling.open("wb") as file:
        try:
            while True:
                file.write(bytes(1 << 20))
                file.flush()
        except OSError:
            pass
    assert shutil.disk_usage(filling.parent).free < 1 << 20
    yield
    filling.unlink()
    if not site.postgres.is_running():
        site.postgres.start()


def _shift_clock(ahead_s: float) -> Break:
    def breaks(site: Site, chance: random.Random) -> Iterator[None]:
        (number,) = site.start_workers(1, ahead_s)
        yield
        site.workers_site.send_signal(number, signal.SIGTERM)

    return breaks


def _deliver_often(site: Site, chance: random.Random) -> Iterator[None]:
    for session in site.open_sessions():
        code = (
            f"from webapp.jobs import services\nfrom webapp.sessions.jobs import SESSION\n"
            f"for _ in range({DELIVERIES}): services.hand_over(kind=SESSION, subject={session!r})"
        )
        site.python(code)
    yield


def _nothing(site: Site, chance: random.Random) -> Iterator[None]:
    yield


def _exchange_workers(site: Site, chance: random.Random) -> Iterator[None]:
    for pid in site.pids_of_workers():
        kill(pid, signal.SIGTERM)
        time.sleep(2)
    yield


MIGRATE = """
from django.db import connection, migrations, models
from django.db.migrations.loader import MigrationLoader
loader = MigrationLoader(connection)
added = [("jobs", migrations.AddField("job", "tried", models.CharField(max_length=9, null=True))),
    ("caravan_sessions", migrations.AddField("session", "tried", models.CharField(max_length=9, null=True))),
    ("caravan_sessions", migrations.AddIndex("event", models.Index(fields=["type"], name="tried_event")))]
before = loader.project_state()
states = [before]
for label, operation in added:
    after = states[-1].clone()
    operation.state_forwards(label, after)
    states.append(after)
steps = list(zip(added, states, states[1:]))
for (label, operation), old, new in (reversed(steps) if {back} else steps):
    with connection.schema_editor() as editor:
        if {back}:
            operation.database_backwards(label, editor, new, old)
        else:
            operation.database_forwards(label, editor, old, new)
"""


def _migrate(site: Site, chance: random.Random) -> Iterator[None]:
    site.python(MIGRATE.format(back=False))
    yield
    site.python(MIGRATE.format(back=True))


FAULTS = (
    Fault("one worker killed", "kill -9; its unit starts it again", 0, _kill_workers(1)),
    Fault("two workers killed", "kill -9 at once; their units start them again", 0, _kill_workers(2)),
    Fault("all workers killed", "kill -9 at once; their units start them again", 0, _kill_workers(99)),
    Fault("first web process killed", "kill -9; its unit starts it again", 0, _kill_web(0)),
    Fault("second web process killed", "kill -9; its unit starts it again", 0, _kill_web(1)),
    Fault("launcher killed", "kill -9; its children end; started again", 0, _kill_launcher),
    Fault("Redis away 1 s", "kill -9; started again, empty", 1, _redis_away),
    Fault("Redis away 5 s", "kill -9; started again, empty", 5, _redis_away),
    Fault("Redis away 30 s", "kill -9; started again, empty", 30, _redis_away),
    Fault("Redis flushed", "FLUSHALL", 0, _flush_redis),
    Fault("PostgreSQL restarted", "all connections end; started at once", 0, _restart_database),
    Fault("PostgreSQL away", "ended without notice; started again", 10, _database_away),
    Fault("leases held", "an idle transaction holds the rows of all open jobs", 20, _hold_leases),
    Fault("worker frozen", "SIGSTOP; SIGCONT", 60, _freeze_worker),
    Fault("network cut", "another host's cable is out; put back", 30, _cut_network, needs="namespaces"),
    Fault("disk full", "the database's disk; room is made", 10, _fill_disk, needs="disk"),
    Fault("clock an hour ahead", "one more worker whose clock is; ended", 20, _shift_clock(HOUR_S)),
    Fault("clock an hour behind", "one more worker whose clock is; ended", 20, _shift_clock(-HOUR_S)),
    Fault("poison", "a session that raises, one that kills its worker", 0, _nothing, poison=True),
    Fault("thirtyfold delivery", "each session's message comes 30 times", 0, _deliver_often),
    Fault("rows deleted", "half of the sessions are deleted under the workers", 0, _nothing, loses=True),
    Fault("deploy", "all workers exchanged by SIGTERM", 15, _exchange_workers),
    Fault("migration", "columns and an index come to tables in use, and go", 5, _migrate),
)


def breaking(fault: Fault, site: Site, chance: random.Random):  # type: ignore[no-untyped-def]
    """The fault, as long as a block lasts."""
    return contextmanager(fault.breaks)(site, chance)
