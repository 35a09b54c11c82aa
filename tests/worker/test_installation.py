"""The embedded installation as a person runs it: real processes, killed in the middle of a session."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.conftest import ROOT

pytestmark = pytest.mark.slow
PATIENCE_S = 150.0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Running:
    """An installation with a data folder of its own, as `make run` starts it."""

    def __init__(self, data: Path, port: int, **environment: str) -> None:
        self.data, self.port = data, port
        kept = {k: v for k, v in os.environ.items() if k not in ("REDIS_URL", "DATABASE_URL")}
        self.environment = {**kept, "CARAVAN_DATA": str(data), "PORT": str(port), **environment}
        self.output = data / "output.txt"
        data.mkdir(exist_ok=True)
        with self.output.open("w") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "worker.embedded"],
                cwd=ROOT,
                env=self.environment,
                stdout=output,
                stderr=subprocess.STDOUT,
            )

    def said(self) -> str:
        return self.output.read_text()

    def wait_for(self, text: str, patience_s: float = 60.0) -> str:
        end = time.monotonic() + patience_s
        while time.monotonic() < end:
            if found := re.search(text, self.said()):
                return found.group(0)
            assert self.process.poll() is None, self.said()
            time.sleep(0.1)
        raise AssertionError(f"{text!r} never came:\n{self.said()}")

    def manage(self, *arguments: str) -> str:
        command = [sys.executable, "manage.py", *arguments]
        return subprocess.run(
            command, cwd=ROOT, env=self.environment, check=True, capture_output=True, text=True
        ).stdout

    def query(self, sql: str) -> list[tuple[object, ...]]:
        with closing(sqlite3.connect(self.data / "caravan.sqlite3", timeout=20)) as database:
            return database.execute(sql).fetchall()

    def children(self) -> dict[str, int]:
        """Process ids by what they are."""
        told = subprocess.run(
            ["ps", "-eo", "pid=,ppid=,args="], capture_output=True, text=True, check=True
        ).stdout
        found = {}
        for line in told.splitlines():
            pid, parent, command = line.split(None, 2)
            if int(parent) == self.process.pid:
                name = next(n for n in ("valkey", "celery", "daphne") if n in command)
                found[name] = int(pid)
        return found

    def stop(self) -> int:
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(40)


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    installation = Running(tmp_path / "data", free_port())
    try:
        yield installation
    finally:
        if installation.process.poll() is None:
            installation.stop()


def events(running: Running) -> int:
    return int(str(running.query("SELECT count(*) FROM caravan_sessions_event")[0][0]))


def wait_for_growth(running: Running) -> None:
    start, end = events(running), time.monotonic() + 60
    while events(running) < start + 5:
        assert time.monotonic() < end, running.said()
        time.sleep(0.2)


def test_a_session_survives_the_death_of_every_process(running: Running) -> None:
    running.wait_for("ready. Sign in once")
    running.manage("start_demo", "--again", "--pace", "0.4")
    for name in ("celery", "daphne", "valkey"):
        wait_for_growth(running)
        os.kill(running.children()[name], signal.SIGKILL)
    running.wait_for("valkey ended")
    end = time.monotonic() + PATIENCE_S
    sessions = "SELECT status FROM caravan_sessions_session WHERE pace < 1"
    while running.query(sessions) != [("finished",)]:
        assert time.monotonic() < end, (running.query(sessions), running.said())
        time.sleep(0.5)
    log = running.query(
        "SELECT session_id, count(*), count(DISTINCT seq), min(seq), max(seq) FROM caravan_sessions_event GROUP BY 1"
    )
    for _, rows, distinct, first, last in log:
        assert (rows, first, last) == (distinct, 1, rows)
    ends = "SELECT count(*) FROM caravan_sessions_event WHERE type = 'session_finished'"
    assert running.query(ends)[0][0] == 1
    with urllib.request.urlopen(f"http://127.0.0.1:{running.port}/health", timeout=5) as answer:
        assert answer.status == 200


def test_ctrl_c_ends_every_process_and_a_second_start_has_lost_nothing(running: Running) -> None:
    running.wait_for("a demo session has started")
    wait_for_growth(running)
    children = running.children()
    assert set(children) == {"valkey", "celery", "daphne"}
    assert running.stop() == 0
    for pid in children.values():
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
    before = events(running)
    again = Running(running.data, running.port)
    try:
        begun = time.monotonic()
        again.wait_for("ready. Sign in once")
        assert time.monotonic() - begun < 30
        assert events(again) >= before
        wait_for_growth(again)
        assert again.query("SELECT count(*) FROM caravan_sessions_session")[0][0] == 1
    finally:
        assert again.stop() == 0


def test_a_killed_launcher_takes_its_children_along(running: Running) -> None:
    running.wait_for("ready. Sign in once")
    children = list(running.children().values())
    running.process.kill()
    running.process.wait()
    end = time.monotonic() + 30
    while any(_alive(pid) for pid in children):
        assert time.monotonic() < end
        time.sleep(0.2)


def _alive(pid: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


def refusal(tmp_path: Path, **environment: str) -> str:
    installation = Running(tmp_path / "refused", free_port(), **environment)
    assert installation.process.wait(60) == 1
    lines = [
        line for line in installation.said().splitlines() if "ready" not in line and "preparing" not in line
    ]
    assert len(lines) == 1, installation.said()
    return lines[0]


def test_what_cannot_be_started_is_told_in_one_line(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert f"port {port} is taken" in refusal(tmp_path, PORT=port)
    assert "is no port" in refusal(tmp_path, PORT="99999")
    assert "create_account" in refusal(tmp_path, HOST="0.0.0.0")


def test_a_run_record_can_be_printed(tmp_path: Path) -> None:
    environment = {**os.environ, "CARAVAN_DATA": str(tmp_path)}
    environment.pop("DATABASE_URL", None)

    def manage(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "manage.py", *arguments]
        return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)

    assert manage("prepare").returncode == 0
    done = manage("run_session", "starter_01", "--seed", "5", "--json")
    assert done.returncode == 0, done.stderr
    record = json.loads(done.stdout)
    assert record["task_id"] == "starter_01" and record["success"]
    bad = manage("run_session", "starter_99")
    assert (bad.returncode, bad.stdout) == (2, "")
    assert "there is no task" in bad.stderr
