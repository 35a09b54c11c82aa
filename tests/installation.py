"""The embedded installation in a data folder of its own, as `make run` starts it."""

from __future__ import annotations

import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from tests import ROOT
from tests.forks import Fork, run_launcher
from tests.prepared_data import prepare_data
from tests.shell import Shell


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Installation:
    """Real processes over real data; stop it in the end.

    inside: a process of ours over the same data, for commands and for what a test asks. forked: its processes have
    been forked from one that had imported what they need, which takes 6 s of a processor less.
    """

    process: Fork | subprocess.Popen[bytes]

    def __init__(self, data: Path, port: int, *, forked: bool = False, **environment: str) -> None:
        self.data, self.port = data, port
        kept = {k: v for k, v in os.environ.items() if k not in ("REDIS_URL", "DATABASE_URL")}
        self.environment = {**kept, "CARAVAN_DATA": str(data), "PORT": str(port), **environment}
        self.inside = Shell(self.environment)
        self.output = data / "output.txt"
        data.mkdir(exist_ok=True)
        self.output.touch()
        if forked:
            self.process = Fork(run_launcher, self.environment, self.output)
            return
        with self.output.open("w") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "worker.embedded"],
                cwd=ROOT,
                env=self.environment,
                stdout=output,
                stderr=subprocess.STDOUT,
            )

    def url(self, path: str = "/") -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def output_text(self) -> str:
        return self.output.read_text()

    def wait_for(self, text: str, patience_s: float = 120.0) -> str:
        end = time.monotonic() + patience_s
        while time.monotonic() < end:
            if found := re.search(text, self.output_text()):
                return found.group(0)
            assert self.process.poll() is None, self.output_text()
            time.sleep(0.1)
        raise AssertionError(f"{text!r} never came:\n{self.output_text()}")

    def query(self, sql: str) -> list[tuple[object, ...]]:
        with closing(sqlite3.connect(self.data / "caravan.sqlite3", timeout=20)) as database:
            return database.execute(sql).fetchall()

    def children(self) -> dict[str, int]:
        """Process ids by what they are."""
        told = subprocess.run(
            ["ps", "-wweo", "pid=,ppid=,comm=,args="], capture_output=True, text=True, check=True
        ).stdout
        found = {}
        for line in told.splitlines():
            pid, parent, command = line.split(None, 2)
            if int(parent) == self.process.pid:
                for name in ("valkey", "celery", "daphne"):
                    if name in command:
                        found[name] = int(pid)
        return found

    def stop(self) -> int:
        self.inside.stop()
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(40)


@contextmanager
def example_installation(data: Path) -> Iterator[Installation]:
    """One over a data folder with the ended sessions of `tests.example_data`, which plays nothing by itself."""
    filled = prepare_data(data, "from tests import example_data; example_data.store()")
    installation = Installation(filled, free_port(), forked=True)
    try:
        installation.wait_for("caravan: ready")
        yield installation
    finally:
        if installation.process.poll() is None:
            installation.stop()
