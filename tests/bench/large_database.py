"""How long pages take over 1,000 and over 100,000 sessions with 200 events each, in PostgreSQL.

    python -m tests.bench.large_database [--folder FOLDER] [--rounds 20] [SESSIONS ...]

A database a size lies in FOLDER, filled by the first call (100,000 sessions: some 15 minutes and 30 GB) and kept; one
that was broken off goes on. Sessions are copies of recorded ones: runs of three trials over 650 tasks, with scores,
figures, model calls and logs. Each page is asked for as a researcher by the test client, in this process: the median
and 95th percentile of its time on the clock, its processor time, and its statements with the time of the slowest.
"""

from __future__ import annotations

import argparse
import math
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests import ROOT
from tests.bench.data import prepared_data
from tests.postgres import PostgresServer

if TYPE_CHECKING:
    from django.db.models import Model
    from django.test import Client

    from webapp.catalogue.models import Task
    from webapp.sessions.models import Run

SIZES = (1_000, 100_000)
TASKS, TRIALS = 650, 3
TEMPLATES = ("easy",) * 5 + ("english",) * 3 + ("models",)
"""Recorded sessions by how often each is copied: 206 events a session."""
PART_TABLES = (
    "seats.Seat",
    "caravan_sessions.Event",
    "caravan_sessions.ModelSpending",
    "caravan_sessions.Score",
    "caravan_sessions.MetricValue",
    "cassettes.ModelExchange",
    "cassettes.ModelText",
    "misses.SessionMisses",
    "reports.SessionFigures",
    "tables.Entry",
)
"""The tables of a session beside its own."""
NEW_TIMES = {
    "started_at": "copy.at",
    "created_at": "copy.at",
    "finished_at": "copy.at + interval '5 minutes'",
}
AIM_MS = 300


def main() -> None:
    """Fill each database where need be, and tell the pages over it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("sizes", metavar="SESSIONS", nargs="*", type=int, default=SIZES)
    parser.add_argument("--folder", type=Path, default=ROOT / "var" / "bench" / "large-database")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        _measure(options.sizes[0], options.folder, options.rounds)
        return
    for size in options.sizes:
        folder = (options.folder / str(size)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        server = PostgresServer(kept=folder / "postgres")
        server.start()
        try:
            command = [
                sys.executable,
                "-m",
                "tests.bench.large_database",
                "--inside",
                "--folder",
                str(folder),
            ]
            environment = {**os.environ, "DATABASE_URL": server.url}
            subprocess.run(
                [*command, "--rounds", str(options.rounds), str(size)], env=environment, check=True
            )
        finally:
            server.remove("fast")


def _measure(size: int, folder: Path, rounds: int) -> None:
    prepared_data(folder / "data", os.environ["DATABASE_URL"])
    began = time.perf_counter()
    filled = _fill(size)
    from webapp.sessions.models import Event, Session

    if filled:
        _execute("VACUUM ANALYZE")
        print(f"large database: filled in {time.perf_counter() - began:.0f} s")
    print(
        f"large database: {Session.objects.count():,} sessions, {Event.objects.count():,} events", flush=True
    )
    _tell_pages(rounds)


def _execute(statement: str, *values: Any) -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(statement, values or None)


# Filling the database.


def _fill(size: int) -> int:
    """Add the runs that are missing; gives how many. Each is added whole or not at all."""
    from webapp.sessions.models import Run

    runs = max(4, math.ceil(size / TASKS / TRIALS))
    missing = range(Run.objects.filter(name__startswith="grown ").count(), runs)
    if not missing:
        return 0
    tasks = _tasks(min(TASKS, math.ceil(size / runs / TRIALS)))
    templates = _templates()
    for number in missing:
        _copy_run(number, tasks, templates)
        if number % 10 == 0:
            print(f"large database: run {number} of {runs}", flush=True)
    return len(missing)


def _tasks(count: int) -> list[Task]:
    """Tasks of a collection, each a copy of a starter task."""
    from webapp.catalogue.models import Task, TaskCollection, World

    world = World.objects.get(name="starter")
    collection, new = TaskCollection.objects.get_or_create(name="grown", defaults={"world": world})
    if new:
        originals = list(Task.objects.filter(collection__name="starter").order_by("pk"))
        rows = []
        for number in range(count):
            original = originals[number % len(originals)]
            columns = {field.attname: getattr(original, field.attname) for field in Task._meta.fields}
            columns |= {"id": None, "collection_id": collection.pk, "position": number}
            rows.append(Task(**{**columns, "task_id": f"grown_{number:03}"}))
        Task.objects.bulk_create(rows)
    return list(collection.tasks.order_by("position"))


def _templates() -> list[str]:
    """The sessions that are copied, with everything that the application keeps of an ended one."""
    from tests.recordings import load
    from webapp.catalogue.models import World
    from webapp.misses.reading import catch_up
    from webapp.reports.folding import fold
    from webapp.sessions.models import Run, Session
    from webapp.tables.entries import refresh

    kept = list(Session.objects.filter(run__name="templates").order_by("trial_id"))
    if not kept:
        run = Run.objects.create(name="templates", setup={"agent": "reference", "users": "scripted"})
        world = World.objects.get(name="starter")
        names = dict.fromkeys(TEMPLATES)
        kept = [load(name, world, run_id=run.pk, trial_id=number) for number, name in enumerate(names)]
        fold([session.pk for session in kept])
        refresh(session.pk for session in kept)
        catch_up([run])
    by_name = dict(zip(dict.fromkeys(TEMPLATES), kept, strict=True))
    return [by_name[name].pk for name in TEMPLATES]


def _copy_run(number: int, tasks: list[Task], templates: list[str]) -> None:
    from django.apps import apps
    from django.db import connection, transaction
    from django.utils import timezone

    from webapp.sessions.models import Run, Session

    setup = {"agent": "llm", "users": "scripted", "agent_model": {"name": f"model {number % 9}"}}
    with transaction.atomic():
        run = Run.objects.create(name=f"grown {number}", setup=setup, trials=TRIALS)
        at = timezone.now() - timedelta(days=200 - number)
        Run.objects.filter(pk=run.pk).update(created_at=at)
        copies = [
            (
                templates[(place * TRIALS + trial) % len(templates)],
                f"g{number:02}{place * TRIALS + trial:05}",
                task.pk,
                task.task_id,
                trial,
                at + timedelta(seconds=10 * place + trial),
            )
            for place, task in enumerate(tasks)
            for trial in range(TRIALS)
        ]
        with connection.cursor() as cursor:
            cursor.execute(
                "CREATE TEMP TABLE copy (template text, id text, task_id bigint, task text, trial int, "
                "at timestamptz) ON COMMIT DROP"
            )
            cursor.executemany("INSERT INTO copy VALUES (%s, %s, %s, %s, %s, %s)", copies)
            for model in (Session, *(apps.get_model(label) for label in PART_TABLES)):
                cursor.execute(_copying(model, run), {"run": run.pk, "run_name": run.name})


def _copying(model: type[Model], run: Run) -> str:
    """The statement that copies the rows of all templates."""
    from webapp.sessions.models import MetricValue, Session
    from webapp.tables.models import Entry

    own = {**NEW_TIMES, "run_id": "%(run)s", "session_id": "copy.id"}
    if model is Session:
        own |= {"id": "copy.id", "task_id": "copy.task_id", "trial_id": "copy.trial"}
    if model is MetricValue:  # so that runs differ
        own["value"] = "CASE WHEN value IN (0, 1) THEN value ELSE value * (0.8 + 0.4 * random()) END"
    if model is Entry:
        own |= {"run": "%(run)s", "run_name": "%(run_name)s", "task": "copy.task"}
    columns = [field for field in model._meta.fields if model is Session or field.attname != "id"]
    key = "id" if model is Session else "session_id"
    names = ", ".join(f'"{field.column}"' for field in columns)
    values = ", ".join(own.get(field.attname, f'old."{field.column}"') for field in columns)
    table = model._meta.db_table
    return f"INSERT INTO {table} ({names}) SELECT {values} FROM copy JOIN {table} old ON old.{key} = copy.template"


# Asking for pages.


def _pages() -> Iterator[tuple[str, Callable[[int], str]]]:
    """The name of each page, and its address by the number of the round."""
    from webapp.sessions.models import Run, Session

    runs = list(
        Run.objects.filter(name__startswith="grown ").order_by("-created_at").values_list("pk", flat=True)
    )
    sessions = list(
        Session.objects.filter(run__in=runs[:4]).order_by("pk").values_list("pk", flat=True)[:200]
    )

    def session(part: str = "") -> Callable[[int], str]:
        return lambda turn: f"/sessions/{sessions[7 * turn % len(sessions)]}/{part}"

    def run(part: str = "") -> Callable[[int], str]:
        return lambda turn: f"/runs/{runs[turn % len(runs)]}/{part}"

    def same(address: str) -> Callable[[int], str]:
        return lambda _turn: address

    yield "home", same("/")
    yield "home, what is refreshed", same("/live/")
    yield "runs", same("/runs/")
    yield "sessions", same("/sessions/")
    orders = ("-started", "pc", "-gu", "-tokens", "seconds", "-issues")
    yield "sessions, ordered", lambda turn: f"/sessions/?order={orders[turn % len(orders)]}"
    filters = ("status=finished", "agent=llm", "task=grown_0", "of=gu&low=3&high=9", "difficulty=easy")
    yield "sessions, narrowed", lambda turn: f"/sessions/?{filters[turn % len(filters)]}"
    yield "a session", session()
    yield "its outline", session("outline/")
    yield "its time line", session("timeline.json")
    yield "its plan", session("panel/plan/")
    yield "its scores", session("panel/scores/")
    yield "a run", run()
    yield "a run, what is refreshed", run("live/")
    yield "a run's failures", run("misses/")
    yield "reports", same("/reports/")
    yield "a report of one run", lambda turn: f"/reports/?runs={runs[turn % len(runs)]}"
    yield "a report of two runs", lambda turn: f"/reports/?runs={runs[turn % len(runs)]},{runs[-1]}"
    yield "runs compared", lambda turn: f"/runs/compare/?runs={runs[turn % len(runs)]},{runs[-1]}"
    yield "the leaderboard", same("/reports/leaderboard/?collection=grown")
    yield "jobs", same("/jobs/")
    yield "judging", same("/judging/")
    yield "tasks", same("/tasks/")
    yield "metrics", same("/metrics")


def _tell_pages(rounds: int) -> None:
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    from webapp.accounts.models import Role, User
    from webapp.memory import settle

    client = Client(headers={"host": "127.0.0.1"})
    client.force_login(User.objects.get_or_create(username="bench", defaults={"role": Role.RESEARCHER})[0])
    pages = list(_pages())
    client.get("/")
    settle()  # as the web server does when it has started
    for name, address in pages:
        clock, busy = zip(*(_time(client, address(turn)) for turn in range(rounds + 1)), strict=True)
        with CaptureQueriesContext(connection) as asked:
            client.get(address(rounds))
        slowest = max((1000 * float(query["time"]) for query in asked), default=0.0)
        late = statistics.quantiles(clock[1:], n=20)[-1]
        mark = "  OVER" if late > AIM_MS else ""
        spent = f"first {clock[0]:.0f} ms, median {statistics.median(clock[1:]):.0f}, p95 {late:.0f}"
        work = f"processor {statistics.median(busy[1:]):.0f}"
        print(
            f"large database: {name}: {spent}, {work}; {len(asked)} statements, the slowest {slowest:.0f} ms{mark}",
            flush=True,
        )


def _time(client: Client, address: str) -> tuple[float, float]:
    """Milliseconds on the clock, and of this process."""
    began, busy = time.perf_counter(), time.process_time()
    answer = client.get(address)
    if answer.streaming:
        for _part in answer.streaming_content:  # type: ignore[attr-defined]
            pass
    assert answer.status_code == 200, (address, answer.status_code)
    return 1000 * (time.perf_counter() - began), 1000 * (time.process_time() - busy)


if __name__ == "__main__":
    main()
