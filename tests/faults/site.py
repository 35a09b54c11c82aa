"""The installation that the faults befall: its processes, and who starts those again that end, as systemd does."""

from __future__ import annotations

import ctypes
import json
import os
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from http import HTTPStatus
from http.client import HTTPException
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any

from tests import ROOT
from tests.faults.poison import KILLS, RAISES
from tests.forks import run_program, start_fork
from tests.hosts.network import NETWORK, Network, NoNamespaces
from tests.installation import Installation, free_port
from tests.postgres import PostgresServer
from tests.served_workers import THREADS, ServedWorkers
from tests.worker.test_outages import Redis

POISON_PROGRAM = "tests.faults.poison"
WEB_PROCESSES, WORKERS = 2, 2
RESTART_S = 2.0
"""As the units have it."""
PACE_S = 0.5
DISK = "1g"
CLONE_NEWNET = 0x40000000
TASKS = ("starter_01", "starter_04", "starter_07", "starter_en_01")
FAR, HOME_HOST = "far", "here"


class Site:
    """PostgreSQL and Valkey, two web processes, two workers, the launcher with one of each, and a worker elsewhere.

    far: whether there is another host; without the right to make namespaces there is none. own_disk: whether the
    database has a disk of its own, which can be full. tended: whether processes that end are started again.
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self.tended, self.why_no_far, self.why_no_disk = folder, True, "", ""
        self.network = self._join_network()
        self.disk = self._mount_disk()
        self._lock, self._stopping = threading.Lock(), threading.Event()
        self.far = self.network[FAR] if self.network else None
        network = f"{NETWORK}.0/24" if self.network else ""
        self.postgres = PostgresServer(free_port(), network, self.disk)
        self.postgres.start()
        self.redis = Redis("--bind", "0.0.0.0", "--protected-mode", "no")
        address = self.network[HOME_HOST].address if self.network else "127.0.0.1"
        database = self.postgres.url.replace("127.0.0.1", address)
        self.workers_site = ServedWorkers(
            folder / "data", database, self.redis.url.replace("127.0.0.1", address)
        )
        self.ports = [free_port() for _ in range(WEB_PROCESSES + 1)]
        self.web: list[ForkServerProcess | None] = [None] * WEB_PROCESSES
        self.steady = list[int]()
        self._revivals = 0

    # Starting and ending.

    def start(self) -> None:
        """Start all processes, and wait until pages are answered."""
        self.python("from tests import example_data; example_data.store()")
        self.started_with = json.loads(
            self.python(
                "import json\nfrom webapp.sessions.models import Session\n"
                "print(json.dumps(list(Session.objects.values_list('pk', flat=True))))"
            )
        )
        for number in range(WEB_PROCESSES):
            self.start_web(number)
        self.start_launcher()
        self.start_workers(WORKERS)
        if self.far:
            self.start_far()
        self._tender = threading.Thread(target=self._tend, daemon=True)
        self._tender.start()
        self.launcher.wait_for("caravan: ready", 240)

    def start_web(self, number: int) -> None:
        """Start a web process by the command of its unit."""
        self._revivals += 1
        options = ("-b", "127.0.0.1", "-p", str(self.ports[number]), "--websocket_connect_timeout", "60")
        log = self.folder / f"web{number}-{self._revivals}.log"
        command = ("daphne", *options, "webapp.asgi:application")
        self.web[number] = start_fork(run_program, self.workers_site.environment, log, *command)

    def start_launcher(self) -> None:
        """Start `python -m worker.embedded` over the same database and broker."""
        own = self.workers_site.environment
        self.launcher = Installation(
            self.workers_site.data,
            self.ports[-1],
            DATABASE_URL=own["DATABASE_URL"],
            REDIS_URL=own["REDIS_URL"],
        )

    def start_workers(self, count: int, ahead_s: float = 0.0) -> list[int]:
        """Start workers; gives their numbers. Those whose clocks go right are started again when they end."""
        with self._lock:
            first = len(self.workers_site.workers)
            self.workers_site.start_workers(count, ahead_s=ahead_s, through=[POISON_PROGRAM])
            numbers = list(range(first, first + count))
            if not ahead_s:
                self.steady += numbers
            return numbers

    def start_far(self) -> None:
        """Start the worker of the other host."""
        assert self.far is not None
        command = ["celery", "-A", "worker.app", "worker", "-P", "threads", "-c", THREADS]
        options = ["-n", "far@test", "--without-gossip", "--without-mingle", "-l", "WARNING"]
        environment = {**self.workers_site.environment, "DJANGO_SETTINGS_MODULE": "webapp.settings"}
        self.far.start(
            "worker", sys.executable, "-m", POISON_PROGRAM, *command, *options, env=environment, cwd=ROOT
        )

    def stop(self) -> None:
        """End everything."""
        self.tended = False
        self._stopping.set()
        if hasattr(self, "launcher") and self.launcher.process.poll() is None:
            try:
                self.launcher.stop()
            except subprocess.TimeoutExpired:
                self.launcher.process.kill()
        for process in self.web:
            if process:
                process.kill()
                process.join()
        self.workers_site.stop()
        self.redis.kill()
        self.postgres.remove()
        if self.disk:
            subprocess.run(["umount", "-l", str(self.disk)], check=False)
        if self.network:
            self.network.stop()

    # Processes.

    def pids_of_workers(self) -> list[int]:
        """The process ids of all workers that live: ours, the other host's and the launcher's."""
        with self._lock:
            found = [self.workers_site.workers[number].pid for number in self.steady]
        if self.far and "worker" in self.far.processes:
            found.append(self.far.processes["worker"].pid)
        if worker := self.launcher.children().get("celery"):
            found.append(worker)
        return [pid for pid in found if pid is not None]

    def own_workers(self) -> list[int]:
        """The process ids of the workers that are tended here."""
        with self._lock:
            return [pid for number in self.steady if (pid := self.workers_site.workers[number].pid)]

    def _tend(self) -> None:
        while not self._stopping.wait(0.5):
            if self.tended:
                self._revive()

    def _revive(self) -> None:
        for number, process in enumerate(self.web):
            if process and process.exitcode is not None:
                time.sleep(RESTART_S)
                self.start_web(number)
        with self._lock:
            dead = [
                number for number in self.steady if self.workers_site.workers[number].exitcode is not None
            ]
            self.steady = [number for number in self.steady if number not in dead]
        if dead:
            time.sleep(RESTART_S)
            self.start_workers(len(dead))
        if self.far and self.far.processes["worker"].poll() is not None:
            time.sleep(RESTART_S)
            self.start_far()
        if self.launcher.process.poll() is not None:
            time.sleep(RESTART_S)
            self.start_launcher()

    def silent_web(self) -> list[int]:
        """The ports of the web processes that don't answer."""
        return [port for port in self.ports if not _answers(port)]

    # What is asked inside.

    def python(self, code: str, patience_s: float = 120.0) -> str:
        """What a piece of Python prints inside; asked again while the database is away."""
        end = time.monotonic() + patience_s
        while True:
            try:
                return self.workers_site.python(code).strip()
            except AssertionError as error:
                if "OperationalError" not in str(error) or time.monotonic() > end:
                    raise
                time.sleep(1)

    def make_sessions(self, count: int, seed: int, poison: bool = False) -> list[str]:
        """Start sessions of the reference agent and scripted users; with poison, one of each kind among them."""
        seeds = [*([RAISES, KILLS] if poison else []), *range(seed, seed + count)]
        code = f"""
import json
from webapp.catalogue.models import Task
from webapp.catalogue.options import world_of
from webapp.sessions.services import Setup, create_session
made = []
for number, seed in enumerate({seeds}):
    task = Task.objects.get(task_id={TASKS}[number % {len(TASKS)}])
    world = world_of(Task.objects.filter(pk=task.pk), None)
    made.append(create_session(task=task, world=world, setup=Setup(agent="reference", seed=seed, pace={PACE_S})).pk)
print(json.dumps(made))
"""
        return list(json.loads(self.python(code)))

    def open_sessions(self) -> dict[str, int]:
        """The last event of each session that has not ended and that no person holds up, by its id."""
        code = """
import json
from webapp.sessions.models import ENDED_STATUSES, Session
found = Session.objects.exclude(status__in=ENDED_STATUSES).exclude(seats__kind="person")
print(json.dumps(dict(found.values_list("pk", "last_seq"))))
"""
        return dict(json.loads(self.python(code)))

    # Surroundings.

    def _join_network(self) -> Network | None:
        """Make another host, and be a host of the same network."""
        network = Network((HOME_HOST, FAR), self.folder / "hosts")
        try:
            network.start({})
            with Path(f"/run/netns/{network[HOME_HOST].namespace}").open() as namespace:
                if ctypes.CDLL(None, use_errno=True).setns(namespace.fileno(), CLONE_NEWNET):
                    raise NoNamespaces(os.strerror(ctypes.get_errno()))
        except (NoNamespaces, OSError) as error:
            self.why_no_far = str(error)
            network.stop()
            return None
        return network

    def _mount_disk(self) -> Path | None:
        """A small disk for the database."""
        disk = self.folder / "disk"
        disk.mkdir()
        command = ["mount", "-t", "tmpfs", "-o", f"size={DISK},mode=755", "caravan-faults", str(disk)]
        try:
            subprocess.run(command, check=True, capture_output=True, text=True)
        except (OSError, subprocess.CalledProcessError) as error:
            self.why_no_disk = str(error)
            return None
        return disk


def _answers(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5) as answer:
            return bool(answer.status == HTTPStatus.OK)
    except (OSError, HTTPException):
        return False


def kill(pid: int, kind: signal.Signals = signal.SIGKILL) -> None:
    """Send a signal to a process, which may have ended by itself."""
    try:
        os.kill(pid, kind)
    except ProcessLookupError:
        return


class Door:
    """The way of one client into the site: one of its web processes, and another one when that does not answer."""

    def __init__(self, site: Site, first: int) -> None:
        self._site, self._number = site, first
        self.inside: Any = site.launcher.inside

    @property
    def port(self) -> int:
        return self._site.ports[self._number % len(self._site.ports)]

    def url(self, path: str = "/") -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def take_other(self) -> None:
        """Come in by the next process from now on."""
        self._number += 1
