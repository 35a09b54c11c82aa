"""The embedded installation as a person runs it: real processes, killed in the middle of a session."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests import ROOT
from tests.installation import Installation, free_port
from tests.prepared_data import prepare_data

pytestmark = pytest.mark.slow
PATIENCE_S = 150.0
PORTABLE = {"CARAVAN_PORTABLE": "1"}
"""What macOS does, without the kernel's help, by the switch that has Linux do it."""


@contextmanager
def installation(data: Path, *, forked: bool, **environment: str) -> Iterator[Installation]:
    """One that has ended when the block has, whatever went wrong in it."""
    started = Installation(data, free_port(), forked=forked, **environment)
    try:
        yield started
    finally:
        if started.process.poll() is None:
            started.stop()


@pytest.fixture
def first(tmp_path: Path) -> Iterator[Installation]:
    """Over an empty data folder, and each of its processes a new one."""
    with installation(tmp_path / "data", forked=False) as started:
        yield started


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Installation]:
    with installation(prepare_data(tmp_path / "data"), forked=True) as started:
        yield started


@pytest.fixture
def portable(tmp_path: Path) -> Iterator[Installation]:
    """What macOS does, by the switch that has Linux do it."""
    with installation(prepare_data(tmp_path / "data"), forked=True, **PORTABLE) as started:
        yield started


def events(running: Installation) -> int:
    return int(str(running.query("SELECT count(*) FROM caravan_sessions_event")[0][0]))


def wait_for_growth(running: Installation) -> None:
    start, end = events(running), time.monotonic() + 60
    while events(running) < start + 5:
        assert time.monotonic() < end, running.output_text()
        time.sleep(0.2)


def test_a_session_survives_the_death_of_every_process_and_a_killed_launcher_takes_them_along(
    running: Installation,
) -> None:
    running.wait_for("ready. Sign in once")
    running.inside.command("start_demo", "--again", "--pace", "0.4")
    for name in ("celery", "daphne", "valkey"):
        wait_for_growth(running)
        os.kill(running.children()[name], signal.SIGKILL)
    running.wait_for("valkey ended")
    end = time.monotonic() + PATIENCE_S
    sessions = "SELECT status FROM caravan_sessions_session WHERE pace < 1"
    while running.query(sessions) != [("finished",)]:
        assert time.monotonic() < end, (running.query(sessions), running.output_text())
        time.sleep(0.5)
    log = running.query(
        "SELECT session_id, count(*), count(DISTINCT seq), min(seq), max(seq) FROM caravan_sessions_event GROUP BY 1"
    )
    for _, rows, distinct, first, last in log:
        assert (rows, first, last) == (distinct, 1, rows)
    ends = "SELECT count(*) FROM caravan_sessions_event WHERE type = 'session_finished'"
    assert running.query(ends)[0][0] == 1
    with urllib.request.urlopen(f"http://127.0.0.1:{running.port}/health", timeout=60) as answer:
        assert answer.status == 200

    children = list(running.children().values())
    running.process.kill()
    running.process.wait()
    wait_until_gone(children)


def test_ctrl_c_ends_every_process_and_a_second_start_has_lost_nothing_and_ends_so_without_the_kernels_help(
    first: Installation,
) -> None:
    first.wait_for("a demo session has started")
    wait_for_growth(first)
    children = first.children()
    assert set(children) == {"valkey", "celery", "daphne"}
    assert first.stop() == 0
    for pid in children.values():
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
    before = events(first)
    again = Installation(first.data, first.port, forked=True, **PORTABLE)
    try:
        again.wait_for("ready. Sign in once")
        assert events(again) >= before
        wait_for_growth(again)
        assert again.query("SELECT count(*) FROM caravan_sessions_session")[0][0] == 1
        held = [pid for leash in again.children().values() for pid in (leash, *children_of(leash))]
    finally:
        assert again.stop() == 0
    wait_until_gone(held)


def test_without_the_kernels_help_children_end_with_the_launcher_too(portable: Installation) -> None:
    portable.wait_for("ready. Sign in once")
    leashes = portable.children()
    held = [pid for leash in leashes.values() for pid in children_of(leash)]
    assert set(leashes) == {"valkey", "celery", "daphne"} and len(held) == 3
    os.kill(leashes["celery"], signal.SIGKILL)
    portable.wait_for("worker ended")
    held += [pid for leash in portable.children().values() for pid in children_of(leash)]
    portable.process.kill()
    portable.process.wait()
    wait_until_gone(held)


def children_of(parent: int) -> list[int]:
    told = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    rows = [line.split() for line in told.splitlines()]
    return [int(pid) for pid, ppid in rows if int(ppid) == parent]


def wait_until_gone(processes: list[int]) -> None:
    end = time.monotonic() + 30
    while any(_alive(pid) for pid in processes):
        assert time.monotonic() < end
        time.sleep(0.2)


def _alive(pid: int) -> bool:
    told = subprocess.run(["ps", "-o", "state=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return told.stdout.strip()[:1] not in ("", "Z")


def refusal(data: Path, **environment: str) -> str:
    installation = Installation(data, free_port(), forked=True, **environment)
    assert installation.process.wait(240) == 1
    lines = [
        line
        for line in installation.output_text().splitlines()
        if "ready" not in line and "preparing" not in line
    ]
    assert len(lines) == 1, installation.output_text()
    return lines[0]


def test_what_cannot_be_started_is_told_in_one_line(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert f"port {port} is taken" in refusal(tmp_path / "new", PORT=port)
    assert "is no port" in refusal(tmp_path / "new", PORT="99999")
    assert "create_account" in refusal(prepare_data(tmp_path / "filled"), HOST="0.0.0.0")


def test_a_run_record_can_be_printed(tmp_path: Path) -> None:
    environment = {**os.environ, "CARAVAN_DATA": str(prepare_data(tmp_path / "data"))}
    environment.pop("DATABASE_URL", None)

    def manage(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "manage.py", *arguments]
        return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)

    done = manage("run_session", "starter_01", "--seed", "5", "--json")
    assert done.returncode == 0, done.stderr
    record = json.loads(done.stdout)
    assert record["task_id"] == "starter_01" and record["success"]
    bad = manage("run_session", "starter_99")
    assert (bad.returncode, bad.stdout) == (2, "")
    assert "there is no task" in bad.stderr
