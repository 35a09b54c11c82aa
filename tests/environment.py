"""A pytest plugin that runs before Django reads its settings: a data folder of our own and a real Valkey.

DATABASE_URL and REDIS_URL, when set, are used as they are.
"""

from __future__ import annotations

import atexit
import gc
import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path

import pytest
import pytest_django.plugin

from tests.prepared_data import COLLECTED_VARIABLE, SHARED_VARIABLE
from webapp.catalogues import compile_catalogues
from worker.embedded.valkey import PrivateValkey

gc.disable()  # until all tests are collected: nothing of them is garbage

compile_catalogues()
FOLDER = Path(tempfile.mkdtemp(prefix="caravan-test-"))
atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)
os.environ["CARAVAN_DATA"] = str(FOLDER)
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell without job control starts what is to run beside it so, and processes hand it on to those that they
    # start: a test that ends one by this signal would wait for ever.
    signal.signal(signal.SIGINT, signal.default_int_handler)
os.environ.setdefault(SHARED_VARIABLE, str(FOLDER))  # of the first process, which starts the others
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.settings")
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
os.environ.setdefault(
    "CARAVAN_LIMITS", "off"
)  # accounts of tests have equal ids, so that they would share counts

if not os.environ.get("REDIS_URL"):
    _valkey = PrivateValkey(FOLDER / "valkey.log")
    atexit.register(_valkey.stop)
    _valkey.start()
    os.environ["REDIS_URL"] = _valkey.url


READY_FOR_OTHERS = (
    "_dj_autoclear_mailbox",
    "_django_clear_site_cache",
    "_django_isolate_apps",
    "_django_set_urlconf",
    "_live_server_helper",
    "_template_string_if_invalid_marker",
)
"""What pytest-django sets up around each test for what none here uses: half of the time of an empty test."""
for _name in READY_FOR_OTHERS:
    delattr(pytest_django.plugin, _name)

HEAVY = frozenset({"datasets", "pandas", "sklearn", "statsmodels"})
"""What takes a second or more to import, and only a few tests need."""
IMPORTED_MODULES: set[str] = set()
"""What was imported when all tests were collected."""
DESELECTED_TESTS: list[pytest.Item] = []
"""The tests that this part leaves to others by its selection of marks."""


def pytest_deselected(items: list[pytest.Item]) -> None:
    """Keep them for tests/test_run.py, which looks whether another part has them."""
    DESELECTED_TESTS.extend(items)


def pytest_collection_finish() -> None:
    """Leave what all tests have loaded out of the search for garbage, which took a sixth of their time."""
    IMPORTED_MODULES.update(sys.modules)
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)
    gc.enable()
    if told := os.environ.get(COLLECTED_VARIABLE):
        Path(told).touch()


def pytest_sessionfinish() -> None:
    """Leave what all tests have made out of the searches with which pytest and then Python end."""
    gc.freeze()
