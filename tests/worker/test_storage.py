"""A disk that is full and a database that is locked: said once in words, and gone on when it is over. All real."""

from __future__ import annotations

import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from tests.model_server import model_server
from tests.served_workers import LOCK_S, served_workers
from tests.worker.test_many_workers import COUNT_OPEN_SESSIONS, PATIENCE_S, begin, counts_in

pytestmark = pytest.mark.slow
BUSY_S = LOCK_S + 1.0
"""How long the trouble lasts after it was told, so that every session meets it."""
WAITING_NOTICE = "sessions wait for the database"
Trouble = Callable[[Path], AbstractContextManager[None]]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 48 MB."""
    folder = tmp_path / "small"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=48m", "none", str(folder)], check=False, capture_output=True
    )
    if mounted.returncode:
        pytest.skip("only root may mount a small disk")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


@contextmanager
def full(database: Path) -> Iterator[None]:
    """Its disk is full."""
    filling = database.with_name("filling")
    with filling.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"x" * 4096)
        except OSError:
            pass
    yield
    filling.unlink()


@contextmanager
def locked_database(database: Path) -> Iterator[None]:
    """Another process writes to it, and does not come to an end."""
    other = sqlite3.connect(database, isolation_level=None, timeout=20)
    other.execute("BEGIN IMMEDIATE")
    yield
    other.execute("ROLLBACK")
    other.close()


@pytest.mark.parametrize(
    ("trouble", "words"), [(full, "disk is full"), (locked_database, "database is locked")]
)
def test_the_trouble_is_said_once_and_sessions_go_on_when_it_is_over(
    tmp_path: Path, small_disk: Path, trouble: Trouble, words: str
) -> None:
    database = small_disk / "caravan.sqlite3"
    with (
        model_server() as server,
        served_workers(tmp_path / "data", database=database) as installation,
    ):
        begin(installation, server, tasks=3, trials=1)
        installation.start_workers(1)
        while len(server.ledger.entries) < 15:
            time.sleep(0.1)
        with trouble(database):
            installation.wait_for_log(WAITING_NOTICE, 60)
            time.sleep(BUSY_S)
            before = installation.logs()
            assert installation.workers[0].exitcode is None, before
        installation.wait_for(COUNT_OPEN_SESSIONS, "0", PATIENCE_S)
        found, logs = counts_in(installation), installation.logs()
        assert found["plan_generated"] == 3 and found["gaps"] == found["unfinished"] == 0, (found, logs)
        installation.wait_for_log(f"{WAITING_NOTICE}: over", 60)
        logs = installation.logs()
        lines = [line for line in logs.splitlines() if WAITING_NOTICE in line]
        assert [words in line for line in lines] == [True, False], logs
        assert "over; it happened" in lines[1]
        assert "Traceback" not in logs, logs
