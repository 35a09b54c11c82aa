"""A data folder of its own for a measurement, with Django set up over it."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from pathlib import Path

import django


def fresh_data(database: str = "") -> Path:
    """Make the folder, point Django at it, load the starter world and tasks; removed at the end.

    database: the URL of an empty one to use, by default SQLite in the folder.
    """
    folder = Path(tempfile.mkdtemp(prefix="caravan-bench-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    prepared_data(folder, database)
    return folder


def prepared_data(folder: Path, database: str = "") -> None:
    """The same in a folder that stays."""
    os.environ["CARAVAN_DATA"] = str(folder)
    os.environ["DJANGO_SETTINGS_MODULE"] = "webapp.settings"
    os.environ["CARAVAN_LOG"] = "WARNING"
    for name in ("DATABASE_URL", "REDIS_URL"):
        os.environ.pop(name, None)
    if database:
        os.environ["DATABASE_URL"] = database
    django.setup()
    from django.core.management import call_command

    call_command("prepare", verbosity=0)


def reference_folder() -> Path:
    """Where the reference data is, if it is."""
    beside = Path(__file__).resolve().parents[3] / "shared" / "data"
    return Path(os.environ.get("CARAVAN_REFERENCE", beside))
