"""A served installation without pages: a database, a Valkey, and any number of worker processes over them."""

from __future__ import annotations

import os
import shutil
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.context import ForkServerProcess
from pathlib import Path

from tests.forks import run_program, start_fork
from tests.prepared_data import prepare_data
from tests.shell import Shell
from worker.embedded.valkey import PrivateValkey

THREADS = "16"
LOCK_S = 2
"""How long SQLite waits for a lock where its file is elsewhere, in place of 20 s."""


class ServedWorkers:
    """Real worker processes over a data folder of their own.

    database: a URL of PostgreSQL, or a file of SQLite elsewhere than in the data folder.
    redis: a URL, empty for a Valkey of its own.
    """

    def __init__(self, data: Path, database: str | Path = "", redis: str = "") -> None:
        self.data = prepare_data(data)
        self.valkey = None if redis else PrivateValkey(data / "valkey.log")
        if self.valkey:
            self.valkey.start()
        kept = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
        given = {"CARAVAN_DATA": str(data), "REDIS_URL": self.valkey.url if self.valkey else redis}
        if isinstance(database, Path):
            shutil.copyfile(data / "caravan.sqlite3", database)
            given["DATABASE_URL"] = f"sqlite:///{database}?timeout={LOCK_S}"
        elif database:
            given["DATABASE_URL"] = database
        self.environment = {**kept, **given}
        self.workers: list[ForkServerProcess] = []
        self._shell = Shell(self.environment)
        if database and not isinstance(database, Path):
            self._shell.command("prepare")

    def python(self, code: str) -> str:
        """What a piece of Python prints that runs inside the installation."""
        return self._shell.run(code)

    def start_workers(
        self, count: int, *, ahead_s: float = 0.0, queues: str = "", through: Sequence[str] = ()
    ) -> None:
        """So many more worker processes.

        ahead_s: of the right time, by their own clocks. queues: all by default. through: a module, with its
        arguments, that runs the worker as its own program.
        """
        environment = {**self.environment, "CARAVAN_QUEUES": queues}
        shifted = ["tests.shifted_clock", str(ahead_s)] if ahead_s else list(through)
        celery = ["celery", "-A", "worker.app", "worker", "-P", "threads", "-c", THREADS]
        for number in range(len(self.workers), len(self.workers) + count):
            options = ["-n", f"w{number}@test", "--without-gossip", "--without-mingle", "-l", "WARNING"]
            log = self.data / f"worker{number}.log"
            self.workers.append(start_fork(run_program, environment, log, *shifted, *celery, *options))

    def send_signal(self, number: int, kind: signal.Signals) -> None:
        """Send a signal to one of the workers, which are counted from 0."""
        pid = self.workers[number].pid
        assert pid is not None
        os.kill(pid, kind)

    def wait_for(self, code: str, wanted: str, patience_s: float) -> None:
        """Until a piece of Python prints what is wanted."""
        end = time.monotonic() + patience_s
        while (said := self.python(code).strip()) != wanted:
            assert time.monotonic() < end, f"{said!r} in place of {wanted!r}; logs are in {self.data}"
            time.sleep(0.5)

    def wait_for_log(self, words: str, patience_s: float) -> None:
        """Until a worker has written these words."""
        end = time.monotonic() + patience_s
        while words not in self.logs():
            assert time.monotonic() < end, self.logs()
            time.sleep(0.5)

    def logs(self) -> str:
        """What the workers wrote."""
        return "\n".join(path.read_text() for path in sorted(self.data.glob("worker*.log")))

    def stop(self) -> None:
        """End all processes."""
        self._shell.stop()
        for worker in self.workers:
            worker.kill()
        for worker in self.workers:
            worker.join()
        if self.valkey:
            self.valkey.stop()


@contextmanager
def served_workers(data: Path, database: str | Path = "", redis: str = "") -> Iterator[ServedWorkers]:
    """A served installation until the block ends."""
    running = ServedWorkers(data, database, redis)
    try:
        yield running
    finally:
        running.stop()
