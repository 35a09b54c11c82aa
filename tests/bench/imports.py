"""A large file of tasks on its way in, while others write: memory, time, the longest lock; then a file of records."""

from __future__ import annotations

import argparse
import json
import os
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from tests import ROOT, SHIPPED_TASKS
from tests.bench.data import fresh_data, reference_folder

BETWEEN_S = 0.02
STARTER = SHIPPED_TASKS / "starter.jsonl"


@dataclass(slots=True)
class Writer:
    """Writes a row again and again, as another process of the product does, and keeps how long each time took."""

    database: str
    waits: list[float] = field(default_factory=list)
    stop_event: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        """Until it is done."""
        connection = sqlite3.connect(self.database, timeout=60, isolation_level=None)
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute("CREATE TABLE IF NOT EXISTS bench_writer (n INTEGER)")
        while not self.stop_event.wait(BETWEEN_S):
            begun = time.perf_counter()
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("INSERT INTO bench_writer VALUES (1)")
            connection.execute("COMMIT")
            self.waits.append(time.perf_counter() - begun)
        connection.close()

    def __str__(self) -> str:
        cuts = statistics.quantiles(self.waits, n=100)
        return (
            f"{len(self.waits)} writes of another process meanwhile: median {cuts[49] * 1000:.1f} ms, "
            f"p99 {cuts[98] * 1000:.0f} ms, longest {max(self.waits) * 1000:.0f} ms"
        )


def main() -> None:
    """`--size` MB of tasks into an SQLite database that another connection writes to; then as much of records."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--size", type=int, default=300, help="MB")
    size = parser.parse_args().size * 1_000_000
    fresh_data()
    with tempfile.TemporaryDirectory(prefix="caravan-bench-") as folder:
        good, bad = Path(folder) / "large.jsonl", Path(folder) / "bad.jsonl"
        count = _write_tasks(good, size)
        _run_beside_writer(f"{count} tasks", "import_tasks", str(good), "--world", "starter")
        _write_tasks(bad, size, prefix="b")
        with bad.open("ab") as file:
            file.write(b"{}\n")
        _run_beside_writer(
            "as many with one bad line in the end", "import_tasks", str(bad), "--collection", "bad"
        )
        _tell_what_is_left()
        _tell_pages()
        records = _write_records(Path(folder) / "records.jsonl", size)
        if records:
            out, places = (
                str(Path(folder) / "scores.jsonl"),
                str(reference_folder() / "golden" / "poi_catalog.json"),
            )
            _run("score", str(Path(folder) / "records.jsonl"), "--catalogue", places, "--out", out)


def _write_tasks(path: Path, size: int, prefix: str = "t") -> int:
    tasks = [json.loads(line) for line in STARTER.read_text().splitlines()]
    count = written = 0
    with path.open("w", encoding="utf-8") as file:
        while written < size:
            task = tasks[count % len(tasks)] | {"task_id": f"{prefix}_{count:06}"}
            written += len(json.dumps(task, ensure_ascii=False).encode()) + 1
            file.write(json.dumps(task, ensure_ascii=False) + "\n")
            count += 1
    return count


def _write_records(path: Path, size: int) -> bool:
    source = reference_folder() / "golden" / "records.jsonl"
    if not source.exists():
        print("no reference data: no records are scored")
        return False
    lines = source.read_bytes()
    with path.open("wb") as file:
        for _ in range(size // len(lines) + 1):
            file.write(lines)
    return True


def _run_beside_writer(what: str, *command: str) -> None:
    from django.db import connection

    print(what)
    writer = Writer(str(connection.settings_dict["NAME"]))
    thread = threading.Thread(target=writer.run)
    thread.start()
    try:
        _run(*command)
    finally:
        writer.stop_event.set()
        thread.join()
    print(f"  {writer}", flush=True)


def _run(*command: str) -> None:
    """A command of manage.py with its time and the memory that it was resident with at most."""
    begun = time.perf_counter()
    child = subprocess.Popen(
        [sys.executable, str(ROOT / "manage.py"), *command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    assert child.stdout is not None
    told = child.stdout.read().decode()
    _, status, used = os.wait4(child.pid, 0)
    print("  " + told.strip().replace("\n", "\n  "))
    seconds, peak = time.perf_counter() - begun, used.ru_maxrss * 1024 / 1_000_000
    print(
        f"  {command[0]}: exit {os.waitstatus_to_exitcode(status)}, {seconds:.0f} s, at most {peak:.0f} MB resident"
    )


def _tell_what_is_left() -> None:
    from webapp.catalogue.models import Task, TaskCollection

    names = ", ".join(TaskCollection.objects.values_list("name", flat=True))
    print(f"  tasks stored, staged ones too: {Task.staged_too.count()}, in {names}")


def _tell_pages() -> None:
    """Pages over all those tasks, each asked for five times."""
    from django.test import Client

    from webapp.accounts.models import Role, User

    client = Client(headers={"host": "localhost"})
    client.force_login(User.objects.create_user("bench", role=Role.RESEARCHER))
    look = {"look": "1", "task": "t_060000"}
    asked = {
        "the start form": lambda: client.get("/sessions/new/"),
        "a search in it that finds many": lambda: client.post(
            "/sessions/new/", {**look, "find": "苏州市 medium"}
        ),
        "one that finds the last": lambda: client.post("/sessions/new/", {**look, "find": "t_063000"}),
        "one that finds nothing": lambda: client.post("/sessions/new/", {**look, "find": "nowhere"}),
        "other worlds": lambda: client.post("/sessions/new/", {**look, "other_worlds": "on"}),
        "the run form with the whole collection": lambda: client.get("/runs/new/?collection=large"),
        "the list of tasks": lambda: client.get("/tasks/"),
        "the list of tasks, the hardest last": lambda: client.get("/tasks/?order=difficulty"),
        "the list of tasks by collection": lambda: client.get("/tasks/?order=collection"),
        "the list of tasks of a city": lambda: client.get("/tasks/?find=苏州市"),
    }
    for what, ask in asked.items():
        spent = []
        for _ in range(5):
            begun = time.perf_counter()
            assert ask().status_code == 200
            spent.append((time.perf_counter() - begun) * 1000)
        print(f"  {what}: median {statistics.median(spent):.0f} ms, slowest {max(spent):.0f} ms", flush=True)


if __name__ == "__main__":
    main()
