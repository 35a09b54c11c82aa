"""A migrated, empty database, made once and copied for each process: migrations take seconds, a copy does not."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import django
from django.core.management import call_command
from django.db import connection
from filelock import FileLock

from tests import ROOT

FOLDER = ROOT / "var" / "tests"
"""Where the template of SQLite is kept from one run to the next; PostgreSQL's is kept by its server."""
WHAT_MIGRATES = ("webapp/**/migrations/*.py", "webapp/**/models.py", "webapp/fields.py", "webapp/clock.py")
"""The migrations, and the modules of ours that they import."""


def digest() -> str:
    """Of what decides how a migrated database looks: another digest, another template."""
    found = sha256(f"{django.VERSION} {connection.vendor}".encode())
    for path in sorted(path for pattern in WHAT_MIGRATES for path in ROOT.glob(pattern)):
        found.update(f"\0{path.relative_to(ROOT)}\0".encode() + path.read_bytes())
    return found.hexdigest()[:16]


def copy_template(target: str) -> None:
    """Make a database of this name from the template, in place of one that is there, and turn to it."""
    connection.close()
    FOLDER.mkdir(parents=True, exist_ok=True)
    copy = _copy_file if connection.vendor == "sqlite" else _copy_on_server
    with FileLock(FOLDER / f"template-{connection.vendor}.lock"):
        copy(target)
    _turn_to(target)


def remove(name: str, turn_to: str) -> None:
    """Drop a copy, and turn to what was there before."""
    _turn_to(turn_to)
    if connection.vendor == "sqlite":
        for path in _files(Path(name)):
            path.unlink(missing_ok=True)
    else:
        with connection._nodb_cursor() as cursor:
            _drop(cursor, name)


def _turn_to(name: str) -> None:
    connection.close()
    if close_pool := getattr(connection, "close_pool", None):
        close_pool()
    connection.settings_dict["NAME"] = name


def _migrate(name: str) -> None:
    before = connection.settings_dict["NAME"]
    _turn_to(name)
    call_command("migrate", verbosity=0, interactive=False, run_syncdb=True)
    _turn_to(before)


def _files(database: Path) -> Iterator[Path]:
    """A database of SQLite with what may lie beside it."""
    return (database.with_name(database.name + end) for end in ("", "-wal", "-shm", "-journal"))


def _copy_file(target: str) -> None:
    template = FOLDER / f"template-{digest()}.sqlite3"
    if not template.exists():
        for stale in FOLDER.glob("template-*.sqlite3*"):
            stale.unlink()
        unfinished = template.with_name(f"template-{os.getpid()}.sqlite3-unfinished")
        _migrate(str(unfinished))
        unfinished.rename(template)
    for path in _files(Path(target)):
        path.unlink(missing_ok=True)
    shutil.copyfile(template, target)


def _copy_on_server(target: str) -> None:
    template, unfinished = f"caravan_template_{digest()}", "caravan_template_unfinished"
    with connection._nodb_cursor() as cursor:
        if template not in _names(cursor):
            for stale in _names(cursor):
                cursor.execute(f'DROP DATABASE "{stale}"')
            cursor.execute(f'CREATE DATABASE "{unfinished}"')
            _migrate(unfinished)
            cursor.execute(f'ALTER DATABASE "{unfinished}" RENAME TO "{template}"')
        _drop(cursor, target)
        cursor.execute(f'CREATE DATABASE "{target}" TEMPLATE "{template}"')


def _drop(cursor: Any, copy: str) -> None:
    # by force: threads of a worker that a test has ended may still hold a connection
    cursor.execute(f'DROP DATABASE IF EXISTS "{copy}" WITH (FORCE)')


def _names(cursor: Any) -> list[str]:
    """The templates that the server has."""
    cursor.execute("SELECT datname FROM pg_database WHERE starts_with(datname, 'caravan_template_')")
    return [name for (name,) in cursor.fetchall()]
