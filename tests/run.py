"""`make test`: every test, in four parts. `make test-both`: what depends on the database on both engines, and all
examples of every property (tests/properties.py).

fast: what needs neither a browser nor much time, on SQLite. slow: what starts processes of its own or takes its time,
on SQLite. storage: what depends on the database, on a private PostgreSQL or the one at DATABASE_URL. browser:
Chromium. All over a private Valkey, or the one at REDIS_URL.

A test marked `storage` runs on PostgreSQL alone; one marked `both_engines` runs on SQLite and on PostgreSQL; one that
is marked `either_engine` runs on SQLite, and on PostgreSQL too in `make test-both`.

Each part is one process, so that each test is collected, and each installation started, by as few as can be. All run
side by side: slow and browser often wait. Each ends with its time on the clock and of processors, and with the
directories that took longest.
"""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from multiprocessing import Process
from pathlib import Path
from typing import IO

from tests import ROOT
from tests.chromium import find_chromium
from tests.postgres import private_postgres
from tests.prepared_data import COLLECTED_VARIABLE, SHARED_VARIABLE
from tests.processor_time import measure_processor_time
from tests.properties import SHARE_VARIABLE

ONCE_MORE = ("--reruns", "1", "-p", "tests.reruns")
"""A crowded machine may outlast a test's waits: the log ends with what ran twice and why."""
SLOWEST = ("--durations", "40")
"""The log ends with what took longest."""
SELECTIONS = {
    "fast": "not slow and (both_engines or not storage)",
    "slow": "slow and (both_engines or not storage)",
    "storage": "storage or both_engines",
}
"""The tests of each part by their marks; browser has all of its directory."""
BOTH_ENGINES = {"fast": "not slow", "slow": "slow", "storage": "storage or both_engines or either_engine"}
"""The same where each engine also runs what the other alone runs otherwise."""
DATABASE_MARKS = ("storage", "both_engines", "either_engine")
ON_BOTH = "--both-engines"
LOGS = ROOT / "var" / "tests"
"""Where what each part says is kept."""
COLLECTION_MARK = LOGS / "collected"
"""Made by the fast part when it has collected its tests."""

BYTECODE_ENVIRONMENT = {
    "PYTHONDONTWRITEBYTECODE": "",
    "PYTHONPYCACHEPREFIX": str(Path(sys.prefix) / "pycache"),
}
"""What is compiled is kept, whatever the shell says of it: the tests start some hundred processes."""

Log = IO[str] | None
Part = Callable[[Log, dict[str, str]], int]
"""Runs its tests of the selections, says all to a file or to whoever called, and gives 0 where all went well."""


def _pytest(log: Log, *options: str, **environment: str) -> int:
    """Run pytest; an empty value takes a variable away."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "tests.environment",
        "-p",
        "tests.dearest",
        "-q",
        *ONCE_MORE,
        *SLOWEST,
        *options,
    ]
    return subprocess.call(command, cwd=ROOT, env=_environment(**environment), stdout=log, stderr=log)


def _environment(**changes: str) -> dict[str, str]:
    return {name: value for name, value in {**os.environ, **BYTECODE_ENVIRONMENT, **changes}.items() if value}


def find_marked(*marks: str) -> list[str]:
    """The files with tests of one of these marks: to look for them among all tests takes half a minute."""
    marked = re.compile(rf"\bmark\.({'|'.join(marks)})\b")
    files = (path for path in (ROOT / "tests").rglob("test_*.py") if "browser" not in path.parts)
    return [str(path) for path in files if marked.search(path.read_text("utf-8"))]


def fast(log: Log, selections: dict[str, str]) -> int:
    """What needs neither a browser nor much time, on SQLite."""
    told = {COLLECTED_VARIABLE: str(COLLECTION_MARK), "DATABASE_URL": ""}
    return _pytest(log, "-m", selections["fast"], "--ignore", "tests/browser", **told)


def slow(log: Log, selections: dict[str, str]) -> int:
    """What takes its time, on SQLite."""
    return _pytest(log, "-m", selections["slow"], *find_marked("slow"), DATABASE_URL="")


def storage(log: Log, selections: dict[str, str]) -> int:
    """What depends on the database, on PostgreSQL."""
    marks = [mark for mark in DATABASE_MARKS if mark in selections["storage"]]
    options = ("-m", selections["storage"], *find_marked(*marks))
    with contextlib.ExitStack() as stack:
        url = os.environ.get("DATABASE_URL") or stack.enter_context(private_postgres())
        # a pool's idle connections would keep the test database from being dropped
        return _pytest(log, *options, DATABASE_URL=url, CARAVAN_DB_POOL="0")


def browser(log: Log, selections: dict[str, str]) -> int:
    """What a person does, in Chromium."""
    return _pytest(log, "tests/browser", CARAVAN_CHROMIUM=find_chromium())


PARTS: dict[str, Part] = {part.__name__: part for part in (fast, slow, storage, browser)}


def _run(part: Part, selections: dict[str, str]) -> int:
    """Run a part, then tell all it said and how it went."""
    begun, path = time.monotonic(), LOGS / f"{part.__name__}.log"
    with path.open("w") as log, measure_processor_time(part.__name__) as used_s:
        code = part(log, selections)
        took = f"{time.monotonic() - begun:.0f} s, {used_s():.0f} s of processors"
    told = f"== {part.__name__}: {part.__doc__}\n{path.read_text()}"
    print(f"{told}== {part.__name__} {'FAILED' if code else 'ok'} in {took} ({path})", flush=True)
    return code


def _run_and_exit(part: Part, selections: dict[str, str]) -> None:
    sys.exit(_run(part, selections))


def _start(part: Part, selections: dict[str, str]) -> Process:
    process = Process(target=_run_and_exit, args=(part, selections))
    process.start()
    return process


def _run_all(selections: dict[str, str]) -> bool:
    """Run the parts side by side; whether all went well."""
    COLLECTION_MARK.unlink(missing_ok=True)
    first, *others = PARTS.values()
    with tempfile.TemporaryDirectory(prefix="caravan-tests-") as shared:
        os.environ[SHARED_VARIABLE] = shared
        processes = [_start(first, selections)]
        wait_for_collection(processes[0])
        processes += [_start(part, selections) for part in others]
        for process in processes:
            process.join()
    return not any(process.exitcode for process in processes)


def wait_for_collection(process: Process) -> None:
    """Wait until fast has compiled all tests but the browser's, which the others would do again in a new clone."""
    while process.is_alive() and not COLLECTION_MARK.exists():
        process.join(0.2)


def main(arguments: list[str]) -> int:
    """Run the parts and say how each went; 0 if all went well."""
    selections = BOTH_ENGINES if ON_BOTH in arguments else SELECTIONS
    if ON_BOTH in arguments:
        os.environ.setdefault(SHARE_VARIABLE, "1")
    chosen = [argument for argument in arguments if argument != ON_BOTH]
    if unknown := [name for name in chosen if name not in PARTS]:
        print(f"there is no part {', '.join(unknown)}; there are: {', '.join(PARTS)}", file=sys.stderr)
        return 2
    LOGS.mkdir(parents=True, exist_ok=True)
    if chosen:
        return max(PARTS[name](None, selections) for name in chosen)
    print(f"running {', '.join(PARTS)}; what they say so far is in {LOGS}", flush=True)
    begun = time.monotonic()
    all_well = _run_all(selections)
    print(f"== {'all ok' if all_well else 'FAILED'} in {time.monotonic() - begun:.0f} s")
    return int(not all_well)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
