"""Processes that are forked with what they need read the settings of their own installation, and no others."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.forks import Fork, run_program
from tests.shell import Shell

pytestmark = pytest.mark.slow

TELL = """
from django.conf import settings
from django.db import connection
print(settings.CARAVAN_DATA, connection.settings_dict["NAME"])
"""


def test_each_reads_its_own_settings(tmp_path: Path) -> None:
    for name in ("first", "second"):
        data = tmp_path / name
        data.mkdir()
        kept = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
        shell = Shell({**kept, "CARAVAN_DATA": str(data)})
        assert shell.run(TELL).split() == [str(data), str(data / "caravan.sqlite3")]
        shell.stop()


def test_none_goes_on_whose_modules_would_have_read_another_setting(tmp_path: Path) -> None:
    fork = Fork(run_program, {**os.environ, "CARAVAN_DEBUG": "1"}, tmp_path / "log", "this")
    assert fork.wait(60) == 1
    assert not (tmp_path / "log").exists()
    plain = Fork(run_program, os.environ, tmp_path / "log", "this")
    assert plain.wait(60) == 0 and "The Zen of Python" in (tmp_path / "log").read_text()
