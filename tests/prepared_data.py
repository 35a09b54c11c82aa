"""A data folder as the first start leaves it, made once in a run of the tests and copied."""

from __future__ import annotations

import os
import pickle
import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock

from tests import ROOT

if TYPE_CHECKING:
    from sandbox.worlds.china10 import ImportReport

SHARED_VARIABLE = "CARAVAN_TEST_SHARED"
"""The variable that names a folder which all processes of a run share (tests.run sets it, else tests.environment)."""
COLLECTED_VARIABLE = "CARAVAN_TEST_COLLECTED"
"""The variable that names the file that a process of tests makes when it has collected them (tests.run sets it)."""


def prepare_data(data: Path, further: str = "") -> Path:
    """Fill this folder as `manage.py prepare` would; gives it.

    further: Python that fills in more after that, in a process of the same installation.
    """
    if SHARED_VARIABLE not in os.environ:  # a measurement
        _fill(data, further)
        return data
    shared = Path(os.environ[SHARED_VARIABLE])
    name = f"prepared-{sha256(further.encode()).hexdigest()[:12]}"
    with FileLock(shared / f"{name}.lock"):
        if not (shared / name).exists():
            _fill(shared / f"{name}-filling", further)
            (shared / f"{name}-filling").rename(shared / name)
    return Path(shutil.copytree(shared / name, data, dirs_exist_ok=True))


def starter_pack() -> Path:
    """The starter world, built once for all tests of all processes: that takes four seconds."""
    from sandbox.worlds.starter import build_starter

    shared = Path(os.environ[SHARED_VARIABLE])
    path = shared / "starter-pack.sqlite3"
    with FileLock(shared / "starter-pack.lock"):
        if not path.exists():
            build_starter(shared / "starter-pack-building.sqlite3")
            (shared / "starter-pack-building.sqlite3").rename(path)
    return path


def import_ten_cities(source: Path) -> ImportReport:
    """What the import of the ten-city data made, once for all tests of all processes: that takes fifteen seconds."""
    from sandbox.worlds.china10 import import_china10

    shared = Path(os.environ[SHARED_VARIABLE])
    path = shared / "china10.report"
    with FileLock(shared / "china10.lock"):
        if not path.exists():
            path.write_bytes(pickle.dumps(import_china10(source, shared / "china10.pack", "china10")))
    report: ImportReport = pickle.loads(path.read_bytes())
    return report


def _fill(data: Path, further: str) -> None:
    if further:
        _run(f"{_SETUP}\n{further}", prepare_data(data))
        return
    # as a person may have made it: what comes into it is closed to others
    data.mkdir(mode=0o755, exist_ok=True)
    _run(f"{_SETUP}{_COPY if SHARED_VARIABLE in os.environ else ''}{_PREPARE}", data)


def _run(code: str, data: Path) -> None:
    kept = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\n{_CLOSE}"],
        cwd=ROOT,
        env={**kept, "CARAVAN_DATA": str(data), "DJANGO_SETTINGS_MODULE": "webapp.settings"},
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, f"{done.stdout}{done.stderr}"


_SETUP = """
from webapp.memory import loading
with loading():
    import django
    django.setup()
"""
_CLOSE = """
from django.db import connections
connections.close_all()
"""
"""SQLite then has all rows in the database's own file, which some tests copy alone."""
_COPY = """
import shutil
from django.db import connection
from tests.prepared_data import starter_pack
from tests.template_database import copy_template
from webapp.catalogue.starter import load_starter_world
copy_template(str(connection.settings_dict["NAME"]))
load_starter_world(build=lambda target: shutil.copyfile(starter_pack(), target))
"""
"""The migrated database and the world, which take longest to make, are copies of those that all tests share."""
_PREPARE = """
from django.core.management import call_command
call_command("prepare")
"""
