"""The embedded default: Valkey, worker and web under one command, until Ctrl-C."""

from __future__ import annotations

import errno
import fcntl
import io
import ipaddress
import logging
import os
import signal
import socket
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import IO

from django.conf import settings
from django.core.management import call_command
from django.db import Error as DatabaseError

from webapp.accounts.services import issue_signin_link, local_researcher, public_account_exists
from webapp.logs import JSON, write_line
from webapp.storage import is_full
from webapp.surroundings import tighten
from worker import liveness
from worker.embedded.children import Child, GaveUp
from worker.embedded.valkey import PrivateValkey

WATCH_S = 0.2
SILENT_S = 40.0
START_S = 180.0
"""A worker on a crowded machine may take this long until it hears its first message."""
THREADS = "16"
HANDSHAKE_S = "60"
"""Of a websocket. A busy server accepts late; Daphne's own 5 s made every client of a crowd come again and again."""


class CannotStart(RuntimeError):
    """Something that the person who starts Caravan has to mend; the message is one line."""


def say(message: str) -> None:
    """One line for the person at the terminal."""
    write_line(message, logger=__name__)


class _SpokenLines(io.StringIO):
    """What a command writes, said as the launcher's own words are."""

    def write(self, text: str) -> int:
        for line in filter(None, text.splitlines()):
            say(line.removeprefix("caravan: "))
        return len(text)


@dataclass(frozen=True, slots=True)
class Address:
    host: str
    port: int

    @property
    def loopback(self) -> bool:
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    @property
    def url(self) -> str:
        shown = "127.0.0.1" if self.host in ("0.0.0.0", "::") else self.host
        return f"http://{f'[{shown}]' if ':' in shown else shown}:{self.port}"


def read_address(environment: Mapping[str, str]) -> Address:
    """HOST and PORT, 127.0.0.1:8000 by default.

    Raises:
        CannotStart: PORT is no port.
    """
    port = environment.get("PORT") or "8000"
    if not port.isdigit() or not 0 < int(port) < 65536:
        raise CannotStart(f"PORT={port} is no port; choose a number from 1 to 65535")
    return Address(environment.get("HOST") or "127.0.0.1", int(port))


def check_exposure(address: Address) -> None:
    """Whether the web server may listen there.

    Raises:
        CannotStart: beyond loopback or behind a proxy, and nobody could sign in.
    """
    if (settings.BEHIND_PROXY or not address.loopback) and not public_account_exists():
        reached = "CARAVAN_HTTPS says that a proxy" if settings.BEHIND_PROXY else f"HOST={address.host}"
        raise CannotStart(
            f"{reached} is reachable from other machines, so an account is needed first: "
            ".venv/bin/python manage.py create_account NAME"
        )


def check_port(address: Address) -> None:
    """Whether the web server can listen there.

    Raises:
        CannotStart: a taken port, or an address that is not this machine's.
    """
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address.host, address.port))
        except OSError as error:
            raise CannotStart(_why_not(address, error)) from error


def _why_not(address: Address, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {address.port} is taken; choose another: make run PORT={address.port + 1}"
    if error.errno == errno.EACCES:
        return (
            f"port {address.port} needs more rights than you have; choose one above 1023: make run PORT=8000"
        )
    return f"cannot listen on {address.host}:{address.port}: {error.strerror}"


def single_instance(folder: Path) -> IO[str]:
    """A lock that lasts as long as the launcher: two launchers over one data folder would fight.

    Raises:
        CannotStart: another launcher has it.
    """
    lock = (folder / "launcher.lock").open("a+")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        raise CannotStart(
            f"Caravan already runs over {settings.CARAVAN_DATA}; stop it first, or set CARAVAN_DATA to another folder"
        ) from error
    return lock


class Installation:
    """The processes of one embedded installation. An own REDIS_URL takes the place of the private Valkey."""

    def __init__(self, address: Address, run_folder: Path, log_folder: Path) -> None:
        self.address = address
        self.note = run_folder / "redis.url"
        given = os.environ.get("REDIS_URL")
        self.valkey = None if given else PrivateValkey(log_folder / "valkey.log")
        environment = {"REDIS_URL": given or (self.valkey.url if self.valkey else "")}
        if not address.loopback and "CARAVAN_HOSTS" not in os.environ:
            environment["CARAVAN_HOSTS"] = "*" if address.host in ("0.0.0.0", "::") else address.host
        python = [sys.executable, "-m"]
        pool = ["-P", "threads", "-c", THREADS, "--without-gossip", "--without-mingle"]
        quiet = ["--quiet"] if settings.CARAVAN_LOG_FORMAT == JSON else []  # its greeting is no JSON
        self.worker = Child(
            "worker",
            [*python, "celery", *quiet, "-A", "worker.app", "worker", *pool, "-l", "WARNING"],
            log_folder / "worker.log",
            environment,
            patience_s=15.0,
        )
        listen = ["-b", address.host, "-p", str(address.port), "--websocket_connect_timeout", HANDSHAKE_S]
        self.web = Child(
            "web",
            [*python, "daphne", *listen, "webapp.asgi:application"],
            log_folder / "web.log",
            environment,
            patience_s=5.0,
        )
        self.redis_url = environment["REDIS_URL"]

    @property
    def children(self) -> list[Child]:
        first = [self.valkey.child] if self.valkey else []
        return [*first, self.worker, self.web]

    def start(self) -> None:
        """Valkey first, then the other two at once."""
        if self.valkey:
            self.valkey.start()
            self.note.write_text(self.redis_url)
        liveness.forget()
        self.worker.start()
        self.web.start()

    def wait_for_web(self, patience_s: float = 30.0) -> None:
        """Until a page can be asked for.

        Raises:
            CannotStart: the web server ended, or does not answer in time.
        """
        end = time.monotonic() + patience_s
        while time.monotonic() < end:
            if self.web.exit_code() is not None:
                break
            try:
                with urllib.request.urlopen(f"{self.address.url}/health", timeout=2):
                    return
            except (urllib.error.URLError, OSError):
                time.sleep(0.05)
        raise CannotStart(f"the web server did not come up; see {self.web.log}")

    def watch(self) -> None:
        """Bring back what died, and a worker that is silent.

        Raises:
            GaveUp: a child died too often.
        """
        for child in self.children:
            code = child.exit_code()
            if code is not None:
                say(f"{child.name} ended (exit {code}); starting it again")
                self._revive(child)
        self.watch_worker()

    def watch_worker(self) -> None:
        """Bring back a worker that no message reaches any more.

        Raises:
            GaveUp: it died too often.
        """
        if self._worker_is_silent():
            say("the worker has fallen silent; starting it again")
            self.worker.kill()
            self._revive(self.worker)

    def _revive(self, child: Child) -> None:
        if child is self.worker:
            liveness.forget()
        child.revive()

    def _worker_is_silent(self) -> bool:
        age = liveness.age_s()
        if age is None:
            return time.time() - self.worker.started_at > START_S
        return age > SILENT_S

    def stop(self) -> None:
        """Web, then worker (its steps finish), then Valkey."""
        self.web.stop()
        self.worker.stop()
        if self.valkey:
            self.note.unlink(missing_ok=True)
            self.valkey.stop()


class _Stop(BaseException):
    """Ctrl-C or a polite kill. Code that goes on after any exception doesn't go on after this one."""


_stop_asked = threading.Event()
"""Set for good: where a `_Stop` is lost, as in a finalizer, the launcher's loop ends by this."""


def _on_signal(number: int, frame: FrameType | None) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    _stop_asked.set()
    raise _Stop


def main() -> int:
    """Run the embedded installation until it is stopped; gives back the exit code."""
    signal.signal(signal.SIGINT, _on_signal)
    signal.signal(signal.SIGTERM, _on_signal)
    try:
        _run()
    except _Stop:
        return 0
    except (CannotStart, GaveUp, TimeoutError) as error:
        write_line(str(error), logger=__name__, level=logging.ERROR, stream=sys.stderr)
        return 1
    except (OSError, DatabaseError) as error:
        write_line(_storage_words(error), logger=__name__, level=logging.ERROR, stream=sys.stderr)
        return 1
    return 0


def _storage_words(error: Exception) -> str:
    if is_full(error):
        return f"the disk is full; make room under {settings.CARAVAN_DATA} and start again"
    return f"cannot use {settings.CARAVAN_DATA}: {error}"


def _run() -> None:
    data = Path(settings.CARAVAN_DATA)
    run_folder = data / "run"
    run_folder.mkdir(parents=True, exist_ok=True)
    lock = single_instance(run_folder)
    tighten(data)
    address = read_address(os.environ)
    check_port(address)
    settings.ADDRESS_NOTE.write_text(address.url)
    call_command("prepare", stdout=_SpokenLines())
    check_exposure(address)
    installation = Installation(address, run_folder, data / "log")
    try:
        installation.start()
        installation.wait_for_web()
        _greet(installation)
        while not _stop_asked.wait(WATCH_S):
            installation.watch()
    finally:
        say("stopping ...")
        installation.stop()
        lock.close()


def _greet(installation: Installation) -> None:
    address = installation.address
    if address.loopback and not settings.BEHIND_PROXY:
        token = issue_signin_link(user=local_researcher())
        say(f"ready. Sign in once with this link: {address.url}/signin/{token}/")
    else:
        say(f"ready at {address.url}/; sign in with your account")
    call_command("start_demo", stdout=_SpokenLines())
    say(f"logs are in {installation.web.log.parent}; Ctrl-C ends everything")
